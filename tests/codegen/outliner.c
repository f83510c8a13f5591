// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repeated code becomes a function at -Oz, and only there: by a call through t0, by a call in place
// of the sequence's last call, or by a jump in place of its return. The frame's state is said again
// behind a call that replaces a prologue.
//
// RUN: %cc -Oz -S -mllvm -verify-machineinstrs %s -o - | FileCheck %s
// RUN: %cc -O2 -S %s -o - | FileCheck --check-prefix=FAST %s
// RUN: %cc -Oz -g -c %s -o %t.o
// RUN: llvm-dwarfdump --debug-frame %t.o | FileCheck --check-prefix=FRAME %s

// FAST-NOT: OUTLINED

#include <stdint.h>

extern uint32_t a, b, c, d;
void f(uint32_t, uint32_t, uint32_t);
uint32_t g(uint32_t *);

// CHECK-LABEL: middle1:
// CHECK: call t0, [[SUBROUTINE:OUTLINED_FUNCTION_[0-9]+]]
uint32_t middle1(uint32_t x) {
  uint32_t y = (x ^ x << 13) * 2654435761u + 99999;
  y = (y ^ y >> 17) * 2246822519u;
  return y + 1;
}
// CHECK-LABEL: middle2:
// CHECK: call t0, [[SUBROUTINE]]
uint32_t middle2(uint32_t x) {
  uint32_t y = (x ^ x << 13) * 2654435761u + 99999;
  y = (y ^ y >> 17) * 2246822519u;
  return y ^ a;
}

// CHECK-LABEL: calls1:
// CHECK: call [[THUNK:OUTLINED_FUNCTION_[0-9]+]]
void calls1(void) {
  f(1111111, 2222222, 3333333);
  a = 1;
}
// CHECK-LABEL: calls2:
// CHECK: call [[THUNK]]
void calls2(void) {
  f(1111111, 2222222, 3333333);
  b = 2;
}

// CHECK-LABEL: keeps1:
// CHECK: call t0, [[PROLOGUE:OUTLINED_FUNCTION_[0-9]+]]
// CHECK: tail [[EPILOGUE:OUTLINED_FUNCTION_[0-9]+]]
// FRAME: DW_CFA_def_cfa_offset: +32
uint32_t keeps1(uint32_t *p, uint32_t q, uint32_t r, uint32_t s, uint32_t t) {
  g(p);
  f(q, r, s);
  return g(p) + q + r + s + t;
}
// CHECK-LABEL: keeps2:
// CHECK: call t0, [[PROLOGUE]]
// CHECK: tail [[EPILOGUE]]
// FRAME: DW_CFA_def_cfa_offset: +32
uint32_t keeps2(uint32_t *p, uint32_t q, uint32_t r, uint32_t s, uint32_t t) {
  g(p + 1);
  f(s, r, q);
  return (g(p) ^ q ^ r ^ s) - t;
}

// CHECK: [[SUBROUTINE]]:
// CHECK: jr t0
// CHECK: [[THUNK]]:
// CHECK: tail f
