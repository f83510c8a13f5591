// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposed int8 convolution, bit-exact with TFLite's reference kernel
// (reference_integer_ops::TransposeConv):
//
//   acc[y, x, co] = bias[co] + sum over all iy, ix, ci, ky, kx with y = iy * stride.h + ky -
//   padding.h and
//                   x = ix * stride.w + kx - padding.w of filter[co, ky, kx, ci] * (input[iy, ix,
//                   ci] + input_offset)
//   out[y, x, co] = clamp(requantize(acc, multiplier[co], shift[co]) + output_offset)
//
// with requantize as in npu/conv.h.

#ifndef NPU_TRANSPOSE_CONV_H
#define NPU_TRANSPOSE_CONV_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct npu_transpose_conv_params {
  int32_t input_offset;  // minus the input's zero point, -127..128
  int32_t output_offset; // the output's zero point, -128..127
  npu_tile stride;       // 1..255
  npu_tile padding;      // lines and columns cut off above and to the left of the output, 0..255
  int32_t activation_min, activation_max; // clamp of the output, -128..127
} npu_transpose_conv_params;

// Bytes of the packed form of the constants; 0 if a value is out of range. filter_dims: [c_out, kh,
// kw, c_in].
uint32_t npu_transpose_conv_s8_get_packed_size(const npu_transpose_conv_params *params,
                                               const npu_dims *filter_dims);

// Packs filter, bias [c_out] (may be null: zeros) and quantization. Plain C that may run on the
// host as well; the result is little endian: for each phase of the stride, line by line, a
// convolution as npu/conv.h packs it.
npu_status npu_transpose_conv_s8_pack(const npu_transpose_conv_params *params,
                                      const npu_per_channel_quant *quant,
                                      const npu_dims *filter_dims, const int8_t *filter,
                                      const int32_t *bias, void *packed);

// Smallest scratch buffer, in bytes; 0 if a shape is out of range.
uint32_t npu_transpose_conv_s8_get_buffer_size(const npu_transpose_conv_params *params,
                                               const npu_dims *input_dims,
                                               const npu_dims *filter_dims,
                                               const npu_dims *output_dims);

// Runs the layer.
//   context  scratch buffer in TCM
//   input    [n, h, w, c_in], in TCM (used in place) or DRAM
//   packed   from npu_transpose_conv_s8_pack with the same params and filter_dims, in TCM or DRAM
//   output   [n, oh, ow, c_out], in TCM (written in place) or DRAM
// Uses both DMA channels and the matrix unit, and overwrites the NPU CSRs and the error bits of
// nstatus.
npu_status npu_transpose_conv_s8(const npu_context *context,
                                 const npu_transpose_conv_params *params,
                                 const npu_dims *input_dims, const int8_t *input,
                                 const npu_dims *filter_dims, const void *packed,
                                 const npu_dims *output_dims, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_TRANSPOSE_CONV_H
