// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fully connected layers (npu/fully_connected.h): the batches are the pixels of the array's runs,
// the weights stream past them in chunks on both DMA channels by turns, so that one is under way
// while the next one waits for its slot. The sums of a block of 16 outputs are requantized in
// vector code, straight from the accumulators, while the array works on the next block in the other
// half: a few rows behind each run.

#include "npu/fully_connected.h"

#include "fc_layout.h"
#include "vector_stream.h"
#include "wide.h"

#include <npu/dma.h>

enum {
  ALIGNMENT = 16,
  CHUNK = 8 << 10, // bytes of a slot of weights that keep the bus busy
  LARGEST_CHUNK = 3 * CHUNK,
  OUT_SLOT = 4 << 10, // bytes of outputs that are stored together
  TABLE_SLOT = 256,   // bytes of a table's copy, whole vectors
  QUOTA = 32,         // rows that are requantized at a time
  SLOTS = 4,          // of weights: two at work, the others under way
};

typedef struct fc_pending { // sums that wait in the accumulators
  npu_ticket_t ticket;      // of the last run
  uint32_t block;
  const uint8_t *table;
  int8_t *out;
  uint32_t row;          // next accumulator row
  int32_t left, outputs; // rows, outputs of the block
} fc_pending;

// What the steps of a burst share.
typedef struct fc_burst {
  uint32_t ldw, step_bytes, k;
  uint32_t low, high; // of the runs, without K and flags; high: of the second plane, which is
                      // `plane` bytes behind
  uint32_t plane;
} fc_burst;

// Sums of blocks of 32 inputs that wait to be scaled and added up.
typedef struct fc_scaled {
  npu_ticket_t ticket;
  uint32_t row, count;   // first accumulator row, steps
  const uint8_t *scales; // of the first step
  int first;             // of the block
} fc_scaled;

typedef struct fc_job {
  npu_fc_layout layout;
  int32_t element; // bytes of an activation; the planes of int16 lie `plane` bytes apart
  uint32_t int4;   // flag of mac.ldw
  int with_scales;
  npu_fc_params params;
  int32_t inputs, outputs, batches;
  const int8_t *input;
  const uint8_t *packed;
  int8_t *output;
  uint32_t steps, full_steps, blocks, block_bytes;

  // Plan.
  int32_t rows;          // batches of a tile
  uint32_t pitch, plane; // of the tile's rows; plane = 0: bytes have one
  uint32_t tile_bytes;
  uint32_t steps_of_half; // with scales
  int in_place, out_in_place, weights_in_place;
  uint32_t chunk_blocks, chunk_steps; // whole blocks of a chunk, or steps of a block
  int32_t group;                      // blocks whose outputs are stored together
  uint32_t slot_bytes, out_bytes;     // of a slot
  uint32_t interval;                  // steps behind which some rows are requantized

  // Scratch buffer.
  npu_dma_descriptor *loads, *stores; // one for each slot
  uint8_t *tables;                    // of the blocks in the two halves
  npu_int32x16_t *sums;               // of the tile's rows, with scales of blocks
  int8_t *tile, *raw;                 // rows, and int16 rows before they are split
  uint8_t *slots;
  int8_t *out_slots;

  // Where it is.
  const int8_t *rows_at; // the tile's rows
  int8_t *tile_output;
  int32_t tile_rows;
  const uint8_t *load_from;
  uint32_t load_block, load_step, chunk; // the next chunk to load
  npu_ticket_t loaded[SLOTS], stored[2];
  uint32_t block, step, half;
  fc_pending pending;
  int32_t stored_groups;
  uint8_t *table; // of the block at work
  fc_burst burst;
  fc_scaled scaled;
} fc_job;

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}
static inline uint32_t align(uint32_t bytes) {
  return (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1u);
}

// ---- weights -------------------------------------------------------------------------

