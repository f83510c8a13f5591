// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoI.td - RV32I, Zifencei, machine mode ---*- tablegen -*-===//
//
// The base integer instructions, the instruction-fetch fence and the
// privileged instructions of machine mode, with the aliases that the RISC-V
// assembly manual defines for them.
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Upper immediates and jumps
//===----------------------------------------------------------------------===//

let Extension = "I" in {

let isReMaterializable = 1, isAsCheapAsAMove = 1 in {
def LUI : NPUInstU<OPC_LUI, (outs GPR:$rd), (ins uimm20_lui:$imm20), "lui",
                   "$rd, $imm20">, Sched<[WriteIALU]> {
  let Semantics = "x[rd] = imm20 << 12";
  let Description = "Loads the 20-bit immediate into bits 31..12 and clears bits 11..0.";
}
def AUIPC : NPUInstU<OPC_AUIPC, (outs GPR:$rd), (ins uimm20_auipc:$imm20),
                     "auipc", "$rd, $imm20">, Sched<[WriteIALU]> {
  let Semantics = "x[rd] = pc + (imm20 << 12)";
  let Description = "Adds the immediate, shifted left by 12, to the address of this instruction.";
}
}

def JAL : NPUInstJ<OPC_JAL, (outs GPR:$rd), (ins simm21_lsb0_jal:$imm20), "jal",
                   "$rd, $imm20">, Sched<[WriteJal]> {
  let isCall = 1;
  let Semantics = "x[rd] = pc + 4; pc = pc + sext(offset)";
  let Description = "Jumps to a target within 1 MiB of this instruction and saves the return address. A target that is not a multiple of 4 raises instruction-address-misaligned.";
}
def JALR : NPUInstI<0b000, OPC_JALR, (outs GPR:$rd),
                    (ins GPR:$rs1, simm12:$imm12), "jalr",
                    "$rd, ${imm12}(${rs1})">, Sched<[WriteJalr]> {
  let isCall = 1;
  let Semantics = "t = pc + 4; pc = (x[rs1] + sext(imm12)) & ~1; x[rd] = t";
  let Description = "Jumps to a register plus offset and saves the return address. A target that is not a multiple of 4 raises instruction-address-misaligned.";
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

class BranchCC<bits<3> funct3, string mnemonic, string cond, string text>
    : NPUInstB<funct3, OPC_BRANCH, (outs),
               (ins GPR:$rs1, GPR:$rs2, simm13_lsb0:$imm12), mnemonic,
               "$rs1, $rs2, $imm12">, Sched<[WriteJmp]> {
  let isBranch = 1;
  let isTerminator = 1;
  let Semantics = "if ("#cond#") pc = pc + sext(offset)";
  let Description = "Branches within 4 KiB when rs1 is "#text#" rs2.";
}
def BEQ : BranchCC<0b000, "beq", "x[rs1] == x[rs2]", "equal to">;
def BNE : BranchCC<0b001, "bne", "x[rs1] != x[rs2]", "different from">;
def BLT : BranchCC<0b100, "blt", "s(x[rs1]) < s(x[rs2])", "less, as a signed number, than">;
def BGE : BranchCC<0b101, "bge", "s(x[rs1]) >= s(x[rs2])", "not less, as a signed number, than">;
def BLTU : BranchCC<0b110, "bltu", "x[rs1] < x[rs2]", "less, as an unsigned number, than">;
def BGEU : BranchCC<0b111, "bgeu", "x[rs1] >= x[rs2]", "not less, as an unsigned number, than">;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

class Load<bits<3> funct3, string mnemonic, string value, string text>
    : NPUInstI<funct3, OPC_LOAD, (outs GPR:$rd), (ins GPR:$rs1, simm12:$imm12),
               mnemonic, "$rd, ${imm12}(${rs1})">, Sched<[WriteLoad]> {
  let mayLoad = 1;
  let Semantics = "x[rd] = "#value;
  let Description = "Loads "#text#".";
}
def LB : Load<0b000, "lb", "sext(mem8[x[rs1] + sext(imm12)])", "a byte and sign-extends it">;
def LH : Load<0b001, "lh", "sext(mem16[x[rs1] + sext(imm12)])", "a halfword and sign-extends it; a misaligned address raises load-address-misaligned">;
def LW : Load<0b010, "lw", "mem32[x[rs1] + sext(imm12)]", "a word; a misaligned address raises load-address-misaligned">;
def LBU : Load<0b100, "lbu", "zext(mem8[x[rs1] + sext(imm12)])", "a byte and zero-extends it">;
def LHU : Load<0b101, "lhu", "zext(mem16[x[rs1] + sext(imm12)])", "a halfword and zero-extends it; a misaligned address raises load-address-misaligned">;

class Store<bits<3> funct3, string mnemonic, int width, string text>
    : NPUInstS<funct3, OPC_STORE, (outs),
               (ins GPR:$rs2, GPR:$rs1, simm12:$imm12), mnemonic,
               "$rs2, ${imm12}(${rs1})">, Sched<[WriteStore]> {
  let mayStore = 1;
  let Semantics = "mem"#width#"[x[rs1] + sext(imm12)] = x[rs2]["#!sub(width, 1)#":0]";
  let Description = "Stores "#text#".";
}
def SB : Store<0b000, "sb", 8, "the low byte of rs2">;
def SH : Store<0b001, "sh", 16, "the low halfword of rs2; a misaligned address raises store-address-misaligned">;
def SW : Store<0b010, "sw", 32, "rs2; a misaligned address raises store-address-misaligned">;

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

class ALUImm<bits<3> funct3, string mnemonic, string value, string text>
    : NPUInstI<funct3, OPC_OP_IMM, (outs GPR:$rd),
               (ins GPR:$rs1, simm12:$imm12), mnemonic, "$rd, $rs1, $imm12">,
      Sched<[WriteIALU]> {
  let Semantics = "x[rd] = "#value;
  let Description = text#" the sign-extended immediate.";
}
let isReMaterializable = 1, isAsCheapAsAMove = 1 in {
def ADDI : ALUImm<0b000, "addi", "x[rs1] + sext(imm12)", "Adds rs1 and">;
def XORI : ALUImm<0b100, "xori", "x[rs1] ^ sext(imm12)", "Bitwise exclusive or of rs1 and">;
def ORI : ALUImm<0b110, "ori", "x[rs1] | sext(imm12)", "Bitwise or of rs1 and">;
}
def SLTI : ALUImm<0b010, "slti", "s(x[rs1]) < sext(imm12) ? 1 : 0", "Signed comparison: 1 when rs1 is less than">;
def SLTIU : ALUImm<0b011, "sltiu", "x[rs1] < u(sext(imm12)) ? 1 : 0", "Unsigned comparison: 1 when rs1 is less than">;
def ANDI : ALUImm<0b111, "andi", "x[rs1] & sext(imm12)", "Bitwise and of rs1 and">;

class ShiftImm<bits<7> funct7, bits<3> funct3, string mnemonic, string value,
               string text>
    : NPUInstIShift<funct7, funct3, OPC_OP_IMM, (outs GPR:$rd),
                    (ins GPR:$rs1, uimm5:$shamt), mnemonic,
                    "$rd, $rs1, $shamt">, Sched<[WriteIALU]> {
  let Semantics = "x[rd] = "#value;
  let Description = "Shifts rs1 "#text#" by the immediate, 0 to 31.";
}
def SLLI : ShiftImm<0b0000000, 0b001, "slli", "x[rs1] << shamt", "left">;
def SRLI : ShiftImm<0b0000000, 0b101, "srli", "x[rs1] >> shamt", "right, filling with zeros,">;
def SRAI : ShiftImm<0b0100000, 0b101, "srai", "s(x[rs1]) >> shamt", "right, filling with the sign,">;

class ALUReg<bits<7> funct7, bits<3> funct3, string mnemonic, string value,
             string text, bit commutable = 0>
    : NPUInstR<funct7, funct3, OPC_OP, (outs GPR:$rd),
               (ins GPR:$rs1, GPR:$rs2), mnemonic, "$rd, $rs1, $rs2">,
      Sched<[WriteIALU]> {
  let isCommutable = commutable;
  let Semantics = "x[rd] = "#value;
  let Description = text#".";
}
def ADD : ALUReg<0b0000000, 0b000, "add", "x[rs1] + x[rs2]", "Adds rs1 and rs2; overflow is ignored", 1>;
def SUB : ALUReg<0b0100000, 0b000, "sub", "x[rs1] - x[rs2]", "Subtracts rs2 from rs1; overflow is ignored">;
def SLL : ALUReg<0b0000000, 0b001, "sll", "x[rs1] << x[rs2][4:0]", "Shifts rs1 left by the low five bits of rs2">;
def SLT : ALUReg<0b0000000, 0b010, "slt", "s(x[rs1]) < s(x[rs2]) ? 1 : 0", "Signed comparison: 1 when rs1 is less than rs2">;
def SLTU : ALUReg<0b0000000, 0b011, "sltu", "x[rs1] < x[rs2] ? 1 : 0", "Unsigned comparison: 1 when rs1 is less than rs2">;
def XOR : ALUReg<0b0000000, 0b100, "xor", "x[rs1] ^ x[rs2]", "Bitwise exclusive or of rs1 and rs2", 1>;
def SRL : ALUReg<0b0000000, 0b101, "srl", "x[rs1] >> x[rs2][4:0]", "Shifts rs1 right by the low five bits of rs2, filling with zeros">;
def SRA : ALUReg<0b0100000, 0b101, "sra", "s(x[rs1]) >> x[rs2][4:0]", "Shifts rs1 right by the low five bits of rs2, filling with the sign">;
def OR : ALUReg<0b0000000, 0b110, "or", "x[rs1] | x[rs2]", "Bitwise or of rs1 and rs2", 1>;
def AND : ALUReg<0b0000000, 0b111, "and", "x[rs1] & x[rs2]", "Bitwise and of rs1 and rs2", 1>;

//===----------------------------------------------------------------------===//
// Memory ordering and environment
//===----------------------------------------------------------------------===//

// The machine ignores the reserved fields of both fences (fm, rs1, rd and the
// immediate of fence.i), as the RISC-V manual asks; the assembler writes zeros.
let hasSideEffects = 1 in {
def FENCE : NPUInst<(outs), (ins fencearg:$pred, fencearg:$succ), "fence",
                    "$pred, $succ", FormatI>, Sched<[WriteIALU]> {
  bits<4> pred;
  bits<4> succ;
  let Inst{31-28} = 0b0000;
  let Inst{27-24} = pred;
  let Inst{23-20} = succ;
  let Inst{19-15} = 0b00000;
  let Inst{14-12} = 0b000;
  let Inst{11-7} = 0b00000;
  let Inst{6-0} = OPC_MISC_MEM.Value;
  let Ignored = 0xf00f8f80;
  let Semantics = "order(pred, succ)";
  let Description = "Orders the memory and device accesses of this core in the predecessor set before those in the successor set.";
}
def FENCE_TSO : NPUInst<(outs), (ins), "fence.tso", "", FormatI>,
                Sched<[WriteIALU]> {
  let Inst = 0x8330000f;
  let CaseOf = "FENCE";
  let Semantics = "order(rw, rw) except store before load";
  let Description = "Orders loads before all later accesses and stores before later stores.";
}

class EnvInst<bits<12> imm12, string mnemonic, SchedWrite write = WriteJalr>
    : NPUInst<(outs), (ins), mnemonic, "", FormatI>, Sched<[write]> {
  let Inst{31-20} = imm12;
  let Inst{19-7} = 0;
  let Inst{6-0} = OPC_SYSTEM.Value;
}
let isTrap = 1 in {
def ECALL : EnvInst<0b000000000000, "ecall"> {
  let Semantics = "trap(11)";
  let Description = "Raises environment-call-from-machine-mode with mtval 0.";
}
def EBREAK : EnvInst<0b000000000001, "ebreak"> {
  let Semantics = "trap(3)";
  let Description = "Raises breakpoint with mtval set to its own address; inside the semihosting sequence it requests a host service instead.";
}
}
} // hasSideEffects
} // Extension = "I"

// What was fetched is dropped, as by a jump to the next instruction.
let Extension = "Zifencei", hasSideEffects = 1 in
def FENCE_I : NPUInst<(outs), (ins), "fence.i", "", FormatI>,
              Sched<[WriteJal]> {
  let Inst{31-15} = 0;
  let Inst{14-12} = 0b001;
  let Inst{11-7} = 0;
  let Inst{6-0} = OPC_MISC_MEM.Value;
  let Ignored = 0xffff8f80;
  let Semantics = "fetch after this sees every earlier store";
  let Description = "Makes the stores of this core visible to its own instruction fetch.";
}

let Extension = "Machine", hasSideEffects = 1 in {
def MRET : EnvInst<0b001100000010, "mret"> {
  let isBarrier = 1;
  let isReturn = 1;
  let isTerminator = 1;
  let Semantics = "pc = mepc; mstatus.MIE = mstatus.MPIE; mstatus.MPIE = 1";
  let Description = "Returns from a trap handler.";
}
def WFI : EnvInst<0b000100000101, "wfi", WriteIALU> {
  let Semantics = "wait until (mip & mie) != 0";
  let Description = "Stops issuing until an enabled interrupt is pending, whether or not mstatus.MIE allows the trap.";
}
}

//===----------------------------------------------------------------------===//
// Aliases of the assembly language
//===----------------------------------------------------------------------===//

def : InstAlias<"nop", (ADDI X0, X0, 0), 4>;
def : InstAlias<"li $rd, $imm12", (ADDI GPR:$rd, X0, simm12_li:$imm12), 3>;
def : InstAlias<"mv $rd, $rs", (ADDI GPR:$rd, GPR:$rs, 0), 2>;
def : InstAlias<"not $rd, $rs", (XORI GPR:$rd, GPR:$rs, -1)>;
def : InstAlias<"neg $rd, $rs", (SUB GPR:$rd, X0, GPR:$rs)>;
def : InstAlias<"seqz $rd, $rs", (SLTIU GPR:$rd, GPR:$rs, 1)>;
def : InstAlias<"snez $rd, $rs", (SLTU GPR:$rd, X0, GPR:$rs)>;
def : InstAlias<"sltz $rd, $rs", (SLT GPR:$rd, GPR:$rs, X0)>;
def : InstAlias<"sgtz $rd, $rs", (SLT GPR:$rd, X0, GPR:$rs)>;
def : InstAlias<"zext.b $rd, $rs", (ANDI GPR:$rd, GPR:$rs, 0xff)>;
def : InstAlias<"sgt $rd, $rs, $rt", (SLT GPR:$rd, GPR:$rt, GPR:$rs), 0>;
def : InstAlias<"sgtu $rd, $rs, $rt", (SLTU GPR:$rd, GPR:$rt, GPR:$rs), 0>;

// The mnemonic of the register form with an immediate.
foreach op = ["add", "and", "or", "xor", "slt"] in
  def : InstAlias<op#" $rd, $rs1, $imm12",
                  (!cast<Instruction>(!toupper(op)#"I") GPR:$rd, GPR:$rs1,
                   simm12:$imm12), 0>;
def : InstAlias<"sltu $rd, $rs1, $imm12",
                (SLTIU GPR:$rd, GPR:$rs1, simm12:$imm12), 0>;
foreach op = ["sll", "srl", "sra"] in
  def : InstAlias<op#" $rd, $rs1, $shamt",
                  (!cast<Instruction>(!toupper(op)#"I") GPR:$rd, GPR:$rs1,
                   uimm5:$shamt), 0>;

def : InstAlias<"beqz $rs, $offset", (BEQ GPR:$rs, X0, simm13_lsb0:$offset)>;
def : InstAlias<"bnez $rs, $offset", (BNE GPR:$rs, X0, simm13_lsb0:$offset)>;
def : InstAlias<"blez $rs, $offset", (BGE X0, GPR:$rs, simm13_lsb0:$offset)>;
def : InstAlias<"bgez $rs, $offset", (BGE GPR:$rs, X0, simm13_lsb0:$offset)>;
def : InstAlias<"bltz $rs, $offset", (BLT GPR:$rs, X0, simm13_lsb0:$offset)>;
def : InstAlias<"bgtz $rs, $offset", (BLT X0, GPR:$rs, simm13_lsb0:$offset)>;
def : InstAlias<"bgt $rs, $rt, $offset", (BLT GPR:$rt, GPR:$rs, simm13_lsb0:$offset), 0>;
def : InstAlias<"ble $rs, $rt, $offset", (BGE GPR:$rt, GPR:$rs, simm13_lsb0:$offset), 0>;
def : InstAlias<"bgtu $rs, $rt, $offset", (BLTU GPR:$rt, GPR:$rs, simm13_lsb0:$offset), 0>;
def : InstAlias<"bleu $rs, $rt, $offset", (BGEU GPR:$rt, GPR:$rs, simm13_lsb0:$offset), 0>;

def : InstAlias<"j $offset", (JAL X0, simm21_lsb0_jal:$offset)>;
def : InstAlias<"jal $offset", (JAL X1, simm21_lsb0_jal:$offset)>;

def : InstAlias<"ret", (JALR X0, X1, 0), 4>;
def : InstAlias<"jr $rs", (JALR X0, GPR:$rs, 0), 3>;
def : InstAlias<"jr ${offset}(${rs})", (JALR X0, GPR:$rs, simm12:$offset)>;
def : InstAlias<"jalr $rs", (JALR X1, GPR:$rs, 0), 3>;
def : InstAlias<"jalr ${offset}(${rs})", (JALR X1, GPR:$rs, simm12:$offset)>;
def : InstAlias<"jalr $rd, $rs", (JALR GPR:$rd, GPR:$rs, 0), 2>;
// Without parentheses, as older assemblers accept it.
def : InstAlias<"jr $rs, $offset", (JALR X0, GPR:$rs, simm12:$offset), 0>;
def : InstAlias<"jalr $rs, $offset", (JALR X1, GPR:$rs, simm12:$offset), 0>;
def : InstAlias<"jalr $rd, $rs, $offset", (JALR GPR:$rd, GPR:$rs, simm12:$offset), 0>;
def : InstAlias<"jalr $rd, (${rs})", (JALR GPR:$rd, GPR:$rs, 0), 0>;
def : InstAlias<"jalr (${rs})", (JALR X1, GPR:$rs, 0), 0>;
def : InstAlias<"jr (${rs})", (JALR X0, GPR:$rs, 0), 0>;

foreach op = ["LB", "LH", "LW", "LBU", "LHU"] in
  def : InstAlias<!tolower(op)#" $rd, (${rs1})",
                  (!cast<Instruction>(op) GPR:$rd, GPR:$rs1, 0), 0>;
foreach op = ["SB", "SH", "SW"] in
  def : InstAlias<!tolower(op)#" $rs2, (${rs1})",
                  (!cast<Instruction>(op) GPR:$rs2, GPR:$rs1, 0), 0>;

def : InstAlias<"fence", (FENCE 0xF, 0xF)>;
// The hint of Zihintpause is a fence with an empty successor set.
def : InstAlias<"pause", (FENCE 0x1, 0x0)>;
def : MnemonicAlias<"move", "mv">;
def : MnemonicAlias<"scall", "ecall">;
def : MnemonicAlias<"sbreak", "ebreak">;
