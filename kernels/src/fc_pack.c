// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs constants of fully connected layers. Portable: no instruction of the NPU, any host.

#include "fc_layout.h"

#include <string.h>

static void put_word(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    at[i] = (uint8_t)(value >> (8 * i));
}

// What a packer knows of a layer.
typedef struct fc_packer {
  const npu_dims *dims;
  npu_fc_layout layout;
  const void *filter;
  int32_t weight_bits;
  const int16_t *block_scales; // or null
} fc_packer;

static int32_t weight_at(const fc_packer *p, int32_t output, int32_t input) {
  const size_t at = (size_t)output * (size_t)p->dims->c + (size_t)input;
  if (p->weight_bits == 8)
    return ((const int8_t *)p->filter)[at];
  const int32_t pair = ((const uint8_t *)p->filter)[at / 2];
  return ((at % 2 != 0 ? pair >> 4 : pair & 15) ^ 8) - 8;
}

static int32_t block_scale(const fc_packer *p, int32_t output, int32_t step) {
  const size_t blocks = (size_t)(p->dims->c / NPU_FC_BLOCK);
  return p->block_scales[(size_t)output * blocks + (size_t)step];
}

// The steps of the outputs first..first + count - 1; adds up their weights, each times its block's
// scale.
static void pack_steps(const fc_packer *p, int32_t first, int32_t count, uint8_t *at,
                       int64_t *sum) {
  const int32_t rows = p->layout.step_rows, steps = (int32_t)npu_fc_steps(p->dims, p->layout);
  for (int32_t step = 0; step < steps; ++step, at += p->layout.step_bytes) {
    memset(at, 0, p->layout.step_bytes);
    for (int32_t n = 0; n < count; ++n) {
      int32_t total = 0;
      for (int32_t k = 0; k < rows && step * rows + k < p->dims->c; ++k) {
        const int32_t weight = weight_at(p, first + n, step * rows + k);
        total += weight;
        if (p->weight_bits == 8)
          at[k * NPU_BLOCK_CHANNELS + n] = (uint8_t)weight;
        else
          at[k * (NPU_BLOCK_CHANNELS / 2) + n / 2] |= (uint8_t)((weight & 15) << (n % 2 * 4));
      }
      if (p->block_scales != 0) {
        const int32_t scale = block_scale(p, first + n, step);
        at[NPU_STEP_BYTES + 2 * n] = (uint8_t)scale;
        at[NPU_STEP_BYTES + 2 * n + 1] = (uint8_t)(scale >> 8);
        total *= scale;
      }
      sum[n] += total;
    }
  }
}

static int shifts_ok(const npu_per_channel_quant *quant, int32_t outputs, int32_t largest) {
  for (int32_t n = 0; n < outputs; ++n)
    if (quant->shift[n] < -31 || quant->shift[n] > largest)
      return 0;
  return 1;
}

static uint32_t packed_size(const npu_dims *filter, npu_fc_layout layout) {
  return npu_fc_filter_ok(filter) ? npu_fc_packed_bytes(filter, layout) : 0;
}

static npu_status pack_s8(const fc_packer *p, const npu_fc_params *params,
                          const npu_per_channel_quant *quant, const int32_t *bias, void *packed) {
  if (packed_size(p->dims, p->layout) == 0 || params->input_offset < -127 || params->input_offset > 128 ||
      !shifts_ok(quant, p->dims->n, 30))
    return NPU_ERROR_ARGUMENT;
  uint8_t *at = packed;
  for (int32_t first = 0; first < p->dims->n; first += NPU_BLOCK_CHANNELS) {
    const int32_t left = p->dims->n - first,
                  count = left < NPU_BLOCK_CHANNELS ? left : NPU_BLOCK_CHANNELS;
    int64_t sum[NPU_BLOCK_CHANNELS] = {0};
    int32_t folded[NPU_BLOCK_CHANNELS];
    pack_steps(p, first, count, at + NPU_TABLE_BYTES, sum);
    for (int32_t n = 0; n < NPU_BLOCK_CHANNELS; ++n) {
      const int64_t offset = sum[n] * params->input_offset;
      folded[n] = (int32_t)(p->block_scales != 0 ? (offset + 128) >> 8 : offset);
    }
    npu_pack_table(quant, bias, p->dims->n, first, folded, at);
    at += npu_fc_block_bytes(p->dims, p->layout);
  }
  return NPU_OK;
}

uint32_t npu_fully_connected_s8_get_packed_size(const npu_dims *filter_dims) {
  return packed_size(filter_dims, npu_fc_layout_s8());
}

