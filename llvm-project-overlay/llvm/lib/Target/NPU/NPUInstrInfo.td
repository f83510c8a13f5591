// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfo.td - NPU operands and instructions ----*- tablegen -*-===//
//
// Operand kinds shared by all extensions, then the instructions, one file an
// extension.
//
//===----------------------------------------------------------------------===//

include "NPUInstrFormats.td"
include "NPUSystemOperands.td"

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// An immediate of the parser's class Name; the message for a value out of range
// comes from the parser, which knows the range (NPUAsmParser.cpp).
class NPUImmAsmOperand<string name> : AsmOperandClass {
  let Name = name;
  let RenderMethod = "addImmOperands";
  let DiagnosticType = "Invalid"#name;
}

// One that is sign-extended: the parser also accepts its unsigned spelling.
class NPUSImmAsmOperand<string name> : NPUImmAsmOperand<name> {
  let RenderMethod = "addSImmOperands";
}

// A symbolic operand. Without a diagnostic of its own the message of a
// competing immediate prevails.
class NPUSymbolAsmOperand<string name, string parserMethod = "">
    : AsmOperandClass {
  let Name = name;
  let RenderMethod = "addImmOperands";
  let ParserMethod = parserMethod;
}

class NPUUImmOp<int width> : Operand<i32>,
                            ImmLeaf<i32, "return isUInt<"#width#">(Imm);"> {
  let ParserMatchClass = NPUImmAsmOperand<"UImm"#width>;
  let DecoderMethod = "decodeUImmOperand<"#width#">";
  let OperandType = "OPERAND_UIMM"#width;
  let OperandNamespace = "NPUOp";
}

class NPUSImmOp<int width> : Operand<i32>,
                            ImmLeaf<i32, "return isInt<"#width#">(Imm);"> {
  let ParserMatchClass = NPUSImmAsmOperand<"SImm"#width>;
  let EncoderMethod = "getImmOpValue";
  let DecoderMethod = "decodeSImmOperand<"#width#">";
  let OperandType = "OPERAND_SIMM"#width;
  let OperandNamespace = "NPUOp";
}

def uimm1 : NPUUImmOp<1>;
def uimm3 : NPUUImmOp<3>;
def uimm5 : NPUUImmOp<5>;
def uimm7 : NPUUImmOp<7>;
def simm12 : NPUSImmOp<12>;

// Upper immediates: the field itself, or a %modifier that yields it.
class NPUUImm20Op<string name> : Operand<i32> {
  let ParserMatchClass = NPUImmAsmOperand<name>;
  let EncoderMethod = "getImmOpValue";
  let DecoderMethod = "decodeUImmOperand<20>";
  let OperandType = "OPERAND_UIMM20";
  let OperandNamespace = "NPUOp";
}
def uimm20_lui : NPUUImm20Op<"UImm20LUI">;
def uimm20_auipc : NPUUImm20Op<"UImm20AUIPC">;

// Branch and jump targets: a label, or an even offset from the instruction.
class NPUTargetOp<int width> : Operand<OtherVT> {
  let ParserMatchClass = NPUSImmAsmOperand<"SImm"#width#"Lsb0">;
  let PrintMethod = "printBranchOperand";
  let EncoderMethod = "getImmOpValueAsr1";
  let DecoderMethod = "decodeSImmOperandAndLsl1<"#width#">";
  let OperandType = "OPERAND_PCREL";
}
def simm13_lsb0 : NPUTargetOp<13>;
def simm21_lsb0_jal : NPUTargetOp<21>;

// A symbol, with or without an addend, that a pseudo instruction splits into
// its parts.
def BareSymbol : NPUSymbolAsmOperand<"BareSymbol">;
def bare_symbol : Operand<i32> { let ParserMatchClass = BareSymbol; }

// The callee of call and tail: a bare symbol or symbol@plt.
def CallSymbol : NPUSymbolAsmOperand<"CallSymbol", "parseCallSymbol">;
def call_symbol : Operand<i32> { let ParserMatchClass = CallSymbol; }

// The marker %tprel_add(symbol) on the add of a local-exec TLS sequence.
def TPRelAddSymbol
    : NPUSymbolAsmOperand<"TPRelAddSymbol", "parseTPRelAddSymbol">;
def tprel_add_symbol : Operand<i32> {
  let ParserMatchClass = TPRelAddSymbol;
}

// The short form of li prints as li too; its message is that of the long form.
def SImm12LI : AsmOperandClass {
  let Name = "SImm12LI";
  let PredicateMethod = "isSImm12";
  let RenderMethod = "addSImmOperands";
}
def simm12_li : NPUSImmOp<12> { let ParserMatchClass = SImm12LI; }

// What li accepts: anything 32 bits can hold, signed or unsigned.
def ImmXLenLI : NPUImmAsmOperand<"ImmXLenLI">;
def ixlenimm_li : Operand<i32> { let ParserMatchClass = ImmXLenLI; }

// The predecessor and successor sets of fence: letters of "iorw", or 0.
def FenceArg : NPUSymbolAsmOperand<"FenceArg", "parseFenceArg">;
def fencearg : Operand<i32> {
  let ParserMatchClass = FenceArg;
  let PrintMethod = "printFenceArg";
  let DecoderMethod = "decodeUImmOperand<4>";
  let OperandType = "OPERAND_UIMM4";
  let OperandNamespace = "NPUOp";
}

// A CSR by name or number.
def CSRSystemRegister
    : NPUSymbolAsmOperand<"CSRSystemRegister", "parseCSRSystemRegister">;
def csr_sysreg : Operand<i32>, TImmLeaf<i32, "return isUInt<12>(Imm);"> {
  let ParserMatchClass = CSRSystemRegister;
  let PrintMethod = "printCSRSystemRegister";
  let DecoderMethod = "decodeUImmOperand<12>";
  let OperandType = "OPERAND_UIMM12";
  let OperandNamespace = "NPUOp";
}

//===----------------------------------------------------------------------===//
// Instructions by extension
//===----------------------------------------------------------------------===//

include "NPUInstrInfoI.td"
include "NPUInstrInfoM.td"
include "NPUInstrInfoZicsr.td"
include "NPUInstrInfoXnpuSync.td"
include "NPUInstrInfoXnpuDma.td"
include "NPUInstrInfoXnpuMac.td"
include "NPUInstrInfoXnpuVec.td"
include "NPUInstrInfoPseudo.td"
include "NPUInstrInfoCodeGen.td"
