// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator's input: what it refuses, with the field it names, and what it derives.

#include "emit.h"
#include "generate.h"
#include "layer.h"
#include "plan.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace npu::kgen {
namespace {

const char *const kLayer = R"({"name": "edges",
 "input": {"shape": [1, 8, 9, 3], "zero_point": -1},
 "filter": {"shape": [2, 3, 3, 3]},
 "output": {"zero_point": 4},
 "stride": [2, 2], "padding": "same", "activation": [-128, 127],
 "multiplier": [1073741824, 1500000000], "shift": [-8, -9], "scratch_bytes": 16384})";

std::string file(const std::string &text) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("kgen_test_" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << text;
  return path.string();
}

// kLayer with one piece replaced.
std::string changed(const std::string &from, const std::string &to) {
  std::string text = kLayer;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string errorOf(const std::string &text) {
  const std::string path = file(text);
  try {
    generate(readLayer(path), path, "layer.json");
  } catch (const LayerError &error) {
    EXPECT_EQ(error.text.rfind(path + ": ", 0), 0u) << error.text;
    return error.text.substr(path.size() + 2);
  }
  return "accepted";
}

TEST(Kgen, RefusesAndNamesTheField) {
  const struct {
    const char *from, *to, *error;
  } cases[] = {
      {"[1, 8, 9, 3]", "[1, 8, 9, 4]", "field 'filter.shape[3]': 3: must divide the input's channels, 4"},
      {"[1, 8, 9, 3]", "[1, 8, 0, 3]", "field 'input.shape[2]': 0: must be an integer in 1..65535"},
      {"[1, 8, 9, 3]", "[1, 8, 9]", "field 'input.shape': 3 values: must be an array of 4 integers"},
      {"[1, 8, 9, 3]", "\"large\"", "field 'input.shape': \"large\": must be an array of 4 integers"},
      {"[2, 3, 3, 3]", "[2, 300, 3, 3]",
       "field 'filter.shape': [2,300,3,3]: height and width must be in 1..255"},
      {"\"zero_point\": -1", "\"zero_point\": 128",
       "field 'input.zero_point': 128: must be an integer in -128..127"},
      {"\"zero_point\": 4", "\"zero_point\": 4, \"shape\": [1, 4, 6, 2]",
       "field 'output.shape[2]': 6: the other fields give 5"},
      {"[2, 2]", "[0, 2]", "field 'stride[0]': 0: must be an integer in 1..255"},
      {"[2, 2]", "[1.5, 2]", "field 'stride[0]': 1.5: must be an integer in 1..255"},
      {"\"same\"", "\"mirror\"",
       "field 'padding': \"mirror\": must be \"same\", \"valid\" or an object with top, left, bottom "
       "and right"},
      {"\"same\"", "{\"top\": 1, \"left\": 1, \"bottom\": 1}", "field 'padding.right' is missing"},
      {"[1, 8, 9, 3], \"zero_point\": -1}", "[1, 2, 9, 3], \"zero_point\": -1}", "accepted"},
      {"[-128, 127]", "[10, 9]", "field 'activation': [10,9]: the minimum is above the maximum"},
      {"[1073741824, 1500000000]", "[1073741824]",
       "field 'multiplier': 1 values: must be an array of 2 integers"},
      {"[1073741824, 1500000000]", "[1073741824, 18446744073709551615]",
       "field 'multiplier[1]': 18446744073709551615: must be an integer in -2147483648..2147483647"},
      {"[-8, -9]", "[-8, -40]", "field 'shift[1]': -40: must be an integer in -31..31"},
      {"16384", "1000", "field 'scratch_bytes': 1000: the smallest tile needs 1152 bytes"},
      {"\"stride\"", "\"strides\"", "field 'strides': [2,2]: is not a field of a layer"},
      {"\"edges\"", "\"3 x 3\"", "field 'name': \"3 x 3\": must be a C identifier"},
      {"\"edges\"", "\"while\"", "field 'name': \"while\": has a meaning of its own in C"},
      {"\"edges\"", "\"int8_t\"", "field 'name': \"int8_t\": has a meaning of its own in C"},
      {"\"edges\"", "\"memcpy\"", "field 'name': \"memcpy\": has a meaning of its own in C"},
      {"\"edges\"", "\"npu_conv_s8\"", "field 'name': \"npu_conv_s8\": must not begin as the library's names do"},
      {"\"edges\"", "\"a\\u0000b\"", "field 'name': \"a\\u0000b\": must be a C identifier"},
      {"\"name\": \"edges\",", "", "field 'name' is missing"},
      {"[2, 2]", "[1, 1], \"stride\": [2, 2]", "field \"stride\" stands twice"},
      {"\"zero_point\": 4", "\"zero_point\": 4, \"pitch\": 64",
       "field 'output.pitch': 64: is for tensors in \"tcm\""},
      {"[2, 3, 3, 3]}", "[2, 3, 3, 3], \"type\": \"int2\"}",
       "field 'filter.type': \"int2\": must be \"int8\" or \"int4\""},
      {"[2, 3, 3, 3]}", "[2, 3, 3, 3], \"memory\": \"rom\"}",
       "field 'filter.memory': \"rom\": must be \"dram\" or \"tcm\""},
      {"[2, 3, 3, 3]", "[2, 3, 3, 1]",
       "field 'filter.shape[0]': 2: must be a multiple of the groups, 3"},
      {"[1, 8, 9, 3]", "[1, 65535, 65535, 3]",
       "field 'input.shape': [1,65535,65535,3]: more than the 134217728 bytes of DRAM"},
  };
  for (const auto &c : cases)
    EXPECT_EQ(errorOf(changed(c.from, c.to)), c.error) << c.to;
}

TEST(Kgen, RefusesOfOtherOperatorsWhatTheyDoNotHave) {
  const std::string depthwise = R"({"name": "d", "operator": "depthwise_conv",
 "input": {"shape": [1, 8, 9, 16], "zero_point": -1}, "filter": {"shape": [1, 3, 3, 16]},
 "output": {"zero_point": 4}, "padding": "same", "multiplier": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],
 "shift": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], "scratch_bytes": 32768})";
  const std::string connected = R"({"name": "f", "operator": "fully_connected",
 "input": {"shape": [1, 1, 1, 48], "zero_point": -1}, "filter": {"shape": [2, 1, 1, 48]},
 "output": {"zero_point": 4}, "scale": [0.5, 0.25], "scratch_bytes": 32768})";
  const struct {
    const std::string &text;
    const char *from, *to, *error;
  } cases[] = {
      {depthwise, "depthwise_conv", "depthwise_conv", "accepted"},
      {depthwise, "depthwise_conv", "dense",
       "field 'operator': \"dense\": must be \"conv\", \"depthwise_conv\" or \"fully_connected\""},
      {depthwise, "[1, 3, 3, 16]", "[2, 3, 3, 16]", "field 'filter.shape[0]': 2: must be 1 of a depthwise convolution"},
      {depthwise, "[1, 3, 3, 16]", "[1, 3, 3, 17]",
       "field 'filter.shape[3]': 17: must be a multiple of the input's channels, 16"},
      {depthwise, "\"zero_point\": -1", "\"zero_point\": -1, \"memory\": \"tcm\"",
       "field 'input.memory': \"tcm\": depthwise convolutions have kernels from DRAM to DRAM; the library runs this "
       "layer in place"},
      {depthwise, "[1, 3, 3, 16]", "[1, 5, 4, 16]",
       "field 'operator': \"depthwise_conv\": channels in whole blocks of 16 and windows of up to 16 taps have kernels; "
       "the library runs this layer"},
      {depthwise, "32768", "2000", "field 'scratch_bytes': 2000: no plan fits"},
      {connected, "fully_connected", "fully_connected", "accepted"},
      {connected, "[0.5, 0.25]", "[0.5]", "field 'scale': 1 values: must be an array of 2 numbers"},
      {connected, "[0.5, 0.25]", "[0.5, -1]", "field 'scale[1]': -1: must be a number in 0..536870912"},
      {connected, "\"scale\"", "\"stride\": [1, 1], \"scale\"",
       "field 'stride': [1,1]: is not a field of a fully connected layer"},
      {connected, "[2, 1, 1, 48]}", "[2, 1, 1, 48], \"type\": \"int4_block\"}",
       "field 'filter.shape[3]': 48: must be a multiple of 32, the inputs that share a scale"},
      {connected, "[2, 1, 1, 48]", "[2, 1, 1, 47]", "field 'filter.shape[3]': 47: must be the input's channels, 48"},
      {connected, "32768", "512", "field 'scratch_bytes': 512: no plan fits"},
  };
  for (const auto &c : cases) {
    std::string text = c.text;
    EXPECT_EQ(errorOf(text.replace(text.find(c.from), std::string(c.from).size(), c.to)), c.error) << c.to;
  }
}

