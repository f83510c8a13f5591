// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks of every arrangement in which the generator overlaps layers, with random weights, against plain loops; on
// the model with its race check and on the RTL. models_test.cpp has the real networks and TFLite.

#include "constants.h"
#include "environment.h"
#include "golden.h"
#include "network.h"
#include "program.h"
#include "work_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <ostream>
#include <random>
#include <regex>
#include <sstream>

namespace npu::netgen {
namespace {

namespace fs = std::filesystem;

struct Scale {
  int32_t multiplier, shift; // multiplier 2^(shift - 31)
};

Scale scaleOf(double value) {
  int shift;
  const double fraction = std::frexp(value, &shift);
  const auto multiplier = static_cast<int64_t>(std::llround(fraction * 2147483648.0));
  return multiplier == int64_t(1) << 31 ? Scale{1 << 30, shift + 1} : Scale{static_cast<int32_t>(multiplier), shift};
}

// A network and the values of its tensors, which each function computes at once.
class Builder {
public:
  explicit Builder(unsigned seed) : random_(seed) { network.name = "tested"; }

  int input(Shape shape) {
    const int number = tensor(shape);
    for (int8_t &value : values[size_t(number)])
      value = static_cast<int8_t>(random_());
    network.input = number;
    return number;
  }

  // "Same" padding. Every channel has its own scale.
  int conv(int in, int32_t channels, int32_t window, int32_t stride, bool depthwise = false) {
    const Shape from = shapeOf(in);
    const int32_t h = divideUp(from.h, stride), w = divideUp(from.w, stride);
    const auto pad = [&](int32_t out, int32_t extent) { return std::max(0, (out - 1) * stride + window - extent) / 2; };
    Layer l;
    l.op = depthwise ? Operator::Depthwise : Operator::Conv;
    l.window = {window, window};
    l.stride = {stride, stride};
    l.padding = {pad(h, from.h), pad(w, from.w)};
    l.activation = {random_() % 2 == 0 ? -128 : -20, 127};
    const int32_t taps = window * window * (depthwise ? 1 : from.c);
    for (int32_t i = 0; i < taps * channels; ++i)
      l.filter.push_back(static_cast<int8_t>(random_()));
    for (int32_t c = 0; c < channels; ++c) {
      const Scale s = scaleOf(between(0.5, 1.5) / (74 * std::sqrt(double(taps)) * 2));
      l.multiplier.push_back(s.multiplier);
      l.shift.push_back(s.shift);
      l.bias.push_back(static_cast<int32_t>(random_() % 20001) - 10000);
    }
    l.macs = uint64_t(h) * uint64_t(w) * uint64_t(channels) * uint64_t(taps);
    const int out = finish(l, {in}, {1, h, w, channels});
    for (int32_t y = 0; y < h; ++y)
      for (int32_t x = 0; x < w; ++x)
        for (int32_t c = 0; c < channels; ++c) {
          int32_t sum = l.bias[size_t(c)];
          for (int32_t ky = 0; ky < window; ++ky)
            for (int32_t kx = 0; kx < window; ++kx) {
              const int32_t iy = y * stride + ky - l.padding[0], ix = x * stride + kx - l.padding[1];
              if (iy < 0 || iy >= from.h || ix < 0 || ix >= from.w)
                continue;
              const auto product = [&](int32_t channel, int32_t weight) {
                return (at(in, iy, ix, channel) - zeroOf(in)) * l.filter[size_t(weight)];
              };
              if (depthwise)
                sum += product(c, (ky * window + kx) * channels + c);
              else
                for (int32_t i = 0; i < from.c; ++i)
                  sum += product(i, ((c * window + ky) * window + kx) * from.c + i);
            }
          const int32_t value = requantize(sum, l.multiplier[size_t(c)], l.shift[size_t(c)]) + zeroOf(out);
          at(out, y, x, c) = static_cast<int8_t>(std::clamp(value, l.activation[0], l.activation[1]));
        }
    return out;
  }

  int depthwise(int in, int32_t window, int32_t stride) { return conv(in, shapeOf(in).c, window, stride, true); }

