// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUSubtarget.cpp - the parts of the code generator ----------------===//

#include "NPUSubtarget.h"
#include "NPU.h"
#include "NPUTargetMachine.h"
#include "llvm/CodeGen/MachineScheduler.h"

using namespace llvm;

#define DEBUG_TYPE "npu-subtarget"

#define GET_SUBTARGETINFO_TARGET_DESC
#define GET_SUBTARGETINFO_CTOR
#include "NPUGenSubtargetInfo.inc"

static StringRef getEffectiveCPU(StringRef CPU) {
  return CPU.empty() ? "generic" : CPU;
}

NPUSubtarget::NPUSubtarget(const Triple &TT, StringRef CPU, StringRef FS,
                           const NPUTargetMachine &TM)
    : NPUGenSubtargetInfo(TT, getEffectiveCPU(CPU), getEffectiveCPU(CPU), FS),
      InstrInfo(*this), TLInfo(TM, *this), CallLoweringInfo(TLInfo),
      InlineAsmLoweringInfo(TLInfo), Legalizer(*this),
      InstSelector(createNPUInstructionSelector(TM, *this, RegBankInfo)) {
  ParseSubtargetFeatures(getEffectiveCPU(CPU), getEffectiveCPU(CPU), FS);
}

// Both directions at once balance latency against register pressure; a spill
// costs more than the bubble it avoids, so pressure is always watched.
void NPUSubtarget::overrideSchedPolicy(MachineSchedPolicy &Policy,
                                       const SchedRegion &) const {
  Policy.OnlyTopDown = false;
  Policy.OnlyBottomUp = false;
  Policy.ShouldTrackPressure = true;
}
