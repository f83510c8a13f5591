// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUAsmPrinter.cpp - machine instructions to MC --------------------===//

#include "MCTargetDesc/NPUBaseInfo.h"
#include "MCTargetDesc/NPUInstPrinter.h"
#include "NPU.h"
#include "TargetInfo/NPUTargetInfo.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Compiler.h"

using namespace llvm;

#define DEBUG_TYPE "asm-printer"

namespace {
class NPUAsmPrinter : public AsmPrinter {
public:
  static char ID;

  NPUAsmPrinter(TargetMachine &TM, std::unique_ptr<MCStreamer> Streamer)
      : AsmPrinter(TM, std::move(Streamer), ID) {}

  StringRef getPassName() const override { return "NPU Assembly Printer"; }

  void emitInstruction(const MachineInstr *MI) override;
  bool PrintAsmOperand(const MachineInstr *MI, unsigned OpNo,
                       const char *Modifier, raw_ostream &OS) override;
  bool PrintAsmMemoryOperand(const MachineInstr *MI, unsigned OpNo,
                             const char *Modifier, raw_ostream &OS) override;

private:
  // Generated.
  bool lowerPseudoInstExpansion(const MachineInstr *MI, MCInst &Inst);

  void lowerToMCInst(const MachineInstr &MI, MCInst &Inst);
  bool lowerOperand(const MachineOperand &MO, MCOperand &Result);
  const MCExpr *lowerSymbol(const MachineOperand &MO, MCSymbol *Symbol,
                            int64_t Offset);
};
} // namespace

char NPUAsmPrinter::ID = 0;

INITIALIZE_PASS(NPUAsmPrinter, "npu-asm-printer", "NPU Assembly Printer", false,
                false)

#include "NPUGenMCPseudoLowering.inc"

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void NPUAsmPrinter::emitInstruction(const MachineInstr *MI) {
  MCInst Inst;
  if (!lowerPseudoInstExpansion(MI, Inst))
    lowerToMCInst(*MI, Inst);
  EmitToStreamer(*OutStreamer, Inst);
}

void NPUAsmPrinter::lowerToMCInst(const MachineInstr &MI, MCInst &Inst) {
  Inst.setOpcode(MI.getOpcode());
  for (const MachineOperand &MO : MI.operands()) {
    MCOperand Operand;
    if (lowerOperand(MO, Operand))
      Inst.addOperand(Operand);
  }
}

// What the target flags of a symbolic operand take from its address.
static NPU::Specifier getSpecifier(unsigned TargetFlags) {
  switch (TargetFlags) {
  case NPUII::MO_None:
    return NPU::S_None;
  case NPUII::MO_HI:
    return NPU::S_HI;
  case NPUII::MO_LO:
    return NPU::S_LO;
  case NPUII::MO_PCREL_HI:
    return NPU::S_PCREL_HI;
  case NPUII::MO_PCREL_LO:
    return NPU::S_PCREL_LO;
  case NPUII::MO_GOT_HI:
    return NPU::S_GOT_PCREL_HI;
  case NPUII::MO_TPREL_HI:
    return NPU::S_TPREL_HI;
  case NPUII::MO_TPREL_LO:
    return NPU::S_TPREL_LO;
  case NPUII::MO_TPREL_ADD:
    return NPU::S_TPREL_ADD;
  case NPUII::MO_CALL:
    return NPU::S_CALL_PLT;
  }
  llvm_unreachable("unknown target flag on a symbol");
}

const MCExpr *NPUAsmPrinter::lowerSymbol(const MachineOperand &MO,
                                         MCSymbol *Symbol, int64_t Offset) {
  const MCExpr *Expr = MCSymbolRefExpr::create(Symbol, OutContext);
  if (Offset)
    Expr = MCBinaryExpr::createAdd(
        Expr, MCConstantExpr::create(Offset, OutContext), OutContext);
  if (NPU::Specifier S = getSpecifier(MO.getTargetFlags()))
    Expr = MCSpecifierExpr::create(Expr, S, OutContext);
  return Expr;
}

