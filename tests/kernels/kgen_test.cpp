// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator's input: what it refuses, with the field it names, and what it derives.

#include "emit.h"
#include "layer.h"
#include "plan.h"

#include <gtest/gtest.h>

#include <unistd.h>

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
    makePlan(readLayer(path), path);
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
      {"[1, 8, 9, 3]", "[1, 8, 9, 4]", "field 'filter.shape[3]': 3: must be the input's channels, 4"},
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
      {"16384", "1000", "field 'scratch_bytes': 1000: the smallest tile needs 1632 bytes"},
      {"\"stride\"", "\"strides\"", "field 'strides': [2,2]: is not a field of a layer"},
      {"\"edges\"", "\"3 x 3\"", "field 'name': \"3 x 3\": must be a C identifier"},
      {"\"edges\"", "\"while\"", "field 'name': \"while\": has a meaning of its own in C"},
      {"\"name\": \"edges\",", "", "field 'name' is missing"},
      {"[2, 2]", "[1, 1], \"stride\": [2, 2]", "field 'stride' stands twice"},
      {"[1, 8, 9, 3]", "[1, 65535, 65535, 3]",
       "field 'input.shape': [1,65535,65535,3]: more than the 134217728 bytes of DRAM"},
  };
  for (const auto &c : cases)
    EXPECT_EQ(errorOf(changed(c.from, c.to)), c.error) << c.to;
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
  EXPECT_EQ(layer.output.h, 4); // ceil(8 / 2): 1 line of padding, none of it above
  EXPECT_EQ(layer.output.w, 5); // ceil(9 / 2): 2 columns, one on each side
  EXPECT_EQ(layer.params.padding.h, 0);
  EXPECT_EQ(layer.params.padding.w, 1);
}

TEST(Kgen, PlanStaysInsideTheScratchBuffer) {
  for (const uint32_t scratch : {2048u, 3000u, 5000u, 65536u}) {
    Layer layer = readLayer(file(changed("16384", std::to_string(scratch))));
    const Plan plan = makePlan(layer, "layer");
    EXPECT_LE(plan.scratchBytes, scratch);
    EXPECT_LE(plan.rectH * plan.rectW, 128);
    EXPECT_GE(plan.tilesY * plan.tileH, layer.output.h);
    EXPECT_GE(plan.tilesX * plan.tileW, layer.output.w);
  }
}

TEST(Kgen, UnrollsTheWindowWithItsConstants) {
  const Layer layer = readLayer(file(kLayer));
  std::ostringstream kernel;
  emitKernel(kernel, layer, makePlan(layer, "layer"), "edges.json");
  EXPECT_NE(kernel.str().find("npu_mac_run_ctl(0, 0, 16, 9, 0)"), std::string::npos);
  EXPECT_NE(kernel.str().find("npu_mac_run_ctl(0, 0, 11, 2, 0)"), std::string::npos);
}

} // namespace
} // namespace npu::kgen
