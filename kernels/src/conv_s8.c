// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 convolution on the matrix unit (npu/conv.h).
//
// The output is cut into tiles whose input, with its border of zero points, fits the scratch buffer.
// Double-buffered DMA loads a tile's input and stores its output while the array works on another
// one. A tile is computed in rectangles of up to 128 pixels, which are one half of the accumulators:
// while one half is drained, the other is filled. For each rectangle and each block of 16 output channels
// the array runs once for each step along the window (conv_steps.h).

#include "npu/conv.h"

#include "conv_steps.h"
#include "npu/double_buffer.h"

#include <npu_platform.h>

enum {
  LOAD_DESCRIPTORS = 5, // the input, and the border above, below, left and right
  ALIGNMENT = 16,
  BANK_ROW = NPU_TCM_BANKS * NPU_TCM_BANK_BYTES, // bytes from a bank's word to its next
};

typedef struct step_word {
  int32_t offset; // from the window's first byte in the input tile
  uint32_t ctl;   // the K and `first` fields of mac.run
} step_word;

// Extents of a tile and of the parts of the scratch buffer.
typedef struct conv_plan {
  uint32_t steps;
  int32_t blocks;       // blocks of 16 output channels in all
  int32_t group_blocks; // of them, those whose weights are in the scratchpad together
  int32_t tile_h, tile_w;
  int32_t rect_h, rect_w; // of a run
  int32_t pitch;     // bytes from line to line of the input tile
  int32_t out_pitch; // the same of the output tile
  uint32_t packed_bytes, in_bytes, out_bytes;
} conv_plan;

// The output pixels of one tile.
typedef struct conv_region {
  int32_t n, y, x, h, w;
} conv_region;

typedef struct conv_slot {
  npu_dma_descriptor load[LOAD_DESCRIPTORS];
  npu_dma_descriptor store;
  conv_region region; // of the tile in the slot
  int8_t *in;
  int8_t *out;
} conv_slot;

typedef struct conv_job {
  npu_double_buffer buffers; // first: the callbacks get its address
  conv_plan plan;
  const npu_conv_params *params;
  const npu_dims *input_dims, *filter_dims, *output_dims;
  const int8_t *input;
  int8_t *output;
  conv_region next;                // the tile to load next
  int32_t first_channel, channels; // of the group in work
  uint32_t half;                   // first accumulator row of the half to fill next
  const uint8_t *packed;           // the group's tables and weights, in TCM
  step_word *steps;
  conv_slot *slots;
} conv_job;

static int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t divide_up(int32_t a, int32_t b) { return (a + b - 1) / b; }
static uint32_t align(uint32_t bytes) { return (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1u); }

// Input lines (or columns) under `count` output lines.
static int32_t input_extent(int32_t count, int32_t stride, int32_t taps, int32_t dilation) {
  return (count - 1) * stride + (taps - 1) * dilation + 1;
}

// Lines start four banks apart: the window rows of one activation vector do not meet in a bank, and from
// pixel to pixel down a column the array and the drain move on by as many banks as a DMA channel does
// each cycle, so that the channel, which has the lowest priority, finds its banks free.
static int32_t bank_friendly_pitch(int32_t bytes) {
  const int32_t skew = 16;
  return divide_up(max(bytes - skew, 0), BANK_ROW) * BANK_ROW + skew;
}

static uint32_t fixed_bytes(const conv_plan *plan) {
  return align(2 * sizeof(conv_slot)) + align(plan->steps * sizeof(step_word));
}

static uint32_t group_bytes(const conv_plan *plan, int32_t blocks) {
  return align((uint32_t)blocks * (NPU_TABLE_BYTES + NPU_STEP_BYTES * plan->steps));
}

