// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace npu::kgen {
namespace {

int32_t divideUp(int32_t a, int32_t b) {
  return (a + b - 1) / b;
}

// Bytes that the plan moves from and to DRAM.
uint64_t dramBytes(const Layer &layer, const npu_conv_plan &plan) {
  const npu_conv_problem &problem = layer.problem;
  const npu_conv_choice &c = plan.choice;
  const bool repeated = c.weight_stationary != 0;
  uint64_t bytes = 0;
  if ((plan.placement & NPU_CONV_OUTPUT_TCM) == 0)
    bytes += uint64_t(plan.images) * uint64_t(plan.out_h) * uint64_t(plan.out_w) *
             uint64_t(problem.output.c);
  if ((plan.placement & NPU_CONV_WEIGHTS_TCM) == 0)
    bytes += uint64_t(plan.blocks) * plan.block_bytes *
             (c.resident || repeated ? 1 : uint64_t(plan.tiles));
  if ((plan.placement & NPU_CONV_INPUT_TCM) != 0)
    return bytes;
  uint64_t lines = 0, columns = 0;
  for (int32_t y = 0, h = c.first_h; y < plan.out_h; y += h, h = c.tile_h) {
    const int32_t from = y * plan.stride_h - plan.pad_h;
    const int32_t to = from + (std::min(h, plan.out_h - y) - 1) * plan.stride_h + plan.window_h;
    lines += uint64_t(std::max(std::min(to, plan.in_h) - std::max(from, 0), 0));
  }
  for (int32_t x = 0; x < plan.out_w; x += c.tile_w) {
    const int32_t from = x * plan.stride_w - plan.pad_w;
    const int32_t to =
        from + (std::min(c.tile_w, plan.out_w - x) - 1) * plan.stride_w + plan.window_w;
    columns += uint64_t(std::max(std::min(to, plan.in_w) - std::max(from, 0), 0));
  }
  return bytes + uint64_t(plan.images) * lines * columns * uint64_t(plan.in_bytes) *
                     (repeated ? uint64_t(plan.slices) : 1);
}

// Parts of an extent worth trying: up to 16 equal ones and, for very large extents, parts of few.
std::set<int32_t> parts(int32_t extent, int32_t most) {
  std::set<int32_t> values;
  for (int32_t count = 1; count <= extent && count <= most; ++count)
    values.insert(divideUp(extent, count));
  for (int32_t value = 1; value < extent && value <= 1024; value *= 2)
    values.insert(value);
  return values;
}

class Search {
public:
  Search(const Layer &layer, const std::string &path) : layer_(layer), path_(path) {}

  std::vector<Candidate> run() {
    const npu_conv_problem &problem = layer_.problem;
    const bool weightsNear = (problem.placement & NPU_CONV_WEIGHTS_TCM) != 0;
    const int32_t groups = problem.params.groups;
    const int32_t blocks = groups * divideUp(problem.filter.n / groups, NPU_BLOCK_CHANNELS);
    npu_conv_choice c = {};
    c.constant = 1;
    for (const int32_t h : parts(problem.output.h, 16))
      for (const int32_t w : parts(problem.output.w, 4))
        for (const int32_t first : {h, divideUp(h, 2), divideUp(h, 4)}) {
          c.tile_h = h;
          c.tile_w = w;
          c.first_h = first;
          if (weightsNear) {
            c.slice_blocks = blocks;
            tryOrders(c);
          } else {
            for (const int32_t slice : parts(blocks, 8)) {
              c.slice_blocks = slice;
              tryOrders(c);
            }
            c.slice_blocks = 1;
            // Single segments leave the load of the next chunk little time: only where nothing else
            // fits.
            for (c.chunk_segments = 2; c.chunk_segments <= 16; c.chunk_segments *= 2)
              tryOrders(c);
            c.chunk_segments = 1;
            if (found_.empty())
              tryOrders(c);
            c.chunk_segments = 0;
          }
        }
    if (found_.empty())
      throw LayerError{path_ + ": field 'scratch_bytes': " + std::to_string(problem.scratch_bytes) +
                       ": the smallest tile needs " + std::to_string(smallest_) + " bytes"};
    std::stable_sort(found_.begin(), found_.end(), [](const Candidate &a, const Candidate &b) {
      return std::tuple(a.plan.cycles, a.dramBytes, a.plan.scratch_bytes) <
             std::tuple(b.plan.cycles, b.dramBytes, b.plan.scratch_bytes);
    });
    return std::move(found_);
  }

private:
  void tryOrders(npu_conv_choice c) {
    for (c.column_order = 0; c.column_order < 2; ++c.column_order)
      for (c.pad_pixels = 0; c.pad_pixels < 2; ++c.pad_pixels)
        for (c.resident = 0; c.resident < 2; ++c.resident)
          for (c.weight_stationary = 0; c.weight_stationary < 2; ++c.weight_stationary)
            for (c.single_input = 0; c.single_input < 2; ++c.single_input)
              tryPlan(c);
  }

  void tryPlan(const npu_conv_choice &c) {
    const npu_conv_problem &problem = layer_.problem;
    const bool inputNear = (problem.placement & NPU_CONV_INPUT_TCM) != 0;
    const bool weightsNear = (problem.placement & NPU_CONV_WEIGHTS_TCM) != 0;
    if ((c.pad_pixels && (inputNear || !npu_conv_may_pad_pixels(&problem))) ||
        (weightsNear && (c.resident || c.weight_stationary)))
      return; // weights that lie there have one order
    Candidate candidate = {};
    const npu_status status = npu_conv_plan_fill(&candidate.plan, &problem, &c);
    if (status == NPU_ERROR_BUFFER)
      smallest_ = std::min(smallest_, candidate.plan.scratch_bytes);
    // The plan may have been simplified to one that is tried as well.
    if (status != NPU_OK || candidate.plan.choice.slice_blocks != c.slice_blocks ||
        (!weightsNear && candidate.plan.choice.resident != c.resident) ||
        candidate.plan.choice.weight_stationary != c.weight_stationary ||
        candidate.plan.choice.single_input != c.single_input ||
        candidate.plan.choice.chunk_segments != c.chunk_segments)
      return;
    candidate.dramBytes = dramBytes(layer_, candidate.plan);
    found_.push_back(candidate);
  }

  const Layer &layer_;
  const std::string &path_;
  std::vector<Candidate> found_;
  uint32_t smallest_ = UINT32_MAX;
};

} // namespace

std::vector<Candidate> rankPlans(const Layer &layer, const std::string &path) {
  return Search(layer, path).run();
}

std::vector<npu_conv_segment> segmentsOf(const Layer &layer, const npu_conv_plan &plan) {
  std::vector<npu_conv_segment> segments(static_cast<size_t>(plan.segments));
  npu_conv_write_segments(&layer.problem, &plan, segments.data());
  return segments;
}

} // namespace npu::kgen
