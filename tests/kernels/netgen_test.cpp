// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network generator: its memory planner, what it refuses, its exact short forms, and how errors of a running network
// are reported. models_test.cpp compares what it generates with TFLite.

#include "constants.h"
#include "exponentials.h"
#include "golden.h"
#include "network.h"
#include "planner.h"
#include "program.h"
#include "work_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

fs::path folder() { return test::workFolder(); }

// A chain of depthwise layers "dw0", "dw1", ... over 4 x 4 x 16; all share the constants of one of them.
std::string chain(int layers) {
  std::string tensors, text;
  for (int i = 0; i <= layers; ++i)
    tensors += std::string(i == 0 ? "" : ", ") + R"({"shape": [1, 4, 4, 16], "zero_point": -3})";
  for (int i = 0; i < layers; ++i)
    text += std::string(i == 0 ? "" : ", ") + "{\"name\": \"dw" + std::to_string(i) + "\", \"inputs\": [" +
            std::to_string(i) + "], \"outputs\": [" + std::to_string(i + 1) + R"(], "operator": "depthwise_conv_2d",
   "stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "activation": [-128, 127],
   "filter": {"shape": [1, 3, 3, 16], "offset": 0, "bytes": 144},
   "bias": {"offset": 144, "bytes": 64}, "multiplier": {"offset": 208, "bytes": 64},
   "shift": {"offset": 272, "bytes": 64}})";
  return R"({"name": "tiny", "constants": "c.bin", "input": 0, "output": )" + std::to_string(layers) +
         ", \"tensors\": [" + tensors + "], \"layers\": [" + text + "]}";
}

fs::path writeNetwork(const std::string &text) {
  const fs::path path = folder() / "network.json";
  std::ofstream(folder() / "c.bin", std::ios::binary) << std::string(336, '\0');
  std::ofstream(path) << text;
  return path;
}

constexpr Options kRoom = {1 << 16, 1 << 16};

std::string errorOf(const std::string &from, const std::string &to, const Options &options = kRoom) {
  std::string text = chain(1);
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  const fs::path path = writeNetwork(text.replace(at, from.size(), to));
  std::string error = "accepted";
  try {
    makeProgram(readNetwork(path.string()), options);
  } catch (const NetworkError &failure) {
    error = failure.what();
    if (error.rfind(path.string() + ": ", 0) == 0)
      error.erase(0, path.string().size() + 2);
  }
  return error;
}

TEST(Netgen, RefusesAndNamesTheField) {
  const struct {
    const char *from, *to, *error;
  } cases[] = {
      {"\"tiny\"", "\"tiny\"", "accepted"},
      {"\"input\": 0", "\"input\": 1e999", "a number is too large"},
      {"\"input\": 0", "\"input\": 0, \"inputs\": 1", "field 'inputs': 1: is not a field of a network"},
      {"\"activation\"", "\"activations\"",
       "field 'layers[0].activations': [-128,127]: is not a field of a network"},
      {"\"shape\": [1, 3, 3, 16]", "\"shape\": [1, 3, 3, 16], \"type\": \"int4\"",
       "field 'layers[0].filter.type': \"int4\": is not a field of a network"},
      {"\"zero_point\": -3", "\"zero_point\": -3, \"scale\": 0.5",
       "field 'tensors[0].scale': 0.5: is not a field of a network"},
      {"\"dw0\"", R"("d\"w")",
       R"(field 'layers[0].name': "d\"w": must be printable ASCII without " and \)"},
      {"\"output\": 1", "\"output\": 0", "field 'output': 0: no layer makes this tensor"},
      {"\"tiny\"", "\"3\"", "field 'name': \"3\": must be a C identifier"},
      {"\"tiny\"", "\"time_t\"", "field 'name': \"time_t\": has a meaning of its own in C"},
      {"\"c.bin\"", "\"c.bin\\u0000x\"", "field 'constants': \"c.bin\\u0000x\": must be the name of a file"},
      {"\"input\": 0", "\"input\": 0, \"input\": 0", "field \"input\" stands twice"},
      {"\"shape\": [1, 4, 4, 16]", "\"shape\": [1, 65535, 65535, 16]",
       "field 'tensors[0].shape': [1,65535,65535,16]: must have at most 16777216 values"},
      {"[1, 4, 4, 16]", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "is nested deeper than 32 levels"},
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
}

