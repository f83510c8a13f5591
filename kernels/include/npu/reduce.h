// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of int8 tensors, bit-exact with TFLite's reference kernels: mean and sum over any axes
// (reference_ops::QuantizedMeanOrSum), index of the largest or smallest element along an axis
// (reference_ops::ArgMinMax; of equal ones the first).

#ifndef NPU_REDUCE_H
#define NPU_REDUCE_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// TFLite's multiplier and shift are those of input scale / output scale; the division by the number
// of elements comes on top of them (mean).
typedef struct npu_reduce_params {
  int32_t input_zero_point, output_zero_point; // -128..127
  int32_t multiplier;                          // 0..2^31-1
  int32_t shift;                               // -31..31, positive = left
  npu_dims axes;                               // 1 for each dimension to reduce, 0 for one to keep
} npu_reduce_params;

// Scratch bytes for these shapes, wherever the tensors lie.
uint32_t npu_reduce_s8_get_buffer_size(const npu_reduce_params *params, const npu_dims *input_dims);

// Reduces the axes: output has the input's dimensions with 1 for those reduced.
//   context   scratch buffer in TCM
//   input     input_dims, [n, h, w, c], in TCM or DRAM
//   output    in TCM or DRAM
// At most 2^23 elements may go into one of the output: their sum fits 32 bits. Uses both DMA
// channels, and overwrites NPU_CSR_NOQUANT and the DMA's error bits of nstatus.
npu_status npu_mean_s8(const npu_context *context, const npu_reduce_params *params,
                       const npu_dims *input_dims, const int8_t *input, int8_t *output);
npu_status npu_sum_s8(const npu_context *context, const npu_reduce_params *params,
                      const npu_dims *input_dims, const int8_t *input, int8_t *output);

// Input [outer, size, inner], output [outer, inner]: the index along the middle dimension.
typedef struct npu_arg_dims {
  int32_t outer, size,
      inner; // each at least 1, the product below 2^31; size up to 65535 if inner > 1
} npu_arg_dims;

// Scratch bytes if input or output is in DRAM; 0 if the dimensions are out of range. The output is
// 4-byte aligned.
uint32_t npu_arg_s8_get_buffer_size(const npu_arg_dims *dims);

npu_status npu_argmax_s8(const npu_context *context, const npu_arg_dims *dims, const int8_t *input,
                         int32_t *output);
npu_status npu_argmin_s8(const npu_context *context, const npu_arg_dims *dims, const int8_t *input,
                         int32_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_REDUCE_H
