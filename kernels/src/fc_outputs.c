// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs of fully connected layers: the sums of a block are requantized straight from the
// accumulators. The blocks of a group lie one behind the other in one of two slots, rows side by
// side, and are stored together.

#include "fc_job.h"
#include "wide.h"

enum { AT_ONCE = 8 }; // rows

static int8_t *output_of(fc_job *j) {
  const uint32_t bytes = (uint32_t)(NPU_BLOCK_CHANNELS * j->element);
  if (j->out_in_place)
    return j->tile_output + j->block * bytes;
  const uint32_t in_group = j->block & (j->group - 1), slot = j->stored_groups & 1;
  if (in_group == 0)
    npu_wait(j->stored[slot]);
  return j->out_slots + (slot != 0 ? j->out_bytes : 0) + in_group * bytes * (uint32_t)j->rows;
}

static inline uint32_t output_pitch(const fc_job *j) {
  return (uint32_t)((j->out_in_place ? j->outputs : NPU_BLOCK_CHANNELS) * j->element);
}

// What is to be stored behind the last row of the block at work.
static void set_store(const fc_job *j, fc_pending *p) {
  const uint32_t behind = j->block + 1;
  p->store_to = 0;
  if (j->out_in_place || (behind < j->blocks && (behind & (j->group - 1)) != 0))
    return;
  const int32_t first = (int32_t)(j->block & ~(j->group - 1)) * NPU_BLOCK_CHANNELS,
                end = fc_min((int32_t)behind * NPU_BLOCK_CHANNELS, j->outputs);
  p->store_to = j->tile_output + first * j->element;
  p->store_outputs = (uint32_t)(end - first);
  p->store_rows = (uint32_t)j->now->count;
}

