// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bench of a DMA channel: the channel, a scratchpad, and its AXI port for the test's memory.

module dma_bench
  import npu_platform_pkg::*;
  import npu_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         issue_valid_i,
  input  logic [31:0]  issue_addr_i,
  output logic         issue_ready_o,
  output logic [29:0]  issued_o,
  output logic [29:0]  done_o,
  output logic         error_o,
  output logic [31:0]  error_addr_o,
  output logic         dmadone_o,
  output logic         busy_o,

  output logic         ar_valid_o,
  output logic [31:0]  ar_addr_o,
  output logic [7:0]   ar_len_o,
  input  logic         ar_ready_i,
  input  logic         r_valid_i,
  output logic         r_ready_o,
  input  logic [127:0] r_data_i,
  input  logic [1:0]   r_resp_i,
  input  logic         r_last_i,
  output logic         aw_valid_o,
  output logic [31:0]  aw_addr_o,
  output logic [7:0]   aw_len_o,
  input  logic         aw_ready_i,
  output logic         w_valid_o,
  output logic [127:0] w_data_o,
  output logic [15:0]  w_strb_o,
  output logic         w_last_o,
  input  logic         w_ready_i,
  input  logic         b_valid_i,
  output logic         b_ready_o,
  input  logic [1:0]   b_resp_i,

  input  logic [15:0]  hold_i
);

  unit_error_t error;
  tcm_req_t    req [1];
  tcm_gnt_t    gnt [1];
  tcm_rdata_t  rdata;
  axi_req_t    axi_req;
  axi_rsp_t    axi_rsp;

  npu_dma u_dma (
    .clk_i,
    .rst_ni,
    .issue_valid_i,
    .issue_addr_i,
    .issue_ready_o,
    .issued_o,
    .done_o,
    .error_o    (error),
    .dmadone_o,
    .tcm_req_o  (req[0]),
    .tcm_gnt_i  (gnt[0]),
    .tcm_rdata_i(rdata),
    .axi_req_o  (axi_req),
    .axi_rsp_i  (axi_rsp),
    .busy_o
  );

  bench_tcm #(
    .Units(1)
  ) u_tcm (
    .clk_i,
    .req_i  (req),
    .gnt_o  (gnt),
    .rdata_o(rdata),
    .hold_i
  );

  assign error_o      = error.valid;
  assign error_addr_o = error.addr;

  assign ar_valid_o = axi_req.ar_valid;
  assign ar_addr_o  = axi_req.ar_addr;
  assign ar_len_o   = axi_req.ar_len;
  assign r_ready_o  = axi_req.r_ready;
  assign aw_valid_o = axi_req.aw_valid;
  assign aw_addr_o  = axi_req.aw_addr;
  assign aw_len_o   = axi_req.aw_len;
  assign w_valid_o  = axi_req.w_valid;
  assign w_data_o   = axi_req.w_data;
  assign w_strb_o   = axi_req.w_strb;
  assign w_last_o   = axi_req.w_last;
  assign b_ready_o  = axi_req.b_ready;

  assign axi_rsp = '{ar_ready: ar_ready_i, r_valid: r_valid_i, r_data: r_data_i,
                     r_resp: r_resp_i, r_last: r_last_i, aw_ready: aw_ready_i,
                     w_ready: w_ready_i, b_valid: b_valid_i, b_resp: b_resp_i};

endmodule : dma_bench
