// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout of the packed constants of fully connected layers: shared by packer and kernels.

#ifndef NPU_FC_LAYOUT_H
#define NPU_FC_LAYOUT_H

#include "conv_steps.h"
#include "npu/fully_connected_plan.h"
#include "wide_table.h"

enum {
  FC_ALIGNMENT = 16,
  FC_SLOTS = 4, // of weights: two at work, the others under way
  FC_PARTS = 4, // of a tile's rows, along the inputs, under way at a time
  FC_STORES = 4,
  FC_DESCRIPTORS = FC_SLOTS + FC_PARTS + FC_STORES,
  FC_TABLE_SLOT = 256,                         // bytes of a table's copy, whole vectors
  FC_SUMS_BYTES = 64,                          // of a row's sums, with scales of blocks
  FC_SMALL_TILE = 8 << 10,                     // bytes that are loaded in one part
  NPU_FC_SCALE_BYTES = 8 * NPU_BLOCK_CHANNELS, // of a block, behind the last one
  NPU_FC_BY_CORE = 64, // added to the shifts of a table whose multipliers are not exact
};

static inline int32_t fc_min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline uint32_t fc_smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static inline uint32_t npu_fc_align(uint32_t bytes) {
  return (bytes + FC_ALIGNMENT - 1) & ~(FC_ALIGNMENT - 1u);
}

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

static inline npu_fc_layout npu_fc_layout_of(int32_t form) {
  return form == NPU_FC_S8    ? npu_fc_layout_s8()
         : form == NPU_FC_S4  ? npu_fc_layout_s4()
         : form == NPU_FC_S16 ? npu_fc_layout_s16()
                              : npu_fc_layout_s4_block();
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

#ifdef __cplusplus
extern "C" {
#endif

// npu_fc_plan_fill without a problem; choice = 0: the library's own.
npu_status npu_fc_plan_lay_out(npu_fc_plan *plan, const npu_fc_choice *choice, int32_t form,
                               const npu_fc_params *params, const npu_dims *input,
                               const npu_dims *filter, uint32_t placement, uint32_t scratch_bytes);

#ifdef __cplusplus
}
#endif

#endif // NPU_FC_LAYOUT_H
