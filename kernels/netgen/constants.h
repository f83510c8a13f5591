// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants in the form in which the matrix unit loads them, and exact short forms of TFLite's
// arithmetic that the generator proves by trying all inputs.

#pragma once

#include "program.h"

namespace npu::netgen {

// TFLite's MultiplyByQuantizedMultiplier with double rounding (manual, chapter 4).
int32_t requantize(int32_t x, int32_t multiplier, int32_t shift);

// TFLite's RoundingDivideByPOT.
int32_t roundingDivide(int32_t x, int32_t exponent);

// Constants of the layer's blocks [first, end). For each block of 16 channels:
//   windows          bias[16], multiplier[16] (int32), shift[16] (int8), then 16 bytes for each row
//   of the
//                    array and step
//   fully connected  bias[16], where channels differ multiplier[16] and shift[16] (int32), then the
//   rows
std::vector<uint8_t> packBlocks(const Program &program, const Layer &layer, const LayerPlan &plan,
                                int32_t first, int32_t end);

// Finds plan.poolWeight and the table's multiplier and shift so that the drain's result is
// AveragePool's for every sum of `count` bytes; false if there are none.
struct PoolScale {
  int32_t weight, multiplier, shift;
};
bool findPoolScale(int32_t count, PoolScale &scale);

// Finds plan.addTables, addMultiple and addOffset, exact for all 65536 pairs of inputs; leaves them
// empty if there are none.
void findAddTables(const Layer &layer, int32_t zeroA, int32_t zeroB, int32_t zeroOut,
                   LayerPlan &plan);

// Fully connected: finds multipliers that are exact for all sums, with one rounding whose bit lies
// in the product's high word. Sets plan.multiplier, shift, extraShift and perChannel; leaves them
// empty if a channel has none or the sums are too large for that.
void planFullyConnected(const Layer &layer, int32_t zeroIn, int32_t zeroOut, LayerPlan &plan);

} // namespace npu::netgen
