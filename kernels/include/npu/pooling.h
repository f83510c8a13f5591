// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Average and max pooling, int8 and int16, bit-exact with TFLite's reference kernels
// (reference_integer_ops::AveragePool and MaxPool): positions outside the image count for nothing,
// the mean is rounded half away from zero, input and output have the same quantization.

#ifndef NPU_POOLING_H
#define NPU_POOLING_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct npu_pool_params {
  npu_tile stride;  // 1..255
  npu_tile padding; // rows above and columns left of the input, less than the window's
  int32_t activation_min, activation_max; // clamp of the output, in the range of its type
  // Bytes from pixel to pixel and from line to line of tensors that are not dense; 0 = dense.
  int32_t input_pixel, input_line, output_pixel, output_line;
} npu_pool_params;

// Smallest scratch buffer, in bytes; 0 if a shape is out of range. It is the same for average and
// max. filter_dims: h, w of the window, 1..255 each; n and c are not looked at.
uint32_t npu_pool_s8_get_buffer_size(const npu_pool_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims);
uint32_t npu_pool_s16_get_buffer_size(const npu_pool_params *params, const npu_dims *input_dims,
                                      const npu_dims *filter_dims, const npu_dims *output_dims);

// Runs the layer.
//   context  scratch buffer in TCM
//   input    [n, h, w, c], in TCM (used in place) or DRAM
//   output   [n, oh, ow, c], in TCM (written in place) or DRAM
// Every window must lie over at least one position of the image. Uses both DMA channels and the
// vector unit.
npu_status npu_avg_pool_s8(const npu_context *context, const npu_pool_params *params,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const npu_dims *output_dims,
                           int8_t *output);
npu_status npu_max_pool_s8(const npu_context *context, const npu_pool_params *params,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const npu_dims *output_dims,
                           int8_t *output);
npu_status npu_avg_pool_s16(const npu_context *context, const npu_pool_params *params,
                            const npu_dims *input_dims, const int16_t *input,
                            const npu_dims *filter_dims, const npu_dims *output_dims,
                            int16_t *output);
npu_status npu_max_pool_s16(const npu_context *context, const npu_pool_params *params,
                            const npu_dims *input_dims, const int16_t *input,
                            const npu_dims *filter_dims, const npu_dims *output_dims,
                            int16_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_POOLING_H
