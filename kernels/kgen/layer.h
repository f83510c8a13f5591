// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer as the generator's input describes it.

#pragma once

#include "npu/conv_plan.h"
#include "npu/depthwise_plan.h"
#include "npu/fully_connected_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace npu::kgen {

enum class Operator { Conv, DepthwiseConv, FullyConnected };

struct Layer {
  std::string name; // a C identifier: prefix of everything that is generated
  Operator kind;
  // Of a convolution; a depthwise one with a channel multiplier is a dense one with zeros, its
  // constants are packed as those of `depthwise`.
  npu_conv_problem problem;
  int32_t filterBits; // of a weight that is packed: 8 or 4
  npu_dw_problem depthwise;
  npu_fc_problem connected;
  std::vector<int32_t> multiplier, shift; // one for each output channel
  std::vector<double> scale;              // of a fully connected layer instead
};

// Reads a JSON file of this form (kernels/README.md explains each field):
//   {"name": "edges",
//    "input": {"shape": [1, 240, 320, 3], "zero_point": -1, "memory": "dram"},
//    "filter": {"shape": [16, 3, 3, 3], "type": "int8", "memory": "dram"},
//    "output": {"zero_point": 4, "memory": "dram"},
//    "stride": [1, 1], "padding": "same", "activation": [-128, 127],
//    "multiplier": [...], "shift": [...], "scratch_bytes": 98304}
// or, with "operator", of a depthwise convolution or a fully connected layer.
// Throws LayerError, whose text names the file, the field, its value and the rule.
Layer readLayer(const std::string &path);

struct LayerError {
  std::string text;
};

} // namespace npu::kgen
