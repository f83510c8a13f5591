// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolution and pooling (npu/fused.h). A band of the convolution's lines lies in the scratch
// buffer: all of them or as many as there is room for. While the array works on further tiles of
// the band, the core pools the lines that are complete. Lines that the next band's first windows
// need move to its start.

#include "npu/fused.h"

#include "conv_beside.h"
#include "conv_lines.h"
#include "pool_tile.h"
#include "vector_stream.h"

#include <string.h>

enum {
  CHANNELS = 64,      // of a vector
  ITEMS = 6,          // of a band, about
  PIECE_CYCLES = 240, // between two looks at the array, whose queue has work for twice as long
  DESCRIPTORS = 2 * sizeof(npu_dma_descriptor),
};

static int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}
static uint32_t align(uint32_t bytes) {
  return (bytes + 15) & ~15u;
}

typedef struct pool_epilogue {
  npu_conv_epilogue hooks; // first
  npu_pool_operator operator;
  npu_pool_params params;
  npu_dims taps, conv, out;
  // The band: its lines, the first one of them, how many are complete now and when the next item
  // is.
  const int8_t *lines;
  int32_t pixel, line, first, complete, next_complete;
  int32_t channels, next_channels; // of those lines that are complete
  int32_t band_start;              // first line that the convolution under way computes
  int32_t y, end, x, channel;      // output: what comes next, and the band's end
  npu_pool_run run;                // what is pooled next, and the lines under it
  const int8_t *under;
  // Output pixels whose windows lie between the image's left and right end, and how many of them
  // are pooled at once.
  int32_t whole, whole_end, piece;
  int8_t *output;                  // of the image
  // Two lines for an output in DRAM, or null.
  npu_dma_descriptor *descriptors;
  int8_t *slots;
  uint32_t slot_bytes;
  npu_ticket_t stored[2];
} pool_epilogue;

// Behind the last line of the convolution that the windows of output lines below `end` need.
static int32_t lines_needed(const pool_epilogue *e, int32_t end) {
  return min((end - 1) * e->params.stride.h - e->params.padding.h + e->taps.h, e->conv.h);
}
static int32_t first_needed(const pool_epilogue *e, int32_t y) {
  return max(y * e->params.stride.h - e->params.padding.h, 0);
}

static void begin(npu_conv_epilogue *hooks, const npu_conv_output *o) {
  pool_epilogue *const e = (pool_epilogue *)hooks;
  const int last = o->channel + o->channels == e->conv.c;
  const int single = o->plan->tiles == 1 && e->band_start == e->first; // all lines of the band
  e->next_complete = e->complete;
  e->next_channels = e->channels;
  if (o->region.x + o->region.w == e->conv.w && (last || single)) {
    e->next_complete = e->band_start + o->region.y + o->region.h;
    e->next_channels = o->channel + o->channels;
  }
}

static void issued(npu_conv_epilogue *hooks) {
  pool_epilogue *const e = (pool_epilogue *)hooks;
  e->complete = e->next_complete;
  e->channels = e->next_channels;
}

// The next vector of channels of line e->y.
static void begin_line(pool_epilogue *e) {
  const int32_t y = e->y * e->params.stride.h - e->params.padding.h, top = max(y, 0);
  e->run.rows = min(y + e->taps.h, e->conv.h) - top;
  e->run.lanes = (uint32_t)min(e->conv.c - e->channel, CHANNELS);
  e->under = e->lines + (top - e->first) * e->line + e->channel;
}

// Pools some pixels of it; true behind the line's last ones.
static int pool_piece(pool_epilogue *e, int8_t *line) {
  if (e->x == 0)
    begin_line(e);
  const int32_t x = e->x * e->params.stride.w - e->params.padding.w, left = max(x, 0);
  const int whole = e->x >= e->whole && e->x < e->whole_end;
  e->run.count = whole ? min(e->whole_end - e->x, e->piece) : 1;
  e->run.columns = whole ? e->taps.w : min(x + e->taps.w, e->conv.w) - left;
  e->run.in = e->under + left * e->pixel;
  e->run.out = line + e->x * e->conv.c + e->channel;
  e->operator.function(&e->run, e->operator.clamp);
  e->x += e->run.count;
  if (e->x < e->out.w)
    return 0;
  e->x = 0;
  e->channel += CHANNELS;
  return e->channel >= e->conv.c;
}

