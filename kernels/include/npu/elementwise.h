// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise int8 operators of two tensors, bit-exact with TFLite's reference kernels. Each
// dimension of an input is that of the output, or 1 and then repeated (broadcast).
//
//   add, sub   reference_integer_ops::AddFunc, reference_ops SubFunc's multipliers:
//              s1 = requantize((in1 + input1_offset) * 2^20, input1_multiplier, input1_shift), s2
//              likewise, out = clamp(requantize(s1 +- s2, output_multiplier, output_shift) +
//              output_offset)
//   mul        reference_integer_ops::MulElementwise:
//              out = clamp(requantize((in1 + input1_offset) * (in2 + input2_offset),
//                                     output_multiplier, output_shift) + output_offset)
//   minimum, maximum   reference_ops::MaximumMinimumBroadcastSlow
//
// requantize is TFLite's MultiplyByQuantizedMultiplier (manual, chapter 4).

#ifndef NPU_ELEMENTWISE_H
#define NPU_ELEMENTWISE_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// TFLite derives the multipliers of add and sub from the scales: m = 2 * max(scale1, scale2), input
// i is rescaled by scale_i / m and the sum by m / (2^20 * output scale), all of them below 1, so
// shifts are <= 0.
typedef struct npu_add_params {
  int32_t input1_offset, input2_offset; // minus the inputs' zero points, -127..128
  int32_t output_offset;                // the output's zero point, -128..127
  int32_t input1_multiplier, input2_multiplier, output_multiplier; // 0..2^31-1
  int32_t input1_shift, input2_shift, output_shift;                // -31..0
  int32_t activation_min, activation_max;                          // clamp of the output, -128..127
} npu_add_params;

// TFLite derives the multiplier of mul from scale1 * scale2 / output scale in float.
typedef struct npu_mul_params {
  int32_t input1_offset, input2_offset;   // -127..128
  int32_t output_offset;                  // -128..127
  int32_t output_multiplier;              // 0..2^31-1
  int32_t output_shift;                   // -31..31, positive = left
  int32_t activation_min, activation_max; // -128..127
} npu_mul_params;

// Scratch bytes with which all operators of this header work on these shapes, wherever the tensors
// lie. If all of them are in TCM and none is broadcast, none are needed. 16 KiB keep the DMA busy.
uint32_t npu_elementwise_s8_get_buffer_size(const npu_dims *input1_dims,
                                            const npu_dims *input2_dims,
                                            const npu_dims *output_dims);

// Runs the operator.
//   context   scratch buffer in TCM; size 0 is legal where none is needed
//   input1    input1_dims, [n, h, w, c], in TCM or DRAM
//   input2    input2_dims, [n, h, w, c], in TCM or DRAM
//   output    output_dims, in TCM or DRAM; may be the same as an input that is not broadcast
// Uses both DMA channels, and overwrites NPU_CSR_NOQUANT and the DMA's error bits of nstatus.
npu_status npu_add_s8(const npu_context *context, const npu_add_params *params,
                      const npu_dims *input1_dims, const int8_t *input1,
                      const npu_dims *input2_dims, const int8_t *input2,
                      const npu_dims *output_dims, int8_t *output);

// input1 - input2.
npu_status npu_sub_s8(const npu_context *context, const npu_add_params *params,
                      const npu_dims *input1_dims, const int8_t *input1,
                      const npu_dims *input2_dims, const int8_t *input2,
                      const npu_dims *output_dims, int8_t *output);

npu_status npu_mul_s8(const npu_context *context, const npu_mul_params *params,
                      const npu_dims *input1_dims, const int8_t *input1,
                      const npu_dims *input2_dims, const int8_t *input2,
                      const npu_dims *output_dims, int8_t *output);

// Of tensors of one scale and zero point.
npu_status npu_minimum_s8(const npu_context *context, const npu_dims *input1_dims,
                          const int8_t *input1, const npu_dims *input2_dims, const int8_t *input2,
                          const npu_dims *output_dims, int8_t *output);

npu_status npu_maximum_s8(const npu_context *context, const npu_dims *input1_dims,
                          const int8_t *input1, const npu_dims *input2_dims, const int8_t *input2,
                          const npu_dims *output_dims, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_ELEMENTWISE_H
