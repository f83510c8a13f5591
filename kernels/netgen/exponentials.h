// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixed-point exponential of TFLite's softmax.

#pragma once

#include <cstdint>

namespace npu::netgen {

// exp of a difference of input values (0 or less), scaled by multiplier and shift (more than one),
// with 31 fractional bits: gemmlowp's exp_on_negative_values. 0 below diffMin.
int32_t exponential(int32_t difference, int32_t multiplier, int32_t shift, int32_t diffMin);

} // namespace npu::netgen