// NAME.h cannot be written as a folder has its name: NAME.c, written before, goes again.
TEST(Netgen, LeavesNothingHalfWritten) {
  const fs::path path = writeNetwork(chain(1)), out = folder() / "out";
  fs::create_directories(out / "tiny.h");
  EXPECT_NE(test::goldenShell(NPU_SOURCE_DIR "/build/bin/npu-netgen " + path.string() + " -o " + out.string()), "");
  EXPECT_FALSE(fs::exists(out / "tiny.c"));
  EXPECT_FALSE(fs::exists(out / "tiny.bin"));
}

TEST(Netgen, SaysWhichBufferDoesNotFitAndTheBytesThatAreMissing) {
  EXPECT_EQ(errorOf("tiny", "tiny", {500, 1 << 16}),
            "scratchpad is full: output of dw0 (320 bytes) misses 140 bytes of 500");
  EXPECT_EQ(errorOf("tiny", "tiny", {900, 1 << 16}),
            "scratchpad is full: constants of dw0 (288 bytes) misses 28 bytes of 900");
  EXPECT_EQ(errorOf("tiny", "tiny", {1 << 16, 200}), "DRAM is full: constants of dw0 (288 bytes) misses 88 bytes of 200");
  EXPECT_EQ(errorOf("tiny", "tiny", {1 << 16, 500}), "DRAM is full: input (256 bytes) misses 76 bytes of 500");
}

TEST(Netgen, TensorsShareMemoryUnlessTheyLiveAtTheSameTime) {
  constexpr int kLayers = 8;
  const Program program = makeProgram(readNetwork(writeNetwork(chain(kLayers)).string()), kRoom);
  ASSERT_EQ(program.buffers.size(), size_t(kLayers + 1));
  uint32_t all = 0, top = 0;
  for (int i = 0; i <= kLayers; ++i) {
    const Buffer &a = program.buffer(i);
    all += a.bytes;
    top = std::max(top, a.offset + a.bytes);
    // Written in its layer's part, read until behind the next one's.
    EXPECT_EQ(a.first, std::max(i - 1, 0)) << i;
    EXPECT_EQ(a.last, std::min(i + 1, kLayers - 1)) << i;
    for (int j = 0; j < i; ++j) {
      const Buffer &b = program.buffer(j);
      const bool together = a.first <= b.last && b.first <= a.last;
      EXPECT_TRUE(!together || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset) << i << " " << j;
    }
  }
  EXPECT_LT(top, all / 2);
  EXPECT_EQ(program.outputInDram.offset, program.inputInDram.offset); // read before the other is written
}

// The tools at work: the map, and a network whose memory fails.
class RunningNetwork : public testing::Test {
protected:
  static void SetUpTestSuite() {
    writeNetwork(chain(3));
    const std::string in = folder().string() + "/";
    std::ofstream(in + "input.bin", std::ios::binary) << std::string(256, '\1');
    std::ofstream(in + "output.bin", std::ios::binary) << std::string(256, '\xfd');
    built_ = test::goldenShell(NPU_SOURCE_DIR "/build/bin/npu-netgen " + in + "network.json -o " + in + " --map > " + in + "map.txt");
    if (built_.empty())
      built_ = test::goldenShell(
          NPU_SOURCE_DIR "/build/toolchain/bin/clang --target=npu -O2 -I" + in +
          " '-DNETWORK_HEADER=\"tiny.h\"' '-DNETWORK(x)=tiny##x' '-DNETWORK_UPPER(x)=TINY##x' " NPU_SOURCE_DIR
          "/kernels/netgen/run_network.c " + in + "tiny.c -lnpukernels -Wl,--defsym=__stack_size=4096 -o " + in + "tiny.elf && " NPU_SOURCE_DIR
          "/build/toolchain/bin/llvm-nm " + in + "tiny.elf | awk '$3 == \"network\" {print $1}' > " + in + "address.txt");
  }

  static std::string bin() { return NPU_SOURCE_DIR "/build/bin/"; }

