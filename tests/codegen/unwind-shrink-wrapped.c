// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block without a frame that stands between blocks that have one is unwound without it.

// RUN: %clang -Og -g -S -o - %s | FileCheck %s

typedef int vector __attribute__((vector_size(64)));
int leaf(int);
void note(const void *, int);

// CHECK-LABEL: frameless_in_the_middle:
// CHECK: .cfi_def_cfa_offset {{[1-9]}}
// CHECK: .cfi_remember_state
// CHECK: .cfi_def_cfa sp, 0
// CHECK: .cfi_restore ra
// CHECK: li a{{[0-9]}}, 5
// CHECK: ret
// CHECK: .cfi_restore_state
int frameless_in_the_middle(int n, vector *v) {
  if (n == 0)
    return 5;
  vector x = v[0], y = v[1];
  if (n == 1) {
    __asm__ volatile("" : : "vr"(x), "vr"(y));
    return x[0];
  }
  leaf(n);
  x += y;
  note(&x, 64);
  return leaf(x[3]);
}
