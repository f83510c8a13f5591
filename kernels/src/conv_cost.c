// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a convolution plan costs, and the choice of one (npu/conv_plan.h). Portable.
//
// The tiles of a plan are of few kinds: the first, inner and last row of tiles, each with inner and last
// columns. The cost of an item is that of the slowest of array, core and DMA for its kind of tile, since they
// overlap; what does not overlap is added: the first load, the last drain and the last store.

#include "conv_steps.h"

#include <npu_platform.h>

// Cycles, measured on the RTL (kernels/README.md).
enum {
  DRAM_BYTES = NPU_DRAM_MODEL_BYTES_PER_CYCLE,
  TRANSFER = NPU_DRAM_MODEL_READ_LATENCY + 18, // of an operation beside its beats
  STORE = 26,            // the same of a store
  RUN_LEAST = 8,         // a run of few pixels waits for the next weights
  ISSUE_STEP = 6,        // core: of a step, of one with padding
  ISSUE_STEP_PADDED = 10,
  ISSUE_SEGMENT = 16,
  ISSUE_BLOCK = 45,
  ISSUE_RECTANGLE = 40,
  RUNS_AHEAD_4 = 14,     // 4 x the runs that the array has in stock
  BOUNDARY = 330,        // core: from the last run of an item to the first of the next
  LOAD = 250,            // core: between two runs, where it starts a load
  START = 330,           // from the call to the first load
  FILL = 22,             // first pixel of an idle array to its last byte out
};

static int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }
static uint32_t longest(uint32_t a, uint32_t b) { return a > b ? a : b; }
static int32_t divide_up(int32_t a, int32_t b) { return b == 1 ? a : (a + b - 1) / b; }

static uint32_t beats(int32_t bytes) { return (uint32_t)(bytes + DRAM_BYTES - 1) / DRAM_BYTES; }

// A kind of tile: h x w output pixels, and how often there are such.
typedef struct kind {
  int32_t h, w, count;
} kind;

typedef struct work {
  uint32_t array, core; // of an item of this kind of tile with `blocks` blocks
  uint32_t gap;         // before the item
  uint32_t input, output; // cycles on the bus of its whole input and of one item's output
} work;

static work work_of(const npu_conv_plan *p, kind k, int32_t blocks) {
  const uint32_t steps = (p->block_bytes - NPU_TABLE_BYTES) / NPU_STEP_BYTES;
  const uint32_t issue = steps * (p->padded ? ISSUE_STEP_PADDED : ISSUE_STEP) +
                         (uint32_t)p->segments * ISSUE_SEGMENT + ISSUE_BLOCK;
  work w = {0};
  for (int32_t y = 0; y < k.h; y += p->rect_h) {
    const int32_t rows = min(p->rect_h, k.h - y);
    // All rectangles of the row but the last are alike.
    const int32_t full = k.w / p->rect_w, rest = k.w - full * p->rect_w;
    for (int32_t part = 0; part < 2; ++part) {
      const int32_t count = part == 0 ? full : 1;
      const int32_t pixels = rows * (part == 0 ? p->rect_w : rest);
      if (count == 0 || pixels == 0)
        continue;
      const uint32_t run = (uint32_t)max(pixels, RUN_LEAST);
      const uint32_t block = longest(longest(steps * run, issue), (uint32_t)pixels + 4);
      w.array += (uint32_t)(count * blocks) * block;
      w.core += (uint32_t)count * ((uint32_t)blocks * issue + ISSUE_RECTANGLE);
    }
  }
  const int32_t lines = min((k.h - 1) * p->stride_h + p->window_h, p->in_h);
  const int32_t columns = min((k.w - 1) * p->stride_w + p->window_w, p->in_w);
  if ((p->placement & NPU_CONV_INPUT_TCM) == 0)
    w.input = p->in_pixel == p->src_pixel
                  ? (uint32_t)lines * beats(columns * p->in_pixel + (p->src_pixel % 16 != 0 ? 8 : 0))
                  : (uint32_t)(lines * columns) * beats(p->in_bytes);
  if ((p->placement & NPU_CONV_OUTPUT_TCM) == 0) {
    const int32_t channels = min(blocks * NPU_BLOCK_CHANNELS, p->dst_pixel);
    const int32_t shift = p->dst_pixel % 16 != 0 ? 8 : 0;
    w.output = p->slices == 1 && p->out_pixel == p->dst_pixel
                   ? (uint32_t)k.h * beats(k.w * p->dst_pixel + shift)
                   : (uint32_t)(k.h * k.w) * beats(channels + shift);
  }
  // Between two items, and where a load starts, the array lives on the runs that it has in stock.
  const uint32_t stock = RUNS_AHEAD_4 * (uint32_t)min(k.h * k.w, p->rect_h * p->rect_w) / 4;
  w.gap = (BOUNDARY > stock ? BOUNDARY - stock : 0) + (LOAD > stock ? LOAD - stock : 0);
  // Pixels of a run that come from the same banks leave the DMA and the drain no room.
  const uint32_t phase = p->xstride % 64;
  if (phase < 12 || phase > 52)
    w.array += w.array / 4;
  return w;
}

