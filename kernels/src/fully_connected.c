// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fully connected layers (npu/fully_connected.h). Weights stream in chunks on both DMA channels by
// turns, so that one is under way while the next one waits for its slot, and without a break from a
// tile of batches to the next, whose rows are loaded meanwhile. The last chunks get shorter: what
// the array does behind the last byte is not hidden.

#include "fc_job.h"
#include "vector_stream.h"
#include "wide.h"

#include <npu/dma.h>
#include <npu_platform.h>

enum {
  ALIGNMENT = 16,
  SMALLEST_CHUNK = 4 << 10, // bytes of a slot of weights for which fewer batches are a tile
  LARGEST_CHUNK = 20 << 10, // 64 steps with scales and a table
  SHORT_CHUNK = (8 << 10) + 256,
  LEAST_STEPS = 16,     // of the last chunks
  SMALL_TILE = 8 << 10, // bytes that are loaded in one part
  OUT_SLOT = 4 << 10,   // bytes of outputs that are stored together
  LEAST_ROWS = 64,      // of a tile of which there are two
  MANY_ROWS = 16,       // whose runs take longer than the core needs for a step
  FIRST_PARTS = 4,      // of rows that the array waits for, logarithm
  PARTS = 2,            // of others
  DESCRIPTORS = FC_SLOTS + FC_PARTS + 4,
};

static inline uint32_t align(uint32_t bytes) {
  return (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1u);
}

// ---- weights -------------------------------------------------------------------------

// Blocks or steps of the next chunk. The last ones of all take half of what is left.
static inline uint32_t next_count(uint32_t most, uint32_t left, uint32_t least, int last) {
  if (last)
    most = fc_smaller(most, left / 2 > least ? left / 2 : least);
  return fc_smaller(most, left);
}

// Starts to load what belongs in this slot of the first two blocks, which come by turns: each as a
// whole, or in two parts.
static void load_of_pair(fc_job *j, uint32_t slot) {
  const uint32_t first = j->chunk_blocks != 0 ? j->steps : j->chunk_steps,
                 behind = j->layout.table_bytes + first * j->layout.step_bytes;
  const uint8_t *const block = j->packed + ((slot & 1) != 0 ? j->block_bytes : 0);
  j->loads[slot].src = (uint32_t)(slot < 2 ? block : block + behind);
  j->loads[slot].len = slot < 2 ? behind : j->block_bytes - behind;
  j->loaded[slot] = npu_dma_submit(slot & 1, &j->loads[slot]);
}

int npu_fc_load(fc_job *j) {
  if (j->load_rows <= 0)
    return 0;
  const uint32_t slot = j->chunk++ & (FC_SLOTS - 1);
  const int last_tile = j->load_rows <= j->rows;
  uint32_t bytes, count;
  if (j->chunk <= j->pair_chunks) {
    load_of_pair(j, slot);
    return 1;
  }
  if (j->chunk_blocks != 0) {
    count = next_count(j->chunk_blocks, j->blocks - j->load_block, 1, last_tile);
    bytes = count * j->block_bytes;
    j->load_block += count;
  } else {
    count = next_count(j->chunk_steps, j->steps - j->load_step, LEAST_STEPS,
                       last_tile && j->load_block + 1 == j->blocks);
    bytes = count * j->layout.step_bytes + (j->load_step == 0 ? j->layout.table_bytes : 0);
    j->load_step += count;
    if (j->load_step == j->steps) {
      j->load_step = 0;
      ++j->load_block;
    }
  }
  j->counts[slot] = count;
  j->loads[slot].src = (uint32_t)j->load_from;
  j->loads[slot].len = bytes;
  j->loaded[slot] = npu_dma_submit(slot & 1, &j->loads[slot]);
  j->load_from += bytes;
  if (j->load_block == j->blocks) { // once more for the next tile
    j->load_block = 0;
    j->load_from = j->packed;
    j->load_rows -= j->rows;
  }
  return 1;
}

// ---- tiles of batches ------------------------------------------------------------------

