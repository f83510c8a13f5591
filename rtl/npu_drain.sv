// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drain engine: the queue of drains and table loads, the reader of accumulator rows, the
// requantizer and the store.
//
// The reader takes the queue in order. It reads a row as soon as no older run has still to
// write it, so it follows a run through the accumulators one row behind. A table load waits
// until the pixels of earlier drains have left the requantizer. Each entry remembers the
// runs in flight when it was issued; their remaining row ranges come from the owner.

module npu_drain
  import npu_platform_pkg::*;
  import npu_pkg::*;
#(
  parameter logic [31:0] TcmSize  = DefaultTcmSize,
  parameter int unsigned Depth    = QueuesMatrixDepth,
  parameter int unsigned RunDepth = QueuesMatrixDepth
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      push_i,
  input  drain_cmd_t                cmd_i,
  output logic                      ready_o,

  // Runs: rows still to be written. A run slot that is freed may be reused one cycle later.
  input  row_range_t [RunDepth-1:0] run_range_i,
  input  logic [RunDepth-1:0]       run_busy_i,     // in flight and not freed in this cycle
  input  logic [RunDepth-1:0]       run_free_i,

  // The same of the drains: rows still to be read.
  output row_range_t [Depth-1:0]    range_o,
  output logic [Depth-1:0]          busy_o,
  output logic [Depth-1:0]          free_o,

  output logic                      acc_req_o,
  output logic [7:0]                acc_row_o,
  input  logic                      acc_gnt_i,
  input  logic [MacCols-1:0][31:0]  acc_rdata_i,

  // Table load: request held until started, lanes as npu_matrix_load delivers them.
  output logic                      table_req_o,
  output logic [31:0]               table_addr_o,
  input  logic                      table_start_i,
  input  logic                      table_done_i,
  input  logic                      table_error_i,
  input  logic [31:0]               table_error_addr_i,
  input  logic [15:0]               table_we_i,
  input  logic [15:0][1:0]          table_chunk_i,
  input  logic [15:0][31:0]         table_data_i,

  output tcm_req_t                  tcm_req_o,
  input  tcm_gnt_t                  tcm_gnt_i,

  output logic                      done_o,        // pulse: the oldest operation is complete
  output logic                      error_o,
  output logic [31:0]               error_addr_o,
  output logic                      store_busy_o
);

  localparam int unsigned PtrW = $clog2(Depth);

  // ------------------------------------------------------------------ queue

  // push -> read -> store -> head: an entry passes the reader, then its items are loaded into
  // the store buffer, then it is complete and leaves.
  drain_cmd_t [Depth-1:0]               cmd_q;
  logic [Depth-1:0]                     busy_q, read_q;   // entry in use; reader is through
  logic [Depth-1:0]                     failed_q;
  logic [Depth-1:0][31:0]               failed_addr_q;
  logic [Depth-1:0][RunDepth-1:0]       older_q;
  row_range_t [Depth-1:0]               range_q;
  logic [PtrW-1:0]                      tail_q, read_ptr_q, store_ptr_q, head_q;

  logic reader_next, store_next, store_done;

  assign ready_o = !busy_q[tail_q];
  assign busy_o  = busy_q & ~free_o;
  assign free_o  = Depth'(store_done) << head_q;
  assign range_o = range_q;

  // ------------------------------------------------------------------ reader

  logic       read_busy, read_table, read_raw, moves_rows, row_held, row_taken, row_last, table_wait_q;
  logic [7:0] row;
  logic       blocked, requant_ready, requant_empty;

  assign read_busy  = busy_q[read_ptr_q] && !read_q[read_ptr_q];
  assign read_table = cmd_q[read_ptr_q].table_load && !cmd_q[read_ptr_q].bad;
  assign read_raw   = cmd_q[read_ptr_q].store.raw;
  assign moves_rows = !cmd_q[read_ptr_q].table_load && !cmd_q[read_ptr_q].bad
                      && cmd_q[read_ptr_q].store.count != 9'd0;

  // A row that was read but not taken (the requantizer is held up) is read again.
  logic row_valid_q;
  assign row_held  = row_valid_q && !requant_ready;
  assign row_taken = row_valid_q && requant_ready;
  assign row_last  = range_q[read_ptr_q].next == range_q[read_ptr_q].last;
  assign row       = row_taken ? range_q[read_ptr_q].next + 8'd1 : range_q[read_ptr_q].next;

  always_comb begin
    blocked = 1'b0;
    for (int unsigned r = 0; r < RunDepth; r++) begin
      blocked = blocked || (older_q[read_ptr_q][r] && row_in_range(row, run_range_i[r]));
    end
  end

  assign acc_req_o = read_busy && moves_rows && !(row_taken && row_last) && (row_held || !blocked);
  assign acc_row_o = row;

  assign table_req_o  = read_busy && read_table && !table_wait_q && requant_empty;
  assign table_addr_o = cmd_q[read_ptr_q].store.addr;

  always_comb begin
    reader_next = 1'b0;
    if (read_busy) begin
      if (moves_rows) begin
        reader_next = row_taken && row_last;
      end else if (read_table) begin
        reader_next = table_done_i && table_wait_q;
      end else begin
        reader_next = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_valid_q  <= 1'b0;
      table_wait_q <= 1'b0;
    end else begin
      row_valid_q  <= acc_req_o && acc_gnt_i;
      if (table_start_i) table_wait_q <= 1'b1;
      else if (table_done_i) table_wait_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ queue state

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q      <= '0;
      read_q      <= '0;
      failed_q    <= '0;
      older_q     <= '0;
      range_q     <= '0;
      tail_q      <= '0;
      read_ptr_q  <= '0;
      store_ptr_q <= '0;
      head_q      <= '0;
    end else begin
      for (int unsigned d = 0; d < Depth; d++) older_q[d] <= older_q[d] & ~run_free_i;
      if (push_i && ready_o) begin
        tail_q           <= tail_q + PtrW'(1);
        busy_q[tail_q]   <= 1'b1;
        read_q[tail_q]   <= 1'b0;
        failed_q[tail_q] <= cmd_i.bad;
        older_q[tail_q]  <= run_busy_i;
        range_q[tail_q]  <= '{pending: !cmd_i.table_load && !cmd_i.bad && cmd_i.store.count != 9'd0,
                              next: cmd_i.row,
                              last: cmd_i.row + cmd_i.store.count[7:0] - 8'd1};
      end
      if (row_taken) begin
        range_q[read_ptr_q].next    <= range_q[read_ptr_q].next + 8'd1;
        range_q[read_ptr_q].pending <= !row_last;
      end
      if (reader_next) begin
        read_q[read_ptr_q] <= 1'b1;
        read_ptr_q         <= read_ptr_q + PtrW'(1);
        if (table_wait_q) failed_q[read_ptr_q] <= table_error_i;
      end
      if (store_next) store_ptr_q <= store_ptr_q + PtrW'(1);
      if (store_done) begin
        head_q         <= head_q + PtrW'(1);
        busy_q[head_q] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i && ready_o) begin
      cmd_q[tail_q]         <= cmd_i;
      failed_addr_q[tail_q] <= cmd_i.store.addr;
    end
    if (reader_next && table_wait_q) failed_addr_q[read_ptr_q] <= table_error_addr_i;
  end

  // ------------------------------------------------------------------ requantize and store

  logic                     pixel_valid, pixel_raw, pixel_ready;
  logic [MacCols-1:0][31:0] pixel;

  npu_requant u_requant (
    .clk_i,
    .rst_ni,
    .table_clear_i(table_start_i),
    .table_we_i,
    .table_chunk_i,
    .table_data_i,
    .valid_i      (row_valid_q),
    .raw_i        (read_raw),
    .once_i       (cmd_q[read_ptr_q].once),
    .acc_i        (acc_rdata_i),
    .ready_o      (requant_ready),
    .valid_o      (pixel_valid),
    .raw_o        (pixel_raw),
    .result_o     (pixel),
    .ready_i      (pixel_ready),
    .empty_o      (requant_empty)
  );

  drain_store_t store_cmd;
  logic         store_empty, store_valid, store_error;
  logic [31:0]  store_error_addr;

  assign store_cmd   = cmd_q[store_ptr_q].store;
  assign store_empty = cmd_q[store_ptr_q].table_load || cmd_q[store_ptr_q].bad
                       || store_cmd.count == 9'd0;
  // An entry without pixels is known to be through only when the reader has passed it.
  assign store_valid = busy_q[store_ptr_q] && (!store_empty || read_q[store_ptr_q]);

  npu_drain_store #(
    .TcmSize(TcmSize)
  ) u_store (
    .clk_i,
    .rst_ni,
    .cmd_valid_i  (store_valid),
    .cmd_i        (store_cmd),
    .cmd_empty_i  (store_empty),
    .cmd_ready_o  (store_next),
    .pixel_valid_i(pixel_valid),
    .pixel_raw_i  (pixel_raw),
    .pixel_i      (pixel),
    .pixel_ready_o(pixel_ready),
    .tcm_req_o,
    .tcm_gnt_i,
    .done_o       (store_done),
    .error_o      (store_error),
    .error_addr_o (store_error_addr),
    .busy_o       (store_busy_o)
  );

  assign done_o       = store_done;
  assign error_o      = failed_q[head_q] || store_error;
  assign error_addr_o = failed_q[head_q] ? failed_addr_q[head_q] : store_error_addr;

  // ------------------------------------------------------------------ assertions

`ifndef SYNTHESIS
  DepthIsPowerOfTwo: assert property (@(posedge clk_i) Depth == 2 ** PtrW);
`endif

endmodule : npu_drain
