// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of 16 output channels of layers with int16 activations: int32 words, and shifts as
// bytes.

#ifndef NPU_SRC_WIDE_TABLE_H
#define NPU_SRC_WIDE_TABLE_H

#include "npu/nn_types.h"

enum {
  NPU_WIDE_BIAS_LOW = 0, // the bias's low 16 bits, zero extended
  NPU_WIDE_BIAS_HIGH = 64,
  NPU_WIDE_MULTIPLIER = 128,
  NPU_WIDE_SHIFT = 192,
  NPU_WIDE_TABLE_BYTES = 208,
};

#ifdef __cplusplus
extern "C" {
#endif

// Writes the table of up to 16 channels from `first` on; folds 128 times the sum of each one's
// weights into its bias. reduced: multipliers rounded to 15 bits, as convolutions use them.
void npu_pack_wide_table(const npu_per_channel_quant *quant, int reduced, const int64_t *bias,
                         int32_t channels, int32_t first, const int64_t *sum, void *table);

#ifdef __cplusplus
}
#endif

#endif // NPU_SRC_WIDE_TABLE_H
