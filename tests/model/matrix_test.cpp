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
uint32_t drainControl(uint32_t row, uint32_t count, uint32_t channels, bool raw,
                      bool once = false) {
  return row | count << 8 | channels << 17 | uint32_t{raw} << 22 | uint32_t{once} << 23;
}

uint32_t depthwiseControl(uint32_t row, uint32_t count, uint32_t kw, uint32_t kh, bool acc,
                          bool swap) {
  return row | count << 8 | kw << 17 | kh << 22 | uint32_t{acc} << 29 | uint32_t{swap} << 30;
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
  std::vector<int32_t> vectorAt(uint32_t pixel, std::pair<int32_t, int32_t> at, uint32_t k,
                                uint32_t first) const {
    const uint32_t head = first == 0 || first > k ? k : first;
    std::vector<int32_t> vector;
    for (uint32_t w = 0; w < k; ++w) {
      uint32_t along = w, j = 0;
      if (w >= head) {
        j = 1 + (w - head) / params.rowLen;
        along = head - params.rowLen + (w - head) % params.rowLen;
      }
      vector.push_back(padded(pixel + along + j * params.rowStride,
                              at.first + static_cast<int32_t>(along),
                              at.second + static_cast<int32_t>(j * (params.pad >> 8))));
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
  std::optional<uint32_t> depthwise(uint32_t rs1, uint32_t rs2) {
    return unit.runDepthwise(memory.tcm, params, rs1, rs2, &log);
  }
  // A byte of the window with the position of the text; padded where the region says so.
  int32_t padded(uint32_t address, int32_t column, int32_t line) const {
    const int32_t width = params.valid & 0x7fff, height = params.valid >> 16;
    const auto wrapped = [](int32_t value) { return static_cast<int16_t>(value); };
    const bool inside = wrapped(column) >= 0 && wrapped(column) < width && wrapped(line) >= 0 &&
                        wrapped(line) < height;
    return width == 0 || inside ? byteAt(address) : static_cast<int8_t>(params.pad);
  }
  static int32_t columnOf(uint32_t csr) { return static_cast<int16_t>(csr); }
  static int32_t lineOf(uint32_t csr) { return static_cast<int16_t>(csr >> 16); }
  // Column and line of pixel (x, y).
  std::pair<int32_t, int32_t> positionOf(int32_t x, int32_t y) const {
    return {columnOf(params.position) + x * columnOf(params.xStep) + y * columnOf(params.yStep),
            lineOf(params.position) + x * lineOf(params.xStep) + y * lineOf(params.yStep)};
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
  const auto between = [&](int32_t low, int32_t high) {
    return static_cast<uint32_t>(low + static_cast<int32_t>(below(high - low + 1)));
  };
  fillRandom(1);
  int32_t reference[256][16] = {};
  for (int trial = 0; trial < 1000; ++trial) {
    const bool int4 = below(2), dw = !int4 && below(2), padding = below(2);
    const uint32_t weights = kTcm + 4 * below(1000), rows = below(int4 ? 33 : 17);
    ASSERT_FALSE(loadWeights(weights, rows | uint32_t{int4} << 8));
    const auto weight = [&](uint32_t k, uint32_t n) -> int32_t {
      if (k >= rows)
        return 0;
      if (!int4)
        return byteAt(weights + 16 * k + n);
      const int32_t pair = byteAt(weights + 8 * k + n / 2);
      return n % 2 ? pair >> 4 : static_cast<int8_t>(pair << 4) >> 4;
    };
    params.rowLen = 1 + below(20);
    params.rowStride = between(-100, 299);
    params.xCount = below(10);
    params.xStride = between(-20, 39);
    params.yStride = below(500);
    params.tapStride = between(-20, 40);
    params.pad = below(0x400);
    params.valid = padding ? (1 + below(100)) | below(12) << 16 : below(2) << 16;
    params.position = (between(-40, 60) & 0xffff) | between(-3, 6) << 16;
    params.xStep = (below(4) ? params.xStride : between(-20, 20)) & 0xffff;
    params.yStep = between(-1, 2) << 16 | below(3);
    if (below(10) == 0) { // positions that wrap
      params.position = (0x7ff0 + below(32)) | (0x7ffe + below(4)) << 16;
      params.valid = 0x7fff7fff;
    }
    const uint32_t count = below(40), row = below(257 - count), k = below(int4 ? 33 : 17);
    const uint32_t first = below(2) ? 0 : below(40), kw = 1 + below(5), kh = 1 + below(16 / kw);
    const uint32_t head = first == 0 || first > k ? k : first;
    const bool acc = below(2);
    const uint32_t start = kTcm + 0x8000 + below(1000);
    const auto fault =
        dw ? depthwise(start, depthwiseControl(row & 255, count, kw, kh, acc, true))
           : run(start, runControl(row & 255, count, k, first, acc, true));
    if (!dw && k - head > 3 * params.rowLen) {
      EXPECT_EQ(fault, start);
      continue;
    }
    ASSERT_FALSE(fault);
    for (uint32_t p = 0; p < count; ++p) {
      const uint32_t x = params.xCount ? p % params.xCount : p;
      const uint32_t y = params.xCount ? p / params.xCount : 0;
      const uint32_t pixel = start + x * params.xStride + y * params.yStride;
      const auto at = positionOf(static_cast<int32_t>(x), static_cast<int32_t>(y));
      const auto a = vectorAt(pixel, at, k, first);
      for (uint32_t n = 0; n < 16; ++n) {
        uint32_t sum = acc ? static_cast<uint32_t>(reference[row + p][n]) : 0;
        for (uint32_t i = 0; i < k && !dw; ++i)
          sum += static_cast<uint32_t>(a[i] * weight(i, n));
        for (uint32_t r = 0; r < kw * kh && dw; ++r) {
          const uint32_t along = r % kw * params.tapStride, j = r / kw;
          sum += static_cast<uint32_t>(
              weight(r, n) *
              padded(pixel + along + j * params.rowStride + n,
                     at.first + static_cast<int32_t>(along + n),
                     at.second + static_cast<int32_t>(j * (params.pad >> 8))));
        }
        reference[row + p][n] = static_cast<int32_t>(sum);
        ASSERT_EQ(unit.accumulator(row + p, n), reference[row + p][n])
            << "trial " << trial << (int4 ? ", int4" : dw ? ", depthwise" : "");
      }
    }
  }
}

// Weight n of tap r and activation byte: every pair of factors once, in each place of the array.
TEST_F(MatrixTest, EveryProductOfInt8AndOfInt4) {
  for (uint32_t i = 0; i < 256; ++i) {
    *memory.tcm.at(kTcm + 16 * i) = static_cast<uint8_t>(i); // activations, a pixel each
    *memory.tcm.at(kTcm + 0x2000 + i) = static_cast<uint8_t>(i);
  }
  params.xStride = 16;
  for (uint32_t block = 0; block < 16; ++block) {
    ASSERT_FALSE(loadWeights(kTcm + 0x2000 + 16 * block, 1));
    ASSERT_FALSE(run(kTcm, runControl(0, 256, 1, 0, false, true)));
    for (int32_t a = 0; a < 256; ++a)
      for (int32_t n = 0; n < 16; ++n)
        ASSERT_EQ(unit.accumulator(a, n),
                  static_cast<int8_t>(a) * static_cast<int8_t>(16 * block + n));
  }
  for (uint32_t n = 0; n < 8; ++n) // nibbles 0..15 in the columns
    *memory.tcm.at(kTcm + 0x3000 + n) = static_cast<uint8_t>((2 * n + 1) << 4 | 2 * n);
  ASSERT_FALSE(loadWeights(kTcm + 0x3000, 1 | 1 << 8));
  ASSERT_FALSE(run(kTcm, runControl(0, 256, 1, 0, false, true)));
  for (int32_t a = 0; a < 256; ++a)
    for (int32_t n = 0; n < 16; ++n)
      ASSERT_EQ(unit.accumulator(a, n), static_cast<int8_t>(a) * (n < 8 ? n : n - 16));
}

// A 3 x 3 convolution with padding 1 and dilation d of an image of two channels, streamed
// without a copy, against the definition.
TEST_F(MatrixTest, SameConvolutionReadsThePadValueOutsideTheImage) {
  constexpr int32_t kWidth = 7, kHeight = 5, kChannels = 2, kZero = -7;
  constexpr int32_t kPitch = kWidth * kChannels;
  fillRandom(9);
  for (int32_t dilation : {1, 2}) {
    params.rowLen = kChannels; // a run a tap
    params.xCount = kWidth;
    params.xStride = kChannels;
    params.yStride = kPitch;
    params.valid = kPitch | kHeight << 16;
    params.xStep = kChannels;
    params.yStep = 1u << 16;
    params.pad = (kZero & 255) | static_cast<uint32_t>(dilation) << 8;
    const uint32_t image = kTcm + 0x100, weights = kTcm + 0x1000;
    for (int32_t tap = 0; tap < 9; ++tap) {
      const int32_t line = (tap / 3 - 1) * dilation;
      const int32_t column = (tap % 3 - 1) * dilation * kChannels;
      params.position = (column & 0xffff) | static_cast<uint32_t>(line) << 16;
      ASSERT_FALSE(loadWeights(weights + 32 * tap, 2));
      ASSERT_FALSE(run(image + line * kPitch + column,
                       runControl(0, kWidth * kHeight, 2, 0, tap != 0, true)));
    }
    for (int32_t y = 0; y < kHeight; ++y)
      for (int32_t x = 0; x < kWidth; ++x)
        for (int32_t n = 0; n < 16; ++n) {
          int32_t sum = 0;
          for (int32_t tap = 0; tap < 9; ++tap)
            for (int32_t c = 0; c < kChannels; ++c) {
              const int32_t iy = y + (tap / 3 - 1) * dilation, ix = x + (tap % 3 - 1) * dilation;
              const bool inside = iy >= 0 && iy < kHeight && ix >= 0 && ix < kWidth;
              sum += (inside ? byteAt(image + iy * kPitch + ix * kChannels + c) : kZero) *
                     byteAt(weights + 32 * tap + 16 * c + n);
            }
          ASSERT_EQ(unit.accumulator(y * kWidth + x, n), sum) << y << ", " << x;
        }
  }
}

TEST_F(MatrixTest, PaddedBytesAreNotRead) {
  params.valid = 4 | 1 << 16; // 4 bytes of one line, the first ones of TCM
  params.position = 0xfff8;   // the vector begins 8 bytes before them
  EXPECT_FALSE(run(kTcm - 8, runControl(0, 1, 16, 0, false, false)));
  ASSERT_EQ(log.reads.size(), 1u);
  EXPECT_EQ(log.reads[0].begin, kTcm);
  EXPECT_EQ(log.reads[0].size, 4u);
  params.position = 0xfff8 | 1 << 16; // the next line is outside
  EXPECT_FALSE(run(0x40000000, runControl(0, 1, 16, 0, false, false)));
  EXPECT_FALSE(depthwise(0x40000000, depthwiseControl(0, 2, 1, 1, false, false)));
  params.valid = 0;
  EXPECT_EQ(run(kTcm - 8, runControl(0, 1, 16, 0, false, false)), kTcm - 8);
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
  EXPECT_EQ(loadWeights(kTcm, 33 | 1 << 8), kTcm);
  EXPECT_EQ(loadWeights(kTcm, 1 << 9), kTcm); // 2:4 sparsity, reserved
  EXPECT_EQ(loadWeights(kTcm, 1 << 6), kTcm);
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
  // More than 16 bytes only with int4 weights, also when they come with the swap.
  EXPECT_FALSE(loadWeights(kTcm, 32 | 1 << 8));
  EXPECT_EQ(run(kTcm, runControl(0, 1, 17, 0, false, false)), kTcm);
  EXPECT_FALSE(run(kTcm, runControl(0, 1, 17, 0, false, true)));
  EXPECT_EQ(run(kTcm, runControl(0, 1, 33, 0, false, false)), kTcm);
  EXPECT_EQ(depthwise(kTcm, depthwiseControl(0, 1, 3, 3, false, false)), kTcm);
  EXPECT_FALSE(loadWeights(kTcm, 16));
  EXPECT_EQ(run(kTcm, runControl(0, 1, 17, 0, false, true)), kTcm); // and does not swap
  EXPECT_FALSE(run(kTcm, runControl(0, 1, 32, 0, false, false)));
  EXPECT_FALSE(depthwise(kTcm, depthwiseControl(0, 1, 3, 3, false, true)));
  EXPECT_EQ(depthwise(kTcm, depthwiseControl(0, 1, 0, 3, false, false)), kTcm);
  EXPECT_EQ(depthwise(kTcm, depthwiseControl(0, 1, 3, 0, false, false)), kTcm);
  EXPECT_EQ(depthwise(kTcm, depthwiseControl(0, 1, 4, 5, false, false)), kTcm);
  EXPECT_EQ(depthwise(kTcm, 1u << 27 | depthwiseControl(0, 1, 1, 1, false, false)), kTcm);
  EXPECT_EQ(depthwise(kTcm, depthwiseControl(250, 7, 1, 1, false, false)), kTcm);
  EXPECT_EQ(drain(kTcm, drainControl(0, 1, 17, false)), kTcm);
  EXPECT_EQ(drain(kTcm, drainControl(255, 2, 16, false)), kTcm);
  EXPECT_EQ(drain(kTcm, drainControl(0, 1, 16, true, true)), kTcm);
  EXPECT_EQ(drain(kTcm, 1u << 24), kTcm);
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

int32_t wideReferenceOnce(int32_t x, int32_t m, int shift) {
  shift = std::clamp(shift, -31, 31);
  const int32_t t =
      shift > 0 ? static_cast<int32_t>(static_cast<uint32_t>(x) << shift) : x;
  const int64_t product = int64_t{t} * m, divisor = int64_t{1} << (31 - std::min(shift, 0));
  const int64_t rounded = (std::abs(product) + divisor / 2) / divisor;
  return static_cast<int32_t>(product < 0 ? -rounded : rounded);
}

TEST(Requantize, CornersAgainstWideArithmetic) {
  const int32_t kValues[] = {0,         1,         -1,        2,          -2,         3,
                             127,       -128,      1 << 30,   -(1 << 30), 0x3fffffff, INT32_MAX,
                             INT32_MIN, INT32_MIN + 1, 0x55555555, -0x55555555};
  for (int32_t x : kValues)
    for (int32_t m : kValues)
      for (int shift : {-128, -32, -31, -30, -17, -8, -1, 0, 1, 7, 30, 31, 32, 127}) {
        EXPECT_EQ(requantize(x, m, shift), wideReference(x, m, shift))
            << x << ", " << m << ", " << shift;
        EXPECT_EQ(requantizeOnce(x, m, shift), wideReferenceOnce(x, m, shift))
            << x << ", " << m << ", " << shift;
      }
}

TEST(Requantize, RandomAgainstWideArithmetic) {
  std::mt19937_64 engine(11);
  for (int trial = 0; trial < 5000000; ++trial) {
    const int32_t x = static_cast<int32_t>(engine()) >> (engine() % 32);
    const int32_t m = static_cast<int32_t>(engine()) >> (engine() % 4);
    const int shift = static_cast<int>(engine() % 64) - 40;
    ASSERT_EQ(requantize(x, m, shift), wideReference(x, m, shift))
        << x << ", " << m << ", " << shift;
    ASSERT_EQ(requantizeOnce(x, m, shift), wideReferenceOnce(x, m, shift))
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
  EXPECT_EQ(requantizeOnce(3, kHalf, 0), 2);                   // 1.5 away from zero
  EXPECT_EQ(requantizeOnce(-3, kHalf, 0), -2);
  EXPECT_EQ(requantizeOnce(5, kHalf, -1), 1);                  // 1.25
  EXPECT_EQ(requantizeOnce(-5, kHalf, -1), -1);
  EXPECT_EQ(requantizeOnce(INT32_MIN, INT32_MIN, 0), INT32_MIN); // 2^31 wraps
}

} // namespace
} // namespace npu::test
