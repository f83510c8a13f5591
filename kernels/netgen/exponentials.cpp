// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "exponentials.h"

#include "constants.h"

#include <algorithm>

namespace npu::netgen {
namespace {

constexpr int kIntegerBits = 5; // of the scaled difference
constexpr int kFraction = 31 - kIntegerBits;

// The product of two numbers with 31 fractional bits, rounded.
int32_t times(int32_t a, int32_t b) {
  return requantize(a, b, 0);
}

// e^x for x in [-1/4, 0): Taylor's series around -1/8.
int32_t exponentialNearZero(int32_t a) {
  constexpr int32_t kExpOfEighth = 1895147668, kThird = 715827883;
  const int32_t x = a + (1 << 28);
  const int32_t x2 = times(x, x), x3 = times(x2, x), x4 = times(x2, x2);
  const int32_t tail = roundingDivide(times(roundingDivide(x4, 2) + x3, kThird) + x2, 1);
  return kExpOfEighth + times(kExpOfEighth, x + tail);
}

} // namespace

int32_t exponential(int32_t difference, int32_t multiplier, int32_t shift, int32_t diffMin) {
  if (difference < diffMin)
    return 0;
  const int32_t a = requantize(difference, multiplier, shift);
  if (a == 0)
    return INT32_MAX;
  constexpr int32_t kQuarter = 1 << (kFraction - 2);
  const int32_t inQuarter = (a & (kQuarter - 1)) - kQuarter;
  int32_t result = exponentialNearZero(inQuarter << kIntegerBits);
  const int32_t rest = inQuarter - a;
  // e^-(2^n) for n = -2..4.
  constexpr int32_t kPowers[] = {1672461947, 1302514674, 790015084, 290630308,
                                 39332535,   720401,     242};
  for (int n = 0; n < kIntegerBits + 2; ++n)
    if ((rest >> (kFraction - 2 + n) & 1) != 0)
      result = times(result, kPowers[n]);
  return result;
}

} // namespace npu::netgen
