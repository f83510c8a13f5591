// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory.h"

#include "generated/npu_platform.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace npu {

namespace {

constexpr MachineConfig kConfigs[] = {
    {"default", NPU_DEFAULT_ITCM_SIZE, NPU_DEFAULT_TCM_SIZE, NPU_DEFAULT_DRAM_SIZE},
    {"large", NPU_LARGE_ITCM_SIZE, NPU_LARGE_TCM_SIZE, NPU_LARGE_DRAM_SIZE},
};

// Zeroed memory that takes host memory only where it is touched.
uint8_t *allocate(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return static_cast<uint8_t *>(memory);
}

} // namespace

const MachineConfig *MachineConfig::find(std::string_view name) {
  for (const MachineConfig &config : kConfigs)
    if (config.name == name)
      return &config;
  return nullptr;
}

Region::Region(RegionId regionId, std::string_view regionName, uint32_t baseAddress, uint32_t bytes)
    : id(regionId), name(regionName), base(baseAddress), size(bytes), data(allocate(bytes)),
      pageFlags((bytes >> Memory::kPageShift) + 1) {}

Region::~Region() { munmap(data, size); }

Memory::Memory(const MachineConfig &config)
    : itcm(RegionId::Itcm, "ITCM", NPU_ITCM_BASE, config.itcmSize),
      tcm(RegionId::Tcm, "TCM", NPU_TCM_BASE, config.tcmSize),
      dram(RegionId::Dram, "DRAM", NPU_DRAM_BASE, config.dramSize), config_(config) {}

Region *Memory::find(uint32_t address) {
  for (Region *region : {&tcm, &dram, &itcm})
    if (region->contains(address))
      return region;
  return nullptr;
}

Region *Memory::find(uint32_t address, uint64_t bytes) {
  Region *region = find(address);
  return region && region->contains(address, bytes) ? region : nullptr;
}

bool Memory::dramFails(uint32_t address, uint64_t bytes, uint32_t block) const {
  if (bytes == 0)
    return false;
  const uint64_t begin = address & ~(block - 1), end = (address + bytes + block - 1) & ~uint64_t{block - 1};
  return std::any_of(failing_.begin(), failing_.end(), [&](const ByteRange &range) {
    return begin < uint64_t{range.begin} + range.size && range.begin < end;
  });
}

bool Memory::read(uint32_t address, void *out, size_t bytes) const {
  if (bytes == 0)
    return true;
  const Region *region = find(address);
  if (!region || !region->contains(address, bytes))
    return false;
  std::memcpy(out, region->at(address), bytes);
  return true;
}

bool Memory::write(uint32_t address, const void *in, size_t bytes) {
  if (bytes == 0)
    return true;
  const Region *region = find(address, bytes);
  if (!region)
    return false;
  std::memcpy(region->at(address), in, bytes);
  return true;
}

} // namespace npu
