// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fully connected layers (npu/fully_connected.h). Weights stream in chunks on both DMA channels by
// turns, so that one is under way while the next one waits for its slot, and without a break from a
// tile of batches to the next, whose rows are loaded meanwhile. The last chunks get shorter: what
// the array does behind the last byte is not hidden.

#include "fc_job.h"
#include "npu/generated.h"
#include "vector_stream.h"
#include "wide.h"

#include <npu/dma.h>
#include <npu_platform.h>

enum {
  LEAST_STEPS = 16, // of the last chunks
  FIRST_PARTS = 4,  // of rows that the array waits for, logarithm
  PARTS = 2,        // of others
};

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
  const uint32_t first = j->p.chunk_blocks != 0 ? j->p.steps : j->p.chunk_steps,
                 behind = j->p.layout.table_bytes + first * j->p.layout.step_bytes;
  const uint8_t *const block = j->packed + ((slot & 1) != 0 ? j->p.block_bytes : 0);
  j->loads[slot].src = (uint32_t)(slot < 2 ? block : block + behind);
  j->loads[slot].len = slot < 2 ? behind : j->p.block_bytes - behind;
  j->loaded[slot] = npu_dma_submit(slot & 1, &j->loads[slot]);
}

int npu_fc_load(fc_job *j) {
  if (j->load_rows <= 0)
    return 0;
  const uint32_t slot = j->chunk++ & (FC_SLOTS - 1);
  const int last_tile = j->load_rows <= j->p.rows;
  uint32_t bytes, count;
  if (j->chunk <= j->p.pair_chunks) {
    load_of_pair(j, slot);
    return 1;
  }
  if (j->p.chunk_blocks != 0) {
    count = next_count(j->p.chunk_blocks, j->p.blocks - j->load_block, 1, last_tile);
    bytes = count * j->p.block_bytes;
    j->load_block += count;
  } else {
    count = next_count(j->p.chunk_steps, j->p.steps - j->load_step, LEAST_STEPS,
                       last_tile && j->load_block + 1 == j->p.blocks);
    bytes = count * j->p.layout.step_bytes + (j->load_step == 0 ? j->p.layout.table_bytes : 0);
    j->load_step += count;
    if (j->load_step == j->p.steps) {
      j->load_step = 0;
      ++j->load_block;
    }
  }
  j->counts[slot] = count;
  j->loads[slot].src = (uint32_t)j->load_from;
  j->loads[slot].len = bytes;
  j->loaded[slot] = npu_dma_submit(slot & 1, &j->loads[slot]);
  j->load_from += bytes;
  if (j->load_block == j->p.blocks) { // once more for the next tile
    j->load_block = 0;
    j->load_from = j->packed;
    j->load_rows -= j->p.rows;
  }
  return 1;
}

// ---- tiles of batches ------------------------------------------------------------------

static void load_part(fc_job *j, fc_rows *r) {
  const uint32_t step_bytes = (uint32_t)(j->p.layout.step_rows * j->p.element),
                 row_bytes = (uint32_t)(j->p.inputs * j->p.element),
                 at = r->steps_begun * step_bytes,
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
  r->steps_begun = fc_smaller(r->steps_begun + r->part_steps, j->p.steps);
}

// Prepares to bring the next tile's rows to where the array reads them, those of int16 to where
// they are split; starts the first part. Large tiles come in parts along the inputs, about 1 <<
// shift of them, so that the array may begin.
static void begin_rows(fc_job *j, uint32_t shift) {
  const uint32_t tile = j->next_tile++, row_bytes = (uint32_t)(j->p.inputs * j->p.element);
  fc_rows *const r = &j->tile_rows[tile & 1];
  r->from = j->input + (uint32_t)j->brought * row_bytes;
  r->count = fc_min(j->p.rows, j->p.batches - j->brought);
  j->brought += j->p.rows;
  r->part_steps = j->p.steps;
  r->parts[0] = NPU_TICKET_DONE;
  r->at = j->tile + (tile & (j->p.tiles - 1)) * j->p.tile_bytes;
  r->parts_begun = 0;
  r->steps_begun = 0;
  if (j->p.in_place) {
    if (j->p.element == 1)
      r->at = r->from;
    r->steps_begun = j->p.steps;
    return;
  }
  r->to = j->p.element == 2 ? j->raw : (int8_t *)r->at;
  r->to_pitch = j->p.element == 2 ? npu_fc_align(row_bytes) : j->p.pitch;
  if (j->p.element == 1 && (uint32_t)r->count * row_bytes > FC_SMALL_TILE)
    r->part_steps = (j->p.steps + (1u << shift) - 1) >> shift;
  load_part(j, r);
}