static int advance(npu_conv_epilogue *hooks, int bounded, npu_ticket_t until) {
  pool_epilogue *const e = (pool_epilogue *)hooks;
  const int32_t bytes = e->out.w * e->out.c;
  while (e->y < e->end && lines_needed(e, e->y + 1) <= e->complete &&
         min(e->channel + CHANNELS, e->conv.c) <= e->channels) {
    const int32_t odd = e->y & 1;
    int8_t *const to = e->output + e->y * bytes;
    int8_t *const line = e->slots == 0 ? to : e->slots + (odd ? e->slot_bytes : 0);
    if (bounded && !npu_poll(e->stored[odd]))
      return 1;
    npu_wait(e->stored[odd]);
    if (pool_piece(e, line)) {
      if (e->slots != 0) {
        e->descriptors[odd] = npu_dma_1d(to, line, (uint32_t)bytes);
        e->stored[odd] = npu_dma_start(&e->descriptors[odd], 1);
      }
      e->channel = 0;
      ++e->y;
    }
    if (bounded && npu_poll(until))
      return 1;
  }
  return 0;
}

// Lines [start, end) of the convolution's output for one image, as a convolution of the lines under
// them.
static npu_conv_problem lines_of(const npu_conv_problem *whole, int32_t start, int32_t end,
                                 int32_t *first) {
  const npu_conv_params *params = &whole->params;
  const int32_t window = (whole->filter.h - 1) * params->dilation.h + 1;
  const int32_t top = start * params->stride.h - params->padding.h;
  *first = max(top, 0);
  npu_conv_problem p = *whole;
  p.input.n = p.output.n = 1;
  p.input.h =
      min((end - 1) * params->stride.h - params->padding.h + window, whole->input.h) - *first;
  p.output.h = end - start;
  p.params.padding.h = *first - top;
  return p;
}

// Distance of pixels in the band: those that follow each other come from different banks.
static int32_t band_pixel(int32_t channels) {
  return channels % 64 == 0 ? channels + 16 : channels;
}

// What all runs have in common.
static void set_runs(pool_epilogue *e, int maximum) {
  const int32_t stride = e->params.stride.w, padding = e->params.padding.w, kw = e->taps.w;
  e->operator = npu_pool_operator_s8(&e->params, maximum);
  e->run.pixel = e->pixel;
  e->run.line = e->line;
  e->run.step = stride * e->pixel;
  e->run.out_step = e->conv.c;
  e->whole = (padding + stride - 1) / stride;
  e->whole_end =
      kw > e->conv.w + padding ? 0 : min((e->conv.w + padding - kw) / stride + 1, e->out.w);
  e->piece = max(PIECE_CYCLES / (8 + 5 * e->taps.h * kw / 2), 1);
}

static int shapes_valid(const npu_conv_params *params, const npu_dims *input, const npu_dims *conv,
                        const npu_pool_params *pool, const npu_dims *taps, const npu_dims *out) {
  return taps->h >= 1 && taps->h <= 255 && taps->w >= 1 && taps->w <= 255 && pool->stride.h >= 1 &&
         pool->stride.h <= 255 && pool->stride.w >= 1 && pool->stride.w <= 255 &&
         pool->padding.h >= 0 && pool->padding.w >= 0 && pool->input_pixel == 0 &&
         pool->input_line == 0 && pool->output_pixel == 0 && pool->output_line == 0 &&
         out->n == conv->n && out->c == conv->c && out->h >= 1 && out->h <= 65535 && out->w >= 1 &&
         out->w <= 65535 && npu_dims_elements(out, 1) != 0 &&
         npu_pool_valid(pool, conv, taps, out, INT8_MIN, INT8_MAX) &&
         (conv->h - 1) * params->stride.h - params->padding.h < input->h;
}

// Bytes for lines of the output.
static uint32_t line_bytes(const npu_dims *out) {
  return DESCRIPTORS + 2 * align((uint32_t)(out->w * out->c));
}

