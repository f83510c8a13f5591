// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a convolution plan costs (npu/conv_plan.h, kernels/README.md). Portable.
//
// The tiles of a plan are of few kinds: those of the first, the inner and the last rows of tiles,
// each with inner and last columns. Array, core and DMA overlap, so an item takes what the slowest
// of them takes for its kind of tile. What does not overlap is added: the first load, the last
// drain and the last store.

#include "conv_steps.h"

#include <npu_platform.h>

// Cycles, measured on the RTL.
enum {
  DRAM_BYTES = NPU_DRAM_MODEL_BYTES_PER_CYCLE,
  TRANSFER = NPU_DRAM_MODEL_READ_LATENCY + 18, // of a load beside its beats
  STORE = 26,                                  // the same of a store
  RUN_LEAST = 8,                               // a run of few pixels waits for the next weights
  RUNS_AHEAD_4 = 14,                           // 4 x the runs that the array has in stock
  FILL = 22, // from the first pixel of an idle array to its last byte
};

// Cycles of the core, measured on the RTL.
typedef struct core_costs {
  uint32_t step, padded_step, segment, block, rectangle; // to issue each of them
  uint32_t boundary; // from the last run of an item to the first of the next
  uint32_t tile;     // more, where the next item is of another tile
  uint32_t load;     // between two runs, where it starts a load
  uint32_t describe; // the same, where it describes the input of a tile
  uint32_t start;    // from the call to the first load
} core_costs;

static const core_costs interpreted = {6, 10, 20, 60, 60, 225, 150, 125, 310, 850};
static const core_costs chunked = {6, 10, 20, 60, 60, 240, 0, 110, 0, 900};
static const core_costs constant = {5, 9, 16, 40, 40, 235, 0, 175, 0, 300};

static int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static int32_t divide(int32_t a, int32_t b) { // most need no division, which takes 34 cycles
  return a < b ? 0 : a - b < b ? 1 : a / b;
}
static uint32_t longest(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}
static uint32_t beats(int32_t bytes) {
  return (uint32_t)(bytes + DRAM_BYTES - 1) / DRAM_BYTES;
}

// What is the same for all items.
typedef struct costs {
  const npu_conv_plan *p;
  const core_costs *core;
  uint32_t steps;
  uint32_t issue;  // core: of one block
  uint32_t stream; // bus: of the weights of an item that loads some
  uint64_t total;
  uint32_t first_input, last_output; // bus: of the first tile, of the last item
} costs;

// A rectangle of some pixels, `count` times an item.
static void add_runs(const costs *k, int32_t pixels, int32_t count, int32_t blocks, uint32_t *array,
                     uint32_t *core) {
  if (pixels <= 0 || count <= 0)
    return;
  const uint32_t run = longest((uint32_t)pixels, RUN_LEAST);
  const uint32_t block = longest(longest(k->steps * run, k->issue), (uint32_t)pixels + 4);
  *array += (uint32_t)(count * blocks) * block;
  *core += (uint32_t)count * ((uint32_t)blocks * k->issue + k->core->rectangle);
}

// What of an input's load is not beside the item that needs it, which takes the array so long.
static uint32_t input_alone(const npu_conv_plan *p, int32_t h, int32_t w, uint32_t input,
                            uint32_t array) {
  const int by_columns = p->choice.column_order;
  const int32_t run = by_columns ? p->part_runs.w : p->part_runs.h, along = by_columns ? w : h;
  const uint32_t parts = p->parts > 1 ? (uint32_t)min((along + run - 1) / run, p->parts) : 1;
  if (parts == 1)
    return input;
  const int32_t stride = by_columns ? p->stride_w : p->stride_h;
  const int32_t window = by_columns ? p->window_w : p->window_h;
  const int32_t extent = min((along - 1) * stride + window, by_columns ? p->in_w : p->in_h);
  const uint32_t first =
      (uint32_t)((uint64_t)input * (uint32_t)((run - 1) * stride + window) / (uint32_t)extent);
  if (first >= input)
    return input;
  const uint32_t rest = input - first, wait = rest + (parts - 1) * TRANSFER,
                 beside = array - array / parts;
  return first + (wait > beside ? wait - beside : 0);
}

