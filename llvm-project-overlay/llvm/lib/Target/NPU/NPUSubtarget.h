// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUSubtarget.h - the parts of the code generator --------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUSUBTARGET_H
#define LLVM_LIB_TARGET_NPU_NPUSUBTARGET_H

#include "GISel/NPUCallLowering.h"
#include "GISel/NPUInlineAsmLowering.h"
#include "GISel/NPULegalizerInfo.h"
#include "GISel/NPURegisterBankInfo.h"
#include "NPUFrameLowering.h"
#include "NPUISelLowering.h"
#include "NPUInstrInfo.h"
#include "NPURegisterInfo.h"
#include "llvm/CodeGen/GlobalISel/InstructionSelector.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <bitset>
#include <memory>

#define GET_SUBTARGETINFO_HEADER
#include "NPUGenSubtargetInfo.inc"

namespace llvm {

class NPUTargetMachine;

class NPUSubtarget : public NPUGenSubtargetInfo {
  bool EnableLinkerRelax = false; // read by the assembler only
  std::bitset<NPU::NUM_TARGET_REGS> UserReservedRegisters;

  NPUFrameLowering FrameLowering;
  NPUInstrInfo InstrInfo;
  NPUTargetLowering TLInfo;

  NPUCallLowering CallLoweringInfo;
  NPUInlineAsmLowering InlineAsmLoweringInfo;
  NPULegalizerInfo Legalizer;
  NPURegisterBankInfo RegBankInfo;
  std::unique_ptr<InstructionSelector> InstSelector;

public:
  NPUSubtarget(const Triple &TT, StringRef CPU, StringRef FS,
               const NPUTargetMachine &TM);

  // Generated.
  void ParseSubtargetFeatures(StringRef CPU, StringRef TuneCPU, StringRef FS);

  const NPUFrameLowering *getFrameLowering() const override {
    return &FrameLowering;
  }
  const NPUInstrInfo *getInstrInfo() const override { return &InstrInfo; }
  const NPURegisterInfo *getRegisterInfo() const override {
    return &InstrInfo.getRegisterInfo();
  }
  const NPUTargetLowering *getTargetLowering() const override {
    return &TLInfo;
  }
  const CallLowering *getCallLowering() const override {
    return &CallLoweringInfo;
  }
  const InlineAsmLowering *getInlineAsmLowering() const override {
    return &InlineAsmLoweringInfo;
  }
  const LegalizerInfo *getLegalizerInfo() const override { return &Legalizer; }
  const RegisterBankInfo *getRegBankInfo() const override {
    return &RegBankInfo;
  }
  InstructionSelector *getInstructionSelector() const override {
    return InstSelector.get();
  }

  bool isRegisterReservedByUser(Register Reg) const override {
    return UserReservedRegisters[Reg.id()];
  }

  bool enableMachineScheduler() const override { return true; }
  void overrideSchedPolicy(MachineSchedPolicy &Policy,
                           const SchedRegion &Region) const override;
  bool useAA() const override { return true; }
};

} // namespace llvm

#endif
