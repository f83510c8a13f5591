// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cost model makes of loops.
//
// RUN: %cc -Os -fno-vectorize -S -mllvm -verify-machineinstrs %s -o - | FileCheck %s

#include <stdint.h>

// One pointer and a displacement serve both arrays' neighbours; the end is an address, too.
// CHECK-LABEL: dot:
// CHECK: .LBB0_1:
// CHECK-NEXT: lh
// CHECK-NEXT: lh
// CHECK-NEXT: addi
// CHECK-NEXT: mul
// CHECK-NEXT: addi
// CHECK-NEXT: add
// CHECK-NEXT: bne
int32_t dot(const int16_t a[32], const int16_t b[32]) {
  int32_t sum = 0;
  for (int i = 0; i < 32; i++)
    sum += a[i] * b[i];
  return sum;
}

// Two-instruction constants and addresses stay outside.
// CHECK-LABEL: limit:
// CHECK: lui
// CHECK: .LBB1_[[LOOP:[0-9]+]]:
// CHECK-NOT: lui
// CHECK: bne {{.*}}, .LBB1_[[LOOP]]
int32_t table[16];
void limit(int32_t *p) {
  for (int i = 0; i < 16; i++)
    if (p[i] > 123456)
      p[i] = table[i] + 123456;
}

// No instruction counts leading zeros, so a loop that does stays a loop.
// CHECK-LABEL: normalize:
// CHECK-NOT: mul
// CHECK: .size normalize
uint32_t normalize(uint32_t f, int *e) {
  while (!(f & 0x40000000)) {
    f <<= 1;
    --*e;
  }
  return f;
}

// A pointer that runs through the loop is used as it is behind it; its old value need not live on.
// CHECK-LABEL: equal:
// CHECK-NOT: mv
// CHECK: .size equal
int equal(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}
