// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs of fully connected layers. The drain makes them where its multipliers of 31 bits give
// what TFLite's doubles do; otherwise, and for int16, the core: with such a multiplier as well, and
// where that leads next to a half, with the double. The blocks of a group lie one behind the other
// in one of two slots, rows side by side, and are stored together.

#include "fc_job.h"
#include "npu/scale.h"
#include "wide.h"

enum {
  // What a result of 16 bits may be off by, in units of 2^-32: the multiplier by 2^-31 of it,
  // its product by less than one unit, the product of the double by less than that.
  NEAR_HALF = (1 << 16) + 64,
};

void npu_fc_begin_group(fc_job *j) {
  j->group_first = j->block;
  j->group_end = 0;
  j->out = j->tile_output;
  if (j->p.out_in_place)
    return;
  // The very last block is alone where its store takes long, as nothing hides it.
  const uint32_t last = j->p.blocks - (j->p.many_rows && j->block + 1 < j->p.blocks ? 1 : 0),
                 slot = j->groups++ & 1;
  j->group_end = fc_smaller(j->block + j->p.group, last);
  npu_wait(j->stored[slot]);
  j->out = j->out_slots + (slot != 0 ? j->p.out_bytes : 0);
}

// The block at work has its outputs or a drain that makes them. Behind the last one of a group, its
// store and the next group begin when the core goes on.
static inline void next_block(fc_job *j) {
  j->out += j->p.out_step;
  j->step = 0;
  if (++j->block != j->group_end)
    return;
  fc_pending *const p = &j->pending;
  const int32_t first = (int32_t)j->group_first * NPU_BLOCK_CHANNELS;
  p->store_to = j->tile_output + first * j->p.element;
  p->store_outputs =
      (uint32_t)(fc_min((int32_t)j->group_end * NPU_BLOCK_CHANNELS, j->p.outputs) - first);
  p->store_rows = (uint32_t)j->now->count;
  p->store_slot = ~j->groups & 1;
}

static void store(fc_job *j, const fc_pending *p) {
  const uint32_t slot = p->store_slot;
  const int32_t block = NPU_BLOCK_CHANNELS * j->p.element, plane = block * j->p.rows;
  const uint32_t whole = p->store_outputs / NPU_BLOCK_CHANNELS,
                 rest = p->store_outputs % NPU_BLOCK_CHANNELS * (uint32_t)j->p.element;
  const int8_t *const from = j->out_slots + (slot != 0 ? j->p.out_bytes : 0);
  npu_dma_descriptor *const d = &j->stores[2 * slot], *last = d + 1;
  if (rest == 0 && d->reps2 == whole && d->reps1 == p->store_rows && d->next == 0) { // again
    d->dst = (uint32_t)p->store_to;
    j->stored[slot] = npu_dma_submit(1, d);
    return;
  }
  if (rest != 0)
    *last = npu_dma_2d(p->store_to + (int32_t)whole * block, j->p.outputs * j->p.element,
                       from + (int32_t)whole * plane, block, rest, p->store_rows);
  if (whole != 0) {
    *d = npu_dma_2d(p->store_to, j->p.outputs * j->p.element, from, block, (uint32_t)block,
                    p->store_rows);
    npu_dma_add_planes(d, whole, block, plane);
    if (rest != 0)
      npu_dma_chain(d, last);
  }
  j->stored[slot] = npu_dma_submit(1, whole != 0 ? d : last);
}

// Requantization of a block: results are products 2^32 high + low of 64 bits, rest 16 more behind
// them, shifted right by `total`.
typedef struct fc_quant {
  npu_int32x16_t bias, bias_high, multiplier, total;
} fc_quant;

