// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the constants of a depthwise convolution are laid out and how its window is cut into runs:
// shared by packer and kernel.

#ifndef NPU_DEPTHWISE_STEPS_H
#define NPU_DEPTHWISE_STEPS_H

#include "conv_steps.h"
#include "npu/conv.h"
#include "npu/depthwise_plan.h"

// Window rows and taps of a row that one run takes; what is left at the end takes fewer.
typedef struct npu_dw_pass {
  int32_t h, w;
} npu_dw_pass;

static inline npu_dw_pass npu_dw_pass_of(int32_t kh, int32_t kw) {
  npu_dw_pass pass = {1, NPU_STEP_ROWS};
  if (kw < NPU_STEP_ROWS) {
    pass.w = kw;
    while (pass.h < kh && (pass.h + 1) * kw <= NPU_STEP_ROWS)
      ++pass.h;
  }
  return pass;
}

static inline uint32_t npu_dw_block_bytes(const npu_dims *filter) {
  return NPU_TABLE_BYTES + NPU_BLOCK_CHANNELS * (uint32_t)(filter->h * filter->w);
}

// With a channel multiplier: the same layer as a dense convolution.
static inline npu_conv_params npu_dw_conv_params_of(const npu_dw_conv_params *params) {
  const npu_conv_params conv = {.input_offset = params->input_offset,
                                .output_offset = params->output_offset,
                                .stride = params->stride,
                                .padding = params->padding,
                                .dilation = params->dilation,
                                .activation_min = params->activation_min,
                                .activation_max = params->activation_max};
  return conv;
}

static inline npu_dims npu_dw_dense_filter(const npu_dw_conv_params *params,
                                           const npu_dims *filter) {
  const npu_dims dense = {filter->c, filter->h, filter->w, filter->c / params->channel_multiplier};
  return dense;
}

#ifdef __cplusplus
extern "C" {
#endif

// npu_dw_plan_fill without a problem; choice = 0: the library's own.
npu_status npu_dw_plan_lay_out(npu_dw_plan *plan, const npu_dw_choice *choice,
                               const npu_dw_conv_params *params, const npu_dims *in,
                               const npu_dims *filter, const npu_dims *out, int constants_in_tcm,
                               uint32_t scratch_bytes);

// Ranges of the values that do not depend on the input's and output's extents.
npu_status npu_dw_check_filter(const npu_dw_conv_params *params, const npu_dims *filter);

#ifdef __cplusplus
}
#endif

#endif // NPU_DEPTHWISE_STEPS_H