// Sizes the slots for a tile and returns the bytes of the whole scratch buffer. 64 bits: the extents of
// a tile that is too large may not fit into 32.
static uint64_t size_tile(conv_plan *plan, const npu_conv_params *params, const npu_dims *filter,
                          const npu_dims *input, const npu_dims *output, int32_t h, int32_t w) {
  plan->tile_h = h;
  plan->tile_w = w;
  const int64_t line =
      (int64_t)input_extent(w, params->stride.w, filter->w, params->dilation.w) * input->c;
  if (line > INT32_MAX - 2 * BANK_ROW)
    return UINT64_MAX;
  plan->pitch = bank_friendly_pitch((int32_t)line);
  const uint64_t in =
      (uint64_t)plan->pitch *
      (uint64_t)input_extent(h, params->stride.h, filter->h, params->dilation.h);
  const int64_t out_line =
      (int64_t)w * min(plan->group_blocks * NPU_BLOCK_CHANNELS, output->c);
  if (out_line > INT32_MAX - 2 * BANK_ROW)
    return UINT64_MAX;
  plan->out_pitch = bank_friendly_pitch((int32_t)out_line);
  const uint64_t out = (uint64_t)plan->out_pitch * (uint64_t)h;
  if (in > UINT32_MAX / 4 || out > UINT32_MAX / 4)
    return UINT64_MAX;
  plan->in_bytes = align((uint32_t)in);
  plan->out_bytes = align((uint32_t)out);
  plan->packed_bytes = group_bytes(plan, plan->group_blocks);
  return (uint64_t)fixed_bytes(plan) + plan->packed_bytes +
         2 * ((uint64_t)plan->in_bytes + plan->out_bytes);
}

static npu_status check_shapes(const npu_conv_params *params, const npu_dims *filter,
                               const npu_dims *input, const npu_dims *output) {
  const int extents_ok = input->n >= 1 && input->h >= 1 && input->w >= 1 && input->h <= 65535 &&
                         input->w <= 65535 && output->h >= 1 && output->w >= 1 &&
                         output->h <= 65535 && output->w <= 65535;
  if (!extents_ok || input->n != output->n || input->c != filter->c || output->c != filter->n)
    return NPU_ERROR_ARGUMENT;
  return npu_conv_check_filter(filter, params);
}

// The largest h up to `tallest` with which a tile of h x w fits into `size` bytes; 0 if none does.
// Pitches are multiples of the alignment, so each line more takes the same number of bytes.
static int32_t fitting_height(conv_plan *plan, const npu_conv_params *params,
                              const npu_dims *filter, const npu_dims *input, const npu_dims *output,
                              int32_t tallest, int32_t w, uint32_t size) {
  const uint64_t one_line = size_tile(plan, params, filter, input, output, 1, w);
  if (one_line > size)
    return 0;
  const uint32_t more_lines = (size - (uint32_t)one_line) /
                              (2 * (uint32_t)(params->stride.h * plan->pitch + plan->out_pitch));
  return more_lines < (uint32_t)tallest ? (int32_t)more_lines + 1 : tallest;
}

// Chooses group and tile for a scratch buffer of `size` bytes; false if nothing fits.
static int make_plan(conv_plan *plan, const npu_conv_params *params, const npu_dims *filter,
                     const npu_dims *input, const npu_dims *output, uint32_t size) {
  plan->steps = npu_conv_count_steps(filter, params);
  plan->blocks = divide_up(filter->n, NPU_BLOCK_CHANNELS);
  plan->group_blocks = plan->blocks;
  // The weights of a group leave half of the buffer to the tiles, or there is one block only.
  while (plan->group_blocks > 1 && group_bytes(plan, plan->group_blocks) > size / 2)
    plan->group_blocks = divide_up(plan->group_blocks, 2);

  // From a full line on, narrower while nothing fits, or while the tile would be flat, which loads
  // many lines twice. Four tiles or more where that leaves enough pixels for a run, since the first load
  // and the last store have nothing to hide behind.
  const int32_t flat = 8, narrow = 64;
  int32_t w = output->w, h;
  for (;;) {
    const int32_t tallest =
        min(output->h, max(divide_up(output->h, 4), divide_up(NPU_RUN_PIXELS, w)));
    h = fitting_height(plan, params, filter, input, output, tallest, w, size);
    if (h > 0 && (h == tallest || w <= narrow || w <= flat * h))
      break;
    if (w == 1) {
      if (plan->group_blocks == 1)
        return 0;
      plan->group_blocks = divide_up(plan->group_blocks, 2);
      w = output->w;
      continue;
    }
    w = divide_up(w, 2);
  }

  // Tiles of about the same height, in fours: four lines are once around the banks.
  const int32_t four = h >= 4 ? 4 : 1;
  h -= h % four;
  h = divide_up(divide_up(output->h, divide_up(output->h, h)), four) * four;
  size_tile(plan, params, filter, input, output, h, w);

  // Equal rectangles, pixels down the columns: lines first, then columns while there is room.
  plan->rect_h = divide_up(h, divide_up(h, NPU_RUN_PIXELS));
  const int32_t room = min(w, NPU_RUN_PIXELS / plan->rect_h);
  plan->rect_w = divide_up(w, divide_up(w, room));
  return 1;
}

