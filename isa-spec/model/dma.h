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
  // Where rows that are read run ahead of rows that are written, two of them may meet an error
  // response, and the one that comes first is reported.
  std::optional<uint32_t> otherFault;
  // Bytes that the chain leaves unspecified: rows at and behind an error response, and copies of
  // bytes that were unspecified before.
  std::vector<ByteRange> unspecified;
  unsigned doneSignals = 0; // completed descriptors that asked for the dmadone bit
  uint64_t dramReadBytes = 0, dramWriteBytes = 0;
};

// unspecified: bytes that earlier chains have left so.
DmaResult runDmaChain(Memory &memory, uint32_t descriptor,
                      const std::vector<ByteRange> &unspecified, AccessLog &log);

} // namespace npu