// Starts to load the next chunk; one chunk takes a part of a block, or some blocks.
static void load(fc_job *j) {
  const uint32_t slot = j->chunk & (SLOTS - 1);
  j->loaded[slot] = NPU_TICKET_DONE;
  if (j->load_block >= j->blocks)
    return;
  uint32_t bytes;
  if (j->chunk_blocks != 0) {
    const uint32_t count = smaller(j->chunk_blocks, j->blocks - j->load_block);
    bytes = count * j->block_bytes;
    j->load_block += count;
  } else {
    const uint32_t count = smaller(j->chunk_steps, j->steps - j->load_step);
    bytes = count * j->layout.step_bytes + (j->load_step == 0 ? j->layout.table_bytes : 0);
    j->load_step += count;
    if (j->load_step == j->steps) {
      j->load_step = 0;
      ++j->load_block;
    }
  }
  j->loads[slot].src = (uint32_t)j->load_from;
  j->loads[slot].len = bytes;
  j->loaded[slot] = npu_dma_submit(j->chunk & 1, &j->loads[slot]);
  j->load_from += bytes;
  ++j->chunk;
}

// ---- outputs -------------------------------------------------------------------------

static inline int8_t *output_of(fc_job *j, uint32_t block) {
  const uint32_t bytes = (uint32_t)(NPU_BLOCK_CHANNELS * j->element);
  if (j->out_in_place)
    return j->tile_output + block * bytes;
  const uint32_t in_group = block % (uint32_t)j->group;
  if (in_group == 0)
    npu_wait(j->stored[j->stored_groups & 1]);
  return j->out_slots + (j->stored_groups & 1 ? j->out_bytes : 0) + in_group * bytes;
}

static inline uint32_t output_pitch(const fc_job *j) {
  return (uint32_t)((j->out_in_place ? j->outputs : j->group * NPU_BLOCK_CHANNELS) * j->element);
}

