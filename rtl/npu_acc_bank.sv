// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bank of accumulator rows: one read and one write a cycle, read data in the next cycle
// (a read beside a write of the same row returns the old contents).

module npu_acc_bank #(
  parameter int unsigned Rows  = 64,
  parameter int unsigned Width = 512,
  localparam int unsigned AddrW = $clog2(Rows)
) (
  input  logic             clk_i,

  input  logic             read_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o,

  input  logic             write_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i
);

  logic [Width-1:0] mem [Rows];
  logic [Width-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (read_i) rdata_q <= mem[raddr_i];
    if (write_i) mem[waddr_i] <= wdata_i;
  end

  assign rdata_o = rdata_q;

endmodule : npu_acc_bank