static void load_part(fc_job *j, fc_rows *r) {
  const uint32_t step_bytes = (uint32_t)(j->layout.step_rows * j->element),
                 row_bytes = (uint32_t)(j->inputs * j->element), at = r->steps_begun * step_bytes,
                 bytes = fc_smaller(r->part_steps * step_bytes, row_bytes - at),
                 part = r->parts_begun++, slot = part & (FC_PARTS - 1);
  npu_dma_descriptor *const d = &j->parts[slot];
  if (part < FC_PARTS) {
    *d = npu_dma_2d(r->to + at, (int32_t)r->to_pitch, r->from + at, (int32_t)row_bytes, bytes,
                    (uint32_t)r->count);
  } else {
    d->src = (uint32_t)(r->from + at);
    d->dst = (uint32_t)(r->to + at);
    d->len = bytes;
  }
  r->parts[slot] = npu_dma_submit(~part & 1, d);
  r->steps_begun = fc_smaller(r->steps_begun + r->part_steps, j->steps);
}

// Prepares to bring the next tile's rows to where the array reads them, those of int16 to where
// they are split; starts the first part. Large tiles come in parts along the inputs, about 1 <<
// shift of them, so that the array may begin.
static void begin_rows(fc_job *j, uint32_t shift) {
  const uint32_t tile = j->next_tile++, row_bytes = (uint32_t)(j->inputs * j->element);
  fc_rows *const r = &j->tile_rows[tile & 1];
  r->from = j->input + (uint32_t)j->brought * row_bytes;
  r->count = fc_min(j->rows, j->batches - j->brought);
  j->brought += j->rows;
  r->part_steps = j->steps;
  r->parts[0] = NPU_TICKET_DONE;
  r->at = j->tile + (tile & (j->tiles - 1)) * j->tile_bytes;
  r->parts_begun = 0;
  r->steps_begun = 0;
  if (j->in_place) {
    if (j->element == 1)
      r->at = r->from;
    r->steps_begun = j->steps;
    return;
  }
  r->to = j->element == 2 ? j->raw : (int8_t *)r->at;
  r->to_pitch = j->element == 2 ? align(row_bytes) : j->pitch;
  if (j->element == 1 && (uint32_t)r->count * row_bytes > SMALL_TILE)
    r->part_steps = (j->steps + (1u << shift) - 1) >> shift;
  load_part(j, r);
}

// The parts behind the first one that may be under way with it.
static void load_rows(fc_job *j) {
  fc_rows *const r = &j->tile_rows[~j->next_tile & 1];
  for (int part = 1; part < FC_PARTS && r->steps_begun != j->steps; ++part)
    load_part(j, r);
}

void npu_fc_bring_inputs(fc_job *j) {
  fc_rows *const r = j->now;
  npu_wait(r->parts[j->part++ & (FC_PARTS - 1)]);
  j->present = fc_smaller(j->present + r->part_steps, j->steps);
}

void npu_fc_go_on(fc_job *j) {
  npu_fc_finish(j);
  fc_rows *const r = j->now;
  if (r->steps_begun != j->steps) {
    for (int i = 0; i < 2 && r->parts_begun != j->part + FC_PARTS && r->steps_begun != j->steps;
         ++i)
      load_part(j, r);
    if (j->chunk >= j->pair_chunks) // the bus is for the rows
      return;
  }
  if (j->late && j->chunk < j->used + FC_SLOTS) {
    npu_wait(j->last);
    npu_fc_load(j);
  }
  if (j->tiles == 2 && j->brought == j->first + j->rows && j->brought < j->batches &&
      j->present == j->steps && npu_poll(j->behind)) {
    begin_rows(j, PARTS);
    load_rows(j);
  }
}

static void begin_tile(fc_job *j, uint32_t tile) {
  j->now = &j->tile_rows[tile & 1];
  j->tile_output = j->output + (uint32_t)j->first * (uint32_t)(j->outputs * j->element);
  j->block = j->step = 0;
  j->present = j->part = 0;
  npu_fc_begin_group(j);
  if (j->element == 1)
    return;
  const uint32_t row_bytes = (uint32_t)(j->inputs * 2);
  const int8_t *from = j->in_place ? j->now->from : j->raw;
  const uint32_t from_pitch = j->in_place ? row_bytes : align(row_bytes);
  npu_wait(j->now->parts[0]);
  for (int32_t r = 0; r < j->now->count; ++r)
    npu_split_bytes(from + (uint32_t)r * from_pitch, (uint32_t)j->inputs,
                    j->tile + (uint32_t)r * j->pitch, j->tile + j->plane + (uint32_t)r * j->pitch);
}

