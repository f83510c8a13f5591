// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixed-point products, rounding shifts and lookups that the vectorizer takes, with every extreme.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc" --simulator "%iss" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding -fno-vectorize" %s %t

#include <stdint.h>

int printf(const char *, ...);

static int32_t doubling_high(int32_t a, int32_t b) {
  int overflow = a == b && a == INT32_MIN;
  int64_t ab = (int64_t)a * b;
  int32_t nudge = ab >= 0 ? 1 << 30 : 1 - (1 << 30);
  int32_t high = (int32_t)((ab + nudge) / (1ll << 31));
  return overflow ? INT32_MAX : high;
}
static int32_t divide_by_pot(int32_t x, int exponent) {
  int32_t mask = (int32_t)((1ll << exponent) - 1), remainder = x & mask;
  int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

enum { N = 331 };
static int32_t a[N], b[N], d[N];
static int8_t bytes[N], more[N], table[256];

#define KERNEL(name, expression)                                                                   \
  static void __attribute__((noinline)) name(int n) {                                              \
    for (int i = 0; i < n; ++i)                                                                    \
      d[i] = (expression);                                                                         \
  }
KERNEL(variable, doubling_high(a[i], b[i]))
KERNEL(constant, doubling_high(a[i], 1518500250))
KERNEL(lowest, doubling_high(a[i], INT32_MIN))
KERNEL(negative, doubling_high(a[i], -1073741823))
KERNEL(half_up, (int32_t)(((int64_t)a[i] * 1073741825 + (1ll << 30)) >> 31))
KERNEL(wraps, (int32_t)(((int64_t)a[i] * b[i] + (1ll << 30)) >> 31))
KERNEL(narrow, doubling_high((bytes[i] + 3) * (1 << 20), 1518500250))
KERNEL(shift1, divide_by_pot(a[i], 1))
KERNEL(shift7, divide_by_pot(a[i], 7))
KERNEL(shift30, divide_by_pot(a[i], 30))
KERNEL(requantize, divide_by_pot(doubling_high((a[i] >> 3) * 4, b[i]), 9))
KERNEL(lookup, table[(uint8_t)bytes[i]])
KERNEL(lookup_signed, table[bytes[i] + 128])
#define BYTES(name, T, expression)                                                                 \
  static void __attribute__((noinline)) name(int n) {                                              \
    const T *x = (const T *)bytes, *y = (const T *)more;                                           \
    for (int i = 0; i < n; ++i)                                                                    \
      ((T *)d)[i] = (T)(expression);                                                               \
  }
BYTES(average, uint8_t, (x[i] + y[i] + 1) >> 1)
BYTES(average_signed, int8_t, (x[i] + y[i] + 1) >> 1)
BYTES(difference, uint8_t, x[i] < y[i] ? y[i] - x[i] : x[i] - y[i])
BYTES(difference_signed, int8_t, x[i] < y[i] ? y[i] - x[i] : x[i] - y[i])
BYTES(saturated, uint8_t, x[i] + y[i] > 255 ? 255 : x[i] + y[i])
BYTES(saturated_signed, int8_t, x[i] + y[i] > 127 ? 127 : x[i] + y[i] < -128 ? -128 : x[i] + y[i])

static void (*const kKernels[])(int) = {variable, constant, lowest,  negative, half_up,    wraps,  narrow,
                                        shift1,   shift7,   shift30, requantize, lookup, lookup_signed,
                                        average, average_signed, difference, difference_signed, saturated,
                                        saturated_signed};

int main(void) {
  static const int32_t kExtremes[] = {INT32_MIN, INT32_MAX, 0,       1,          -1,        1 << 30,
                                      -(1 << 30), 64,       -64,     63,         -63,       INT32_MIN + 1,
                                      1 << 29,    -(1 << 29), 1 << 6, -(1 << 6) - 1};
  uint32_t state = 1;
  for (int i = 0; i < N; ++i) {
    state = state * 1664525u + 1013904223u;
    a[i] = i < 256 ? kExtremes[i / 16] : (int32_t)state >> 2;
    b[i] = i < 256 ? kExtremes[i % 16] : (int32_t)(state * 99u);
    a[i] = i >= 300 ? a[i] >> (i & 15) : a[i];
    bytes[i] = (int8_t)i;
    more[i] = (int8_t)(i * i * 3);
    table[i & 255] = (int8_t)(state >> 20);
  }
  for (unsigned k = 0; k < sizeof kKernels / sizeof *kKernels; ++k) {
    static const int kLengths[] = {0, 1, 15, 16, 17, 64, 65, 100, 256, N};
    uint32_t sum = 0;
    for (unsigned l = 0; l < sizeof kLengths / sizeof *kLengths; ++l) {
      for (int i = 0; i < N; ++i)
        d[i] = 0x55;
      kKernels[k](kLengths[l]);
      for (int i = 0; i < N; ++i)
        sum = (sum << 5 | sum >> 27) ^ (uint32_t)d[i];
    }
    printf("%u %08lx\n", k, (unsigned long)sum);
  }
  return 0;
}
