// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader of a DMA channel: rows become 16-byte beats, pushed to the buffer in order. It runs
// ahead of the writer as far as the buffer has room: space is reserved when a beat is
// requested, so the bus never has to wait for the writer.
//
// DRAM is read in bursts of aligned beats that end at multiples of 256 bytes (so none crosses
// 4 KiB), many of them outstanding: as many as hide the latency where each is one beat. TCM
// is read a beat a cycle at any alignment, cut into beats as the destination will be; so only
// DRAM to DRAM needs data shifted from one beat into the next.

module npu_dma_read
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter int unsigned BufferDepth = 128,
  parameter int unsigned Outstanding = 64
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  row_valid_i,
  input  logic                  row_op_i,      // which of the two operations that may be under way
  input  logic                  row_tcm_i,     // otherwise DRAM
  input  logic [31:0]           row_src_i,
  input  logic [3:0]            row_offset_i,  // of the row's first byte in its first beat
  input  logic [DmaLenW-1:0]    row_len_i,
  output logic                  row_ready_o,

  output logic                  ar_valid_o,
  output logic [31:0]           ar_addr_o,
  output logic [7:0]            ar_len_o,
  input  logic                  ar_ready_i,
  input  logic                  r_valid_i,
  input  logic [127:0]          r_data_i,
  input  logic [1:0]            r_resp_i,
  input  logic                  r_last_i,

  // Beats of TCM, the oldest one first: up to five neighbouring words each.
  output logic [DmaTcmBeats-1:0][4:0] tcm_req_o,
  output logic [DmaTcmBeats-1:0][TcmWordWidth-1:0] tcm_word_o,  // the first one
  input  logic [DmaTcmBeats-1:0][4:0] tcm_gnt_i,
  input  tcm_rdata_t            tcm_rdata_i,

  output logic                  push_o,
  output logic [127:0]          data_o,
  input  logic                  pop_i,        // the writer has taken a beat

  output logic                  error_o,      // pulse: a bus error in the row at this address
  output logic                  error_op_o,   // of this operation
  output logic [31:0]           error_addr_o
);

  localparam int unsigned SpaceW = $clog2(BufferDepth) + 1;

  // ------------------------------------------------------------------ current row

  logic                 row_valid_q, row_op_q, row_tcm_q;
  logic [31:0]          row_src_q;    // as the descriptor gives it, for error reports
  logic [31:0]          addr_q;       // of the beat
  logic [3:0]           first_q;      // the beat's first byte that belongs to the row
  logic [3:0]           last_q;       // the same for the last byte of the last beat
  logic                 begun_q;      // not the row's first beat
  logic [DmaBeatsW-1:0] left_q;       // beats still to be requested
  logic [DmaBeatsW-1:0] row_beats;
  logic [4:0]           to_boundary, burst;
  logic [4:0]           step;         // beats requested in this cycle
  logic                 row_last;

  assign row_beats   = DmaBeatsW'((25'(row_offset_i) + 25'(row_len_i) + 25'd15) >> 4);
  assign to_boundary = 5'd16 - 5'(addr_q[7:4]);
  assign burst       = left_q > DmaBeatsW'(to_boundary) ? to_boundary : left_q[4:0];
  assign row_last    = left_q == DmaBeatsW'(step);
  assign row_ready_o = !row_valid_q || (step != 5'd0 && row_last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_valid_q <= 1'b0;
    end else if (row_ready_o) begin
      row_valid_q <= row_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (row_valid_i && row_ready_o) begin
      row_op_q  <= row_op_i;
      row_tcm_q <= row_tcm_i;
      row_src_q <= row_src_i;
      addr_q    <= row_src_i - 32'(row_offset_i);
      first_q   <= row_offset_i;
      last_q    <= row_offset_i + row_len_i[3:0] - 4'd1;
      begun_q   <= 1'b0;
      left_q    <= row_beats;
    end else if (step != 5'd0) begin
      addr_q  <= addr_q + {23'd0, step, 4'd0};
      first_q <= 4'd0;
      begun_q <= 1'b1;
      left_q  <= left_q - DmaBeatsW'(step);
    end
  end

  // ------------------------------------------------------------------ space in the buffer

  logic [SpaceW-1:0] reserved_q;   // beats requested and not yet taken by the writer
  logic              room, ar_fire, beat_fire;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reserved_q <= '0;
    end else begin
      reserved_q <= reserved_q + SpaceW'(step) - SpaceW'(pop_i);
    end
  end

  // ------------------------------------------------------------------ DRAM

  logic        pending_ready, pending_valid, pending_op, dram_idle, tcm_idle;
  logic [31:0] pending_src;

  // The buffer takes beats in order: before a row of the other kind of memory, what is on
  // its way must have arrived.
  assign room       = reserved_q <= SpaceW'(BufferDepth) - SpaceW'(burst);
  assign ar_valid_o = row_valid_q && !row_tcm_q && room && pending_ready && tcm_idle;
  assign ar_addr_o  = addr_q;
  assign ar_len_o   = 8'(burst) - 8'd1;
  assign ar_fire    = ar_valid_o && ar_ready_i;
  assign dram_idle  = !pending_valid;

  npu_fifo #(
    .Width(33),
    .Depth(Outstanding)
  ) u_pending (
    .clk_i,
    .rst_ni,
    .push_i (ar_fire),
    .data_i ({row_op_q, row_src_q}),
    .ready_o(pending_ready),
    .valid_o(pending_valid),
    .data_o ({pending_op, pending_src}),
    .pop_i  (r_valid_i && r_last_i)
  );

  assign error_o      = r_valid_i && r_resp_i != AxiRespOkay;
  assign error_op_o   = pending_op;
  assign error_addr_o = pending_src;

  // ------------------------------------------------------------------ TCM

  // A beat whose words are not all granted costs no cycle: the others are asked for again beside
  // those of the beats behind it. A queue holds the beats under way; the oldest one goes to the
  // buffer in the cycle in which its last words arrive. A word that two beats of a row share is
  // read once.
  logic [4:0]                         need;                   // words of the row's next beat that hold its bytes
  logic [2:0]                         need_first, need_last;
  logic [DmaTcmBeats-1:0]             busy_q, busy, slot;     // entries; those that stay; that of the next beat
  logic [DmaTcmBeats-1:0][4:0]        todo_q, todo, got_q;    // their words: not yet granted, granted last
  logic [DmaTcmBeats-1:0][TcmWordWidth-1:0] word_q, word;     // of the first word
  logic [DmaTcmBeats-1:0][1:0]        byte_q, offset;         // of the beat in its first word
  logic [DmaTcmBeats-1:0]             joined_q, joined;       // that word was the last one of the beat before
  logic [31:0]                        carry_q;                // which is this
  logic [DmaTcmBeats-1:0][4:0][31:0]  partial_q, words;
  logic [4:0][31:0]                   bytes;
  logic                               tcm_push;

  logic                               joins;

  assign joins      = begun_q && addr_q[1:0] != 2'd0;
  assign need_first = joins ? 3'd1 : 3'((5'(addr_q[1:0]) + 5'(first_q)) >> 2);
  assign need_last  = left_q == DmaBeatsW'(1) ? 3'((5'(addr_q[1:0]) + 5'(last_q)) >> 2)
                      : addr_q[1:0] != 2'd0 ? 3'd4 : 3'd3;

  always_comb begin
    for (int unsigned i = 0; i < 5; i++) need[i] = 3'(i) >= need_first && 3'(i) <= need_last;
  end

  assign tcm_push  = busy_q[0] && todo_q[0] == 5'd0;
  assign busy      = busy_q >> tcm_push;
  assign slot      = ~busy & {busy[DmaTcmBeats-2:0], 1'b1};
  assign beat_fire = row_valid_q && row_tcm_q && dram_idle && slot != '0
                     && reserved_q != SpaceW'(BufferDepth);
  assign tcm_idle  = busy == '0;

  always_comb begin
    todo   = tcm_push ? todo_q >> 5 : todo_q;
    word   = tcm_push ? word_q >> TcmWordWidth : word_q;
    offset = tcm_push ? byte_q >> 2 : byte_q;
    joined = joined_q >> tcm_push;
    for (int unsigned e = 0; e < DmaTcmBeats; e++) begin
      if (beat_fire && slot[e]) begin
        todo[e]   = need;
        word[e]   = addr_q[2+:TcmWordWidth];
        offset[e] = addr_q[1:0];
        joined[e] = joins;
      end
    end
  end

  assign tcm_req_o  = todo;
  assign tcm_word_o = word;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      todo_q <= '0;
      got_q  <= '0;
    end else begin
      busy_q <= beat_fire ? busy | slot : busy;
      todo_q <= todo & ~tcm_gnt_i;
      got_q  <= tcm_gnt_i;
    end
  end

  always_comb begin
    logic [3:0] bank;
    bank  = '0;
    words = partial_q;
    for (int unsigned e = 0; e < DmaTcmBeats; e++) begin
      bank = word_q[e][3:0];
      for (int unsigned i = 0; i < 5; i++) begin
        if (got_q[e][i]) words[e][i] = tcm_rdata_i[bank];
        bank = bank + 4'd1;
      end
    end
    if (joined_q[0]) words[0][0] = carry_q;
    bytes = words[0] >> {byte_q[0], 3'b000};
  end

  always_ff @(posedge clk_i) begin
    if (tcm_push || beat_fire) begin
      word_q   <= word;
      byte_q   <= offset;
      joined_q <= joined;
    end
    if (tcm_push) carry_q <= words[0][4];
    if (tcm_push || got_q != '0) partial_q <= tcm_push ? words >> 160 : words;
  end

  // ------------------------------------------------------------------ to the buffer

  always_comb begin
    step = 5'd0;
    if (ar_fire) step = burst;
    else if (beat_fire) step = 5'd1;
  end

  assign push_o = r_valid_i || tcm_push;
  assign data_o = r_valid_i ? r_data_i : bytes[3:0];

  logic unused_bytes;
  assign unused_bytes = ^bytes[4];

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  OneSourceAtATime: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(r_valid_i && tcm_push));
  NoGapInTheQueue: assert property (@(posedge clk_i) disable iff (!rst_ni)
    (busy_q & (busy_q + DmaTcmBeats'(1))) == '0);
  ResponseIsExpected: assert property (@(posedge clk_i) disable iff (!rst_ni)
    r_valid_i |-> pending_valid);
  AddressIsStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    ar_valid_o && !ar_ready_i |=> ar_valid_o && $stable(ar_addr_o) && $stable(ar_len_o));
  SpaceIsReserved: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reserved_q <= SpaceW'(BufferDepth));
  NothingLeftOver: assert property (@(posedge clk_i) disable iff (!rst_ni)
    pop_i |-> reserved_q != '0);
`endif

endmodule : npu_dma_read