uint32_t npu_conv_plan_cost(const npu_conv_plan *p) {
  const npu_conv_choice *c = &p->choice;
  const int32_t rows = divide_up(max(p->out_h - c->first_h, 0), c->tile_h);
  const int32_t last_h = p->out_h <= c->first_h ? 0 : p->out_h - c->first_h - (rows - 1) * c->tile_h;
  const int32_t columns = divide_up(p->out_w, c->tile_w);
  const int32_t last_w = p->out_w - (columns - 1) * c->tile_w;
  const kind heights[3] = {{min(c->first_h, p->out_h), 0, 1},
                           {c->tile_h, 0, rows > 0 ? rows - 1 : 0},
                           {last_h, 0, rows > 0}};
  const kind widths[2] = {{0, c->tile_w, columns - 1}, {0, last_w, 1}};

  const int weights_near = (p->placement & NPU_CONV_WEIGHTS_TCM) != 0;
  const int32_t slice_blocks = min(c->slice_blocks, p->blocks);
  const int32_t last_blocks = p->blocks - (p->slices - 1) * slice_blocks;
  const uint32_t slice_bytes =
      p->chunks > 1 ? p->block_bytes / (uint32_t)p->chunks : (uint32_t)slice_blocks * p->block_bytes;
  const uint32_t slice = weights_near ? 0 : beats((int32_t)slice_bytes);

  uint64_t total = 0;
  work first = {0}, last = {0};
  for (int32_t i = 0; i < 3; ++i)
    for (int32_t j = 0; j < 2; ++j) {
      const kind k = {heights[i].h, widths[j].w, heights[i].count * widths[j].count};
      if (k.count == 0 || k.h <= 0)
        continue;
      for (int32_t part = 0; part < 2; ++part) { // full slices, the last slice
        const int32_t blocks = part == 0 ? slice_blocks : last_blocks;
        const int32_t count = part == 0 ? p->slices - 1 : 1;
        if (count == 0)
          continue;
        work w = work_of(p, k, blocks);
        const uint32_t chunks = (uint32_t)p->chunks;
        const uint32_t stream = c->resident || c->weight_stationary ? 0 : slice;
        const uint32_t input = c->weight_stationary || c->single_input || p->tiles == 1 ? 0 : w.input / (uint32_t)(p->slices * p->chunks);
        const uint32_t tile = c->weight_stationary ? w.input : 0;
        uint32_t load = stream + input + tile;
        load += load != 0 ? (p->load_channels == 1 ? TRANSFER : 4) : 0;
        const uint32_t store = w.output != 0 ? w.output + STORE : 0;
        const uint32_t core = w.core / chunks + BOUNDARY + (load != 0 ? LOAD : 0);
        const uint32_t item = longest(longest(w.array / chunks + w.gap, core),
                                      longest(load, store / chunks));
        // A single buffer is loaded between two tiles.
        if (c->single_input && part == 1)
          total += (uint64_t)(w.input + slice + TRANSFER + LOAD) * (uint32_t)(p->images * k.count);
        total += (uint64_t)item * chunks * (uint32_t)(count * p->images * k.count);
        if (first.input == 0)
          first = w;
        last = w;
      }
    }
  const uint32_t load = first.input + slice;
  total += START + (load != 0 ? load + TRANSFER : 0) + FILL +
           (last.output != 0 ? last.output + STORE : 0);
  return total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
}

// ---- a few choices ------------------------------------------------------------------------

typedef struct best {
  npu_conv_plan *plan;
  const npu_conv_problem *problem;
  int found;
} best;

// True if the plan fits.
static int consider(best *b, const npu_conv_choice *choice) {
  npu_conv_plan plan;
  if (npu_conv_plan_fill(&plan, b->problem, choice) != NPU_OK)
    return 0;
  if (!b->found || plan.cycles < b->plan->cycles)
    *b->plan = plan;
  b->found = 1;
  return 1;
}

