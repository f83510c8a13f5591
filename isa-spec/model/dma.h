// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DMA (chapter 5 of the manual): one call performs one whole descriptor chain.

#pragma once

#include "matrix.h"
#include "memory.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace npu {

struct DmaResult {
  std::optional<uint32_t> fault;
  bool done = false; // a completed descriptor asked for the dmadone bit
  uint64_t dramReadBytes = 0, dramWriteBytes = 0;
};

DmaResult runDmaChain(Memory &memory, uint32_t descriptor, AccessLog &log);

} // namespace npu
