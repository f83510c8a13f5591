// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs constants of convolutions of int16 activations. Portable: no instruction of the NPU, any
// host.

#include "conv_s16_layout.h"
#include "pack_steps.h"

#include <string.h>

static uint32_t blocks_of(int32_t channels) {
  return (uint32_t)(channels + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS;
}

static uint32_t packed_size(int32_t channels, uint32_t block_bytes) {
  const uint64_t bytes = (uint64_t)blocks_of(channels) * block_bytes;
  return bytes > INT32_MAX ? 0 : (uint32_t)bytes;
}

static int quant_ok(const npu_per_channel_quant *quant, int32_t channels) {
  for (int32_t n = 0; n < channels; ++n)
    if (quant->shift[n] < -31 || quant->shift[n] > 7 || quant->multiplier[n] < 0)
      return 0;
  return 1;
}

uint32_t npu_conv_s16_get_packed_size(const npu_dims *filter_dims, const npu_conv_params *params) {
  return npu_conv_s16_filter_ok(params, filter_dims)
             ? packed_size(filter_dims->n, npu_conv_s16_block_bytes(params, filter_dims))
             : 0;
}

uint32_t npu_depthwise_conv_s16_get_packed_size(const npu_dw_conv_params *params,
                                                const npu_dims *filter_dims) {
  if (!npu_dw_s16_filter_ok(params, filter_dims))
    return 0;
  if (params->channel_multiplier > 1) {
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter_dims);
    return npu_conv_s16_get_packed_size(&dense, &conv);
  }
  return packed_size(filter_dims->c, npu_dw_s16_block_bytes(filter_dims));
}

static void pack_convolution(const npu_conv_params *params, const npu_per_channel_quant *quant,
                             const npu_dims *filter, npu_weight_function *weight, const void *self,
                             const int64_t *bias, void *packed) {
  uint8_t *table = packed;
  for (int32_t first = 0; first < filter->n; first += NPU_BLOCK_CHANNELS) {
    int32_t sum[NPU_BLOCK_CHANNELS];
    uint8_t *const end =
        npu_pack_steps(params, filter, weight, self, first, sum, table + NPU_WIDE_TABLE_BYTES);
    int64_t wide[NPU_BLOCK_CHANNELS];
    for (int32_t n = 0; n < NPU_BLOCK_CHANNELS; ++n)
      wide[n] = sum[n];
    npu_pack_wide_table(quant, 1, bias, filter->n, first, wide, table);
    table = end;
  }
}

typedef struct s16_filter {
  const int8_t *weights;
  const npu_dims *dims;
  int32_t multiplier;
} s16_filter;

static int32_t conv_weight(const void *self, int32_t output, int32_t tap, int32_t input) {
  const s16_filter *f = self;
  return f->weights[(output * f->dims->h * f->dims->w + tap) * f->dims->c + input];
}

// A depthwise filter as a dense one: zero for all input channels but the output channel's own.
static int32_t depthwise_weight(const void *self, int32_t output, int32_t tap, int32_t input) {
  const s16_filter *f = self;
  return output / f->multiplier == input ? f->weights[tap * f->dims->c + output] : 0;
}

npu_status npu_conv_s16_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                             const npu_dims *filter_dims, const int8_t *filter, const int64_t *bias,
                             void *packed) {
  if (npu_conv_s16_get_packed_size(filter_dims, params) == 0 || !quant_ok(quant, filter_dims->n))
    return NPU_ERROR_ARGUMENT;
  const s16_filter f = {filter, filter_dims, 1};
  pack_convolution(params, quant, filter_dims, conv_weight, &f, bias, packed);
  return NPU_OK;
}

npu_status npu_depthwise_conv_s16_pack(const npu_dw_conv_params *params,
                                       const npu_per_channel_quant *quant,
                                       const npu_dims *filter_dims, const int8_t *filter,
                                       const int64_t *bias, void *packed) {
  const int32_t channels = filter_dims->c, taps = filter_dims->h * filter_dims->w;
  if (npu_depthwise_conv_s16_get_packed_size(params, filter_dims) == 0 ||
      !quant_ok(quant, channels))
    return NPU_ERROR_ARGUMENT;
  if (params->channel_multiplier > 1) {
    const s16_filter f = {filter, filter_dims, params->channel_multiplier};
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter_dims);
    pack_convolution(&conv, quant, &dense, depthwise_weight, &f, bias, packed);
    return NPU_OK;
  }
  uint8_t *table = packed;
  for (int32_t first = 0; first < channels; first += NPU_BLOCK_CHANNELS) {
    int64_t sum[NPU_BLOCK_CHANNELS] = {0};
    uint8_t *at = table + NPU_WIDE_TABLE_BYTES;
    memset(at, 0, (size_t)taps * NPU_BLOCK_CHANNELS);
    for (int32_t tap = 0; tap < taps; ++tap, at += NPU_BLOCK_CHANNELS)
      for (int32_t n = 0; n < NPU_BLOCK_CHANNELS && first + n < channels; ++n) {
        at[n] = (uint8_t)filter[tap * channels + first + n];
        sum[n] += filter[tap * channels + first + n];
      }
    npu_pack_wide_table(quant, 1, bias, channels, first, sum, table);
    table += npu_dw_s16_block_bytes(filter_dims);
  }
  return NPU_OK;
}
