// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs constants for the matrix unit. Portable: no instruction of the NPU, any host.

#include "conv_steps.h"
#include "npu/conv.h"
#include "npu/matmul.h"

#include <string.h>

static void put_word(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    at[i] = (uint8_t)(value >> (8 * i));
}

uint32_t npu_conv_count_steps(const npu_dims *filter, const npu_conv_params *params) {
  uint32_t count = 1;
  npu_conv_step step = npu_conv_first_step(filter, params);
  while (npu_conv_next_step(filter, params, &step))
    ++count;
  return count;
}

static int in_range(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

npu_status npu_conv_check_filter(const npu_dims *filter, const npu_conv_params *params) {
  const int ok = in_range(filter->n, 1, 65535) && in_range(filter->h, 1, 255) &&
                 in_range(filter->w, 1, 255) && in_range(filter->c, 1, 65535) &&
                 in_range(npu_conv_row_bytes(filter, params), 1, 65535) &&
                 in_range(params->stride.h, 1, 255) && in_range(params->stride.w, 1, 255) &&
                 in_range(params->padding.h, 0, 255) && in_range(params->padding.w, 0, 255) &&
                 in_range(params->dilation.h, 1, 255) && in_range(params->dilation.w, 1, 255) &&
                 in_range(params->input_offset, -127, 128) &&
                 in_range(params->output_offset, -128, 127) &&
                 in_range(params->activation_min, -128, 127) &&
                 in_range(params->activation_max, params->activation_min, 127);
  return ok ? NPU_OK : NPU_ERROR_ARGUMENT;
}

static uint32_t packed_size(int32_t channels, uint32_t steps) {
  const uint32_t blocks = (uint32_t)(channels + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS;
  return blocks * (NPU_TABLE_BYTES + NPU_STEP_BYTES * steps);
}

void npu_pack_table(const npu_per_channel_quant *quant, const int32_t *bias, int32_t channels,
                    int32_t first, const int32_t *sum, void *table) {
  uint8_t *at = table;
  memset(at, 0, NPU_TABLE_BYTES);
  for (int32_t n = 0; n < NPU_BLOCK_CHANNELS && first + n < channels; ++n) {
    const int32_t channel = first + n;
    put_word(at + 4 * n, (bias != 0 ? (uint32_t)bias[channel] : 0) + (uint32_t)sum[n]);
    put_word(at + 64 + 4 * n, (uint32_t)quant->multiplier[channel]);
    at[128 + n] = (uint8_t)quant->shift[channel];
  }
}

uint32_t npu_conv_s8_get_packed_size(const npu_dims *filter, const npu_conv_params *params) {
  if (npu_conv_check_filter(filter, params) != NPU_OK)
    return 0;
  return packed_size(filter->n, npu_conv_count_steps(filter, params));
}

npu_status npu_conv_s8_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                            const npu_dims *filter_dims, const int8_t *filter, const int32_t *bias,
                            void *packed) {
  if (npu_conv_check_filter(filter_dims, params) != NPU_OK)
    return NPU_ERROR_ARGUMENT;
  for (int32_t channel = 0; channel < filter_dims->n; ++channel)
    if (!in_range(quant->shift[channel], -31, 31))
      return NPU_ERROR_ARGUMENT;

  const int32_t filter_bytes = filter_dims->h * filter_dims->w * filter_dims->c;
  uint8_t *at = packed;
  for (int32_t first = 0; first < filter_dims->n; first += NPU_BLOCK_CHANNELS) {
    // The zero point contributes input_offset times the sum of a channel's weights.
    int32_t sum[NPU_BLOCK_CHANNELS] = {0};
    uint8_t *table = at;
    at += NPU_TABLE_BYTES;
    npu_conv_step step = npu_conv_first_step(filter_dims, params);
    do {
      memset(at, 0, NPU_STEP_BYTES);
      const int32_t weight = npu_conv_step_weight(filter_dims, &step);
      for (int32_t n = 0; n < NPU_BLOCK_CHANNELS && first + n < filter_dims->n; ++n) {
        const int8_t *from = filter + (size_t)(first + n) * (size_t)filter_bytes + weight;
        for (int32_t k = 0; k < step.k; ++k) {
          at[k * NPU_BLOCK_CHANNELS + n] = (uint8_t)from[k];
          sum[n] += from[k];
        }
      }
      at += NPU_STEP_BYTES;
    } while (npu_conv_next_step(filter_dims, params, &step));
    for (int32_t n = 0; n < NPU_BLOCK_CHANNELS; ++n)
      sum[n] = (int32_t)((uint32_t)sum[n] * (uint32_t)params->input_offset);
    npu_pack_table(quant, bias, filter_dims->n, first, sum, table);
  }
  return NPU_OK;
}

static int matmul_dims_ok(const npu_matmul_dims *dims) {
  return in_range(dims->m, 1, 65535) && in_range(dims->k, 1, 65535) && in_range(dims->n, 1, 65535);
}

static uint32_t matmul_steps(const npu_matmul_dims *dims) {
  return (uint32_t)(dims->k + NPU_STEP_ROWS - 1) / NPU_STEP_ROWS;
}

uint32_t npu_matmul_s8_get_packed_size(const npu_matmul_dims *dims) {
  return matmul_dims_ok(dims) ? packed_size(dims->n, matmul_steps(dims)) : 0;
}

npu_status npu_matmul_s8_pack(const npu_matmul_dims *dims, const npu_per_channel_quant *quant,
                              const int8_t *rhs, const int32_t *bias, void *packed) {
  if (!matmul_dims_ok(dims))
    return NPU_ERROR_ARGUMENT;
  static const int32_t no_sum[NPU_BLOCK_CHANNELS];
  uint8_t *at = packed;
  for (int32_t first = 0; first < dims->n; first += NPU_BLOCK_CHANNELS) {
    npu_pack_table(quant, bias, dims->n, first, no_sum, at);
    at += NPU_TABLE_BYTES;
    const int32_t columns =
        dims->n - first < NPU_BLOCK_CHANNELS ? dims->n - first : NPU_BLOCK_CHANNELS;
    for (int32_t row = 0; row < dims->k; row += NPU_STEP_ROWS, at += NPU_STEP_BYTES) {
      memset(at, 0, NPU_STEP_BYTES);
      for (int32_t k = 0; k < NPU_STEP_ROWS && row + k < dims->k; ++k)
        memcpy(at + k * NPU_BLOCK_CHANNELS, rhs + (size_t)(row + k) * (size_t)dims->n + first,
               (size_t)columns);
    }
  }
  return NPU_OK;
}
