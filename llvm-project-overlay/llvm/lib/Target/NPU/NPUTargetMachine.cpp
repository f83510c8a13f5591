// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetMachine.cpp - target machine and pass pipeline -----------===//

#include "NPUTargetMachine.h"
#include "NPU.h"
#include "NPUMachineFunctionInfo.h"
#include "NPUScheduler.h"
#include "NPUTargetObjectFile.h"
#include "NPUTargetTransformInfo.h"
#include "NPUDoublingProducts.h"
#include "NPUVectorIdioms.h"
#include "NPUVectorTail.h"
#include "TargetInfo/NPUTargetInfo.h"
#include "llvm/CodeGen/GlobalISel/IRTranslator.h"
#include "llvm/CodeGen/GlobalISel/InstructionSelect.h"
#include "llvm/CodeGen/GlobalISel/Legalizer.h"
#include "llvm/CodeGen/GlobalISel/Localizer.h"
#include "llvm/CodeGen/GlobalISel/RegBankSelect.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/InitializePasses.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

using namespace llvm;

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void LLVMInitializeNPUTarget() {
  RegisterTargetMachine<NPUTargetMachine> X(getTheNPUTarget());
  PassRegistry &PR = *PassRegistry::getPassRegistry();
  initializeGlobalISel(PR);
  initializeNPUDebugAssignmentsPass(PR);
  initializeNPUDebugPreparationPass(PR);
  initializeNPUDebugWideValuesPass(PR);
  initializeNPUAsmPrinterPass(PR);
  initializeNPUO0PreLegalizerCombinerPass(PR);
  initializeNPUPreLegalizerCombinerPass(PR);
  initializeNPUPostLegalizerCombinerPass(PR);
  initializeNPUVectorIdiomsPass(PR);
}

NPUTargetMachine::NPUTargetMachine(const Target &T, const Triple &TT,
                                   StringRef CPU, StringRef FS,
                                   const TargetOptions &Options,
                                   std::optional<Reloc::Model>,
                                   std::optional<CodeModel::Model> CM,
                                   CodeGenOptLevel OL, bool)
    // Programs are linked to fixed addresses, all of which LUI reaches: there is
    // nothing that position-independent code would be good for.
    : CodeGenTargetMachineImpl(T, TT.computeDataLayout(), TT, CPU, FS, Options,
                               Reloc::Static,
                               getEffectiveCodeModel(CM, CodeModel::Small), OL),
      TLOF(std::make_unique<NPUTargetObjectFile>()) {
  initAsmInfo();
  // There is no other selector, so nothing to fall back to.
  setGlobalISel(true);
  setGlobalISelAbort(GlobalISelAbortMode::Enable);
  setSupportsDebugEntryValues(true);
  setCFIFixup(true);
  setMachineOutliner(true);
  setSupportsDefaultOutlining(true);
}

const NPUSubtarget *
NPUTargetMachine::getSubtargetImpl(const Function &F) const {
  auto Get = [&F](StringRef Name, StringRef Default) {
    Attribute A = F.getFnAttribute(Name);
    return A.isValid() ? A.getValueAsString() : Default;
  };
  StringRef CPU = Get("target-cpu", TargetCPU);
  StringRef FS = Get("target-features", TargetFS);
  std::unique_ptr<NPUSubtarget> &STI = SubtargetMap[(CPU + "," + FS).str()];
  if (!STI) {
    resetTargetOptions(F);
    STI = std::make_unique<NPUSubtarget>(TargetTriple, CPU, FS, *this);
  }
  return STI.get();
}

MachineFunctionInfo *NPUTargetMachine::createMachineFunctionInfo(
    BumpPtrAllocator &Allocator, const Function &F,
    const TargetSubtargetInfo *STI) const {
  return NPUMachineFunctionInfo::create<NPUMachineFunctionInfo>(Allocator, F,
                                                                STI);
}

ScheduleDAGInstrs *
NPUTargetMachine::createMachineScheduler(MachineSchedContext *C) const {
  return createNPUScheduler(C);
}

ScheduleDAGInstrs *
NPUTargetMachine::createPostMachineScheduler(MachineSchedContext *C) const {
  return createNPUPostScheduler(C);
}

TargetTransformInfo
NPUTargetMachine::getTargetTransformInfo(const Function &F) const {
  return TargetTransformInfo(std::make_unique<NPUTTIImpl>(this, F));
}

//===----------------------------------------------------------------------===//
// Pass pipeline
//===----------------------------------------------------------------------===//

