// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of the core: cycles since reset and retired instructions, 64 bits each.

#ifndef NPU_CYCLES_H
#define NPU_CYCLES_H

#include <npu_intrinsics.h>
#include <stdint.h>

// A 64-bit counter is read as high, low, high again: a carry between the reads shows.
#define NPU_READ_COUNTER(low_csr, high_csr)                                                        \
  uint32_t high, low, again;                                                                       \
  do {                                                                                             \
    high = npu_csr_read(high_csr);                                                                 \
    low = npu_csr_read(low_csr);                                                                   \
    again = npu_csr_read(high_csr);                                                                \
  } while (high != again);                                                                         \
  return (uint64_t)high << 32 | low

static inline uint64_t npu_cycles(void) {
  NPU_READ_COUNTER(0xC00, 0xC80);
}

static inline uint64_t npu_instructions(void) {
  NPU_READ_COUNTER(0xC02, 0xC82);
}

// Low half only: one instruction, for intervals below 2^32 cycles.
static inline uint32_t npu_cycles32(void) {
  return npu_csr_read(0xC00);
}

#undef NPU_READ_COUNTER

#endif // NPU_CYCLES_H