// Stores the outputs of a group behind its last block.
static void store(fc_job *j, uint32_t block) {
  const int32_t first = (int32_t)block / j->group * j->group * NPU_BLOCK_CHANNELS;
  const int32_t end = min((int32_t)(block + 1) * NPU_BLOCK_CHANNELS, j->outputs);
  if (j->out_in_place || (end < j->outputs && (int32_t)(block + 1) % j->group != 0))
    return;
  const uint32_t slot = j->stored_groups++ & 1;
  j->stores[slot] = npu_dma_2d(j->tile_output + first * j->element, j->outputs * j->element,
                               j->out_slots + slot * j->out_bytes, (int32_t)output_pitch(j),
                               (uint32_t)((end - first) * j->element), (uint32_t)j->tile_rows);
  j->stored[slot] = npu_dma_submit(1, &j->stores[slot]);
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

// Requantizes up to `count` rows of the sums that wait; behind the last one the group's store may
// start.
static void requantize(fc_job *j, int32_t count) {
  fc_pending *const p = &j->pending;
  const fc_quant q = quant_of(j, p->table);
  const npu_fc_params params = j->params;
  const uint32_t pitch = output_pitch(j), outputs = (uint32_t)p->outputs;
  count = min(count, p->left);
  uint32_t row = p->row;
  int8_t *out = p->out;
  npu_wait(p->ticket);
  if (j->element == 2) {
    const uint32_t high = (uint32_t)j->tile_rows;
    for (int32_t i = 0; i < count; ++i, ++row, out += pitch) {
      const npu_wide product = npu_wide_product(npu_v_accrd(row + high), npu_v_accrd(row), q.bias,
                                                q.bias_high, q.multiplier);
      npu_v_stl_wh(clamp(npu_requantize_wide_once(product, q.shift), &params), out, outputs);
    }
  } else if (npu_v_redmax(q.shift) <= -2) {
    // The store saturates: most layers need no other clamp.
    if (params.activation_min == INT8_MIN && params.activation_max == INT8_MAX) {
#pragma clang loop unroll_count(4)
      for (int32_t i = 0; i < count; ++i, ++row, out += pitch) {
        const npu_int32x16_t sum =
            npu_requantize_once_far(npu_v_accrd(row) + q.bias, q.multiplier, q.shift);
        npu_v_stl_wbs(sum + params.output_offset, out, outputs);
      }
    } else {
#pragma clang loop unroll_count(4)
      for (int32_t i = 0; i < count; ++i, ++row, out += pitch) {
        const npu_int32x16_t sum =
            npu_requantize_once_far(npu_v_accrd(row) + q.bias, q.multiplier, q.shift);
        npu_v_stl_wb(clamp(sum + params.output_offset, &params), out, outputs);
      }
    }
  } else {
    for (int32_t i = 0; i < count; ++i, ++row, out += pitch) {
      const npu_int32x16_t sum =
          npu_requantize_once(npu_v_accrd(row) + q.bias, q.multiplier, q.shift);
      npu_v_stl_wb(clamp(sum + params.output_offset, &params), out, outputs);
    }
  }
  p->row = row;
  p->out = out;
  p->left -= count;
  if (p->left == 0)
    store(j, p->block);
}

// ---- the array -----------------------------------------------------------------------

static void begin_block(fc_job *j, const uint8_t *table) {
  uint8_t *const to = j->table = j->tables + (j->half != 0 ? TABLE_SLOT : 0);
  // Whole vectors: what follows the table does no harm.
  for (uint32_t at = 0; at < j->layout.table_bytes; at += NPU_BLOCK)
    npu_v_st_b(npu_v_ld_b(table + at), to + at);
}

// Behind the last run of a block its sums wait for requantization.
static void end_block(fc_job *j, npu_ticket_t ticket) {
  if (j->pending.left != 0)
    requantize(j, j->pending.left);
  const int32_t left = j->outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS;
  j->pending = (fc_pending){.ticket = ticket,
                            .block = j->block,
                            .table = j->table,
                            .out = output_of(j, j->block),
                            .row = j->half,
                            .left = j->tile_rows,
                            .outputs = min(left, NPU_BLOCK_CHANNELS)};
  j->half ^= NPU_RUN_PIXELS;
  j->step = 0;
  ++j->block;
}

// A few steps with nothing in between: the bus brings one each 16 cycles. A function of its own, so
// that everything is in registers.
static __attribute__((noinline)) npu_ticket_t issue(const fc_burst *b, const uint8_t *weights,
                                                    const int8_t *in, uint32_t bytes, uint32_t add,
                                                    uint32_t count) {
  const uint32_t ldw = b->ldw, step_bytes = b->step_bytes, k = b->k, plane = b->plane;
  const uint32_t ctl = b->low | npu_mac_run_ctl(0, 0, bytes, 0, NPU_MAC_SWAP);
  npu_ticket_t ticket;
  npu_mac_ldw(weights, ldw);
  ticket = npu_mac_run(in, ctl | add);
  if (plane != 0) {
    const uint32_t high = b->high | npu_mac_run_ctl(0, 0, bytes, 0, 0);
    ticket = npu_mac_run(in + plane, high | add);
    while (--count != 0) {
      weights += step_bytes;
      in += k;
      npu_mac_ldw(weights, ldw);
      npu_mac_run(in, ctl | NPU_MAC_ACC);
      ticket = npu_mac_run(in + plane, high | NPU_MAC_ACC);
    }
    return ticket;
  }
#pragma clang loop unroll_count(4)
  while (--count != 0) {
    weights += step_bytes;
    in += k;
    npu_mac_ldw(weights, ldw);
    ticket = npu_mac_run(in, ctl | NPU_MAC_ACC);
  }
  return ticket;
}

// Issues the next `count` steps of the block over all rows; the ticket of the last run. While sums
// wait, some of their rows are requantized behind some steps.
static npu_ticket_t run_steps(fc_job *j, const uint8_t *weights, uint32_t count) {
  const uint32_t k = (uint32_t)j->layout.step_rows, rows = (uint32_t)j->tile_rows;
  fc_burst *const b = &j->burst;
  b->low = npu_mac_run_ctl(j->half, rows, 0, 0, 0);
  b->high = npu_mac_run_ctl(j->half + rows, rows, 0, 0, 0);
  const int8_t *in = j->rows_at + j->step * k;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  while (count != 0) {
    uint32_t steps = 1, bytes = k;
    if (j->step >= j->full_steps) // the last one is not full
      bytes = (uint32_t)j->inputs - j->step * k;
    else
      steps = smaller(smaller(count, j->full_steps - j->step),
                      j->pending.left == 0 ? count : j->interval);
    ticket = issue(b, weights, in, bytes, j->step != 0 ? NPU_MAC_ACC : 0, steps);
    weights += steps * b->step_bytes;
    in += steps * k;
    j->step += steps;
    count -= steps;
    if (j->pending.left != 0)
      requantize(j, QUOTA);
  }
  return ticket;
}

// Adds the sums of `count` blocks of 32 inputs, in the accumulators from `row` on, each times its
// scale.
static void add_scaled(fc_job *j, uint32_t row, uint32_t count, const uint8_t *scales, int first) {
  const uint32_t rows = (uint32_t)j->tile_rows, step_bytes = j->layout.step_bytes;
  for (uint32_t r = 0; r < rows; ++r) {
    npu_int32x16_t sum = first ? npu_v_bcast_w(0) : j->sums[r];
    const uint8_t *scale = scales;
    uint32_t at = row + r;
#pragma clang loop unroll_count(8)
    for (uint32_t s = 0; s < count; ++s, scale += step_bytes, at += rows) {
      const npu_int32x16_t product = npu_v_accrd(at) * npu_v_ldl_hw(scale, NPU_BLOCK_CHANNELS);
      sum += npu_v_srr(product, npu_v_bcast_w(8));
    }
    j->sums[r] = sum;
  }
}

static void requantize_scaled(fc_job *j) {
  const fc_quant q = quant_of(j, j->table);
  const uint32_t pitch = output_pitch(j);
  const int32_t left = j->outputs - (int32_t)j->block * NPU_BLOCK_CHANNELS;
  int8_t *out = output_of(j, j->block);
  for (int32_t r = 0; r < j->tile_rows; ++r, out += pitch) {
    const npu_int32x16_t sum = npu_requantize_once(j->sums[r] + q.bias, q.multiplier, q.shift);
    npu_v_stl_wb(clamp(sum + j->params.output_offset, &j->params), out,
                 (uint32_t)min(left, NPU_BLOCK_CHANNELS));
  }
  store(j, j->block);
  j->step = 0;
  ++j->block;
}

static void add_waiting(fc_job *j) {
  fc_scaled *const w = &j->scaled;
  if (w->count == 0)
    return;
  npu_wait(w->ticket);
  add_scaled(j, w->row, w->count, w->scales, w->first);
  w->count = 0;
}

// The next `count` steps with scales: each step has accumulator rows of its own, as many steps as a
// half has room for. What was issued before is added up while the array works.
static void run_scaled(fc_job *j, const uint8_t *weights, uint32_t count) {
  const uint32_t rows = (uint32_t)j->tile_rows, step_bytes = j->layout.step_bytes;
  const uint32_t run = npu_mac_run_ctl(0, rows, NPU_FC_BLOCK, 0, NPU_MAC_SWAP);
  const int8_t *in = j->rows_at + j->step * NPU_FC_BLOCK;
  while (count != 0) {
    const uint32_t steps = smaller(count, j->steps_of_half);
    const fc_scaled issued = {
        .row = j->half, .count = steps, .scales = weights + NPU_STEP_BYTES, .first = j->step == 0};
    npu_ticket_t ticket = NPU_TICKET_DONE;
    uint32_t ctl = run | j->half;
#pragma clang loop unroll_count(8)
    for (uint32_t s = 0; s < steps; ++s, ctl += rows, weights += step_bytes, in += NPU_FC_BLOCK) {
      npu_mac_ldw(weights, NPU_MAC_INT4 | NPU_FC_BLOCK);
      ticket = npu_mac_run(in, ctl);
    }
    add_waiting(j);
    j->scaled = issued;
    j->scaled.ticket = ticket;
    j->step += steps;
    count -= steps;
    j->half ^= NPU_RUN_PIXELS;
  }
}

// The steps of one chunk.
static npu_ticket_t compute(fc_job *j, const uint8_t *at) {
  npu_ticket_t ticket = NPU_TICKET_DONE;
  uint32_t blocks = j->chunk_blocks != 0 ? smaller(j->chunk_blocks, j->blocks - j->block) : 1;
  for (; blocks != 0; --blocks) {
    const uint32_t left = j->steps - j->step;
    const uint32_t count = j->chunk_blocks != 0 ? left : smaller(j->chunk_steps, left);
    if (j->step == 0) {
      begin_block(j, at);
      at += j->layout.table_bytes;
    }
    if (j->with_scales) {
      run_scaled(j, at, count);
      ticket = j->scaled.ticket;
      if (count == left) {
        add_waiting(j);
        requantize_scaled(j);
      }
    } else {
      ticket = run_steps(j, at, count);
      if (count == left)
        end_block(j, ticket);
    }
    at += count * j->layout.step_bytes;
  }
  return ticket;
}

// ---- tiles of batches ------------------------------------------------------------------

// Brings the tile's rows to where the array reads them.
static void load_rows(fc_job *j, int32_t first) {
  const uint32_t row_bytes = (uint32_t)(j->inputs * j->element);
  const int8_t *from = j->input + (uint32_t)first * row_bytes;
  uint32_t from_pitch = row_bytes;
  if (j->in_place && j->element == 1) {
    j->rows_at = from;
    return;
  }
  j->rows_at = j->tile;
  if (!j->in_place) {
    int8_t *const to = j->element == 2 ? j->raw : j->tile;
    if (j->element == 2)
      from_pitch = align(row_bytes);
    const npu_dma_descriptor d =
        npu_dma_2d(to, (int32_t)(j->element == 2 ? from_pitch : j->pitch), from, (int32_t)row_bytes,
                   row_bytes, (uint32_t)j->tile_rows);
    npu_wait(npu_dma_submit(1, &d));
    from = to;
  }
  if (j->element == 2)
    for (int32_t r = 0; r < j->tile_rows; ++r)
      npu_split_bytes(from + (uint32_t)r * from_pitch, (uint32_t)j->inputs,
                      j->tile + (uint32_t)r * j->pitch,
                      j->tile + j->plane + (uint32_t)r * j->pitch);
}

static void run_tile(fc_job *j, int32_t first) {
  j->tile_rows = min(j->rows, j->batches - first);
  j->tile_output = j->output + (uint32_t)first * (uint32_t)(j->outputs * j->element);
  j->load_from = j->packed;
  j->load_block = j->load_step = j->chunk = 0;
  j->block = j->step = 0;
  j->stored_groups = 0;
  if (!j->weights_in_place)
    load(j);
  load_rows(j, first);
  if (j->weights_in_place) {
    while (j->block < j->blocks)
      compute(j, j->packed + j->block * j->block_bytes);
  } else {
    for (int i = 1; i < SLOTS - 1; ++i)
      load(j);
    // A slot is loaded again when the chunk behind it has been issued, too: nothing waits for the
    // array.
    npu_ticket_t before = NPU_TICKET_DONE;
    for (uint32_t used = 0; j->block < j->blocks; ++used) {
      const uint32_t slot = used & (SLOTS - 1);
      npu_wait(j->loaded[slot]);
      const npu_ticket_t ticket = compute(j, j->slots + slot * j->slot_bytes);
      npu_wait(before);
      before = ticket;
      load(j);
    }
  }
  if (j->pending.left != 0)
    requantize(j, j->pending.left);
  npu_wait(j->stored[0]);
  npu_wait(j->stored[1]);
}

// ---- plan ------------------------------------------------------------------------------

// Bytes of the scratch buffer for `rows` batches at a time; sets what depends on them.
static uint32_t size_for(fc_job *j, int32_t rows, uint32_t slot_bytes) {
  const uint32_t row_bytes = (uint32_t)(j->inputs * j->element);
  j->rows = rows;
  j->slot_bytes = slot_bytes;
  const int copied = !j->in_place || j->element == 2;
  // Rows lie an odd multiple of 16 bytes apart.
  j->pitch =
      j->in_place && !copied ? (uint32_t)j->inputs : ((uint32_t)j->inputs + 15) / 32 * 32 + 16;
  j->plane = j->element == 2 ? j->pitch * (uint32_t)rows : 0;
  const uint32_t block = (uint32_t)(NPU_BLOCK_CHANNELS * rows * j->element);
  const uint32_t largest = (OUT_SLOT + block - 1) / block;
  j->group = (int32_t)smaller(largest, j->blocks);
  j->out_bytes = j->out_in_place ? 0 : (uint32_t)j->group * block;
  j->tile_bytes = copied ? j->pitch * (uint32_t)(rows * j->element) : 0;
  const uint32_t raw = j->element == 2 && !j->in_place ? align(row_bytes) * (uint32_t)rows : 0;
  return (SLOTS + 2) * sizeof(npu_dma_descriptor) + 2 * TABLE_SLOT +
         (j->with_scales ? 64 * (uint32_t)rows : 0) + j->tile_bytes + raw + 2 * j->out_bytes +
         (j->weights_in_place ? 0 : SLOTS * slot_bytes);
}

static inline uint32_t smallest_slot(const fc_job *j) {
  return smaller(j->block_bytes, j->layout.table_bytes + j->layout.step_bytes);
}

static int make_plan(fc_job *j, uint32_t size) {
  const int32_t most = NPU_RUN_PIXELS / j->element;
  int32_t rows = min(j->batches, most);
  const uint32_t chunk = smaller(CHUNK / 2, j->blocks * j->block_bytes);
  while (rows > 1 && size_for(j, rows, chunk) > size)
    rows = (rows + 1) / 2;
  const uint32_t fixed = size_for(j, rows, 0);
  if (fixed > size)
    return 0;
  if (!j->weights_in_place) {
    const uint32_t room = (size - fixed) / SLOTS & ~(ALIGNMENT - 1u);
    const uint32_t slot = smaller(room, LARGEST_CHUNK);
    if (slot < smallest_slot(j))
      return 0;
    size_for(j, rows, slot);
  }
  j->chunk_blocks = j->weights_in_place ? 1 : j->slot_bytes / j->block_bytes;
  if (j->chunk_blocks > 1)
    j->chunk_blocks = smaller(j->chunk_blocks, (j->blocks + 3) / 4);
  if (j->chunk_blocks == 0) { // parts of a block, all of about the same size
    const uint32_t most_steps = (j->slot_bytes - j->layout.table_bytes) / j->layout.step_bytes;
    const uint32_t parts = (j->steps + most_steps - 1) / most_steps;
    j->chunk_steps = (j->steps + parts - 1) / parts;
  }
  j->steps_of_half = (uint32_t)(NPU_RUN_PIXELS / rows);
  j->interval = QUOTA * j->steps / (uint32_t)rows + 1;
  return 1;
}

static void set_layer(fc_job *j, npu_fc_layout layout, int32_t element, const npu_dims *input,
                      const npu_dims *filter) {
  j->layout = layout;
  j->element = element;
  j->int4 = layout.step_rows == 32 ? NPU_MAC_INT4 : 0;
  j->with_scales = layout.step_bytes != NPU_STEP_BYTES;
  j->inputs = filter->c;
  j->outputs = filter->n;
  j->batches = input->n * input->h * input->w;
  j->steps = npu_fc_steps(filter, layout);
  j->full_steps = (uint32_t)filter->c / (uint32_t)layout.step_rows;
  j->block_bytes = layout.table_bytes + j->steps * layout.step_bytes;
  j->blocks = (uint32_t)(filter->n + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS;
}

static int shapes_ok(const fc_job *j, const npu_dims *input, const npu_dims *filter) {
  return npu_fc_filter_ok(filter) && input->c == filter->c &&
         npu_dims_elements(input, (uint32_t)j->element) != 0 &&
         npu_fc_packed_bytes(filter, j->layout) != 0 &&
         (!j->with_scales || filter->c % NPU_FC_BLOCK == 0) &&
         (uint64_t)(uint32_t)j->batches * (uint32_t)(filter->n * j->element) <= INT32_MAX;
}

static npu_status run(const npu_context *context, const npu_fc_params *params, npu_fc_layout layout,
                      int32_t element, const npu_dims *input_dims, const void *input,
                      const npu_dims *filter_dims, const void *packed, void *output) {
  fc_job j = {.params = *params, .input = input, .packed = packed, .output = output};
  if (!npu_fc_filter_ok(filter_dims))
    return NPU_ERROR_ARGUMENT;
  set_layer(&j, layout, element, input_dims, filter_dims);
  const int32_t low = element == 2 ? INT16_MIN : INT8_MIN,
                high = element == 2 ? INT16_MAX : INT8_MAX;
  if (!shapes_ok(&j, input_dims, filter_dims) || params->activation_min < low ||
      params->activation_max > high || params->activation_min > params->activation_max ||
      params->output_offset < (element == 2 ? 0 : low) ||
      params->output_offset > (element == 2 ? 0 : high))
    return NPU_ERROR_ARGUMENT;
  j.in_place = npu_in_tcm(input, (uint32_t)(j.batches * j.inputs * element));
  j.out_in_place = npu_in_tcm(output, (uint32_t)(j.batches * j.outputs * element));
  j.weights_in_place = npu_in_tcm(packed, j.blocks * j.block_bytes) && ((uint32_t)packed & 3) == 0;
  if (!npu_scratch_valid(context) || !make_plan(&j, context->size))
    return NPU_ERROR_BUFFER;

  uint8_t *at = context->buffer;
  j.loads = (npu_dma_descriptor *)at;
  j.stores = j.loads + SLOTS;
  at += (SLOTS + 2) * sizeof(npu_dma_descriptor);
  j.tables = at;
  at += 2 * TABLE_SLOT;
  j.sums = (npu_int32x16_t *)at;
  at += j.with_scales ? 64 * j.rows : 0;
  j.tile = (int8_t *)at;
  at += j.tile_bytes;
  j.out_slots = (int8_t *)at;
  at += 2 * j.out_bytes;
  j.slots = at;
  at += j.weights_in_place ? 0 : SLOTS * j.slot_bytes;
  j.raw = (int8_t *)at;
  j.stored[0] = j.stored[1] = NPU_TICKET_DONE;
  for (uint32_t slot = 0; slot < SLOTS; ++slot)
    j.loads[slot] = npu_dma_1d(j.slots + slot * j.slot_bytes, 0, 0);
  j.burst = (fc_burst){.ldw = (uint32_t)layout.step_rows | j.int4,
                       .step_bytes = layout.step_bytes,
                       .k = (uint32_t)layout.step_rows,
                       .plane = j.plane};

  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NXSTRIDE, j.pitch);
  npu_csr_write(NPU_CSR_NVALID, 0);
  for (int32_t first = 0; first < j.batches; first += j.rows)
    run_tile(&j, first);
  const uint32_t errors = npu_csr_read(NPU_CSR_NSTATUS) & NPU_STATUS_ERRORS;
  if ((errors & (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR)) != 0)
    return NPU_ERROR_TRANSFER;
  return errors != 0 ? NPU_ERROR_MATRIX_UNIT : NPU_OK;
}

static uint32_t buffer_size(npu_fc_layout layout, int32_t element, const npu_dims *input,
                            const npu_dims *filter) {
  fc_job j = {0};
  if (!npu_fc_filter_ok(filter))
    return 0;
  set_layer(&j, layout, element, input, filter);
  if (!shapes_ok(&j, input, filter))
    return 0;
  return size_for(&j, 1, align(smallest_slot(&j)));
}

uint32_t npu_fully_connected_s8_get_buffer_size(const npu_dims *input_dims,
                                                const npu_dims *filter_dims) {
  return buffer_size(npu_fc_layout_s8(), 1, input_dims, filter_dims);
}

uint32_t npu_fully_connected_s4_get_buffer_size(const npu_dims *input_dims,
                                                const npu_dims *filter_dims) {
  return buffer_size(npu_fc_layout_s4(), 1, input_dims, filter_dims);
}

uint32_t npu_fully_connected_s4_block_get_buffer_size(const npu_dims *input_dims,
                                                      const npu_dims *filter_dims) {
  return buffer_size(npu_fc_layout_s4_block(), 1, input_dims, filter_dims);
}

uint32_t npu_fully_connected_s16_get_buffer_size(const npu_dims *input_dims,
                                                 const npu_dims *filter_dims) {
  return buffer_size(npu_fc_layout_s16(), 2, input_dims, filter_dims);
}

npu_status npu_fully_connected_s8(const npu_context *context, const npu_fc_params *params,
                                  const npu_dims *input_dims, const int8_t *input,
                                  const npu_dims *filter_dims, const void *packed, int8_t *output) {
  return run(context, params, npu_fc_layout_s8(), 1, input_dims, input, filter_dims, packed,
             output);
}

npu_status npu_fully_connected_s4(const npu_context *context, const npu_fc_params *params,
                                  const npu_dims *input_dims, const int8_t *input,
                                  const npu_dims *filter_dims, const void *packed, int8_t *output) {
  return run(context, params, npu_fc_layout_s4(), 1, input_dims, input, filter_dims, packed,
             output);
}

npu_status npu_fully_connected_s4_block(const npu_context *context, const npu_fc_params *params,
                                        const npu_dims *input_dims, const int8_t *input,
                                        const npu_dims *filter_dims, const void *packed,
                                        int8_t *output) {
  return run(context, params, npu_fc_layout_s4_block(), 1, input_dims, input, filter_dims, packed,
             output);
}

npu_status npu_fully_connected_s16(const npu_context *context, const npu_fc_params *params,
                                   const npu_dims *input_dims, const int16_t *input,
                                   const npu_dims *filter_dims, const void *packed,
                                   int16_t *output) {
  return run(context, params, npu_fc_layout_s16(), 2, input_dims, input, filter_dims, packed,
             output);
}
