// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUO0PreLegalizerCombiner.cpp - combines without optimization -----===//

#include "NPU.h"
#include "NPUCombinerPass.h"
#include "NPUCombines.h"
#include "NPUSubtarget.h"
#include "llvm/InitializePasses.h"

#define GET_GICOMBINER_DEPS
#include "NPUGenO0PreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_DEPS

#define DEBUG_TYPE "npu-O0-prelegalizer-combiner"

using namespace llvm;
using namespace NPUCombines;

namespace {

#define GET_GICOMBINER_TYPES
#include "NPUGenO0PreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_TYPES

class NPUO0PreLegalizerCombinerImpl : public Combiner {
public:
  using Rules = NPUO0PreLegalizerCombinerImplRuleConfig;
  static constexpr bool IsPreLegalize = true;
  static constexpr bool OptimizesFully = false;

  NPUO0PreLegalizerCombinerImpl(const NPUCombinerContext &C, const Rules &RuleConfig);

  static const char *getName() { return "NPUO0PreLegalizerCombiner"; }
  bool tryCombineAll(MachineInstr &MI) const override;

private:
  bool tryCombineAllImpl(MachineInstr &MI) const;

  const CombinerHelper Helper;
  const Rules &RuleConfig;
  const NPUSubtarget &STI;

#define GET_GICOMBINER_CLASS_MEMBERS
#include "NPUGenO0PreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_CLASS_MEMBERS
};

#define GET_GICOMBINER_IMPL
#include "NPUGenO0PreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_IMPL

NPUO0PreLegalizerCombinerImpl::NPUO0PreLegalizerCombinerImpl(const NPUCombinerContext &C, const Rules &RuleConfig)
    : Combiner(C.MF, C.Info, C.TPC, C.VT, C.CSEInfo),
      Helper(Observer, B, IsPreLegalize, C.VT, C.MDT,
             C.MF.getSubtarget().getLegalizerInfo()),
      RuleConfig(RuleConfig), STI(C.MF.getSubtarget<NPUSubtarget>()),
#define GET_GICOMBINER_CONSTRUCTOR_INITS
#include "NPUGenO0PreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_CONSTRUCTOR_INITS
{
}

bool NPUO0PreLegalizerCombinerImpl::tryCombineAll(MachineInstr &MI) const {
  if (tryCombineAllImpl(MI))
    return true;
  switch (MI.getOpcode()) {
  case TargetOpcode::G_MEMCPY_INLINE:
    return Helper.tryEmitMemcpyInline(MI);
  case TargetOpcode::G_MEMCPY:
  case TargetOpcode::G_MEMMOVE:
  case TargetOpcode::G_MEMSET:
    // At -O0 a call keeps the code small, but a few words are moved faster than
    // the call is set up.
    return Helper.tryCombineMemCpyFamily(MI, /*MaxLen=*/16);
  }
  return false;
}

class NPUO0PreLegalizerCombiner : public NPUCombinerPass<NPUO0PreLegalizerCombinerImpl> {
public:
  static char ID;
  NPUO0PreLegalizerCombiner() : NPUCombinerPass(ID) {}
};

} // namespace

char NPUO0PreLegalizerCombiner::ID = 0;

INITIALIZE_PASS_BEGIN(NPUO0PreLegalizerCombiner, DEBUG_TYPE, "Combine NPU operations before legalization at -O0",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(TargetPassConfig)
INITIALIZE_PASS_DEPENDENCY(GISelValueTrackingAnalysisLegacy)
INITIALIZE_PASS_DEPENDENCY(GISelCSEAnalysisWrapperPass)
INITIALIZE_PASS_END(NPUO0PreLegalizerCombiner, DEBUG_TYPE, "Combine NPU operations before legalization at -O0",
                    false, false)

FunctionPass *llvm::createNPUO0PreLegalizerCombiner() { return new NPUO0PreLegalizerCombiner(); }
