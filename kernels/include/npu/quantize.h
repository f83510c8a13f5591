// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between float32 and integers, and from one quantization to another, bit-exact with TFLite's
// reference kernels: reference_ops::AffineQuantize, Dequantize, Requantize. real = scale * (q -
// zero_point).
//
// The NPU has no floating point. For int8 the vector unit compares with, or looks up, tables that
// hold the exact results; they are filled ahead of time or at run time by plain C (host and
// target). int16 goes element by element through the C library's soft float, some hundred cycles
// each.

#ifndef NPU_QUANTIZE_H
#define NPU_QUANTIZE_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// All operators here take `size` elements, 1..2^31-1 bytes of input and of output, in TCM or DRAM,
// aligned to their type. A scratch buffer of NPU_QUANTIZE_BUFFER_BYTES serves all of them, 16 KiB
// keep the DMA busy; with all tensors in TCM its size may be 0. They use both DMA channels and
// overwrite the DMA's error bits of nstatus.
enum { NPU_QUANTIZE_BUFFER_BYTES = 2 * 64 * 8 + 64 };

// Reciprocal of the scale, its exponent, the zero point, a reserved word; then for k = 0..255 the
// smallest float that is k + 1 steps of the scale, four planes of 256 bytes, lowest first.
enum { NPU_QUANTIZE_TABLE_BYTES = 16 + 4 * 256 };

// scale 2^-100..2^100, zero_point -128..127.
npu_status npu_quantize_s8_table(float scale, int32_t zero_point, void *table);

// q = clamp(round(x / scale) + zero_point, -128, 127): the quotient rounded to float, then half
// away from zero. Of numbers too large for int32 TFLite's result is undefined; here it is the
// clamp. NaN gives 127 or -128 by its sign. table: 16-byte aligned, in TCM or DRAM.
npu_status npu_quantize_f32_s8(const npu_context *context, const void *table, uint32_t size,
                               const float *input, int8_t *output);
npu_status npu_quantize_f32_s16(const npu_context *context, float scale, int32_t zero_point,
                                uint32_t size, const float *input, int16_t *output);

// The float of each int8 value, entry (uint8_t)q: four planes of 256 bytes, lowest first.
enum { NPU_DEQUANTIZE_TABLE_BYTES = 4 * 256 };

npu_status npu_dequantize_s8_table(float scale, int32_t zero_point, void *table);
npu_status npu_dequantize_s8_f32(const npu_context *context, const void *table, uint32_t size,
                                 const int8_t *input, float *output);
npu_status npu_dequantize_s16_f32(const npu_context *context, float scale, int32_t zero_point,
                                  uint32_t size, const int16_t *input, float *output);

typedef enum npu_integer { NPU_S8, NPU_U8, NPU_S16, NPU_S32 } npu_integer;

// out = saturate(requantize(in - input_zero_point, multiplier, shift) + output_zero_point), the
// multiplier and shift those of input scale / output scale.
typedef struct npu_requantize_params {
  // int8 and uint8 to int8, uint8, int16; int16 to int8, int16, int32; int32 to int8, int16.
  npu_integer input_type, output_type;
  int32_t input_zero_point, output_zero_point; // in the range of the type, of int32 -2^23..2^23
  int32_t multiplier;                          // 0..2^31-1
  int32_t shift;                               // -31..31, positive = left
} npu_requantize_params;

npu_status npu_requantize(const npu_context *context, const npu_requantize_params *params,
                          uint32_t size, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_QUANTIZE_H
