// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected cycles of plans that the library executes as they are. A depthwise layer is played
// through piece by piece: the core, the array and the two DMA channels each go on when what they
// wait for is there, as in src/depthwise_stream.c. A fully connected layer takes what its slowest
// unit takes, and what nothing hides at both ends.

#pragma once

#include "npu/depthwise_plan.h"
#include "npu/fully_connected_plan.h"

#include <cstdint>

namespace npu::kgen {

// Cycles, measured on the RTL at 16 bytes a cycle and 60 cycles latency.
struct DepthwiseTimes {
  double start = 260;     // of the core before its first load
  double issueLoad = 70;  // of the core for a load
  double issueRun = 22;   // for a run
  double issuePiece = 90; // for a piece besides
  double latency = 75;    // of a load
  double stored = 40;     // behind the last beat of a store
  double beat = 1.03;     // of the DMA, 16 bytes
  double pixel = 1.14;    // of the array
  double strided = 1.14;  // of the array with a stride
  double line = 1;        // for a line of a run besides
  double run = 12;        // of the array besides
  double end = 60;        // behind the last store
};

uint64_t depthwiseCycles(const npu_dw_plan &plan, const DepthwiseTimes &times = {});
uint64_t connectedCycles(const npu_fc_plan &plan);

// Bytes that the plan moves from and to DRAM.
uint64_t connectedBytes(const npu_fc_plan &plan);

} // namespace npu::kgen
