// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstPrinter.cpp - MCInst to assembly text ----------------------===//

#include "NPUInstPrinter.h"
#include "NPUBaseInfo.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#define PRINT_ALIAS_INSTR
#include "NPUGenAsmWriter.inc"

bool NPUInstPrinter::applyTargetSpecificCLOption(StringRef Opt) {
  if (Opt == "no-aliases") {
    PrintAliases = false;
    return true;
  }
  if (Opt == "numeric") {
    NumericRegNames = true;
    return true;
  }
  return false;
}

void NPUInstPrinter::printInst(const MCInst *MI, uint64_t Address,
                               StringRef Annot, const MCSubtargetInfo &STI,
                               raw_ostream &O) {
  if (!PrintAliases || !printAliasInstr(MI, Address, STI, O))
    printInstruction(MI, Address, STI, O);
  printAnnotation(O, Annot);
}

void NPUInstPrinter::printRegName(raw_ostream &O, MCRegister Reg) {
  markup(O, Markup::Register) << getRegisterName(
      Reg, NumericRegNames ? NPU::NoRegAltName : NPU::ABIRegAltName);
}

void NPUInstPrinter::printOperand(const MCInst *MI, unsigned OpNo,
                                  const MCSubtargetInfo &, raw_ostream &O) {
  const MCOperand &MO = MI->getOperand(OpNo);
  if (MO.isReg())
    printRegName(O, MO.getReg());
  else if (MO.isImm())
    markup(O, Markup::Immediate) << formatImm(MO.getImm());
  else
    MAI.printExpr(O, *MO.getExpr());
}

void NPUInstPrinter::printBranchOperand(const MCInst *MI, uint64_t Address,
                                        unsigned OpNo,
                                        const MCSubtargetInfo &STI,
                                        raw_ostream &O) {
  const MCOperand &MO = MI->getOperand(OpNo);
  if (!MO.isImm())
    return printOperand(MI, OpNo, STI, O);
  if (PrintBranchImmAsAddress)
    markup(O, Markup::Target) << formatHex(uint64_t(
        uint32_t(Address + MO.getImm())));
  else
    markup(O, Markup::Target) << formatImm(MO.getImm());
}

void NPUInstPrinter::printCSRSystemRegister(const MCInst *MI, unsigned OpNo,
                                            const MCSubtargetInfo &,
                                            raw_ostream &O) {
  unsigned Number = MI->getOperand(OpNo).getImm();
  if (const auto *Reg = NPUSysReg::lookupSysRegByEncoding(Number))
    markup(O, Markup::Register) << Reg->Name;
  else
    markup(O, Markup::Immediate) << formatHex(uint64_t(Number));
}

void NPUInstPrinter::printFenceArg(const MCInst *MI, unsigned OpNo,
                                   const MCSubtargetInfo &, raw_ostream &O) {
  unsigned Set = MI->getOperand(OpNo).getImm();
  if (Set == 0) {
    markup(O, Markup::Immediate) << '0';
    return;
  }
  static constexpr std::pair<unsigned, char> Letters[] = {
      {NPUFenceField::I, 'i'},
      {NPUFenceField::O, 'o'},
      {NPUFenceField::R, 'r'},
      {NPUFenceField::W, 'w'}};
  for (auto [Bit, Letter] : Letters)
    if (Set & Bit)
      O << Letter;
}
