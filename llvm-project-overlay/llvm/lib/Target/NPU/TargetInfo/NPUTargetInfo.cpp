// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetInfo.cpp - NPU target registration -----------------------===//

#include "NPUTargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Compiler.h"

using namespace llvm;

Target &llvm::getTheNPUTarget() {
  static Target TheNPUTarget;
  return TheNPUTarget;
}

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void
LLVMInitializeNPUTargetInfo() {
  RegisterTarget<Triple::npu, /*HasJIT=*/false> X(
      getTheNPUTarget(), "npu", "NPU: RV32IM with the Xnpu matrix extension",
      "NPU");
}