TEST(Kgen, RefusesWindowLargerThanTheInput) {
  std::string text = changed("[1, 8, 9, 3]", "[1, 2, 9, 3]");
  text.replace(text.find("\"same\""), 6, "\"valid\"");
  EXPECT_EQ(errorOf(text), "field 'filter.shape': a window of 3 lines: does not fit into the padded "
                           "input's 2");
}

TEST(Kgen, RefusesBrokenFiles) {
  EXPECT_EQ(errorOf("{\"name\": "), "byte 10: is not valid JSON");
  EXPECT_EQ(errorOf("[]"), "must hold an object");
  EXPECT_EQ(errorOf("{\"name\": 1e999}"), "a number is too large");
  try {
    readLayer("/nonexistent/layer.json");
    FAIL() << "accepted";
  } catch (const LayerError &error) {
    EXPECT_EQ(error.text, "/nonexistent/layer.json: cannot be opened");
  }
  EXPECT_THROW(readLayer("/"), LayerError);
}

TEST(Kgen, SamePaddingIsTflites) {
  const Layer layer = readLayer(file(kLayer));
  EXPECT_EQ(layer.problem.output.h, 4); // ceil(8 / 2): 1 line of padding, none of it above
  EXPECT_EQ(layer.problem.output.w, 5); // ceil(9 / 2): 2 columns, one on each side
  EXPECT_EQ(layer.problem.params.padding.h, 0);
  EXPECT_EQ(layer.problem.params.padding.w, 1);
}