  int add(int a, int b) {
    const double scaleA = between(0.5, 1), scaleB = between(0.5, 1), most = 2 * std::max(scaleA, scaleB);
    const Scale sa = scaleOf(scaleA / most), sb = scaleOf(scaleB / most),
                so = scaleOf(most / ((1 << 20) * between(1, 1.5)));
    Layer l;
    l.op = Operator::Add;
    l.leftShift = 20;
    l.inMultiplier = {sa.multiplier, sb.multiplier};
    l.inShift = {sa.shift, sb.shift};
    l.outMultiplier = so.multiplier;
    l.outShift = so.shift;
    const int out = finish(l, {a, b}, shapeOf(a));
    for (size_t i = 0; i < values[size_t(out)].size(); ++i) {
      const auto scaled = [&](int tensor, Scale s) {
        return requantize((values[size_t(tensor)][i] - zeroOf(tensor)) * (1 << 20), s.multiplier, s.shift);
      };
      const int32_t value = requantize(scaled(a, sa) + scaled(b, sb), so.multiplier, so.shift) + zeroOf(out);
      values[size_t(out)][i] = static_cast<int8_t>(std::clamp(value, -128, 127));
    }
    return out;
  }

  // A fully connected layer. Half of its sums are the ones next to a half behind `shift` bits, where few multipliers
  // or none of 31 bits give what the double gives.
  int dense(int in, int32_t outputs, int shift) {
    const Shape from = shapeOf(in);
    Layer l;
    l.op = Operator::FullyConnected;
    l.activation = {random_() % 2 == 0 ? -128 : -20, 127};
    for (int32_t i = 0; i < outputs * from.c; ++i)
      l.filter.push_back(static_cast<int8_t>(random_()));
    l.macs = uint64_t(outputs) * uint64_t(from.c);
    std::vector<int32_t> sums;
    for (int32_t n = 0; n < outputs; ++n) {
      int32_t sum = 0;
      for (int32_t i = 0; i < from.c; ++i)
        sum += (at(in, 0, 0, i) - zeroOf(in)) * l.filter[size_t(n * from.c + i)];
      l.scale.push_back(std::ldexp(between(0.5, 1), -shift));
      const int32_t result = below(100) + 1;
      const auto wanted = n % 2 == 0 ? sum : static_cast<int32_t>(std::llround((result - 0.5) / l.scale.back())) * (n % 4 - 2);
      l.bias.push_back(wanted - sum);
      sums.push_back(wanted);
    }
    const int out = finish(l, {in}, {1, 1, 1, outputs});
    for (int32_t n = 0; n < outputs; ++n) {
      const double value = std::round(sums[size_t(n)] * l.scale[size_t(n)]) + zeroOf(out);
      at(out, 0, 0, n) = static_cast<int8_t>(std::clamp<double>(value, l.activation[0], l.activation[1]));
    }
    return out;
  }

  // Of the whole image.
  int average(int in) {
    const Shape from = shapeOf(in);
    Layer l;
    l.op = Operator::AveragePool;
    l.window = {from.h, from.w};
    const int out = finish(l, {in}, {1, 1, 1, from.c});
    network.tensors.back().zeroPoint = zeroOf(in);
    const int32_t count = from.h * from.w;
    for (int32_t c = 0; c < from.c; ++c) {
      int32_t sum = 0;
      for (int32_t y = 0; y < from.h; ++y)
        for (int32_t x = 0; x < from.w; ++x)
          sum += at(in, y, x, c);
      at(out, 0, 0, c) = static_cast<int8_t>((sum > 0 ? sum + count / 2 : sum - count / 2) / count);
    }
    return out;
  }

  int32_t below(int32_t n) { return static_cast<int32_t>(random_() % static_cast<uint32_t>(n)); }
  Shape shapeOf(int tensor) const { return network.tensors[size_t(tensor)].shape; }

  Network network;
  std::vector<std::vector<int8_t>> values;

private:
  double between(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  int32_t zeroOf(int tensor) const { return network.tensors[size_t(tensor)].zeroPoint; }
  int8_t &at(int tensor, int32_t y, int32_t x, int32_t c) {
    const Shape s = shapeOf(tensor);
    return values[size_t(tensor)][size_t((y * s.w + x) * s.c + c)];
  }

  int tensor(Shape shape) {
    network.tensors.push_back({shape, static_cast<int32_t>(random_() % 21) - 10});
    values.emplace_back(size_t(shape.h) * size_t(shape.w) * size_t(shape.c));
    return static_cast<int>(values.size()) - 1;
  }

  int finish(Layer &l, const std::vector<int> &inputs, Shape shape) {
    l.name = "layer" + std::to_string(network.layers.size());
    l.inputs = inputs;
    l.output = network.output = tensor(shape);
    network.layers.push_back(l);
    return l.output;
  }

  std::mt19937 random_;
};

struct Arrangement {
  const char *name;
  std::function<void(Builder &)> build;

