// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolution and residual addition (npu/fused.h). While the array works on an item, DMA channel 1
// loads the residual under its output; while it works on the next one the core adds, in place,
// before the store.

#include "npu/fused.h"

#include "add.h"
#include "conv_beside.h"

enum {
  GRANULE = 128,       // bytes that are added at once
  GRANULE_CYCLES = 80, // about
  DESCRIPTORS = 2 * sizeof(npu_dma_descriptor),
};

static uint32_t align(uint32_t bytes) {
  return (bytes + 15) & ~15u;
}

// An item's output and residual: h lines of w runs of contiguous bytes.
typedef struct add_item {
  int8_t *at;
  const int8_t *residual;
  int32_t run, w, h;
  int32_t pixel, line, residual_pixel, residual_line;
  npu_ticket_t loaded;
} add_item;

typedef struct add_epilogue {
  npu_conv_epilogue hooks; // first
  npu_add add;
  const int8_t *residual;
  npu_dims dims; // of residual and output
  int output_near;
  // Two descriptors and slots for a residual in DRAM, or null.
  npu_dma_descriptor *descriptors;
  int8_t *slots;
  uint32_t slot_bytes;
  uint32_t oquant; // the convolution's
  uint32_t count;  // items
  int32_t chunk;   // bytes between two looks at the array
  add_item next, item;
  int32_t x, byte; // of the item, what is done of its first line that is left
} add_epilogue;

static void begin(npu_conv_epilogue *hooks, const npu_conv_output *o) {
  add_epilogue *const e = (add_epilogue *)hooks;
  const npu_conv_plan *p = o->plan;
  const npu_conv_region *r = &o->region;
  const int32_t pixel = e->dims.c, line = e->dims.w * pixel;
  const int8_t *const residual =
      e->residual + (r->n * e->dims.h + r->y) * line + r->x * pixel + o->channel;
  add_item *const i = &e->next;
  *i = (add_item){o->at,        residual,     o->channels, r->w, r->h,
                  p->out_pixel, p->out_pitch, pixel,       line, NPU_TICKET_DONE};
  if (e->slots != 0) { // as the output lies, or dense
    const uint32_t odd = e->count & 1;
    int8_t *const slot = e->slots + (odd != 0 ? e->slot_bytes : 0);
    npu_dma_descriptor *const d = &e->descriptors[odd];
    i->residual = slot;
    i->residual_pixel = e->output_near ? o->channels : p->out_pixel;
    i->residual_line = e->output_near ? r->w * o->channels : p->out_pitch;
    if (i->residual_pixel == pixel) {
      *d = npu_dma_2d(slot, i->residual_line, residual, line, (uint32_t)(r->w * pixel),
                      (uint32_t)r->h);
    } else {
      *d = npu_dma_2d(slot, i->residual_pixel, residual, pixel, (uint32_t)o->channels,
                      (uint32_t)r->w);
      npu_dma_add_planes(d, (uint32_t)r->h, i->residual_line, line);
    }
    i->loaded = npu_dma_start(d, 1);
  }
  ++e->count;
  // What lies between the pixels and lines of the scratch buffer is added along.
  const int gaps = e->slots != 0 && !e->output_near;
  if (i->pixel == i->residual_pixel && (gaps || i->run == i->pixel)) {
    i->run += (i->w - 1) * i->pixel;
    i->w = 1;
    if (i->line == i->residual_line && (gaps || i->run == i->line)) {
      i->run += (i->h - 1) * i->line;
      i->h = 1;
    }
  }
}

static void issued(npu_conv_epilogue *hooks) {
  add_epilogue *const e = (add_epilogue *)hooks;
  e->item = e->next;
  e->x = e->byte = 0;
}

static int advance(npu_conv_epilogue *hooks, int bounded, npu_ticket_t until) {
  add_epilogue *const e = (add_epilogue *)hooks;
  add_item *const i = &e->item;
  if (bounded && !npu_poll(i->loaded))
    return 1;
  npu_wait(i->loaded);
  npu_csr_write(NPU_CSR_NOQUANT, e->add.oquant);
  do {
    const int32_t offset = e->x * i->pixel + e->byte;
    const int32_t left = i->run - e->byte, bytes = bounded && left > e->chunk ? e->chunk : left;
    npu_add_run(&e->add, i->at + offset, i->residual + e->x * i->residual_pixel + e->byte,
                i->at + offset, (uint32_t)bytes);
    e->byte += bytes;
    if (e->byte == i->run) {
      e->byte = 0;
      if (++e->x == i->w) {
        e->x = 0;
        i->at += i->line;
        i->residual += i->residual_line;
        --i->h;
      }
    }
  } while (i->h > 0 && !(bounded && npu_poll(until)));
  npu_csr_write(NPU_CSR_NOQUANT, e->oquant);
  return i->h > 0;
}

