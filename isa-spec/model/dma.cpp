// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dma.h"

#include <algorithm>
#include <cstring>

namespace npu {

namespace {

constexpr uint32_t kMaxDescriptors = 65536; // of a chain, so that a loop ends
constexpr unsigned kMaxRowsBehind = 512; // more than queues hold
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

bool overlap(const std::vector<ByteRange> &ranges, uint32_t begin, uint32_t size) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const ByteRange &range) {
    return range.begin < begin + size && begin < range.begin + range.size;
  });
}

class Chain {
public:
  Chain(Memory &memory, const std::vector<ByteRange> &unspecified, AccessLog &log)
      : memory_(memory), before_(unspecified), log_(log) {}

  DmaResult run(uint32_t address) {
    for (uint32_t count = 0;; ++count) {
      Descriptor d;
      if (!fetch(address, count, d)) {
        if (!busFailed_)
          result_.fault = address;
        return std::move(result_);
      }
      if (!moveRows(d))
        return std::move(result_);
      const bool signals = d.flags & kSignalDone;
      result_.doneSignals += signals && !busFailed_;
      if (d.next == 0 || (signals && busFailed_))
        return std::move(result_);
      address = d.next;
    }
  }

private:
  bool fetch(uint32_t address, uint32_t count, Descriptor &d) {
    if (address % NPU_DMA_DESCRIPTOR_ALIGN != 0 || !memory_.tcm.contains(address, sizeof d) ||
        count == kMaxDescriptors)
      return false;
    AccessLog::append(log_.reads, address, sizeof d);
    std::memcpy(&d, memory_.tcm.at(address), sizeof d);
    return d.valid();
  }

  // From the lowest byte of all rows to behind the highest.
  static std::pair<int64_t, int64_t> extent(const Descriptor &d, uint32_t first, uint32_t stride1,
                                            uint32_t stride2) {
    const int64_t rows = int64_t{static_cast<int32_t>(stride1)} * (d.reps1 - 1);
    const int64_t planes = int64_t{static_cast<int32_t>(stride2)} * (d.reps2 - 1);
    return {first + std::min<int64_t>(rows, 0) + std::min<int64_t>(planes, 0),
            first + std::max<int64_t>(rows, 0) + std::max<int64_t>(planes, 0) + d.len};
  }

  // The lowest byte that a descriptor, which has moved all its rows, both reads and writes. One row that maps
  // onto itself exactly is no race (chapter 5).
  static std::optional<uint32_t> inPlace(const Descriptor &d) {
    if ((d.flags & kFill) || d.len == 0 || d.reps1 == 0 || d.reps2 == 0 ||
        (d.reps1 == 1 && d.reps2 == 1 && d.src == d.dst))
      return {};
    const auto [sourceBegin, sourceEnd] = extent(d, d.src, d.srcStride1, d.srcStride2);
    const auto [destinationBegin, destinationEnd] = extent(d, d.dst, d.dstStride1, d.dstStride2);
    if (sourceEnd <= destinationBegin || destinationEnd <= sourceBegin)
      return {};
    std::vector<uint32_t> sources, destinations; // of the rows
    for (uint32_t r2 = 0; r2 < d.reps2; ++r2)
      for (uint32_t r1 = 0; r1 < d.reps1; ++r1) {
        sources.push_back(d.src + r1 * d.srcStride1 + r2 * d.srcStride2);
        destinations.push_back(d.dst + r1 * d.dstStride1 + r2 * d.dstStride2);
      }
    std::sort(sources.begin(), sources.end());
    std::sort(destinations.begin(), destinations.end());
    for (auto source = sources.begin(), destination = destinations.begin();
         source != sources.end() && destination != destinations.end();) {
      const uint32_t first = std::max(*source, *destination);
      if (first - *source < d.len && first - *destination < d.len)
        return first;
      *source < *destination ? ++source : ++destination;
    }
    return {};
  }

  // False when the chain ends here.
  bool moveRows(const Descriptor &d) {
    if (!moveEachRow(d))
      return false;
    if (!log_.inPlace)
      log_.inPlace = inPlace(d);
    return true;
  }

  bool moveEachRow(const Descriptor &d) {
    if (d.len == 0)
      return true;
    for (uint32_t r2 = 0; r2 < d.reps2; ++r2)
      for (uint32_t r1 = 0; r1 < d.reps1; ++r1)
        if (!moveRow(d, d.src + r1 * d.srcStride1 + r2 * d.srcStride2,
                     d.dst + r1 * d.dstStride1 + r2 * d.dstStride2))
          return false;
    return true;
  }

  bool moveRow(const Descriptor &d, uint32_t src, uint32_t dst) {
    const bool fill = d.flags & kFill;
    const Region *from = fill ? nullptr : rowRegion(memory_, src, d.len);
    const Region *to = rowRegion(memory_, dst, d.len);
    if ((!fill && !from) || !to) {
      if (!busFailed_)
        result_.fault = !fill && !from ? src : dst;
      return false;
    }
    const bool readsDram = from && from->id == RegionId::Dram;
    const bool writesDram = to->id == RegionId::Dram;
    if (memory_.dramMayFail() && meetsBusError(d, readsDram, src, writesDram, dst)) {
      AccessLog::append(result_.unspecified, dst, d.len);
      AccessLog::append(log_.writes, dst, d.len);
      return ++rowsBehind_ < kMaxRowsBehind;
    }
    if (from && overlap(before_, src, d.len))
      AccessLog::append(result_.unspecified, dst, d.len);
    if (fill)
      std::memset(to->at(dst), static_cast<uint8_t>(d.src), d.len);
    else
      std::memmove(to->at(dst), from->at(src), d.len);
    result_.dramReadBytes += readsDram ? d.len : 0;
    result_.dramWriteBytes += writesDram ? d.len : 0;
    if (from)
      AccessLog::append(log_.reads, src, d.len);
    AccessLog::append(log_.writes, dst, d.len);
    return true;
  }

  // Whether this row or one before it in the chain meets an error response.
  bool meetsBusError(const Descriptor &d, bool readsDram, uint32_t src, bool writesDram,
                     uint32_t dst) {
    const bool readFails = readsDram && memory_.dramFails(src, d.len);
    const bool writeFails = writesDram && memory_.dramFails(dst, d.len);
    if (!busFailed_ && (readFails || writeFails)) {
      busFailed_ = true;
      writeFailed_ = !readFails;
      result_.fault = readFails ? src : dst;
    } else if (readFails && writeFailed_ && !result_.otherFault) {
      result_.otherFault = src;
    }
    return busFailed_;
  }

  Memory &memory_;
  const std::vector<ByteRange> &before_;
  AccessLog &log_;
  DmaResult result_;
  bool busFailed_ = false, writeFailed_ = false;
  unsigned rowsBehind_ = 0; // that an implementation may have begun meanwhile
};

} // namespace

DmaResult runDmaChain(Memory &memory, uint32_t address, const std::vector<ByteRange> &unspecified,
                      AccessLog &log) {
  return Chain(memory, unspecified, log).run(address);
}

} // namespace npu
