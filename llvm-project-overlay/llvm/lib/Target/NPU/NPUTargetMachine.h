// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetMachine.h - target machine and pass pipeline ---*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUTARGETMACHINE_H
#define LLVM_LIB_TARGET_NPU_NPUTARGETMACHINE_H

#include "NPUSubtarget.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include <memory>
#include <optional>

namespace llvm {

class NPUTargetMachine : public CodeGenTargetMachineImpl {
  std::unique_ptr<TargetLoweringObjectFile> TLOF;
  // One for each CPU name and feature string that functions ask for.
  mutable StringMap<std::unique_ptr<NPUSubtarget>> SubtargetMap;

public:
  NPUTargetMachine(const Target &T, const Triple &TT, StringRef CPU,
                   StringRef FS, const TargetOptions &Options,
                   std::optional<Reloc::Model> RM,
                   std::optional<CodeModel::Model> CM, CodeGenOptLevel OL,
                   bool JIT);

  const NPUSubtarget *getSubtargetImpl(const Function &F) const override;
  const NPUSubtarget *getSubtargetImpl() const = delete;

  TargetPassConfig *createPassConfig(PassManagerBase &PM) override;
  void registerPassBuilderCallbacks(PassBuilder &PB) override;
  ScheduleDAGInstrs *
  createMachineScheduler(MachineSchedContext *C) const override;
  ScheduleDAGInstrs *
  createPostMachineScheduler(MachineSchedContext *C) const override;
  TargetTransformInfo getTargetTransformInfo(const Function &F) const override;

  TargetLoweringObjectFile *getObjFileLowering() const override {
    return TLOF.get();
  }

  MachineFunctionInfo *
  createMachineFunctionInfo(BumpPtrAllocator &Allocator, const Function &F,
                            const TargetSubtargetInfo *STI) const override;

  bool isNoopAddrSpaceCast(unsigned, unsigned) const override { return true; }
};

} // namespace llvm

#endif
