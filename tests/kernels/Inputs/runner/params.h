// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of cases that several families have (golden/windows.py, elementwise_cases.py, pooling_cases.py).

#ifndef PARAMS_H
#define PARAMS_H

#include <npu/depthwise_conv.h>
#include <npu/elementwise.h>
#include <npu/pooling.h>

enum { CONV_PARAMS = 10, ADD_PARAMS = 11, POOL_PARAMS = 8 };

static inline npu_conv_params conv_params(const int32_t *p, int32_t groups) {
  return (npu_conv_params){.stride = {p[0], p[1]},
                           .padding = {p[2], p[3]},
                           .dilation = {p[4], p[5]},
                           .input_offset = p[6],
                           .output_offset = p[7],
                           .activation_min = p[8],
                           .activation_max = p[9],
                           .groups = groups};
}

static inline npu_dw_conv_params dw_conv_params(const int32_t *p) {
  const npu_conv_params c = conv_params(p, 0);
  return (npu_dw_conv_params){.stride = c.stride,
                              .padding = c.padding,
                              .dilation = c.dilation,
                              .input_offset = c.input_offset,
                              .output_offset = c.output_offset,
                              .activation_min = c.activation_min,
                              .activation_max = c.activation_max,
                              .channel_multiplier = p[CONV_PARAMS]};
}

static inline npu_add_params add_params(const int32_t *p) {
  return (npu_add_params){.input1_offset = p[0],
                          .input2_offset = p[1],
                          .output_offset = p[2],
                          .input1_multiplier = p[3],
                          .input1_shift = p[4],
                          .input2_multiplier = p[5],
                          .input2_shift = p[6],
                          .output_multiplier = p[7],
                          .output_shift = p[8],
                          .activation_min = p[9],
                          .activation_max = p[10]};
}

// p: window h w, then these.
static inline npu_pool_params pool_params(const int32_t *p) {
  return (npu_pool_params){
      .stride = {p[2], p[3]}, .padding = {p[4], p[5]}, .activation_min = p[6], .activation_max = p[7]};
}

#endif // PARAMS_H
