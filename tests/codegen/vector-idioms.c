// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that become instructions which do several operations: dot products, lookups in tables of 256
// bytes.
//
// RUN: %cc -O2 -S -mllvm -verify-machineinstrs %s -o - | FileCheck %s

#include <stdint.h>

// CHECK-LABEL: dot_signed:
// CHECK: v.dot.b
// CHECK: v.redsum.w
int dot_signed(const int8_t *restrict a, const int8_t *restrict b, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

// The unsigned factor comes first.
// CHECK-LABEL: dot_mixed:
// CHECK: v.ld [[A:v[0-9]+]], {{.*}}(a0)
// CHECK: v.dotus.b
int dot_mixed(const int8_t *restrict a, const uint8_t *restrict b, int n) {
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += a[i] * b[i];
  return sum;
}

// CHECK-LABEL: dot_halfwords:
// CHECK: v.dotu.h
unsigned dot_halfwords(const uint16_t *restrict a, const uint16_t *restrict b, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (unsigned)a[i] * b[i];
  return sum;
}

// A sum is a dot product with ones.
// CHECK-LABEL: sum:
// CHECK: li [[ONE:[a-z0-9]+]], 1
// CHECK: v.dot.b.x {{v[0-9]+}}, {{v[0-9]+}}, [[ONE]]
int sum(const int8_t *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i];
  return sum;
}

// CHECK-LABEL: lookup_global:
// CHECK: v.perm
// CHECK: v.lut1
// CHECK: v.lut2
// CHECK: v.lut3
int8_t table[256];
void lookup_global(int8_t *restrict y, const uint8_t *restrict x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = table[x[i]];
}

// CHECK-LABEL: lookup_signed:
// CHECK: li [[SHIFT:[a-z0-9]+]], {{-?}}128
// CHECK: v.xor.b.x {{v[0-9]+}}, {{v[0-9]+}}, [[SHIFT]]
// CHECK: v.lut3
void lookup_signed(int8_t *restrict y, const int8_t *restrict x, const int8_t entries[static 256],
                   int n) {
  for (int i = 0; i < n; ++i)
    y[i] = entries[x[i] + 128];
}

// Nothing says that all of the table is there.
// CHECK-LABEL: lookup_unknown:
// CHECK-NOT: v.lut
// CHECK: ret
void lookup_unknown(int8_t *restrict y, const uint8_t *restrict x, const int8_t *entries, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = entries[x[i]];
}

// CHECK-LABEL: lookup_short:
// CHECK-NOT: v.lut
// CHECK: ret
int8_t short_table[255];
void lookup_short(int8_t *restrict y, const uint8_t *restrict x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = short_table[x[i]];
}

// TFLite's requantization: the product in 64 bits, the rounding shift in 32.
static inline int32_t doubling_high(int32_t a, int32_t b) {
  int overflow = a == b && a == INT32_MIN;
  int64_t ab = (int64_t)a * b;
  int32_t nudge = ab >= 0 ? 1 << 30 : 1 - (1 << 30);
  int32_t high = (int32_t)((ab + nudge) / (1ll << 31));
  return overflow ? INT32_MAX : high;
}
static inline int32_t divide_by_pot(int32_t x, int exponent) {
  int32_t mask = (int32_t)((1ll << exponent) - 1), remainder = x & mask;
  int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}
// CHECK-LABEL: requantize:
// CHECK: v.dmulh.w v
// CHECK: v.rdpot.w.x
void requantize(int32_t *restrict d, const int32_t *restrict a, const int32_t *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    d[i] = divide_by_pot(doubling_high(a[i], b[i]), 7);
}

// Rounding half up by a shift is the same; the sign of an input tells that of the product.
// CHECK-LABEL: scaled_bytes:
// CHECK-COUNT-2: v.dmulh.w.x
void scaled_bytes(int32_t *restrict d, const int8_t *restrict a, int n) {
  for (int i = 0; i < n; ++i)
    d[i] = doubling_high((a[i] + 3) * (1 << 20), 1518500250) +
           (int32_t)(((int64_t)a[i] * 77777777 + (1ll << 30)) >> 31);
}

// Without saturation the product of the lowest words is another one.
// CHECK-LABEL: no_saturation:
// CHECK-NOT: v.dmulh
// CHECK: ret
void no_saturation(int32_t *restrict d, const int32_t *restrict a, const int32_t *restrict b, int n) {
  for (int i = 0; i < n; ++i)
    d[i] = (int32_t)(((int64_t)a[i] * b[i] + (1ll << 30)) >> 31);
}

// What C widens needs no wider elements.
// CHECK-LABEL: average:
// CHECK: v.avgu.b
// CHECK-LABEL: difference:
// CHECK: v.absd.b
// CHECK-LABEL: saturated:
// CHECK: v.saddu.b
// CHECK-LABEL: saturated_signed:
// CHECK: v.ssub.h
#define EACH(name, T, expression)                                                                  \
  void name(T *restrict d, const T *restrict a, const T *restrict b, int n) {                      \
    for (int i = 0; i < n; ++i) {                                                                  \
      int v = expression;                                                                          \
      d[i] = (T)v;                                                                                 \
    }                                                                                              \
  }
EACH(average, uint8_t, (a[i] + b[i] + 1) >> 1)
EACH(difference, int8_t, a[i] < b[i] ? b[i] - a[i] : a[i] - b[i])
EACH(saturated, uint8_t, a[i] + b[i] > 255 ? 255 : a[i] + b[i])
EACH(saturated_signed, int16_t,
     a[i] - b[i] > 32767 ? 32767 : a[i] - b[i] < -32768 ? -32768 : a[i] - b[i])

// Lanes that rotate are shifts, straight-line code is a vector where it fills one.
// CHECK-LABEL: rotate:
// CHECK-DAG: v.sll.w.x
// CHECK-DAG: v.srl.w.x
// CHECK: v.or
typedef unsigned v16u __attribute__((vector_size(64)));
v16u rotate(v16u a) { return a << 7 | a >> 25; }

// CHECK-LABEL: straight:
// CHECK: v.ld
// CHECK: v.add.w
// CHECK: v.st
#define FOUR(i) d[i] = a[i] + b[i], d[i + 1] = a[i + 1] + b[i + 1], d[i + 2] = a[i + 2] + b[i + 2],  \
                d[i + 3] = a[i + 3] + b[i + 3]
void straight(int *restrict d, const int *restrict a, const int *restrict b) {
  FOUR(0), FOUR(4), FOUR(8), FOUR(12);
}
// CHECK-LABEL: too_short:
// CHECK-NOT: v.
// CHECK: ret
void too_short(int *restrict d, const int *restrict a, const int *restrict b) { FOUR(0); }
