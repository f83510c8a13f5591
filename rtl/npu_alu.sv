// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic, logic, shifts and branch conditions: combinational, one cycle.

module npu_alu
  import npu_isa_pkg::*;
(
  input  insn_e       insn_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o,
  output logic        branch_taken_o
);

  logic eq, lt, ltu;
  assign eq  = a_i == b_i;
  assign lt  = $signed(a_i) < $signed(b_i);
  assign ltu = a_i < b_i;

  always_comb begin
    unique case (insn_i)
      InsnSub:              result_o = a_i - b_i;
      InsnSll, InsnSlli:    result_o = a_i << b_i[4:0];
      InsnSrl, InsnSrli:    result_o = a_i >> b_i[4:0];
      InsnSra, InsnSrai:    result_o = $signed(a_i) >>> b_i[4:0];
      InsnSlt, InsnSlti:    result_o = {31'b0, lt};
      InsnSltu, InsnSltiu:  result_o = {31'b0, ltu};
      InsnXor, InsnXori:    result_o = a_i ^ b_i;
      InsnOr, InsnOri:      result_o = a_i | b_i;
      InsnAnd, InsnAndi:    result_o = a_i & b_i;
      default:              result_o = a_i + b_i;  // ADD, ADDI, LUI, AUIPC
    endcase
  end

  always_comb begin
    unique case (insn_i)
      InsnBeq:  branch_taken_o = eq;
      InsnBne:  branch_taken_o = !eq;
      InsnBlt:  branch_taken_o = lt;
      InsnBge:  branch_taken_o = !lt;
      InsnBltu: branch_taken_o = ltu;
      InsnBgeu: branch_taken_o = !ltu;
      default:  branch_taken_o = 1'b0;
    endcase
  end

endmodule : npu_alu
