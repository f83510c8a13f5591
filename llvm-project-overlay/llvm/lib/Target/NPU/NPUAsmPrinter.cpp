// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUAsmPrinter.cpp - machine instructions to assembly --------------===//

#include "MCTargetDesc/NPUBaseInfo.h"
#include "MCTargetDesc/NPUInstPrinter.h"
#include "MCTargetDesc/NPUTargetStreamer.h"
#include "NPU.h"
#include "NPUSubtarget.h"
#include "TargetInfo/NPUTargetInfo.h"
#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/RISCVAttributes.h"

using namespace llvm;

#define DEBUG_TYPE "asm-printer"

namespace {
class NPUAsmPrinter : public AsmPrinter {
public:
  static char ID;

  explicit NPUAsmPrinter(TargetMachine &TM,
                         std::unique_ptr<MCStreamer> Streamer)
      : AsmPrinter(TM, std::move(Streamer), ID) {}

  StringRef getPassName() const override { return "NPU Assembly Printer"; }

  void emitStartOfAsmFile(Module &M) override;
  void emitFunctionBodyStart() override;
  void emitInstruction(const MachineInstr *MI) override;
  bool PrintAsmOperand(const MachineInstr *MI, unsigned OpNo,
                       const char *Modifier, raw_ostream &OS) override;
  bool PrintAsmMemoryOperand(const MachineInstr *MI, unsigned OpNo,
                             const char *Modifier, raw_ostream &OS) override;

private:
  NPUTargetStreamer &getTargetStreamer() {
    return static_cast<NPUTargetStreamer &>(*OutStreamer->getTargetStreamer());
  }

  // Generated.
  bool lowerPseudoInstExpansion(const MachineInstr *MI, MCInst &Inst);

  const MCExpr *lowerSymbol(const MachineOperand &MO);
  bool lowerOperand(const MachineOperand &MO, MCOperand &MCOp);
};
} // namespace

#include "NPUGenMCPseudoLowering.inc"

// The DWARF numbers of CSRs follow the other registers' at 4096.
static constexpr unsigned DwarfFirstCSR = 4096;

