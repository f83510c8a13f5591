// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two-dimensional convolution, int8 activations and int8 (_s8) or int4 (_s4) weights, bit-exact
// with TFLite's reference kernel (reference_integer_ops::ConvPerChannel):
//
//   acc[y, x, co] = bias[co] + sum over ky, kx, ci of filter[co, ky, kx, ci]
//                   * (input[y * stride.h + ky * dilation.h - padding.h, ..., g * c + ci] +
//                   input_offset)
//   out[y, x, co] = clamp(requantize(acc, multiplier[co], shift[co]) + output_offset)
//
// where input outside the image counts as the zero point, g is the group of co, c the filter's
// input channels, and requantize is the saturating rounding doubling high multiply followed by the
// rounding division by a power of two (manual, chapter 4).

#ifndef NPU_CONV_H
#define NPU_CONV_H

#include "conv_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the packed form of the constants of a layer; 0 if a value is out of range.
uint32_t npu_conv_s8_get_packed_size(const npu_dims *filter, const npu_conv_params *params);
uint32_t npu_conv_s4_get_packed_size(const npu_dims *filter, const npu_conv_params *params);

// Packs filter [c_out, kh, kw, c_in / groups], bias [c_out] (may be null: zeros) and quantization.
// Plain C that may run on the host as well; the result is little endian. int4 weights are two a
// byte, in the order of the tensor without gaps, the first in the low nibble.
//
// Layout, for each block of 16 output channels of a group: bias[16], multiplier[16] (int32),
// shift[16] (int8), then 256 bytes for each step along the window: up to 16 rows of 16 weights, or
// 32 rows of 16 int4 weights. The input offset is folded into the bias.
npu_status npu_conv_s8_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                            const npu_dims *filter_dims, const int8_t *filter, const int32_t *bias,
                            void *packed);
npu_status npu_conv_s4_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                            const npu_dims *filter_dims, const uint8_t *filter, const int32_t *bias,
                            void *packed);

// Smallest scratch buffer, in bytes, with which the operator works on these shapes wherever the
// tensors lie (those in the scratchpad need none of it); 0 if a shape is out of range. More memory
// makes larger tiles, which load fewer bytes twice.
uint32_t npu_conv_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims);
uint32_t npu_conv_s4_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims);

// Runs the layer.
//   context  scratch buffer in TCM
//   input    [n, h, w, c_in], in TCM or DRAM
//   packed   from the _pack function with the same params and filter_dims, in TCM or DRAM
//   output   [n, oh, ow, c_out], in TCM or DRAM
// What lies in TCM is used there. Uses both DMA channels and the matrix unit, and overwrites the
// NPU CSRs and the error bits of nstatus.
npu_status npu_conv_s8(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output);
npu_status npu_conv_s4(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output);

// Runs a plan of npu_conv_plan_make or npu_conv_plan_fill for the problem; operands lie where
// problem->placement says.
npu_status npu_conv_run(const npu_conv_plan *plan, const npu_conv_problem *problem,
                        const npu_context *context, const int8_t *input, const void *packed,
                        int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_H
