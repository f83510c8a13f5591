// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two-stage multiplier: operands are registered when the instruction leaves the
// execute stage, the product is there in the write-back stage one cycle later.

module npu_mult
  import npu_isa_pkg::*;
(
  input  logic        clk_i,

  input  logic        en_i,
  input  insn_e       insn_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,

  output logic [31:0] result_o
);

  logic signed [32:0] a_q, b_q;
  logic               high_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      a_q    <= {a_i[31] && insn_i inside {InsnMulh, InsnMulhsu}, a_i};
      b_q    <= {b_i[31] && insn_i == InsnMulh, b_i};
      high_q <= insn_i != InsnMul;
    end
  end

  logic signed [65:0] product;
  assign product  = 66'(a_q) * 66'(b_q);
  assign result_o = high_q ? product[63:32] : product[31:0];

  // The operands are 33 bits, so the two upper bits of the product are copies of the sign.
  logic unused_product;
  assign unused_product = ^product[65:64];

endmodule : npu_mult
