// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TFLite's fixed-point arithmetic in plain C (manual, chapter 4), for tables that are made ahead of
// time.

#ifndef NPU_SRC_REQUANTIZE_H
#define NPU_SRC_REQUANTIZE_H

#include <stdint.h>

static inline int32_t npu_clamp(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

static inline int npu_in_range(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

// SaturatingRoundingDoublingHighMul.
static inline int32_t npu_srdhm(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN)
    return INT32_MAX;
  const int64_t product = (int64_t)a * b;
  const int64_t nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
  return (int32_t)((product + nudge) / (1LL << 31));
}

// The same for 16 bits.
static inline int16_t npu_srdhm16(int16_t a, int16_t b) {
  if (a == INT16_MIN && b == INT16_MIN)
    return INT16_MAX;
  const int32_t product = a * b;
  const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return (int16_t)((product + nudge) / (1 << 15));
}

// RoundingDivideByPOT, exponent 0..31.
static inline int32_t npu_rdivpot(int32_t x, int32_t exponent) {
  const int32_t mask = (int32_t)((1u << exponent) - 1);
  const int32_t threshold = (mask >> 1) + (x < 0);
  return (x >> exponent) + ((x & mask) > threshold);
}

// MultiplyByQuantizedMultiplier, shift -31..31.
static inline int32_t npu_mbqm(int32_t x, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0, right = shift > 0 ? 0 : -shift;
  return npu_rdivpot(npu_srdhm((int32_t)((uint32_t)x << left), multiplier), right);
}

#endif // NPU_SRC_REQUANTIZE_H