// Pixels that follow each other in a run shall come from different banks: down the columns, whose pitch sees to
// that, or along lines of padded pixels.
static void choose_order(npu_conv_choice *c, const npu_conv_problem *problem) {
  c->column_order = c->tile_h >= 4 || (problem->input.c < 16 && c->tile_h > 1);
  c->pad_pixels = !c->column_order && problem->input.c % 32 == 0 && c->tile_w > 1 &&
                  npu_conv_may_pad_pixels(problem) &&
                  (problem->placement & NPU_CONV_INPUT_TCM) == 0;
}

// A tile of about `pixels` pixels: lines of full width, parts of a line where that has more. The first row of
// tiles is lower, so that the array starts early.
static void shape_tile(npu_conv_choice *c, const npu_conv_problem *problem, int32_t pixels) {
  const npu_dims *out = &problem->output;
  c->tile_w = out->w <= pixels ? out->w : divide_up(out->w, divide_up(out->w, pixels));
  const int32_t most = max(pixels / c->tile_w, 1);
  c->tile_h = most >= out->h ? out->h : divide_up(out->h, divide_up(out->h, most));
  c->first_h = c->tile_h;
  if (c->tile_h < out->h && c->tile_h * c->tile_w > NPU_RUN_PIXELS)
    c->first_h = max(NPU_RUN_PIXELS / c->tile_w, 1);
  choose_order(c, problem);
}

npu_status npu_conv_plan_make(npu_conv_plan *plan, const npu_conv_problem *problem) {
  if (npu_conv_check(problem) != NPU_OK)
    return NPU_ERROR_ARGUMENT;
  const int weights_near = (problem->placement & NPU_CONV_WEIGHTS_TCM) != 0;
  const int32_t groups = max(problem->params.groups, 1);
  const int32_t blocks = groups * divide_up(problem->output.c / groups, NPU_BLOCK_CHANNELS);
  const uint32_t all = npu_conv_packed_size(problem), block = all / (uint32_t)blocks;
  best b = {plan, problem, 0};

  npu_conv_choice c = {0};
  static const int32_t pixels[] = {NPU_RUN_PIXELS / 4, NPU_RUN_PIXELS / 2, NPU_RUN_PIXELS, 2 * NPU_RUN_PIXELS, 4 * NPU_RUN_PIXELS, 1 << 24};
  static const int32_t slices[] = {8 << 10, 16 << 10, 32 << 10};
  const int32_t far = problem->placement != (NPU_CONV_INPUT_TCM | NPU_CONV_OUTPUT_TCM | NPU_CONV_WEIGHTS_TCM);
  for (int32_t i = far ? 0 : 5; i < 6; ++i) {
    shape_tile(&c, problem, pixels[i]);
    if (weights_near) {
      c.slice_blocks = blocks;
      consider(&b, &c);
      continue;
    }
    // A single input buffer where two do not fit. Weights that take less than half of the buffer stay.
    c.resident = all <= problem->scratch_bytes / 2;
    int fits = 0;
    for (c.single_input = 0; c.single_input < 2 && !fits; ++c.single_input)
      for (int32_t j = 0; j < (c.resident ? 1 : 3); ++j) {
        c.slice_blocks = max(slices[j] / (int32_t)block, 1);
        c.chunk_segments =
            (int32_t)block > slices[j] + slices[j] / 2 ? slices[j] / (8 * NPU_STEP_BYTES) : 0;
        fits |= consider(&b, &c);
      }
  }
  // Ever smaller tiles and slices.
  c.single_input = 0;
  while (!b.found) {
    if (c.slice_blocks > 1)
      c.slice_blocks = divide_up(c.slice_blocks, 2);
    else if (c.resident)
      c.resident = 0;
    else if (c.tile_h > 1)
      c.tile_h = c.tile_h > NPU_RUN_PIXELS ? NPU_RUN_PIXELS : divide_up(c.tile_h, 2);
    else if (c.tile_w > 1)
      c.tile_w = divide_up(c.tile_w, 2);
    else if (c.chunk_segments != 1 && !weights_near)
      c.chunk_segments = c.chunk_segments == 0 ? 8 : divide_up(c.chunk_segments, 2);
    else
      return NPU_ERROR_BUFFER;
    c.first_h = c.tile_h;
    choose_order(&c, problem);
    consider(&b, &c);
  }
  return NPU_OK;
}