NPU_VECTOR_INLINE fc_quant quant_of(const fc_job *j, const uint8_t *table) {
  fc_quant q;
  q.bias = npu_v_ld_w(table);
  if (j->p.element == 2) {
    q.bias_high = npu_v_ld_w(table + NPU_WIDE_BIAS_HIGH);
    q.multiplier = npu_v_ld_w(table + NPU_WIDE_MULTIPLIER);
    q.total = 15 - npu_v_ldl_bw(table + NPU_WIDE_SHIFT, NPU_BLOCK_CHANNELS);
  } else {
    q.bias_high = q.bias;
    q.multiplier = npu_v_ld_w(table + 64);
    q.total = 31 + NPU_FC_BY_CORE - npu_v_ldl_bw(table + 128, NPU_BLOCK_CHANNELS);
  }
  return q;
}

NPU_VECTOR_INLINE npu_int32x16_t clamp(npu_int32x16_t x, const npu_fc_params *params) {
  return npu_v_min(npu_v_max(x, npu_v_bcast_w(params->activation_min)),
                   npu_v_bcast_w(params->activation_max));
}

// The results of a row; and how far the fractions lie above those that may be on the other side of
// a half.
NPU_VECTOR_INLINE npu_int32x16_t results_of(const fc_job *j, const fc_quant *q, uint32_t row,
                                            npu_uint32x16_t *above) {
  const npu_int32x16_t low = npu_v_accrd(row);
  npu_wide product;
  if (j->p.element == 2) {
    product = npu_wide_product(npu_v_accrd(row + j->pending.plane_rows), low, q->bias, q->bias_high,
                               q->multiplier);
  } else {
    const npu_int32x16_t sum = low + q->bias;
    product = (npu_wide){npu_v_mulh(sum, q->multiplier), (npu_uint32x16_t)(sum * q->multiplier),
                         (npu_uint32x16_t)npu_v_bcast_w(0)};
  }
  npu_uint32x16_t fraction;
  const npu_int32x16_t results = npu_round_wide(product, q->total, &fraction);
  *above = fraction - (0x80000000u - NEAR_HALF);
  return results;
}

NPU_VECTOR_INLINE void store_results(const fc_job *j, npu_int32x16_t results, int8_t *out) {
  const npu_int32x16_t bytes = clamp(results + j->p.params.output_offset, &j->p.params);
  if (j->p.element == 2)
    npu_v_stl_wh(bytes, out, j->pending.outputs);
  else
    npu_v_stl_wb(bytes, out, j->pending.outputs);
}

// Makes the outputs again that were near a half, from the doubles.
static __attribute__((noinline)) void decide(const fc_job *j) {
  const fc_pending *const p = &j->pending;
  const fc_quant q = quant_of(j, p->table);
  const uint8_t *const scales =
      j->packed + j->p.blocks * j->p.block_bytes + p->block * NPU_FC_SCALE_BYTES;
  const uint32_t pitch = npu_fc_output_pitch(j);
  uint32_t row = p->row;
  int8_t *out = p->out;
  for (int32_t i = 0; i < p->rows; ++i, ++row, out += pitch) {
    npu_uint32x16_t above;
    npu_int32x16_t results = results_of(j, &q, row, &above);
    if (npu_v_redmin(above) > 2 * NEAR_HALF)
      continue;
    const npu_int32x16_t low = npu_v_accrd(row), high = npu_v_accrd(row + p->plane_rows);
    for (uint32_t n = 0; n < p->outputs; ++n) {
      if (above[n] > 2 * NEAR_HALF)
        continue;
      npu_scale scale;
      npu_scale_from(scales + 8 * n, 0, &scale);
      const int64_t sum = j->p.element == 2 ? 256 * (int64_t)high[n] + low[n] + q.bias[n] +
                                                  65536 * (int64_t)q.bias_high[n]
                                            : (int32_t)((uint32_t)low[n] + (uint32_t)q.bias[n]);
      results[n] = npu_scale_sum(scale, sum);
    }
    store_results(j, results, out);
  }
}

