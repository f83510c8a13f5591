// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "constants.h"

#include "npu/scale.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace npu::netgen {
namespace {

constexpr int32_t kBlock = 16;

void putWord(std::vector<uint8_t> &out, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

// TFLite's SaturatingRoundingDoublingHighMul.
int32_t doublingHighMultiply(int32_t a, int32_t b) {
  if (a == b && a == INT32_MIN)
    return INT32_MAX;
  const int64_t product = int64_t(a) * b;
  return static_cast<int32_t>((product + (product >= 0 ? (1 << 30) : 1 - (1 << 30))) /
                              (int64_t(1) << 31));
}

// TFLite's AveragePool of the reference kernels, before the clamp.
int32_t average(int32_t sum, int32_t count) {
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}

uint32_t folded(const Layer &layer, int32_t channel, int32_t zeroIn, int64_t sum) {
  return static_cast<uint32_t>(layer.bias[static_cast<size_t>(channel)] - int64_t(zeroIn) * sum);
}

void packWindowTable(std::vector<uint8_t> &out, const Layer &layer,
                     const std::vector<int64_t> &sums, int32_t first, int32_t channels,
                     int32_t zeroIn) {
  const auto each = [&](auto value) {
    for (int32_t n = 0; n < kBlock; ++n)
      value(n, first + n < channels);
  };
  each([&](int32_t n, bool used) {
    putWord(out, used ? folded(layer, first + n, zeroIn, sums[static_cast<size_t>(n)]) : 0);
  });
  each([&](int32_t n, bool used) {
    putWord(out,
            used ? static_cast<uint32_t>(layer.multiplier[static_cast<size_t>(first + n)]) : 0);
  });
  each([&](int32_t n, bool used) {
    out.push_back(used ? static_cast<uint8_t>(layer.shift[static_cast<size_t>(first + n)]) : 0);
  });
}

} // namespace

int32_t roundingDivide(int32_t x, int32_t exponent) {
  const int32_t mask = static_cast<int32_t>((int64_t(1) << exponent) - 1);
  const int32_t remainder = x & mask, threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

int32_t requantize(int32_t x, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0, right = shift > 0 ? 0 : -shift;
  const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(x) << left);
  return roundingDivide(doublingHighMultiply(shifted, multiplier), right);
}

bool findPoolScale(int32_t count, PoolScale &scale) {
  int32_t exponent = 0;
  while (count >> (exponent + 1) != 0)
    ++exponent;
  for (const int32_t weight : {64, 127, 96, 32, 16, 1}) {
    // multiplier * 2^(shift - 31) = 1 / (count * weight), the multiplier in 2^30..2^31-1.
    int32_t down = 0;
    const int64_t divisor = int64_t(count) * weight;
    while ((int64_t(1) << (31 + down)) / divisor < (1 << 30))
      ++down;
    const auto nearest = static_cast<int32_t>(
        std::min<int64_t>(((int64_t(1) << (31 + down)) + divisor / 2) / divisor, INT32_MAX));
    for (const int32_t off : {0, 1, -1, 2, -2, 4, -4, 16, -16, 64, -64, 256, -256, 1024, -1024}) {
      const int64_t multiplier = int64_t(nearest) + off;
      if (multiplier > INT32_MAX)
        continue;
      const auto exact = [&](int32_t sum) {
        return requantize(sum * weight, static_cast<int32_t>(multiplier), -down) ==
               average(sum, count);
      };
      bool all = true;
      for (int32_t sum = -128 * count; sum <= 127 * count && all; ++sum)
        all = exact(sum);
      if (all) {
        scale = {weight, static_cast<int32_t>(multiplier), -down};
        return true;
      }
    }
  }
  return false;
}

void findAddTables(const Layer &layer, int32_t zeroA, int32_t zeroB, int32_t zeroOut,
                   LayerPlan &plan) {
  using Table = std::array<int32_t, 256>; // by the unsigned byte
  const std::array<int32_t, 2> zeros = {zeroA, zeroB};
  std::array<Table, 2> scaled;
  for (size_t side = 0; side < 2; ++side)
    for (size_t byte = 0; byte < 256; ++byte)
      scaled[side][byte] =
          requantize((static_cast<int8_t>(byte) - zeros[side]) * (1 << layer.leftShift),
                     layer.inMultiplier[side], layer.inShift[side]);
  const auto clamp = [&](int32_t x) {
    return std::clamp(x, layer.activation[0], layer.activation[1]);
  };
  const auto isByte = [](int32_t x) { return x >= -128 && x <= 127; };
  const auto saturate = [](int32_t x) { return std::clamp(x, -128, 127); };
  std::vector<int32_t> expected;
  for (size_t i = 0; i < 256; ++i)
    for (size_t j = 0; j < 256; ++j)
      expected.push_back(clamp(
          requantize(scaled[0][i] + scaled[1][j], layer.outMultiplier, layer.outShift) + zeroOut));
  const double step = std::ldexp(double(layer.outMultiplier), layer.outShift - 31);
  // A little to either side of what is exactly half, in units of the scaled sum.
  for (const double units :
       {0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0}) {
    const double nudge = units * step;
    std::array<Table, 2> whole, rank;
    std::array<std::array<double, 256>, 2> fraction;
    for (size_t byte = 0; byte < 256; ++byte) {
      const double a = scaled[0][byte] * step + zeroOut + 0.5 + nudge, b = scaled[1][byte] * step;
      whole[0][byte] = static_cast<int32_t>(std::floor(a));
      whole[1][byte] = static_cast<int32_t>(std::floor(b));
      fraction[0][byte] = a - whole[0][byte];
      fraction[1][byte] =
          1 - (b - whole[1][byte]); // what a's has to be to reach the next whole number
    }
    std::vector<double> thresholds(fraction[1].begin(), fraction[1].end());
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    const auto begin = thresholds.begin(), end = thresholds.end();
    for (size_t byte = 0; byte < 256; ++byte) {
      rank[0][byte] = static_cast<int32_t>(std::upper_bound(begin, end, fraction[0][byte]) - begin);
      rank[1][byte] = static_cast<int32_t>(std::lower_bound(begin, end, fraction[1][byte]) - begin);
      if (rank[0][byte] == 256) { // more than a byte holds: it reaches it always
        ++whole[0][byte];
        rank[0][byte] = 0;
      }
    }
    const auto [low, high] = std::minmax_element(whole[0].begin(), whole[0].end());
    const int32_t shift = -(*low + *high + 1) / 2;
    for (int32_t multiple = 0; multiple <= 4; ++multiple) {
      Table a = whole[0], b = whole[1];
      for (size_t byte = 0; byte < 256; ++byte)
        b[byte] -= multiple * static_cast<int8_t>(byte);
      const auto [lowB, highB] = std::minmax_element(b.begin(), b.end());
      // Whole parts that together leave a byte are brought back by the summands.
      const int32_t beyond = *low + *lowB < -128    ? -128 - (*low + *lowB)
                             : *high + *highB > 126 ? 126 - (*high + *highB)
                                                    : 0;
      const int32_t offset =
          multiple == 0 ? 0 : (beyond + (beyond > 0 ? multiple - 1 : 1 - multiple)) / multiple;
      bool all = beyond == 0 || multiple > 0;
      for (size_t byte = 0; byte < 256; ++byte) {
        a[byte] += shift;
        b[byte] += multiple * offset - shift;
        all &= isByte(a[byte]) && isByte(b[byte]);
      }
      for (size_t i = 0; i < 256 && all; ++i)
        for (size_t j = 0; j < 256 && all; ++j) {
          const int32_t value = static_cast<int8_t>(j);
          auto x =
              static_cast<int32_t>(static_cast<int8_t>(a[i] + b[j] + (rank[1][j] < rank[0][i])));
          for (int32_t n = 0; n < multiple; ++n)
            x = saturate(x + saturate(value - offset));
          all = clamp(x) == expected[i * 256 + j];
        }
      if (!all)
        continue;
      for (const Table *table : {&a, &rank[0], &b, &rank[1]})
        for (const int32_t value : *table)
          plan.addTables.push_back(static_cast<int8_t>(value));
      plan.addMultiple = multiple;
      plan.addOffset = offset;
      return;
    }
  }
}

void planFullyConnected(const Layer &layer, int32_t zeroIn, int32_t zeroOut, LayerPlan &plan) {
  const size_t channels = layer.bias.size(), inputs = layer.filter.size() / channels;
  const int32_t results = std::max(layer.activation[1] - zeroOut, zeroOut - layer.activation[0]);
  plan.perChannel = false;
  int32_t highest = -31;
  int64_t largest = 0;
  for (size_t n = 0; n < channels; ++n) {
    npu_scale scale;
    int32_t multiplier, shift;
    if (!npu_scale_from(&layer.scale[n], 31, &scale) ||
        !npu_scale_exact_multiplier(scale, results, &multiplier, &shift)) {
      highest = 31;
      break;
    }
    plan.multiplier.push_back(multiplier);
    plan.shift.push_back(shift);
    plan.perChannel |= multiplier != plan.multiplier[0] || shift != plan.shift[0];
    highest = std::max(highest, shift);
    int64_t reach = std::llabs(layer.bias[n]);
    for (size_t k = 0; k < inputs; ++k)
      reach += std::abs(int(layer.filter[n * inputs + k])) *
               int64_t(std::max(127 - zeroIn, zeroIn + 128));
    largest = std::max(largest, reach);
  }
  plan.extraShift = std::max(0, highest + 2);
  if (highest == 31 || largest << plan.extraShift > INT32_MAX) {
    plan.multiplier.clear();
    plan.shift.clear();
    plan.extraShift = 0;
    plan.perChannel = false;
  }
}

std::vector<uint8_t> packBlocks(const Program &program, const Layer &layer, const LayerPlan &plan,
                                int32_t first, int32_t end) {
  std::vector<uint8_t> out;
  const Shape in = program.tensor(layer.inputs[0]).shape, to = program.tensor(layer.output).shape;
  const int32_t zeroIn = program.tensor(layer.inputs[0]).zeroPoint;
  if (layer.op == Operator::AveragePool) {
    PoolScale scale;
    if (!findPoolScale(layer.window[0] * layer.window[1], scale))
      throw NetworkError("layer " + layer.name + ": windows of " +
                         std::to_string(layer.window[0] * layer.window[1]) +
                         " values have no exact scale for the matrix unit");
    for (int32_t n = 0; n < kBlock; ++n)
      putWord(out, 0);
    for (int32_t n = 0; n < kBlock; ++n)
      putWord(out, static_cast<uint32_t>(scale.multiplier));
    out.insert(out.end(), kBlock, static_cast<uint8_t>(scale.shift));
    out.insert(out.end(), 16 * kBlock, static_cast<uint8_t>(scale.weight));
    return out;
  }
  const int32_t filterBytes =
      static_cast<int32_t>(layer.filter.size()) / (layer.op == Operator::Depthwise ? 1 : to.c);
  for (int32_t block = first; block < end; ++block) {
    const int32_t channel = block * kBlock;
    std::vector<uint8_t> rows;
    std::vector<int64_t> sums(kBlock);
    for (const Step &step : plan.steps)
      for (int32_t k = 0; k < step.weights(); ++k)
        for (int32_t n = 0; n < kBlock; ++n) {
          int32_t value = 0;
          if (channel + n < to.c) {
            const int32_t at = layer.op == Operator::Depthwise
                                   ? (step.ky * layer.window[1] + k) * in.c + channel + n
                                   : (channel + n) * filterBytes +
                                         (step.ky * layer.window[1] + step.kx) * in.c + step.byte +
                                         k;
            value = layer.filter[static_cast<size_t>(at)];
          }
          sums[static_cast<size_t>(n)] += value;
          rows.push_back(static_cast<uint8_t>(value));
        }
    if (layer.op == Operator::FullyConnected) {
      const auto word = [&](auto value) {
        for (int32_t n = 0; n < kBlock; ++n)
          putWord(out, channel + n < to.c ? static_cast<uint32_t>(value(n)) : 0);
      };
      word([&](int32_t n) {
        return folded(layer, channel + n, zeroIn, sums[static_cast<size_t>(n)]);
      });
      if (plan.perChannel) {
        word([&](int32_t n) { return plan.multiplier[static_cast<size_t>(channel + n)]; });
        word([&](int32_t n) {
          return plan.extraShift - 1 - plan.shift[static_cast<size_t>(channel + n)];
        });
      }
    } else {
      packWindowTable(out, layer, sums, channel, to.c, zeroIn);
    }
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

} // namespace npu::netgen