uint32_t npu_conv_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims) {
  if (check_shapes(params, filter_dims, input_dims, output_dims) != NPU_OK)
    return 0;
  conv_plan plan = {.steps = npu_conv_count_steps(filter_dims, params), .group_blocks = 1};
  const uint64_t bytes = size_tile(&plan, params, filter_dims, input_dims, output_dims, 1, 1);
  return bytes > UINT32_MAX ? 0 : (uint32_t)bytes;
}

// Steps through the tiles without divisions: the array waits for the core at the start of a tile.
static conv_region take_region(conv_job *job) {
  conv_region *next = &job->next;
  const npu_dims *out = job->output_dims;
  next->w = min(job->plan.tile_w, out->w - next->x);
  next->h = min(job->plan.tile_h, out->h - next->y);
  const conv_region taken = *next;
  next->x += job->plan.tile_w;
  if (next->x >= out->w) {
    next->x = 0;
    next->y += job->plan.tile_h;
    if (next->y >= out->h) {
      next->y = 0;
      ++next->n;
    }
  }
  return taken;
}

// Loads the input under the tile. What lies outside the image is filled with the zero point; the fills
// follow the copy in one chain.
static npu_ticket_t load(npu_double_buffer *buffers, uint32_t tile, uint32_t number) {
  (void)tile; // they come in order
  conv_job *job = (conv_job *)buffers;
  conv_slot *slot = &job->slots[number];
  const npu_conv_params *params = job->params;
  const npu_dims *in = job->input_dims;
  const conv_region r = slot->region = take_region(job);
  const int32_t pitch = job->plan.pitch;

  const int32_t h = input_extent(r.h, params->stride.h, job->filter_dims->h, params->dilation.h);
  const int32_t w = input_extent(r.w, params->stride.w, job->filter_dims->w, params->dilation.w);
  const int32_t y = r.y * params->stride.h - params->padding.h;
  const int32_t x = r.x * params->stride.w - params->padding.w;
  // Lines and columns of the border, and what is left for the image.
  const int32_t top = min(max(-y, 0), h);
  const int32_t left = min(max(-x, 0), w);
  const int32_t bottom = min(max(y + h - in->h, 0), h - top);
  const int32_t right = min(max(x + w - in->w, 0), w - left);
  const int32_t rows = h - top - bottom;
  const int32_t columns = w - left - right;

  const uint8_t zero = (uint8_t)-params->input_offset;
  int8_t *const at = slot->in;
  npu_dma_descriptor *d = slot->load;
  const npu_dma_descriptor *const first = d;
  *d = npu_dma_2d(at + top * pitch + left * in->c, pitch,
                  job->input + ((r.n * in->h + y + top) * in->w + x + left) * in->c,
                  in->w * in->c, (uint32_t)(columns * in->c), (uint32_t)rows);
  if (top > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at, pitch, zero, (uint32_t)(w * in->c), (uint32_t)top);
  }
  if (bottom > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at + (top + rows) * pitch, pitch, zero, (uint32_t)(w * in->c),
                           (uint32_t)bottom);
  }
  if (left > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at + top * pitch, pitch, zero, (uint32_t)(left * in->c), (uint32_t)rows);
  }
  if (right > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at + top * pitch + (left + columns) * in->c, pitch, zero,
                           (uint32_t)(right * in->c), (uint32_t)rows);
  }
  return npu_dma_submit(0, first);
}

