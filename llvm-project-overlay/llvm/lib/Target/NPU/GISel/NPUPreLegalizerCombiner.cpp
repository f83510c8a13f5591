// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUPreLegalizerCombiner.cpp - combines on the types of IR ---------===//

#include "NPU.h"
#include "NPUCombinerPass.h"
#include "NPUCombines.h"
#include "NPUSubtarget.h"
#include "llvm/InitializePasses.h"

#define GET_GICOMBINER_DEPS
#include "NPUGenPreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_DEPS

#define DEBUG_TYPE "npu-prelegalizer-combiner"

using namespace llvm;
using namespace NPUCombines;

namespace {

#define GET_GICOMBINER_TYPES
#include "NPUGenPreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_TYPES

class NPUPreLegalizerCombinerImpl : public Combiner {
public:
  using Rules = NPUPreLegalizerCombinerImplRuleConfig;
  static constexpr bool IsPreLegalize = true;
  static constexpr bool OptimizesFully = true;

  NPUPreLegalizerCombinerImpl(const NPUCombinerContext &C, const Rules &RuleConfig);

  static const char *getName() { return "NPUPreLegalizerCombiner"; }
  bool tryCombineAll(MachineInstr &MI) const override;

private:
  bool tryCombineAllImpl(MachineInstr &MI) const;

  const CombinerHelper Helper;
  const Rules &RuleConfig;
  const NPUSubtarget &STI;

#define GET_GICOMBINER_CLASS_MEMBERS
#include "NPUGenPreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_CLASS_MEMBERS
};

#define GET_GICOMBINER_IMPL
#include "NPUGenPreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_IMPL

NPUPreLegalizerCombinerImpl::NPUPreLegalizerCombinerImpl(const NPUCombinerContext &C, const Rules &RuleConfig)
    : Combiner(C.MF, C.Info, C.TPC, C.VT, C.CSEInfo),
      Helper(Observer, B, IsPreLegalize, C.VT, C.MDT,
             C.MF.getSubtarget().getLegalizerInfo()),
      RuleConfig(RuleConfig), STI(C.MF.getSubtarget<NPUSubtarget>()),
#define GET_GICOMBINER_CONSTRUCTOR_INITS
#include "NPUGenPreLegalizeGICombiner.inc"
#undef GET_GICOMBINER_CONSTRUCTOR_INITS
{
}

bool NPUPreLegalizerCombinerImpl::tryCombineAll(MachineInstr &MI) const {
  if (tryCombineAllImpl(MI))
    return true;
  switch (MI.getOpcode()) {
  case TargetOpcode::G_MEMCPY_INLINE:
    return Helper.tryEmitMemcpyInline(MI);
  case TargetOpcode::G_MEMCPY:
  case TargetOpcode::G_MEMMOVE:
  case TargetOpcode::G_MEMSET:
    alignStackObjects(MI);
    return Helper.tryCombineMemCpyFamily(MI);
  }
  return false;
}

class NPUPreLegalizerCombiner : public NPUCombinerPass<NPUPreLegalizerCombinerImpl> {
public:
  static char ID;
  NPUPreLegalizerCombiner() : NPUCombinerPass(ID) {}
};

} // namespace

char NPUPreLegalizerCombiner::ID = 0;

INITIALIZE_PASS_BEGIN(NPUPreLegalizerCombiner, DEBUG_TYPE, "Combine NPU operations before legalization",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(TargetPassConfig)
INITIALIZE_PASS_DEPENDENCY(GISelValueTrackingAnalysisLegacy)
INITIALIZE_PASS_DEPENDENCY(GISelCSEAnalysisWrapperPass)
INITIALIZE_PASS_END(NPUPreLegalizerCombiner, DEBUG_TYPE, "Combine NPU operations before legalization",
                    false, false)

FunctionPass *llvm::createNPUPreLegalizerCombiner() { return new NPUPreLegalizerCombiner(); }