// Around the vectorizers.
void NPUTargetMachine::registerPassBuilderCallbacks(PassBuilder &PB) {
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          FPM.addPass(NPUDoublingProductsPass());
      });
  PB.registerVectorizerEndEPCallback([](FunctionPassManager &FPM,
                                        OptimizationLevel Level) {
    if (Level == OptimizationLevel::O0)
      return;
    FPM.addPass(NPUVectorTailPass());
    FPM.addPass(InstCombinePass());
    FPM.addPass(NPUVectorIdiomsPass());
    // Tables stay in registers.
    FPM.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                /*UseMemorySSA=*/true));
    // The loops that the pass made; all others have had their turn.
    FPM.addPass(LoopUnrollPass(
        LoopUnrollOptions(Level.getSpeedupLevel(), /*OnlyWhenForced=*/true)));
  });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "npu-vector-tail")
          FPM.addPass(NPUVectorTailPass());
        else if (Name == "npu-doubling-products")
          FPM.addPass(NPUDoublingProductsPass());
        else if (Name == "npu-vector-idioms")
          FPM.addPass(NPUVectorIdiomsPass());
        else
          return false;
        return true;
      });
}

namespace {
class NPUPassConfig : public TargetPassConfig {
public:
  NPUPassConfig(NPUTargetMachine &TM, PassManagerBase &PM)
      : TargetPassConfig(TM, PM) {
    if (TM.getOptLevel() != CodeGenOptLevel::None)
      substitutePass(&PostRASchedulerID, &PostMachineSchedulerID);
    EnableLoopTermFold = true;
  }

  void addIRPasses() override;
  bool addPreISel() override;
  void addCodeGenPrepare() override;
  // No SelectionDAG: every function goes through GlobalISel.
  bool addInstSelector() override { return false; }
  bool addIRTranslator() override;
  void addPreLegalizeMachineIR() override;
  bool addLegalizeMachineIR() override;
  void addPreRegBankSelect() override;
  bool addRegBankSelect() override;
  void addPreGlobalInstructionSelect() override;
  bool addGlobalInstructionSelect() override;
  void addPreEmitPass() override;

private:
  bool isOptimizing() const {
    return getOptLevel() != CodeGenOptLevel::None;
  }
};
} // namespace

TargetPassConfig *NPUTargetMachine::createPassConfig(PassManagerBase &PM) {
  return new NPUPassConfig(*this, PM);
}

void NPUPassConfig::addIRPasses() {
  addPass(createAtomicExpandLegacyPass());
  addPass(createNPUVectorIdioms());
  TargetPassConfig::addIRPasses();
}

bool NPUPassConfig::addPreISel() {
  if (isOptimizing())
    // Neighbours in one object share the LUI of its address.
    addPass(createGlobalMergePass(TM, /*MaximalOffset=*/2047,
                                  /*OnlyOptimizeForSize=*/false,
                                  /*MergeExternalByDefault=*/false));
  return false;
}

void NPUPassConfig::addCodeGenPrepare() {
  if (isOptimizing())
    addPass(createTypePromotionLegacyPass());
  TargetPassConfig::addCodeGenPrepare();
}

bool NPUPassConfig::addIRTranslator() {
  addPass(createNPUDebugAssignments());
  addPass(new IRTranslator(getOptLevel()));
  if (isOptimizing())
    addPass(createNPUDebugPreparation());
  return false;
}

void NPUPassConfig::addPreLegalizeMachineIR() {
  addPass(isOptimizing() ? createNPUPreLegalizerCombiner()
                         : createNPUO0PreLegalizerCombiner());
}

bool NPUPassConfig::addLegalizeMachineIR() {
  if (isOptimizing())
    addPass(createNPUDebugWideValues(/*IsLegal=*/false));
  addPass(new Legalizer());
  if (isOptimizing())
    addPass(createNPUDebugWideValues(/*IsLegal=*/true));
  return false;
}

void NPUPassConfig::addPreRegBankSelect() {
  if (isOptimizing())
    addPass(createNPUPostLegalizerCombiner());
}

bool NPUPassConfig::addRegBankSelect() {
  addPass(new RegBankSelect());
  return false;
}

void NPUPassConfig::addPreGlobalInstructionSelect() {
  // Constants start in the entry block; without an optimizer they would occupy
  // registers all the way to their uses.
  addPass(new Localizer());
}

bool NPUPassConfig::addGlobalInstructionSelect() {
  addPass(new InstructionSelect(getOptLevel()));
  return false;
}

void NPUPassConfig::addPreEmitPass() { addPass(&BranchRelaxationPassID); }
