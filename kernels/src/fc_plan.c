// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of fully connected layers (npu/fully_connected_plan.h). Plain C, the library's and the
// generator's.

#include "fc_layout.h"
#include "plan_words.h"

#include <npu_platform.h>

enum {
  SMALLEST_CHUNK = 4 << 10, // bytes of a slot of weights for which fewer batches are a tile
  LARGEST_CHUNK = 20 << 10, // 64 steps with scales and a table
  SHORT_CHUNK = (8 << 10) + 256,
  OUT_SLOT = 4 << 10,    // bytes of outputs that are stored together
  LEAST_ROWS = 64,       // of a tile of which there are two
  MANY_ROWS = 16,        // whose runs take longer than the core needs for a step
};

// Bytes of the scratch buffer for `rows` batches at a time, without the slots of weights; sets what
// depends on them.
static uint32_t size_for(npu_fc_plan *p, int32_t rows) {
  const uint32_t row_bytes = (uint32_t)(p->inputs * p->element);
  const int copied = !p->in_place || p->element == 2;
  p->rows = rows;
  // Rows lie an odd multiple of 16 bytes apart.
  p->pitch = copied ? ((uint32_t)p->inputs + 15) / 32 * 32 + 16 : (uint32_t)p->inputs;
  p->plane = p->element == 2 ? p->pitch * (uint32_t)rows : 0;
  const uint32_t block = (uint32_t)(NPU_BLOCK_CHANNELS * rows * p->element);
  p->group = 1;
  p->out_bytes = 0;
  if (!p->out_in_place) {
    while (p->group < p->blocks && 2 * p->group * block <= OUT_SLOT)
      p->group *= 2;
    p->out_bytes = p->group * block;
  }
  p->tile_bytes = copied ? p->pitch * (uint32_t)(rows * p->element) : 0;
  const uint32_t raw =
      p->element == 2 && !p->in_place ? npu_fc_align(row_bytes) * (uint32_t)rows : 0;
  return FC_DESCRIPTORS * NPU_DMA_DESCRIPTOR_BYTES + 2 * FC_TABLE_SLOT +
         (p->with_scales ? FC_SUMS_BYTES * (uint32_t)rows : 0) + p->tiles * p->tile_bytes + raw +
         2 * p->out_bytes;
}

static inline uint32_t smallest_slot(const npu_fc_plan *p) {
  return fc_smaller(p->block_bytes, p->layout.table_bytes + p->layout.step_bytes);
}

static inline int32_t most_rows(const npu_fc_plan *p) {
  return fc_min(p->batches, NPU_RUN_PIXELS >> (p->element - 1));
}

// Two tiles of rows, if there is another one and room for both, so that none is waited for. The
// bytes that they need.
static uint32_t choose_rows(npu_fc_plan *p, uint32_t size) {
  const int32_t most = most_rows(p);
  const uint32_t chunk = fc_smaller(SMALLEST_CHUNK, p->blocks * p->block_bytes);
  p->tiles = 2;
  if (p->batches > most && p->element == 1 && !p->in_place) {
    const uint32_t slots = p->weights_in_place ? 0 : FC_SLOTS * fc_smaller(chunk, p->block_bytes);
    for (int32_t rows = most; rows >= LEAST_ROWS; rows /= 2) {
      const uint32_t bytes = size_for(p, rows);
      if (bytes + slots <= size)
        return bytes;
    }
  }
  const uint32_t slots = p->weights_in_place ? 0 : FC_SLOTS * chunk;
  p->tiles = 1;
  for (int32_t rows = most;; rows = (rows + 1) / 2) {
    const uint32_t bytes = size_for(p, rows);
    if (bytes + slots <= size || rows == 1)
      return bytes;
  }
}

// The same as it is chosen; UINT32_MAX if there is no such plan.
static uint32_t take_rows(npu_fc_plan *p, const npu_fc_choice *choice) {
  const int two = choice->tiles == 2;
  if (choice->rows < 1 || choice->rows > most_rows(p) ||
      (two && (p->element == 2 || p->in_place || choice->rows >= p->batches)))
    return UINT32_MAX;
  p->tiles = two ? 2 : 1;
  return size_for(p, choice->rows);
}

static void set_layer(npu_fc_plan *p, int32_t form, const npu_dims *input, const npu_dims *filter) {
  p->layout = npu_fc_layout_of(form);
  p->element = form == NPU_FC_S16 ? 2 : 1;
  p->int4 = p->layout.step_rows == 32 ? NPU_PLAN_INT4 : 0;
  p->with_scales = form == NPU_FC_S4_BLOCK;
  p->inputs = filter->c;
  p->outputs = filter->n;
  p->batches = input->n * input->h * input->w;
  p->steps = npu_fc_steps(filter, p->layout);
  p->full_steps = (uint32_t)filter->c >> p->layout.step_shift;
  p->block_bytes = p->layout.table_bytes + p->steps * p->layout.step_bytes;
  p->blocks = (uint32_t)(filter->n + NPU_BLOCK_CHANNELS - 1) / NPU_BLOCK_CHANNELS;
}

// Whether the extents are positive and the bytes of the input and of the output below 2^31.
static int shapes_ok(const npu_fc_plan *p, const npu_dims *input, const npu_dims *filter) {
  int32_t batches, bytes;
  return ((input->n - 1) | (input->h - 1) | (input->w - 1)) >= 0 && input->c == filter->c &&
         !__builtin_mul_overflow(input->n, input->h, &batches) &&
         !__builtin_mul_overflow(batches, input->w, &batches) &&
         !__builtin_mul_overflow(batches, filter->c * p->element, &bytes) &&
         !__builtin_mul_overflow(batches, filter->n * p->element, &bytes) &&
         npu_fc_packed_bytes(filter, p->layout) != 0 &&
         (!p->with_scales || filter->c % NPU_FC_BLOCK == 0);
}

