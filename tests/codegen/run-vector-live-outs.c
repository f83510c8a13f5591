// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code behind a vector loop wants of it: the pointers, indices and values of its last
// iteration. Divisions by constants in elements of every width.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc" --simulator "%iss" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding -fno-vectorize" %s %t
// RUN: %cc -O2 -S -mllvm -verify-machineinstrs %s -o - | FileCheck %s

#include <stdint.h>

int printf(const char *, ...);

enum { N = 200 };
static uint8_t bytes[2 * N];
static int16_t halves[N];
static int32_t words[N];

// The pointers that are left come from the count, not from a vector of all pointers.
// CHECK-LABEL: copy:
// CHECK: v.ld
// CHECK-NOT: v.insert
// CHECK-NOT: v.redmin
// CHECK: ret
static __attribute__((noinline)) uint8_t *copy(uint8_t *out, unsigned distance, unsigned n) {
  const uint8_t *from = out - distance;
  for (; n; n--)
    *out++ = *from++;
  return out;
}

// CHECK-LABEL: scale:
// CHECK-NOT: v.insert
// CHECK-NOT: v.extract
// CHECK: v.mul.w.x
static __attribute__((noinline)) int32_t *scale(int32_t *a, int n, int k) {
  for (int i = 0; i < n; i++)
    *a++ *= k;
  return a;
}

static __attribute__((noinline)) int16_t *down(int16_t *a, int n) {
  for (; n > 0; n--)
    *--a ^= 5;
  return a;
}

static __attribute__((noinline)) int last(const uint8_t *a, int32_t *b, int n) {
  int sum = -1, i;
  for (i = 0; i < n; i++)
    b[i] = sum = a[i] * 3 + 1;
  return sum * 1000 + i;
}

static __attribute__((noinline)) unsigned every_third(uint8_t *a, unsigned n) {
  unsigned at = 7;
  for (unsigned i = 0; i < n; i++, at += 3)
    a[i] ^= 9;
  return at;
}

#define DIVISIONS(type, name)                                                                      \
  static __attribute__((noinline)) void name(type *a, int n) {                                     \
    for (int i = 0; i < n; i++)                                                                    \
      a[i] = (type)(a[i] / (type)7 + a[i] % (type)10 + a[i] / (type)16 + a[i] % (type)8);          \
  }
DIVISIONS(int8_t, divide_int8)
DIVISIONS(uint8_t, divide_uint8)
DIVISIONS(int16_t, divide_int16)
DIVISIONS(uint16_t, divide_uint16)
DIVISIONS(int32_t, divide_int32)
DIVISIONS(uint32_t, divide_uint32)

// Narrow elements among wide ones.
static __attribute__((noinline)) void mixed(int32_t *a, const uint8_t *b, const int16_t *c, int n) {
  for (int i = 0; i < n; i++)
    a[i] += (uint8_t)(b[i] / 7) - (int16_t)(c[i] / 11);
}

static void reset(void) {
  uint32_t state = 1;
  for (int i = 0; i < N; i++) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = bytes[N + i] = (uint8_t)(state >> 24);
    halves[i] = (int16_t)(state >> 16);
    words[i] = (int32_t)state;
  }
}

static uint32_t sum(const void *data, unsigned size) {
  uint32_t h = 0;
  for (unsigned i = 0; i < size; i++)
    h = h * 31 + ((const uint8_t *)data)[i];
  return h;
}

int main(void) {
  static const int counts[] = {0, 1, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192};
  for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) {
    int n = counts[c];
    reset();
    printf("%d:", n);
    printf(" %d", (int)(copy(bytes + N, 64, (unsigned)n) - bytes));
    printf(" %d", (int)(copy(bytes + N, 5, (unsigned)n) - bytes));
    printf(" %d", (int)(copy(bytes + N, N, (unsigned)n) - bytes));
    printf(" %d", (int)(scale(words, n, -7) - words));
    printf(" %d", (int)(down(halves + N, n) - halves));
    printf(" %d", last(bytes, words, n));
    printf(" %u", every_third(bytes, (unsigned)n));
    divide_int8((int8_t *)bytes, n);
    divide_uint8(bytes + N, n);
    divide_int16(halves, n);
    divide_uint16((uint16_t *)halves + 8, n);
    divide_int32(words, n);
    divide_uint32((uint32_t *)words + 8, n);
    mixed(words, bytes, halves, n);
    printf(" %08x %08x %08x\n", (unsigned)sum(bytes, sizeof bytes), (unsigned)sum(halves, sizeof halves),
           (unsigned)sum(words, sizeof words));
  }
  return 0;
}
