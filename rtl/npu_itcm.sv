// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruction scratchpad: one port of 32 bits, shared by instruction fetch and the
// load/store unit. A data access wins, so that its latency never varies; fetch then
// repeats its request.

module npu_itcm #(
  parameter int unsigned Size = 65536,
  localparam int unsigned AddrWidth = $clog2(Size / 4)
) (
  input  logic                 clk_i,

  input  logic                 fetch_req_i,
  input  logic [AddrWidth-1:0] fetch_addr_i,
  output logic                 fetch_gnt_o,

  input  logic                 data_req_i,
  input  logic                 data_we_i,
  input  logic [3:0]           data_be_i,
  input  logic [AddrWidth-1:0] data_addr_i,
  input  logic [31:0]          data_wdata_i,

  output logic [31:0]          rdata_o
);

  assign fetch_gnt_o = fetch_req_i && !data_req_i;

  npu_ram_1p #(
    .Width(32),
    .Depth(Size / 4)
  ) u_ram (
    .clk_i,
    .req_i   (fetch_req_i || data_req_i),
    .we_i    (data_req_i && data_we_i),
    .be_i    (data_be_i),
    .addr_i  (data_req_i ? data_addr_i : fetch_addr_i),
    .wdata_i (data_wdata_i),
    .rdata_o
  );

endmodule : npu_itcm