// Cycles that the array waits while the core is busy with something else for so long: those that
// the runs in stock do not last for.
static uint32_t idle(uint32_t busy, uint32_t *stock) {
  const uint32_t wait = busy > *stock ? busy - *stock : 0;
  *stock -= busy - wait;
  return wait;
}

// Adds `count` tiles of h x w pixels.
static void add_tiles(costs *k, int32_t h, int32_t w, int32_t count) {
  const npu_conv_plan *p = k->p;
  const npu_conv_choice *c = &p->choice;
  if (h <= 0 || w <= 0 || count <= 0)
    return;
  const uint32_t chunks = (uint32_t)p->chunks;
  const npu_conv_runs *const r = &p->runs;
  const int32_t whole_h = divide(h, r->h), rest_h = h - whole_h * r->h;
  const int32_t whole_w = divide(w, r->w), rest_w = w - whole_w * r->w;

  // Bus cycles of the whole input.
  const int32_t lines = min((h - 1) * p->stride_h + p->window_h, p->in_h);
  const int32_t columns = min((w - 1) * p->stride_w + p->window_w, p->in_w);
  const int32_t in_shift = p->src_pixel % 16 != 0 ? 8 : 0,
                out_shift = p->dst_pixel % 16 != 0 ? 8 : 0;
  uint32_t input = 0;
  if ((p->placement & NPU_CONV_INPUT_TCM) == 0)
    input = p->in_pixel == p->src_pixel
                ? (uint32_t)lines * beats(columns * p->in_pixel + in_shift)
                : (uint32_t)(lines * columns) * beats(p->in_bytes + in_shift);
  // What an item loads: weights, and a piece of the next tile for as long as there are pieces. The
  // load starts when the array has done with the item before and the core with the next segment.
  uint32_t load = c->resident || c->weight_stationary ? 0 : k->stream, piece = 0;
  uint32_t pieces = 0; // items that load one
  if (c->weight_stationary) {
    load += input;
  } else if (p->tiles > 1 && !c->single_input && input != 0) {
    pieces = (uint32_t)divide(lines + p->piece_lines - 1, p->piece_lines);
    piece = pieces == 1 ? input : input / pieces;
  }
  const uint32_t start = load + piece != 0 ? k->core->load : 0;
  const uint32_t run_pixels = (uint32_t)(min(h, r->h) * min(w, r->w));
  const uint32_t late = p->load_channels == 1 ? TRANSFER + 9 * run_pixels / 2 : 4;

  // Between two items, and where a load starts, the array lives on the runs that it has in stock.
  const uint32_t stock = RUNS_AHEAD_4 * run_pixels / 4;
  // Between two of these it gains what a segment of runs takes longer than their issue.
  const uint32_t block_runs = k->steps * run_pixels;
  const uint32_t gain =
      block_runs > k->issue ? (block_runs - k->issue) / (uint32_t)p->segments : 0;
  uint32_t alone = 0; // bus: of an input while nothing is computed
  const int32_t last_blocks = p->blocks - (p->slices - 1) * c->slice_blocks;
  for (int32_t last = 0; last < 2; ++last) {
    const int32_t items = last ? 1 : p->slices - 1;
    const int32_t blocks = last ? last_blocks : c->slice_blocks;
    if (items == 0)
      continue;
    uint32_t array = 0, core = 0, left = stock, gap = 0;
    gap += idle(k->core->boundary + (last ? k->core->tile : 0), &left);
    if (start != 0) {
      left = left + gain < stock ? left + gain : stock;
      gap += idle(start, &left);
      left = left + gain < stock ? left + gain : stock;
      if (load == 0) // another tile's input, with each item
        gap += idle(k->core->describe, &left);
    }
    add_runs(k, r->h * r->w, whole_h * whole_w, blocks, &array, &core);
    add_runs(k, r->h * rest_w, whole_h, blocks, &array, &core);
    add_runs(k, rest_h * r->w, whole_w, blocks, &array, &core);
    add_runs(k, rest_h * rest_w, 1, blocks, &array, &core);
    // Pixels that follow each other from the same banks leave the drain and the DMA no room.
    const uint32_t phase = p->xstride % 64;
    if (phase < 12 || phase > 52)
      array += array / 4;
    array += core / 20; // the core's loads and stores have priority

    uint32_t output = 0;
    if ((p->placement & NPU_CONV_OUTPUT_TCM) == 0) {
      const int32_t channels = min(blocks * NPU_BLOCK_CHANNELS, p->dst_pixel);
      output = STORE + (p->slices == 1 && p->out_pixel == p->dst_pixel
                            ? (uint32_t)h * beats(w * p->dst_pixel + out_shift)
                            : (uint32_t)(h * w) * beats(channels + out_shift));
    }
    k->last_output = output;
    if (p->chunks > 1) {
      array /= chunks;
      core /= chunks;
    }
    if (alone == 0)
      alone = input_alone(p, h, w, input, array);
    const uint32_t computed = longest(array + gap, core + k->core->boundary + start);
    const uint32_t busy = longest(computed, p->chunks > 1 ? output / chunks : output);
    const uint32_t item = longest(busy, load != 0 ? load + late : 0);
    const uint32_t item_with_piece = longest(busy, piece != 0 ? load + piece + late : 0);
    // The pieces fall to the first items of a tile; here to each kind its share.
    const uint32_t of_kind = (uint32_t)items * chunks;
    const uint32_t all = (uint32_t)(p->slices * p->chunks);
    const uint32_t with = all == 1 ? pieces : pieces * of_kind / all;
    k->total +=
        ((uint64_t)item_with_piece * with + (uint64_t)item * (of_kind - with)) * (uint32_t)count;
  }
  if (k->first_input == 0)
    k->first_input = alone;
  // A single buffer is loaded between two tiles.
  const uint32_t core_between = k->core->load + k->core->boundary;
  if (c->single_input)
    k->total += (uint64_t)(alone + TRANSFER + FILL + core_between) * (uint32_t)count;
}

