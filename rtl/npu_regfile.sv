// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 31 general registers, two read ports, two write ports: one for the scalar pipeline, one for
// what the vector unit reduces to a scalar. Decode never lets both write the same register in
// one cycle. x0 reads as zero. A read in the cycle of a write to the same register returns the
// old value; the decode stage forwards.

module npu_regfile (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [4:0]  raddr_a_i,
  output logic [31:0] rdata_a_o,
  input  logic [4:0]  raddr_b_i,
  output logic [31:0] rdata_b_o,

  input  logic        we_i,
  input  logic [4:0]  waddr_i,
  input  logic [31:0] wdata_i,
  input  logic        we_late_i,
  input  logic [4:0]  waddr_late_i,
  input  logic [31:0] wdata_late_i
);

  logic [31:0] regs_q [32];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < 32; i++) regs_q[i] <= '0;
    end else begin
      if (we_late_i && waddr_late_i != '0) regs_q[waddr_late_i] <= wdata_late_i;
      if (we_i && waddr_i != '0) regs_q[waddr_i] <= wdata_i;
    end
  end

  assign rdata_a_o = regs_q[raddr_a_i];
  assign rdata_b_o = regs_q[raddr_b_i];

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  RegfileOneWriterARegister_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(we_i && we_late_i && waddr_i == waddr_late_i));
`endif

endmodule : npu_regfile