// False for what has no place in the encoding: implicit registers and register
// masks.
bool NPUAsmPrinter::lowerOperand(const MachineOperand &MO, MCOperand &Result) {
  switch (MO.getType()) {
  case MachineOperand::MO_Register:
    if (MO.isImplicit())
      return false;
    Result = MCOperand::createReg(MO.getReg());
    return true;
  case MachineOperand::MO_RegisterMask:
    return false;
  case MachineOperand::MO_Immediate:
    Result = MCOperand::createImm(MO.getImm());
    return true;
  case MachineOperand::MO_MachineBasicBlock:
    Result = MCOperand::createExpr(
        lowerSymbol(MO, MO.getMBB()->getSymbol(), /*Offset=*/0));
    return true;
  case MachineOperand::MO_GlobalAddress:
    Result = MCOperand::createExpr(lowerSymbol(
        MO, getSymbolPreferLocal(*MO.getGlobal()), MO.getOffset()));
    return true;
  case MachineOperand::MO_BlockAddress:
    Result = MCOperand::createExpr(lowerSymbol(
        MO, GetBlockAddressSymbol(MO.getBlockAddress()), MO.getOffset()));
    return true;
  case MachineOperand::MO_ExternalSymbol:
    Result = MCOperand::createExpr(
        lowerSymbol(MO, GetExternalSymbolSymbol(MO.getSymbolName()),
                    MO.getOffset()));
    return true;
  case MachineOperand::MO_ConstantPoolIndex:
    Result = MCOperand::createExpr(
        lowerSymbol(MO, GetCPISymbol(MO.getIndex()), MO.getOffset()));
    return true;
  case MachineOperand::MO_JumpTableIndex:
    Result = MCOperand::createExpr(
        lowerSymbol(MO, GetJTISymbol(MO.getIndex()), /*Offset=*/0));
    return true;
  case MachineOperand::MO_MCSymbol:
    Result = MCOperand::createExpr(
        lowerSymbol(MO, MO.getMCSymbol(), MO.getOffset()));
    return true;
  default:
    llvm_unreachable("operand that should be gone before emission");
  }
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

bool NPUAsmPrinter::PrintAsmOperand(const MachineInstr *MI, unsigned OpNo,
                                    const char *Modifier, raw_ostream &OS) {
  // The modifiers of all targets, such as c and n.
  if (!AsmPrinter::PrintAsmOperand(MI, OpNo, Modifier, OS))
    return false;

  const MachineOperand &MO = MI->getOperand(OpNo);
  if (Modifier && Modifier[0]) {
    if (Modifier[1])
      return true;
    switch (Modifier[0]) {
    case 'z': // the zero register for the constant 0
      if (MO.isImm() && MO.getImm() == 0) {
        OS << NPUInstPrinter::getRegisterName(NPU::X0);
        return false;
      }
      break;
    case 'i': // completes a mnemonic: "i" unless the operand is a register
      if (!MO.isReg())
        OS << 'i';
      return false;
    case 'N': // the number that encodes a register
      if (!MO.isReg())
        return true;
      OS << TM.getMCRegisterInfo()->getEncodingValue(MO.getReg());
      return false;
    default:
      return true;
    }
  }

  switch (MO.getType()) {
  case MachineOperand::MO_Register:
    OS << NPUInstPrinter::getRegisterName(MO.getReg());
    return false;
  case MachineOperand::MO_Immediate:
    OS << MO.getImm();
    return false;
  case MachineOperand::MO_GlobalAddress:
  case MachineOperand::MO_BlockAddress:
  case MachineOperand::MO_ExternalSymbol:
  case MachineOperand::MO_MachineBasicBlock: {
    MCOperand Operand;
    lowerOperand(MO, Operand);
    MAI->printExpr(OS, *Operand.getExpr());
    return false;
  }
  default:
    return true;
  }
}

// The address is in a register.
bool NPUAsmPrinter::PrintAsmMemoryOperand(const MachineInstr *MI, unsigned OpNo,
                                          const char *Modifier,
                                          raw_ostream &OS) {
  const MachineOperand &Base = MI->getOperand(OpNo);
  if ((Modifier && Modifier[0]) || !Base.isReg())
    return true;
  OS << "0(" << NPUInstPrinter::getRegisterName(Base.getReg()) << ')';
  return false;
}

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void LLVMInitializeNPUAsmPrinter() {
  RegisterAsmPrinter<NPUAsmPrinter> X(getTheNPUTarget());
}