uint32_t npu_conv_plan_cost(const npu_conv_plan *p) {
  const npu_conv_choice *c = &p->choice;
  const int weights_near = (p->placement & NPU_CONV_WEIGHTS_TCM) != 0;
  costs k = {.p = p,
             .core = c->constant ? &constant : p->chunks > 1 ? &chunked : &interpreted};
  k.steps = (p->block_bytes - NPU_TABLE_BYTES) / NPU_STEP_BYTES;
  const core_costs *const core = k.core;
  k.issue = k.steps * (p->padded ? core->padded_step : core->step) +
            (uint32_t)p->segments * core->segment + core->block;
  if (!weights_near)
    k.stream = beats((int32_t)(p->chunks > 1 ? p->block_bytes / (uint32_t)p->chunks
                                             : (uint32_t)c->slice_blocks * p->block_bytes));

  const int32_t first_h = min(c->first_h, p->out_h), behind = p->out_h - first_h;
  const int32_t rows = divide(behind, c->tile_h), last_h = behind - rows * c->tile_h;
  const int32_t columns = divide(p->out_w, c->tile_w), last_w = p->out_w - columns * c->tile_w;
  const int32_t heights[3] = {first_h, c->tile_h, last_h};
  const int32_t counts[3] = {p->images, rows * p->images, p->images};
  for (int32_t i = 0; i < 3; ++i) {
    add_tiles(&k, heights[i], c->tile_w, columns * counts[i]);
    add_tiles(&k, heights[i], last_w, counts[i]);
  }
  const uint32_t load = k.first_input + k.stream;
  k.total += core->start + (load != 0 ? load + TRANSFER : 0) + FILL + k.last_output;
  return k.total > UINT32_MAX ? UINT32_MAX : (uint32_t)k.total;
}