uint32_t npu_conv_pool_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                          const npu_dims *filter_dims, const npu_dims *conv_dims,
                                          const npu_pool_params *pool, const npu_dims *pool_dims,
                                          const npu_dims *output_dims) {
  const uint32_t conv = npu_conv_s8_get_buffer_size(params, input_dims, filter_dims, conv_dims);
  if (conv == 0 || !shapes_valid(params, input_dims, conv_dims, pool, pool_dims, output_dims))
    return 0;
  const uint64_t line = (uint64_t)conv_dims->w * (uint64_t)band_pixel(conv_dims->c);
  const uint64_t bytes =
      align(conv) + line_bytes(output_dims) + line * (uint64_t)min(pool_dims->h, conv_dims->h) + 16;
  return bytes > INT32_MAX ? 0 : (uint32_t)bytes;
}

// The plan of a band and its problem.
typedef struct band_plan {
  npu_conv_problem problem;
  npu_conv_plan plan;
} band_plan;

// Behind the last line of the output whose windows find their lines of the convolution among
// `lines` from `first`.
static int32_t band_end(const pool_epilogue *e, int32_t y, int32_t first, int32_t lines) {
  int32_t end = y + 1;
  while (end < e->out.h && lines_needed(e, end + 1) - first <= lines)
    ++end;
  return end;
}

// Lines of a tile: whole runs, and few beside the band's, as the pooling of the last tile has no
// array operation to hide behind.
static int32_t tile_lines(const npu_dims *out) {
  const int32_t run = max(NPU_RUN_PIXELS / out->w, 1);
  return max(out->h / (ITEMS * run), 1) * run;
}

// Plans the convolution of some lines, its output near, unless that is what the plan is for.
static npu_status plan_lines(band_plan *b, const npu_conv_problem *part, int search) {
  if (memcmp(part, &b->problem, sizeof *part) == 0)
    return NPU_OK;
  npu_status status = npu_conv_plan_lines(&b->plan, part, tile_lines(&part->output));
  if (status == NPU_ERROR_BUFFER && search)
    status = npu_conv_plan_make(&b->plan, part);
  if (status == NPU_OK)
    b->problem = *part;
  return status;
}

// One image, in bands of at most `lines` lines at `band`; `scratch` is the convolution's.
static npu_status run_image(pool_epilogue *e, band_plan *b, const npu_conv_problem *whole,
                            const npu_context *scratch, const int8_t *input, const void *packed,
                            int8_t *band, int32_t lines) {
  e->y = e->first = e->complete = e->channels = 0;
  e->lines = band;
  while (e->y < e->out.h) {
    const int32_t first = first_needed(e, e->y);
    if (first < e->complete && first > e->first) // lines that stay, one by one: they may overlap
      for (int32_t y = first; y < e->complete; ++y)
        npu_dma_copy(band + (y - first) * e->line, band + (y - e->first) * e->line,
                     (uint32_t)e->line);
    e->first = first;
    e->end = band_end(e, e->y, first, lines);
    const int32_t start = max(first, e->complete), end = lines_needed(e, e->end);
    if (start < end) {
      int32_t from;
      const npu_conv_problem part = lines_of(whole, start, end, &from);
      npu_status status = plan_lines(b, &part, 1);
      if (status != NPU_OK)
        return status;
      e->band_start = e->complete = start;
      status = npu_conv_run_with(&b->plan, &part, scratch,
                                 input + from * whole->input.w * whole->input.c, packed,
                                 band + (start - first) * e->line, &e->hooks);
      if (status != NPU_OK)
        return status;
    }
    e->complete = end;
    e->channels = e->conv.c;
    advance(&e->hooks, 0, NPU_TICKET_DONE);
  }
  return NPU_OK;
}

