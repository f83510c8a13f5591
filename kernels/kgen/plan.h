// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches the plans for a layer.

#pragma once

#include "layer.h"

#include <vector>

namespace npu::kgen {

struct Candidate {
  npu_conv_plan plan;
  uint64_t dramBytes; // moved in all
};

// The plans that fit into the layer's scratch_bytes, the one with the fewest expected cycles first;
// equal ones by DRAM bytes and then by scratch bytes. Throws LayerError that names scratch_bytes if
// there is none.
std::vector<Candidate> rankPlans(const Layer &layer, const std::string &path);

// The segments of the window for a plan of the layer.
std::vector<npu_conv_segment> segmentsOf(const Layer &layer, const npu_conv_plan &plan);

} // namespace npu::kgen
