// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPURegisterInfo.h - registers and frame indices ---------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUREGISTERINFO_H
#define LLVM_LIB_TARGET_NPU_NPUREGISTERINFO_H

#include "llvm/CodeGen/TargetRegisterInfo.h"

#define GET_REGINFO_HEADER
#include "NPUGenRegisterInfo.inc"

namespace llvm {

class NPURegisterInfo : public NPUGenRegisterInfo {
public:
  NPURegisterInfo();

  const MCPhysReg *getCalleeSavedRegs(const MachineFunction *MF) const override;
  const uint32_t *getCallPreservedMask(const MachineFunction &MF,
                                       CallingConv::ID CC) const override;
  const uint32_t *getPreservedByCallMask(MachineFunction &MF) const;
  const uint32_t *getNoPreservedMask() const override;
  BitVector getReservedRegs(const MachineFunction &MF) const override;
  bool isAsmClobberable(const MachineFunction &MF,
                        MCRegister Reg) const override;

  // Dest = Src + Value, in as many instructions as it takes.
  void adjustReg(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                 const DebugLoc &DL, Register Dest, Register Src, int64_t Value,
                 MachineInstr::MIFlag Flag) const;

  // The first of the two immediates that make up Value, if that is how adjustReg
  // adds it.
  static std::optional<int64_t> getFirstOfTwoSteps(int64_t Value);

  bool eliminateFrameIndex(MachineBasicBlock::iterator I, int SPAdj,
                           unsigned FIOperandNum,
                           RegScavenger *RS = nullptr) const override;

  const TargetRegisterClass *getPointerRegClass(unsigned Kind) const override;

  // The first use of a saved register adds a store and a load, each executed as
  // often as the function's entry (2^14 by convention).
  unsigned getCSRFirstUseCost() const override { return 2 << 14; }

  Register getFrameRegister(const MachineFunction &MF) const override;

  bool requiresRegisterScavenging(const MachineFunction &) const override {
    return true;
  }
  bool requiresFrameIndexScavenging(const MachineFunction &) const override {
    return true;
  }

  // An error if the user has reserved Reg (-ffixed-x) and the function has this use
  // for it. Compilation goes on.
  static void checkNotReserved(const MachineFunction &MF, MCRegister Reg,
                               const char *Use, const DebugLoc &DL);

  // By machine name, ABI name or "fp"; no register otherwise.
  static MCRegister findByName(StringRef Name);
};

} // namespace llvm

#endif
