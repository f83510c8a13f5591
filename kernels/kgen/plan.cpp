// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan.h"

#include "npu_platform.h"

#include <algorithm>
#include <optional>

namespace npu::kgen {
namespace {

constexpr uint32_t kAlignment = 16;
// Two slots of five load descriptors and one store descriptor.
constexpr uint32_t kDescriptorBytes = 2 * 6 * NPU_DMA_DESCRIPTOR_BYTES;
// Measured: cycles of the array between two tiles, cycles of the core for a run, the share of the DMA's
// bandwidth that is left beside a busy array, and the runs that the core has issued ahead when a tile is
// complete, during which its store has not started.
constexpr uint64_t kTileOverhead = 30;
constexpr uint64_t kRunIssue = 12;
constexpr uint64_t kDmaPercent = 60;
constexpr uint64_t kRunsAhead = NPU_QUEUES_MATRIX_DEPTH + 1;

uint32_t align(uint64_t bytes) {
  return static_cast<uint32_t>((bytes + kAlignment - 1) / kAlignment * kAlignment);
}

int32_t divideUp(int32_t a, int32_t b) { return (a + b - 1) / b; }

int32_t extent(int32_t count, int32_t stride, int32_t taps, int32_t dilation) {
  return (count - 1) * stride + (taps - 1) * dilation + 1;
}

// Lines start four banks apart; src/conv_s8.c says why.
int64_t bankFriendlyPitch(int64_t bytes) {
  constexpr int64_t row = NPU_TCM_BANKS * NPU_TCM_BANK_BYTES, skew = 16;
  return (std::max<int64_t>(bytes - skew, 0) + row - 1) / row * row + skew;
}

class Planner {
public:
  Planner(const Layer &layer, const std::string &path)
      : layer_(layer), path_(path), steps_(npu_conv_count_steps(&layer.filter, &layer.params)) {}

  Plan best() {
    const int32_t blocks = divideUp(layer_.filter.n, NPU_BLOCK_CHANNELS);
    // Fewer blocks a group read the input more often; halving keeps the search short.
    for (int32_t group = blocks;; group = divideUp(group, 2)) {
      tryGroup(blocks, group);
      if (group == 1)
        break;
    }
    if (!best_)
      throw LayerError{path_ + ": field 'scratch_bytes': " + std::to_string(layer_.scratchBytes) +
                       ": the smallest tile needs " + std::to_string(smallest_) + " bytes"};
    addSteps(*best_);
    return *best_;
  }

private:
  // Lines cut into one to four parts, more only while nothing fits; heights in fours, which are once
  // around the banks.
  void tryGroup(int32_t blocks, int32_t group) {
    for (int32_t parts = 1; parts <= layer_.output.w && (parts <= 4 || !best_); ++parts) {
      const int32_t w = divideUp(layer_.output.w, parts);
      for (int32_t h = 1; h <= layer_.output.h; h += h < 4 ? 1 : 4)
        if (!tryTile(blocks, group, h, w))
          break;
      // The whole height in one tile, if it is not a multiple of four.
      if (layer_.output.h % 4 != 0)
        tryTile(blocks, group, layer_.output.h, w);
    }
  }

