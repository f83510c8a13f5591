// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A DMA channel: the queue of operations, the sequencer of their descriptor chains, and the
// data path (walk over the rows, reader, buffer, writer).
//
// The next descriptor of a chain is fetched while the rows of the present one are on their
// way, and its rows follow without a gap: reader and writer work in order, so the one hazard
// is to read what an older descriptor has still to write. A row waits for that when its
// source meets the span of what older descriptors in flight write in that memory (TCM or
// DRAM). A descriptor that signals its completion ends before the next one begins. An error
// stops the walk; what has begun is finished before the error is reported and the chain ends.
//
// The next operation follows in the same way while the last rows of the one before are on their
// way, so that two are under way at most. Rows carry which of them they belong to: each has its
// own error, and is complete when none of its rows is left.

module npu_dma
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter logic [31:0] TcmSize  = DefaultTcmSize,
  parameter logic [31:0] DramSize = DefaultDramSize
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   issue_valid_i,
  input  logic [31:0]            issue_addr_i,   // of the first descriptor
  output logic                   issue_ready_o,
  output logic [TicketWidth-1:0] issued_o,
  output logic [TicketWidth-1:0] done_o,
  output unit_error_t            error_o,
  output logic                   dmadone_o,      // pulse: a descriptor that asks for it is complete

  output tcm_req_t               tcm_req_o,
  input  tcm_gnt_t               tcm_gnt_i,
  input  tcm_rdata_t             tcm_rdata_i,

  output axi_req_t               axi_req_o,
  input  axi_rsp_t               axi_rsp_i,

  output logic                   busy_o
);

  localparam int unsigned BufferDepth = 128;
  localparam int unsigned CountW      = $clog2(BufferDepth) + 1;
  localparam logic [16:0] MaxChain    = 17'd65536;

  // ------------------------------------------------------------------ queue

  logic        op_valid, op_pop;
  logic [31:0] op_addr;
  logic [TicketWidth-1:0] issued_q, done_q;

  npu_fifo #(
    .Width(32),
    .Depth(QueuesDmaDepth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .push_i (issue_valid_i && issue_ready_o),
    .data_i (issue_addr_i),
    .ready_o(issue_ready_o),
    .valid_o(op_valid),
    .data_o (op_addr),
    .pop_i  (op_pop)
  );

  // ------------------------------------------------------------------ sequencer

  typedef enum logic [2:0] {
    Idle,     // wait for an operation
    Fetch,    // check the descriptor's address, read its 16 words
    Arrive,   // the last of them come in
    Start,    // check its contents, hand it to the walk when that is free
    Last      // of the chain's descriptors: the next operation, when the one before is complete
  } state_e;

  state_e      state_q, state_d;
  logic [31:0] desc_addr_q, desc_offset;
  logic [16:0] chain_q;           // descriptors of this chain so far
  logic [15:0][31:0] word_q;
  dma_desc_t   desc;
  logic        signal_q;          // the descriptor before asks for dmadone, which is to come
  logic        op_q;              // the sequencer's operation; the one before is the other one
  logic        before_q;          // that is not complete
  logic        walk_op_q;         // whose descriptor was started last
  logic        hand_over, complete, chain_begins;
  logic [1:0]  bus_failed_q, failed_q;
  logic [1:0][31:0] fault_q;
  logic        misplaced, invalid, judge, wrong, no_rows, start, walk_start, walk_active, walk_error;
  logic [31:0] walk_error_addr;
  logic        write_idle, moved;
  logic [1:0]  write_holds;
  logic        read_error, read_error_op, write_error, write_error_op;
  logic [31:0] read_error_addr, write_error_addr;

  logic [15:0] fetch_todo_q, fetch_got_q, fetch_req, fetch_gnt;

  assign desc        = word_q;
  assign desc_offset = desc_addr_q - TcmBase;
  assign misplaced   = desc_addr_q[1:0] != 2'd0 || desc_offset > TcmSize - 32'(DmaDescriptorBytes);
  assign invalid     = chain_q > MaxChain
                       || desc.flags[31:2] != '0 || desc.reserved != '0
                       || desc.shape.len[31:DmaLenW] != '0 || desc.shape.reps1[31:16] != '0
                       || desc.shape.reps2[31:16] != '0;
  assign no_rows     = desc.shape.len == '0 || desc.shape.reps1 == '0 || desc.shape.reps2 == '0;
  assign moved       = !walk_active && write_idle;
  assign fetch_req   = state_q == Fetch && !misplaced ? fetch_todo_q : '0;
  assign dmadone_o   = signal_q && moved && !failed_q[walk_op_q];
  assign chain_begins = chain_q == 17'd1;
  assign complete    = before_q && !write_holds[!op_q] && !(walk_active && walk_op_q != op_q);
  assign hand_over   = state_q == Last && (!before_q || complete);
  assign op_pop      = op_valid && (state_q == Idle || hand_over);

  // Errors of an older descriptor's rows come first, so a descriptor is judged when the walk of
  // the one before is over.
  assign judge = !walk_active && !signal_q;
  assign wrong = judge && ((state_q == Fetch && misplaced) || (state_q == Start && invalid));

  always_comb begin
    state_d = state_q;
    start   = 1'b0;
    unique case (state_q)
      Idle: if (op_pop) state_d = Fetch;
      Fetch: begin
        if (failed_q[op_q] || wrong) state_d = Last;
        else if (!misplaced && (fetch_todo_q & ~fetch_gnt) == '0) state_d = Arrive;
      end
      Arrive: state_d = Start;
      Start: begin
        if (failed_q[op_q] || wrong) begin
          state_d = Last;
        end else if (judge) begin
          start   = 1'b1;
          state_d = desc.next == '0 ? Last : Fetch;
        end
      end
      Last:    if (hand_over) state_d = op_pop ? Fetch : Idle;
      default: state_d = Idle;
    endcase
  end

  assign walk_start = start && !no_rows;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Idle;
      fetch_todo_q <= '0;
      fetch_got_q  <= '0;
      issued_q     <= '0;
      done_q       <= '0;
      op_q         <= 1'b0;
      before_q     <= 1'b0;
      walk_op_q    <= 1'b0;
      failed_q     <= '0;
      bus_failed_q <= '0;
      signal_q     <= 1'b0;
      chain_q      <= '0;
    end else begin
      state_q <= state_d;
      if (issue_valid_i && issue_ready_o) issued_q <= issued_q + TicketWidth'(1);
      if (complete) done_q <= done_q + TicketWidth'(1);

      op_q     <= op_q ^ hand_over;
      before_q <= hand_over || (before_q && !complete);
      if (start) walk_op_q <= op_q;

      if (op_pop) chain_q <= 17'd1;
      else if (start) chain_q <= chain_q + 17'd1;

      if (state_q != Fetch) fetch_todo_q <= '1;
      else fetch_todo_q <= fetch_todo_q & ~fetch_gnt;
      fetch_got_q <= fetch_gnt;

      if (start) signal_q <= desc.flags[DmaFlagDone];
      else if (dmadone_o || failed_q[walk_op_q]) signal_q <= 1'b0;

      if (complete) failed_q[!op_q] <= 1'b0;
      if (complete) bus_failed_q[!op_q] <= 1'b0;
      if (wrong) failed_q[op_q] <= 1'b1;
      if (walk_error) failed_q[walk_op_q] <= 1'b1;
      if (read_error) failed_q[read_error_op] <= 1'b1;
      if (read_error) bus_failed_q[read_error_op] <= 1'b1;
      if (write_error) failed_q[write_error_op] <= 1'b1;
      if (write_error) bus_failed_q[write_error_op] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (op_pop) desc_addr_q <= op_addr;
    else if (start) desc_addr_q <= desc.next;

    for (int unsigned b = 0; b < TcmBanks; b++) begin
      if (fetch_got_q[b]) word_q[4'(4'(b) - desc_offset[5:2])] <= tcm_rdata_i[b];
    end

    // A bus error of a row comes before an error of what lies behind it, which is seen earlier.
    if (wrong && !failed_q[op_q]) fault_q[op_q] <= desc_addr_q;
    if (walk_error && !bus_failed_q[walk_op_q]) fault_q[walk_op_q] <= walk_error_addr;
    if (write_error && !bus_failed_q[write_error_op]) fault_q[write_error_op] <= write_error_addr;
    if (read_error && !bus_failed_q[read_error_op]) fault_q[read_error_op] <= read_error_addr;
  end

  assign issued_o = issued_q;
  assign done_o   = done_q;
  assign error_o  = '{valid: complete && failed_q[!op_q], addr: fault_q[!op_q]};
  assign busy_o   = issued_q != done_q;

  // ------------------------------------------------------------------ data path

  logic     row_valid, row_fire, read_ready, write_ready;
  dma_row_t row;

  npu_dma_walk #(
    .TcmSize (TcmSize),
    .DramSize(DramSize)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .start_i     (walk_start),
    .shape_i     (desc.shape),
    .fill_i      (desc.flags[DmaFlagFill]),
    .stop_i      (bus_failed_q[walk_op_q]),
    .active_o    (walk_active),
    .error_o     (walk_error),
    .error_addr_o(walk_error_addr),
    .row_valid_o (row_valid),
    .row_o       (row),
    .row_ready_i (row_fire)
  );

  // Spans of what the rows of this descriptor write, older ones in flight of the operation, and the
  // operation before: in DRAM and TCM.
  typedef struct packed {
    logic        some;
    logic [31:0] first;
    logic [31:0] last;
  } span_t;

  span_t [1:0] writes_q, older_q, before_writes_q;
  logic        read_after_write;

  function automatic span_t join_spans(span_t a, span_t b);
    if (!a.some) return b;
    if (!b.some) return a;
    return '{some: 1'b1, first: a.first < b.first ? a.first : b.first,
             last: a.last > b.last ? a.last : b.last};
  endfunction

  function automatic logic meets(span_t span, logic [31:0] addr, logic [31:0] len);
    return span.some && addr <= span.last && addr + len > span.first;
  endfunction

  assign read_after_write = !row.fill
                            && (meets(older_q[row.src_tcm], row.src, 32'(row.len))
                                || meets(before_writes_q[row.src_tcm], row.src, 32'(row.len)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      writes_q        <= '0;
      older_q         <= '0;
      before_writes_q <= '0;
    end else begin
      if (start) begin
        writes_q <= '0;
      end else if (row_fire) begin
        writes_q[row.dst_tcm] <= join_spans(writes_q[row.dst_tcm],
          '{some: 1'b1, first: row.dst, last: row.dst + 32'(row.len) - 32'd1});
      end
      for (int unsigned m = 0; m < 2; m++) begin
        if (write_idle || (start && chain_begins)) older_q[m] <= '0;
        else if (start) older_q[m] <= join_spans(older_q[m], writes_q[m]);
        if (write_idle || complete) before_writes_q[m] <= '0;
        else if (start && chain_begins) before_writes_q[m] <= join_spans(older_q[m], writes_q[m]);
      end
    end
  end

  // A row goes to the reader and the writer at once; a fill needs no reader.
  assign row_fire = row_valid && write_ready && (row.fill || (read_ready && !read_after_write));

  logic              push, pop, beat_valid, next_valid;
  logic [127:0]      push_data, beat, next;
  logic [CountW-1:0] beat_count;
  logic [DmaTcmBeats-1:0][4:0]       read_req, read_gnt, write_req, write_gnt;
  logic [DmaTcmBeats-1:0][TcmWordWidth-1:0] read_word, write_word;
  logic [DmaTcmBeats-1:0][4:0][3:0]  write_be;
  logic [DmaTcmBeats-1:0][4:0][31:0] write_data;

  npu_dma_read #(
    .BufferDepth(BufferDepth)
  ) u_read (
    .clk_i,
    .rst_ni,
    .row_valid_i (row_fire && !row.fill),
    .row_op_i    (walk_op_q),
    .row_tcm_i   (row.src_tcm),
    .row_src_i   (row.src),
    .row_offset_i(row.offset),
    .row_len_i   (row.len),
    .row_ready_o (read_ready),
    .ar_valid_o  (axi_req_o.ar_valid),
    .ar_addr_o   (axi_req_o.ar_addr),
    .ar_len_o    (axi_req_o.ar_len),
    .ar_ready_i  (axi_rsp_i.ar_ready),
    .r_valid_i   (axi_rsp_i.r_valid),
    .r_data_i    (axi_rsp_i.r_data),
    .r_resp_i    (axi_rsp_i.r_resp),
    .r_last_i    (axi_rsp_i.r_last),
    .tcm_req_o   (read_req),
    .tcm_word_o  (read_word),
    .tcm_gnt_i   (read_gnt),
    .tcm_rdata_i,
    .push_o      (push),
    .data_o      (push_data),
    .pop_i       (pop),
    .error_o     (read_error),
    .error_op_o  (read_error_op),
    .error_addr_o(read_error_addr)
  );

  npu_dma_buffer #(
    .Depth(BufferDepth)
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .push_i      (push),
    .data_i      (push_data),
    .valid_o     (beat_valid),
    .data_o      (beat),
    .next_valid_o(next_valid),
    .next_o      (next),
    .pop_i       (pop),
    .count_o     (beat_count)
  );

  npu_dma_write #(
    .CountW(CountW)
  ) u_write (
    .clk_i,
    .rst_ni,
    .row_valid_i (row_fire),
    .row_op_i    (walk_op_q),
    .row_i       (row),
    .row_ready_o (write_ready),
    .beat_valid_i(beat_valid),
    .beat_i      (beat),
    .next_valid_i(next_valid),
    .next_i      (next),
    .beat_count_i(beat_count),
    .beat_pop_o  (pop),
    .aw_valid_o  (axi_req_o.aw_valid),
    .aw_addr_o   (axi_req_o.aw_addr),
    .aw_len_o    (axi_req_o.aw_len),
    .aw_ready_i  (axi_rsp_i.aw_ready),
    .w_valid_o   (axi_req_o.w_valid),
    .w_data_o    (axi_req_o.w_data),
    .w_strb_o    (axi_req_o.w_strb),
    .w_last_o    (axi_req_o.w_last),
    .w_ready_i   (axi_rsp_i.w_ready),
    .b_valid_i   (axi_rsp_i.b_valid),
    .b_resp_i    (axi_rsp_i.b_resp),
    .tcm_req_o   (write_req),
    .tcm_word_o  (write_word),
    .tcm_be_o    (write_be),
    .tcm_data_o  (write_data),
    .tcm_gnt_i   (write_gnt),
    .idle_o      (write_idle),
    .holds_o     (write_holds),
    .error_o     (write_error),
    .error_op_o  (write_error_op),
    .error_addr_o(write_error_addr)
  );

  assign axi_req_o.r_ready = 1'b1;
  assign axi_req_o.b_ready = 1'b1;

  // ------------------------------------------------------------------ scratchpad port

  // In each bank the writer comes first, then the reader, the oldest beat of each before the others,
  // then the fetch of a descriptor.
  // TCM lies at a multiple of its size, so the offset is the address without its upper bits.
  tcm_gnt_t [DmaTcmBeats-1:0] beat_write_banks, beat_read_banks;
  tcm_gnt_t write_banks, read_banks;
  logic [TcmWordWidth-1:0] word;

  function automatic tcm_gnt_t to_banks(logic [4:0] words, logic [3:0] first);
    logic [31:0] twice;
    twice = 32'(words) << first;
    return twice[31:16] | twice[15:0];
  endfunction

  function automatic logic [4:0] from_banks(tcm_gnt_t banks, logic [3:0] first);
    return 5'({banks, banks} >> first);
  endfunction

  always_comb begin
    write_banks = '0;
    read_banks  = '0;
    for (int unsigned b = 0; b < DmaTcmBeats; b++) begin
      beat_write_banks[b] = to_banks(write_req[b], write_word[b][3:0]) & ~write_banks;
      write_banks         = write_banks | beat_write_banks[b];
    end
    for (int unsigned b = 0; b < DmaTcmBeats; b++) begin
      beat_read_banks[b] = to_banks(read_req[b], read_word[b][3:0]) & ~(write_banks | read_banks);
      read_banks         = read_banks | beat_read_banks[b];
    end
  end

  always_comb begin
    for (int unsigned b = 0; b < DmaTcmBeats; b++) begin
      write_gnt[b] = from_banks(tcm_gnt_i & beat_write_banks[b], write_word[b][3:0]);
      read_gnt[b]  = from_banks(tcm_gnt_i & beat_read_banks[b], read_word[b][3:0]);
    end
  end

  always_comb begin
    tcm_req_o = '0;
    word      = '0;
    if (|fetch_req) begin
      for (int unsigned b = 0; b < TcmBanks; b++) begin
        tcm_req_o.addr[b] = desc_offset[6+:TcmAddrWidth]
                            + TcmAddrWidth'(4'(b) < desc_offset[5:2]);
      end
    end
    // The first one comes last, and so stays.
    for (int b = int'(DmaTcmBeats) - 1; b >= 0; b--) begin
      for (int unsigned i = 0; i < 5; i++) begin
        word = read_word[b] + TcmWordWidth'(i);
        if (read_req[b][i]) tcm_req_o.addr[word[3:0]] = word[4+:TcmAddrWidth];
      end
    end
    for (int b = int'(DmaTcmBeats) - 1; b >= 0; b--) begin
      for (int unsigned i = 0; i < 5; i++) begin
        word = write_word[b] + TcmWordWidth'(i);
        if (write_req[b][i]) begin
          tcm_req_o.addr[word[3:0]]  = word[4+:TcmAddrWidth];
          tcm_req_o.be[word[3:0]]    = write_be[b][i];
          tcm_req_o.wdata[word[3:0]] = write_data[b][i];
        end
      end
    end
    tcm_req_o.req = write_banks | read_banks | fetch_req;
    tcm_req_o.we  = write_banks;
  end

  assign fetch_gnt = tcm_gnt_i & fetch_req & ~(write_banks | read_banks);

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  BurstStaysInPage: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axi_req_o.ar_valid |-> {1'b0, axi_req_o.ar_addr[11:4]} + {1'b0, axi_req_o.ar_len} < 9'd256);
  WriteBurstStaysInPage: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axi_req_o.aw_valid |-> {1'b0, axi_req_o.aw_addr[11:4]} + {1'b0, axi_req_o.aw_len} < 9'd256);
  StateIsLegal: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q inside {Idle, Fetch, Arrive, Start, Last});
  CompletesOnlyWhatIsIssued: assert property (@(posedge clk_i) disable iff (!rst_ni)
    complete |-> issued_q != done_q);
  EndsWhenAllIsWritten: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !busy_o |-> moved && beat_count == '0);
  FailsBeforeItIsComplete: assert property (@(posedge clk_i) disable iff (!rst_ni)
    complete |-> !((walk_error && walk_op_q != op_q) || (read_error && read_error_op != op_q)
                   || (write_error && write_error_op != op_q)));
  OneOwnerOfABank: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $countones(beat_write_banks) + $countones(beat_read_banks) == $countones(write_banks | read_banks));
`endif

endmodule : npu_dma
