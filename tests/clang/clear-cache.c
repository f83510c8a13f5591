// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code written as data is fetched after a fence.i. There is no brain floating point type.

// RUN: %clang -O1 -S -o - %s | FileCheck %s
// RUN: not %clang -fsyntax-only -DBF16 %s 2>&1 | FileCheck --check-prefix=BF16 %s

// CHECK-LABEL: code_changed:
// CHECK-NOT: call
// CHECK: fence.i
void code_changed(char *begin, char *end) { __builtin___clear_cache(begin, end); }

#ifdef BF16
// BF16: error: __bf16 is not supported on this target
__bf16 x;
#endif
