// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUGISel.td - selection patterns -------------------*- tablegen -*-===//
//
// When these patterns run, every value is a word: the legalizer has split or
// widened it, and the selector has turned pointers into words.
//
//===----------------------------------------------------------------------===//

include "NPU.td"
include "NPUCombine.td"

class PatRR<SDPatternOperator op, Instruction inst>
    : Pat<(i32 (op (i32 GPR:$rs1), (i32 GPR:$rs2))), (inst GPR:$rs1, GPR:$rs2)>;
class PatRI<SDPatternOperator op, Instruction inst>
    : Pat<(i32 (op (i32 GPR:$rs1), simm12:$imm)), (inst GPR:$rs1, simm12:$imm)>;

def : PatRR<add, ADD>;
def : PatRR<sub, SUB>;
def : PatRR<and, AND>;
def : PatRR<or, OR>;
def : PatRR<xor, XOR>;
def : PatRR<mul, MUL>;
def : PatRR<mulhs, MULH>;
def : PatRR<mulhu, MULHU>;
def : PatRR<sdiv, DIV>;
def : PatRR<udiv, DIVU>;
def : PatRR<srem, REM>;
def : PatRR<urem, REMU>;

def : PatRI<add, ADDI>;
def : PatRI<and, ANDI>;
def : PatRI<or, ORI>;
def : PatRI<xor, XORI>;
def : Pat<(i32 (sub 0, (i32 GPR:$rs1))), (SUB (i32 X0), GPR:$rs1)>;

//===----------------------------------------------------------------------===//
// Shifts and fields
//===----------------------------------------------------------------------===//

// The machine looks at five bits of the amount: a mask that keeps them is
// superfluous.
def ShiftMask : ImmLeaf<i32, [{ return (Imm & 31) == 31; }]>;

multiclass PatShift<SDPatternOperator op, Instruction reg, Instruction imm> {
  def : Pat<(i32 (op (i32 GPR:$rs1), (i32 uimm5:$shamt))),
            (imm GPR:$rs1, uimm5:$shamt)>;
  def : Pat<(i32 (op (i32 GPR:$rs1), (i32 (and (i32 GPR:$rs2), ShiftMask)))),
            (reg GPR:$rs1, GPR:$rs2)>;
  def : PatRR<op, reg>;
}
defm : PatShift<shl, SLL, SLLI>;
defm : PatShift<srl, SRL, SRLI>;
defm : PatShift<sra, SRA, SRAI>;

def : Pat<(i32 (sext_inreg (i32 GPR:$rs1), i8)), (SRAI (SLLI GPR:$rs1, 24), 24)>;
def : Pat<(i32 (sext_inreg (i32 GPR:$rs1), i16)),
          (SRAI (SLLI GPR:$rs1, 16), 16)>;

// Sums beyond twelve bits that two ADDI reach.
def ImmOfTwo : ImmLeaf<i32, [{
  return (Imm >= -4096 && Imm < -2048) || (Imm > 2047 && Imm <= 4094);
}]>;
def LargeHalf : SDNodeXForm<imm, [{ return SDValue(); }]>;
def SmallHalf : SDNodeXForm<imm, [{ return SDValue(); }]>;
def GILargeHalf : GICustomOperandRenderer<"renderLargeHalf">,
                  GISDNodeXFormEquiv<LargeHalf>;
def GISmallHalf : GICustomOperandRenderer<"renderSmallHalf">,
                  GISDNodeXFormEquiv<SmallHalf>;
def : Pat<(i32 (add (i32 GPR:$rs1), ImmOfTwo:$imm)),
          (ADDI (ADDI GPR:$rs1, (LargeHalf ImmOfTwo:$imm)),
                (SmallHalf ImmOfTwo:$imm))>;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

def ImmPlus1 : SDNodeXForm<imm, [{ return SDValue(); }]>;
def GIImmPlus1 : GICustomOperandRenderer<"renderImmPlus1">,
                 GISDNodeXFormEquiv<ImmPlus1>;
def NegImm : SDNodeXForm<imm, [{ return SDValue(); }]>;
def GINegImm : GICustomOperandRenderer<"renderNegImm">,
               GISDNodeXFormEquiv<NegImm>;

