// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of depthwise convolutions that stream by planes. The library makes one at each call, so
// there is no search: a few divisions (34 cycles each) and nothing that loops. npu-kgen fills those
// of other choices and compares them.

#include "npu/depthwise_plan.h"

#include "depthwise_steps.h"
#include "plan_words.h"

#include <string.h>

enum {
  PIECES = 8, // about so many: each costs the latency of DRAM, nothing hides the first and last
  MOST = 784, // pixels of a piece, of its input or output, whichever has more
  LEAST = 256,
  ALIGNMENT = 16,
  POSITIONS = 32767, // columns and lines that the array's positions can hold
  COLUMNS = 32,      // of a line, that the array keeps for the next line
  KEPT_TAPS = 4,     // window lines of which it keeps them
  SLOTS = 3,         // of input: one at work, one that is loaded, one that becomes free
  EDGE = 2,
};

// Words of a descriptor (manual, chapter 5).
enum { LENGTH = 2, REPEATS = 3, FROM_STRIDE = 4, TO_STRIDE = 5, FROM_PLANE = 7, TO_PLANE = 8 };

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}
static inline int32_t divide(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a / (uint32_t)b);
}
static inline int32_t divide_up(int32_t a, int32_t b) {
  return divide(a + b - 1, b);
}
static inline uint32_t align(uint32_t bytes) {
  return (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1u);
}

// Runs of few columns keep the taps of a line for the next one.
static inline void choose_run_width(npu_dw_plan *plan, const npu_dw_conv_params *params,
                                    const npu_dims *filter) {
  const int32_t step = params->stride.h;
  const int keeps = (step == params->dilation.h || step == 2 * params->dilation.h) &&
                    step < filter->h * params->dilation.h && filter->h <= KEPT_TAPS;
  int32_t widest = NPU_DW_RUN_PIXELS;
  if (keeps && params->stride.w <= 2) {
    widest = COLUMNS - filter->w + 1;
    if (params->stride.w == 2)
      widest = (widest + 1) >> 1;
  }
  plan->run_w = plan->out_w;
  if (plan->out_w > widest)
    plan->run_w = divide_up(plan->out_w, divide_up(plan->out_w, widest));
}

// Cuts images that are small into pieces of whole strips; false if they are not small.
static inline int choose_group(npu_dw_plan *plan, int32_t image, int32_t pixels, int32_t run_lines,
                               int32_t edge, uint32_t size) {
  if (image > pixels || plan->run_w < plan->out_w || plan->out_h > run_lines || plan->blocks == 1)
    return 0;
  // Lines that follow each other without a gap are one row of the DMA, planes as well. But lines
  // that begin in the same bank would collide.
  const int dense = (plan->in_w & 3) != 0;
  plan->in_line = (dense ? plan->in_w : plan->in_w + 1) * ALIGNMENT;
  plan->plane_bytes = (uint32_t)(plan->in_h * plan->in_line);
  const uint32_t result = (uint32_t)(plan->out_h * plan->out_w * ALIGNMENT);
  const uint32_t descriptors = dense ? 0 : NPU_DW_PIECES * NPU_DW_DESCRIPTOR_BYTES;
  const uint32_t each = SLOTS * plan->plane_bytes + NPU_DW_RESULTS * result + descriptors;
  int32_t group = min(divide(pixels, image), plan->blocks);
  if (each * (uint32_t)group > size)
    group = (int32_t)(size / each);
  if (group == 0)
    return 0;
  plan->group = group;
  plan->edge_group = max(group >> edge, 1);
  plan->lines = plan->edge_lines = plan->run_h = plan->band_h = plan->out_h;
  plan->bands = 1;
  plan->in_slots = SLOTS;
  plan->in_slot = plan->plane_bytes * (uint32_t)group;
  plan->out_slot = result * (uint32_t)group;
  plan->dense = dense;
  plan->loads = dense ? 1 : (uint32_t)group;
  return 1;
}