static npu_status run(const npu_context *context, const npu_conv_params *params,
                      const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                      const void *packed, const npu_dims *conv_dims, const npu_pool_params *pool,
                      const npu_dims *pool_dims, const npu_dims *output_dims, int8_t *output,
                      int maximum) {
  npu_conv_problem whole;
  npu_status status =
      npu_conv_problem_of(&whole, params, input_dims, input, filter_dims, packed, conv_dims, 0, 8);
  if (status != NPU_OK)
    return status;
  if (!shapes_valid(params, input_dims, conv_dims, pool, pool_dims, output_dims))
    return NPU_ERROR_ARGUMENT;
  if (context->size == 0 || !npu_scratch_valid(context))
    return NPU_ERROR_BUFFER;

  pool_epilogue e = {.hooks = {begin, issued, advance},
                     .params = *pool,
                     .taps = *pool_dims,
                     .conv = *conv_dims,
                     .out = *output_dims,
                     .pixel = band_pixel(conv_dims->c),
                     .stored = {NPU_TICKET_DONE, NPU_TICKET_DONE}};
  const uint32_t out_bytes = npu_dims_elements(output_dims, 1);
  uint8_t *at = context->buffer;
  uint32_t size = context->size;
  if (!npu_in_tcm(output, out_bytes)) {
    const uint32_t bytes = line_bytes(output_dims);
    if (bytes > size)
      return NPU_ERROR_BUFFER;
    e.descriptors = (npu_dma_descriptor *)at;
    e.slots = (int8_t *)at + DESCRIPTORS;
    e.slot_bytes = (bytes - DESCRIPTORS) / 2;
    at += bytes;
    size -= bytes;
  }

  // As many lines as leave the convolution a quarter of the buffer and what it needs for a good
  // plan.
  const int64_t line = (int64_t)conv_dims->w * e.pixel;
  const int32_t least = min(pool_dims->h, conv_dims->h);
  if (line * least + 16 > size)
    return NPU_ERROR_BUFFER;
  const int32_t most = min(max((int32_t)(size / 4 * 3 / (uint32_t)line), least), conv_dims->h);
  e.line = (int32_t)line;
  set_runs(&e, maximum);
  whole.placement |= NPU_CONV_OUTPUT_TCM;
  whole.out_pixel = e.pixel;
  whole.out_pitch = e.line;
  band_plan plan = {.problem = {.scratch_bytes = 0}};
  int32_t lines = most;
  for (;;) {
    const uint32_t band = align((uint32_t)(lines * e.line));
    whole.scratch_bytes = band < size ? size - band : 0;
    int32_t from;
    const int32_t end = band_end(&e, 0, 0, lines);
    const npu_conv_problem part = lines_of(&whole, 0, lines_needed(&e, end), &from);
    status = plan_lines(&plan, &part, lines == least);
    if (status != NPU_ERROR_BUFFER || lines == least)
      break;
    lines = max(lines - max(most / 4, 1), least);
  }
  if (status != NPU_OK)
    return status;

  const uint32_t band = align((uint32_t)(lines * e.line));
  const npu_context rest = {at + band, size - band};
  const int32_t in_image = input_dims->h * input_dims->w * input_dims->c;
  const int32_t out_image = output_dims->h * output_dims->w * output_dims->c;
  for (int32_t n = 0; n < input_dims->n && status == NPU_OK; ++n) {
    e.output = output + n * out_image;
    status = run_image(&e, &plan, &whole, &rest, input + n * in_image, packed, (int8_t *)at, lines);
  }
  npu_wait(e.stored[0]);
  npu_wait(e.stored[1]);
  return status == NPU_OK ? npu_unit_status(NPU_TRANSFER_ERRORS) : status;
}

npu_status npu_conv_max_pool_s8(const npu_context *context, const npu_conv_params *params,
                                const npu_dims *input_dims, const int8_t *input,
                                const npu_dims *filter_dims, const void *packed,
                                const npu_dims *conv_dims, const npu_pool_params *pool,
                                const npu_dims *pool_dims, const npu_dims *output_dims,
                                int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, packed, conv_dims, pool, pool_dims,
             output_dims, output, 1);
}

npu_status npu_conv_avg_pool_s8(const npu_context *context, const npu_conv_params *params,
                                const npu_dims *input_dims, const int8_t *input,
                                const npu_dims *filter_dims, const void *packed,
                                const npu_dims *conv_dims, const npu_pool_params *pool,
                                const npu_dims *pool_dims, const npu_dims *output_dims,
                                int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, packed, conv_dims, pool, pool_dims,
             output_dims, output, 0);
}
