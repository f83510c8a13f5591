// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUVectorTail.h - the tail of vector loops --------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUVECTORTAIL_H
#define LLVM_LIB_TARGET_NPU_NPUVECTORTAIL_H

#include "llvm/IR/PassManager.h"

namespace llvm {

// Splits loops with a folded tail into full vectors and one masked iteration.
class NPUVectorTailPass : public PassInfoMixin<NPUVectorTailPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
};

} // namespace llvm

#endif
