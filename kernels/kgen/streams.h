// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated kernels of layers whose plans the library executes as they are (npu/depthwise_plan.h,
// npu/fully_connected_plan.h): the plan is a constant, and the kernel calls npu_dw_plan_run or
// npu_fc_plan_run with it.

#pragma once

#include "layer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace npu::kgen {

template <class Choice, class Plan> struct StreamCandidate {
  Choice choice;
  Plan plan;
  uint64_t cycles, dramBytes; // expected, moved in all
};
using DepthwiseCandidate = StreamCandidate<npu_dw_choice, npu_dw_plan>;
using ConnectedCandidate = StreamCandidate<npu_fc_choice, npu_fc_plan>;

// The plans that fit into the layer's scratch_bytes, the one with the fewest expected cycles first.
// Throw LayerError that names the field if there is none.
std::vector<DepthwiseCandidate> rankDepthwise(const Layer &layer, const std::string &path);
std::vector<ConnectedCandidate> rankConnected(const Layer &layer, const std::string &path);

// What npu-kgen writes: NAME.h, NAME.c and the ranking. `source` is the description's name.
struct Generated {
  std::string header, kernel, ranking;
};
Generated generateDepthwise(const Layer &layer, const std::string &path, const std::string &source);
Generated generateConnected(const Layer &layer, const std::string &path, const std::string &source);

} // namespace npu::kgen