// Cuts strips into pieces of some lines, images into bands where they have no room.
static inline int choose_lines(npu_dw_plan *plan, int32_t pixels, int32_t beats, int32_t run_lines,
                               int32_t edge, uint32_t size) {
  plan->group = plan->edge_group = 1;
  plan->dense = 0;
  plan->loads = 1;
  // Lines begin an odd number of times four banks apart, so that the rows of a window do not
  // collide.
  plan->in_line = (plan->in_w | 1) * ALIGNMENT;
  int32_t lines = min(max(divide(pixels, beats), 1), plan->out_h);
  plan->edge_lines = max(lines >> edge, 1);
  const uint32_t result_line = (uint32_t)(plan->out_w * ALIGNMENT);
  // At most half of the room for results.
  while (lines > 1 && 2 * NPU_DW_RESULTS * (uint32_t)lines * result_line > size)
    lines = (lines + 1) >> 1;
  const uint32_t results = NPU_DW_RESULTS * (uint32_t)lines * result_line;
  if (results > size)
    return 0;
  const uint32_t room = size - results, line = (uint32_t)plan->in_line;
  plan->bands = 1;
  plan->band_h = plan->out_h;
  plan->in_slots = SLOTS;
  int32_t in_lines = min(plan->in_h, (plan->out_h - 1) * plan->stride_h + plan->window_h);
  if (SLOTS * line * (uint32_t)in_lines > room) {
    plan->in_slots = 2;
    const int32_t most = (int32_t)(room / (2 * line));
    if (in_lines > most) {
      if (most < plan->window_h)
        return 0;
      plan->bands = divide_up(plan->out_h, divide(most - plan->window_h, plan->stride_h) + 1);
      plan->band_h = divide_up(plan->out_h, plan->bands);
      plan->bands = divide_up(plan->out_h, plan->band_h);
      in_lines = min((plan->band_h - 1) * plan->stride_h + plan->window_h, plan->in_h);
    }
  }
  if (lines < plan->band_h)
    lines = divide_up(plan->band_h, divide_up(plan->band_h, lines));
  else
    lines = plan->band_h;
  plan->lines = lines;
  plan->run_h = lines <= run_lines ? lines : divide_up(lines, divide_up(lines, run_lines));
  plan->plane_bytes = plan->in_slot = (uint32_t)in_lines * line;
  plan->out_slot = (uint32_t)lines * result_line;
  return 1;
}

static inline void set_transfers(npu_dw_plan *plan) {
  const uint32_t pixel = (uint32_t)(plan->blocks * NPU_BLOCK_CHANNELS);
  uint32_t *const load = plan->load, *const store = plan->store;
  memset(load, 0, sizeof plan->load);
  memset(store, 0, sizeof plan->store);
  load[LENGTH] = store[LENGTH] = NPU_BLOCK_CHANNELS;
  load[REPEATS] = (uint32_t)plan->in_w;
  load[FROM_STRIDE] = pixel;
  load[TO_STRIDE] = NPU_BLOCK_CHANNELS;
  load[FROM_PLANE] = (uint32_t)plan->in_w * pixel;
  load[TO_PLANE] = (uint32_t)plan->in_line;
  if (plan->dense) {
    load[REPEATS] *= (uint32_t)plan->in_h;
    load[FROM_PLANE] = NPU_BLOCK_CHANNELS;
    load[TO_PLANE] = plan->plane_bytes;
  }
  store[FROM_STRIDE] = NPU_BLOCK_CHANNELS;
  store[TO_STRIDE] = pixel;
  store[FROM_PLANE] = (uint32_t)(plan->lines * plan->out_w * NPU_BLOCK_CHANNELS);
  store[TO_PLANE] = NPU_BLOCK_CHANNELS;
}

static inline void set_operands(npu_dw_plan *plan, const npu_dw_conv_params *params,
                                const npu_dims *filter) {
  const int32_t right = params->stride.w * ALIGNMENT;
  plan->taps = (uint32_t)filter->w << 17 | (uint32_t)filter->h << 22 | NPU_PLAN_SWAP;
  plan->tap_rows = (uint32_t)(filter->w * filter->h);
  plan->xstride = (uint32_t)right;
  plan->ystride = (uint32_t)(plan->stride_h * plan->in_line);
  plan->rowstride = (uint32_t)(params->dilation.h * plan->in_line);
  plan->tapstride = (uint32_t)(params->dilation.w * ALIGNMENT);
  plan->pxstep = npu_plan_position(right, 0);
  plan->pystep = npu_plan_position(0, plan->stride_h);
  plan->pad = npu_plan_pad(-params->input_offset, params->dilation.h);
  plan->valid = npu_plan_position(plan->in_w * ALIGNMENT, plan->in_h);
  plan->oystride = (uint32_t)(plan->out_w * ALIGNMENT);
  plan->oquant =
      npu_plan_oquant(params->output_offset, params->activation_min, params->activation_max);
}

