// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fully connected layers, bit-exact with TFLite's reference kernels
// (reference_integer_ops::FullyConnected and FullyConnectedPerChannel), which scale in double
// precision and round halves away from zero:
//
//   acc[b, o] = bias[o] + sum over k of filter[o, k] * (input[b, k] + input_offset)
//   out[b, o] = clamp(round((double)acc * scale[o]) + output_offset)
//
// The product is rounded to a double before it is rounded to an integer. A rounded value beyond
// int32 (a scale above 1) wraps; TFLite leaves it to the host's conversion from double.
//
// int16 activations: the same, acc with 48 bits; the offsets are 0.
//
// int4 weights with a scale for each output and block of 32 inputs, for which TFLite has no integer
// kernel:
//
//   acc[b, o] = bias[o] + rshr(input_offset * sum over j of (s[o, j] * sum over k in block j of
//   filter[o, k]), 8)
//               + sum over j of rshr(s[o, j] * sum over k in block j of filter[o, k] * input[b, k],
//               8)
//
//   out[b, o] = clamp(round(acc * multiplier[o] * 2^(shift[o] - 31)) + output_offset)
//
// with rshr(x, 8) = (x + 128) >> 8, halves away from zero in the last line: s[o, j] / 2^8 times
// multiplier * 2^(shift - 31) is the block's scale. 0 <= s <= 32767; sums wrap modulo 2^32, which
// they cannot reach up to 8192 inputs.

#ifndef NPU_FULLY_CONNECTED_H
#define NPU_FULLY_CONNECTED_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NPU_FC_BLOCK = 32 }; // inputs that share a scale

typedef struct npu_fc_params {
  int32_t input_offset;                   // minus the input's zero point, -127..128; 0 for int16
  int32_t output_offset;                  // the output's zero point, -128..127; 0 for int16
  int32_t activation_min, activation_max; // clamp of the output, in the range of its type
} npu_fc_params;

typedef struct npu_fc_quant {
  // [outputs], not negative: (double)input_scale * filter_scale[o] / output_scale of TFLite's float
  // scales, the operations in this order and in double. Where the whole filter has one scale, it is
  // repeated.
  const double *scale;
} npu_fc_quant;

// filter_dims: n outputs, c inputs, h = w = 1; 1..65535 each. With int4 weights and scales of
// blocks, c is a multiple of 32. Bytes of the packed form of the constants, 0 if a value is out of
// range.
uint32_t npu_fully_connected_s8_get_packed_size(const npu_dims *filter_dims);
uint32_t npu_fully_connected_s4_get_packed_size(const npu_dims *filter_dims);
uint32_t npu_fully_connected_s4_block_get_packed_size(const npu_dims *filter_dims);
uint32_t npu_fully_connected_s16_get_packed_size(const npu_dims *filter_dims);

// Pack filter [n, c], bias [n] (may be null: zeros) and the quantization of each output. params are
// those of the call. Scales are below 2^29, of int16 below 2^13; shifts of the form with scales of
// blocks are -31..30. int4 weights: two a byte, the first in the low half. block_scales: [n, c /
// 32]. Plain C that may run on the host as well; the result is little endian.
//
// Layout, for each block of 16 outputs: a table (bias[16], multiplier[16], shift[16], 144 bytes; of
// int16 the bias's low 16 and high 32 bits, multiplier[16], shift[16], 208 bytes), then for each
// step along c 16 rows of 16 weights, or 32 rows of 16 int4 weights, 256 bytes; with scales of
// blocks 32 bytes behind each step. The input offset is folded into the bias. Behind the last
// block, without scales of blocks, the doubles of all outputs, 128 bytes a block.
//
// The drain multiplies by 31 bits. The packer looks for a multiplier that gives the double's
// result for every sum (npu/scale.h; all scales above 2^-15 that were tried have one). Blocks
// that have such multipliers are drained. In the table of another block, 64 is added to the shifts:
// the core makes its outputs, and decides by the doubles what lies next to a half. It does so for
// int16.
npu_status npu_fully_connected_s8_pack(const npu_fc_params *params, const npu_fc_quant *quant,
                                       const npu_dims *filter_dims, const int8_t *filter,
                                       const int32_t *bias, void *packed);
npu_status npu_fully_connected_s4_pack(const npu_fc_params *params, const npu_fc_quant *quant,
                                       const npu_dims *filter_dims, const uint8_t *filter,
                                       const int32_t *bias, void *packed);
npu_status npu_fully_connected_s4_block_pack(const npu_fc_params *params,
                                             const npu_per_channel_quant *quant,
                                             const int16_t *block_scales,
                                             const npu_dims *filter_dims, const uint8_t *filter,
                                             const int32_t *bias, void *packed);
npu_status npu_fully_connected_s16_pack(const npu_fc_params *params, const npu_fc_quant *quant,
                                        const npu_dims *filter_dims, const int8_t *filter,
                                        const int64_t *bias, void *packed);

// Smallest scratch buffer, in bytes, for a number of batches; 0 if a value is out of range. With
// more, weights stream in longer pieces and are read less often where there are many batches.
uint32_t npu_fully_connected_s8_get_buffer_size(const npu_dims *input_dims,
                                                const npu_dims *filter_dims);
uint32_t npu_fully_connected_s4_get_buffer_size(const npu_dims *input_dims,
                                                const npu_dims *filter_dims);
uint32_t npu_fully_connected_s4_block_get_buffer_size(const npu_dims *input_dims,
                                                      const npu_dims *filter_dims);
uint32_t npu_fully_connected_s16_get_buffer_size(const npu_dims *input_dims,
                                                 const npu_dims *filter_dims);

// Run the layer.
//   context  scratch buffer in TCM
//   input    [n, h, w, c]: n * h * w batches of c, in TCM or DRAM
//   packed   from the pack function of the same name, in TCM (used in place) or DRAM
//   output   [batches, outputs], in TCM (written in place) or DRAM
// Use both DMA channels, the matrix and the vector unit, and overwrite the NPU CSRs and the error
// bits of nstatus.
npu_status npu_fully_connected_s8(const npu_context *context, const npu_fc_params *params,
                                  const npu_dims *input_dims, const int8_t *input,
                                  const npu_dims *filter_dims, const void *packed, int8_t *output);
npu_status npu_fully_connected_s4(const npu_context *context, const npu_fc_params *params,
                                  const npu_dims *input_dims, const int8_t *input,
                                  const npu_dims *filter_dims, const void *packed, int8_t *output);
npu_status npu_fully_connected_s4_block(const npu_context *context, const npu_fc_params *params,
                                        const npu_dims *input_dims, const int8_t *input,
                                        const npu_dims *filter_dims, const void *packed,
                                        int8_t *output);
npu_status npu_fully_connected_s16(const npu_context *context, const npu_fc_params *params,
                                   const npu_dims *input_dims, const int16_t *input,
                                   const npu_dims *filter_dims, const void *packed,
                                   int16_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_FULLY_CONNECTED_H
