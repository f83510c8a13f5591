// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoPseudo.td - pseudo instructions --------*- tablegen -*-===//
//
// What the assembler expands (NPUAsmParser.cpp), what relaxation introduces
// (NPUAsmBackend.cpp) and what the code generator emits and lowers late.
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Constants and addresses
//===----------------------------------------------------------------------===//

def PseudoLI : NPUAsmPseudo<(outs GPR:$rd), (ins ixlenimm_li:$imm), "li", "$rd, $imm">;
def PseudoLLA : NPUAsmPseudo<(outs GPR:$rd), (ins bare_symbol:$addr), "lla", "$rd, $addr">;
def PseudoLGA : NPUAsmPseudo<(outs GPR:$rd), (ins bare_symbol:$addr), "lga", "$rd, $addr">;
def PseudoLA : NPUAsmPseudo<(outs GPR:$rd), (ins bare_symbol:$addr), "la", "$rd, $addr">;

foreach op = ["LB", "LH", "LW", "LBU", "LHU"] in
  def Pseudo#op : NPUAsmPseudo<(outs GPR:$rd), (ins bare_symbol:$addr),
                               !tolower(op), "$rd, $addr">;
foreach op = ["SB", "SH", "SW"] in
  def Pseudo#op : NPUAsmPseudo<(outs GPR:$rt), (ins GPR:$rs2, bare_symbol:$addr),
                               !tolower(op), "$rs2, $addr, $rt">;

// add rd, rs1, tp, %tprel_add(symbol): the relocation lets a linker that
// relaxes TLS sequences find the add.
def PseudoAddTPRel : NPUAsmPseudo<(outs GPR:$rd),
                                  (ins GPR:$rs1, GPR:$rs2, tprel_add_symbol:$sym),
                                  "add", "$rd, $rs1, $rs2, $sym">;

//===----------------------------------------------------------------------===//
// Calls and jumps to symbols
//===----------------------------------------------------------------------===//

// An auipc and a jalr under one R_RISCV_CALL_PLT, emitted as a pair by the code
// emitter. Assembly and code generation share them.
let Size = 8, isPseudo = 1, hasSideEffects = 0 in {
let isCall = 1, Defs = [X1] in
def PseudoCALL : NPUInstBase<(outs), (ins call_symbol:$func), "call\t$func", [],
                             FormatPseudo>, Sched<[WriteJalr]>;
let isCall = 1, isAsmParserOnly = 1 in
def PseudoCALLReg : NPUInstBase<(outs GPR:$rd), (ins call_symbol:$func),
                                "call\t$rd, $func", [], FormatPseudo>,
                    Sched<[WriteJalr]>;
let isCall = 1, isTerminator = 1, isReturn = 1, isBarrier = 1, Uses = [X2],
    Defs = [X6] in
def PseudoTAIL : NPUInstBase<(outs), (ins call_symbol:$dst), "tail\t$dst", [],
                             FormatPseudo>, Sched<[WriteJalr]>;
// A jump beyond the reach of jal, through a register that it clobbers.
let isBranch = 1, isTerminator = 1, isBarrier = 1 in
def PseudoJump : NPUInstBase<(outs GPR:$rd), (ins call_symbol:$target),
                             "jump\t$target, $rd", [], FormatPseudo>,
                 Sched<[WriteJalr]>;
}

// A conditional branch whose target turned out to be beyond 4 KiB: the inverted
// branch over a jal.
let Size = 8, isPseudo = 1, isCodeGenOnly = 1, isBranch = 1, isTerminator = 1 in
foreach op = ["BEQ", "BNE", "BLT", "BGE", "BLTU", "BGEU"] in
  def PseudoLong#op : NPUInstBase<(outs),
                                  (ins GPR:$rs1, GPR:$rs2, simm21_lsb0_jal:$imm20),
                                  "", [], FormatPseudo>, Sched<[WriteJmp]>;

//===----------------------------------------------------------------------===//
// Code generation: control flow with the flags that the plain jumps lack
//===----------------------------------------------------------------------===//