// The parts behind the first one that may be under way with it.
static void load_rows(fc_job *j) {
  fc_rows *const r = &j->tile_rows[~j->next_tile & 1];
  for (int part = 1; part < FC_PARTS && r->steps_begun != j->p.steps; ++part)
    load_part(j, r);
}

void npu_fc_bring_inputs(fc_job *j) {
  fc_rows *const r = j->now;
  npu_wait(r->parts[j->part++ & (FC_PARTS - 1)]);
  j->present = fc_smaller(j->present + r->part_steps, j->p.steps);
}

void npu_fc_go_on(fc_job *j) {
  npu_fc_finish(j);
  fc_rows *const r = j->now;
  if (r->steps_begun != j->p.steps) {
    for (int i = 0; i < 2 && r->parts_begun != j->part + FC_PARTS && r->steps_begun != j->p.steps;
         ++i)
      load_part(j, r);
    if (j->chunk >= j->p.pair_chunks) // the bus is for the rows
      return;
  }
  if (j->p.late && j->chunk < j->used + FC_SLOTS) {
    npu_wait(j->last);
    npu_fc_load(j);
  }
  if (j->p.tiles == 2 && j->brought == j->first + j->p.rows && j->brought < j->p.batches &&
      j->present == j->p.steps && npu_poll(j->behind)) {
    begin_rows(j, PARTS);
    load_rows(j);
  }
}

static void begin_tile(fc_job *j, uint32_t tile) {
  j->now = &j->tile_rows[tile & 1];
  j->tile_output = j->output + (uint32_t)j->first * (uint32_t)(j->p.outputs * j->p.element);
  j->block = j->step = 0;
  j->present = j->part = 0;
  npu_fc_begin_group(j);
  if (j->p.element == 1)
    return;
  const uint32_t row_bytes = (uint32_t)(j->p.inputs * 2);
  const int8_t *from = j->p.in_place ? j->now->from : j->raw;
  const uint32_t from_pitch = j->p.in_place ? row_bytes : npu_fc_align(row_bytes);
  npu_wait(j->now->parts[0]);
  for (int32_t r = 0; r < j->now->count; ++r)
    npu_split_bytes(from + (uint32_t)r * from_pitch, (uint32_t)j->p.inputs,
                    j->tile + (uint32_t)r * j->p.pitch,
                    j->tile + j->p.plane + (uint32_t)r * j->p.pitch);
}

