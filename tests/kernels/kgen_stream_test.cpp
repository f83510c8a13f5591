// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that npu-kgen writes for depthwise and fully connected layers: random layers, int8 and int4, constants and
// operands in either memory, on the model and a few on the RTL. They must give the bytes of the library's own plans,
// which the golden tests compare with TFLite, and the library must find them.

#include "environment.h"
#include "work_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>

namespace npu::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = NPU_SOURCE_DIR;
constexpr int kNear = 24000; // bytes of an operand in the scratchpad

class Draw {
public:
  explicit Draw(int seed) : random_(static_cast<unsigned>(seed)) {}
  int between(int low, int high) { return low + static_cast<int>(random_() % unsigned(high - low + 1)); }
  bool chance(int of) { return between(1, of) == 1; }

private:
  std::mt19937 random_;
};

struct Case {
  std::string layer, defines; // JSON, and what the program needs to know
};

std::string list(std::initializer_list<int> values) {
  std::string text = "[";
  for (const int value : values)
    text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  return text + "]";
}

std::string multipliers(Draw &d, int count, int shift) {
  std::ostringstream m, s;
  for (int i = 0; i < count; ++i) {
    m << (i ? ", " : "") << d.between(1 << 30, 0x7FFFFFFF);
    s << (i ? ", " : "") << shift - d.between(0, 2);
  }
  return "\"multiplier\": [" + m.str() + "], \"shift\": [" + s.str() + "]";
}

std::string memory(bool tcm) { return tcm ? "\"tcm\"" : "\"dram\""; }

Case depthwise(Draw &d) {
  const int multiplier = d.chance(5) ? d.between(2, 3) : 1;
  const int channels = multiplier > 1 ? d.between(1, 20) : 16 * d.between(1, 5);
  const int h = d.between(3, 24), w = d.between(3, 24), n = d.chance(3) ? 2 : 1;
  const int kh = d.between(1, 3), kw = d.between(1, 4), sh = d.between(1, 2), sw = d.between(1, 2);
  const int dh = d.chance(4) ? 2 : 1, dw = d.chance(4) ? 2 : 1;
  const int oh = (h + sh - 1) / sh, ow = (w + sw - 1) / sw, outputs = channels * multiplier;
  const bool int4 = d.chance(2), constants = multiplier == 1 && d.chance(3);
  Case c;
  c.layer = "{\"name\": \"layer\", \"operator\": \"depthwise_conv\", \"input\": {\"shape\": " +
            list({n, h, w, channels}) + ", \"zero_point\": " + std::to_string(d.between(-128, 127)) +
            "}, \"filter\": {\"shape\": " + list({1, kh, kw, outputs}) + ", \"type\": " +
            (int4 ? "\"int4\"" : "\"int8\"") + ", \"memory\": " + memory(constants) +
            "}, \"output\": {\"zero_point\": " + std::to_string(d.between(-128, 126)) + "}, \"stride\": " + list({sh, sw}) +
            ", \"dilation\": " + list({dh, dw}) + ", \"padding\": \"same\", " + multipliers(d, outputs, int4 ? -3 : -7) +
            ", \"scratch_bytes\": " + std::to_string(d.between(20, 80) << 10) + "}";
  c.defines = std::string("-DKIND=") + (multiplier > 1 ? "conv" : "dw") + " -DELEMENT=int8_t -DDEPTHWISE=" +
              (multiplier > 1 ? "0" : "1") + " -DMULTIPLIER=" + std::to_string(multiplier) +
              " -DINPUT_BYTES=" + std::to_string(n * h * w * channels) +
              " -DOUTPUT_BYTES=" + std::to_string(n * oh * ow * outputs) +
              " -DFILTER_BYTES=" + std::to_string(kh * kw * outputs) + " -DOUTPUTS=" + std::to_string(outputs) +
              " -DPLACEMENT=" + std::to_string(constants ? 4 : 0);
  return c;
}

