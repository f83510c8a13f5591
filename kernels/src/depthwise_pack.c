// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs constants of depthwise convolutions. Portable: no instruction of the NPU, any host.

#include "depthwise_steps.h"
#include "pack_steps.h"

#include <string.h>

static int in_range(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

npu_status npu_dw_check_filter(const npu_dw_conv_params *params, const npu_dims *filter) {
  // Many values at once: small layers should not take longer to check than to run.
  const int32_t positive = (filter->h - 1) | (filter->w - 1) | (params->stride.h - 1) |
                           (params->stride.w - 1) | (params->dilation.h - 1) |
                           (params->dilation.w - 1);
  const int32_t bytes = filter->h | filter->w | params->stride.h | params->stride.w |
                        params->dilation.h | params->dilation.w | params->padding.h |
                        params->padding.w;
  const int ok = filter->n == 1 && positive >= 0 && (uint32_t)bytes >> 8 == 0 &&
                 (uint32_t)((filter->c - 1) | (params->channel_multiplier - 1)) >> 16 == 0 &&
                 (params->channel_multiplier == 1 || filter->c % params->channel_multiplier == 0) &&
                 in_range(params->input_offset, -127, 128) &&
                 in_range(params->output_offset, -128, 127) &&
                 in_range(params->activation_min, -128, 127) &&
                 in_range(params->activation_max, params->activation_min, 127);
  return ok ? NPU_OK : NPU_ERROR_ARGUMENT;
}

// Weight `index` of the filter's bytes or nibbles.
static int32_t weight_s8(const void *filter, size_t index) {
  return ((const int8_t *)filter)[index];
}
static int32_t weight_s4(const void *filter, size_t index) {
  const uint8_t pair = ((const uint8_t *)filter)[index / 2];
  return ((index % 2 != 0 ? pair >> 4 : pair & 15) ^ 8) - 8;
}

uint32_t npu_depthwise_conv_s8_get_packed_size(const npu_dw_conv_params *params,
                                               const npu_dims *filter) {
  if (npu_dw_check_filter(params, filter) != NPU_OK)
    return 0;
  if (params->channel_multiplier > 1) {
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter);
    return npu_conv_s8_get_packed_size(&dense, &conv);
  }
  return (uint32_t)(filter->c + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS *
         npu_dw_block_bytes(filter);
}

typedef struct dw_filter {
  const void *weights;
  int32_t (*weight)(const void *, size_t);
  int32_t channels, multiplier;
} dw_filter;

// As a dense convolution: zero for all input channels but the output channel's own.
static int32_t dense_weight(const void *self, int32_t output, int32_t tap, int32_t input) {
  const dw_filter *f = self;
  if (output / f->multiplier != input)
    return 0;
  return f->weight(f->weights, (size_t)tap * (size_t)f->channels + (size_t)output);
}

static npu_status pack(const npu_dw_conv_params *params, const npu_per_channel_quant *quant,
                       const npu_dims *filter_dims, const void *filter,
                       int32_t (*weight)(const void *, size_t), const int32_t *bias, void *packed) {
  const int32_t channels = filter_dims->c, taps = filter_dims->h * filter_dims->w;
  if (npu_depthwise_conv_s8_get_packed_size(params, filter_dims) == 0)
    return NPU_ERROR_ARGUMENT;
  for (int32_t channel = 0; channel < channels; ++channel)
    if (!in_range(quant->shift[channel], -31, 31))
      return NPU_ERROR_ARGUMENT;
  if (params->channel_multiplier > 1) {
    const dw_filter f = {filter, weight, channels, params->channel_multiplier};
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter_dims);
    npu_pack_convolution(&conv, quant, &dense, dense_weight, &f, bias, packed);
    return NPU_OK;
  }

  uint8_t *table = packed;
  for (int32_t first = 0; first < channels; first += NPU_BLOCK_CHANNELS) {
    int8_t *at = (int8_t *)table + NPU_TABLE_BYTES;
    int32_t sum[NPU_BLOCK_CHANNELS] = {0};
    memset(at, 0, (size_t)taps * NPU_BLOCK_CHANNELS);
    for (int32_t tap = 0; tap < taps; ++tap, at += NPU_BLOCK_CHANNELS)
      for (int32_t n = 0; n < NPU_BLOCK_CHANNELS && first + n < channels; ++n) {
        const int32_t value = weight(filter, (size_t)tap * (size_t)channels + (size_t)(first + n));
        at[n] = (int8_t)value;
        sum[n] += value;
      }
    // The zero point contributes input_offset times the sum of a channel's weights.
    for (int32_t n = 0; n < NPU_BLOCK_CHANNELS; ++n)
      sum[n] = (int32_t)((uint32_t)sum[n] * (uint32_t)params->input_offset);
    npu_pack_table(quant, bias, channels, first, sum, table);
    table += npu_dw_block_bytes(filter_dims);
  }
  return NPU_OK;
}

npu_status npu_depthwise_conv_s8_pack(const npu_dw_conv_params *params,
                                      const npu_per_channel_quant *quant,
                                      const npu_dims *filter_dims, const int8_t *filter,
                                      const int32_t *bias, void *packed) {
  return pack(params, quant, filter_dims, filter, weight_s8, bias, packed);
}

npu_status npu_depthwise_conv_s4_pack(const npu_dw_conv_params *params,
                                      const npu_per_channel_quant *quant,
                                      const npu_dims *filter_dims, const uint8_t *filter,
                                      const int32_t *bias, void *packed) {
  return pack(params, quant, filter_dims, filter, weight_s4, bias, packed);
}
