// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrFormats.td - NPU instruction formats -------*- tablegen -*-===//
//
// The six 32-bit formats of the RISC-V base ISA, which Xnpu reuses, and what
// every instruction record has to say besides its encoding. The generator in
// isa-spec/gen reads Extension, Format, Semantics and Description of every
// record that is a real instruction.
//
//===----------------------------------------------------------------------===//

// The major opcodes in use (bits 6..0).
class NPUOpcode<bits<7> V> {
  bits<7> Value = V;
}
def OPC_LOAD     : NPUOpcode<0b0000011>;
def OPC_CUSTOM_0 : NPUOpcode<0b0001011>;
def OPC_MISC_MEM : NPUOpcode<0b0001111>;
def OPC_OP_IMM   : NPUOpcode<0b0010011>;
def OPC_AUIPC    : NPUOpcode<0b0010111>;
def OPC_STORE    : NPUOpcode<0b0100011>;
def OPC_CUSTOM_1 : NPUOpcode<0b0101011>;
def OPC_OP       : NPUOpcode<0b0110011>;
def OPC_LUI      : NPUOpcode<0b0110111>;
def OPC_CUSTOM_2 : NPUOpcode<0b1011011>;
def OPC_BRANCH   : NPUOpcode<0b1100011>;
def OPC_JALR     : NPUOpcode<0b1100111>;
def OPC_JAL      : NPUOpcode<0b1101111>;
def OPC_SYSTEM   : NPUOpcode<0b1110011>;
def OPC_CUSTOM_3 : NPUOpcode<0b1111011>;

// Where an instruction's immediate sits. Kept in TSFlags so that the code
// generator can ask an instruction for its format (frame index elimination).
class NPUFormat<bits<3> V> {
  bits<3> Value = V;
}
def FormatPseudo : NPUFormat<0>;
def FormatR      : NPUFormat<1>;
def FormatI      : NPUFormat<2>;
def FormatS      : NPUFormat<3>;
def FormatB      : NPUFormat<4>;
def FormatU      : NPUFormat<5>;
def FormatJ      : NPUFormat<6>;

class NPUInstBase<dag outs, dag ins, string asmstr, list<dag> pattern,
                  NPUFormat format> : Instruction {
  bits<32> Inst;
  // A bit set here may hold either value without changing the instruction.
  bits<32> SoftFail = 0;
  let Namespace = "NPU";
  let Size = 4;
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asmstr;
  let Pattern = pattern;
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
  let TSFlags{2-0} = format.Value;

  NPUFormat Format = format;
  // Encoding bits that the machine does not look at, although the assembler
  // writes a fixed value: they are not part of the decoders' match mask.
  bits<32> Ignored = 0;
  // The record of which this one is a special case with a mnemonic of its own;
  // the decoders of the machine do not tell the two apart.
  string CaseOf = "";
  // The ISA extension that defines the instruction: I, M, Zicsr, Zifencei,
  // Machine, or one of the Xnpu groups.
  string Extension = "";
  // Effect in pseudo-code, in the notation of the ISA manual.
  string Semantics = "";
  // One or two sentences for the reader of the manual.
  string Description = "";
}

class NPUInst<dag outs, dag ins, string mnemonic, string operands,
              NPUFormat format, list<dag> pattern = []>
    : NPUInstBase<outs, ins,
                  !if(!empty(operands), mnemonic, mnemonic#"\t"#operands),
                  pattern, format> {
  string Mnemonic = mnemonic;
}

// A pseudo instruction of the code generator: gone before emission.
class NPUPseudo<dag outs, dag ins, list<dag> pattern = []>
    : NPUInstBase<outs, ins, "", pattern, FormatPseudo> {
  let isPseudo = 1;
  let isCodeGenOnly = 1;
}

// A pseudo instruction of the assembly language that the assembler expands.
class NPUAsmPseudo<dag outs, dag ins, string mnemonic, string operands>
    : NPUInstBase<outs, ins, mnemonic#"\t"#operands, [], FormatPseudo> {
  let isPseudo = 1;
  let isAsmParserOnly = 1;
  let hasNoSchedulingInfo = 1;
}

class NPUInstR<bits<7> funct7, bits<3> funct3, NPUOpcode opcode, dag outs,
               dag ins, string mnemonic, string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatR> {
  bits<5> rs2;
  bits<5> rs1;
  bits<5> rd;
  let Inst{31-25} = funct7;
  let Inst{24-20} = rs2;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = rd;
  let Inst{6-0} = opcode.Value;
}

class NPUInstI<bits<3> funct3, NPUOpcode opcode, dag outs, dag ins,
               string mnemonic, string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatI> {
  bits<12> imm12;
  bits<5> rs1;
  bits<5> rd;
  let Inst{31-20} = imm12;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = rd;
  let Inst{6-0} = opcode.Value;
}

// Shift by an immediate: the upper seven bits select the kind of shift.
class NPUInstIShift<bits<7> funct7, bits<3> funct3, NPUOpcode opcode, dag outs,
                    dag ins, string mnemonic, string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatI> {
  bits<5> shamt;
  bits<5> rs1;
  bits<5> rd;
  let Inst{31-25} = funct7;
  let Inst{24-20} = shamt;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = rd;
  let Inst{6-0} = opcode.Value;
}

class NPUInstS<bits<3> funct3, NPUOpcode opcode, dag outs, dag ins,
               string mnemonic, string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatS> {
  bits<12> imm12;
  bits<5> rs2;
  bits<5> rs1;
  let Inst{31-25} = imm12{11-5};
  let Inst{24-20} = rs2;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = imm12{4-0};
  let Inst{6-0} = opcode.Value;
}

// imm12 is the branch offset divided by two.
class NPUInstB<bits<3> funct3, NPUOpcode opcode, dag outs, dag ins,
               string mnemonic, string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatB> {
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
  let Inst{6-0} = opcode.Value;
}

class NPUInstU<NPUOpcode opcode, dag outs, dag ins, string mnemonic,
               string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatU> {
  bits<20> imm20;
  bits<5> rd;
  let Inst{31-12} = imm20;
  let Inst{11-7} = rd;
  let Inst{6-0} = opcode.Value;
}

// imm20 is the jump offset divided by two.
class NPUInstJ<NPUOpcode opcode, dag outs, dag ins, string mnemonic,
               string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatJ> {
  bits<20> imm20;
  bits<5> rd;
  let Inst{31} = imm20{19};
  let Inst{30-21} = imm20{9-0};
  let Inst{20} = imm20{10};
  let Inst{19-12} = imm20{18-11};
  let Inst{11-7} = rd;
  let Inst{6-0} = opcode.Value;
}
