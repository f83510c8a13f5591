// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations on int8, bit-exact with TFLite's reference kernels. An int8 function of one int8
// value is a table of 256 bytes: a function npu_<operator>_s8_table fills it, ahead of time or at
// run time (plain C, host and target), and npu_activation_s8 applies it, 64 elements at a time.
// Entry (uint8_t)x holds the result for x.
//
//   relu, relu6, relu_n1_to_1, and an int8 requantization   reference_ops::ReluX
//   leaky relu      reference_ops::QuantizeLeakyRelu
//   hard swish      reference_ops::HardSwish
//   logistic, tanh  LUTPopulate with the functions of SigmoidPrepare and TanhPrepare
//
// The names are those of TFLite; requantize is its MultiplyByQuantizedMultiplier.

#ifndef NPU_ACTIVATION_H
#define NPU_ACTIVATION_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NPU_ACTIVATION_TABLE_BYTES = 256 };

// out = clamp(requantize(in + input_offset, multiplier, shift) + output_offset). TFLite's
// multiplier and shift are those of input scale / output scale.
typedef struct npu_relu_params {
  int32_t input_offset;                   // minus the input's zero point, -127..128
  int32_t output_offset;                  // the output's zero point, -128..127
  int32_t multiplier;                     // 0..2^31-1
  int32_t shift;                          // -31..31, positive = left
  int32_t activation_min, activation_max; // -128..127: relu has the zero point and 127
} npu_relu_params;

// in + input_offset >= 0 is requantized with the identity's multiplier, below with alpha's.
typedef struct npu_leaky_relu_params {
  int32_t input_offset, output_offset;
  int32_t identity_multiplier, identity_shift;
  int32_t alpha_multiplier, alpha_shift; // a negative alpha has a negative multiplier
} npu_leaky_relu_params;

// The multipliers are 16 bits wide (DownScaleInt32ToInt16Multiplier).
typedef struct npu_hard_swish_params {
  int32_t input_offset, output_offset;
  int32_t output_multiplier, output_shift;   // of (input scale / 128) / output scale; shift -15..0
  int32_t reluish_multiplier, reluish_shift; // of (input scale / 128) / (3 / 32768); -15..31
} npu_hard_swish_params;

npu_status npu_relu_s8_table(const npu_relu_params *params, int8_t *table);
npu_status npu_leaky_relu_s8_table(const npu_leaky_relu_params *params, int8_t *table);
npu_status npu_hard_swish_s8_table(const npu_hard_swish_params *params, int8_t *table);

// The output of logistic has the scale 1/256 and the zero point -128. Both use floating point and
// the C library's exp and tanh: some ten thousand cycles on the NPU.
npu_status npu_logistic_s8_table(float input_scale, int32_t input_zero_point, float output_scale,
                                 int32_t output_zero_point, int8_t *table);
npu_status npu_tanh_s8_table(float input_scale, int32_t input_zero_point, float output_scale,
                             int32_t output_zero_point, int8_t *table);

// Scratch bytes with which npu_activation_s8 works on tensors in DRAM, 8 KiB keep the DMA busy; in
// TCM it needs none.
uint32_t npu_activation_s8_get_buffer_size(void);

// output[i] = table[(uint8_t)input[i]] for `size` elements, 1..2^31-1.
//   context  scratch buffer in TCM; size 0 is legal if both tensors are in TCM
//   table    256 bytes, in TCM or DRAM
//   input, output   in TCM or DRAM; may be the same
// Uses both DMA channels and overwrites the DMA's error bits of nstatus.
npu_status npu_activation_s8(const npu_context *context, const int8_t *table, uint32_t size,
                             const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_ACTIVATION_H
