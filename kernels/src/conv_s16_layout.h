// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks and layout of convolutions of int16 activations: shared by packer and kernel. Packed, for
// each block of 16 output channels: the table of wide_table.h, then 256 bytes for each step of the
// window as in npu/conv.h, or 16 weights for each tap of a depthwise layer with multiplier 1.

#ifndef NPU_CONV_S16_LAYOUT_H
#define NPU_CONV_S16_LAYOUT_H

#include "depthwise_steps.h"
#include "npu/conv_s16.h"
#include "wide_table.h"

// What does not depend on the input's and output's extents.
static inline int npu_conv_s16_filter_ok(const npu_conv_params *params, const npu_dims *filter) {
  npu_conv_params bytes = *params;
  bytes.activation_min = bytes.activation_max = 0;
  return npu_conv_check_filter(filter, &bytes) == NPU_OK && params->input_offset == 0 &&
         params->output_offset == 0 && params->groups <= 1 && params->activation_min >= INT16_MIN &&
         params->activation_max <= INT16_MAX && params->activation_min <= params->activation_max;
}

static inline int npu_dw_s16_filter_ok(const npu_dw_conv_params *params, const npu_dims *filter) {
  npu_dw_conv_params bytes = *params;
  bytes.activation_min = bytes.activation_max = 0;
  return npu_dw_check_filter(&bytes, filter) == NPU_OK && params->input_offset == 0 &&
         params->output_offset == 0 && params->activation_min >= INT16_MIN &&
         params->activation_max <= INT16_MAX && params->activation_min <= params->activation_max;
}

static inline uint32_t npu_conv_s16_block_bytes(const npu_conv_params *params,
                                                const npu_dims *filter) {
  return NPU_WIDE_TABLE_BYTES +
         NPU_STEP_BYTES * npu_conv_count_steps(filter, params, NPU_STEP_ROWS);
}

static inline uint32_t npu_dw_s16_block_bytes(const npu_dims *filter) {
  return NPU_WIDE_TABLE_BYTES + NPU_BLOCK_CHANNELS * (uint32_t)(filter->h * filter->w);
}

#endif // NPU_CONV_S16_LAYOUT_H
