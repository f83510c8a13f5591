// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The convolution kernels against plain C, byte for byte: compiled by our clang, run on the model and,
// in lockstep, on the RTL.

#include "conv_case.h"
#include "environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace npu::test {
namespace {

using Runner = Outcome (*)(const ConvCase &, Simulator);

void expectReference(const ConvCase &c, Runner runner, Simulator simulator) {
  const Outcome outcome = runner(c, simulator);
  ASSERT_EQ(outcome.error, "") << describe(c);
  const std::vector<int8_t> expected = reference(c);
  ASSERT_EQ(outcome.output.size(), expected.size()) << describe(c);
  const auto differs = std::mismatch(expected.begin(), expected.end(), outcome.output.begin());
  EXPECT_TRUE(differs.first == expected.end())
      << describe(c) << ": byte " << differs.first - expected.begin() << " is "
      << int(*differs.second) << ", must be " << int(*differs.first);
}

// As many random cases, and ten times as many of all; NPU_TEST_SEED has others, NPU_TEST_COUNT of them.
void expectRandom(Runner runner, int cases, const std::function<ConvCase(std::mt19937 &)> &make) {
  const int count = caseCount(cases, 10 * cases);
  const int seed = firstSeed(20);
  for (int i = seed; i < seed + count; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    expectReference(make(random), runner, Simulator::Iss);
  }
}

struct Shape {
  const char *name;
  npu_dims input, filter;
  npu_tile stride, dilation, padding;
  int32_t bottom, right;
  uint32_t scratch;
};

// Each row is a way in which a kernel can go wrong.
const Shape kShapes[] = {
    {"one pixel", {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1}, {1, 1}, {0, 0}, 0, 0, 0},
    {"photograph layer", {1, 12, 40, 3}, {16, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, 1, 8192},
    {"window rows end inside steps", {1, 9, 9, 5}, {3, 3, 3, 5}, {1, 1}, {1, 1}, {0, 0}, 0, 0, 0},
    {"four window rows in a step", {1, 12, 7, 1}, {2, 9, 1, 1}, {1, 1}, {1, 1}, {0, 0}, 0, 0, 8192},
    {"second block partial", {2, 6, 6, 16}, {21, 3, 3, 16}, {1, 1}, {1, 1}, {1, 1}, 1, 1, 20000},
    {"weights in groups", {1, 8, 8, 32}, {64, 3, 3, 32}, {1, 1}, {1, 1}, {1, 1}, 1, 1, 24000},
    {"line cut into tiles", {1, 3, 300, 8}, {16, 1, 3, 8}, {1, 1}, {1, 1}, {0, 1}, 0, 1, 6000},
    {"strided, odd padding", {1, 15, 18, 4}, {8, 3, 5, 4}, {2, 3}, {1, 1}, {0, 1}, 1, 2, 8192},
    {"dilated", {1, 14, 14, 6}, {5, 3, 3, 6}, {1, 1}, {3, 2}, {3, 2}, 3, 2, 8192},
    {"only padding under a window", {1, 2, 2, 3}, {4, 2, 2, 3}, {1, 1}, {1, 1}, {3, 3}, 3, 3, 8192},
    {"many steps", {1, 5, 5, 200}, {4, 3, 3, 200}, {1, 1}, {1, 1}, {1, 1}, 1, 1, 50000},
};

ConvCase caseOf(const Shape &shape) {
  std::mt19937 random(7);
  ConvCase c = {};
  c.name = shape.name;
  c.input = shape.input;
  c.filter = shape.filter;
  c.params = {.input_offset = -11,
              .output_offset = 5,
              .stride = shape.stride,
              .padding = shape.padding,
              .dilation = shape.dilation,
              .activation_min = -120,
              .activation_max = 115};
  c.scratch = shape.scratch;
  fill(c, random, shape.bottom, shape.right);
  return c;
}

TEST(LibraryConv, ShapesOnModel) {
  for (const Shape &shape : kShapes)
    expectReference(caseOf(shape), runLibrary, Simulator::Iss);
}

TEST(LibraryConv, ShapesOnRtlInLockstep) {
  for (const Shape &shape : kShapes)
    if (shape.filter.c < 64) // packing by the core takes its time
      expectReference(caseOf(shape), runLibrary, Simulator::Rtl);
}

TEST(LibraryConv, RandomShapesOnModel) {
  expectRandom(runLibrary, 60, [](std::mt19937 &random) { return randomCase(random, 32); });
}

TEST(LibraryConv, RandomPlacementsOnModel) {
  expectRandom(runLibrary, 40, [](std::mt19937 &random) { return randomPlacedCase(random, 16, false); });
}

TEST(GeneratedConv, ShapesOnModel) {
  for (const Shape &shape : kShapes)
    expectReference(caseOf(shape), runGenerated, Simulator::Iss);
}

TEST(GeneratedConv, ShapesOnRtlInLockstep) {
  for (const Shape &shape : {kShapes[1], kShapes[4], kShapes[7]})
    expectReference(caseOf(shape), runGenerated, Simulator::Rtl);
}

TEST(GeneratedConv, CalledByTheLibraryForItsLayerAlone) {
  EXPECT_EQ(runProgram("generated_table.c"), "");
}

TEST(GeneratedConv, RandomShapesOnModel) {
  expectRandom(runGenerated, 15, [](std::mt19937 &random) { return randomCase(random, 24); });
}

// int4 weights, operands in the scratchpad, with pixels and lines apart.
TEST(GeneratedConv, RandomPlacementsOnModel) {
  expectRandom(runGenerated, 25, [](std::mt19937 &random) { return randomPlacedCase(random, 16, true); });
}

// The test itself can fail: a changed weight changes the output.
TEST(LibraryConv, ReferenceDependsOnEveryWeight) {
  ConvCase c = caseOf(kShapes[2]);
  std::fill(c.shift.begin(), c.shift.end(), -6);
  const std::vector<int8_t> before = reference(c);
  for (int8_t &weight : c.weights) {
    weight = static_cast<int8_t>(weight ^ 0x40);
    EXPECT_NE(reference(c), before);
    weight = static_cast<int8_t>(weight ^ 0x40);
  }
}

} // namespace
} // namespace npu::test
