// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quantized network as the generator's input describes it: tensors, layers in the order in which
// they run, and a file with their constants (kernels/README.md explains each field).

#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace npu::netgen {

// Its text names file, layer or tensor, value and rule.
struct NetworkError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Shape {
  int32_t n, h, w, c;
};

struct Tensor {
  Shape shape; // [n, h, w, c]; a vector of C values is [1, 1, 1, C]
  int32_t zeroPoint;
};

enum class Operator { Conv, Depthwise, FullyConnected, AveragePool, Add, Softmax, Reshape };

struct Layer {
  std::string name;
  Operator op;
  std::vector<int> inputs; // of activations
  int output;
  std::array<int32_t, 2> window = {1, 1}, stride = {1, 1}, padding = {0, 0}, dilation = {1, 1};
  std::array<int32_t, 2> activation = {-128, 127};
  // Filter [c_out, kh, kw, c_in] (depthwise: [1, kh, kw, c]); one bias, multiplier, shift a
  // channel; fully connected: one bias and scale.
  std::vector<int8_t> filter;
  std::vector<int32_t> bias, multiplier, shift;
  std::vector<double> scale;
  // Add: both inputs are shifted left and scaled. Softmax: multiplier, shift of the input.
  int32_t leftShift = 0, outMultiplier = 0, outShift = 0, diffMin = 0;
  std::array<int32_t, 2> inMultiplier = {0, 0}, inShift = {0, 0};
  uint64_t macs = 0;
};

struct Network {
  std::string name; // a C identifier
  std::vector<Tensor> tensors;
  std::vector<Layer> layers;
  int input, output;
};

// Throws NetworkError.
Network readNetwork(const std::string &path);

} // namespace npu::netgen
