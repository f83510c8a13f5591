// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of instructions and CSRs that plans hold (manual, chapter 4), the same as those of
// npu_intrinsics.h. Portable: planners and generators run on the host as well, which does not have
// that header.

#ifndef NPU_SRC_PLAN_WORDS_H
#define NPU_SRC_PLAN_WORDS_H

#include <stdint.h>

#define NPU_PLAN_INT4 (1u << 8)  // of mac.ldw's rows: NPU_MAC_INT4
#define NPU_PLAN_SWAP (1u << 30) // of mac.run and mac.dw: NPU_MAC_SWAP

// npu_position, and npu_valid of a line's bytes and the lines.
static inline uint32_t npu_plan_position(int32_t column, int32_t line) {
  return ((uint32_t)column & 0xFFFF) | (uint32_t)line << 16;
}

// npu_pad
static inline uint32_t npu_plan_pad(int32_t value, int32_t line_step) {
  return ((uint32_t)value & 0xFF) | (uint32_t)line_step << 8;
}

// npu_oquant
static inline uint32_t npu_plan_oquant(int32_t zero_point, int32_t least, int32_t most) {
  return ((uint32_t)zero_point & 0xFF) | ((uint32_t)least & 0xFF) << 8 |
         ((uint32_t)most & 0xFF) << 16;
}

#endif // NPU_SRC_PLAN_WORDS_H
