// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar reference of a DMA operation, written from chapter 5 of the manual.
#pragma once

#include "matrix_reference.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace npu::test {

constexpr uint32_t kDramBase = 0x80000000;
constexpr uint32_t kDramSize = 0x08000000;
// The DRAM that the bench backs with bytes; tests stay inside, or outside of DRAM.
constexpr uint32_t kDramBacked = 0x00100000;

enum DescriptorWord : uint32_t {
  Src, Dst, Len, Reps1, SrcStride1, DstStride1, Reps2, SrcStride2, DstStride2, Flags, Next
};
using Descriptor = std::array<uint32_t, 16>;
constexpr uint32_t kFill = 1, kDone = 2;

struct DmaMemory {
  std::vector<uint8_t> tcm = std::vector<uint8_t>(kTcmSize);
  std::vector<uint8_t> dram = std::vector<uint8_t>(kDramBacked);

  uint8_t &at(uint32_t addr) {
    return addr - kTcmBase < kTcmSize ? tcm[addr - kTcmBase] : dram.at(addr - kDramBase);
  }
  void put(uint32_t addr, const Descriptor &d);
  Descriptor get(uint32_t addr);
};

struct DmaResult {
  std::optional<uint32_t> fault;
  unsigned done_pulses = 0;
};

DmaResult run_dma(DmaMemory &memory, uint32_t descriptor);

} // namespace npu::test