// One tile of few rows, blocks in parts: the array is faster than the bus, so nothing else
// overlaps.
static void stream(fc_job *j) {
  const uint32_t k = (uint32_t)j->layout.step_rows, ldw = k | j->int4,
                 rest = (uint32_t)j->inputs & (k - 1);
  uint32_t used = 0;
  begin_tile(j, 0);
  while (j->present < j->steps) {
    npu_fc_bring_inputs(j);
    npu_fc_go_on(j);
  }
  while (j->block < j->blocks && npu_unit_errors(NPU_STATUS_ERRORS) == 0) {
    uint32_t ctl = npu_mac_run_ctl(j->half, (uint32_t)j->now->count, k, 0, NPU_MAC_SWAP);
    const int8_t *in = j->now->at;
    npu_ticket_t ticket = NPU_TICKET_DONE;
    for (uint32_t left = j->steps; left != 0; ++used) {
      const uint32_t slot = used & (FC_SLOTS - 1), count = j->counts[slot];
      const uint8_t *at = j->slots + slot * j->slot_bytes;
      npu_wait(j->loaded[slot]);
      if (left == j->steps) {
        npu_fc_begin_block(j, at);
        at += j->layout.table_bytes;
      }
      left -= count;
      const uint32_t full = left == 0 && rest != 0 ? count - 1 : count;
      if (full != 0) {
        ticket = npu_fc_issue(at, in, ctl, full, ldw);
        ctl |= NPU_MAC_ACC;
        in += full * k;
      }
      if (full != count) // the last one is not full
        ticket = npu_fc_issue(at + full * NPU_STEP_BYTES, in,
                              ctl - npu_mac_run_ctl(0, 0, k - rest, 0, 0), 1, ldw);
      npu_wait(ticket);
      npu_fc_load(j);
    }
    npu_fc_end_block(j, ticket);
  }
}

static void run_tiles(fc_job *j) {
  for (uint32_t tile = 0; j->first < j->batches && npu_unit_errors(NPU_STATUS_ERRORS) == 0;
       j->first += j->rows, ++tile) {
    if (j->brought == j->first) { // the only buffer
      npu_wait(j->last);
      begin_rows(j, FIRST_PARTS);
      load_rows(j);
    }
    begin_tile(j, tile);
    if (j->pair_chunks != 0 && tile == 0) {
      j->last = npu_fc_compute_pair(j);
      j->used = j->pair_chunks;
    }
    npu_fc_run_blocks(j);
    j->behind = j->last;
    if (j->element == 2) // the next tile's rows are split in this one's place
      npu_fc_finish(j);
  }
}

// ---- plan ------------------------------------------------------------------------------

// Bytes of the scratch buffer for `rows` batches at a time, without the slots of weights; sets what
// depends on them.
static uint32_t size_for(fc_job *j, int32_t rows) {
  const uint32_t row_bytes = (uint32_t)(j->inputs * j->element);
  const int copied = !j->in_place || j->element == 2;
  j->rows = rows;
  // Rows lie an odd multiple of 16 bytes apart.
  j->pitch = copied ? ((uint32_t)j->inputs + 15) / 32 * 32 + 16 : (uint32_t)j->inputs;
  j->plane = j->element == 2 ? j->pitch * (uint32_t)rows : 0;
  const uint32_t block = (uint32_t)(NPU_BLOCK_CHANNELS * rows * j->element);
  j->group = 1;
  j->out_bytes = 0;
  if (!j->out_in_place) {
    while (j->group < j->blocks && 2 * j->group * block <= OUT_SLOT)
      j->group *= 2;
    j->out_bytes = j->group * block;
  }
  j->tile_bytes = copied ? j->pitch * (uint32_t)(rows * j->element) : 0;
  const uint32_t raw = j->element == 2 && !j->in_place ? align(row_bytes) * (uint32_t)rows : 0;
  return DESCRIPTORS * sizeof(npu_dma_descriptor) + 2 * FC_TABLE_SLOT +
         (j->with_scales ? 64 * (uint32_t)rows : 0) + j->tiles * j->tile_bytes + raw +
         2 * j->out_bytes;
}

