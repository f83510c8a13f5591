// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix unit against a scalar reference that follows chapter 4 byte by byte.

#include "program.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace npu::test {
namespace {

constexpr uint32_t kTcm = NPU_TCM_BASE;

uint32_t runControl(uint32_t row, uint32_t count, uint32_t k, uint32_t first, bool acc, bool swap) {
  return row | count << 8 | k << 17 | first << 23 | uint32_t{acc} << 29 | uint32_t{swap} << 30;
}
uint32_t drainControl(uint32_t row, uint32_t count, uint32_t channels, bool raw) {
  return row | count << 8 | channels << 17 | uint32_t{raw} << 22;
}

class MatrixTest : public testing::Test {
protected:
  void fillRandom(uint64_t seed) {
    std::mt19937_64 engine(seed);
    for (uint32_t i = 0; i < memory.tcm.size; ++i)
      memory.tcm.data[i] = static_cast<uint8_t>(engine());
  }
  int32_t byteAt(uint32_t address) const {
    return memory.tcm.contains(address) ? static_cast<int8_t>(*memory.tcm.at(address)) : 0;
  }
  // The vector of one pixel by the text: byte w of the window is in row j.
  std::vector<int32_t> vectorAt(uint32_t pixel, uint32_t k,
                                uint32_t first) const {
    const uint32_t head = first == 0 || first > k ? k : first;
    std::vector<int32_t> vector;
    for (uint32_t w = 0; w < k; ++w) {
      uint32_t address = pixel + w;
      if (w >= head) {
        const uint32_t j = 1 + (w - head) / params.rowLen;
        address = pixel + head - params.rowLen + j * params.rowStride + (w - head) % params.rowLen;
      }
      vector.push_back(byteAt(address));
    }
    return vector;
  }

  Memory memory{defaultConfig()};
  std::optional<uint32_t> loadWeights(uint32_t rs1, uint32_t rs2) {
    return unit.loadWeights(memory.tcm, rs1, rs2, &log);
  }
  std::optional<uint32_t> loadQuant(uint32_t rs1) { return unit.loadQuant(memory.tcm, rs1, &log); }
  std::optional<uint32_t> run(uint32_t rs1, uint32_t rs2) {
    return unit.run(memory.tcm, params, rs1, rs2, &log);
  }
  std::optional<uint32_t> drain(uint32_t rs1, uint32_t rs2) {
    return unit.drain(memory.tcm, params, rs1, rs2, &log);
  }

  MatrixUnit unit;
  MatrixParams params;
  AccessLog log;
};

TEST_F(MatrixTest, RandomStreamsMatchTheReference) {
  std::mt19937 engine(7);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(engine()) % n; };
  fillRandom(1);
  int32_t reference[256][16] = {};
  for (int trial = 0; trial < 300; ++trial) {
    const uint32_t weights = kTcm + 4 * below(1000), rows = below(17);
    ASSERT_FALSE(loadWeights(weights, rows));
    params.rowLen = 1 + below(20);
    params.rowStride = static_cast<uint32_t>(static_cast<int32_t>(below(400)) - 100);
    params.xCount = below(10);
    params.xStride = static_cast<uint32_t>(static_cast<int32_t>(below(60)) - 20);
    params.yStride = below(500);
    const uint32_t count = below(40), row = below(257 - count), k = below(17), first = below(20);
    const uint32_t head = first == 0 || first > k ? k : first;
    const bool acc = below(2);
    const uint32_t start = kTcm + 0x8000 + below(1000);
    const auto fault = run(start,
                                runControl(row & 255, count, k, first, acc, true));
    if (k - head > 3 * params.rowLen) {
      EXPECT_EQ(fault, start);
      continue;
    }
    ASSERT_FALSE(fault);
    for (uint32_t p = 0; p < count; ++p) {
      const uint32_t x = params.xCount ? p % params.xCount : p;
      const uint32_t y = params.xCount ? p / params.xCount : 0;
      const auto a =
          vectorAt(start + x * params.xStride + y * params.yStride, k, first);
      for (uint32_t n = 0; n < 16; ++n) {
        uint32_t sum = acc ? static_cast<uint32_t>(reference[row + p][n]) : 0;
        for (uint32_t i = 0; i < k; ++i)
          sum += static_cast<uint32_t>(a[i] * (i < rows ? byteAt(weights + 16 * i + n) : 0));
        reference[row + p][n] = static_cast<int32_t>(sum);
        ASSERT_EQ(unit.accumulator(row + p, n), reference[row + p][n]) << "trial " << trial;
      }
    }
  }
}

