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

static int in_range(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

static uint32_t packed_size(int32_t channels, uint32_t steps) {
  const uint64_t blocks = (uint64_t)(channels + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS;
  const uint64_t bytes = blocks * (NPU_TABLE_BYTES + NPU_STEP_BYTES * (uint64_t)steps);
  return bytes > INT32_MAX ? 0 : (uint32_t)bytes;
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

static npu_conv_problem filter_problem(const npu_dims *filter, const npu_conv_params *params,
                                       int32_t weight_bits) {
  return (npu_conv_problem){.filter = *filter, .params = *params, .weight_bits = weight_bits};
}

// Weight number `at` of a filter: int8, or int4 of which the even ones are in the low nibbles.
static int32_t weight_at(const void *filter, size_t at, int32_t weight_bits) {
  if (weight_bits == 8)
    return ((const int8_t *)filter)[at];
  const int32_t pair = ((const uint8_t *)filter)[at / 2];
  return ((at % 2 != 0 ? pair >> 4 : pair & 15) ^ 8) - 8;
}

static void put_weight(uint8_t *step, int32_t k, int32_t n, int32_t weight, int32_t weight_bits) {
  if (weight_bits == 8)
    step[k * NPU_BLOCK_CHANNELS + n] = (uint8_t)weight;
  else
    step[k * (NPU_BLOCK_CHANNELS / 2) + n / 2] |= (uint8_t)((weight & 15) << (n % 2 * 4));
}

// The block of the channels [first, first + count). Returns its end.
static uint8_t *pack_block(const npu_conv_problem *problem, const npu_per_channel_quant *quant,
                           const void *filter, const int32_t *bias, int32_t first, int32_t count,
                           uint8_t *at) {
  const npu_dims *dims = &problem->filter;
  const npu_conv_params *params = &problem->params;
  const int32_t bits = problem->weight_bits, rows = npu_conv_step_rows(bits);
  const size_t filter_weights = (size_t)dims->h * (size_t)dims->w * (size_t)dims->c;
  // The zero point contributes input_offset times the sum of a channel's weights.
  int32_t sum[NPU_BLOCK_CHANNELS] = {0};
  uint8_t *table = at;
  at += NPU_TABLE_BYTES;
  npu_conv_step step = npu_conv_first_step(dims, params, rows);
  do {
    memset(at, 0, NPU_STEP_BYTES);
    for (int32_t n = 0; n < count; ++n) {
      const size_t from =
          (size_t)(first + n) * filter_weights + (size_t)npu_conv_step_weight(dims, &step);
      for (int32_t k = 0; k < step.k; ++k) {
        const int32_t weight = weight_at(filter, from + (size_t)k, bits);
        put_weight(at, k, n, weight, bits);
        sum[n] += weight;
      }
    }
    at += NPU_STEP_BYTES;
  } while (npu_conv_next_step(dims, params, rows, &step));
  for (int32_t n = 0; n < NPU_BLOCK_CHANNELS; ++n)
    sum[n] = (int32_t)((uint32_t)sum[n] * (uint32_t)params->input_offset);
  npu_pack_table(quant, bias, first + count, first, sum, table);
  return at;
}

static npu_status pack(const npu_conv_problem *problem, const npu_per_channel_quant *quant,
                       const void *filter, const int32_t *bias, void *packed) {
  const npu_dims *dims = &problem->filter;
  if (npu_conv_check_filter(dims, &problem->params) != NPU_OK)
    return NPU_ERROR_ARGUMENT;
  for (int32_t channel = 0; channel < dims->n; ++channel)
    if (!in_range(quant->shift[channel], -31, 31))
      return NPU_ERROR_ARGUMENT;
  const int32_t groups = problem->params.groups > 1 ? problem->params.groups : 1;
  const int32_t channels = dims->n / groups;
  uint8_t *at = packed;
  for (int32_t group = 0; group < groups; ++group)
    for (int32_t first = 0; first < channels; first += NPU_BLOCK_CHANNELS) {
      const int32_t left = channels - first;
      at = pack_block(problem, quant, filter, bias, group * channels + first,
                      left < NPU_BLOCK_CHANNELS ? left : NPU_BLOCK_CHANNELS, at);
    }
  return NPU_OK;
}

uint32_t npu_conv_s8_get_packed_size(const npu_dims *filter, const npu_conv_params *params) {
  const npu_conv_problem problem = filter_problem(filter, params, 8);
  return npu_conv_packed_size(&problem);
}

npu_status npu_conv_s8_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                            const npu_dims *filter_dims, const int8_t *filter, const int32_t *bias,
                            void *packed) {
  const npu_conv_problem problem = filter_problem(filter_dims, params, 8);
  return pack(&problem, quant, filter, bias, packed);
}

uint32_t npu_conv_s4_get_packed_size(const npu_dims *filter, const npu_conv_params *params) {
  const npu_conv_problem problem = filter_problem(filter, params, 4);
  return npu_conv_packed_size(&problem);
}

npu_status npu_conv_s4_pack(const npu_conv_params *params, const npu_per_channel_quant *quant,
                            const npu_dims *filter_dims, const uint8_t *filter, const int32_t *bias,
                            void *packed) {
  const npu_conv_problem problem = filter_problem(filter_dims, params, 4);
  return pack(&problem, quant, filter, bias, packed);
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
  if (npu_matmul_s8_get_packed_size(dims) == 0)
    return NPU_ERROR_ARGUMENT;
  for (int32_t column = 0; column < dims->n; ++column)
    if (!in_range(quant->shift[column], -31, 31))
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
