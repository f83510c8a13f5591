// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generators with descriptions that are cut, damaged or hold absurd numbers: each is accepted or refused by one
// clear line, within a bounded time.

#include "generate.h"
#include "network.h"
#include "program.h"
#include "work_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace npu {
namespace {

namespace fs = std::filesystem;

const char *const kLayer = R"({"name": "layer", "input": {"shape": [1, 8, 9, 4], "zero_point": -1, "memory": "tcm", "pitch": 48},
 "filter": {"shape": [2, 3, 3, 2], "type": "int4"}, "output": {"shape": [1, 4, 5, 2], "zero_point": 4},
 "stride": [2, 2], "dilation": [1, 1], "padding": "same", "activation": [-128, 127],
 "multiplier": [1073741824, 1500000000], "shift": [-8, -9], "scratch_bytes": 16384})";

// A layer of each operator; the constants of all lie in 512 zero bytes.
const char *const kNetwork = R"({"name": "tiny", "constants": "c.bin", "input": 0, "output": 7,
 "tensors": [{"shape": [1, 4, 4, 16], "zero_point": -3}, {"shape": [1, 4, 4, 16], "zero_point": -3},
  {"shape": [1, 4, 4, 4], "zero_point": 1}, {"shape": [1, 4, 4, 4], "zero_point": 5}, {"shape": [1, 1, 1, 4], "zero_point": 5},
  {"shape": [1, 4], "zero_point": 5}, {"shape": [1, 8], "zero_point": 0}, {"shape": [1, 8], "zero_point": -128}],
 "layers": [
  {"name": "a", "operator": "depthwise_conv_2d", "inputs": [0], "outputs": [1], "stride": [1, 1], "padding": [1, 1],
   "dilation": [1, 1], "activation": [-128, 127], "macs": 2304, "filter": {"shape": [1, 3, 3, 16], "offset": 0, "bytes": 144},
   "bias": {"offset": 144, "bytes": 64}, "multiplier": {"offset": 208, "bytes": 64}, "shift": {"offset": 272, "bytes": 64}},
  {"name": "b", "operator": "conv_2d", "inputs": [1], "outputs": [2], "stride": [1, 1], "padding": [0, 0], "dilation": [1, 1],
   "activation": [-128, 127], "filter": {"shape": [4, 1, 1, 16], "offset": 0, "bytes": 64}, "bias": {"offset": 0, "bytes": 16},
   "multiplier": {"offset": 0, "bytes": 16}, "shift": {"offset": 0, "bytes": 16}},
  {"name": "c", "operator": "add", "inputs": [2, 2], "outputs": [3], "left_shift": 20, "input_multiplier": [1073741824, 1073741824],
   "input_shift": [0, 0], "multiplier": 1073741824, "shift": -18},
  {"name": "d", "operator": "average_pool_2d", "inputs": [3], "outputs": [4], "window": [4, 4], "stride": [4, 4], "padding": [0, 0],
   "dilation": [1, 1]},
  {"name": "e", "operator": "reshape", "inputs": [4], "outputs": [5]},
  {"name": "f", "operator": "fully_connected", "inputs": [5], "outputs": [6], "filter": {"shape": [8, 4], "offset": 0, "bytes": 32},
   "bias": {"offset": 0, "bytes": 32}, "scale": {"offset": 0, "bytes": 64}},
  {"name": "g", "operator": "softmax", "inputs": [6], "outputs": [7], "multiplier": 1073741824, "shift": 23, "diff_min": -248}]})";

std::string replaced(std::string text, size_t at, size_t size, const std::string &with) {
  return text.replace(at, size, with);
}

// The spans of text that are numbers, strings, arrays without members, or whole values behind a colon.
std::vector<std::pair<size_t, size_t>> values(const std::string &text) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t end = i;
    if (text[i] == '-' || std::isdigit(static_cast<unsigned char>(text[i])) != 0) {
      while (text[end] == '-' || std::isdigit(static_cast<unsigned char>(text[end])) != 0)
        ++end;
    } else if (text[i] == '"') {
      end = text.find('"', i + 1) + 1;
    } else if (text[i] == '[' && text.find('[', i + 1) > text.find(']', i)) {
      found.emplace_back(i, text.find(']', i) + 1 - i); // and the numbers in it
      continue;
    } else {
      continue;
    }
    found.emplace_back(i, end - i);
    i = end;
  }
  return found;
}

