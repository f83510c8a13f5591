// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's choice of a plan: the best of a few that fit, largest tiles first. npu-kgen tries
// all.

#include "conv_lines.h"
#include "conv_steps.h"

enum {
  SLICE_BYTES = 17 << 10, // of weights, about: two blocks of 32 steps
  CANDIDATES = 4,
  SEARCH_CYCLES = 11000, // that a search takes
};

static int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}
static int32_t divide_up(int32_t a, int32_t b) {
  return a <= b ? 1 : b == 1 ? a : (a + b - 1) / b; // most need no division, which takes 34 cycles
}

typedef struct best {
  npu_conv_plan *plan;
  const npu_conv_problem *problem;
  int32_t found;
} best;

// True if the plan fits.
static int consider(best *b, const npu_conv_choice *choice) {
  npu_conv_plan other, *const plan = b->found == 0 ? b->plan : &other;
  if (npu_conv_plan_fill(plan, b->problem, choice) != NPU_OK)
    return 0;
  if (b->found++ != 0 && other.cycles < b->plan->cycles)
    *b->plan = other;
  return 1;
}

// True if a better plan would not make up for the search: it is little over what the array
// takes.
static int good_enough(const best *b) {
  const npu_conv_plan *p = b->plan;
  if (b->found == 0)
    return 0;
  const uint64_t steps = (p->block_bytes - NPU_TABLE_BYTES) / NPU_STEP_BYTES * (uint32_t)p->blocks;
  const uint64_t array = steps * (uint32_t)(p->images * p->out_h * p->out_w);
  // With all weights in one slice there are only smaller tiles to try, of which there are more.
  const int whole = p->slices == 1 && p->chunks == 1 && !p->choice.single_input;
  const uint64_t more = p->cycles > array ? p->cycles - array : 0;
  return more < (whole ? 2 : 1) * SEARCH_CYCLES && (whole ? 7 : 16) * more < array;
}

// Pixels that follow each other in a run shall come from different banks: down the columns, whose
// pitch sees to that, or along lines of padded pixels.
static void choose_order(npu_conv_choice *c, const npu_conv_problem *problem) {
  const int near = (problem->placement & NPU_CONV_INPUT_TCM) != 0;
  if (near && problem->in_pixel % 32 == 16) {
    c->column_order = 0;
    return;
  }
  c->column_order = c->tile_h >= 4 || (problem->input.c < 16 && c->tile_h > 1);
  c->pad_pixels = !near && !c->column_order && problem->input.c % 32 == 0 && c->tile_w > 1 &&
                  npu_conv_may_pad_pixels(problem);
}

// A tile of about `pixels` pixels: lines of full width; or a few lines of parts of the width, where
// so many pixels are less than four lines.
static void shape_tile(npu_conv_choice *c, const npu_conv_problem *problem, int32_t pixels) {
  const npu_dims *out = &problem->output;
  if (out->w * 4 <= pixels || out->h < 4) {
    c->tile_w = divide_up(out->w, divide_up(out->w, pixels));
    c->tile_h = divide_up(out->h, divide_up(out->h, max(pixels / c->tile_w, 1)));
  } else {
    c->tile_h = divide_up(out->h, divide_up(out->h, pixels >= 16 * NPU_RUN_PIXELS ? 16 : 8));
    c->tile_w = divide_up(out->w, divide_up(out->w * c->tile_h, pixels));
  }
  c->first_h = c->tile_h;
  choose_order(c, problem);
}

// Whether the input of the tile may fit; the plan's layout decides.
static int may_fit(const npu_conv_choice *c, const npu_conv_problem *problem) {
  const npu_conv_params *p = &problem->params;
  const int32_t h = min((c->tile_h - 1) * p->stride.h + problem->filter.h, problem->input.h);
  const int32_t w = min((c->tile_w - 1) * p->stride.w + problem->filter.w, problem->input.w);
  const int sampled = problem->filter.h == 1 && problem->filter.w == 1;
  const uint64_t pixels = sampled ? (uint64_t)(c->tile_h * c->tile_w) : (uint64_t)h * (uint64_t)w;
  return (problem->placement & NPU_CONV_INPUT_TCM) != 0 ||
         pixels * (uint64_t)problem->input.c <= problem->scratch_bytes;
}

typedef struct weights {
  int near;       // in the scratchpad
  int32_t blocks; // of 16 output channels, in all
  int32_t block;  // bytes of each
  uint32_t bytes; // of all
} weights;

static weights describe_weights(const npu_conv_problem *problem) {
  const int32_t groups = max(problem->params.groups, 1);
  const int32_t blocks = groups * divide_up(problem->output.c / groups, NPU_BLOCK_CHANNELS);
  const uint32_t bytes = npu_conv_packed_bytes(problem);
  return (weights){(problem->placement & NPU_CONV_WEIGHTS_TCM) != 0, blocks,
                   blocks == 1 ? (int32_t)bytes : (int32_t)(bytes / (uint32_t)blocks), bytes};
}

