// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transposed convolution as stride.h x stride.w convolutions with stride 1, one for each phase of
// an output position in the stride: output y + padding = stride q + r meets the taps ky = r +
// stride t and the input lines q - t. So phase r has the taps t = count - 1 .. 0 in the order of
// the lines, and its outputs lie a stride apart. Shared by packer and kernel.

#ifndef NPU_TRANSPOSE_STEPS_H
#define NPU_TRANSPOSE_STEPS_H

#include "npu/conv.h"
#include "npu/transpose_conv.h"

// One axis of a phase.
typedef struct npu_phase {
  int32_t taps;  // those that the window lacks have zero weights
  int32_t first; // q of the first output
} npu_phase;

static inline npu_phase npu_phase_of(int32_t r, int32_t stride, int32_t taps, int32_t padding) {
  npu_phase p;
  p.first = padding > r ? (padding - r + stride - 1) / stride : 0;
  p.taps = taps > r ? (taps - r + stride - 1) / stride : 0;
  // Enough for the first output to need no input in front of a line's start but what counts as
  // padding.
  if (p.taps <= p.first)
    p.taps = p.first + 1;
  return p;
}

static inline npu_conv_params npu_phase_params(const npu_transpose_conv_params *params, npu_phase y,
                                               npu_phase x) {
  const npu_conv_params conv = {.input_offset = params->input_offset,
                                .output_offset = params->output_offset,
                                .stride = {1, 1},
                                .padding = {y.taps - 1 - y.first, x.taps - 1 - x.first},
                                .dilation = {1, 1},
                                .activation_min = params->activation_min,
                                .activation_max = params->activation_max};
  return conv;
}

static inline int npu_transpose_params_ok(const npu_transpose_conv_params *params,
                                          const npu_dims *filter) {
  const int32_t positive =
      (params->stride.h - 1) | (params->stride.w - 1) | (filter->h - 1) | (filter->w - 1);
  const int32_t bytes = params->stride.h | params->stride.w | filter->h | filter->w |
                        params->padding.h | params->padding.w;
  return positive >= 0 && (uint32_t)bytes >> 8 == 0;
}

#endif // NPU_TRANSPOSE_STEPS_H