// One tile of few rows, blocks in parts: the array is faster than the bus, so nothing else
// overlaps.
static void stream(fc_job *j) {
  const uint32_t k = (uint32_t)j->p.layout.step_rows, ldw = k | j->p.int4,
                 rest = (uint32_t)j->p.inputs & (k - 1);
  uint32_t used = 0;
  begin_tile(j, 0);
  while (j->present < j->p.steps) {
    npu_fc_bring_inputs(j);
    npu_fc_go_on(j);
  }
  while (j->block < j->p.blocks && npu_unit_errors(NPU_STATUS_ERRORS) == 0) {
    uint32_t ctl = npu_mac_run_ctl(j->half, (uint32_t)j->now->count, k, 0, NPU_MAC_SWAP);
    const int8_t *in = j->now->at;
    npu_ticket_t ticket = NPU_TICKET_DONE;
    for (uint32_t left = j->p.steps; left != 0; ++used) {
      const uint32_t slot = used & (FC_SLOTS - 1), count = j->counts[slot];
      const uint8_t *at = j->slots + slot * j->p.slot_bytes;
      npu_wait(j->loaded[slot]);
      if (left == j->p.steps) {
        npu_fc_begin_block(j, at);
        at += j->p.layout.table_bytes;
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
  for (uint32_t tile = 0; j->first < j->p.batches && npu_unit_errors(NPU_STATUS_ERRORS) == 0;
       j->first += j->p.rows, ++tile) {
    if (j->brought == j->first) { // the only buffer
      npu_wait(j->last);
      begin_rows(j, FIRST_PARTS);
      load_rows(j);
    }
    begin_tile(j, tile);
    if (j->p.pair_chunks != 0 && tile == 0) {
      j->last = npu_fc_compute_pair(j);
      j->used = j->p.pair_chunks;
    }
    npu_fc_run_blocks(j);
    j->behind = j->last;
    if (j->p.element == 2) // the next tile's rows are split in this one's place
      npu_fc_finish(j);
  }
}

// ---- calls ------------------------------------------------------------------------------

// Cuts the scratch buffer into its parts.
static void place(fc_job *j, uint8_t *at) {
  j->loads = (npu_dma_descriptor *)at;
  j->stores = j->loads + FC_SLOTS;
  j->parts = j->stores + FC_STORES;
  at += FC_DESCRIPTORS * sizeof(npu_dma_descriptor);
  j->tables = at;
  at += 2 * FC_TABLE_SLOT;
  j->sums = (npu_int32x16_t *)at;
  at += j->p.with_scales ? FC_SUMS_BYTES * j->p.rows : 0;
  j->tile = (int8_t *)at;
  at += j->p.tiles * j->p.tile_bytes;
  j->out_slots = (int8_t *)at;
  at += 2 * j->p.out_bytes;
  j->slots = at;
  at += j->p.weights_in_place ? 0 : FC_SLOTS * j->p.slot_bytes;
  j->raw = (int8_t *)at;
}

// Executes the job's plan, which is complete.
static npu_status run(fc_job *j, const npu_context *context, const void *input, const void *packed,
                      void *output) {
  if (!npu_scratch_valid(context) || j->p.scratch_bytes > context->size)
    return NPU_ERROR_BUFFER;
  j->input = input;
  j->packed = packed;
  j->output = output;
  place(j, context->buffer);

  // The transfers begin before all else; later chunks queue up behind the first tile.
  npu_unit_errors_clear(NPU_STATUS_ERRORS);
  j->load_from = j->packed;
  j->load_rows = j->p.weights_in_place ? 0 : j->p.batches;
  j->load_block = j->load_step = j->chunk = 0;
  if (j->p.pair_chunks != 0) { // what follows them
    j->load_block = 2;
    j->load_from += 2 * j->p.block_bytes;
  }
  if (!j->p.weights_in_place)
    j->loads[0] = npu_dma_1d(j->slots, 0, 0);
  npu_fc_load(j);
  j->first = j->brought = 0;
  j->next_tile = 0;
  begin_rows(j, FIRST_PARTS);
  if (!j->p.weights_in_place)
    for (uint32_t slot = 1; slot < FC_SLOTS; ++slot)
      j->loads[slot] = npu_dma_1d(j->slots + slot * j->p.slot_bytes, 0, 0);
  npu_fc_load(j);
  if (j->tile_rows[0].steps_begun !=
      j->p.steps) // one for each channel, others when the array has work
    load_part(j, &j->tile_rows[0]);
  if (!j->p.many_rows) // which has time, and the bus is for its rows now
    npu_fc_load(j);
  j->half = 0;
  j->pending.ticket = j->copies_read = NPU_TICKET_DONE;
  j->pending.rows = 0;
  j->pending.store_to = 0;
  j->scaled.count = 0;
  j->groups = 0;
  j->stores[0].reps2 = j->stores[2].reps2 = 0; // not made yet
  j->stored[0] = j->stored[1] = NPU_TICKET_DONE;
  j->used = 0;
  j->last = j->behind = NPU_TICKET_DONE;
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NXSTRIDE, j->p.pitch);
  npu_csr_write(NPU_CSR_NVALID, 0);
  if (j->p.element == 1) {
    npu_csr_write(NPU_CSR_NOXSTRIDE, npu_fc_output_pitch(j));
    npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(j->p.params.output_offset, j->p.params.activation_min,
                                              j->p.params.activation_max));
  }
  if (j->p.streamed)
    stream(j);
  else
    run_tiles(j);
  npu_fc_finish(j);
  npu_wait(j->pending.ticket); // of a drain to where the outputs stay
  npu_wait(j->stored[0]);
  npu_wait(j->stored[1]);
  return npu_unit_status(NPU_STATUS_ERRORS);
}

npu_status npu_fc_plan_run(const npu_fc_plan *plan, const npu_context *context, const void *input,
                           const void *packed, void *output) {
  fc_job j;
  j.p = *plan;
  return run(&j, context, input, packed, output);
}

static npu_status plan_and_run(const npu_context *context, int32_t form,
                               const npu_fc_params *params, const npu_dims *input_dims,
                               const void *input, const npu_dims *filter_dims, const void *packed,
                               void *output) {
  const npu_fc_layout layout = npu_fc_layout_of(form);
  const uint32_t element = form == NPU_FC_S16 ? 2 : 1,
                 batches = (uint32_t)input_dims->n * (uint32_t)input_dims->h *
                           (uint32_t)input_dims->w * element,
                 blocks = (uint32_t)(filter_dims->n + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS;
  const uint32_t placement =
      (npu_in_tcm(input, batches * (uint32_t)filter_dims->c) ? NPU_CONV_INPUT_TCM : 0) |
      (npu_in_tcm(output, batches * (uint32_t)filter_dims->n) ? NPU_CONV_OUTPUT_TCM : 0) |
      (((uint32_t)packed & 3) == 0 &&
               npu_in_tcm(packed, blocks * npu_fc_block_bytes(filter_dims, layout))
           ? NPU_CONV_WEIGHTS_TCM
           : 0);
  if (__start_npu_generated_fc != __stop_npu_generated_fc) {
    const npu_fc_problem problem = {*input_dims, *filter_dims, *params,
                                    form,        placement,    context->size};
    const npu_generated_fc *const generated = npu_find_generated_fc(&problem);
    if (generated != 0)
      return generated->run(context, input, packed, output);
  }
  fc_job j; // set field by field: clearing it takes longer than the rest
  const npu_status status =
      npu_fc_plan_lay_out(&j.p, 0, form, params, input_dims, filter_dims, placement, context->size);
  return status != NPU_OK ? status : run(&j, context, input, packed, output);
}

npu_status npu_fully_connected_s8(const npu_context *context, const npu_fc_params *params,
                                  const npu_dims *input_dims, const int8_t *input,
                                  const npu_dims *filter_dims, const void *packed, int8_t *output) {
  return plan_and_run(context, NPU_FC_S8, params, input_dims, input, filter_dims, packed, output);
}

npu_status npu_fully_connected_s4(const npu_context *context, const npu_fc_params *params,
                                  const npu_dims *input_dims, const int8_t *input,
                                  const npu_dims *filter_dims, const void *packed, int8_t *output) {
  return plan_and_run(context, NPU_FC_S4, params, input_dims, input, filter_dims, packed, output);
}

npu_status npu_fully_connected_s4_block(const npu_context *context, const npu_fc_params *params,
                                        const npu_dims *input_dims, const int8_t *input,
                                        const npu_dims *filter_dims, const void *packed,
                                        int8_t *output) {
  return plan_and_run(context, NPU_FC_S4_BLOCK, params, input_dims, input, filter_dims, packed,
                      output);
}

npu_status npu_fully_connected_s16(const npu_context *context, const npu_fc_params *params,
                                   const npu_dims *input_dims, const int16_t *input,
                                   const npu_dims *filter_dims, const void *packed,
                                   int16_t *output) {
  return plan_and_run(context, NPU_FC_S16, params, input_dims, input, filter_dims, packed, output);
}
