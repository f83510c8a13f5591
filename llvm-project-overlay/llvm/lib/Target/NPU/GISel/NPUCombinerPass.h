// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCombinerPass.h - the pass around a set of combines ---*- C++ -*-===//
//
// The three combiners differ in their generated rules; how a pass runs them over a
// function is the same for all.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPUCOMBINERPASS_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPUCOMBINERPASS_H

#include "llvm/CodeGen/GlobalISel/CSEInfo.h"
#include "llvm/CodeGen/GlobalISel/Combiner.h"
#include "llvm/CodeGen/GlobalISel/CombinerHelper.h"
#include "llvm/CodeGen/GlobalISel/CombinerInfo.h"
#include "llvm/CodeGen/GlobalISel/GIMatchTableExecutorImpl.h"
#include "llvm/CodeGen/GlobalISel/GISelValueTracking.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"

namespace llvm {

// What a combiner is built from.
struct NPUCombinerContext {
  MachineFunction &MF;
  CombinerInfo &Info;
  const TargetPassConfig *TPC;
  GISelValueTracking *VT;
  GISelCSEInfo *CSEInfo;
  MachineDominatorTree *MDT;
};

// ImplT provides Rules (a type), IsPreLegalize and OptimizesFully (constants),
// and a constructor from the context and the rule configuration.
template <typename ImplT> class NPUCombinerPass : public MachineFunctionPass {
  typename ImplT::Rules RuleConfig;

public:
  explicit NPUCombinerPass(char &ID) : MachineFunctionPass(ID) {
    if (!RuleConfig.parseCommandLineOption())
      reportFatalUsageError("invalid combine rule identifier");
  }

  StringRef getPassName() const override { return ImplT::getName(); }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<TargetPassConfig>();
    AU.addRequired<GISelValueTrackingAnalysisLegacy>();
    AU.addPreserved<GISelValueTrackingAnalysisLegacy>();
    AU.addRequired<GISelCSEAnalysisWrapperPass>();
    AU.addPreserved<GISelCSEAnalysisWrapperPass>();
    if (ImplT::OptimizesFully) {
      AU.addRequired<MachineDominatorTreeWrapperPass>();
      AU.addPreserved<MachineDominatorTreeWrapperPass>();
    }
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (MF.getProperties().hasFailedISel())
      return false;
    const Function &F = MF.getFunction();
    auto &TPC = getAnalysis<TargetPassConfig>();
    MachineDominatorTree *MDT = nullptr;
    if (ImplT::OptimizesFully)
      MDT = &getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();

    CombinerInfo Info(/*AllowIllegalOps=*/true, /*ShouldLegalizeIllegal=*/false,
                      /*LInfo=*/nullptr,
                      /*OptEnabled=*/ImplT::OptimizesFully && !skipFunction(F),
                      F.hasOptSize(), F.hasMinSize());
    if (ImplT::IsPreLegalize) {
      // A fixed point would cost more time than it finds; a single pass that
      // revisits what changed is enough.
      Info.MaxIterations = 1;
      Info.ObserverLvl = CombinerInfo::ObserverLevel::SinglePass;
      Info.EnableFullDCE = true;
    }
    ImplT Impl({MF, Info, &TPC,
                &getAnalysis<GISelValueTrackingAnalysisLegacy>().get(MF),
                &getAnalysis<GISelCSEAnalysisWrapperPass>().getCSEWrapper().get(
                    TPC.getCSEConfig()),
                MDT},
               RuleConfig);
    return Impl.combineMachineInstrs();
  }
};

} // namespace llvm

#endif
