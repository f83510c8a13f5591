// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantic checks specific to the NPU.

#include "clang/Sema/SemaNPU.h"
#include "clang/Basic/TargetBuiltins.h"
#include "clang/Sema/Sema.h"

using namespace clang;

bool SemaNPU::CheckBuiltinFunctionCall(unsigned BuiltinID, CallExpr *TheCall) {
  switch (BuiltinID) {
  case NPU::BI__builtin_npu_dma_start:
    return SemaRef.BuiltinConstantArgRange(TheCall, 1, 0, 1); // channel
  case NPU::BI__builtin_npu_fence:
    return SemaRef.BuiltinConstantArgRange(TheCall, 0, 0, 31); // mask of units
  case NPU::BI__builtin_npu_csr_read:
  case NPU::BI__builtin_npu_csr_write:
    return SemaRef.BuiltinConstantArgRange(TheCall, 0, 0, 4095); // CSR number
  default:
    return false;
  }
}