npu_status npu_fc_plan_lay_out(npu_fc_plan *p, const npu_fc_choice *choice, int32_t form,
                               const npu_fc_params *params, const npu_dims *input,
                               const npu_dims *filter, uint32_t placement, uint32_t scratch_bytes) {
  if (!npu_fc_filter_ok(filter))
    return NPU_ERROR_ARGUMENT;
  set_layer(p, form, input, filter);
  const int32_t low = p->element == 2 ? INT16_MIN : INT8_MIN,
                high = p->element == 2 ? INT16_MAX : INT8_MAX;
  if (!shapes_ok(p, input, filter) || params->activation_min < low ||
      params->activation_max > high || params->activation_min > params->activation_max ||
      params->output_offset < (p->element == 2 ? 0 : low) ||
      params->output_offset > (p->element == 2 ? 0 : high))
    return NPU_ERROR_ARGUMENT;
  p->params = *params;
  p->in_place = (placement & NPU_CONV_INPUT_TCM) != 0;
  p->out_in_place = (placement & NPU_CONV_OUTPUT_TCM) != 0;
  p->weights_in_place = (placement & NPU_CONV_WEIGHTS_TCM) != 0;
  const uint32_t fixed = choice == 0 ? choose_rows(p, scratch_bytes) : take_rows(p, choice);
  if (fixed > scratch_bytes)
    return NPU_ERROR_BUFFER;
  p->scratch_bytes = fixed;
  p->out_step = (uint32_t)(NPU_BLOCK_CHANNELS * p->element * (p->out_in_place ? 1 : p->rows));
  if (p->with_scales)
    p->steps_of_half = (uint32_t)NPU_RUN_PIXELS / (uint32_t)p->rows;
  p->chunk_blocks = 1;
  p->chunk_steps = 0;
  p->many_rows = p->element == 1 && p->rows >= MANY_ROWS;
  p->late = 0;
  p->streamed = 0;
  const int paired = p->many_rows && !p->with_scales && !p->in_place && p->blocks > 2 &&
                     p->rows * p->inputs > FC_SMALL_TILE;
  p->pair_chunks = paired ? 2 : 0;
  if (p->weights_in_place)
    return NPU_OK;
  const uint32_t room = (scratch_bytes - fixed) / FC_SLOTS & ~(FC_ALIGNMENT - 1u);
  // Few rows: what the array does behind the last byte is not hidden.
  const int few = p->element == 1 && !p->many_rows && !p->with_scales;
  const uint32_t most = choice != 0 ? choice->slot_bytes & ~(FC_ALIGNMENT - 1u)
                        : few       ? SHORT_CHUNK
                                    : LARGEST_CHUNK,
                 slot = p->slot_bytes = fc_smaller(room, most);
  if (slot < smallest_slot(p))
    return NPU_ERROR_BUFFER;
  if (slot < p->block_bytes) { // parts of a block, all of about the same size
    p->chunk_blocks = 0;
    for (p->chunk_steps = p->steps;
         p->layout.table_bytes + p->chunk_steps * p->layout.step_bytes > slot;)
      p->chunk_steps = (p->chunk_steps + 1) / 2;
    if (paired)
      p->pair_chunks = 2 * p->chunk_steps >= p->steps ? FC_SLOTS : 0;
  } else {
    while (p->chunk_blocks < p->blocks / 4 && (p->chunk_blocks + 1) * p->block_bytes <= slot)
      ++p->chunk_blocks;
  }
  p->streamed = few && p->chunk_blocks == 0 && p->rows == p->batches;
  p->late = p->many_rows || p->element == 2 || (p->with_scales && p->rows > 1);
  p->scratch_bytes += FC_SLOTS * slot;
  return NPU_OK;
}

npu_status npu_fc_plan_make(npu_fc_plan *plan, const npu_fc_problem *problem) {
  return npu_fc_plan_fill(plan, problem, 0);
}

npu_status npu_fc_plan_fill(npu_fc_plan *plan, const npu_fc_problem *problem,
                            const npu_fc_choice *choice) {
  return npu_fc_plan_lay_out(plan, choice, problem->form, &problem->params, &problem->input,
                             &problem->filter, problem->placement, problem->scratch_bytes);
}

static uint32_t buffer_size(int32_t form, const npu_dims *input, const npu_dims *filter) {
  npu_fc_plan p = {0};
  if (!npu_fc_filter_ok(filter))
    return 0;
  set_layer(&p, form, input, filter);
  if (!shapes_ok(&p, input, filter))
    return 0;
  p.tiles = 1;
  return size_for(&p, 1) + FC_SLOTS * npu_fc_align(smallest_slot(&p));
}

uint32_t npu_fully_connected_s8_get_buffer_size(const npu_dims *input_dims,
                                                const npu_dims *filter_dims) {
  return buffer_size(NPU_FC_S8, input_dims, filter_dims);
}

uint32_t npu_fully_connected_s4_get_buffer_size(const npu_dims *input_dims,
                                                const npu_dims *filter_dims) {
  return buffer_size(NPU_FC_S4, input_dims, filter_dims);
}

uint32_t npu_fully_connected_s4_block_get_buffer_size(const npu_dims *input_dims,
                                                      const npu_dims *filter_dims) {
  return buffer_size(NPU_FC_S4_BLOCK, input_dims, filter_dims);
}

uint32_t npu_fully_connected_s16_get_buffer_size(const npu_dims *input_dims,
                                                 const npu_dims *filter_dims) {
  return buffer_size(NPU_FC_S16, input_dims, filter_dims);
}