TEST(Kgen, PlansStayInsideTheScratchBufferAndCoverTheOutput) {
  for (const uint32_t scratch : {1700u, 3000u, 5000u, 65536u}) {
    const Layer layer = readLayer(file(changed("16384", std::to_string(scratch))));
    for (const Candidate &candidate : rankPlans(layer, "layer")) {
      const npu_conv_plan &plan = candidate.plan;
      const npu_conv_choice &c = plan.choice;
      EXPECT_LE(plan.scratch_bytes, scratch);
      EXPECT_LE(plan.runs.h * plan.runs.w, NPU_RUN_PIXELS);
      EXPECT_GE(plan.slices * c.slice_blocks, plan.blocks);
      const int32_t across = (plan.out_w + c.tile_w - 1) / c.tile_w;
      EXPECT_GE(c.first_h + (plan.tiles / across - 1) * c.tile_h, plan.out_h);
    }
  }
}

TEST(Kgen, RankingIsByCycles) {
  const std::vector<Candidate> ranking = rankPlans(readLayer(file(kLayer)), "layer");
  ASSERT_GT(ranking.size(), 10u);
  for (size_t i = 1; i < ranking.size(); ++i)
    EXPECT_LE(ranking[i - 1].plan.cycles, ranking[i].plan.cycles);
  std::ostringstream text;
  emitRanking(text, ranking);
  const std::string lines = text.str();
  EXPECT_EQ(size_t(std::count(lines.begin(), lines.end(), '\n')), ranking.size() + 1);
}

// 27 bytes of the window in two steps: 16, of which 9 in the first row, and 11, of which 2 in the second.
TEST(Kgen, WritesTheWindowAsConstants) {
  const Layer layer = readLayer(file(kLayer));
  std::ostringstream kernel;
  emitKernel(kernel, layer, rankPlans(layer, "layer").front().plan, "edges.json");
  EXPECT_NE(kernel.str().find("16u << 17 | 9u << 23, 0u << 16 | 0, 1}"), std::string::npos)
      << kernel.str();
  EXPECT_NE(kernel.str().find("11u << 17 | 2u << 23, 1u << 16 | 7, 1}"), std::string::npos);
}

TEST(Kgen, TakesPlacementAndWeightType) {
  std::string text = changed("[1, 8, 9, 3]", "[1, 8, 9, 4]");
  text.replace(text.find("\"shape\": [2, 3, 3, 3]"), 21, "\"shape\": [2, 3, 3, 2], \"type\": \"int4\"");
  text.replace(text.find("\"zero_point\": -1"), 16,
               "\"zero_point\": -1, \"memory\": \"tcm\", \"pitch\": 48");
  const Layer layer = readLayer(file(text));
  EXPECT_EQ(layer.problem.placement, uint32_t(NPU_CONV_INPUT_TCM));
  EXPECT_EQ(layer.problem.in_pitch, 48);
  EXPECT_EQ(layer.problem.weight_bits, 4);
  EXPECT_EQ(layer.problem.params.groups, 2);
  EXPECT_EQ(errorOf(text.replace(text.find("\"pitch\": 48"), 11, "\"pitch\": 35")),
            "field 'input.pitch': 35: must be an integer in 36..16777216");
}

} // namespace
} // namespace npu::kgen