// Slices of about `bytes`; chunks of a block that is much larger, unless the weights stay.
static void cut_weights(npu_conv_choice *c, const weights *w, int32_t bytes) {
  c->slice_blocks = w->near ? w->blocks : max(bytes / w->block, 1);
  c->chunk_segments = 0;
  if (w->near || c->resident || w->block <= bytes + bytes / 2)
    return;
  // A last chunk that is short is over before the next one is loaded: better fewer, longer ones.
  const int32_t segments = w->block / NPU_SEGMENT_BYTES, most = bytes / NPU_SEGMENT_BYTES;
  const int32_t chunks = divide_up(segments, most);
  c->chunk_segments = chunks * most - segments >= most / 2 ? divide_up(segments, chunks - 1) : most;
}

npu_status npu_conv_plan_make(npu_conv_plan *plan, const npu_conv_problem *problem) {
  return npu_conv_check(problem) == NPU_OK ? npu_conv_plan_search(plan, problem)
                                           : NPU_ERROR_ARGUMENT;
}

npu_status npu_conv_plan_search(npu_conv_plan *plan, const npu_conv_problem *problem) {
  const weights w = describe_weights(problem);
  // Weights that take less than half of the buffer stay.
  const int resident = !w.near && w.bytes <= problem->scratch_bytes / 2;
  best b = {plan, problem, 0};

  static const int32_t pixels[] = {
      1 << 24,        16 * NPU_RUN_PIXELS,    4 * NPU_RUN_PIXELS, 2 * NPU_RUN_PIXELS,
      NPU_RUN_PIXELS, 3 * NPU_RUN_PIXELS / 4, NPU_RUN_PIXELS / 2, NPU_RUN_PIXELS / 4};
  const int32_t near = NPU_CONV_INPUT_TCM | NPU_CONV_OUTPUT_TCM | NPU_CONV_WEIGHTS_TCM;
  npu_conv_choice c = {.slice_blocks = w.near ? w.blocks : 1, .resident = (uint8_t)resident};
  for (int32_t i = 0; i < 8 && b.found < CANDIDATES && !good_enough(&b); ++i) {
    const int32_t tile_h = c.tile_h, tile_w = c.tile_w;
    shape_tile(&c, problem, pixels[i]);
    if ((c.tile_h == tile_h && c.tile_w == tile_w) || !may_fit(&c, problem))
      continue;
    // Two input buffers, or one; larger slices or smaller ones.
    for (c.single_input = 0; c.single_input < 2; ++c.single_input) {
      int32_t bytes = SLICE_BYTES, fits = 0;
      if (resident && w.blocks * w.block > SLICE_BYTES) { // few items
        c.slice_blocks = w.blocks;
        c.chunk_segments = 0;
        fits = consider(&b, &c);
      }
      for (; !fits && bytes >= SLICE_BYTES / 4; bytes /= 2) {
        cut_weights(&c, &w, bytes);
        fits = consider(&b, &c);
        if (w.near || resident)
          break;
      }
      if (fits)
        break;
    }
    if (problem->placement == (uint32_t)near && b.found > 0)
      return NPU_OK;
  }

  // A lower first row of tiles, so that the array starts earlier.
  for (int32_t parts = 2; b.found > 0 && !good_enough(&b) && parts <= 4 && plan->tiles > 1;
       parts *= 2) {
    c = plan->choice;
    c.first_h = divide_up(c.tile_h, parts);
    if (c.first_h < c.tile_h && c.tile_w == problem->output.w)
      consider(&b, &c);
  }

  // Ever smaller tiles and slices.
  c.single_input = 1;
  while (b.found == 0) {
    if (c.slice_blocks > 1)
      c.slice_blocks = divide_up(c.slice_blocks, 2);
    else if (c.resident)
      c.resident = 0;
    else if (c.tile_h > 1)
      c.tile_h = divide_up(c.tile_h, 2);
    else if (c.tile_w > 1)
      c.tile_w = divide_up(c.tile_w, 2);
    else if (c.chunk_segments != 1 && !w.near)
      c.chunk_segments = c.chunk_segments == 0 ? 8 : divide_up(c.chunk_segments, 2);
    else
      return NPU_ERROR_BUFFER;
    c.first_h = c.tile_h;
    choose_order(&c, problem);
    consider(&b, &c);
  }
  return NPU_OK;
}

npu_status npu_conv_plan_lines(npu_conv_plan *plan, const npu_conv_problem *problem,
                               int32_t tile_h) {
  if (npu_conv_check(problem) != NPU_OK)
    return NPU_ERROR_ARGUMENT;
  const weights w = describe_weights(problem);
  npu_conv_choice c = {.tile_w = problem->output.w, .tile_h = min(tile_h, problem->output.h)};
  c.first_h = c.tile_h;
  choose_order(&c, problem);
  // Weights that stay; slices that stream, large and small ones, with two input buffers and with
  // one.
  for (int32_t i = 0; i < 4; ++i) {
    const int32_t bytes = i < 2 ? SLICE_BYTES : SLICE_BYTES / 2;
    const int stay = i == 0;
    if (stay && !w.near && w.bytes > problem->scratch_bytes / 2)
      continue;
    c.resident = stay && !w.near;
    c.single_input = i == 3;
    cut_weights(&c, &w, bytes);
    if (stay)
      c.slice_blocks = w.blocks;
    if (npu_conv_plan_lay_out(plan, problem, &c) == NPU_OK)
      return NPU_OK;
  }
  return NPU_ERROR_BUFFER;
}