  friend void PrintTo(const Arrangement &arrangement, std::ostream *out) { *out << arrangement.name; }
};

const Arrangement kArrangements[] = {
    {"Residual",
     [](Builder &b) {
       const int a = b.conv(b.input({1, 16, 16, 3}), 16, 3, 1);
       b.conv(b.add(a, b.conv(b.conv(a, 16, 3, 1), 16, 3, 1)), 32, 3, 2);
     }},
    {"Projection", // the shorter operand is made last
     [](Builder &b) {
       const int a = b.conv(b.input({1, 16, 16, 8}), 32, 3, 1);
       const int wide = b.conv(a, 48, 3, 2), skip = b.conv(a, 48, 1, 2);
       const int sum = b.add(skip, wide);
       b.average(b.add(sum, b.conv(sum, 48, 3, 1)));
     }},
    {"AdditionsInARow", // each layer between them reads one sum and makes an operand of the next
     [](Builder &b) {
       int sum = b.conv(b.input({1, 12, 12, 3}), 32, 3, 1);
       for (int i = 0; i < 3; ++i)
         sum = b.add(sum, b.conv(sum, 32, 3, 1));
     }},
    {"DepthwiseBehindAddition",
     [](Builder &b) {
       const int a = b.conv(b.input({1, 20, 20, 3}), 32, 3, 1);
       b.conv(b.depthwise(b.add(a, b.depthwise(a, 3, 1)), 3, 2), 64, 1, 1);
     }},
    {"WideImage", // runs are parts of lines
     [](Builder &b) {
       const int a = b.conv(b.input({1, 4, 150, 3}), 16, 3, 1);
       b.conv(b.add(a, b.conv(a, 16, 3, 1)), 16, 3, 1);
     }},
    {"ChannelsThatFillNoBlock",
     [](Builder &b) {
       const int a = b.conv(b.input({1, 14, 14, 5}), 24, 3, 1);
       b.conv(b.add(a, b.conv(b.depthwise(a, 5, 1), 24, 1, 1)), 7, 3, 2);
     }},
    {"AdditionOfTheInput",
     [](Builder &b) {
       const int in = b.input({1, 9, 9, 32});
       b.average(b.add(in, b.conv(in, 32, 3, 1)));
     }},
    {"FullyConnected", [](Builder &b) { b.dense(b.dense(b.input({1, 1, 1, 150}), 75, 12), 40, 11); }},
    {"FullyConnectedWithoutMultipliers", [](Builder &b) { b.dense(b.dense(b.input({1, 1, 1, 50}), 75, 23), 40, 21); }},
    {"ManySmallBlocks", // a layer of one run is cut into parts
     [](Builder &b) {
       const int a = b.conv(b.input({1, 8, 8, 16}), 96, 3, 2);
       b.average(b.conv(b.depthwise(b.conv(a, 160, 1, 1), 3, 1), 96, 1, 1));
     }},
};

// A chain of layers with additions of earlier tensors of the same shape.
void buildRandom(Builder &b) {
  int at = b.input({1, 1 + b.below(16), 1 + b.below(16), 1 + b.below(20)});
  std::vector<int> made = {at};
  for (int layers = 2 + b.below(6); layers > 0; --layers) {
    const Shape shape = b.shapeOf(at);
    std::vector<int> same;
    for (const int tensor : made)
      if (const Shape other = b.shapeOf(tensor);
          tensor != at && other.h == shape.h && other.w == shape.w && other.c == shape.c)
        same.push_back(tensor);
    const int32_t window = 1 + 2 * b.below(3), stride = 1 + b.below(2);
    if (!same.empty() && b.below(2) == 0)
      at = b.add(at, same[size_t(b.below(int32_t(same.size())))]);
    else if (b.below(3) == 0)
      at = b.depthwise(at, window, stride);
    else
      at = b.conv(at, b.below(2) == 0 ? shape.c : 1 + b.below(70), window, stride);
    made.push_back(at);
  }
  if (b.below(3) == 0)
    b.average(at);
}

const int kSeed = test::firstSeed();

// Generates the network's code, compiles and runs it.
void expectValues(const Builder &b, const std::string &name, const std::vector<const char *> &simulators) {
  const std::string folder = (test::workFolder() / name).string() + "/", bin = NPU_SOURCE_DIR "/build/bin/";
  fs::create_directories(folder);
  const auto write = [&](const std::string &file, const auto &bytes) {
    std::ofstream(folder + file, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  write("input.bin", b.values[size_t(b.network.input)]);
  write("output.bin", b.values[size_t(b.network.output)]);
  const Program program = makeProgram(b.network, {108 << 10, 1 << 20});
  std::ofstream source(folder + "tested.c"), header(folder + "tested.h");
  emitSource(source, program);
  emitHeader(header, program);
  source.close();
  header.close();
  write("tested.bin", program.constants);
  ASSERT_EQ(test::goldenShell(NPU_SOURCE_DIR "/build/toolchain/bin/clang --target=npu -O2 -Wall -Wextra -Werror -I" +
                              folder +
                              " '-DNETWORK_HEADER=\"tested.h\"' '-DNETWORK(x)=tested##x' '-DNETWORK_UPPER(x)=TESTED##x' "
                              NPU_SOURCE_DIR "/kernels/netgen/run_network.c " + folder +
                              "tested.c -lnpukernels -Wl,--gc-sections,--defsym=__stack_size=4096 -o " + folder +
                              "tested.elf"),
            "");
  for (const char *simulator : simulators)
    EXPECT_EQ(test::goldenShell(bin + simulator + " --max-cycles 20000000 " + folder + "tested.elf " + folder +
                                "tested.bin " + folder + "input.bin " + folder + "output.bin"),
              "");
}

class RunNetwork : public testing::TestWithParam<Arrangement> {};

TEST_P(RunNetwork, GivesTheBytesOfPlainLoops) {
  for (unsigned seed = 1; seed <= (test::allCases() ? 8 : 1); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Builder b(seed);
    GetParam().build(b);
    expectValues(b, GetParam().name, {"npu-iss --check-races", "npu-rtl --lockstep"});
  }
}

TEST(RandomNetworks, GiveTheBytesOfPlainLoops) {
  const int count = test::caseCount(12, 200);
  for (int seed = kSeed; seed < kSeed + count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Builder b{static_cast<unsigned>(seed)};
    buildRandom(b);
    expectValues(b, "random", {"npu-iss --check-races"});
  }
}

std::string mapOf(const Program &program) {
  std::ostringstream text;
  program.tcm.print(text);
  program.dram.print(text);
  return text.str();
}

// What the planner placed into the scratchpad.
std::vector<Buffer> buffersOf(const Program &program) {
  std::vector<Buffer> all;
  for (const Buffer &buffer : program.buffers)
    if (buffer.bytes != 0)
      all.push_back(buffer);
  for (const Part &part : program.parts)
    if (part.bytes != 0)
      all.push_back(part.buffer);
  return all;
}

void expectPlaced(const Program &program, uint32_t capacity) {
  const std::vector<Buffer> buffers = buffersOf(program);
  const std::string map = mapOf(program);
  for (const Buffer &a : buffers) {
    EXPECT_LE(a.offset + a.bytes, capacity) << a.name;
    for (const Buffer &b : buffers)
      if (&a < &b && a.first <= b.last && b.first <= a.last) {
        EXPECT_TRUE(a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset) << a.name << ", " << b.name << "\n" << map;
      }
    char line[160];
    std::snprintf(line, sizeof line, "%3d..%-3d %9u %9u  %s\n", a.first, a.last, a.offset, a.bytes, a.name.c_str());
    EXPECT_NE(map.find(line), std::string::npos) << line << "is not in\n" << map;
  }
}

// With all the memory, and with less and less until no plan is left.
TEST(RandomNetworks, PlansAreDisjointRepeatableAndPrinted) {
  const int count = test::caseCount(25, 400);
  const std::regex message("scratchpad is full: (input|(output|constants) of layer\\d+).* \\((\\d+) bytes\\) misses (\\d+) bytes of (\\d+)");
  int full = 0;
  for (int seed = kSeed; seed < kSeed + count && !testing::Test::HasFailure(); ++seed) {
    Builder b{static_cast<unsigned>(seed)};
    buildRandom(b);
    for (uint32_t capacity = 108 << 10;;) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(capacity) + " bytes");
      try {
        const Program program = makeProgram(b.network, {capacity, 1 << 20});
        expectPlaced(program, capacity);
        EXPECT_EQ(mapOf(program), mapOf(makeProgram(b.network, {capacity, 1 << 20})));
        capacity = program.tcm.used() * 7 / 8;
      } catch (const NetworkError &error) {
        const std::string text = error.what();
        std::smatch found;
        ASSERT_TRUE(std::regex_match(text, found, message)) << text;
        const long bytes = std::stol(found[3]), missing = std::stol(found[4]);
        EXPECT_TRUE(missing > 0 && missing <= bytes && std::stol(found[5]) == long(capacity)) << text;
        ++full;
        break;
      }
    }
  }
  EXPECT_TRUE(full == count || testing::Test::HasFailure());
}

INSTANTIATE_TEST_SUITE_P(Arrangements, RunNetwork, testing::ValuesIn(kArrangements),
                         [](const auto &each) { return std::string(each.param.name); });

} // namespace
} // namespace npu::netgen
