// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs constants of fully connected layers. Portable: no instruction of the NPU, any host.

#include "fc_layout.h"
#include "npu/scale.h"

#include <string.h>

enum {
  LEAST = -32,      // logarithm of a scale that brings a sum of 32 bits to a half
  LEAST_WIDE = -49, // of 48 bits
  LIMIT = 29,       // of scales
  LIMIT_WIDE = 13,
};

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

static int scales_ok(const npu_fc_quant *quant, int32_t outputs, int32_t limit) {
  npu_scale scale;
  for (int32_t n = 0; n < outputs; ++n)
    if (!npu_scale_from(&quant->scale[n], limit, &scale))
      return 0;
  return 1;
}

static uint32_t packed_size(const npu_dims *filter, npu_fc_layout layout) {
  return npu_fc_filter_ok(filter) ? npu_fc_packed_bytes(filter, layout) : 0;
}

static int32_t block_count(const npu_dims *filter, int32_t first) {
  const int32_t left = filter->n - first;
  return left < NPU_BLOCK_CHANNELS ? left : NPU_BLOCK_CHANNELS;
}

// The doubles of all outputs as they are, behind the blocks.
static void pack_scales(const npu_fc_quant *quant, int32_t outputs, uint8_t *at) {
  for (int32_t n = 0; n < outputs; ++n) {
    uint64_t bits;
    memcpy(&bits, &quant->scale[n], sizeof bits);
    put_word(at + 8 * n, (uint32_t)bits);
    put_word(at + 8 * n + 4, (uint32_t)(bits >> 32));
  }
  const int32_t behind = -outputs & (NPU_BLOCK_CHANNELS - 1);
  memset(at + 8 * outputs, 0, 8 * (size_t)behind);
}

// Multipliers and shifts of a block's outputs, as the table holds them.
typedef struct fc_multipliers {
  int32_t multiplier[NPU_BLOCK_CHANNELS], shift[NPU_BLOCK_CHANNELS];
} fc_multipliers;

static void multipliers_of(const npu_fc_quant *quant, int32_t first, int32_t count, int32_t largest,
                           fc_multipliers *m) {
  int exact = 1;
  npu_scale scale, before = {0, 0};
  for (int32_t n = 0; n < count && exact; ++n, before = scale) {
    npu_scale_from(&quant->scale[first + n], LIMIT, &scale);
    if (n != 0 && scale.significand == before.significand && scale.right == before.right) {
      m->multiplier[n] = m->multiplier[n - 1];
      m->shift[n] = m->shift[n - 1];
      continue;
    }
    exact = npu_scale_exact_multiplier(scale, largest, &m->multiplier[n], &m->shift[n]) &&
            m->shift[n] <= 0;
  }
  if (exact)
    return;
  for (int32_t n = 0; n < count; ++n) {
    npu_scale_from(&quant->scale[first + n], LIMIT, &scale);
    npu_scale_multiplier(scale, LEAST, &m->multiplier[n], &m->shift[n]);
    m->shift[n] += NPU_FC_BY_CORE;
  }
}

// quant: of each output, or, with scales of blocks, block_quant.
static npu_status pack_s8(const fc_packer *p, const npu_fc_params *params,
                          const npu_fc_quant *quant, const npu_per_channel_quant *block_quant,
                          const int32_t *bias, void *packed) {
  if (packed_size(p->dims, p->layout) == 0 || params->input_offset < -127 ||
      params->input_offset > 128 ||
      !(quant != 0 ? scales_ok(quant, p->dims->n, LIMIT) : shifts_ok(block_quant, p->dims->n, 30)))
    return NPU_ERROR_ARGUMENT;
  // The results that the clamp lets through.
  const int32_t above = params->activation_max - params->output_offset,
                below = params->output_offset - params->activation_min,
                largest = above > below ? above : below;
  uint8_t *at = packed;
  for (int32_t first = 0; first < p->dims->n; first += NPU_BLOCK_CHANNELS) {
    const int32_t count = block_count(p->dims, first);
    int64_t sum[NPU_BLOCK_CHANNELS] = {0};
    int32_t folded[NPU_BLOCK_CHANNELS];
    pack_steps(p, first, count, at + NPU_TABLE_BYTES, sum);
    for (int32_t n = 0; n < NPU_BLOCK_CHANNELS; ++n) {
      const int64_t offset = sum[n] * params->input_offset;
      folded[n] = (int32_t)(quant == 0 ? (offset + 128) >> 8 : offset);
    }
    fc_multipliers m;
    npu_per_channel_quant of_block = {m.multiplier, m.shift};
    if (quant != 0)
      multipliers_of(quant, first, count, largest, &m);
    else
      of_block =
          (npu_per_channel_quant){block_quant->multiplier + first, block_quant->shift + first};
    npu_pack_table(&of_block, bias != 0 ? bias + first : 0, count, 0, folded, at);
    at += npu_fc_block_bytes(p->dims, p->layout);
  }
  if (quant != 0)
    pack_scales(quant, p->dims->n, at);
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

npu_status npu_fully_connected_s8_pack(const npu_fc_params *params, const npu_fc_quant *quant,
                                       const npu_dims *filter_dims, const int8_t *filter,
                                       const int32_t *bias, void *packed) {
  const fc_packer p = {filter_dims, npu_fc_layout_s8(), filter, 8, 0};
  return pack_s8(&p, params, quant, 0, bias, packed);
}

npu_status npu_fully_connected_s4_pack(const npu_fc_params *params, const npu_fc_quant *quant,
                                       const npu_dims *filter_dims, const uint8_t *filter,
                                       const int32_t *bias, void *packed) {
  const fc_packer p = {filter_dims, npu_fc_layout_s4(), filter, 4, 0};
  return pack_s8(&p, params, quant, 0, bias, packed);
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
  return pack_s8(&p, params, 0, quant, bias, packed);
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

npu_status npu_fully_connected_s16_pack(const npu_fc_params *params, const npu_fc_quant *quant,
                                        const npu_dims *filter_dims, const int8_t *filter,
                                        const int64_t *bias, void *packed) {
  const fc_packer p = {filter_dims, npu_fc_layout_s16(), filter, 8, 0};
  if (packed_size(filter_dims, p.layout) == 0 || params->input_offset != 0 ||
      !scales_ok(quant, filter_dims->n, LIMIT_WIDE))
    return NPU_ERROR_ARGUMENT;
  uint8_t *at = packed;
  for (int32_t first = 0; first < filter_dims->n; first += NPU_BLOCK_CHANNELS) {
    const int32_t count = block_count(filter_dims, first);
    int64_t sum[NPU_BLOCK_CHANNELS] = {0};
    pack_steps(&p, first, count, at + NPU_WIDE_TABLE_BYTES, sum);
    fc_multipliers m;
    for (int32_t n = 0; n < count; ++n) {
      npu_scale scale;
      npu_scale_from(&quant->scale[first + n], LIMIT_WIDE, &scale);
      npu_scale_multiplier(scale, LEAST_WIDE, &m.multiplier[n], &m.shift[n]);
    }
    const npu_per_channel_quant of_block = {m.multiplier, m.shift};
    npu_pack_wide_table(&of_block, 0, bias != 0 ? bias + first : 0, count, 0, sum, at);
    at += npu_fc_block_bytes(filter_dims, p.layout);
  }
  pack_scales(quant, filter_dims->n, at);
  return NPU_OK;
}
