// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writer of a DMA channel: takes the beats of the source from the buffer, brings them to the
// alignment of the destination, and writes them.
//
//   plan    cuts rows into bursts (DRAM: ending at multiples of 256 bytes; TCM: the whole
//           row) and announces DRAM bursts on AW, a few bursts ahead of their data, but only
//           when the data are in the buffer: a burst never stalls the bus half way
//   align   one destination beat a cycle out of two neighbouring source beats
//   output  a register in front of W and the scratchpad; words of a beat that the scratchpad
//           refuses are written beside the beats behind it, and a word that two beats of a
//           row share goes there once, with the second one
//
// TCM takes 16 bytes at any address, so beats go there as they are, and come from there as
// the destination wants them. From DRAM to DRAM, with source offset s and destination offset
// d in their 16-byte beats, a destination beat starts s - d bytes into a source beat: for
// s > d it needs the oldest beat and the one behind it, for s < d the one before and the
// oldest. A row takes as many cycles as its source or its destination has beats, whichever
// is more.

module npu_dma_write
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter int unsigned CountW      = 8,
  parameter int unsigned Rows        = 64,
  parameter int unsigned Outstanding = 64
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              row_valid_i,
  input  logic              row_op_i,      // which of the two operations that may be under way
  input  dma_row_t          row_i,
  output logic              row_ready_o,

  input  logic              beat_valid_i,
  input  logic [127:0]      beat_i,
  input  logic              next_valid_i,  // the beat behind it
  input  logic [127:0]      next_i,
  input  logic [CountW-1:0] beat_count_i,  // beats in the buffer
  output logic              beat_pop_o,

  output logic              aw_valid_o,
  output logic [31:0]       aw_addr_o,
  output logic [7:0]        aw_len_o,
  input  logic              aw_ready_i,
  output logic              w_valid_o,
  output logic [127:0]      w_data_o,
  output logic [15:0]       w_strb_o,
  output logic              w_last_o,
  input  logic              w_ready_i,
  input  logic              b_valid_i,
  input  logic [1:0]        b_resp_i,

  // Beats to TCM, the oldest one first: up to five neighbouring words each.
  output logic [DmaTcmBeats-1:0][4:0] tcm_req_o,
  output logic [DmaTcmBeats-1:0][TcmWordWidth-1:0] tcm_word_o,   // the first one
  output logic [DmaTcmBeats-1:0][4:0][3:0]  tcm_be_o,
  output logic [DmaTcmBeats-1:0][4:0][31:0] tcm_data_o,
  input  logic [DmaTcmBeats-1:0][4:0] tcm_gnt_i,

  output logic              idle_o,        // every row taken so far is written
  output logic [1:0]        holds_o,       // a row of this operation is not written yet
  output logic              error_o,       // pulse: a bus error in the row at this address
  output logic              error_op_o,    // of this operation
  output logic [31:0]       error_addr_o
);

  // What plan needs of a row.
  typedef struct packed {
    logic               op;
    logic               fill;
    logic [7:0]         value;
    logic               tcm;
    logic [3:0]         src_offset;   // of the row's first byte in its first beat
    logic [3:0]         dst_offset;   // the same for the beats that are written
    logic [31:0]        dst;
    logic [DmaLenW-1:0] len;
  } plan_row_t;

  // A burst (or a row to TCM) whose data may be written.
  typedef struct packed {
    logic                 op;
    logic                 fill;
    logic [7:0]           value;
    logic                 tcm;
    logic                 row_first;
    logic                 row_last;
    logic [3:0]           src_offset;
    logic [3:0]           dst_offset;
    logic [3:0]           end_offset;   // of the row's last byte in its beat
    logic [TcmWordWidth+1:0] addr;      // TCM: of the first beat
    logic [DmaBeatsW-1:0] beats;        // of the destination in this burst
    logic [DmaBeatsW-1:0] row_source;   // beats of the source in the whole row
  } burst_t;

  localparam int unsigned DebtW = DmaBeatsW + 2;

  // ------------------------------------------------------------------ plan

  plan_row_t row_in, row;
  logic      row_valid, row_pop, row_fifo_ready;

  assign row_in = '{op: row_op_i, fill: row_i.fill, value: row_i.src[7:0], tcm: row_i.dst_tcm,
                    src_offset: row_i.offset,
                    dst_offset: row_i.dst_tcm ? row_i.offset : row_i.dst[3:0],
                    dst: row_i.dst, len: row_i.len};
  assign row_ready_o = row_fifo_ready;

  logic unused_src_tcm;
  assign unused_src_tcm = row_i.src_tcm;

  npu_fifo #(
    .Width($bits(plan_row_t)),
    .Depth(Rows)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .push_i (row_valid_i && row_fifo_ready),
    .data_i (row_in),
    .ready_o(row_fifo_ready),
    .valid_o(row_valid),
    .data_o (row),
    .pop_i  (row_pop)
  );

  logic [DmaBeatsW-1:0] planned_q;     // destination beats of the row in earlier bursts
  logic [DmaBeatsW-1:0] dst_beats, src_beats, row_left, burst_beats, planned, pops;
  logic [27:0]          burst_addr;
  logic [4:0]           to_boundary;
  logic                 early, burst_last, buffered, plan_fire, burst_ready, burst_valid, burst_pop;
  logic                 pending_ready, pending_valid, pending_op;
  logic [31:0]          pending_dst;
  logic [DebtW-1:0]     debt_q;        // source beats that planned bursts will still take
  burst_t               burst_in, burst;

  // Source beats taken when this many destination beats of the row are out.
  function automatic logic [DmaBeatsW-1:0] taken(logic [DmaBeatsW-1:0] beats, logic one_early,
                                                 logic [DmaBeatsW-1:0] limit);
    logic [DmaBeatsW-1:0] n;
    if (beats == '0) return '0;
    n = beats + DmaBeatsW'(one_early);
    return n < limit ? n : limit;
  endfunction

  always_comb begin
    early       = 1'b0;
    dst_beats   = '0;
    src_beats   = '0;
    row_left    = '0;
    burst_addr  = '0;
    to_boundary = '0;
    burst_beats = '0;
    planned     = '0;
    pops        = '0;
    if (row_valid) begin
      early       = row.src_offset > row.dst_offset;
      dst_beats   = DmaBeatsW'((25'(row.dst_offset) + 25'(row.len) + 25'd15) >> 4);
      src_beats   = row.fill ? '0
                             : DmaBeatsW'((25'(row.src_offset) + 25'(row.len) + 25'd15) >> 4);
      row_left    = dst_beats - planned_q;
      burst_addr  = row.dst[31:4] + 28'(planned_q);
      to_boundary = 5'd16 - 5'(burst_addr[3:0]);
      burst_beats = row.tcm || row_left <= DmaBeatsW'(to_boundary) ? row_left
                                                                   : DmaBeatsW'(to_boundary);
      planned     = planned_q + burst_beats;
      pops        = taken(planned, early, src_beats) - taken(planned_q, early, src_beats);
    end
  end

  assign burst_last = burst_beats == row_left;
  assign buffered   = DebtW'(beat_count_i) >= debt_q + DebtW'(pops);

  assign aw_valid_o = row_valid && !row.tcm && burst_ready && pending_ready && buffered;
  assign aw_addr_o  = {burst_addr, 4'd0};
  assign aw_len_o   = burst_beats[7:0] - 8'd1;

  assign plan_fire = row.tcm ? row_valid && burst_ready : aw_valid_o && aw_ready_i;
  assign row_pop   = plan_fire && burst_last;

  assign burst_in = '{
    op: row.op, fill: row.fill, value: row.value, tcm: row.tcm,
    row_first: planned_q == '0, row_last: burst_last,
    src_offset: row.src_offset, dst_offset: row.dst_offset,
    end_offset: row.dst_offset + row.len[3:0] - 4'd1,
    addr: row.dst[TcmWordWidth+1:0] - (TcmWordWidth + 2)'(row.dst_offset),
    beats: burst_beats, row_source: src_beats};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      planned_q <= '0;
      debt_q    <= '0;
    end else begin
      if (plan_fire) planned_q <= burst_last ? '0 : planned;
      debt_q <= debt_q + (plan_fire ? DebtW'(pops) : '0) - DebtW'(beat_pop_o);
    end
  end

  npu_fifo #(
    .Width($bits(burst_t)),
    .Depth(4)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .push_i (plan_fire),
    .data_i (burst_in),
    .ready_o(burst_ready),
    .valid_o(burst_valid),
    .data_o (burst),
    .pop_i  (burst_pop)
  );

  // Rows of the bursts that wait for their response.
  npu_fifo #(
    .Width(33),
    .Depth(Outstanding)
  ) u_pending (
    .clk_i,
    .rst_ni,
    .push_i (aw_valid_o && aw_ready_i),
    .data_i ({row.op, row.dst}),
    .ready_o(pending_ready),
    .valid_o(pending_valid),
    .data_o ({pending_op, pending_dst}),
    .pop_i  (b_valid_i)
  );

  assign error_o      = b_valid_i && b_resp_i != AxiRespOkay;
  assign error_op_o   = pending_op;
  assign error_addr_o = pending_dst;

  // ------------------------------------------------------------------ align

  logic [DmaBeatsW-1:0] done_q;          // destination beats of the burst that are out
  logic [DmaBeatsW-1:0] source_left_q, source_left;
  logic                 drop_q;          // the row's last source beat is used up
  logic [127:0]         previous_q, shifted;
  logic                 ahead, needs_beat, needs_next, emit, beat_first, beat_last, out_ready;
  logic [4:0]           shift;
  logic [15:0]          strobe;

  assign beat_first  = burst.row_first && done_q == '0;
  assign beat_last   = done_q + DmaBeatsW'(1) == burst.beats;
  assign ahead       = burst.src_offset > burst.dst_offset;
  assign source_left = beat_first ? burst.row_source : source_left_q;
  assign needs_beat  = source_left != '0;
  assign needs_next  = ahead && source_left > DmaBeatsW'(1);
  assign emit        = burst_valid && !drop_q && out_ready && (!needs_beat || beat_valid_i)
                       && (!needs_next || next_valid_i);
  assign beat_pop_o  = drop_q || (emit && needs_beat);
  assign burst_pop   = emit && beat_last;

  // Equal offsets take the oldest beat as it is.
  assign shift   = burst.src_offset == burst.dst_offset ? 5'd16
                   : {1'b0, burst.src_offset - burst.dst_offset};

  always_comb begin
    shifted = '0;
    strobe  = '0;
    if (emit) begin
      shifted = burst.fill ? {16{burst.value}}
                : 128'((ahead ? {next_i, beat_i} : {beat_i, previous_q}) >> {shift, 3'b000});
      strobe  = 16'hffff;
      if (beat_first) strobe = strobe << burst.dst_offset;
      if (beat_last && burst.row_last) strobe = strobe & (16'hffff >> (4'd15 - burst.end_offset));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= '0;
      drop_q <= 1'b0;
    end else begin
      drop_q <= burst_pop && burst.row_last && source_left > DmaBeatsW'(1);
      if (emit) done_q <= beat_last ? '0 : done_q + DmaBeatsW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (emit) source_left_q <= source_left - DmaBeatsW'(needs_beat);
    if (beat_pop_o) previous_q <= beat_i;
  end

  // ------------------------------------------------------------------ output

  logic                    out_valid_q, out_op_q, out_tcm_q, out_last_q, out_done;
  logic [TcmWordWidth+1:0] out_addr_q, beat_addr;
  logic [127:0]            out_data_q;
  logic [15:0]             out_strobe_q;
  logic [4:0]              out_words_q, words;   // of a TCM beat: those not yet written
  logic [19:0]             strobe_in_words;
  logic                    shares_first, shares_last;   // a word with the beat before, behind
  logic [3:0]              shared_be_q;          // what the beat before has in the first word
  logic [31:0]             shared_q;

  // What is left of the TCM beats before it, the oldest first. Each moves up when the place before
  // it is free; the beat in the output register follows the last one.
  localparam int unsigned Rests = DmaTcmBeats - 1;
  logic [Rests-1:0][4:0]              rest_words_q;
  logic [Rests-1:0]                   rest_op_q;
  logic [Rests-1:0][TcmWordWidth-1:0] rest_word_q;
  logic [Rests-1:0][4:0][3:0]         rest_be_q;
  logic [Rests-1:0][4:0][31:0]        rest_data_q;
  logic [Rests:0][4:0]                left;      // what this cycle leaves of the beats
  logic [Rests:0]                     moves;     // nothing is left, or it can move up
  logic [Rests:0]                     beat_op;
  logic                               room;

  assign left    = tcm_req_o & ~tcm_gnt_i;
  assign beat_op = {out_op_q, rest_op_q};

  always_comb begin
    room = 1'b0;
    for (int unsigned r = 0; r <= Rests; r++) begin
      room     = room || left[r] == 5'd0;
      moves[r] = room;
    end
  end

  assign out_done  = out_tcm_q ? moves[Rests] : w_ready_i;
  assign out_ready = !out_valid_q || out_done;

  assign beat_addr       = burst.addr + (TcmWordWidth + 2)'({done_q, 4'd0});
  assign strobe_in_words = 20'(strobe) << burst.addr[1:0];

  // The output register holds the beat before until it takes this one.
  assign shares_first = burst.addr[1:0] != 2'd0 && !beat_first;
  assign shares_last  = burst.addr[1:0] != 2'd0 && !beat_last;

  always_comb begin
    for (int unsigned i = 0; i < 5; i++) words[i] = |strobe_in_words[4*i+:4];
    if (shares_last) words[4] = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q  <= 1'b0;
      rest_words_q <= '0;
    end else begin
      if (out_ready) out_valid_q <= emit;
      for (int unsigned r = 0; r < Rests; r++) rest_words_q[r] <= moves[r] ? left[r+1] : left[r];
    end
  end

  always_ff @(posedge clk_i) begin
    if (emit) begin
      out_op_q     <= burst.op;
      out_tcm_q    <= burst.tcm;
      out_last_q   <= beat_last;
      out_addr_q   <= beat_addr;
      out_data_q   <= shifted;
      out_strobe_q <= strobe;
      out_words_q  <= words;
      shared_be_q  <= shares_first ? tcm_be_o[Rests][4] : '0;
      shared_q     <= shares_first ? tcm_data_o[Rests][4] : '0;
    end else if (out_valid_q && out_tcm_q) begin
      out_words_q <= left[Rests];
    end
    for (int unsigned r = 0; r < Rests; r++) begin
      if (moves[r] && left[r+1] != 5'd0) begin
        rest_op_q[r]   <= beat_op[r+1];
        rest_word_q[r] <= tcm_word_o[r+1];
        rest_be_q[r]   <= tcm_be_o[r+1];
        rest_data_q[r] <= tcm_data_o[r+1];
      end
    end
  end

  assign w_valid_o  = out_valid_q && !out_tcm_q;
  assign w_data_o   = out_data_q;
  assign w_strb_o   = out_strobe_q;
  assign w_last_o   = out_last_q;
  assign tcm_req_o  = {out_valid_q && out_tcm_q ? out_words_q : 5'd0, rest_words_q};
  assign tcm_word_o = {out_addr_q[2+:TcmWordWidth], rest_word_q};
  assign tcm_be_o   = {20'(out_strobe_q) << out_addr_q[1:0] | 20'(shared_be_q), rest_be_q};
  assign tcm_data_o = {160'(out_data_q) << {out_addr_q[1:0], 3'b000} | 160'(shared_q), rest_data_q};

  assign idle_o = !row_valid && !burst_valid && !drop_q && !out_valid_q && rest_words_q == '0
                  && !pending_valid;

  // Rows pass each place in the order in which they came, so the oldest one there tells. The beats
  // that wait for banks do not leave in order.
  always_comb begin
    for (int unsigned op = 0; op < 2; op++) begin
      holds_o[op] = (row_valid && row.op == op[0]) || (burst_valid && burst.op == op[0]) || drop_q
                    || (out_valid_q && out_op_q == op[0]) || (pending_valid && pending_op == op[0]);
      for (int unsigned r = 0; r < Rests; r++) begin
        if (rest_words_q[r] != 5'd0 && rest_op_q[r] == op[0]) holds_o[op] = 1'b1;
      end
    end
  end

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  ResponseIsExpected: assert property (@(posedge clk_i) disable iff (!rst_ni)
    b_valid_i |-> pending_valid);
  AddressIsStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    aw_valid_o && !aw_ready_i |=> aw_valid_o && $stable(aw_addr_o) && $stable(aw_len_o));
  DataAreStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    w_valid_o && !w_ready_i |=> w_valid_o && $stable(w_data_o) && $stable(w_last_o));
  StrobesAreStable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    w_valid_o && !w_ready_i |=> $stable(w_strb_o));
  BurstHasItsData: assert property (@(posedge clk_i) disable iff (!rst_ni)
    aw_valid_o |-> DebtW'(beat_count_i) >= debt_q + DebtW'(pops));
`endif

endmodule : npu_dma_write
