// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetObjectFile.h - object file sections ------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUTARGETOBJECTFILE_H
#define LLVM_LIB_TARGET_NPU_NPUTARGETOBJECTFILE_H

#include "llvm/CodeGen/TargetLoweringObjectFileImpl.h"

namespace llvm {

class NPUTargetObjectFile : public TargetLoweringObjectFileELF {
public:
  void Initialize(MCContext &Ctx, const TargetMachine &TM) override;
};

} // namespace llvm

#endif
