// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution with its data, and the ways to run it: reference, library kernel, generated kernel.

#pragma once

#include "conv_s8_reference.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace npu::test {

struct ConvCase {
  std::string name;
  npu_dims input, filter, output;
  npu_conv_params params;
  uint32_t scratch; // bytes; 0 = the smallest that the library kernel takes
  int32_t weightBits = 8;
  uint32_t placement = 0; // NPU_CONV_*_TCM: operands in the scratchpad
  // Bytes from pixel to pixel and from line to line there, 0 = dense; for generated kernels.
  int32_t inPixel = 0, inPitch = 0, outPixel = 0, outPitch = 0;
  std::vector<int32_t> multiplier, shift, bias;
  std::vector<int8_t> weights, pixels; // a weight each, of int4 as well
};

// Fills constants and input with random values; derives the output's extents for a padding of
// `bottom` and `right` behind the last line and column.
void fill(ConvCase &c, std::mt19937 &random, int32_t bottom, int32_t right);

// A case of random shape within what the simulators do in a moment; `scale` bounds the extents.
ConvCase randomCase(std::mt19937 &random, int32_t scale);

// The same with int4 weights in half of the cases and operands in DRAM or the scratchpad by chance; of a
// generated kernel's some with pixels or lines apart.
ConvCase randomPlacedCase(std::mt19937 &random, int32_t scale, bool apart);

std::vector<int8_t> reference(const ConvCase &c);

// Outcome of a program that a simulator ran: its output file, or an error text.
struct Outcome {
  std::vector<int8_t> output;
  std::string error;
};

enum class Simulator { Iss, Rtl };

// The library kernel; compiles the program on first use.
Outcome runLibrary(const ConvCase &c, Simulator simulator);

// The kernel that npu-kgen emits for the case.
Outcome runGenerated(const ConvCase &c, Simulator simulator);

// Compiles a program of Inputs and runs it on the model; what it printed, if it failed.
std::string runProgram(const std::string &source);

// Reads a case from the file that conv_layer.c takes.
ConvCase readCase(const std::string &path);

std::string readBytes(const std::string &path);

std::string describe(const ConvCase &c);

} // namespace npu::test
