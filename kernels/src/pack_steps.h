// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs convolutions whose filter is not an array in the layout of npu/conv.h but a function of its
// indices: depthwise layers with a channel multiplier, the phases of transposed convolutions.

#ifndef NPU_SRC_PACK_STEPS_H
#define NPU_SRC_PACK_STEPS_H

#include "conv_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

// Weight of an output channel, tap ky * kw + kx and input channel.
typedef int32_t npu_weight_function(const void *self, int32_t output, int32_t tap, int32_t input);

// Writes the steps of up to 16 output channels from `first` on; sum gets the sum of each one's
// weights. Returns their end.
void *npu_pack_steps(const npu_conv_params *params, const npu_dims *filter,
                     npu_weight_function *weight, const void *self, int32_t first, int32_t *sum,
                     void *steps);

// Writes the packed constants of a convolution without groups, int8 weights. Returns their end.
void *npu_pack_convolution(const npu_conv_params *params, const npu_per_channel_quant *quant,
                           const npu_dims *filter, npu_weight_function *weight, const void *self,
                           const int32_t *bias, void *packed);

#ifdef __cplusplus
}
#endif

#endif // NPU_SRC_PACK_STEPS_H
