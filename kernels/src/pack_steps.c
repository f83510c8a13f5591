// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable: no instruction of the NPU, any host.

#include "pack_steps.h"

#include <string.h>

void *npu_pack_steps(const npu_conv_params *params, const npu_dims *filter,
                     npu_weight_function *weight, const void *self, int32_t first, int32_t *sum,
                     void *steps) {
  const int32_t left = filter->n - first,
                count = left < NPU_BLOCK_CHANNELS ? left : NPU_BLOCK_CHANNELS;
  int8_t *at = steps;
  memset(sum, 0, NPU_BLOCK_CHANNELS * sizeof *sum);
  npu_conv_step step = npu_conv_first_step(filter, params, NPU_STEP_ROWS);
  do {
    memset(at, 0, NPU_STEP_BYTES);
    const int32_t index = npu_conv_step_weight(filter, &step);
    int32_t tap = index / filter->c, input = index % filter->c;
    for (int32_t k = 0; k < step.k; ++k) {
      for (int32_t n = 0; n < count; ++n) {
        const int32_t value = weight(self, first + n, tap, input);
        at[k * NPU_BLOCK_CHANNELS + n] = (int8_t)value;
        sum[n] += value;
      }
      if (++input == filter->c) {
        input = 0;
        ++tap;
      }
    }
    at += NPU_STEP_BYTES;
  } while (npu_conv_next_step(filter, params, NPU_STEP_ROWS, &step));
  return at;
}

void *npu_pack_convolution(const npu_conv_params *params, const npu_per_channel_quant *quant,
                           const npu_dims *filter, npu_weight_function *weight, const void *self,
                           const int32_t *bias, void *packed) {
  uint8_t *table = packed;
  for (int32_t first = 0; first < filter->n; first += NPU_BLOCK_CHANNELS) {
    int32_t sum[NPU_BLOCK_CHANNELS];
    uint8_t *const end =
        npu_pack_steps(params, filter, weight, self, first, sum, table + NPU_TABLE_BYTES);
    // The zero point contributes input_offset times the sum of a channel's weights.
    for (int32_t n = 0; n < NPU_BLOCK_CHANNELS; ++n)
      sum[n] = (int32_t)((uint32_t)sum[n] * (uint32_t)params->input_offset);
    npu_pack_table(quant, bias, filter->n, first, sum, table);
    table = end;
  }
  return table;
}