Case connected(Draw &d) {
  static const char *const types[] = {"int8", "int4", "int4_block", "int8"};
  const int form = d.between(0, 3), element = form == 3 ? 2 : 1;
  const int inputs = form == 2 ? 32 * d.between(1, 12) : d.between(1, 400), outputs = d.between(1, 100);
  const int n = d.chance(2) ? 1 : d.between(1, 90), h = d.between(1, 2);
  int placement = 0;
  if (n * h * inputs * element <= kNear && d.chance(3))
    placement |= 1;
  if (n * h * outputs * element <= kNear && d.chance(3))
    placement |= 2;
  if ((outputs + 15) / 16 * (400 + 17 * inputs) <= kNear && d.chance(2))
    placement |= 4;
  const auto zero = [&] { return element == 2 ? 0 : d.between(-128, 126); };
  std::string scales;
  if (form == 2) {
    scales = multipliers(d, outputs, -12);
  } else {
    std::ostringstream text;
    for (int i = 0; i < outputs; ++i)
      text << (i ? ", " : "") << double(d.between(1000, 100000)) * (form == 1 ? 1e-6 : 1e-7);
    scales = "\"scale\": [" + text.str() + "]";
  }
  Case c;
  c.layer = "{\"name\": \"layer\", \"operator\": \"fully_connected\", \"input\": {\"shape\": " +
            list({n, h, 1, inputs}) + ", \"type\": " + (element == 2 ? "\"int16\"" : "\"int8\"") +
            ", \"zero_point\": " + std::to_string(zero()) + ", \"memory\": " + memory((placement & 1) != 0) +
            "}, \"filter\": {\"shape\": " + list({outputs, 1, 1, inputs}) + ", \"type\": \"" + types[form] +
            "\", \"memory\": " + memory((placement & 4) != 0) + "}, \"output\": {\"zero_point\": " +
            std::to_string(zero()) + ", \"memory\": " + memory((placement & 2) != 0) + "}, " + scales +
            ", \"scratch_bytes\": " + std::to_string(d.between(24, 80) << 10) + "}";
  c.defines = std::string("-DKIND=fc -DELEMENT=") + (element == 2 ? "int16_t" : "int8_t") +
              " -DINPUT_BYTES=" + std::to_string(n * h * inputs * element) +
              " -DOUTPUT_BYTES=" + std::to_string(n * h * outputs * element) +
              " -DFILTER_BYTES=" + std::to_string(inputs * outputs) + " -DOUTPUTS=" + std::to_string(outputs) +
              " -DBLOCK_SCALES=" + (form == 2 ? "1" : "0") + " -DPLACEMENT=" + std::to_string(placement);
  return c;
}

void shell(const std::string &command, const Case &c) {
  const fs::path log = workFolder() / "log.txt";
  const int status = std::system(("(" + command + ") > " + log.string() + " 2>&1").c_str());
  std::ifstream file(log);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  ASSERT_EQ(status, 0) << command << "\n" << text << "\n" << c.layer;
}

void run(const Case &c, const std::string &simulator, int seed) {
  const fs::path folder = workFolder(), program = folder / "generated_stream.elf";
  std::ofstream(folder / "layer.json") << c.layer;
  shell((kRoot / "build/bin/npu-kgen").string() + " " + (folder / "layer.json").string() + " -o " + folder.string() +
            " && " + (kRoot / "build/toolchain/bin/clang").string() + " --target=npu -O2 -Wall -Wextra -Werror -I" +
            folder.string() + " " + c.defines + " " + (kRoot / "tests/kernels/Inputs/generated_stream.c").string() +
            " " + (folder / "layer.c").string() + " -T npu-large.ld -lnpukernels -Wl,--gc-sections -o " +
            program.string() + " && " + (kRoot / "build/bin" / simulator).string() +
            " --config large --max-cycles 400000000 " + program.string() + " " + std::to_string(seed),
        c);
}

void runRandom(Case (*make)(Draw &), int usual, int all) {
  const int count = caseCount(usual, all), first = firstSeed(20);
  for (int seed = first; seed < first + count && !testing::Test::HasFatalFailure(); ++seed) {
    Draw d(seed);
    const Case c = make(d);
    run(c, "npu-iss --check-races", seed);
    if (seed % 10 == 0)
      run(c, "npu-rtl", seed);
  }
}

TEST(GeneratedDepthwise, SameBytesAsTheLibrarysPlan) { runRandom(depthwise, 20, 200); }
TEST(GeneratedFullyConnected, SameBytesAsTheLibrarysPlan) { runRandom(connected, 20, 200); }

} // namespace
} // namespace npu::test