uint32_t npu_fully_connected_s4_get_packed_size(const npu_dims *filter_dims) {
  return packed_size(filter_dims, npu_fc_layout_s4());
}

uint32_t npu_fully_connected_s4_block_get_packed_size(const npu_dims *filter_dims) {
  return filter_dims->c % NPU_FC_BLOCK != 0 ? 0
                                            : packed_size(filter_dims, npu_fc_layout_s4_block());
}

uint32_t npu_fully_connected_s16_get_packed_size(const npu_dims *filter_dims) {
  return packed_size(filter_dims, npu_fc_layout_s16());
}

npu_status npu_fully_connected_s8_pack(const npu_fc_params *params,
                                       const npu_per_channel_quant *quant,
                                       const npu_dims *filter_dims, const int8_t *filter,
                                       const int32_t *bias, void *packed) {
  const fc_packer p = {filter_dims, npu_fc_layout_s8(), filter, 8, 0};
  return pack_s8(&p, params, quant, bias, packed);
}

npu_status npu_fully_connected_s4_pack(const npu_fc_params *params,
                                       const npu_per_channel_quant *quant,
                                       const npu_dims *filter_dims, const uint8_t *filter,
                                       const int32_t *bias, void *packed) {
  const fc_packer p = {filter_dims, npu_fc_layout_s4(), filter, 4, 0};
  return pack_s8(&p, params, quant, bias, packed);
}

npu_status npu_fully_connected_s4_block_pack(const npu_fc_params *params,
                                             const npu_per_channel_quant *quant,
                                             const int16_t *block_scales,
                                             const npu_dims *filter_dims, const uint8_t *filter,
                                             const int32_t *bias, void *packed) {
  if (npu_fully_connected_s4_block_get_packed_size(filter_dims) == 0)
    return NPU_ERROR_ARGUMENT;
  const size_t scales = (size_t)filter_dims->n * (size_t)(filter_dims->c / NPU_FC_BLOCK);
  for (size_t i = 0; i < scales; ++i)
    if (block_scales[i] < 0)
      return NPU_ERROR_ARGUMENT;
  const fc_packer p = {filter_dims, npu_fc_layout_s4_block(), filter, 4, block_scales};
  return pack_s8(&p, params, quant, bias, packed);
}

void npu_pack_wide_table(const npu_per_channel_quant *quant, int reduced, const int64_t *bias,
                         int32_t channels, int32_t first, const int64_t *sum, void *table) {
  uint8_t *const at = table;
  memset(at, 0, NPU_WIDE_TABLE_BYTES);
  for (int32_t n = 0; n < NPU_BLOCK_CHANNELS && first + n < channels; ++n) {
    const int64_t total = (bias != 0 ? bias[first + n] : 0) + 128 * sum[n];
    int32_t m = quant->multiplier[first + n];
    if (reduced)
      m = m < 0x7FFF0000 ? (m + (1 << 15)) >> 16 : 0x7FFF;
    put_word(at + NPU_WIDE_BIAS_LOW + 4 * n, (uint32_t)total & 0xFFFF);
    put_word(at + NPU_WIDE_BIAS_HIGH + 4 * n, (uint32_t)(total >> 16));
    put_word(at + NPU_WIDE_MULTIPLIER + 4 * n, (uint32_t)m);
    at[NPU_WIDE_SHIFT + n] = (uint8_t)quant->shift[first + n];
  }
}

npu_status npu_fully_connected_s16_pack(const npu_fc_params *params,
                                        const npu_per_channel_quant *quant,
                                        const npu_dims *filter_dims, const int8_t *filter,
                                        const int64_t *bias, void *packed) {
  const fc_packer p = {filter_dims, npu_fc_layout_s16(), filter, 8, 0};
  if (packed_size(filter_dims, p.layout) == 0 || params->input_offset != 0 ||
      !shifts_ok(quant, filter_dims->n, 14))
    return NPU_ERROR_ARGUMENT;
  uint8_t *at = packed;
  for (int32_t first = 0; first < filter_dims->n; first += NPU_BLOCK_CHANNELS) {
    const int32_t left = filter_dims->n - first,
                  count = left < NPU_BLOCK_CHANNELS ? left : NPU_BLOCK_CHANNELS;
    int64_t sum[NPU_BLOCK_CHANNELS] = {0};
    pack_steps(&p, first, count, at + NPU_WIDE_TABLE_BYTES, sum);
    npu_pack_wide_table(quant, 0, bias, filter_dims->n, first, sum, at);
    at += npu_fc_block_bytes(filter_dims, p.layout);
  }
  return NPU_OK;
}
