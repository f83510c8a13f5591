// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dma.h"

#include <cstring>

namespace npu {

namespace {

constexpr uint32_t kMaxDescriptors = 65536; // of a chain, so that a loop ends
constexpr uint32_t kMaxRowBytes = (1u << 24) - 1, kMaxReps = 65535;
constexpr uint32_t kFill = 1, kSignalDone = 2;

struct Descriptor {
  uint32_t src, dst, len;
  uint32_t reps1, srcStride1, dstStride1;
  uint32_t reps2, srcStride2, dstStride2;
  uint32_t flags, next;
  uint32_t reserved[5];

  bool valid() const {
    uint32_t mustBeZero = flags & ~(kFill | kSignalDone);
    for (uint32_t word : reserved)
      mustBeZero |= word;
    return mustBeZero == 0 && len <= kMaxRowBytes && reps1 <= kMaxReps && reps2 <= kMaxReps;
  }
};
static_assert(sizeof(Descriptor) == NPU_DMA_DESCRIPTOR_BYTES);

// The region that holds a row; the DMA reaches TCM and DRAM only.
Region *rowRegion(Memory &memory, uint32_t address, uint32_t bytes) {
  Region *region = memory.find(address, bytes);
  return region && region->id != RegionId::Itcm ? region : nullptr;
}

// Moves the rows of one descriptor; the address of the row that fails, if one does.
std::optional<uint32_t> moveRows(Memory &memory, const Descriptor &d, DmaResult &result,
                                 AccessLog &log) {
  if (d.len == 0)
    return {};
  const bool fill = d.flags & kFill;
  for (uint32_t r2 = 0; r2 < d.reps2; ++r2) {
    for (uint32_t r1 = 0; r1 < d.reps1; ++r1) {
      const uint32_t src = d.src + r1 * d.srcStride1 + r2 * d.srcStride2;
      const uint32_t dst = d.dst + r1 * d.dstStride1 + r2 * d.dstStride2;
      const Region *from = fill ? nullptr : rowRegion(memory, src, d.len);
      if (!fill && !from)
        return src;
      const Region *to = rowRegion(memory, dst, d.len);
      if (!to)
        return dst;
      if (fill)
        std::memset(to->at(dst), static_cast<uint8_t>(d.src), d.len);
      else
        std::memmove(to->at(dst), from->at(src), d.len);
      if (from && from->id == RegionId::Dram)
        result.dramReadBytes += d.len;
      if (to->id == RegionId::Dram)
        result.dramWriteBytes += d.len;
      if (from)
        AccessLog::append(log.reads, src, d.len);
      AccessLog::append(log.writes, dst, d.len);
    }
  }
  return {};
}

} // namespace

DmaResult runDmaChain(Memory &memory, uint32_t address, AccessLog &log) {
  DmaResult result;
  for (uint32_t count = 0;; ++count) {
    if (address % NPU_DMA_DESCRIPTOR_ALIGN != 0 ||
        !memory.tcm.contains(address, sizeof(Descriptor)) || count == kMaxDescriptors) {
      result.fault = address;
      return result;
    }
    AccessLog::append(log.reads, address, sizeof(Descriptor));
    Descriptor d;
    std::memcpy(&d, memory.tcm.at(address), sizeof d);
    if (!d.valid()) {
      result.fault = address;
      return result;
    }
    result.fault = moveRows(memory, d, result, log);
    if (result.fault)
      return result;
    result.done |= (d.flags & kSignalDone) != 0;
    if (d.next == 0)
      return result;
    address = d.next;
  }
}

} // namespace npu
