// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network generator: its memory planner, what it refuses, its exact short forms. models_test.cpp runs what it
// generates.

#include "constants.h"
#include "exponentials.h"
#include "network.h"
#include "planner.h"
#include "program.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace npu::netgen {
namespace {

namespace fs = std::filesystem;

TEST(Planner, BuffersThatLiveTogetherDoNotOverlap) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Buffer> buffers;
    for (int i = 0; i < 20; ++i) {
      const int first = static_cast<int>(random() % 20);
      buffers.push_back({"b", static_cast<uint32_t>(random() % 2000 + 1), first,
                         first + static_cast<int>(random() % 5), 0});
    }
    Planner planner("memory", 1 << 20);
    planner.placeAll(buffers);
    for (size_t i = 0; i < buffers.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const Buffer &a = buffers[i], &b = buffers[j];
        const bool together = a.first <= b.last && b.first <= a.last;
        EXPECT_TRUE(!together || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset);
      }
  }
}

TEST(Planner, TakesTheSmallestGapThatFits) {
  Planner planner("memory", 10240);
  Buffer first = {"first", 1024, 0, 9}, gone = {"gone", 2048, 0, 3}, second = {"second", 1024, 0, 9},
         wide = {"wide", 4096, 0, 3}, third = {"third", 1024, 0, 9};
  for (Buffer *buffer : {&first, &gone, &second, &wide, &third})
    ASSERT_TRUE(planner.place(*buffer));
  Buffer fits = {"fits", 2000, 4, 5}, atEnd = {"at end", 1000, 4, 5};
  ASSERT_TRUE(planner.place(fits));
  EXPECT_EQ(fits.offset, gone.offset);
  ASSERT_TRUE(planner.place(atEnd, true));
  EXPECT_EQ(atEnd.offset, 10240u - 1024u); // the free bytes behind `third`, and their end
}

TEST(Planner, NamesWhatDoesNotFitAndTheBytesThatAreMissing) {
  std::vector<Buffer> buffers = {{"image", 600, 0, 1}, {"output of conv", 500, 1, 2}};
  Planner planner("scratchpad", 1000);
  try {
    planner.placeAll(buffers);
    FAIL() << "placed";
  } catch (const NetworkError &error) {
    EXPECT_STREQ(error.what(), "scratchpad is full: output of conv (500 bytes) misses 140 bytes of 1000");
  }
  std::ostringstream map;
  planner.print(map);
  EXPECT_NE(map.str().find("image"), std::string::npos);
}

TEST(ShortForms, AveragesAreExact) {
  // Counts of windows that occur; findPoolScale itself tries every sum, so a wrong scale cannot come back.
  for (const int32_t count : {1, 4, 9, 16, 25, 49, 64, 125}) {
    PoolScale scale;
    ASSERT_TRUE(findPoolScale(count, scale)) << count;
    EXPECT_EQ(requantize(-128 * count * scale.weight, scale.multiplier, scale.shift), -128) << count;
    EXPECT_EQ(requantize(127 * count * scale.weight, scale.multiplier, scale.shift), 127) << count;
  }
}

TEST(ShortForms, ExponentialsAreThoseOfSoftmax) {
  // One unit of the input is 1/16: multiplier 2^30, shift 23 make 26 fractional bits of it.
  EXPECT_EQ(exponential(0, 1 << 30, 23, -248), INT32_MAX);
  EXPECT_EQ(exponential(-249, 1 << 30, 23, -248), 0);
  for (int32_t difference = -200; difference < 0; ++difference) {
    const double expected = std::exp(difference / 16.0) * 2147483648.0;
    EXPECT_NEAR(exponential(difference, 1 << 30, 23, -248), expected, 2000) << difference;
  }
}

fs::path folder() {
  const fs::path path = fs::path(NPU_SOURCE_DIR) / "build/tests/kernels" / ("netgen_" + std::to_string(getpid()));
  fs::create_directories(path);
  return path;
}

const char *const kLayer = R"({"name": "tiny", "constants": "c.bin", "input": 0, "output": 1,
 "tensors": [{"shape": [1, 4, 4, 16], "zero_point": -3}, {"shape": [1, 4, 4, 16], "zero_point": 5}],
 "layers": [{"name": "dw", "operator": "depthwise_conv_2d", "inputs": [0], "outputs": [1],
   "stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "activation": [-128, 127],
   "filter": {"shape": [1, 3, 3, 16], "offset": 0, "bytes": 144},
   "bias": {"offset": 144, "bytes": 64}, "multiplier": {"offset": 208, "bytes": 64},
   "shift": {"offset": 272, "bytes": 64}}]})";

std::string errorOf(const std::string &from, const std::string &to, uint32_t tcm = 1 << 16) {
  const fs::path path = folder() / "network.json";
  std::ofstream(folder() / "c.bin", std::ios::binary) << std::string(336, '\0');
  std::string text = kLayer;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  std::ofstream(path) << text.replace(at, from.size(), to);
  std::string error = "accepted";
  try {
    makeProgram(readNetwork(path.string()), {tcm});
  } catch (const NetworkError &failure) {
    error = failure.what();
    if (error.rfind(path.string() + ": ", 0) == 0)
      error.erase(0, path.string().size() + 2);
  }
  fs::remove_all(folder());
  return error;
}

TEST(Netgen, RefusesAndNamesTheField) {
  const struct {
    const char *from, *to, *error;
  } cases[] = {
      {"\"tiny\"", "\"tiny\"", "accepted"},
      {"\"tiny\"", "\"3\"", "field 'name': \"3\": must be a C identifier"},
      {"\"depthwise_conv_2d\"", "\"gelu\"",
       "field 'layers[0].operator': \"gelu\": must be one of add, average_pool_2d, conv_2d, depthwise_conv_2d, "
       "fully_connected, reshape, softmax"},
      {"\"inputs\": [0]", "\"inputs\": [7]", "field 'layers[0].inputs': 7: must be an integer in 0..1"},
      {"\"inputs\": [0]", "\"inputs\": [1]", "field 'layers[0].inputs': 1: no earlier layer makes this tensor"},
      {"\"bytes\": 144", "\"bytes\": 143", "field 'layers[0].filter.bytes': 143: the other fields give 144"},
      {"\"offset\": 272", "\"offset\": 400", "field 'layers[0].shift.offset': 400: must be an integer in 0..336"},
      {"[1, 3, 3, 16]", "[1, 3, 3, 8]",
       "field 'layers[0].filter.shape': [1,3,3,8]: does not belong to these tensors (groups and channel multipliers "
       "are not supported)"},
      {"[-128, 127]", "[4, 3]", "field 'layers[0].activation': [4,3]: the minimum is above the maximum"},
      {"\"stride\": [1, 1]", "\"stride\": [9, 1]",
       "field 'layers[0].outputs': [1,4,4,16]: its last window lies outside the input [1,4,4,16]"},
      {"\"stride\": [1, 1], ", "", "field 'layers[0].stride' is missing"},
      {"{\"name\"", "{{\"name\"", "byte 2: is not valid JSON"},
  };
  for (const auto &c : cases)
    EXPECT_EQ(errorOf(c.from, c.to), c.error) << c.to;
  EXPECT_EQ(errorOf("\"tiny\"", "\"tiny\"", 500),
            "scratchpad is full: output of dw (320 bytes) misses 140 bytes of 500");
}

} // namespace
} // namespace npu::netgen
