// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs of fully connected layers. The drain makes them, with a single rounding as TFLite's
// kernel; what it cannot do, the core: shifts above 0, whose product has more bits, and int16. The
// blocks of a group lie one behind the other in one of two slots, rows side by side, and are stored
// together.

#include "fc_job.h"
#include "wide.h"

void npu_fc_begin_group(fc_job *j) {
  j->group_first = j->block;
  j->group_end = 0;
  j->out = j->tile_output;
  if (j->out_in_place)
    return;
  // The very last block is alone where its store takes long, as nothing hides it.
  const uint32_t last = j->blocks - (j->many_rows && j->block + 1 < j->blocks ? 1 : 0),
                 slot = j->groups++ & 1;
  j->group_end = fc_smaller(j->block + j->group, last);
  npu_wait(j->stored[slot]);
  j->out = j->out_slots + (slot != 0 ? j->out_bytes : 0);
}

// The block at work has its outputs or a drain that makes them. Behind the last one of a group, its
// store and the next group begin when the core goes on.
static inline void next_block(fc_job *j) {
  j->out += j->out_step;
  j->step = 0;
  if (++j->block != j->group_end)
    return;
  fc_pending *const p = &j->pending;
  const int32_t first = (int32_t)j->group_first * NPU_BLOCK_CHANNELS;
  p->store_to = j->tile_output + first * j->element;
  p->store_outputs =
      (uint32_t)(fc_min((int32_t)j->group_end * NPU_BLOCK_CHANNELS, j->outputs) - first);
  p->store_rows = (uint32_t)j->now->count;
  p->store_slot = ~j->groups & 1;
}

static void store(fc_job *j, const fc_pending *p) {
  const uint32_t slot = p->store_slot;
  const int32_t block = NPU_BLOCK_CHANNELS * j->element, plane = block * j->rows;
  const uint32_t whole = p->store_outputs / NPU_BLOCK_CHANNELS,
                 rest = p->store_outputs % NPU_BLOCK_CHANNELS * (uint32_t)j->element;
  const int8_t *const from = j->out_slots + (slot != 0 ? j->out_bytes : 0);
  npu_dma_descriptor *const d = &j->stores[2 * slot], *last = d + 1;
  if (rest == 0 && d->reps2 == whole && d->reps1 == p->store_rows && d->next == 0) { // again
    d->dst = (uint32_t)p->store_to;
    j->stored[slot] = npu_dma_submit(1, d);
    return;
  }
  if (rest != 0)
    *last = npu_dma_2d(p->store_to + (int32_t)whole * block, j->outputs * j->element,
                       from + (int32_t)whole * plane, block, rest, p->store_rows);
  if (whole != 0) {
    *d = npu_dma_2d(p->store_to, j->outputs * j->element, from, block, (uint32_t)block,
                    p->store_rows);
    npu_dma_add_planes(d, whole, block, plane);
    if (rest != 0)
      npu_dma_chain(d, last);
  }
  j->stored[slot] = npu_dma_submit(1, whole != 0 ? d : last);
}

// Requantization of a block.
typedef struct fc_quant {
  npu_int32x16_t bias, bias_high, multiplier, shift;
} fc_quant;

NPU_VECTOR_INLINE fc_quant quant_of(const fc_job *j, const uint8_t *table) {
  fc_quant q;
  q.bias = npu_v_ld_w(table);
  if (j->element == 2) {
    q.bias_high = npu_v_ld_w(table + NPU_WIDE_BIAS_HIGH);
    q.multiplier = npu_v_ld_w(table + NPU_WIDE_MULTIPLIER);
    q.shift = npu_v_ldl_bw(table + NPU_WIDE_SHIFT, NPU_BLOCK_CHANNELS);
  } else {
    q.bias_high = q.bias;
    q.multiplier = npu_v_ld_w(table + 64);
    q.shift = npu_v_ldl_bw(table + 128, NPU_BLOCK_CHANNELS);
  }
  return q;
}

