// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUDoublingProducts.h - fixed-point products ------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUDOUBLINGPRODUCTS_H
#define LLVM_LIB_TARGET_NPU_NPUDOUBLINGPRODUCTS_H

#include "llvm/IR/PassManager.h"

namespace llvm {

class CallInst;
class Value;

// Makes rounding doubling high products in loops known to the vectorizer.
class NPUDoublingProductsPass : public PassInfoMixin<NPUDoublingProductsPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
};

namespace NPUVector {

// What a call that this pass made stands for, in front of it; null for other calls.
Value *expandDoublingProduct(CallInst &Call);

} // namespace NPUVector
} // namespace llvm

#endif