static npu_ticket_t store(npu_double_buffer *buffers, uint32_t tile, uint32_t number) {
  (void)tile;
  conv_job *job = (conv_job *)buffers;
  conv_slot *slot = &job->slots[number];
  const npu_dims *out = job->output_dims;
  const conv_region r = slot->region;
  int8_t *to = job->output + ((r.n * out->h + r.y) * out->w + r.x) * out->c + job->first_channel;

  if (job->channels == out->c) {
    // The pixels of a line are contiguous on both sides.
    slot->store = npu_dma_2d(to, out->w * out->c, slot->out, job->plan.out_pitch,
                             (uint32_t)(r.w * out->c), (uint32_t)r.h);
  } else {
    slot->store = npu_dma_2d(to, out->c, slot->out, job->channels, (uint32_t)job->channels,
                             (uint32_t)r.w);
    npu_dma_add_planes(&slot->store, (uint32_t)r.h, out->w * out->c, job->plan.out_pitch);
  }
  return npu_dma_submit(1, &slot->store);
}

// Copies of the job's fields stay in registers; behind each instruction of the matrix unit the compiler
// would load the fields again, and the core's loads take banks from the array.
static npu_ticket_t compute(npu_double_buffer *buffers, uint32_t tile, uint32_t number) {
  (void)tile;
  conv_job *job = (conv_job *)buffers;
  const conv_slot *slot = &job->slots[number];
  const conv_region r = slot->region;
  const conv_plan *plan = &job->plan;
  const int32_t h = plan->rect_h, w = plan->rect_w;
  const int32_t in_column = job->params->stride.w * job->input_dims->c;
  const int32_t in_line = job->params->stride.h * plan->pitch, out_line = plan->out_pitch;
  const step_word *const first = job->steps, *const last = first + plan->steps;
  const uint8_t *const tables = job->packed;
  const int32_t channels = job->channels;
  uint32_t half = job->half;
  npu_ticket_t ticket = NPU_TICKET_DONE;

  for (int32_t y = 0; y < r.h; y += h) {
    const int32_t rows = min(h, r.h - y);
    npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)rows);
    const int8_t *in = slot->in + y * in_line;
    int8_t *out = slot->out + y * out_line;
    for (int32_t x = 0; x < r.w; x += w) {
      const uint32_t pixels = (uint32_t)(rows * min(w, r.w - x));
      const uint8_t *packed = tables;
      for (int32_t channel = 0; channel < channels; channel += NPU_BLOCK_CHANNELS) {
        if (channels > NPU_BLOCK_CHANNELS) // otherwise loaded once for the group
          npu_mac_ldq(packed);
        packed += NPU_TABLE_BYTES;
        uint32_t ctl = npu_mac_run_ctl(half, pixels, 0, 0, NPU_MAC_SWAP);
        for (const step_word *step = first; step != last; ++step) {
          npu_mac_ldw(packed, NPU_STEP_ROWS);
          packed += NPU_STEP_BYTES;
          npu_mac_run(in + step->offset, ctl | step->ctl);
          ctl |= NPU_MAC_ACC;
        }
        const uint32_t stored = (uint32_t)min(channels - channel, NPU_BLOCK_CHANNELS);
        ticket = npu_mac_drain(out + channel, npu_mac_drain_ctl(half, pixels, stored, 0));
        half ^= NPU_RUN_PIXELS;
        npu_double_buffer_service(buffers);
      }
      in += w * in_column;
      out += w * channels;
    }
  }
  job->half = half;
  return ticket;
}