static void store(fc_job *j, const fc_pending *p) {
  if (p->store_to == 0)
    return;
  const uint32_t slot = j->stored_groups++ & 1;
  const int32_t block = NPU_BLOCK_CHANNELS * j->element, plane = block * j->rows;
  const uint32_t whole = p->store_outputs / NPU_BLOCK_CHANNELS,
                 rest = p->store_outputs % NPU_BLOCK_CHANNELS * (uint32_t)j->element;
  const int8_t *const from = j->out_slots + (slot != 0 ? j->out_bytes : 0);
  npu_dma_descriptor *const d = &j->stores[2 * slot], *last = d + 1;
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

static fc_mode mode_of(const fc_job *j) {
  if (j->element == 2)
    return FC_ANY;
  fc_quant q = quant_of(j, j->pending.table);
  const npu_int32x16_t one = npu_v_bcast_w(1);
  const npu_int32x16_t unused = (npu_v_id_w() >= (int32_t)j->pending.outputs) | (q.multiplier == 0); // or always 0
  q.shift = npu_v_sel(unused, npu_v_bcast_w(-2), q.shift);
  q.multiplier = npu_v_sel(unused, one, q.multiplier);
  if (npu_v_redmax(q.shift) > -2 || npu_v_redmin(q.multiplier) < 0)
    return FC_ANY;
  if (j->params.activation_min != INT8_MIN || j->params.activation_max != INT8_MAX)
    return FC_CLAMPED;
  // Half way, sum times multiplier is an odd multiple of 2^(30 - shift): impossible for a sum of 32
  // bits if the multiplier has a bit set below bit -shift - 1.
  const npu_int32x16_t bits = q.multiplier & ((one << (-1 - q.shift)) - 1);
  return npu_v_redmin(bits) > 0 ? FC_PLAIN : FC_HALVES; // none of them is negative
}

// What the loop over rows needs, in registers.
typedef struct fc_span {
  npu_int32x16_t bias, multiplier, right;
  npu_fc_params params;
  int8_t *out;
  uint32_t row, pitch, outputs;
} fc_span;

// `count` <= AT_ONCE rows of the sums that wait, side by side, so that no instruction waits for the
// one before.
NPU_VECTOR_INLINE void requantize_rows(fc_span s, int halves, int clamped, int count) {
  npu_int32x16_t x[AT_ONCE], sign[AT_ONCE];
  for (int i = 0; i < count; ++i)
    x[i] = npu_v_accrd(s.row + (uint32_t)i);
  for (int i = 0; i < count; ++i)
    x[i] += s.bias;
  if (halves) { // away from zero: up, of the sum's magnitude
    for (int i = 0; i < count; ++i)
      sign[i] = x[i] >> 31;
    for (int i = 0; i < count; ++i)
      x[i] = (npu_int32x16_t)npu_v_mulh((npu_uint32x16_t)npu_v_abs(x[i]),
                                        (npu_uint32x16_t)s.multiplier);
    for (int i = 0; i < count; ++i)
      x[i] ^= sign[i];
  } else {
    for (int i = 0; i < count; ++i)
      x[i] = npu_v_mulh(x[i], s.multiplier);
  }
  for (int i = 0; i < count; ++i)
    x[i] = npu_v_srr(x[i], s.right) + s.params.output_offset;
  for (int i = 0; i < count; ++i, s.out += s.pitch) {
    if (clamped)
      npu_v_stl_wb(clamp(x[i], &s.params), s.out, s.outputs);
    else
      npu_v_stl_wbs(x[i], s.out, s.outputs); // saturates
  }
}

// The same for AT_ONCE rows side by side and the range of int8, whose additions and stores take
// several of them at once.
NPU_VECTOR_INLINE void requantize_dense(fc_span s) {
  npu_int32x16_t x[AT_ONCE];
  npu_int16x32_t h[AT_ONCE / 2];
  for (int i = 0; i < AT_ONCE; ++i)
    x[i] = npu_v_accrd(s.row + (uint32_t)i);
  for (int i = 0; i < AT_ONCE; ++i)
    x[i] += s.bias;
  for (int i = 0; i < AT_ONCE; ++i)
    x[i] = npu_v_mulh(x[i], s.multiplier);
  for (int i = 0; i < AT_ONCE; ++i)
    x[i] = npu_v_srr(x[i], s.right);
  for (int i = 0; i < AT_ONCE / 2; ++i)
    h[i] = __builtin_elementwise_add_sat(npu_v_packs(x[2 * i], x[2 * i + 1]), npu_v_bcast_h(s.params.output_offset));
  for (int i = 0; i < AT_ONCE / 4; ++i)
    npu_v_st_b(npu_v_packs(h[2 * i], h[2 * i + 1]), s.out + i * NPU_BLOCK);
}

NPU_VECTOR_INLINE fc_span span_of(const fc_pending *p) {
  const fc_span s = {.bias = npu_v_ld_w(p->table),
                     .multiplier = npu_v_ld_w(p->table + 64),
                     .right = ~npu_v_ldl_bw(p->table + 128, NPU_BLOCK_CHANNELS),
                     .params = *p->params,
                     .out = p->out,
                     .row = p->row,
                     .pitch = p->pitch,
                     .outputs = p->outputs};
  return s;
}

NPU_VECTOR_INLINE void requantize_far(fc_span s, int32_t count, int halves, int clamped) {
  for (; count >= AT_ONCE; count -= AT_ONCE, s.row += AT_ONCE, s.out += AT_ONCE * s.pitch)
    requantize_rows(s, halves, clamped, AT_ONCE);
  for (; count > 0; --count, ++s.row, s.out += s.pitch)
    requantize_rows(s, halves, clamped, 1);
}

static __attribute__((noinline)) void requantize_plain(const fc_pending *p, int32_t count) {
  fc_span s = span_of(p);
  if (s.pitch == NPU_BLOCK_CHANNELS && s.outputs == NPU_BLOCK_CHANNELS)
    for (; count >= AT_ONCE; count -= AT_ONCE, s.row += AT_ONCE, s.out += AT_ONCE * s.pitch)
      requantize_dense(s);
  requantize_far(s, count, 0, 0);
}
static __attribute__((noinline)) void requantize_halves(const fc_pending *p, int32_t count) {
  requantize_far(span_of(p), count, 1, 0);
}
static __attribute__((noinline)) void requantize_clamped(const fc_pending *p, int32_t count) {
  requantize_far(span_of(p), count, 1, 1);
}

static __attribute__((noinline)) void requantize_any(const fc_job *j, int32_t count) {
  const fc_pending *const p = &j->pending;
  const fc_quant q = quant_of(j, p->table);
  uint32_t row = p->row;
  int8_t *out = p->out;
  for (int32_t i = 0; i < count; ++i, ++row, out += p->pitch) {
    if (j->element == 2) {
      const npu_wide product =
          npu_wide_product(npu_v_accrd(row + p->plane_rows), npu_v_accrd(row), q.bias, q.bias_high,
                           q.multiplier);
      npu_v_stl_wh(clamp(npu_requantize_wide_once(product, q.shift), p->params), out, p->outputs);
    } else {
      const npu_int32x16_t sum =
          npu_requantize_once(npu_v_accrd(row) + q.bias, q.multiplier, q.shift);
      npu_v_stl_wb(clamp(sum + p->params->output_offset, p->params), out, p->outputs);
    }
  }
}

void npu_fc_requantize(fc_job *j, int32_t count) {
  fc_pending *const p = &j->pending;
  count = fc_min(count, p->left);
  npu_wait(p->ticket);
  if (p->mode == FC_UNKNOWN)
    p->mode = mode_of(j);
  if (p->mode == FC_PLAIN)
    requantize_plain(p, count);
  else if (p->mode == FC_HALVES)
    requantize_halves(p, count);
  else if (p->mode == FC_CLAMPED)
    requantize_clamped(p, count);
  else
    requantize_any(j, count);
  p->row += (uint32_t)count;
  p->out += (uint32_t)count * p->pitch;
  p->left -= count;
  if (p->left == 0)
    store(j, p);
}

void npu_fc_wait_for_outputs(fc_job *j, npu_ticket_t ticket) {
  fc_pending *const p = &j->pending;
  if (p->left != 0)
    npu_fc_requantize(j, p->left);
  const int32_t left = j->outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS;
  p->ticket = ticket;
  p->table = j->table;
  p->mode = FC_UNKNOWN;
  p->params = &j->params;
  p->pitch = output_pitch(j);
  p->out = output_of(j);
  p->row = j->half;
  p->left = j->now->count;
  p->plane_rows = (uint32_t)j->now->count;
  p->outputs = (uint32_t)fc_min(left, NPU_BLOCK_CHANNELS);
  set_store(j, p);
  j->half ^= NPU_RUN_PIXELS;
}

void npu_fc_requantize_scaled(fc_job *j) {
  const fc_quant q = quant_of(j, j->table);
  const uint32_t pitch = output_pitch(j);
  const int32_t left = j->outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS;
  int8_t *out = output_of(j);
  for (int32_t r = 0; r < j->now->count; ++r, out += pitch) {
    const npu_int32x16_t sum = npu_requantize_once(j->sums[r] + q.bias, q.multiplier, q.shift);
    npu_v_stl_wb(clamp(sum + j->params.output_offset, &j->params), out,
                 (uint32_t)fc_min(left, NPU_BLOCK_CHANNELS));
  }
  fc_pending p;
  set_store(j, &p);
  store(j, &p);
}
