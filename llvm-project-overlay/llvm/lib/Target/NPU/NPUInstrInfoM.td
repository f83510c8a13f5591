// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoM.td - integer multiply and divide -----*- tablegen -*-===//

let Extension = "M" in {
class MulDiv<bits<3> funct3, string mnemonic, string value, string text,
             bit commutable = 0>
    : NPUInstR<0b0000001, funct3, OPC_OP, (outs GPR:$rd),
               (ins GPR:$rs1, GPR:$rs2), mnemonic, "$rd, $rs1, $rs2"> {
  let isCommutable = commutable;
  let Semantics = "x[rd] = "#value;
  let Description = text#".";
}

def MUL : MulDiv<0b000, "mul", "(x[rs1] * x[rs2])[31:0]", "Low word of the product", 1>, Sched<[WriteIMul]>;
def MULH : MulDiv<0b001, "mulh", "(s(x[rs1]) * s(x[rs2]))[63:32]", "High word of the signed product", 1>, Sched<[WriteIMul]>;
def MULHSU : MulDiv<0b010, "mulhsu", "(s(x[rs1]) * u(x[rs2]))[63:32]", "High word of the product of a signed rs1 and an unsigned rs2">, Sched<[WriteIMul]>;
def MULHU : MulDiv<0b011, "mulhu", "(u(x[rs1]) * u(x[rs2]))[63:32]", "High word of the unsigned product", 1>, Sched<[WriteIMul]>;

def DIV : MulDiv<0b100, "div", "s(x[rs1]) / s(x[rs2])", "Signed quotient rounded towards zero; -1 when the divisor is 0, the dividend on overflow">, Sched<[WriteIDiv]>;
def DIVU : MulDiv<0b101, "divu", "x[rs1] / x[rs2]", "Unsigned quotient; all ones when the divisor is 0">, Sched<[WriteIDiv]>;
def REM : MulDiv<0b110, "rem", "s(x[rs1]) % s(x[rs2])", "Signed remainder with the sign of the dividend; the dividend when the divisor is 0, 0 on overflow">, Sched<[WriteIDiv]>;
def REMU : MulDiv<0b111, "remu", "x[rs1] % x[rs2]", "Unsigned remainder; the dividend when the divisor is 0">, Sched<[WriteIDiv]>;
}
