// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bench of the matrix unit: the unit, and a scratchpad whose banks the test can keep busy.

module matrix_bench
  import npu_platform_pkg::*;
  import npu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        issue_valid_i,
  output logic        issue_ready_o,
  input  logic [2:0]  op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  input  logic [15:0] rowlen_i,
  input  logic [31:0] rowstride_i,
  input  logic [15:0] xcount_i,
  input  logic [31:0] xstride_i,
  input  logic [31:0] ystride_i,
  input  logic [31:0] oxstride_i,
  input  logic [31:0] oystride_i,
  input  logic [23:0] oquant_i,
  input  logic [15:0] pad_i,
  input  logic [30:0] valid_i,
  input  logic [31:0] pos_i,
  input  logic [31:0] xstep_i,
  input  logic [31:0] ystep_i,
  input  logic [31:0] tapstride_i,

  output logic [29:0] issued_o,
  output logic [29:0] done_o,
  output logic        array_error_o,
  output logic [31:0] array_error_addr_o,
  output logic        drain_error_o,
  output logic [31:0] drain_error_addr_o,
  input  logic        vec_req_i,   // the vector unit's access to a row
  input  logic        vec_we_i,
  input  logic [7:0]  vec_row_i,
  input  logic [MacCols-1:0][31:0] vec_wdata_i,
  output logic        vec_gnt_o,
  output logic [MacCols-1:0][31:0] vec_rdata_o,
  output logic        array_busy_o,  // of mac_perf_t
  output logic [9:0]  macs_o,
  output logic        weight_wait_o,
  output logic        acc_wait_o,
  output logic        fetch_wait_o,
  output logic        busy_o,

  input  logic [15:0] hold_i       // banks that another requester has in this cycle
);

  mac_perf_t   perf;
  mac_issue_t  issue;
  unit_error_t array_error, drain_error;
  tcm_req_t    req [3];
  tcm_gnt_t    gnt [3];
  tcm_rdata_t  rdata;

  assign issue = '{
    op: mac_op_e'(op_i), rs1: rs1_i, rs2: rs2_i,
    csr: '{rowlen: rowlen_i, rowstride: rowstride_i, xcount: xcount_i, xstride: xstride_i,
           ystride: ystride_i, oxstride: oxstride_i, oystride: oystride_i,
           zero_point: oquant_i[7:0], clamp_min: oquant_i[15:8], clamp_max: oquant_i[23:16],
           pad_value: pad_i[7:0], line_step: pad_i[15:8], valid_bytes: valid_i[14:0],
           valid_lines: valid_i[30:16], pos: pos_i, xstep: xstep_i, ystep: ystep_i,
           tapstride: tapstride_i}};

  logic unused_valid;
  assign unused_valid = valid_i[15];

  npu_matrix u_matrix (
    .clk_i,
    .rst_ni,
    .issue_valid_i,
    .issue_i      (issue),
    .issue_ready_o,
    .issued_o,
    .done_o,
    .array_error_o(array_error),
    .drain_error_o(drain_error),
    .act_req_o    (req[0]),
    .act_gnt_i    (gnt[0]),
    .drain_req_o  (req[1]),
    .drain_gnt_i  (gnt[1]),
    .load_req_o   (req[2]),
    .load_gnt_i   (gnt[2]),
    .tcm_rdata_i  (rdata),
    .vec_req_i,
    .vec_we_i,
    .vec_row_i,
    .vec_wdata_i,
    .vec_gnt_o,
    .vec_rdata_o,
    .perf_o       (perf),
    .busy_o
  );

  assign array_busy_o  = perf.array_busy;
  assign macs_o        = perf.macs;
  assign weight_wait_o = perf.weight_wait;
  assign acc_wait_o    = perf.acc_wait;
  assign fetch_wait_o  = perf.fetch_wait;

  logic unused_perf;
  assign unused_perf = ^perf;

  assign array_error_o      = array_error.valid;
  assign array_error_addr_o = array_error.addr;
  assign drain_error_o      = drain_error.valid;
  assign drain_error_addr_o = drain_error.addr;

  bench_tcm #(
    .Units(3)
  ) u_tcm (
    .clk_i,
    .req_i  (req),
    .gnt_o  (gnt),
    .rdata_o(rdata),
    .hold_i
  );

endmodule : matrix_bench
