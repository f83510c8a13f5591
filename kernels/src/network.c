// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/network.h"

// SaturatingRoundingDoublingHighMul and RoundingDivideByPOT of TFLite; no operand here is -2^31.
static int32_t doubling_high_multiply(int32_t a, int32_t b) {
  const int64_t product = (int64_t)a * b;
  return (int32_t)((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / ((int64_t)1 << 31));
}

static int32_t rounding_divide(int32_t x, int32_t exponent) {
  const int32_t mask = (int32_t)((1u << exponent) - 1);
  const int32_t threshold = (mask >> 1) + (x < 0);
  return (x >> exponent) + ((x & mask) > threshold);
}

// gemmlowp's one_over_one_plus_x_for_x_in_0_1: x and the result have 31 fractional bits. The quotient is
// refined by Newton's method with two integer bits.
static int32_t reciprocal_of_one_plus(int32_t x) {
  enum { ONE = 1 << 29, STEPS = 3 };
  const int32_t half = (int32_t)(((int64_t)x + INT32_MAX + 1) / 2);
  int32_t quotient = 1515870810 + doubling_high_multiply(half, -1010580540);
  for (int i = 0; i < STEPS; ++i) {
    const int32_t error = ONE - doubling_high_multiply(half, quotient);
    quotient += doubling_high_multiply(quotient, error) << 2;
  }
  return quotient > (1 << 30) - 1 ? INT32_MAX : quotient << 1;
}

void npu_net_softmax(const int32_t *exponentials, const int8_t *in, int32_t count, int8_t *out) {
  enum { SUM_INTEGER_BITS = 12 };
  int32_t largest = -128, sum = 0;
  // A handful of values: too few for vectors.
#pragma clang loop vectorize(disable)
  for (int32_t i = 0; i < count; ++i)
    if (in[i] > largest)
      largest = in[i];
  for (int32_t i = 0; i < count; ++i)
    sum += rounding_divide(exponentials[largest - in[i]], SUM_INTEGER_BITS);
  const int32_t zeros = __builtin_clz((uint32_t)sum);
  const int32_t scale = reciprocal_of_one_plus((int32_t)(((uint32_t)sum << zeros) - (1u << 31)));
  const int32_t shift = SUM_INTEGER_BITS - zeros + 31 - 8;
  for (int32_t i = 0; i < count; ++i) {
    const int32_t value =
        rounding_divide(doubling_high_multiply(scale, exponentials[largest - in[i]]), shift) - 128;
    out[i] = (int8_t)(value > 127 ? 127 : value);
  }
}

npu_status npu_net_failed(uint32_t errors) {
  npu_fence(NPU_UNIT_ALL);
  return (errors & (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR)) != 0 ? NPU_ERROR_TRANSFER
                                                                         : NPU_ERROR_MATRIX_UNIT;
}
