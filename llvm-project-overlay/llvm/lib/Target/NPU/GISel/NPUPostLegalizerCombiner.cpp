// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUPostLegalizerCombiner.cpp - combines on words ------------------===//
//
// These keep every operation legal.
//
//===----------------------------------------------------------------------===//

#include "NPU.h"
#include "NPUCombinerPass.h"
#include "NPUCombines.h"
#include "NPUSubtarget.h"
#include "llvm/InitializePasses.h"

#define GET_GICOMBINER_DEPS
#include "NPUGenPostLegalizeGICombiner.inc"
#undef GET_GICOMBINER_DEPS

#define DEBUG_TYPE "npu-postlegalizer-combiner"

using namespace llvm;
using namespace NPUCombines;

namespace {

#define GET_GICOMBINER_TYPES
#include "NPUGenPostLegalizeGICombiner.inc"
#undef GET_GICOMBINER_TYPES

class NPUPostLegalizerCombinerImpl : public Combiner {
public:
  using Rules = NPUPostLegalizerCombinerImplRuleConfig;
  static constexpr bool IsPreLegalize = false;
  static constexpr bool OptimizesFully = true;

  NPUPostLegalizerCombinerImpl(const NPUCombinerContext &C, const Rules &RuleConfig);

  static const char *getName() { return "NPUPostLegalizerCombiner"; }
  bool tryCombineAll(MachineInstr &MI) const override;

private:
  const CombinerHelper Helper;
  const Rules &RuleConfig;
  const NPUSubtarget &STI;

#define GET_GICOMBINER_CLASS_MEMBERS
#include "NPUGenPostLegalizeGICombiner.inc"
#undef GET_GICOMBINER_CLASS_MEMBERS
};

#define GET_GICOMBINER_IMPL
#include "NPUGenPostLegalizeGICombiner.inc"
#undef GET_GICOMBINER_IMPL

NPUPostLegalizerCombinerImpl::NPUPostLegalizerCombinerImpl(const NPUCombinerContext &C, const Rules &RuleConfig)
    : Combiner(C.MF, C.Info, C.TPC, C.VT, C.CSEInfo),
      Helper(Observer, B, IsPreLegalize, C.VT, C.MDT,
             C.MF.getSubtarget().getLegalizerInfo()),
      RuleConfig(RuleConfig), STI(C.MF.getSubtarget<NPUSubtarget>()),
#define GET_GICOMBINER_CONSTRUCTOR_INITS
#include "NPUGenPostLegalizeGICombiner.inc"
#undef GET_GICOMBINER_CONSTRUCTOR_INITS
{
}

class NPUPostLegalizerCombiner : public NPUCombinerPass<NPUPostLegalizerCombinerImpl> {
public:
  static char ID;
  NPUPostLegalizerCombiner() : NPUCombinerPass(ID) {}
};

} // namespace

char NPUPostLegalizerCombiner::ID = 0;

INITIALIZE_PASS_BEGIN(NPUPostLegalizerCombiner, DEBUG_TYPE, "Combine NPU operations after legalization",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(TargetPassConfig)
INITIALIZE_PASS_DEPENDENCY(GISelValueTrackingAnalysisLegacy)
INITIALIZE_PASS_DEPENDENCY(GISelCSEAnalysisWrapperPass)
INITIALIZE_PASS_END(NPUPostLegalizerCombiner, DEBUG_TYPE, "Combine NPU operations after legalization",
                    false, false)

FunctionPass *llvm::createNPUPostLegalizerCombiner() { return new NPUPostLegalizerCombiner(); }