// An interrupt handler returns to mepc, a subroutine of the outliner to t0; ra is one of
// the registers of the function before.
void NPUAsmPrinter::emitFunctionBodyStart() {
  if (!MF->needsFrameMoves())
    return;
  if (MF->getFunction().hasFnAttribute("npu-returns-to-t0"))
    OutStreamer->emitCFIReturnColumn(
        MF->getSubtarget().getRegisterInfo()->getDwarfRegNum(NPU::X5, false));
  if (!MF->getFunction().hasFnAttribute("interrupt"))
    return;
  OutStreamer->emitCFISignalFrame();
  OutStreamer->emitCFIReturnColumn(
      DwarfFirstCSR + NPUSysReg::lookupSysRegByName("mepc")->Encoding);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static NPU::Specifier getSpecifier(unsigned TargetFlags) {
  switch (TargetFlags) {
  case NPUII::MO_None:
  // Implied by the instruction.
  case NPUII::MO_CALL:
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
  }
  llvm_unreachable("unknown operand flag");
}

const MCExpr *NPUAsmPrinter::lowerSymbol(const MachineOperand &MO) {
  const MCSymbol *Symbol;
  int64_t Offset = 0;
  switch (MO.getType()) {
  case MachineOperand::MO_MachineBasicBlock:
    Symbol = MO.getMBB()->getSymbol();
    break;
  case MachineOperand::MO_GlobalAddress:
    Symbol = getSymbolPreferLocal(*MO.getGlobal());
    Offset = MO.getOffset();
    break;
  case MachineOperand::MO_BlockAddress:
    Symbol = GetBlockAddressSymbol(MO.getBlockAddress());
    Offset = MO.getOffset();
    break;
  case MachineOperand::MO_ExternalSymbol:
    Symbol = GetExternalSymbolSymbol(MO.getSymbolName());
    Offset = MO.getOffset();
    break;
  case MachineOperand::MO_ConstantPoolIndex:
    Symbol = GetCPISymbol(MO.getIndex());
    Offset = MO.getOffset();
    break;
  case MachineOperand::MO_JumpTableIndex:
    Symbol = GetJTISymbol(MO.getIndex());
    break;
  case MachineOperand::MO_MCSymbol:
    Symbol = MO.getMCSymbol();
    break;
  default:
    return nullptr;
  }
  const MCExpr *Expr = MCSymbolRefExpr::create(Symbol, OutContext);
  if (Offset)
    Expr = MCBinaryExpr::createAdd(
        Expr, MCConstantExpr::create(Offset, OutContext), OutContext);
  if (NPU::Specifier S = getSpecifier(MO.getTargetFlags()))
    Expr = MCSpecifierExpr::create(Expr, S, OutContext);
  return Expr;
}

bool NPUAsmPrinter::lowerOperand(const MachineOperand &MO, MCOperand &MCOp) {
  switch (MO.getType()) {
  case MachineOperand::MO_Register:
    if (MO.isImplicit())
      return false;
    MCOp = MCOperand::createReg(MO.getReg());
    return true;
  case MachineOperand::MO_Immediate:
    MCOp = MCOperand::createImm(MO.getImm());
    return true;
  case MachineOperand::MO_RegisterMask:
    return false;
  default:
    const MCExpr *Expr = lowerSymbol(MO);
    if (!Expr)
      report_fatal_error("operand has no form in assembly language");
    MCOp = MCOperand::createExpr(Expr);
    return true;
  }
}

void NPUAsmPrinter::emitInstruction(const MachineInstr *MI) {
  NPU_MC::verifyInstructionPredicates(MI->getOpcode(),
                                      getSubtargetInfo().getFeatureBits());
  MCInst Inst;
  if (lowerPseudoInstExpansion(MI, Inst)) {
    EmitToStreamer(*OutStreamer, Inst);
    return;
  }
  Inst.setOpcode(MI->getOpcode());
  for (const MachineOperand &MO : MI->operands()) {
    MCOperand MCOp;
    if (lowerOperand(MO, MCOp))
      Inst.addOperand(MCOp);
  }
  EmitToStreamer(*OutStreamer, Inst);
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

bool NPUAsmPrinter::PrintAsmOperand(const MachineInstr *MI, unsigned OpNo,
                                    const char *Modifier, raw_ostream &OS) {
  // The generic code knows some modifiers.
  if (!AsmPrinter::PrintAsmOperand(MI, OpNo, Modifier, OS))
    return false;

  const MachineOperand &MO = MI->getOperand(OpNo);
  if (Modifier && Modifier[0]) {
    if (Modifier[1] != 0)
      return true;
    switch (Modifier[0]) {
    case 'z': // zero register for a constant zero
      if (MO.isImm() && MO.getImm() == 0) {
        OS << NPUInstPrinter::getRegisterName(NPU::X0, NPU::ABIRegAltName);
        return false;
      }
      break;
    case 'i': // the suffix of an immediate instruction
      if (!MO.isReg())
        OS << 'i';
      return false;
    case 'N': // the number of a register
      if (!MO.isReg())
        return true;
      OS << TM.getMCRegisterInfo()->getEncodingValue(MO.getReg());
      return false;
    default:
      return true;
    }
  }

  switch (MO.getType()) {
  case MachineOperand::MO_Immediate:
    OS << MO.getImm();
    return false;
  case MachineOperand::MO_Register:
    OS << NPUInstPrinter::getRegisterName(MO.getReg(), NPU::ABIRegAltName);
    return false;
  default:
    const MCExpr *Expr = lowerSymbol(MO);
    if (!Expr)
      return true;
    MAI->printExpr(OS, *Expr);
    return false;
  }
}

bool NPUAsmPrinter::PrintAsmMemoryOperand(const MachineInstr *MI, unsigned OpNo,
                                          const char *Modifier,
                                          raw_ostream &OS) {
  const MachineOperand &Base = MI->getOperand(OpNo);
  if ((Modifier && Modifier[0]) || !Base.isReg())
    return true;
  OS << "0("
     << NPUInstPrinter::getRegisterName(Base.getReg(), NPU::ABIRegAltName)
     << ')';
  return false;
}

//===----------------------------------------------------------------------===//
// File level
//===----------------------------------------------------------------------===//

void NPUAsmPrinter::emitStartOfAsmFile(Module &) {
  NPUTargetStreamer &Streamer = getTargetStreamer();
  Streamer.emitAttribute(RISCVAttrs::STACK_ALIGN, NPU::StackAlign);
  Streamer.emitTextAttribute(RISCVAttrs::ARCH, NPU::ArchString);
}

char NPUAsmPrinter::ID = 0;

INITIALIZE_PASS(NPUAsmPrinter, "npu-asm-printer", "NPU Assembly Printer", false,
                false)

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void
LLVMInitializeNPUAsmPrinter() {
  RegisterAsmPrinter<NPUAsmPrinter> X(getTheNPUTarget());
}
