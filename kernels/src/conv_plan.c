// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for convolutions (npu/conv_plan.h): what a choice of tiles needs. Portable.

#include "conv_steps.h"
#include "plan_words.h"

#include <npu_platform.h>
#include <string.h>

enum {
  ALIGNMENT = 16,
  BANK_ROW = NPU_TCM_BANKS * NPU_TCM_BANK_BYTES, // bytes from a bank's word to its next
  DESCRIPTORS = 6 * NPU_DMA_DESCRIPTOR_BYTES,    // two weights, two input, two store
  PART_DESCRIPTORS = (NPU_CONV_PARTS - 1) * NPU_DMA_DESCRIPTOR_BYTES,
  RUN_LEAST = 32,    // pixels of the runs of a part: shorter ones leave the core behind
  ROW_LEAST = 64,    // bytes of a part's lines: short ones waste the bus
  PART_LEAST = 8192, // bytes that come later: fewer are not worth the trouble
  MAX_POSITION = 32767,
};

static int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}
static int32_t divide_up(int32_t a, int32_t b) {
  return b == 1 ? a : a <= b ? a > 0 : (a + b - 1) / b; // most need no division
}
static uint64_t align(uint64_t bytes) {
  return (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static int in_range(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

npu_status npu_conv_check_filter(const npu_dims *filter, const npu_conv_params *params) {
  const int ok =
      in_range(filter->n, 1, 65535) && in_range(filter->h, 1, 255) && in_range(filter->w, 1, 255) &&
      in_range(filter->c, 1, 65535) && in_range(params->groups, 0, filter->n) &&
      (params->groups <= 1 || filter->n % params->groups == 0) &&
      in_range(npu_conv_row_bytes(filter, params), 1, 65535) &&
      in_range(params->stride.h, 1, 255) && in_range(params->stride.w, 1, 255) &&
      in_range(params->padding.h, 0, 255) && in_range(params->padding.w, 0, 255) &&
      in_range(params->dilation.h, 1, 255) && in_range(params->dilation.w, 1, 255) &&
      in_range(params->input_offset, -127, 128) && in_range(params->output_offset, -128, 127) &&
      in_range(params->activation_min, -128, 127) &&
      in_range(params->activation_max, params->activation_min, 127);
  return ok ? NPU_OK : NPU_ERROR_ARGUMENT;
}

static int dims_ok(const npu_dims *d) {
  return in_range(d->n, 1, 65535) && in_range(d->h, 1, 65535) && in_range(d->w, 1, 65535) &&
         in_range(d->c, 1, 65535) && (uint64_t)d->n * (uint64_t)d->h * (uint64_t)d->w < INT32_MAX &&
         (uint64_t)d->n * (uint64_t)d->h * (uint64_t)d->w * (uint64_t)d->c < INT32_MAX;
}

// A layout of a tensor in the scratchpad: 0, or pixels that do not overlap.
static int layout_ok(int32_t pixel, int32_t pitch, const npu_dims *d) {
  const int64_t step = pixel != 0 ? pixel : d->c;
  return (pixel == 0 || in_range(pixel, d->c, 65535)) &&
         (pitch == 0 || (pitch >= step * (d->w - 1) + d->c && pitch <= 1 << 24));
}

int npu_conv_may_pad_pixels(const npu_conv_problem *problem) {
  return problem->filter.w == 1 || !npu_conv_rows_joined(&problem->params) ||
         problem->filter.c % npu_conv_step_rows(problem->weight_bits) == 0;
}

npu_status npu_conv_check(const npu_conv_problem *problem) {
  const npu_dims *in = &problem->input, *filter = &problem->filter, *out = &problem->output;
  const npu_conv_params *params = &problem->params;
  if (!dims_ok(in) || !dims_ok(out) || npu_conv_check_filter(filter, params) != NPU_OK ||
      in->n != out->n || out->c != filter->n ||
      (int64_t)filter->c * max(params->groups, 1) != in->c ||
      (problem->weight_bits != 8 && problem->weight_bits != 4) || problem->placement > 7 ||
      !layout_ok(problem->in_pixel, problem->in_pitch, in) ||
      !layout_ok(problem->out_pixel, problem->out_pitch, out))
    return NPU_ERROR_ARGUMENT;
  // A step that goes on in the next pixel needs it to be contiguous.
  const int near = (problem->placement & NPU_CONV_INPUT_TCM) != 0;
  return near && problem->in_pixel > in->c && !npu_conv_may_pad_pixels(problem) ? NPU_ERROR_ARGUMENT
                                                                                : NPU_OK;
}

uint32_t npu_conv_count_steps(const npu_dims *filter, const npu_conv_params *params,
                              int32_t step_rows) {
  const int32_t row = npu_conv_row_bytes(filter, params);
  if (!npu_conv_rows_joined(params))
    return (uint32_t)(filter->h * filter->w * divide_up(row, step_rows));
  if (row * (NPU_MAX_WINDOW_ROWS - 1) >= step_rows)
    return (uint32_t)(filter->h * row + step_rows - 1) / (uint32_t)step_rows;
  uint32_t count = 1;
  npu_conv_step step = npu_conv_first_step(filter, params, step_rows);
  while (npu_conv_next_step(filter, params, step_rows, &step))
    ++count;
  return count;
}

static uint32_t block_bytes(const npu_conv_problem *problem) {
  const uint32_t steps = npu_conv_count_steps(&problem->filter, &problem->params,
                                              npu_conv_step_rows(problem->weight_bits));
  return NPU_TABLE_BYTES + NPU_STEP_BYTES * steps;
}

static int32_t groups_of(const npu_conv_problem *problem) {
  return max(problem->params.groups, 1);
}

static int32_t group_blocks(const npu_conv_problem *problem) {
  return divide_up(problem->filter.n / groups_of(problem), NPU_BLOCK_CHANNELS);
}

uint32_t npu_conv_packed_size(const npu_conv_problem *problem) {
  return npu_conv_check_filter(&problem->filter, &problem->params) == NPU_OK
             ? npu_conv_packed_bytes(problem)
             : 0;
}

uint32_t npu_conv_packed_bytes(const npu_conv_problem *problem) {
  const uint64_t bytes =
      (uint64_t)(groups_of(problem) * group_blocks(problem)) * block_bytes(problem);
  return bytes > INT32_MAX ? 0 : (uint32_t)bytes;
}

// ---- segments ----------------------------------------------------------------------------

// Whether every step takes whole rows of the array and stays inside its window row.
static int steps_uniform(const npu_conv_problem *problem) {
  return npu_conv_row_bytes(&problem->filter, &problem->params) %
             npu_conv_step_rows(problem->weight_bits) ==
         0;
}

// Contiguous bytes of a window row in the tile.
static int32_t contiguous_bytes(const npu_conv_problem *problem, int32_t in_pixel) {
  const int joined = npu_conv_rows_joined(&problem->params) && in_pixel == problem->filter.c;
  return joined ? problem->filter.w * problem->filter.c : problem->filter.c;
}

// A window of contiguous rows: whole steps of a row, up to a segment's, and where a row ends one
// step that goes on in the next ones.
static int32_t write_joined(const npu_dims *filter, int32_t step_rows, int32_t line_step,
                            int32_t pitch, npu_conv_segment *segments) {
  const int32_t row = filter->w * filter->c, window_rows = filter->h;
  const int32_t line_bytes = line_step * pitch, shift = step_rows == 32 ? 5 : 4;
  int32_t offset = 0, count = 0;
  uint32_t line = 0;
  for (int32_t ky = 0, byte = 0; ky < window_rows;) {
    const int32_t left = row - byte, rest = left & (step_rows - 1);
    for (int32_t whole = left >> shift; whole > 0; whole -= NPU_SEGMENT_STEPS, ++count) {
      const int32_t length = min(whole, NPU_SEGMENT_STEPS);
      if (segments != 0)
        segments[count] = (npu_conv_segment){offset + byte, (uint32_t)step_rows << 17,
                                             line | (uint32_t)byte, (uint32_t)length};
      byte += length << shift;
    }
    int32_t k = rest; // bytes of the step at the end
    if (rest != 0) {
      for (int32_t more = 1; k < step_rows && more < NPU_MAX_WINDOW_ROWS && ky + more < window_rows;
           ++more)
        k = min(k + row, step_rows);
      const int32_t first = k > rest ? rest : 0;
      if (segments != 0)
        segments[count] = (npu_conv_segment){
            offset + byte, (uint32_t)k << 17 | (uint32_t)first << 23, line | (uint32_t)byte, 1};
      ++count;
    }
    for (byte = k - rest + row; byte >= row;
         byte -= row) { // on to the row where the next one begins
      ++ky;
      offset += line_bytes;
      line += (uint32_t)line_step << 16;
    }
  }
  return count;
}

int32_t npu_conv_write_segments(const npu_conv_problem *problem, const npu_conv_plan *plan,
                                npu_conv_segment *segments) {
  // Copies, which the segments that are written cannot change.
  const npu_dims window = problem->filter, *const filter = &window;
  const npu_conv_params parameters = problem->params, *const params = &parameters;
  const int32_t rows = npu_conv_step_rows(problem->weight_bits);
  const int32_t pixel = plan->in_pixel, pitch = plan->in_pitch;
  int32_t count = 0;
  if (steps_uniform(problem) && contiguous_bytes(problem, pixel) % rows == 0) {
    const int32_t bytes = contiguous_bytes(problem, pixel);
    const int32_t taps = bytes == filter->c ? filter->w : 1;
    const int32_t steps = bytes / rows, parts = divide_up(steps, NPU_SEGMENT_STEPS);
    if (segments == 0)
      return filter->h * taps * parts;
    for (int32_t ky = 0; ky < filter->h; ++ky)
      for (int32_t kx = 0; kx < taps; ++kx) {
        int32_t column = kx * params->dilation.w * pixel;
        const int32_t line = ky * params->dilation.h;
        for (int32_t left = steps; left > 0; left -= NPU_SEGMENT_STEPS) {
          const int32_t length = min(left, NPU_SEGMENT_STEPS);
          segments[count++] =
              (npu_conv_segment){line * pitch + column, (uint32_t)rows << 17,
                                 (uint32_t)line << 16 | (uint32_t)column, (uint32_t)length};
          column += length * rows;
        }
      }
    return count;
  }

  const int joined = npu_conv_rows_joined(params), apart = joined && pixel != filter->c;
  if (joined && !apart)
    return write_joined(filter, rows, params->dilation.h, pitch, segments);
  // Whole steps of a tap are one segment where its bytes are contiguous.
  const int32_t row = npu_conv_row_bytes(filter, params);
  npu_conv_step step = npu_conv_first_step(filter, params, rows);
  do {
    const int32_t line = step.ky * params->dilation.h;
    int32_t column = step.kx * params->dilation.w * pixel + step.byte;
    if (apart)
      column = step.byte / filter->c * pixel + step.byte % filter->c;
    uint32_t length = 1;
    if (segments != 0)
      segments[count] = (npu_conv_segment){line * pitch + column,
                                           (uint32_t)step.k << 17 | (uint32_t)step.first << 23,
                                           (uint32_t)line << 16 | (uint32_t)column, 1};
    if (step.k == rows && step.first == 0 && !apart)
      for (; length < NPU_SEGMENT_STEPS && row - step.byte >= 2 * rows; ++length)
        step.byte += rows;
    if (segments != 0)
      segments[count].count = length;
    ++count;
  } while (npu_conv_next_step(filter, params, rows, &step));
  return count;
}

// ---- plan for a choice -----------------------------------------------------------------------

// Lines start where the array, going down a column, moves on by an odd number of times four banks
// with each pixel, as a DMA channel moves on with each beat: then the channel, which has the lowest
// priority, finds its banks free. The window rows of one activation vector, too, are in different
// banks.
static int64_t bank_friendly_pitch(int64_t bytes, int32_t skew) {
  return (bytes > skew ? (bytes - skew + BANK_ROW - 1) / BANK_ROW * BANK_ROW : 0) + skew;
}

// What the pitch is more than a multiple of BANK_ROW: so that `stride` of them are 16 or 48 more
// than one.
static int32_t skew_of(int32_t stride) {
  return stride == 4 ? 20 : stride == 2 ? 24 : 16;
}

// Banks of `bytes` bytes at any of the four offsets within a word.
static uint32_t banks_of(uint32_t at, uint32_t bytes) {
  uint32_t banks = 0;
  for (uint32_t word = at >> 2; word <= (at + bytes + 2) >> 2; ++word)
    banks |= 1u << (word & (NPU_TCM_BANKS - 1));
  return banks;
}

// Steps whose vector has bytes of two window rows in the same bank.
static int32_t conflicting_steps(const npu_conv_problem *problem, int64_t pitch) {
  const npu_dims *filter = &problem->filter;
  const int32_t rows = npu_conv_step_rows(problem->weight_bits);
  const uint32_t row = (uint32_t)pitch % BANK_ROW * (uint32_t)problem->params.dilation.h;
  int32_t count = 0;
  npu_conv_step step = npu_conv_first_step(filter, &problem->params, rows);
  do
    if (step.first != 0 && (banks_of((uint32_t)step.byte, (uint32_t)step.first) &
                            banks_of(row, (uint32_t)(step.k - step.first))) != 0)
      ++count;
  while (npu_conv_next_step(filter, &problem->params, rows, &step));
  return count;
}

static void split_evenly(int32_t extent, int32_t most, int32_t *part) {
  *part = extent <= most ? extent : divide_up(extent, divide_up(extent, most));
}

// The runs of a tile.
static void choose_runs(npu_conv_runs *runs, int columns, int32_t h, int32_t w) {
  if (columns) {
    split_evenly(h, NPU_RUN_PIXELS, &runs->h);
    split_evenly(w, NPU_RUN_PIXELS / runs->h, &runs->w);
  } else {
    split_evenly(w, NPU_RUN_PIXELS, &runs->w);
    split_evenly(h, NPU_RUN_PIXELS / runs->w, &runs->h);
  }
}

// Parts in which a tile's input comes while the array has nothing else to do: columns of runs that
// go down the columns, otherwise lines.
static void choose_parts(npu_conv_plan *plan) {
  const npu_conv_choice *c = &plan->choice;
  const int32_t h = min(c->single_input ? max(c->first_h, c->tile_h) : c->first_h, plan->out_h);
  const int32_t across = c->column_order ? h : c->tile_w, along = c->column_order ? c->tile_w : h;
  const int32_t part = max(divide_up(along, NPU_CONV_PARTS), divide_up(RUN_LEAST, across));
  const int32_t stride = c->column_order ? plan->stride_w : plan->stride_h;
  const int32_t rest = (along - part) * stride * across; // pixels of the input, at least
  plan->parts = 1;
  if ((plan->placement & NPU_CONV_INPUT_TCM) != 0 || plan->chunks > 1 || plan->load_channels > 1 ||
      across > NPU_RUN_PIXELS || (int64_t)rest * plan->in_bytes < PART_LEAST ||
      (c->column_order && part * stride * plan->in_bytes < ROW_LEAST))
    return;
  choose_runs(&plan->part_runs, c->column_order, c->column_order ? h : part,
              c->column_order ? part : c->tile_w);
  plan->parts = min(divide_up(along, c->column_order ? plan->part_runs.w : plan->part_runs.h),
                    NPU_CONV_PARTS);
}

static int32_t count_tiles(int32_t extent, int32_t first, int32_t others) {
  return extent <= first ? 1 : 1 + divide_up(extent - first, others);
}

static void set_run_steps(const npu_conv_plan *plan, npu_conv_runs *runs) {
  runs->in_x = runs->w * plan->stride_w * plan->in_pixel;
  runs->in_y = runs->h * plan->stride_h * plan->in_pitch;
  runs->out_x = runs->w * plan->out_pixel;
  runs->out_y = runs->h * plan->out_pitch;
  runs->column = (uint32_t)runs->in_x << 16;
  runs->line = (uint32_t)(runs->h * plan->stride_h) << 16;
}

static void set_csrs(npu_conv_plan *plan, const npu_conv_problem *problem) {
  const npu_conv_params *params = &problem->params;
  const uint32_t down = (uint32_t)(plan->stride_h * plan->in_pitch);
  const uint32_t right = (uint32_t)(plan->stride_w * plan->in_pixel);
  const uint32_t down_position = npu_plan_position(0, plan->stride_h),
                 right_position = npu_plan_position((int32_t)right, 0);
  const int columns = plan->choice.column_order;
  plan->rowlen = (uint32_t)npu_conv_row_bytes(&problem->filter, params);
  plan->rowstride = (uint32_t)(params->dilation.h * plan->in_pitch);
  plan->xstride = columns ? down : right;
  plan->ystride = columns ? right : down;
  plan->pxstep = columns ? down_position : right_position;
  plan->pystep = columns ? right_position : down_position;
  plan->oxstride = (uint32_t)(columns ? plan->out_pitch : plan->out_pixel);
  plan->oystride = (uint32_t)(columns ? plan->out_pixel : plan->out_pitch);
  plan->oquant =
      npu_plan_oquant(params->output_offset, params->activation_min, params->activation_max);
  plan->pad = npu_plan_pad(-params->input_offset, params->dilation.h);
}

// Takes `bytes` of the scratch buffer behind what is taken.
static uint32_t take(uint64_t *end, uint64_t bytes) {
  const uint64_t at = *end;
  *end = align(at + bytes);
  return at > UINT32_MAX ? UINT32_MAX : (uint32_t)at;
}

npu_status npu_conv_plan_lay_out(npu_conv_plan *plan, const npu_conv_problem *problem,
                                 const npu_conv_choice *choice) {
  const npu_dims *in = &problem->input, *filter = &problem->filter, *out = &problem->output;
  const npu_conv_params *params = &problem->params;
  const int input_near = (problem->placement & NPU_CONV_INPUT_TCM) != 0;
  const int output_near = (problem->placement & NPU_CONV_OUTPUT_TCM) != 0;
  const int weights_near = (problem->placement & NPU_CONV_WEIGHTS_TCM) != 0;
  const int32_t step_rows = npu_conv_step_rows(problem->weight_bits);

  memset(plan, 0, sizeof *plan);
  plan->choice = *choice;
  plan->placement = problem->placement;
  plan->load_channels = 1;
  npu_conv_choice *c = &plan->choice;
  plan->images = in->n;
  plan->in_h = in->h;
  plan->in_w = in->w;
  plan->out_h = out->h;
  plan->out_w = out->w;
  plan->stride_h = params->stride.h;
  plan->stride_w = params->stride.w;
  plan->pad_h = params->padding.h;
  plan->pad_w = params->padding.w;
  plan->window_h = (filter->h - 1) * params->dilation.h + 1;
  plan->window_w = (filter->w - 1) * params->dilation.w + 1;
  plan->padded = plan->pad_h > 0 || plan->pad_w > 0 ||
                 (out->h - 1) * plan->stride_h + plan->window_h > in->h ||
                 (out->w - 1) * plan->stride_w + plan->window_w > in->w;
  plan->in_bytes = in->c;
  plan->src_pixel = in->c;
  plan->src_line = in->w * in->c;
  plan->src_image = in->h * plan->src_line;
  // A window of one pixel meets every stride-th pixel: only those are loaded.
  if (!input_near && filter->h == 1 && filter->w == 1 && !plan->padded) {
    plan->in_h = out->h;
    plan->in_w = out->w;
    plan->src_pixel *= plan->stride_w;
    plan->src_line *= plan->stride_h;
    plan->stride_h = plan->stride_w = 1;
  }

  const int32_t groups = groups_of(problem);
  plan->group_in = filter->c;
  plan->group_out = filter->n / groups;
  plan->group_blocks = group_blocks(problem);
  plan->blocks = groups * plan->group_blocks;
  plan->step_bytes = (uint32_t)step_rows;
  plan->ldw_rows = problem->weight_bits == 4 ? NPU_PLAN_INT4 | 32u : 16u;
  plan->block_bytes = block_bytes(problem);

  split_evenly(plan->blocks, c->slice_blocks, &c->slice_blocks);
  plan->slices = divide_up(plan->blocks, c->slice_blocks);
  choose_runs(&plan->runs, c->column_order, c->tile_h, c->tile_w);
  plan->tiles =
      plan->images * count_tiles(out->h, c->first_h, c->tile_h) * divide_up(out->w, c->tile_w);

  // Lines of a tile.
  const int32_t lines =
      min((max(c->first_h, c->tile_h) - 1) * plan->stride_h + plan->window_h, plan->in_h);
  const int32_t columns = min((c->tile_w - 1) * plan->stride_w + plan->window_w, plan->in_w);
  int64_t in_pitch, out_pitch;
  if (input_near) {
    plan->in_pixel = problem->in_pixel != 0 ? problem->in_pixel : in->c;
    in_pitch = problem->in_pitch != 0 ? problem->in_pitch : (int64_t)plan->in_pixel * in->w;
    plan->src_image = (int32_t)(in_pitch * in->h);
  } else {
    plan->in_pixel = in->c + (c->pad_pixels ? ALIGNMENT : 0);
    const int32_t skew = skew_of(c->column_order ? plan->stride_h : 1);
    in_pitch = bank_friendly_pitch((int64_t)columns * plan->in_pixel, skew);
    if (!steps_uniform(problem) && npu_conv_rows_joined(params)) {
      const int64_t other = bank_friendly_pitch((int64_t)columns * plan->in_pixel, BANK_ROW - skew);
      const int32_t conflicts = conflicting_steps(problem, in_pitch);
      if (conflicts > 0 && conflicting_steps(problem, other) < conflicts)
        in_pitch = other;
    }
  }
  const int32_t slice_channels = min(c->slice_blocks * NPU_BLOCK_CHANNELS, out->c);
  plan->dst_pixel = out->c;
  plan->dst_line = out->w * out->c;
  if (output_near) {
    plan->out_pixel = problem->out_pixel != 0 ? problem->out_pixel : out->c;
    out_pitch = problem->out_pitch != 0 ? problem->out_pitch : (int64_t)plan->out_pixel * out->w;
    plan->dst_pixel = plan->out_pixel;
    plan->dst_line = (int32_t)out_pitch;
  } else {
    plan->out_pixel =
        slice_channels + (!c->column_order && slice_channels % 32 == 0 ? ALIGNMENT : 0);
    out_pitch = bank_friendly_pitch((int64_t)c->tile_w * plan->out_pixel, skew_of(1));
  }
  plan->dst_image = out->h * plan->dst_line;
  const int64_t column_bytes = (int64_t)columns * plan->in_pixel;
  const int64_t window_bytes = (int64_t)plan->window_w * plan->in_pixel;
  if (in_pitch * lines > INT32_MAX / 2 || out_pitch * c->tile_h > INT32_MAX / 2 ||
      in_pitch * plan->window_h > INT32_MAX ||
      (plan->padded && (column_bytes + window_bytes > MAX_POSITION ||
                        lines + plan->window_h > MAX_POSITION || window_bytes > MAX_POSITION))) {
    plan->scratch_bytes = UINT32_MAX;
    return NPU_ERROR_BUFFER;
  }
  plan->in_pitch = (int32_t)in_pitch;
  plan->out_pitch = (int32_t)out_pitch;

  plan->segments = npu_conv_write_segments(problem, plan, 0);
  plan->full_segments =
      plan->block_bytes == NPU_TABLE_BYTES + (uint32_t)plan->segments * NPU_SEGMENT_BYTES;
  if (c->chunk_segments <= 0 || c->chunk_segments >= plan->segments)
    c->chunk_segments = 0;
  else
    split_evenly(plan->segments, c->chunk_segments, &c->chunk_segments);
  plan->chunks = c->chunk_segments == 0 ? 1 : divide_up(plan->segments, c->chunk_segments);
  // The sums of a chunk stay in the accumulators: one block, and a rectangle for each half.
  const int32_t rectangles = divide_up(max(c->tile_h, min(c->first_h, out->h)), plan->runs.h) *
                             divide_up(c->tile_w, plan->runs.w);
  if (plan->chunks > 1 && (c->slice_blocks > 1 || c->weight_stationary || rectangles > 2))
    return NPU_ERROR_ARGUMENT;
  const int32_t slices = plan->slices * plan->chunks;
  if (slices == 1) // weights that are loaded once
    c->resident = 1, c->weight_stationary = 0;
  if (input_near || plan->tiles == 1 || c->weight_stationary)
    c->single_input = 0;
  // Few pixels wait for the weights: the next load begins before the one under way has ended.
  if (!weights_near && !c->resident && plan->tiles == 1 && c->tile_h * c->tile_w <= 24)
    plan->load_channels = 2;
  choose_parts(plan);
  plan->piece_lines = c->weight_stationary || c->single_input ? lines : divide_up(lines, slices);

  uint64_t end = 0;
  if (!input_near || !output_near || !weights_near)
    take(&end, DESCRIPTORS + (plan->parts > 1 ? PART_DESCRIPTORS : 0));
  if (!weights_near) {
    uint64_t slot = (uint64_t)c->slice_blocks * plan->block_bytes;
    if (plan->chunks > 1)
      slot = (uint64_t)(NPU_TABLE_BYTES + c->chunk_segments * NPU_SEGMENT_STEPS * NPU_STEP_BYTES);
    slot = align(slot);
    plan->weight_slot = slot > UINT32_MAX ? UINT32_MAX : (uint32_t)slot;
    if (c->resident)
      plan->weights_slots_at = take(&end, (uint64_t)plan->blocks * plan->block_bytes);
    else
      plan->weights_slots_at = take(&end, slices > 1 ? 2 * slot : slot);
  }
  if (!input_near) {
    plan->in_slot = (uint32_t)align((uint64_t)(in_pitch * lines));
    plan->in_at =
        take(&end, (uint64_t)plan->in_slot * (plan->tiles > 1 && !c->single_input ? 2 : 1));
  }
  if (!output_near) {
    const int32_t tile_lines = min(max(c->tile_h, c->first_h), out->h);
    plan->out_slot = (uint32_t)align((uint64_t)(out_pitch * tile_lines));
    plan->out_at = take(&end, (uint64_t)plan->out_slot * (plan->tiles * plan->slices > 1 ? 2 : 1));
  }
  plan->segments_at = take(&end, (uint64_t)plan->segments * sizeof(npu_conv_segment));
  plan->scratch_bytes = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
  set_run_steps(plan, &plan->runs);
  if (plan->parts > 1)
    set_run_steps(plan, &plan->part_runs);
  set_csrs(plan, problem);
  plan->cycles = 0;
  return end > problem->scratch_bytes ? NPU_ERROR_BUFFER : NPU_OK;
}

npu_status npu_conv_plan_fill(npu_conv_plan *plan, const npu_conv_problem *problem,
                              const npu_conv_choice *choice) {
  const npu_status status = npu_conv_plan_lay_out(plan, problem, choice);
  if (status == NPU_OK)
    plan->cycles = npu_conv_plan_cost(plan);
  return status;
}