let isBranch = 1, isTerminator = 1, isBarrier = 1 in {
def PseudoBR : NPUPseudo<(outs), (ins simm21_lsb0_jal:$imm20), [(br bb:$imm20)]>,
               PseudoInstExpansion<(JAL X0, simm21_lsb0_jal:$imm20)>,
               Sched<[WriteJal]>;
let isIndirectBranch = 1 in
def PseudoBRIND : NPUPseudo<(outs), (ins GPR:$rs1, simm12:$imm12)>,
                  PseudoInstExpansion<(JALR X0, GPR:$rs1, simm12:$imm12)>,
                  Sched<[WriteJalr]>;
}

let isReturn = 1, isTerminator = 1, isBarrier = 1 in
def PseudoRET : NPUPseudo<(outs), (ins)>, PseudoInstExpansion<(JALR X0, X1, 0)>,
                Sched<[WriteJalr]>;

let isCall = 1 in {
let Defs = [X1] in
def PseudoCALLIndirect : NPUPseudo<(outs), (ins GPR:$rs1)>,
                         PseudoInstExpansion<(JALR X1, GPR:$rs1, 0)>,
                         Sched<[WriteJalr]>;
let isTerminator = 1, isReturn = 1, isBarrier = 1, Uses = [X2] in
def PseudoTAILIndirect : NPUPseudo<(outs), (ins GPRTC:$rs1)>,
                         PseudoInstExpansion<(JALR X0, GPR:$rs1, 0)>,
                         Sched<[WriteJalr]>;
}

//===----------------------------------------------------------------------===//
// .insn: any encoding in a standard format, by numbers
//===----------------------------------------------------------------------===//

let isCodeGenOnly = 1, hasSideEffects = 1, mayLoad = 1, mayStore = 1 in {
class InsnBase<dag outs, dag ins, string operands, NPUFormat format>
    : NPUInst<outs, ins, ".insn", operands, format>, Sched<[]> {
  bits<7> opcode;
  let Inst{6-0} = opcode;
}
def InsnR : InsnBase<(outs GPR:$rd),
                     (ins uimm7:$opcode, uimm3:$funct3, uimm7:$funct7, GPR:$rs1,
                      GPR:$rs2),
                     "r $opcode, $funct3, $funct7, $rd, $rs1, $rs2", FormatR> {
  bits<7> funct7;
  bits<3> funct3;
  bits<5> rs2;
  bits<5> rs1;
  bits<5> rd;
  let Inst{31-25} = funct7;
  let Inst{24-20} = rs2;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = rd;
}
def InsnI : InsnBase<(outs GPR:$rd),
                     (ins uimm7:$opcode, uimm3:$funct3, GPR:$rs1, simm12:$imm12),
                     "i $opcode, $funct3, $rd, $rs1, $imm12", FormatI> {
  bits<3> funct3;
  bits<12> imm12;
  bits<5> rs1;
  bits<5> rd;
  let Inst{31-20} = imm12;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = rd;
}
def InsnS : InsnBase<(outs),
                     (ins uimm7:$opcode, uimm3:$funct3, GPR:$rs2, GPR:$rs1,
                      simm12:$imm12),
                     "s $opcode, $funct3, $rs2, ${imm12}(${rs1})", FormatS> {
  bits<3> funct3;
  bits<12> imm12;
  bits<5> rs2;
  bits<5> rs1;
  let Inst{31-25} = imm12{11-5};
  let Inst{24-20} = rs2;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = imm12{4-0};
}
def InsnB : InsnBase<(outs),
                     (ins uimm7:$opcode, uimm3:$funct3, GPR:$rs1, GPR:$rs2,
                      simm13_lsb0:$imm12),
                     "b $opcode, $funct3, $rs1, $rs2, $imm12", FormatB> {
  bits<3> funct3;
  bits<12> imm12;
  bits<5> rs2;
  bits<5> rs1;
  let Inst{31} = imm12{11};
  let Inst{30-25} = imm12{9-4};
  let Inst{24-20} = rs2;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-8} = imm12{3-0};
  let Inst{7} = imm12{10};
}
def InsnU : InsnBase<(outs GPR:$rd), (ins uimm7:$opcode, uimm20_lui:$imm20),
                     "u $opcode, $rd, $imm20", FormatU> {
  bits<20> imm20;
  bits<5> rd;
  let Inst{31-12} = imm20;
  let Inst{11-7} = rd;
}
def InsnJ : InsnBase<(outs GPR:$rd), (ins uimm7:$opcode, simm21_lsb0_jal:$imm20),
                     "j $opcode, $rd, $imm20", FormatJ> {
  bits<20> imm20;
  bits<5> rd;
  let Inst{31} = imm20{19};
  let Inst{30-21} = imm20{9-0};
  let Inst{20} = imm20{10};
  let Inst{19-12} = imm20{18-11};
  let Inst{11-7} = rd;
}
}

