// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPULegalizerInfo.h - which operations the machine has ---*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPULEGALIZERINFO_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPULEGALIZERINFO_H

#include "llvm/CodeGen/GlobalISel/LegalizerInfo.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {

class MachineIRBuilder;
class NPUSubtarget;

class NPULegalizerInfo : public LegalizerInfo {
public:
  explicit NPULegalizerInfo(const NPUSubtarget &STI);

  bool legalizeCustom(LegalizerHelper &Helper, MachineInstr &MI,
                      LostDebugLocObserver &LocObserver) const override;
  bool legalizeIntrinsic(LegalizerHelper &Helper,
                         MachineInstr &MI) const override;

private:
  bool legalizeWideMultiply(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeWideShift(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeWideCompare(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeMemsetInline(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeFrexp(MachineInstr &MI, MachineIRBuilder &B,
                     LostDebugLocObserver &LocObserver) const;
  bool legalizeCountZeros(MachineInstr &MI, MachineIRBuilder &B) const;
  bool legalizeJumpTable(MachineInstr &MI, MachineIRBuilder &B) const;
  // NPULegalizerWide.cpp
  bool legalizeWideRemainder(MachineInstr &MI, MachineIRBuilder &B) const;
  bool legalizeWideFPToInt(MachineInstr &MI, MachineIRBuilder &B) const;
  bool legalizeWideIntToFP(MachineInstr &MI, MachineIRBuilder &B) const;
  // NPULegalizerVector.cpp
  bool legalizeVector(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeLaneMask(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeFirstLane(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeMaskedLoad(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeMaskedStore(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeVAStart(MachineInstr &MI, MachineIRBuilder &B) const;
  bool legalizeReadRegister(LegalizerHelper &Helper, MachineInstr &MI) const;
  bool legalizeReturnAddress(MachineInstr &MI, MachineIRBuilder &B) const;
  Register buildFrameAddress(MachineIRBuilder &B, unsigned Depth) const;
};

} // namespace llvm

#endif