TEST_F(MatrixTest, ConvolutionWindowOfThreeChannels) {
  // The example of chapter 4: 27 bytes in two runs, K = 16 with first = 9 and K = 11 with first = 2.
  constexpr uint32_t kPitch = 24;
  for (uint32_t i = 0; i < 3 * kPitch; ++i)
    memory.tcm.data[i] = static_cast<uint8_t>(i);
  params.rowLen = 9;
  params.rowStride = kPitch;
  params.xStride = 3;
  int32_t expected = 0;
  for (uint32_t w = 0; w < 27; ++w)
    expected += static_cast<int32_t>(w / 9 * kPitch + w % 9) * static_cast<int32_t>(w + 1);
  for (uint32_t part = 0; part < 2; ++part) {
    for (uint32_t k = 0; k < 16; ++k)
      *memory.tcm.at(kTcm + 0x1000 + 16 * k) = static_cast<uint8_t>(16 * part + k + 1);
    ASSERT_FALSE(loadWeights(kTcm + 0x1000, 16));
    const uint32_t start = part == 0 ? kTcm : kTcm + kPitch + 7;
    ASSERT_FALSE(run(start,
                          runControl(0, 1, part == 0 ? 16 : 11, part == 0 ? 9 : 2, part, true)));
  }
  EXPECT_EQ(unit.accumulator(0, 0), expected);
}

TEST_F(MatrixTest, SwapHappensOnlyWhenAsked) {
  *memory.tcm.at(kTcm) = 3;          // weight
  *memory.tcm.at(kTcm + 0x100) = 10; // activation
  ASSERT_FALSE(loadWeights(kTcm, 1));
  ASSERT_FALSE(run(kTcm + 0x100, runControl(0, 1, 1, 0, false, false)));
  EXPECT_EQ(unit.accumulator(0, 0), 0);
  ASSERT_FALSE(run(kTcm + 0x100, runControl(0, 0, 1, 0, false, true)));
  ASSERT_FALSE(run(kTcm + 0x100, runControl(0, 1, 1, 0, false, false)));
  EXPECT_EQ(unit.accumulator(0, 0), 30);
  EXPECT_EQ(unit.macs(), 32u);
}

TEST_F(MatrixTest, FieldsOutOfRangeDoNothing) {
  EXPECT_EQ(loadWeights(kTcm, 17), kTcm);
  EXPECT_EQ(loadWeights(kTcm, 1 << 8), kTcm); // int4, reserved
  EXPECT_EQ(loadWeights(kTcm + 2, 1), kTcm + 2);
  EXPECT_EQ(loadQuant(kTcm + 1), kTcm + 1);
  EXPECT_EQ(run(kTcm, runControl(1, 256, 16, 0, false, false)), kTcm);
  EXPECT_EQ(run(kTcm, runControl(0, 1, 17, 0, false, false)), kTcm);
  EXPECT_EQ(run(kTcm, 1u << 31), kTcm);
  // A second row of no length, and a fifth row; both also with no pixel.
  EXPECT_EQ(run(kTcm, runControl(0, 0, 16, 1, false, false)), kTcm);
  params.rowLen = 5;
  params.rowStride = 16;
  EXPECT_EQ(run(kTcm, runControl(0, 1, 16, 0, false, false)),
            std::nullopt);
  EXPECT_EQ(run(kTcm, runControl(0, 1, 16, 1, false, false)),
            std::nullopt);
  params.rowLen = 4;
  EXPECT_EQ(run(kTcm, runControl(0, 1, 16, 1, false, false)), kTcm);
  EXPECT_EQ(drain(kTcm, drainControl(0, 1, 17, false)), kTcm);
  EXPECT_EQ(drain(kTcm, drainControl(255, 2, 16, false)), kTcm);
  EXPECT_EQ(drain(kTcm, 1u << 23), kTcm);
  EXPECT_TRUE(log.writes.empty());
}

TEST_F(MatrixTest, BytesOutsideTcmReadZeroAndAreDropped) {
  const uint32_t end = kTcm + memory.tcm.size;
  std::fill_n(memory.tcm.at(end - 8), 8, uint8_t{1});
  EXPECT_EQ(loadWeights(end - 8, 1), end);
  params.xStride = 1;
  *memory.tcm.at(kTcm) = 1;
  EXPECT_FALSE(run(kTcm, runControl(0, 1, 1, 0, false, true)));
  EXPECT_EQ(unit.accumulator(0, 7), 1);
  EXPECT_EQ(unit.accumulator(0, 8), 0);

  params.outXStride = 0x40;
  EXPECT_EQ(drain(end - 0x44, drainControl(0, 2, 4, true)), end);
  ASSERT_EQ(log.writes.size(), 2u);
  EXPECT_EQ(log.writes[0].begin, end - 0x44);
  EXPECT_EQ(log.writes[0].size, 16u);
  EXPECT_EQ(log.writes[1].begin, end - 4);
  EXPECT_EQ(log.writes[1].size, 4u);
}

