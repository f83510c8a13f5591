// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain C statement of the operators: loops and scalar arithmetic only, for any machine. What the
// kernels must give, byte for byte.

#ifndef NPU_CONV_S8_REFERENCE_H
#define NPU_CONV_S8_REFERENCE_H

#include "npu/nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// TFLite's MultiplyByQuantizedMultiplier with double rounding.
int32_t npu_reference_requantize(int32_t value, int32_t multiplier, int32_t shift);

// filter [c_out, kh, kw, c_in / groups], bias [c_out] or null; the rest as npu_conv_s8.
void npu_reference_conv_s8(const npu_conv_params *params, const npu_per_channel_quant *quant,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const int8_t *filter, const int32_t *bias,
                           const npu_dims *output_dims, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_S8_REFERENCE_H
