// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a layer is cut into tiles, and what the cut is expected to cost.

#pragma once

#include "layer.h"

#include "conv_steps.h"

#include <vector>

namespace npu::kgen {

struct Step {
  int32_t offset; // from the window's first byte in the input tile
  int32_t k, first;
};

struct Plan {
  std::vector<Step> steps;
  int32_t blocks;      // blocks of 16 output channels
  int32_t groupBlocks; // of them, those in the scratchpad together
  int32_t groups;
  int32_t tileH, tileW;
  int32_t tilesY, tilesX; // of one image
  int32_t inH, inW;       // input lines and columns of a full tile
  int32_t pitch, outPitch; // bytes from line to line of the input and the output tile
  int32_t rectH, rectW;   // output pixels of one run
  // Offsets in the scratch buffer and its size in all.
  uint32_t constantsAt, inputAt, outputAt, inputBytes, outputBytes, scratchBytes;
  // Expected cycles: of the array, and of the whole with what the DMA adds.
  uint64_t arrayCycles, cycles;
};

// The plan with the fewest expected cycles within the layer's scratch_bytes. Throws LayerError that
// names scratch_bytes if there is none.
Plan makePlan(const Layer &layer, const std::string &path);

} // namespace npu::kgen