TEST_F(MatrixTest, DrainClampsInTheOrderOfTheText) {
  const int32_t table[16] = {}; // bias 0; multipliers and shifts follow
  std::memcpy(memory.tcm.at(kTcm), table, sizeof table);
  for (uint32_t n = 0; n < 16; ++n) {
    const int32_t one = 1 << 30; // half
    std::memcpy(memory.tcm.at(kTcm + 64 + 4 * n), &one, 4);
    *memory.tcm.at(kTcm + 128 + n) = 1; // doubled: identity
  }
  ASSERT_FALSE(loadQuant(kTcm));
  std::fill_n(memory.tcm.at(kTcm + 0x200), 16, uint8_t{100});
  *memory.tcm.at(kTcm + 0x300) = 1;
  ASSERT_FALSE(loadWeights(kTcm + 0x200, 1));
  ASSERT_FALSE(run(kTcm + 0x300, runControl(0, 1, 1, 0, false, true)));
  const auto drained = [&](int zeroPoint, int minimum, int maximum) {
    params.outQuant = (zeroPoint & 255) | (minimum & 255) << 8 | (maximum & 255) << 16;
    EXPECT_FALSE(drain(kTcm + 0x400, drainControl(0, 1, 1, false)));
    return static_cast<int>(static_cast<int8_t>(*memory.tcm.at(kTcm + 0x400)));
  };
  EXPECT_EQ(drained(0, -128, 127), 100);
  EXPECT_EQ(drained(-50, -128, 127), 50);
  EXPECT_EQ(drained(50, -128, 127), 127);
  EXPECT_EQ(drained(0, -128, 20), 20);
  EXPECT_EQ(drained(0, 110, 20), 20); // crossed: the maximum comes last
}

TEST_F(MatrixTest, LaterPixelsWinWhereDestinationsOverlap) {
  fillRandom(3);
  params.xStride = 16;
  ASSERT_FALSE(loadWeights(kTcm, 16));
  ASSERT_FALSE(run(kTcm + 0x1000, runControl(0, 3, 16, 0, false, true)));
  params.outXStride = 4;
  ASSERT_FALSE(drain(kTcm + 0x4001, drainControl(0, 3, 4, true)));
  for (uint32_t p = 0; p < 3; ++p) {
    int32_t value;
    std::memcpy(&value, memory.tcm.at(kTcm + 0x4001 + 4 * p), 4);
    EXPECT_EQ(value, unit.accumulator(p, 0));
  }
}

// --- requant ---

// The same numbers by rounding rules instead of by nudges and masks.
int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
int32_t wideReference(int32_t x, int32_t m, int shift) {
  shift = std::clamp(shift, -31, 31);
  const int32_t t =
      shift > 0 ? static_cast<int32_t>(static_cast<uint32_t>(x) << shift) : x;
  // (ab + nudge) / 2^31 rounded towards zero is floor(ab / 2^31 + 1/2) for both signs.
  const int64_t high = std::min<int64_t>(
      floorDivide(int64_t{t} * m + (int64_t{1} << 30), int64_t{1} << 31), INT32_MAX);
  if (shift >= 0)
    return static_cast<int32_t>(high);
  // To nearest, ties away from zero.
  const int64_t divisor = int64_t{1} << -shift;
  const int64_t magnitude = std::abs(high);
  const int64_t rounded = (magnitude + divisor / 2) / divisor;
  return static_cast<int32_t>(high < 0 ? -rounded : rounded);
}

TEST(Requantize, CornersAgainstWideArithmetic) {
  const int32_t kValues[] = {0,         1,         -1,        2,          -2,         3,
                             127,       -128,      1 << 30,   -(1 << 30), 0x3fffffff, INT32_MAX,
                             INT32_MIN, INT32_MIN + 1, 0x55555555, -0x55555555};
  for (int32_t x : kValues)
    for (int32_t m : kValues)
      for (int shift : {-128, -32, -31, -30, -17, -8, -1, 0, 1, 7, 30, 31, 32, 127})
        EXPECT_EQ(requantize(x, m, shift), wideReference(x, m, shift))
            << x << ", " << m << ", " << shift;
}

TEST(Requantize, RandomAgainstWideArithmetic) {
  std::mt19937_64 engine(11);
  for (int trial = 0; trial < 200000; ++trial) {
    const int32_t x = static_cast<int32_t>(engine()) >> (engine() % 32);
    const int32_t m = static_cast<int32_t>(engine()) >> (engine() % 4);
    const int shift = static_cast<int>(engine() % 64) - 40;
    ASSERT_EQ(requantize(x, m, shift), wideReference(x, m, shift))
        << x << ", " << m << ", " << shift;
  }
}

TEST(Requantize, KnownRoundings) {
  constexpr int32_t kHalf = 1 << 30;
  EXPECT_EQ(requantize(3, kHalf, 0), 2);                       // 1.5 up
  EXPECT_EQ(requantize(-3, kHalf, 0), -1);                     // -1.5 up
  EXPECT_EQ(requantize(5, kHalf, -1), 2);                      // 2.5 -> 3, 1.5 -> 2: twice rounded
  EXPECT_EQ(requantize(INT32_MIN, INT32_MIN, 0), INT32_MAX);   // saturates
  EXPECT_EQ(requantize(0x40000000, kHalf, 2), 0);              // the left shift wraps
}

} // namespace
} // namespace npu::test