  bool tryTile(int32_t blocks, int32_t group, int32_t h, int32_t w) {
    const npu_conv_params &params = layer_.params;
    Plan plan = {};
    plan.blocks = blocks;
    plan.groupBlocks = group;
    plan.groups = divideUp(blocks, group);
    plan.tileH = h;
    plan.tileW = w;
    plan.tilesY = divideUp(layer_.output.h, h);
    plan.tilesX = divideUp(layer_.output.w, w);
    plan.inH = extent(h, params.stride.h, layer_.filter.h, params.dilation.h);
    plan.inW = extent(w, params.stride.w, layer_.filter.w, params.dilation.w);
    const int64_t pitch = bankFriendlyPitch(int64_t(plan.inW) * layer_.input.c);
    const int32_t groupChannels = std::min(group * NPU_BLOCK_CHANNELS, layer_.output.c);
    const uint64_t in = uint64_t(pitch) * uint64_t(plan.inH);
    const int64_t outPitch = bankFriendlyPitch(int64_t(w) * groupChannels);
    const uint64_t out = uint64_t(outPitch) * uint64_t(h);
    const uint64_t constants = uint64_t(group) * (NPU_TABLE_BYTES + NPU_STEP_BYTES * steps_);
    const uint64_t total = kDescriptorBytes + constants + 2 * (in + out) + 5 * kAlignment;
    smallest_ = std::min(smallest_, total);
    if (total > layer_.scratchBytes)
      return false;

    plan.pitch = static_cast<int32_t>(pitch);
    plan.outPitch = static_cast<int32_t>(outPitch);
    plan.inputBytes = align(in);
    plan.outputBytes = align(out);
    plan.constantsAt = kDescriptorBytes;
    plan.inputAt = align(plan.constantsAt + constants);
    plan.outputAt = plan.inputAt + 2 * plan.inputBytes;
    plan.scratchBytes = plan.outputAt + 2 * plan.outputBytes;
    // Pixels run down the columns.
    plan.rectH = divideUp(h, divideUp(h, NPU_RUN_PIXELS));
    const int32_t columns = std::min(w, NPU_RUN_PIXELS / plan.rectH);
    plan.rectW = divideUp(w, divideUp(w, columns));
    estimate(plan);
    if (!best_ || plan.cycles < best_->cycles)
      best_ = plan;
    return true;
  }

  void estimate(Plan &plan) const {
    const uint64_t tiles = uint64_t(layer_.output.n) * uint64_t(plan.tilesY) *
                           uint64_t(plan.tilesX);
    const uint64_t pixels = uint64_t(plan.tileH) * uint64_t(plan.tileW);
    const uint64_t runPixels = uint64_t(plan.rectH) * uint64_t(plan.rectW);
    const uint64_t runs = (pixels + runPixels - 1) / runPixels * uint64_t(plan.groupBlocks) * steps_;
    const uint64_t array = runs * std::max(runPixels, kRunIssue);
    const auto transfer = [](uint64_t bytes, uint64_t percent) {
      return NPU_DRAM_MODEL_READ_LATENCY + bytes * 100 / (NPU_DRAM_MODEL_BYTES_PER_CYCLE * percent);
    };
    const uint64_t loadBytes = uint64_t(plan.inH) * uint64_t(plan.inW * layer_.input.c);
    const uint64_t storeBytes =
        pixels * uint64_t(std::min(plan.groupBlocks * NPU_BLOCK_CHANNELS, layer_.output.c));
    const uint64_t hidden =
        kRunsAhead * runPixels + transfer(std::max(loadBytes, storeBytes), kDmaPercent);
    const uint64_t groups = uint64_t(plan.groups);
    plan.arrayCycles = groups * tiles * array;
    plan.cycles = groups * (transfer(loadBytes, 100) +
                            tiles * (std::max(array, hidden) + kTileOverhead) +
                            transfer(storeBytes, 100));
  }

  void addSteps(Plan &plan) const {
    npu_conv_step step = npu_conv_first_step(&layer_.filter, &layer_.params);
    do {
      plan.steps.push_back({step.ky * layer_.params.dilation.h * plan.pitch +
                                step.kx * layer_.params.dilation.w * layer_.filter.c + step.byte,
                            step.k, step.first});
    } while (npu_conv_next_step(&layer_.filter, &layer_.params, &step));
  }

  const Layer &layer_;
  const std::string &path_;
  const uint64_t steps_;
  std::optional<Plan> best_;
  uint64_t smallest_ = UINT64_MAX;
};

} // namespace

Plan makePlan(const Layer &layer, const std::string &path) {
  if (npu_conv_check_filter(&layer.filter, &layer.params) != NPU_OK)
    throw LayerError{path + ": field 'filter.shape': a window row of " +
                     std::to_string(int64_t(layer.filter.w) * layer.filter.c) +
                     " bytes: must be at most 65535"};
  return Planner(layer, path).best();
}

} // namespace npu::kgen
