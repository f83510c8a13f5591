// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstPrinter.h - MCInst to assembly text --------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUINSTPRINTER_H
#define LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUINSTPRINTER_H

#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "llvm/MC/MCInstPrinter.h"

namespace llvm {

class NPUInstPrinter : public MCInstPrinter {
  // x0..x31 instead of the ABI's names (-M numeric).
  bool NumericRegNames = false;

public:
  using MCInstPrinter::MCInstPrinter;

  bool applyTargetSpecificCLOption(StringRef Opt) override;
  void printInst(const MCInst *MI, uint64_t Address, StringRef Annot,
                 const MCSubtargetInfo &STI, raw_ostream &O) override;
  void printRegName(raw_ostream &O, MCRegister Reg) override;

  // Generated.
  std::pair<const char *, uint64_t>
  getMnemonic(const MCInst &MI) const override;
  void printInstruction(const MCInst *MI, uint64_t Address,
                        const MCSubtargetInfo &STI, raw_ostream &O);
  bool printAliasInstr(const MCInst *MI, uint64_t Address,
                       const MCSubtargetInfo &STI, raw_ostream &O);
  void printCustomAliasOperand(const MCInst *MI, uint64_t Address,
                               unsigned OpIdx, unsigned PrintMethodIdx,
                               const MCSubtargetInfo &STI, raw_ostream &O);
  static const char *getRegisterName(MCRegister Reg,
                                     unsigned AltIdx = NPU::ABIRegAltName);

private:
  // Called by the generated code.
  void printOperand(const MCInst *MI, unsigned OpNo, const MCSubtargetInfo &STI,
                    raw_ostream &O);
  void printBranchOperand(const MCInst *MI, uint64_t Address, unsigned OpNo,
                          const MCSubtargetInfo &STI, raw_ostream &O);
  void printCSRSystemRegister(const MCInst *MI, unsigned OpNo,
                              const MCSubtargetInfo &STI, raw_ostream &O);
  void printFenceArg(const MCInst *MI, unsigned OpNo,
                     const MCSubtargetInfo &STI, raw_ostream &O);
};

} // namespace llvm

#endif