// Every damaged form of the text: cut every `step` bytes, each value replaced by odd ones, a bit or some bytes changed.
void forEachDamage(const std::string &text, size_t step, int random, const std::function<void(const std::string &)> &use) {
  static const std::string kOdd[] = {
      "0", "-1", "1", "2", "3", "7", "16", "17", "127", "128", "255", "256", "4096", "65535", "65536", "2147483647", "-2147483648",
      "2147483648", "4294967295", "4294967296", "9223372036854775808", "18446744073709551616", "1e30", "1.5", "1e999",
      "null", "true", "\"\"", "\"x\"", "\"\\u0000\"", "\"\xff\"", "[]", "{}", "[1]", "[1, 1]", "[1, 1, 1, 1]", "[1, 1, 1, 1, 1]",
      "[65535, 65535, 65535, 65535]", "[1, 65535, 65535, 16]", "[1, 1, 65535, 1024]", std::string(100000, '['), "\"" + std::string(5000, 'a') + "\""};
  for (size_t size = 0; size < text.size(); size += step)
    use(text.substr(0, size));
  for (const auto &[at, size] : values(text))
    for (const std::string &odd : kOdd)
      use(replaced(text, at, size, odd));
  std::mt19937 draw(5);
  const auto spans = values(text);
  for (int i = 0; i < random; ++i) {
    std::string damaged = text;
    switch (draw() % 4) {
    case 0: // a bit
      damaged[draw() % text.size()] ^= char(1u << draw() % 8);
      break;
    case 1: // bytes left out
      damaged.erase(draw() % text.size(), draw() % 20 + 1);
      break;
    case 2: { // a piece of the text elsewhere
      const size_t from = draw() % text.size();
      damaged.insert(draw() % text.size(), text.substr(from, draw() % 40 + 1));
      break;
    }
    default: // several odd values, the last one first as the places move
      for (size_t k = spans.size(); k-- > 0;)
        if (draw() % 16 == 0)
          damaged.replace(spans[k].first, spans[k].second, kOdd[draw() % std::size(kOdd)]);
    }
    use(damaged);
  }
}

// What a generator says of all damaged forms.
struct Outcome {
  int accepted = 0, refused = 0;
  std::chrono::duration<double> longest{};
};

// run: empty, or what is said of the file.
Outcome tryAll(const std::string &text, const fs::path &path, size_t step, int random,
               const std::function<std::string()> &run) {
  Outcome outcome;
  forEachDamage(text, step, random, [&](const std::string &damaged) {
    std::ofstream(path, std::ios::binary) << damaged;
    const auto start = std::chrono::steady_clock::now();
    const std::string said = run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    outcome.longest = std::max(outcome.longest, took);
    ++(said.empty() ? outcome.accepted : outcome.refused);
    EXPECT_LT(took.count(), 20) << damaged;
    EXPECT_TRUE(said.find_first_of("\n\r") == std::string::npos) << said << "\n" << damaged;
    EXPECT_TRUE(said.empty() || said.size() > 10) << said;
  });
  return outcome;
}

const bool kAll = std::getenv("NPU_TEST_ALL") != nullptr;

TEST(Malformed, Layers) {
  const fs::path path = test::workFolder() / "layer.json";
  const Outcome outcome = tryAll(kLayer, path, 1, kAll ? 20000 : 1500, [&]() -> std::string {
    try {
      kgen::generate(kgen::readLayer(path.string()), "layer", "layer.json");
    } catch (const kgen::LayerError &error) {
      return error.text;
    }
    return "";
  });
  EXPECT_GT(outcome.refused, 1000);
  EXPECT_GT(outcome.accepted, 20);
  RecordProperty("longest_ms", int(outcome.longest.count() * 1000));
}

TEST(Malformed, Networks) {
  const fs::path path = test::workFolder() / "network.json";
  std::ofstream(test::workFolder() / "c.bin", std::ios::binary) << std::string(512, '\0');
  const Outcome outcome = tryAll(kNetwork, path, 7, kAll ? 20000 : 1500, [&]() -> std::string {
    try {
      netgen::makeProgram(netgen::readNetwork(path.string()), {108 << 10, 1 << 20});
    } catch (const netgen::NetworkError &error) {
      return error.what();
    }
    return "";
  });
  EXPECT_GT(outcome.refused, 3000);
  EXPECT_GT(outcome.accepted, 20);
  RecordProperty("longest_ms", int(outcome.longest.count() * 1000));
}

} // namespace
} // namespace npu
