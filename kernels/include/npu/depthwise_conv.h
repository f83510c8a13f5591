// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Depthwise convolution, bit-exact with TFLite's reference kernels
// (reference_integer_ops::DepthwiseConvPerChannel):
//
//   acc[y, x, c * m + q] = bias[c * m + q] + sum over ky, kx of filter[ky, kx, c * m + q]
//                          * (input[y * stride.h + ky * dilation.h - padding.h, ..., c] +
//                          input_offset)
//   out[y, x, co] = clamp(requantize(acc, multiplier[co], shift[co]) + output_offset)
//
// with m the channel multiplier; input outside the image counts as the zero point; requantize as in
// npu/conv.h.

#ifndef NPU_DEPTHWISE_CONV_H
#define NPU_DEPTHWISE_CONV_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct npu_dw_conv_params {
  int32_t input_offset;                   // minus the input's zero point, -127..128
  int32_t output_offset;                  // the output's zero point, -128..127
  int32_t channel_multiplier;             // output channels for each input channel, 1 and up
  npu_tile stride;                        // 1..255
  npu_tile padding;                       // rows above and columns left of the input, 0..255
  npu_tile dilation;                      // 1..255
  int32_t activation_min, activation_max; // clamp of the output, -128..127
  // Bytes from pixel to pixel and from line to line of tensors that are not dense; 0 = dense, as it
  // must be with a channel multiplier of 2 and more. The array is fastest where lines start 16 or
  // 48 bytes apart, modulo 64.
  int32_t input_pixel, input_line, output_pixel, output_line;
} npu_dw_conv_params;

// Bytes of the packed form of the constants; 0 if a value is out of range. filter_dims: [1, kh, kw,
// c_out].
uint32_t npu_depthwise_conv_s8_get_packed_size(const npu_dw_conv_params *params,
                                               const npu_dims *filter_dims);

// Packs filter [1, kh, kw, c_out], bias [c_out] (may be null: zeros) and quantization for
// npu_depthwise_conv_s8. Plain C that may run on the host as well; the result is little endian.
//
// Layout with multiplier 1, for each block of 16 channels: bias[16], multiplier[16] (int32),
// shift[16] (int8), then 16 weights for each tap, in the order of the filter. The input offset is
// folded into the bias. With a larger multiplier the layout is that of npu/conv.h for a dense
// convolution, with zeros.
npu_status npu_depthwise_conv_s8_pack(const npu_dw_conv_params *params,
                                      const npu_per_channel_quant *quant,
                                      const npu_dims *filter_dims, const int8_t *filter,
                                      const int32_t *bias, void *packed);

// The same with int4 weights: two a byte, the first in the low half, as TFLite stores them.
npu_status npu_depthwise_conv_s4_pack(const npu_dw_conv_params *params,
                                      const npu_per_channel_quant *quant,
                                      const npu_dims *filter_dims, const uint8_t *filter,
                                      const int32_t *bias, void *packed);

// Smallest scratch buffer, in bytes; 0 if a shape is out of range. More memory makes larger tiles,
// which load fewer lines of the input twice.
uint32_t npu_depthwise_conv_s8_get_buffer_size(const npu_dw_conv_params *params,
                                               const npu_dims *input_dims,
                                               const npu_dims *filter_dims,
                                               const npu_dims *output_dims);

// Runs the layer.
//   context  scratch buffer in TCM
//   input    [n, h, w, c], in TCM (used in place) or DRAM
//   packed   from one of the pack functions with the same params and filter_dims, in TCM or DRAM
//   output   [n, oh, ow, c_out], in TCM (written in place) or DRAM
// Uses both DMA channels and the matrix unit, and overwrites the NPU CSRs and the error bits of
// nstatus.
npu_status npu_depthwise_conv_s8(const npu_context *context, const npu_dw_conv_params *params,
                                 const npu_dims *input_dims, const int8_t *input,
                                 const npu_dims *filter_dims, const void *packed,
                                 const npu_dims *output_dims, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_DEPTHWISE_CONV_H
