// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout of the packed constants of fully connected layers: shared by packer and kernels.

#ifndef NPU_FC_LAYOUT_H
#define NPU_FC_LAYOUT_H

#include "conv_steps.h"
#include "npu/fully_connected.h"
#include "wide_table.h"

enum {
  NPU_FC_SCALE_BYTES = 8 * NPU_BLOCK_CHANNELS, // of a block, behind the last one
  NPU_FC_BY_CORE = 64, // added to the shifts of a table whose multipliers are not exact
};

typedef struct npu_fc_layout {
  int32_t step_rows, step_shift;    // inputs of a step, 1 << step_shift
  uint32_t table_bytes, step_bytes; // of 16 outputs
} npu_fc_layout;

static inline npu_fc_layout npu_fc_layout_s8(void) {
  return (npu_fc_layout){16, 4, NPU_TABLE_BYTES, NPU_STEP_BYTES};
}
static inline npu_fc_layout npu_fc_layout_s4(void) {
  return (npu_fc_layout){32, 5, NPU_TABLE_BYTES, NPU_STEP_BYTES};
}
static inline npu_fc_layout npu_fc_layout_s4_block(void) {
  return (npu_fc_layout){NPU_FC_BLOCK, 5, NPU_TABLE_BYTES, NPU_STEP_BYTES + 2 * NPU_BLOCK_CHANNELS};
}
static inline npu_fc_layout npu_fc_layout_s16(void) {
  return (npu_fc_layout){16, 4, NPU_WIDE_TABLE_BYTES, NPU_STEP_BYTES};
}

static inline int npu_fc_filter_ok(const npu_dims *filter) {
  return filter->h == 1 && filter->w == 1 &&
         (uint32_t)((filter->n - 1) | (filter->c - 1)) >> 16 == 0 && filter->n <= 65535 &&
         filter->c <= 65535;
}

static inline uint32_t npu_fc_steps(const npu_dims *filter, npu_fc_layout layout) {
  return (uint32_t)(filter->c + layout.step_rows - 1) >> layout.step_shift;
}

static inline uint32_t npu_fc_block_bytes(const npu_dims *filter, npu_fc_layout layout) {
  return layout.table_bytes + npu_fc_steps(filter, layout) * layout.step_bytes;
}

// Of all constants; 0 for 2^31 bytes and more.
static inline uint32_t npu_fc_packed_bytes(const npu_dims *filter, npu_fc_layout layout) {
  const uint64_t bytes = (uint64_t)(filter->n + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS *
                         (npu_fc_block_bytes(filter, layout) +
                          (layout.step_bytes == NPU_STEP_BYTES ? NPU_FC_SCALE_BYTES : 0));
  return bytes > INT32_MAX ? 0 : (uint32_t)bytes;
}

#endif // NPU_FC_LAYOUT_H