// Makes the outputs of sums that wait for the core, and finishes the block. On its own: the path of
// drained blocks saves no registers.
static __attribute__((noinline)) void finish_by_core(fc_job *j) {
  fc_pending *const p = &j->pending;
  const fc_quant q = quant_of(j, p->table);
  const uint32_t pitch = npu_fc_output_pitch(j);
  npu_uint32x16_t least = (npu_uint32x16_t)npu_v_bcast_w(-1);
  uint32_t row = p->row;
  int8_t *out = p->out;
  for (int32_t i = 0; i < p->rows; ++i, ++row, out += pitch) {
    npu_uint32x16_t above;
    store_results(j, results_of(j, &q, row, &above), out);
    least = npu_v_min(least, above);
  }
  if (npu_v_redmin(least) <= 2 * NEAR_HALF)
    decide(j);
  p->rows = 0;
  npu_fc_finish(j);
}

const uint8_t *npu_fc_copy_table(fc_job *j, const uint8_t *table, uint32_t half) {
  npu_wait(j->copies_read);
  uint8_t *const to = j->tables + (half != 0 ? FC_TABLE_SLOT : 0);
  // Whole vectors: what follows the table does no harm.
  for (uint32_t at = 0; at < j->p.layout.table_bytes; at += NPU_BLOCK)
    npu_v_st_b(npu_v_ld_b(table + at), to + at);
  return to;
}

void npu_fc_begin_block(fc_job *j, const uint8_t *table) {
  j->table = table;
  j->drained = 0;
  if (j->p.element == 1 && !j->p.with_scales) {
    const npu_int32x16_t shift = npu_v_ldl_bw(table + 128, NPU_BLOCK_CHANNELS);
    if (npu_v_redmax(shift) <= 0) {
      j->drained = 1;
      npu_mac_ldq(table);
      return;
    }
  }
  if (j->p.chunk_blocks == 0 || !(j->p.late || j->p.weights_in_place))
    j->table = npu_fc_copy_table(j, table, j->half);
}

void npu_fc_end_block(fc_job *j, npu_ticket_t ticket) {
  fc_pending *const p = &j->pending;
  npu_fc_finish(j);
  const uint32_t rows = (uint32_t)j->now->count,
                 outputs = (uint32_t)fc_min(j->p.outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS,
                                            NPU_BLOCK_CHANNELS);
  if (j->drained) {
    p->ticket = npu_mac_drain(j->out, npu_mac_drain_ctl(j->half, rows, outputs, NPU_MAC_ONCE));
  } else {
    p->rows = j->now->count;
    p->ticket = ticket;
    p->table = j->table;
    p->out = j->out;
    p->block = j->block;
    p->outputs = outputs;
    p->row = j->half;
    p->plane_rows = rows;
  }
  j->half ^= NPU_RUN_PIXELS;
  next_block(j);
}

void npu_fc_finish(fc_job *j) {
  fc_pending *const p = &j->pending;
  if (p->rows == 0 && p->store_to == 0)
    return;
  npu_wait(p->ticket);
  if (p->rows != 0) {
    finish_by_core(j);
    return;
  }
  store(j, p);
  p->store_to = 0;
  if (j->block == j->group_end && j->block != j->p.blocks)
    npu_fc_begin_group(j);
}

void npu_fc_requantize_scaled(fc_job *j) {
  const npu_int32x16_t bias = npu_v_ld_w(j->table), multiplier = npu_v_ld_w(j->table + 64),
                       shift = npu_v_ldl_bw(j->table + 128, NPU_BLOCK_CHANNELS);
  const uint32_t pitch = npu_fc_output_pitch(j);
  const int32_t left = j->p.outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS;
  int8_t *out = j->out;
  for (int32_t r = 0; r < j->now->count; ++r, out += pitch) {
    const npu_int32x16_t sum = npu_requantize_once(j->sums[r] + bias, multiplier, shift);
    npu_v_stl_wb(clamp(sum + j->p.params.output_offset, &j->p.params), out,
                 (uint32_t)fc_min(left, NPU_BLOCK_CHANNELS));
  }
  next_block(j);
  npu_fc_finish(j);
}