// The parser of .insn joins the directive and the format into one mnemonic.
def : InstAlias<".insn_r $opcode, $funct3, $funct7, $rd, $rs1, $rs2",
                (InsnR GPR:$rd, uimm7:$opcode, uimm3:$funct3, uimm7:$funct7,
                 GPR:$rs1, GPR:$rs2), 0>;
def : InstAlias<".insn_i $opcode, $funct3, $rd, $rs1, $imm12",
                (InsnI GPR:$rd, uimm7:$opcode, uimm3:$funct3, GPR:$rs1,
                 simm12:$imm12), 0>;
def : InstAlias<".insn_i $opcode, $funct3, $rd, ${imm12}(${rs1})",
                (InsnI GPR:$rd, uimm7:$opcode, uimm3:$funct3, GPR:$rs1,
                 simm12:$imm12), 0>;
def : InstAlias<".insn_s $opcode, $funct3, $rs2, ${imm12}(${rs1})",
                (InsnS uimm7:$opcode, uimm3:$funct3, GPR:$rs2, GPR:$rs1,
                 simm12:$imm12), 0>;
def : InstAlias<".insn_b $opcode, $funct3, $rs1, $rs2, $imm12",
                (InsnB uimm7:$opcode, uimm3:$funct3, GPR:$rs1, GPR:$rs2,
                 simm13_lsb0:$imm12), 0>;
def : InstAlias<".insn_u $opcode, $rd, $imm20",
                (InsnU GPR:$rd, uimm7:$opcode, uimm20_lui:$imm20), 0>;
def : InstAlias<".insn_j $opcode, $rd, $imm20",
                (InsnJ GPR:$rd, uimm7:$opcode, simm21_lsb0_jal:$imm20), 0>;

//===----------------------------------------------------------------------===//
// Vector memory by length
//===----------------------------------------------------------------------===//

// x0 as the length means all lanes, a register that holds zero none: a length that the
// code generator computes must not be replaced by x0.
class PseudoVLoadLength<string inst, SchedWrite sched>
    : NPUPseudo<(outs VR:$vd), (ins GPR:$rs1, GPRNoX0:$rs2)>,
      PseudoInstExpansion<(!cast<Instruction>(inst) VR:$vd, GPR:$rs1, GPR:$rs2)>,
      Sched<[sched]> {
  let mayLoad = 1;
}
class PseudoVStoreLength<string inst, SchedWrite sched>
    : NPUPseudo<(outs), (ins VR:$vs3, GPR:$rs1, GPRNoX0:$rs2)>,
      PseudoInstExpansion<(!cast<Instruction>(inst) VR:$vs3, GPR:$rs1, GPR:$rs2)>,
      Sched<[sched]> {
  let mayStore = 1;
}
foreach T = VLoadTypes in
  def PseudoV_LDL_#!toupper(T.Suffix)
      : PseudoVLoadLength<"V_LDL_"#!toupper(T.Suffix), WriteVLoad>;
foreach T = VStoreTypes in
  def PseudoV_STL_#!toupper(T.Suffix)
      : PseudoVStoreLength<"V_STL_"#!toupper(T.Suffix), WriteVStore>;
let hasSideEffects = 1 in
foreach T = VMemPlain in {
  def PseudoV_LDS_#!toupper(T.Suffix)
      : PseudoVLoadLength<"V_LDS_"#!toupper(T.Suffix), WriteVStrided>;
  def PseudoV_STS_#!toupper(T.Suffix)
      : PseudoVStoreLength<"V_STS_"#!toupper(T.Suffix), WriteVStrided>;
}
