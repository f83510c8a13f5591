// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales of fully connected layers, which are doubles: their integer arithmetic against the host's doubles, and
// multipliers of 31 bits that give the same results.

#include "npu/scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

std::mt19937_64 engine(1);

double between(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine); }
int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(engine); }

int64_t expected(double scale, int64_t sum) { return std::llround(static_cast<double>(sum) * scale); }

npu_scale scaleOf(double value) {
  npu_scale scale;
  EXPECT_TRUE(npu_scale_from(&value, 31, &scale)) << value;
  return scale;
}

// A scale, now and then one of which `sum` times lies within some units of the last place of a half.
double nearHalf(int64_t sum, int result) {
  double scale = (result - 0.5) / static_cast<double>(sum);
  for (int steps = below(5); steps > 0; --steps)
    scale = std::nextafter(scale, below(2) == 0 ? 0 : 1);
  return scale;
}

TEST(Scale, RoundsAsDoublesDo) {
  for (int i = 0; i < 1000000; ++i) {
    const auto size = static_cast<int64_t>(engine() >> (16 + below(40)));
    const int64_t sum = below(2) == 0 ? size : -size;
    const double scale =
        size != 0 && i % 3 != 0 ? nearHalf(size, 1 + below(i % 2 == 0 ? 300 : 40000)) : std::ldexp(between(0.5, 1), -below(40));
    if (scale >= 1 || std::abs(static_cast<double>(sum) * scale) > INT32_MAX)
      continue;
    ASSERT_EQ(npu_scale_sum(scaleOf(scale), sum), expected(scale, sum)) << std::hexfloat << scale << " times " << sum;
  }
}

TEST(Scale, TakesTheEnds) {
  const double zero = 0, tiny = std::numeric_limits<double>::denorm_min(), one = 1, most = std::nextafter(double(1 << 29), 0);
  EXPECT_EQ(npu_scale_sum(scaleOf(zero), INT32_MIN), 0);
  EXPECT_EQ(npu_scale_sum(scaleOf(tiny), INT32_MAX), 0);
  EXPECT_EQ(npu_scale_sum(scaleOf(one), INT32_MIN), INT32_MIN);
  EXPECT_EQ(npu_scale_sum(scaleOf(std::ldexp(1, -32)), INT32_MIN), -1);
  EXPECT_EQ(npu_scale_sum(scaleOf(std::ldexp(1, -32)), INT32_MAX), 0);
  EXPECT_EQ(npu_scale_sum(scaleOf(std::ldexp(1, -48)), int64_t(1) << 47), 1);
  EXPECT_EQ(npu_scale_sum(scaleOf(0.5), -1), -1);
  npu_scale scale;
  EXPECT_TRUE(npu_scale_from(&most, 29, &scale));
  for (const double bad : {double(1 << 29), -1.0, -0.0, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_FALSE(npu_scale_from(&bad, 29, &scale)) << bad;
  // Any bits.
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = engine();
    npu_scale_from(&bits, 29, &scale);
    npu_scale_sum(scale, static_cast<int64_t>(engine()));
  }
}

TEST(Scale, MultiplierIsQuantizeMultipliers) {
  for (int i = 0; i < 100000; ++i) {
    const double scale = std::ldexp(between(0.5, 1), below(40) - 31);
    int shift;
    auto wanted = static_cast<int64_t>(std::round(std::frexp(scale, &shift) * 2147483648.0));
    if (wanted == int64_t(1) << 31) {
      wanted /= 2;
      ++shift;
    }
    int32_t multiplier, got;
    npu_scale_multiplier(scaleOf(scale), -32, &multiplier, &got);
    ASSERT_EQ(multiplier, wanted) << scale;
    ASSERT_EQ(got, shift) << scale;
  }
}

// Both functions rise, so that the sums around each half say all.
void expectSameResults(double scale, int largest, int64_t multiplier, int32_t shift) {
  for (int result = 1; result <= largest; ++result) {
    const auto middle = static_cast<int64_t>((result - 0.5) / scale);
    for (int64_t size = std::max<int64_t>(middle - 2, 0); size <= middle + 2; ++size)
      for (const int64_t sum : {size, -size}) {
        if (sum > INT32_MAX || sum < INT32_MIN)
          continue;
        const int64_t product = sum * multiplier, half = int64_t(1) << (30 - shift);
        ASSERT_EQ((product + half) >> (31 - shift), expected(scale, sum)) << std::hexfloat << scale << " times " << sum;
        ASSERT_EQ((product + half - 1) >> (31 - shift), expected(scale, sum)) << "halves down";
      }
  }
}

TEST(Scale, ExactMultipliersAreExact) {
  int none = 0, other = 0;
  for (int i = 0; i < 20000; ++i) {
    const int bits = below(20);
    double scale = std::ldexp(between(0.5, 1), -bits);
    if (i % 4 == 0)
      scale = nearHalf(1 + below(1 << 20), 1 + below(250));
    else if (i % 4 == 1)
      scale = static_cast<double>(static_cast<float>(1 + below(999))) / (1 + below(100000));
    if (scale >= 1)
      continue;
    const int largest = 1 + below(255);
    const npu_scale s = scaleOf(scale);
    int32_t multiplier, shift, nearest, nearestShift;
    npu_scale_multiplier(s, -32, &nearest, &nearestShift);
    if (!npu_scale_exact_multiplier(s, largest, &multiplier, &shift)) {
      ++none;
      continue;
    }
    other += multiplier != nearest;
    expectSameResults(scale, largest, multiplier, shift);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(none, 0);
  EXPECT_GT(other, 0);
}

TEST(Scale, LayersOfUsualSizesHaveExactMultipliers) {
  for (int i = 0; i < 20000; ++i) {
    int32_t multiplier, shift;
    ASSERT_TRUE(npu_scale_exact_multiplier(scaleOf(std::ldexp(between(0.5, 1), -1 - below(13))), 128, &multiplier, &shift)) << i;
  }
}

} // namespace
