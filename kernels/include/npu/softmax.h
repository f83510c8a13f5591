// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax over the last dimension of an int8 tensor, bit-exact with TFLite's reference kernel,
// reference_ops::Softmax: fixed-point exp of the distance from the row's maximum, their sum, a
// reciprocal. int8 outputs have the scale 1/256 and the zero point -128, int16 ones (TFLite's
// kernel for int8 input and int16 output) the scale 1/65536 and the zero point -32768.

#ifndef NPU_SOFTMAX_H
#define NPU_SOFTMAX_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// TFLite's PreprocessSoftmaxScaling for beta * input scale, and -CalculateInputRadius(5, shift).
typedef struct npu_softmax_params {
  int32_t multiplier; // 0..2^31-1
  int32_t shift;      // left, 0..31
  int32_t diff_min;   // exp of smaller differences from the maximum counts as 0; at most 0
} npu_softmax_params;

// A row of 256 values that differ from the maximum by 0, -1, ...: exp as int32 (1 = 2^31 - 1), then
// the three bytes of exp in units of 2^-19, 256 lowest ones first.
enum { NPU_SOFTMAX_TABLE_BYTES = 256 * 7 };

// Fills the table. Plain C, host and target; little endian.
npu_status npu_softmax_s8_table(const npu_softmax_params *params, void *table);

// Scratch bytes for rows of `depth` elements of which each has `output_bytes` bytes in the output.
uint32_t npu_softmax_s8_get_buffer_size(int32_t depth, int32_t output_bytes);

// Runs the operator on `rows` rows of `depth` elements.
//   context  scratch buffer in TCM; if table, input and output are in TCM it may have the size 0
//   table    from npu_softmax_s8_table, in TCM or DRAM, 4-byte aligned
//   input    [rows, depth], in TCM or DRAM
//   output   [rows, depth], in TCM or DRAM; int8 output may be the input
// depth is 1..4095: TFLite's sum of a longer row may overflow. Uses both DMA channels, and
// overwrites NPU_CSR_NOQUANT and the DMA's error bits of nstatus.
npu_status npu_softmax_s8(const npu_context *context, const void *table, int32_t rows,
                          int32_t depth, const int8_t *input, int8_t *output);
npu_status npu_softmax_s8_s16(const npu_context *context, const void *table, int32_t rows,
                              int32_t depth, const int8_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_SOFTMAX_H
