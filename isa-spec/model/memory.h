// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine's memories (chapter 3 of the manual): ITCM, TCM and DRAM as plain host memory.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace npu {

struct MachineConfig {
  std::string_view name;
  uint32_t itcmSize, tcmSize, dramSize;

  // "default" or "large"; null for any other name.
  static const MachineConfig *find(std::string_view name);
};

// Bytes [begin, begin + size).
struct ByteRange {
  uint32_t begin, size;
};

enum class RegionId : uint8_t { Itcm, Tcm, Dram };

class Region {
public:
  Region(RegionId regionId, std::string_view regionName, uint32_t baseAddress, uint32_t bytes);
  ~Region();
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;

  bool contains(uint32_t address) const { return address - base < size; }
  bool contains(uint32_t address, uint64_t bytes) const {
    return contains(address) && bytes <= size - (address - base);
  }
  bool fetchable() const { return id != RegionId::Tcm; }
  uint8_t *at(uint32_t address) const { return data + (address - base); }

  const RegionId id;
  const std::string_view name;
  const uint32_t base, size;
  uint8_t *const data;

  // One byte for each 4 KiB: why a store to the page needs more than the store (Memory::PageFlag).
  std::vector<uint8_t> pageFlags;
};

class Memory {
public:
  static constexpr unsigned kPageShift = 12;
  static constexpr uint32_t kBusBytes = 16, kCacheLineBytes = 32;
  enum PageFlag : uint8_t { kPageDecoded = 1, kPageWatched = 2 };

  explicit Memory(const MachineConfig &config);

  const MachineConfig &config() const { return config_; }

  Region *find(uint32_t address);
  const Region *find(uint32_t address) const { return const_cast<Memory *>(this)->find(address); }
  // The region that holds all of [address, address + bytes), or null.
  Region *find(uint32_t address, uint64_t bytes);

  // Copies bytes of one region; false (and nothing done) when the range is not inside one.
  bool read(uint32_t address, void *out, size_t bytes) const;
  bool write(uint32_t address, const void *in, size_t bytes);

  // The bus answers accesses to these bytes of DRAM with an error.
  void failDram(ByteRange range) { failing_.push_back(range); }
  bool dramMayFail() const { return !failing_.empty(); }
  // Whether an access to these bytes meets an error. The bus moves aligned blocks of 16 bytes, the
  // instruction cache of 32: one byte fails the block.
  bool dramFails(uint32_t address, uint64_t bytes, uint32_t block = kBusBytes) const;

  Region itcm, tcm, dram;

private:
  MachineConfig config_;
  std::vector<ByteRange> failing_;
};

} // namespace npu
