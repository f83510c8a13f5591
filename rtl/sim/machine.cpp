// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"
#include "machine_configs.h"

#include "generated/npu_platform.h"

#include <bit>
#include <cstring>

namespace npu::rtl {

static_assert(std::endian::native == std::endian::little, "RAM words are accessed as bytes");

Machine::Machine(const MachineConfig &config, DramTiming timing)
    : config_(config), dramMemory_(RegionId::Dram, "dram", NPU_DRAM_BASE, config.dramSize),
      axi_(dramMemory_, timing) {}

std::unique_ptr<Machine> Machine::create(const MachineConfig &config, DramTiming timing,
                                         const std::string &waveFile) {
  if (config.tcmSize == NPU_LARGE_TCM_SIZE)
    return createLarge(config, timing, waveFile);
  return createDefault(config, timing, waveFile);
}

bool Machine::fetchable(uint32_t address) const {
  return address - NPU_ITCM_BASE < config_.itcmSize || dramMemory_.contains(address);
}

uint8_t *Machine::scratchpadByte(uint32_t address) {
  if (address - NPU_ITCM_BASE < config_.itcmSize)
    return reinterpret_cast<uint8_t *>(itcm_) + (address - NPU_ITCM_BASE);
  const uint32_t offset = address - NPU_TCM_BASE;
  uint32_t *bank = tcm_[offset / NPU_TCM_BANK_BYTES % NPU_TCM_BANKS];
  return reinterpret_cast<uint8_t *>(bank + offset / (NPU_TCM_BANK_BYTES * NPU_TCM_BANKS)) +
         offset % NPU_TCM_BANK_BYTES;
}

template <typename Copy>
bool Machine::forEachByte(uint32_t address, size_t bytes, Copy copy) {
  const auto inside = [&](uint32_t base, uint32_t size) {
    return address - base < size && bytes <= size - (address - base);
  };
  if (!inside(NPU_ITCM_BASE, config_.itcmSize) && !inside(NPU_TCM_BASE, config_.tcmSize))
    return false;
  for (size_t i = 0; i < bytes; ++i)
    copy(scratchpadByte(address + static_cast<uint32_t>(i)), i);
  return true;
}

bool Machine::readMemory(uint32_t address, void *out, size_t bytes) {
  if (dramMemory_.contains(address, bytes)) {
    std::memcpy(out, dramMemory_.at(address), bytes);
    return true;
  }
  auto *to = static_cast<uint8_t *>(out);
  return forEachByte(address, bytes, [to](const uint8_t *byte, size_t i) { to[i] = *byte; });
}

bool Machine::writeMemory(uint32_t address, const void *in, size_t bytes) {
  if (dramMemory_.contains(address, bytes)) {
    std::memcpy(dramMemory_.at(address), in, bytes);
    return true;
  }
  const auto *from = static_cast<const uint8_t *>(in);
  return forEachByte(address, bytes, [from](uint8_t *byte, size_t i) { *byte = from[i]; });
}

} // namespace npu::rtl
