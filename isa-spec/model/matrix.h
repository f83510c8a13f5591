// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix unit (chapter 4 of the manual). Each function performs one whole operation.

#pragma once

#include "generated/npu_platform.h"
#include "memory.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace npu {

// The bytes of memory that an operation read and wrote, and the accumulator rows in the same way.
struct AccessLog {
  std::vector<ByteRange> reads, writes;
  std::vector<ByteRange> rowReads, rowWrites;
  std::optional<uint32_t> inPlace; // first byte that a DMA descriptor reads and writes

  // Appends a range, merging it with the last one when they touch.
  static void append(std::vector<ByteRange> &ranges, uint32_t begin, uint32_t size);
};

// The NPU CSRs that an operation captures at issue.
struct MatrixParams {
  uint32_t rowLen = 0, rowStride = 0;
  uint32_t xCount = 0, xStride = 0, yStride = 0;
  uint32_t outXStride = 0, outYStride = 0;
  uint32_t outQuant = 0;
  uint32_t pad = 0, valid = 0;                          // npad, nvalid
  uint32_t position = 0, xStep = 0, yStep = 0;          // npos, npxstep, npystep
  uint32_t tapStride = 0;
};

class MatrixUnit {
public:
  static constexpr unsigned kRows = NPU_MAC_ROWS, kCols = NPU_MAC_COLS,
                            kAccRows = NPU_MAC_ACC_ROWS;

  // Each returns the fault address, or nothing when the operation had no error. A log, where
  // there is one, gets what the operation accesses.
  std::optional<uint32_t> loadWeights(Region &tcm, uint32_t rs1, uint32_t rs2, AccessLog *log);
  std::optional<uint32_t> run(Region &tcm, const MatrixParams &params, uint32_t rs1, uint32_t rs2,
                              AccessLog *log);
  std::optional<uint32_t> runDepthwise(Region &tcm, const MatrixParams &params, uint32_t rs1,
                                       uint32_t rs2, AccessLog *log);
  std::optional<uint32_t> loadQuant(Region &tcm, uint32_t rs1, AccessLog *log);
  std::optional<uint32_t> drain(Region &tcm, const MatrixParams &params, uint32_t rs1,
                                uint32_t rs2, AccessLog *log);

  // Multiply-accumulates of all runs so far: pixels x K (or taps) x columns.
  uint64_t macs() const { return macs_; }

  int32_t accumulator(unsigned row, unsigned column) const { return acc_[row][column]; }
  void setAccumulator(unsigned row, unsigned column, int32_t value) { acc_[row][column] = value; }

private:
  // Widened for the inner loop; rows beyond those loaded are zero.
  struct Weights {
    alignas(64) int32_t at[2 * kRows][kCols] = {};
    bool int4 = false;
  };
  // The weights with which a run works.
  const Weights &weightsOf(bool swap) const { return swap ? shadow_ : weights_; }

  Weights weights_, shadow_;
  alignas(64) int32_t acc_[kAccRows][kCols] = {};
  int32_t bias_[kCols] = {};
  int32_t multiplier_[kCols] = {};
  int8_t shift_[kCols] = {};
  uint64_t macs_ = 0;
};

// Adds the zero point of an output and clamps to its bounds, all three from noquant.
int32_t clampOutput(int32_t value, uint32_t outQuant);

// requant() of chapter 4: TFLite's rounding, which rounds twice.
int32_t requantize(int32_t x, int32_t multiplier, int shift);

// requant1() of chapter 4: one rounding.
int32_t requantizeOnce(int32_t x, int32_t multiplier, int shift);

} // namespace npu