// Scratch bytes that the residual of a plan's items needs.
static uint32_t residual_bytes(const npu_conv_plan *p) {
  uint32_t slot = p->out_slot;
  if ((p->placement & NPU_CONV_OUTPUT_TCM) != 0)
    slot = align((uint32_t)(p->choice.tile_h * p->choice.tile_w * p->choice.slice_blocks *
                            NPU_BLOCK_CHANNELS));
  return DESCRIPTORS + 2 * slot;
}

// A plan that leaves room for the residual: an eighth of the buffer; if it needs more, smaller
// items of the same kind.
static npu_status make_plan(npu_conv_plan *plan, npu_conv_problem *problem, uint32_t size, int near,
                            uint32_t epilogue_cycles) {
  problem->scratch_bytes = near ? size : size - size / 8;
  npu_status status = npu_conv_plan_make(plan, problem);
  if (status != NPU_OK)
    return status;
  npu_conv_split_items(plan, problem, epilogue_cycles);
  while (!near && align(plan->scratch_bytes) + residual_bytes(plan) > size) {
    npu_conv_choice c = plan->choice;
    if (c.slice_blocks > 1)
      c.slice_blocks = (c.slice_blocks + 1) / 2;
    else if (c.tile_h > 1)
      c.tile_h = c.first_h = (c.tile_h + 1) / 2;
    else
      return NPU_ERROR_BUFFER;
    status = npu_conv_plan_fill(plan, problem, &c);
    if (status != NPU_OK)
      return status == NPU_ERROR_ARGUMENT ? NPU_ERROR_BUFFER : status;
  }
  return NPU_OK;
}

uint32_t npu_conv_add_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                         const npu_dims *filter_dims, const npu_dims *output_dims) {
  const uint32_t conv = npu_conv_s8_get_buffer_size(params, input_dims, filter_dims, output_dims);
  const uint32_t add = npu_elementwise_s8_get_buffer_size(output_dims, output_dims, output_dims);
  return conv == 0 || conv > add ? conv : add;
}

npu_status npu_conv_add_s8(const npu_context *context, const npu_conv_params *params,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const void *packed,
                           const npu_add_params *add, const int8_t *residual,
                           const npu_dims *output_dims, int8_t *output) {
  add_epilogue e = {.hooks = {begin, issued, advance}, .residual = residual, .dims = *output_dims};
  npu_conv_problem problem;
  npu_status status = npu_add_prepare(&e.add, add, 1);
  if (status == NPU_OK)
    status = npu_conv_problem_of(&problem, params, input_dims, input, filter_dims, packed,
                                 output_dims, output, 8);
  if (status != NPU_OK)
    return status;
  const uint32_t bytes = npu_dims_elements(output_dims, 1);
  const int near = npu_in_tcm(residual, bytes);
  npu_conv_plan plan;
  status = make_plan(&plan, &problem, context->size, near, bytes / GRANULE * GRANULE_CYCLES);
  if (status == NPU_ERROR_BUFFER) { // one after the other
    problem.scratch_bytes = context->size;
    status = npu_conv_plan_make(&plan, &problem);
    if (status == NPU_OK)
      status = npu_conv_run_with(&plan, &problem, context, input, packed, output, 0);
    return status != NPU_OK ? status
                            : npu_add_s8(context, add, output_dims, output, output_dims, residual,
                                         output_dims, output);
  }
  if (status != NPU_OK)
    return status;
  e.output_near = (plan.placement & NPU_CONV_OUTPUT_TCM) != 0;
  e.oquant = plan.oquant;
  // Three of the runs that fill the array's queue.
  e.chunk = 3 * plan.runs.h * plan.runs.w / GRANULE_CYCLES * GRANULE;
  if (e.chunk < GRANULE)
    e.chunk = GRANULE;
  if (!near) {
    const uint32_t at = align(plan.scratch_bytes);
    e.descriptors = (npu_dma_descriptor *)((uint8_t *)context->buffer + at);
    e.slots = (int8_t *)(e.descriptors + 2);
    e.slot_bytes = (residual_bytes(&plan) - DESCRIPTORS) / 2;
  }
  return npu_conv_run_with(&plan, &problem, context, input, packed, output, &e.hooks);
}