static inline uint32_t smallest_slot(const fc_job *j) {
  return fc_smaller(j->block_bytes, j->layout.table_bytes + j->layout.step_bytes);
}

// Two tiles of rows, if there is another one and room for both, so that none is waited for. The
// bytes that they need.
static uint32_t choose_rows(fc_job *j, uint32_t size) {
  const int32_t most = fc_min(j->batches, NPU_RUN_PIXELS >> (j->element - 1));
  const uint32_t chunk = fc_smaller(SMALLEST_CHUNK, j->blocks * j->block_bytes);
  j->tiles = 2;
  if (j->batches > most && j->element == 1 && !j->in_place) {
    const uint32_t slots = j->weights_in_place ? 0 : FC_SLOTS * fc_smaller(chunk, j->block_bytes);
    for (int32_t rows = most; rows >= LEAST_ROWS; rows /= 2) {
      const uint32_t bytes = size_for(j, rows);
      if (bytes + slots <= size)
        return bytes;
    }
  }
  const uint32_t slots = j->weights_in_place ? 0 : FC_SLOTS * chunk;
  j->tiles = 1;
  for (int32_t rows = most;; rows = (rows + 1) / 2) {
    const uint32_t bytes = size_for(j, rows);
    if (bytes + slots <= size || rows == 1)
      return bytes;
  }
}

