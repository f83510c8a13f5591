// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of int16 activations with int8 weights, bit-exact with TFLite's reference kernels
// (reference_integer_ops::ConvPerChannel and DepthwiseConvPerChannel for int16): zero points are 0,
// sums and biases have 64 bits (up to 48 of them used), and
//
//   r = multiplier[co] < 2^31 - 2^16 ? (multiplier[co] + 2^15) >> 16 : 2^15 - 1
//   out[y, x, co] = clamp((acc * r + 2^(14 - shift[co])) >> (15 - shift[co]))
//
// with acc as in npu/conv.h and npu/depthwise_conv.h.

#ifndef NPU_CONV_S16_H
#define NPU_CONV_S16_H

#include "depthwise_conv.h"
#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// In params the offsets are 0, groups 0 or 1, activation_min and activation_max within int16;
// shifts are -31..7, multipliers not negative.

// Bytes of the packed form of the constants; 0 if a value is out of range.
uint32_t npu_conv_s16_get_packed_size(const npu_dims *filter_dims, const npu_conv_params *params);
uint32_t npu_depthwise_conv_s16_get_packed_size(const npu_dw_conv_params *params,
                                                const npu_dims *filter_dims);

// Pack filter [c_out, kh, kw, c_in], or [1, kh, kw, c_out] of a depthwise layer, bias [c_out] (may
// be null: zeros) and quantization. Plain C that may run on the host as well; the result is little
// endian.
npu_status npu_conv_s16_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                             const npu_dims *filter_dims, const int8_t *filter, const int64_t *bias,
                             void *packed);
npu_status npu_depthwise_conv_s16_pack(const npu_dw_conv_params *params,
                                       const npu_per_channel_quant *quant,
                                       const npu_dims *filter_dims, const int8_t *filter,
                                       const int64_t *bias, void *packed);

// Smallest scratch buffer, in bytes; 0 if a shape is out of range. More memory makes larger tiles.
uint32_t npu_conv_s16_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                      const npu_dims *filter_dims, const npu_dims *output_dims);
uint32_t npu_depthwise_conv_s16_get_buffer_size(const npu_dw_conv_params *params,
                                                const npu_dims *input_dims,
                                                const npu_dims *filter_dims,
                                                const npu_dims *output_dims);

// Run the layer: operands in TCM (output in place) or DRAM. Use both DMA channels, the matrix and
// the vector unit, and overwrite the NPU CSRs and the error bits of nstatus.
npu_status npu_conv_s16(const npu_context *context, const npu_conv_params *params,
                        const npu_dims *input_dims, const int16_t *input,
                        const npu_dims *filter_dims, const void *packed,
                        const npu_dims *output_dims, int16_t *output);
npu_status npu_depthwise_conv_s16(const npu_context *context, const npu_dw_conv_params *params,
                                  const npu_dims *input_dims, const int16_t *input,
                                  const npu_dims *filter_dims, const void *packed,
                                  const npu_dims *output_dims, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_S16_H