  static std::string textOf(const std::string &file) {
    std::ifstream in(folder() / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // What the program says if the bus refuses the access to a byte of its block of DRAM.
  static std::string faultAt(uint32_t offset) {
    const std::string in = folder().string() + "/";
    const unsigned long base = std::strtoul(textOf("address.txt").c_str(), nullptr, 16);
    return test::goldenShell(bin() + "npu-rtl --max-cycles 10000000 --dram-error " + std::to_string(base + offset) +
                             ",1 " + in + "tiny.elf " + in + "tiny.bin " + in + "input.bin " + in + "output.bin");
  }

  static std::string built_;
};

std::string RunningNetwork::built_;

TEST_F(RunningNetwork, MapShowsScratchpadAndDram) {
  ASSERT_EQ(built_, "");
  const std::string map = textOf("map.txt");
  for (const char *line : {"scratchpad: ", " of 110592 bytes\n", "DRAM: ", " of 134217728 bytes\n", "  output of dw2\n",
                           "  constants of dw1\n", "  input\n", "  output\n"})
    EXPECT_NE(map.find(line), std::string::npos) << line << map;
}

TEST_F(RunningNetwork, TransferErrorsNameTheLayer) {
  ASSERT_EQ(built_, "");
  // 288 bytes of constants a layer, each at a multiple of 64, then the input; the output lies over it.
  EXPECT_EQ(faultAt(100000), ""); // nothing reads there
  for (const auto &[offset, layer] : {std::pair(10u, "dw0"), std::pair(320u + 200u, "dw1"), std::pair(640u + 287u, "dw2")})
    EXPECT_NE(faultAt(offset).find("run_network: layer " + std::string(layer) + ": status -3 (a transfer failed)\n"),
              std::string::npos)
        << offset << ": " << faultAt(offset);
}

TEST_F(RunningNetwork, MatrixUnitErrorsNameTheLayer) {
  const std::string in = folder().string() + "/";
  std::ofstream(in + "error.c") << R"(#include <npu/network.h>
#include <stdio.h>
int main(void) {
  static const npu_net_layer layers[] = {{"first", 0, 0, 0}, {"second", 0, 0, 0}};
  const char *failed = "";
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  npu_mac_ldw((const void *)64, 16);
  const npu_status status = npu_net_failed(0, 0, 0, layers, 1, &failed);
  printf("%s %d\n", failed, (int)status);
  return status != NPU_ERROR_MATRIX_UNIT;
}
)";
  ASSERT_EQ(test::goldenShell(NPU_SOURCE_DIR "/build/toolchain/bin/clang --target=npu -O2 " + in +
                              "error.c -lnpukernels -o " + in + "error.elf && " + bin() + "npu-rtl " + in +
                              "error.elf > " + in + "error.txt"),
            "");
  EXPECT_EQ(textOf("error.txt"), "second -4\n");
}

// Networks of the model test have at most 12 classes: the softmax of a network against the library's, which is compared
// with TFLite's.
TEST_F(RunningNetwork, SoftmaxIsTheLibrarys) {
  const std::string in = folder().string() + "/";
  std::ofstream(in + "softmax.c") << R"(#include <npu/network.h>
#include <npu/softmax.h>
#include <stdio.h>
#include <string.h>
static _Alignas(64) int8_t table[NPU_SOFTMAX_TABLE_BYTES], planes[1024], in[256], out[256], expected[256], scratch[16384];
int main(void) {
  const npu_softmax_params params = {.multiplier = 1 << 30, .shift = 23, .diff_min = -248};
  if (npu_softmax_s8_table(&params, table) != NPU_OK)
    return 1;
  for (int i = 0; i < 1024; ++i)
    planes[i] = table[4 * (i % 256) + i / 256];
  const npu_context context = {scratch, sizeof scratch};
  uint32_t state = 1;
  for (int count = 1; count <= 150; ++count) {
    for (int i = 0; i < count; ++i)
      in[i] = (int8_t)((state = state * 1664525 + 1013904223) >> (24 + count % 5));
    memset(out, 99, sizeof out);
    npu_net_softmax((const npu_int8x64_t *)planes, in, count, out);
    if (npu_softmax_s8(&context, table, 1, count, in, expected) != NPU_OK || memcmp(out, expected, (size_t)count) != 0 ||
        out[count] != 99) {
      printf("count %d differs\n", count);
      return 1;
    }
  }
  return 0;
}
)";
  EXPECT_EQ(test::goldenShell(NPU_SOURCE_DIR "/build/toolchain/bin/clang --target=npu -O2 " + in +
                              "softmax.c -lnpukernels -o " + in + "softmax.elf && " + bin() + "npu-iss --max-cycles 10000000 " +
                              in + "softmax.elf"),
            "");
}

} // namespace
} // namespace npu::netgen
