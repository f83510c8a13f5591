// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantic checks specific to the NPU.

#ifndef LLVM_CLANG_SEMA_SEMANPU_H
#define LLVM_CLANG_SEMA_SEMANPU_H

#include "clang/AST/ASTFwd.h"
#include "clang/Sema/SemaBase.h"

namespace clang {

/// Stateless, so made where it is needed: a member of Sema would change Sema's layout.
class SemaNPU : public SemaBase {
public:
  SemaNPU(Sema &S) : SemaBase(S) {}

  /// Checks the ranges of constant operands; returns true after an error.
  bool CheckBuiltinFunctionCall(unsigned BuiltinID, CallExpr *TheCall);
};

} // namespace clang

#endif // LLVM_CLANG_SEMA_SEMANPU_H
