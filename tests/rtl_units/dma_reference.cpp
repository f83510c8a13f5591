// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dma_reference.h"

#include <cstring>

namespace npu::test {
namespace {

bool inside(uint32_t addr, uint32_t len, uint32_t base, uint32_t size) {
  return addr >= base && uint64_t(addr) + len <= uint64_t(base) + size;
}

bool legal(uint32_t addr, uint32_t len) {
  return inside(addr, len, kTcmBase, kTcmSize) || inside(addr, len, kDramBase, kDramSize);
}

} // namespace

void DmaMemory::put(uint32_t addr, const Descriptor &d) {
  std::memcpy(&tcm.at(addr - kTcmBase), d.data(), sizeof d);
}

Descriptor DmaMemory::get(uint32_t addr) {
  Descriptor d;
  std::memcpy(d.data(), &tcm.at(addr - kTcmBase), sizeof d);
  return d;
}

DmaResult run_dma(DmaMemory &memory, uint32_t addr) {
  DmaResult result;
  auto fail = [&](uint32_t fault) {
    result.fault = fault;
    return result;
  };
  for (uint32_t number = 1; addr != 0 || number == 1; number++) {
    if (addr % 4 != 0 || !inside(addr, 64, kTcmBase, kTcmSize) || number > 65536)
      return fail(addr);
    Descriptor d = memory.get(addr);
    if (d[Len] >= 1u << 24 || d[Reps1] > 65535 || d[Reps2] > 65535 || (d[Flags] & ~3u))
      return fail(addr);
    for (int i = 11; i < 16; i++)
      if (d[i])
        return fail(addr);
    if (d[Len])
      for (uint32_t r2 = 0; r2 < d[Reps2]; r2++)
        for (uint32_t r1 = 0; r1 < d[Reps1]; r1++) {
          uint32_t src = d[Src] + r1 * d[SrcStride1] + r2 * d[SrcStride2];
          uint32_t dst = d[Dst] + r1 * d[DstStride1] + r2 * d[DstStride2];
          if (!(d[Flags] & kFill) && !legal(src, d[Len]))
            return fail(src);
          if (!legal(dst, d[Len]))
            return fail(dst);
          for (uint32_t i = 0; i < d[Len]; i++)
            memory.at(dst + i) = d[Flags] & kFill ? uint8_t(d[Src]) : memory.at(src + i);
        }
    if (d[Flags] & kDone)
      result.done_pulses++;
    addr = d[Next];
  }
  return result;
}

} // namespace npu::test
