// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A DMA channel: the queue of operations, the sequencer of their descriptor chains, and the
// data path (walk over the rows, reader, buffer, writer).
//
// A descriptor begins when the one before is complete, to the last write response. The
// reader and the writer of one descriptor are decoupled by the buffer and a queue of rows,
// so many short rows stream like one long one. An error stops the walk; what has begun is
// finished before the error is reported and the chain ends.

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
    Locate,   // check the descriptor's address
    Fetch,    // read its 16 words
    Decode,   // check its contents
    Move,     // rows on their way
    Finish    // end of the operation
  } state_e;

  state_e      state_q, state_d;
  logic [31:0] desc_addr_q, desc_offset;
  logic [16:0] chain_q;           // descriptors of this chain so far
  logic [15:0][31:0] word_q;
  dma_desc_t   desc;
  logic        fill, bus_failed_q;
  logic        failed_q;
  logic [31:0] fault_q;
  logic        misplaced, invalid, no_rows, walk_start, walk_active, walk_error;
  logic [31:0] walk_error_addr;
  logic        write_idle, moved;
  logic        read_error, write_error;
  logic [31:0] read_error_addr, write_error_addr;

  logic [15:0] fetch_todo_q, fetch_got_q;
  logic        fetch_done, fetch_in_q;

  assign desc        = word_q;
  assign fill        = desc.flags[DmaFlagFill];
  assign desc_offset = desc_addr_q - TcmBase;
  assign misplaced   = desc_addr_q[1:0] != 2'd0 || desc_offset > TcmSize - 32'(DmaDescriptorBytes);
  assign invalid     = chain_q > MaxChain
                       || desc.flags[31:2] != '0 || desc.reserved != '0
                       || desc.shape.len[31:DmaLenW] != '0 || desc.shape.reps1[31:16] != '0
                       || desc.shape.reps2[31:16] != '0;
  assign no_rows     = desc.shape.len == '0 || desc.shape.reps1 == '0 || desc.shape.reps2 == '0;
  assign moved       = !walk_active && write_idle;
  assign fetch_done  = (fetch_todo_q & ~tcm_gnt_i) == '0;

  always_comb begin
    state_d    = state_q;
    op_pop     = 1'b0;
    walk_start = 1'b0;
    dmadone_o  = 1'b0;
    unique case (state_q)
      Idle: begin
        if (op_valid) begin
          op_pop  = 1'b1;
          state_d = Locate;
        end
      end
      Locate: state_d = misplaced ? Finish : Fetch;
      Fetch: if (fetch_todo_q == '0 && fetch_in_q) state_d = Decode;
      Decode: begin
        walk_start = !invalid && !no_rows;
        state_d    = invalid ? Finish : Move;
      end
      Move: begin
        if (moved) begin
          dmadone_o = desc.flags[DmaFlagDone] && !failed_q;
          state_d   = failed_q || desc.next == '0 ? Finish : Locate;
        end
      end
      Finish:  state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Idle;
      fetch_todo_q <= '0;
      fetch_in_q   <= 1'b0;
      issued_q     <= '0;
      done_q       <= '0;
      failed_q     <= 1'b0;
      chain_q      <= '0;
    end else begin
      state_q <= state_d;
      if (issue_valid_i && issue_ready_o) issued_q <= issued_q + TicketWidth'(1);
      if (state_q == Finish) done_q <= done_q + TicketWidth'(1);

      if (op_pop) chain_q <= '0;
      else if (state_q == Locate) chain_q <= chain_q + 17'd1;

      if (state_q == Locate) fetch_todo_q <= '1;
      else if (state_q == Fetch) fetch_todo_q <= fetch_todo_q & ~tcm_gnt_i;
      fetch_in_q <= state_q == Fetch && fetch_done;

      if (op_pop) failed_q <= 1'b0;
      else if ((state_q == Locate && misplaced) || (state_q == Decode && invalid) || walk_error
               || read_error || write_error) failed_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (op_pop) desc_addr_q <= op_addr;
    else if (state_q == Move && state_d == Locate) desc_addr_q <= desc.next;

    if (state_q == Fetch) begin
      fetch_got_q <= fetch_todo_q & tcm_gnt_i;
      for (int unsigned b = 0; b < TcmBanks; b++) begin
        if (fetch_got_q[b]) word_q[4'(4'(b) - desc_offset[5:2])] <= tcm_rdata_i[b];
      end
    end else begin
      fetch_got_q <= '0;
    end

    // A bus error of a row comes before the range error of a later one, which the walk sees
    // earlier.
    if (read_error || write_error) begin
      if (!bus_failed_q) fault_q <= read_error ? read_error_addr : write_error_addr;
    end else if (walk_error) begin
      if (!bus_failed_q) fault_q <= walk_error_addr;
    end else if (!failed_q) begin
      fault_q <= desc_addr_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bus_failed_q <= 1'b0;
    end else if (op_pop) begin
      bus_failed_q <= 1'b0;
    end else if (read_error || write_error) begin
      bus_failed_q <= 1'b1;
    end
  end

  assign issued_o = issued_q;
  assign done_o   = done_q;
  assign error_o  = '{valid: state_q == Finish && failed_q, addr: fault_q};
  assign busy_o   = issued_q != done_q;

  // ------------------------------------------------------------------ data path

  logic     row_valid, row_src_tcm, row_fire, read_ready, write_ready;
  dma_row_t row;

  npu_dma_walk #(
    .TcmSize (TcmSize),
    .DramSize(DramSize)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .start_i     (walk_start),
    .shape_i     (desc.shape),
    .fill_i      (fill),
    .stop_i      (bus_failed_q),
    .active_o    (walk_active),
    .error_o     (walk_error),
    .error_addr_o(walk_error_addr),
    .row_valid_o (row_valid),
    .row_o       (row),
    .row_src_tcm_o(row_src_tcm),
    .row_ready_i (row_fire)
  );

  // A row goes to the reader and the writer at once; a fill needs no reader.
  assign row_fire = row_valid && write_ready && (row.fill || read_ready);

  logic              push, pop, beat_valid;
  logic [127:0]      push_data, beat;
  logic [CountW-1:0] beat_count;
  logic [3:0]        read_req, read_gnt, write_req, write_gnt;
  logic [TcmAddrWidth+1:0] read_quad, write_quad;
  logic [15:0]       write_be;
  logic [127:0]      write_data;

  npu_dma_read #(
    .BufferDepth(BufferDepth)
  ) u_read (
    .clk_i,
    .rst_ni,
    .row_valid_i (row_fire && !row.fill),
    .row_tcm_i   (row_src_tcm),
    .row_src_i   (row.src),
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
    .tcm_quad_o  (read_quad),
    .tcm_gnt_i   (read_gnt),
    .tcm_rdata_i,
    .push_o      (push),
    .data_o      (push_data),
    .pop_i       (pop),
    .error_o     (read_error),
    .error_addr_o(read_error_addr)
  );

  npu_dma_buffer #(
    .Depth(BufferDepth)
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .push_i (push),
    .data_i (push_data),
    .valid_o(beat_valid),
    .data_o (beat),
    .pop_i  (pop),
    .count_o(beat_count)
  );

  npu_dma_write #(
    .CountW(CountW)
  ) u_write (
    .clk_i,
    .rst_ni,
    .row_valid_i (row_fire),
    .row_i       (row),
    .row_ready_o (write_ready),
    .beat_valid_i(beat_valid),
    .beat_i      (beat),
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
    .tcm_quad_o  (write_quad),
    .tcm_be_o    (write_be),
    .tcm_data_o  (write_data),
    .tcm_gnt_i   (write_gnt),
    .idle_o      (write_idle),
    .error_o     (write_error),
    .error_addr_o(write_error_addr)
  );

  assign axi_req_o.r_ready = 1'b1;
  assign axi_req_o.b_ready = 1'b1;

  // ------------------------------------------------------------------ scratchpad port

  // The writer comes before the reader where both want a bank; the descriptor is fetched
  // while neither is active. TCM lies at a multiple of its size, so the offset is the
  // address without its upper bits.
  logic [15:0] read_banks, write_banks;
  assign write_banks = 16'(write_req) << {write_quad[1:0], 2'b00};
  assign read_banks  = 16'(read_req) << {read_quad[1:0], 2'b00};

  always_comb begin
    tcm_req_o = '0;
    if (state_q == Fetch) begin
      tcm_req_o.req = fetch_todo_q;
      for (int unsigned b = 0; b < TcmBanks; b++) begin
        tcm_req_o.addr[b] = desc_offset[6+:TcmAddrWidth]
                            + TcmAddrWidth'(4'(b) < desc_offset[5:2]);
      end
    end else if (|read_req || |write_req) begin
      tcm_req_o.req = write_banks | read_banks;
      tcm_req_o.we  = write_banks;
      for (int unsigned b = 0; b < TcmBanks; b++) begin
        tcm_req_o.addr[b]  = write_banks[b] ? write_quad[2+:TcmAddrWidth]
                                            : read_quad[2+:TcmAddrWidth];
        tcm_req_o.be[b]    = write_be[4*(b%4)+:4];
        tcm_req_o.wdata[b] = write_data[32*(b%4)+:32];
      end
    end
  end

  assign write_gnt = 4'(tcm_gnt_i >> {write_quad[1:0], 2'b00}) & write_req;
  assign read_gnt  = 4'((tcm_gnt_i & ~write_banks) >> {read_quad[1:0], 2'b00}) & read_req;

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  BurstStaysInPage: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axi_req_o.ar_valid |-> {1'b0, axi_req_o.ar_addr[11:4]} + {1'b0, axi_req_o.ar_len} < 9'd256);
  WriteBurstStaysInPage: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axi_req_o.aw_valid |-> {1'b0, axi_req_o.aw_addr[11:4]} + {1'b0, axi_req_o.aw_len} < 9'd256);
`endif

endmodule : npu_dma