static int make_plan(fc_job *j, uint32_t size) {
  const uint32_t fixed = choose_rows(j, size);
  if (fixed > size)
    return 0;
  j->chunk_blocks = 1;
  j->chunk_steps = 0;
  j->many_rows = j->element == 1 && j->rows >= MANY_ROWS;
  j->late = 0;
  j->streamed = 0;
  const int paired = j->many_rows && !j->with_scales && !j->in_place && j->blocks > 2 &&
                     (uint32_t)(j->rows * j->inputs) > SMALL_TILE;
  j->pair_chunks = paired ? 2 : 0;
  if (j->weights_in_place)
    return 1;
  const uint32_t room = (size - fixed) / FC_SLOTS & ~(ALIGNMENT - 1u);
  // Few rows: what the array does behind the last byte is not hidden.
  const int few = j->element == 1 && !j->many_rows && !j->with_scales;
  const uint32_t slot = j->slot_bytes = fc_smaller(room, few ? SHORT_CHUNK : LARGEST_CHUNK);
  if (slot < smallest_slot(j))
    return 0;
  if (slot < j->block_bytes) { // parts of a block, all of about the same size
    j->chunk_blocks = 0;
    for (j->chunk_steps = j->steps;
         j->layout.table_bytes + j->chunk_steps * j->layout.step_bytes > slot;)
      j->chunk_steps = (j->chunk_steps + 1) / 2;
    if (paired)
      j->pair_chunks = 2 * j->chunk_steps >= j->steps ? FC_SLOTS : 0;
  } else {
    while (j->chunk_blocks < j->blocks / 4 && (j->chunk_blocks + 1) * j->block_bytes <= slot)
      ++j->chunk_blocks;
  }
  j->streamed = few && j->chunk_blocks == 0 && j->rows == j->batches;
  j->late = j->many_rows || j->element == 2 || (j->with_scales && j->rows > 1);
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
  j->full_steps = (uint32_t)filter->c >> layout.step_shift;
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

// Cuts the scratch buffer into its parts.
static void place(fc_job *j, uint8_t *at) {
  j->loads = (npu_dma_descriptor *)at;
  j->stores = j->loads + FC_SLOTS;
  j->parts = j->stores + 4;
  at += DESCRIPTORS * sizeof(npu_dma_descriptor);
  j->tables = at;
  at += 2 * FC_TABLE_SLOT;
  j->sums = (npu_int32x16_t *)at;
  at += j->with_scales ? 64 * j->rows : 0;
  j->tile = (int8_t *)at;
  at += j->tiles * j->tile_bytes;
  j->out_slots = (int8_t *)at;
  at += 2 * j->out_bytes;
  j->slots = at;
  at += j->weights_in_place ? 0 : FC_SLOTS * j->slot_bytes;
  j->raw = (int8_t *)at;
}

static npu_status run(const npu_context *context, const npu_fc_params *params, npu_fc_layout layout,
                      int32_t element, const npu_dims *input_dims, const void *input,
                      const npu_dims *filter_dims, const void *packed, void *output) {
  fc_job j; // set field by field: clearing it takes longer than the rest
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
  j.params = *params;
  j.input = input;
  j.packed = packed;
  j.output = output;
  j.in_place = npu_in_tcm(input, (uint32_t)(j.batches * j.inputs * element));
  j.out_in_place = npu_in_tcm(output, (uint32_t)(j.batches * j.outputs * element));
  j.weights_in_place = npu_in_tcm(packed, j.blocks * j.block_bytes) && ((uint32_t)packed & 3) == 0;
  if (!npu_scratch_valid(context) || !make_plan(&j, context->size))
    return NPU_ERROR_BUFFER;
  place(&j, context->buffer);

  // The transfers begin before all else; later chunks queue up behind the first tile.
  npu_unit_errors_clear(NPU_STATUS_ERRORS);
  j.load_from = packed;
  j.load_rows = j.weights_in_place ? 0 : j.batches;
  j.load_block = j.load_step = j.chunk = 0;
  if (j.pair_chunks != 0) { // what follows them
    j.load_block = 2;
    j.load_from += 2 * j.block_bytes;
  }
  if (!j.weights_in_place)
    j.loads[0] = npu_dma_1d(j.slots, 0, 0);
  npu_fc_load(&j);
  j.first = j.brought = 0;
  j.next_tile = 0;
  begin_rows(&j, FIRST_PARTS);
  if (!j.weights_in_place)
    for (uint32_t slot = 1; slot < FC_SLOTS; ++slot)
      j.loads[slot] = npu_dma_1d(j.slots + slot * j.slot_bytes, 0, 0);
  npu_fc_load(&j);
  if (j.tile_rows[0].steps_begun != j.steps) // one for each channel, others when the array has work
    load_part(&j, &j.tile_rows[0]);
  if (!j.many_rows) // which has time, and the bus is for its rows now
    npu_fc_load(&j);
  j.half = 0;
  j.pending.ticket = NPU_TICKET_DONE;
  j.pending.rows = 0;
  j.pending.store_to = 0;
  j.scaled.count = 0;
  j.groups = 0;
  j.out_step = (uint32_t)(NPU_BLOCK_CHANNELS * element * (j.out_in_place ? 1 : j.rows));
  j.stores[0].reps2 = j.stores[2].reps2 = 0; // not made yet
  j.stored[0] = j.stored[1] = NPU_TICKET_DONE;
  j.used = 0;
  j.last = j.behind = NPU_TICKET_DONE;
  if (j.with_scales)
    j.steps_of_half = (uint32_t)NPU_RUN_PIXELS / (uint32_t)j.rows;
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NXSTRIDE, j.pitch);
  npu_csr_write(NPU_CSR_NVALID, 0);
  if (element == 1) {
    npu_csr_write(NPU_CSR_NOXSTRIDE, npu_fc_output_pitch(&j));
    npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(params->output_offset, params->activation_min,
                                              params->activation_max));
  }
  if (j.streamed)
    stream(&j);
  else
    run_tiles(&j);
  npu_fc_finish(&j);
  npu_wait(j.pending.ticket); // of a drain to where the outputs stay
  npu_wait(j.stored[0]);
  npu_wait(j.stored[1]);
  return npu_unit_status(NPU_STATUS_ERRORS);
}

static uint32_t buffer_size(npu_fc_layout layout, int32_t element, const npu_dims *input,
                            const npu_dims *filter) {
  fc_job j = {0};
  if (!npu_fc_filter_ok(filter))
    return 0;
  set_layer(&j, layout, element, input, filter);
  if (!shapes_ok(&j, input, filter))
    return 0;
  j.tiles = 1;
  return size_for(&j, 1) + FC_SLOTS * align(smallest_slot(&j));
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