// Loads the group's constants and sets what stays the same for all of its tiles.
static npu_status prepare_group(conv_job *job, const void *packed, uint8_t *to) {
  const npu_conv_params *params = job->params;
  const uint32_t block_bytes = NPU_TABLE_BYTES + NPU_STEP_BYTES * job->plan.steps;
  const int32_t block = job->first_channel / NPU_BLOCK_CHANNELS;
  const int32_t blocks = divide_up(job->channels, NPU_BLOCK_CHANNELS);
  if (npu_dma_copy(to, (const uint8_t *)packed + (uint32_t)block * block_bytes,
                   (uint32_t)blocks * block_bytes) != 0)
    return NPU_ERROR_TRANSFER;
  job->packed = to;

  const int32_t c = job->input_dims->c;
  const int32_t pitch = job->plan.pitch;
  npu_csr_write(NPU_CSR_NROWLEN, (uint32_t)npu_conv_row_bytes(job->filter_dims, params));
  npu_csr_write(NPU_CSR_NROWSTRIDE, (uint32_t)(params->dilation.h * pitch));
  npu_csr_write(NPU_CSR_NXSTRIDE, (uint32_t)(params->stride.h * pitch));
  npu_csr_write(NPU_CSR_NYSTRIDE, (uint32_t)(params->stride.w * c));
  npu_csr_write(NPU_CSR_NOXSTRIDE, (uint32_t)job->plan.out_pitch);
  npu_csr_write(NPU_CSR_NOYSTRIDE, (uint32_t)job->channels);
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(params->output_offset, params->activation_min,
                                                      params->activation_max));
  npu_mac_ldq(to);
  return NPU_OK;
}

static void write_steps(conv_job *job) {
  const npu_dims *filter = job->filter_dims;
  const npu_conv_params *params = job->params;
  step_word *word = job->steps;
  npu_conv_step step = npu_conv_first_step(filter, params);
  do {
    word->offset = step.ky * params->dilation.h * job->plan.pitch +
                   step.kx * params->dilation.w * filter->c + step.byte;
    word->ctl = npu_mac_run_ctl(0, 0, (uint32_t)step.k, (uint32_t)step.first, 0);
    ++word;
  } while (npu_conv_next_step(filter, params, &step));
}

static int in_scratchpad(const npu_context *context) {
  const uint32_t offset = (uint32_t)context->buffer - NPU_TCM_BASE;
  const uint32_t size = npu_csr_read(NPU_CSR_NTCMSIZE);
  return ((uint32_t)context->buffer & (ALIGNMENT - 1)) == 0 && offset < size &&
         context->size <= size - offset;
}

npu_status npu_conv_s8(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output) {
  conv_job job = {.buffers = {.load = load, .compute = compute, .store = store},
                  .params = params,
                  .input_dims = input_dims,
                  .filter_dims = filter_dims,
                  .output_dims = output_dims,
                  .input = input,
                  .output = output};
  const npu_status shapes = check_shapes(params, filter_dims, input_dims, output_dims);
  if (shapes != NPU_OK)
    return shapes;
  if (!in_scratchpad(context) ||
      !make_plan(&job.plan, params, filter_dims, input_dims, output_dims, context->size))
    return NPU_ERROR_BUFFER;
  const conv_plan *plan = &job.plan;
  const int32_t tiles = output_dims->n * divide_up(output_dims->h, plan->tile_h) *
                        divide_up(output_dims->w, plan->tile_w);

  uint8_t *at = context->buffer;
  job.slots = (conv_slot *)at;
  job.steps = (step_word *)(at + align(2 * sizeof(conv_slot)));
  at += fixed_bytes(plan);
  uint8_t *const constants = at;
  at += plan->packed_bytes;
  for (uint32_t slot = 0; slot < 2; ++slot, at += plan->in_bytes + plan->out_bytes) {
    job.slots[slot].in = (int8_t *)at;
    job.slots[slot].out = (int8_t *)at + plan->in_bytes;
  }
  write_steps(&job);

  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  const int32_t group_channels = plan->group_blocks * NPU_BLOCK_CHANNELS;
  for (; job.first_channel < output_dims->c; job.first_channel += group_channels) {
    job.channels = min(group_channels, output_dims->c - job.first_channel);
    job.next = (conv_region){0};
    const npu_status prepared = prepare_group(&job, packed, constants);
    if (prepared != NPU_OK)
      return prepared;
    npu_double_buffer_run(&job.buffers, (uint32_t)tiles);
  }

  const uint32_t errors = npu_csr_read(NPU_CSR_NSTATUS) & NPU_STATUS_ERRORS;
  if ((errors & (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR)) != 0)
    return NPU_ERROR_TRANSFER;
  return errors != 0 ? NPU_ERROR_MATRIX_UNIT : NPU_OK;
}
