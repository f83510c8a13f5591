// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions with the operator behind them, the same bytes as the two one after the other: the
// convolution's result does not leave the scratchpad, and the core adds or pools what is complete
// while the array works on. That spares the memory traffic between the two; where it spares cycles,
// and where not, stands in kernels/README.md
// (`npu bench conv_add`, `conv_pool`).

#ifndef NPU_FUSED_H
#define NPU_FUSED_H

#include "conv.h"
#include "elementwise.h"
#include "pooling.h"

#ifdef __cplusplus
extern "C" {
#endif

// npu_conv_s8 and npu_add_s8: input1 of the sum is the convolution's result, input2 the residual,
// both of output_dims.

// Smallest scratch buffer, in bytes; 0 if a shape is out of range. Where there is no room for the
// residual beside the convolution's own tiles the two run one after the other, the first result in
// the output.
uint32_t npu_conv_add_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                         const npu_dims *filter_dims, const npu_dims *output_dims);

// As npu_conv_s8; residual: in TCM or DRAM, does not overlap the output.
npu_status npu_conv_add_s8(const npu_context *context, const npu_conv_params *params,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const void *packed,
                           const npu_add_params *add, const int8_t *residual,
                           const npu_dims *output_dims, int8_t *output);

// npu_conv_s8 and npu_max_pool_s8 or npu_avg_pool_s8. conv_dims: the convolution's output,
// pool_dims: h and w of the pooling's window. The convolution's lines that windows need stay in the
// scratch buffer: each is computed once.

// Smallest scratch buffer, in bytes; 0 if a value is out of range.
uint32_t npu_conv_pool_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                          const npu_dims *filter_dims, const npu_dims *conv_dims,
                                          const npu_pool_params *pool, const npu_dims *pool_dims,
                                          const npu_dims *output_dims);

// pool: of a dense tensor to a dense tensor, its pixel and line fields are 0. NPU_ERROR_ARGUMENT,
// too, if lines of the convolution lie wholly above or below the image.
npu_status npu_conv_max_pool_s8(const npu_context *context, const npu_conv_params *params,
                                const npu_dims *input_dims, const int8_t *input,
                                const npu_dims *filter_dims, const void *packed,
                                const npu_dims *conv_dims, const npu_pool_params *pool,
                                const npu_dims *pool_dims, const npu_dims *output_dims,
                                int8_t *output);
npu_status npu_conv_avg_pool_s8(const npu_context *context, const npu_conv_params *params,
                                const npu_dims *input_dims, const int8_t *input,
                                const npu_dims *filter_dims, const void *packed,
                                const npu_dims *conv_dims, const npu_pool_params *pool,
                                const npu_dims *pool_dims, const npu_dims *output_dims,
                                int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_FUSED_H