npu_status npu_dw_plan_lay_out(npu_dw_plan *plan, const npu_dw_choice *choice,
                               const npu_dw_conv_params *params, const npu_dims *in,
                               const npu_dims *filter, const npu_dims *out, int constants_in_tcm,
                               uint32_t scratch_bytes) {
  const int32_t extents =
      (in->n - 1) | (in->h - 1) | (in->w - 1) | (in->c - 1) | (out->h - 1) | (out->w - 1);
  const int32_t distances =
      params->input_pixel | params->input_line | params->output_pixel | params->output_line;
  if ((uint32_t)extents >> 12 != 0 || distances != 0 || in->n != out->n ||
      in->c % NPU_BLOCK_CHANNELS != 0 || filter->h * filter->w > NPU_STEP_ROWS)
    return NPU_ERROR_ARGUMENT;
  plan->window_h = (filter->h - 1) * params->dilation.h + 1;
  const int32_t columns =
      (out->w - 1) * params->stride.w + (filter->w - 1) * params->dilation.w + 1;
  const uint64_t in_line = (uint32_t)in->w * (uint32_t)in->c,
                 out_line = (uint32_t)out->w * (uint32_t)in->c;
  if (max(columns, in->w) > POSITIONS / ALIGNMENT ||
      (out->h - 1) * params->stride.h + plan->window_h > POSITIONS ||
      in_line * (uint32_t)(in->n * in->h) > INT32_MAX ||
      out_line * (uint32_t)(in->n * out->h) > INT32_MAX)
    return NPU_ERROR_ARGUMENT;
  plan->images = in->n;
  plan->blocks = (int32_t)((uint32_t)in->c / NPU_BLOCK_CHANNELS);
  plan->in_h = in->h;
  plan->in_w = in->w;
  plan->out_h = out->h;
  plan->out_w = out->w;
  plan->stride_h = params->stride.h;
  plan->pad_h = params->padding.h;
  plan->pad_w = params->padding.w;
  plan->block_bytes = npu_dw_block_bytes(filter);
  plan->constant_bytes = constants_in_tcm ? 0 : align(plan->block_bytes * (uint32_t)plan->blocks);
  // Beside the descriptors of loads beyond the first.
  const uint32_t fixed =
      plan->constant_bytes + NPU_DW_PIECES * (NPU_DW_PIECE_BYTES + 3 * NPU_DW_DESCRIPTOR_BYTES);
  if (scratch_bytes < fixed)
    return NPU_ERROR_BUFFER;
  choose_run_width(plan, params, filter);
  const uint32_t size = scratch_bytes - fixed;
  const int32_t run_lines = divide(NPU_DW_RUN_PIXELS, plan->run_w);
  const int32_t beats = max(plan->out_w, plan->in_w * plan->stride_h);
  const int32_t image = max(in->h * in->w, out->h * out->w);
  int32_t pixels, edge, strips;
  if (choice != 0) {
    pixels = choice->pixels;
    edge = choice->edge;
    strips = choice->strips;
  } else {
    pixels = min(max(image * plan->blocks / PIECES, LEAST), MOST);
    edge = EDGE;
    strips = 2 * image <= pixels;
  }
  if ((!strips || !choose_group(plan, image, pixels, run_lines, edge, size)) &&
      ((strips && choice != 0) || !choose_lines(plan, pixels, beats, run_lines, edge, size)))
    return NPU_ERROR_BUFFER;
  plan->piece_bytes = NPU_DW_PIECE_BYTES + NPU_DW_DESCRIPTOR_BYTES * (2 + plan->loads);
  plan->constants_at = NPU_DW_PIECES * plan->piece_bytes;
  plan->out_at = plan->constants_at + plan->constant_bytes;
  plan->in_at = plan->out_at + NPU_DW_RESULTS * plan->out_slot;
  plan->scratch_bytes = plan->in_at + plan->in_slots * plan->in_slot;
  set_transfers(plan);
  set_operands(plan, params, filter);
  return NPU_OK;
}

npu_status npu_dw_plan_make(npu_dw_plan *plan, const npu_dw_problem *problem) {
  return npu_dw_plan_fill(plan, problem, 0);
}

npu_status npu_dw_plan_fill(npu_dw_plan *plan, const npu_dw_problem *problem,
                            const npu_dw_choice *choice) {
  return npu_dw_plan_lay_out(plan, choice, &problem->params, &problem->input, &problem->filter,
                             &problem->output, problem->constants_in_tcm, problem->scratch_bytes);
}