NPU_VECTOR_INLINE npu_int32x16_t clamp(npu_int32x16_t x, const npu_fc_params *params) {
  return npu_v_min(npu_v_max(x, npu_v_bcast_w(params->activation_min)),
                   npu_v_bcast_w(params->activation_max));
}

// Makes the outputs of sums that wait for the core.
static void requantize(const fc_job *j) {
  const fc_pending *const p = &j->pending;
  const fc_quant q = quant_of(j, p->table);
  uint32_t row = p->row;
  int8_t *out = p->out;
  for (int32_t i = 0; i < p->rows; ++i, ++row, out += p->pitch) {
    if (j->element == 2) {
      const npu_wide product = npu_wide_product(npu_v_accrd(row + p->plane_rows), npu_v_accrd(row),
                                                q.bias, q.bias_high, q.multiplier);
      npu_v_stl_wh(clamp(npu_requantize_wide_once(product, q.shift), &j->params), out, p->outputs);
    } else {
      const npu_int32x16_t sum =
          npu_requantize_once(npu_v_accrd(row) + q.bias, q.multiplier, q.shift);
      npu_v_stl_wb(clamp(sum + j->params.output_offset, &j->params), out, p->outputs);
    }
  }
}

const uint8_t *npu_fc_copy_table(fc_job *j, const uint8_t *table, uint32_t half) {
  uint8_t *const to = j->tables + (half != 0 ? FC_TABLE_SLOT : 0);
  // Whole vectors: what follows the table does no harm.
  for (uint32_t at = 0; at < j->layout.table_bytes; at += NPU_BLOCK)
    npu_v_st_b(npu_v_ld_b(table + at), to + at);
  return to;
}

void npu_fc_begin_block(fc_job *j, const uint8_t *table) {
  j->table = table;
  j->drained = 0;
  if (j->element == 1 && !j->with_scales) {
    const npu_int32x16_t shift = npu_v_ldl_bw(table + 128, NPU_BLOCK_CHANNELS);
    if (npu_v_redmax(shift) <= 0) {
      j->drained = 1;
      npu_mac_ldq(table);
      return;
    }
  }
  if (j->chunk_blocks == 0 || !(j->late || j->weights_in_place))
    j->table = npu_fc_copy_table(j, table, j->half);
}

void npu_fc_end_block(fc_job *j, npu_ticket_t ticket) {
  fc_pending *const p = &j->pending;
  npu_fc_finish(j);
  const uint32_t rows = (uint32_t)j->now->count,
                 outputs = (uint32_t)fc_min(j->outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS,
                                            NPU_BLOCK_CHANNELS);
  if (j->drained) {
    p->ticket = npu_mac_drain(j->out, npu_mac_drain_ctl(j->half, rows, outputs, NPU_MAC_ONCE));
  } else {
    p->rows = j->now->count;
    p->ticket = ticket;
    p->table = j->table;
    p->out = j->out;
    p->pitch = npu_fc_output_pitch(j);
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
  if (p->rows != 0)
    requantize(j);
  p->rows = 0;
  if (p->store_to == 0)
    return;
  store(j, p);
  p->store_to = 0;
  if (j->block == j->group_end && j->block != j->blocks)
    npu_fc_begin_group(j);
}

void npu_fc_requantize_scaled(fc_job *j) {
  const fc_quant q = quant_of(j, j->table);
  const uint32_t pitch = npu_fc_output_pitch(j);
  const int32_t left = j->outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS;
  int8_t *out = j->out;
  for (int32_t r = 0; r < j->now->count; ++r, out += pitch) {
    const npu_int32x16_t sum = npu_requantize_once(j->sums[r] + q.bias, q.multiplier, q.shift);
    npu_v_stl_wb(clamp(sum + j->params.output_offset, &j->params), out,
                 (uint32_t)fc_min(left, NPU_BLOCK_CHANNELS));
  }
  next_block(j);
  npu_fc_finish(j);
}