// Its negation fits.
def NegSImm12 : ImmLeaf<i32, [{ return Imm >= -2047 && Imm <= 2048; }]>;
// Its successor fits and does not wrap, for x > c as !(x < c + 1).
def SImm12Minus1 : ImmLeaf<i32, [{ return Imm >= -2049 && Imm <= 2046; }]>;
def UImm12Minus1 : ImmLeaf<i32, [{
  return Imm >= -2049 && Imm <= 2046 && Imm != -1;
}]>;

class PatCmp<PatFrag cmp, dag rhs, dag result>
    : Pat<(i32 (cmp (i32 GPR:$rs1), rhs)), result>;
class PatCmpRR<PatFrag cmp, dag result>
    : PatCmp<cmp, (i32 GPR:$rs2), result>;

def : Pat<(i32 (seteq (i32 GPR:$rs1), 0)), (SLTIU GPR:$rs1, 1)>;
def : Pat<(i32 (setne (i32 GPR:$rs1), 0)), (SLTU (i32 X0), GPR:$rs1)>;
def : Pat<(i32 (seteq (i32 GPR:$rs1), NegSImm12:$imm)),
          (SLTIU (ADDI GPR:$rs1, (NegImm NegSImm12:$imm)), 1)>;
def : Pat<(i32 (setne (i32 GPR:$rs1), NegSImm12:$imm)),
          (SLTU (i32 X0), (ADDI GPR:$rs1, (NegImm NegSImm12:$imm)))>;
def : PatCmpRR<seteq, (SLTIU (XOR GPR:$rs1, GPR:$rs2), 1)>;
def : PatCmpRR<setne, (SLTU (i32 X0), (XOR GPR:$rs1, GPR:$rs2))>;

def : Pat<(i32 (setlt (i32 GPR:$rs1), simm12:$imm)),
          (SLTI GPR:$rs1, simm12:$imm)>;
def : Pat<(i32 (setult (i32 GPR:$rs1), simm12:$imm)),
          (SLTIU GPR:$rs1, simm12:$imm)>;
def : Pat<(i32 (setge (i32 GPR:$rs1), simm12:$imm)),
          (XORI (SLTI GPR:$rs1, simm12:$imm), 1)>;
def : Pat<(i32 (setuge (i32 GPR:$rs1), simm12:$imm)),
          (XORI (SLTIU GPR:$rs1, simm12:$imm), 1)>;
def : Pat<(i32 (setgt (i32 GPR:$rs1), SImm12Minus1:$imm)),
          (XORI (SLTI GPR:$rs1, (ImmPlus1 SImm12Minus1:$imm)), 1)>;
def : Pat<(i32 (setugt (i32 GPR:$rs1), UImm12Minus1:$imm)),
          (XORI (SLTIU GPR:$rs1, (ImmPlus1 UImm12Minus1:$imm)), 1)>;
def : Pat<(i32 (setle (i32 GPR:$rs1), SImm12Minus1:$imm)),
          (SLTI GPR:$rs1, (ImmPlus1 SImm12Minus1:$imm))>;
def : Pat<(i32 (setule (i32 GPR:$rs1), UImm12Minus1:$imm)),
          (SLTIU GPR:$rs1, (ImmPlus1 UImm12Minus1:$imm))>;
// Greater than zero needs no inversion.
def : Pat<(i32 (setgt (i32 GPR:$rs1), 0)), (SLT (i32 X0), GPR:$rs1)>;

def : PatCmpRR<setlt, (SLT GPR:$rs1, GPR:$rs2)>;
def : PatCmpRR<setult, (SLTU GPR:$rs1, GPR:$rs2)>;
def : PatCmpRR<setgt, (SLT GPR:$rs2, GPR:$rs1)>;
def : PatCmpRR<setugt, (SLTU GPR:$rs2, GPR:$rs1)>;
def : PatCmpRR<setge, (XORI (SLT GPR:$rs1, GPR:$rs2), 1)>;
def : PatCmpRR<setuge, (XORI (SLTU GPR:$rs1, GPR:$rs2), 1)>;
def : PatCmpRR<setle, (XORI (SLT GPR:$rs2, GPR:$rs1), 1)>;
def : PatCmpRR<setule, (XORI (SLTU GPR:$rs2, GPR:$rs1), 1)>;

include "NPUGISelVector.td"
