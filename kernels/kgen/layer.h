// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution layer as the generator's input describes it.

#pragma once

#include "npu/nn_types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace npu::kgen {

struct Layer {
  std::string name; // a C identifier: prefix of everything that is generated
  npu_dims input, filter, output;
  npu_conv_params params; // the padding is that of the top and the left
  std::vector<int32_t> multiplier, shift; // one for each output channel
  uint32_t scratchBytes;
};

// Reads a JSON file of this form (kernels/README.md explains each field):
//   {"name": "edges",
//    "input": {"shape": [1, 240, 320, 3], "zero_point": -1},
//    "filter": {"shape": [16, 3, 3, 3]},
//    "output": {"zero_point": 4},
//    "stride": [1, 1], "padding": "same", "activation": [-128, 127],
//    "multiplier": [...], "shift": [...], "scratch_bytes": 98304}
// Throws LayerError, whose text names the file, the field, its value and the rule.
Layer readLayer(const std::string &path);

struct LayerError {
  std::string text;
};

} // namespace npu::kgen
