// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two-dimensional int8 convolution, bit-exact with TFLite's reference kernel:
//
//   acc[y, x, co] = bias[co] + sum over ky, kx, ci of filter[co, ky, kx, ci]
//                   * (input[y * stride.h + ky * dilation.h - padding.h, ..., ci] + input_offset)
//   out[y, x, co] = clamp(requantize(acc, multiplier[co], shift[co]) + output_offset)
//
// where input outside the image counts as the zero point, and requantize is the saturating rounding
// doubling high multiply followed by the rounding division by a power of two (manual, chapter 4).

#ifndef NPU_CONV_H
#define NPU_CONV_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the packed form of the constants of a layer.
uint32_t npu_conv_s8_get_packed_size(const npu_dims *filter, const npu_conv_params *params);

// Packs filter [c_out, kh, kw, c_in], bias [c_out] (may be null: zeros) and quantization for
// npu_conv_s8. Plain C that may run on the host as well; the result is little endian.
//
// Layout, for each block of 16 output channels: bias[16], multiplier[16] (int32), shift[16] (int8),
// then for each step along the window up to 16 rows of 16 weights, 256 bytes a step. The input
// offset is folded into the bias.
npu_status npu_conv_s8_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                            const npu_dims *filter_dims, const int8_t *filter, const int32_t *bias,
                            void *packed);

// Smallest scratch buffer, in bytes, with which npu_conv_s8 works on these shapes; 0 if a shape is
// out of range. More memory makes larger tiles, which load fewer rows of the input twice.
uint32_t npu_conv_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims);

// Runs the layer.
//   context  scratch buffer in TCM
//   input    [n, h, w, c_in], in TCM or DRAM
//   packed   from npu_conv_s8_pack with the same params and filter_dims, in TCM or DRAM
//   output   [n, oh, ow, c_out], in TCM or DRAM
// Uses both DMA channels and the matrix unit, and overwrites the NPU CSRs and the error bits of nstatus.
npu_status npu_conv_s8(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_H
