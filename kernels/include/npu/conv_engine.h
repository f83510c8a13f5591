// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a convolution plan (npu/conv_plan.h). Everything is inline, so that with a constant plan the
// compiler folds its fields and drops what the plan does not use: a kernel of npu-kgen is a constant plan
// and a call of npu_conv_execute. The library's npu_conv_run is the same with a plan made at run time.
//
//   load     | 0 1 | . 2 . | . 3 . |           on DMA channel 0, or on both in turn
//   compute        |   0   |   1   |   2   |   array and drain
//   store                  | . 0 . | . 1 . | 2 on channel 1
//
// The core issues array operations a few runs ahead. What has to follow the end of an item, the store of
// its output and the load into the slots that it frees, starts from within the issue of the next item
// (npu_conv_service), so that the array waits for neither.

#ifndef NPU_CONV_ENGINE_H
#define NPU_CONV_ENGINE_H

#include "conv_plan.h"
#include <npu/dma.h>

#include <npu_platform.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NPU_CONV_INLINE static inline __attribute__((always_inline))

// Output pixels of a tile.
typedef struct npu_conv_region {
  int32_t n, y, x, h, w;
} npu_conv_region;

// The input under a tile: its first line and column, its extents, and what the window of the tile's
// first pixel lacks above and to the left of it.
typedef struct npu_conv_source {
  int32_t y, x, rows, columns, top, left;
} npu_conv_source;

// The start of the scratch buffer. Fields that stay the same are written once.
typedef struct npu_conv_descriptors {
  npu_dma_descriptor weights[2], input[2], store[2];
} npu_conv_descriptors;

typedef struct npu_conv_state {
  const int8_t *input;
  const uint8_t *packed;
  int8_t *output;
  uint8_t *scratch;
  const npu_conv_segment *segments;

  // The next load: its number, its tile and piece, its slice and chunk of the weights.
  int32_t load, load_tile, load_piece, load_slice, load_chunk, weights_loaded;
  uint32_t weights_at; // in the packed constants
  npu_conv_region load_region;
  npu_ticket_t loaded[2];

  // What is to be done when the item before is complete.
  int32_t load_pending, store_pending;
  npu_ticket_t computed, drained; // its last run and drain
  const npu_dma_descriptor *store;
  npu_ticket_t *stored_at;
  npu_ticket_t stored[2];
} npu_conv_state;

NPU_CONV_INLINE int32_t npu_conv_min(int32_t a, int32_t b) { return a < b ? a : b; }
NPU_CONV_INLINE int32_t npu_conv_max(int32_t a, int32_t b) { return a > b ? a : b; }

NPU_CONV_INLINE int npu_conv_in_tcm(const npu_conv_plan *p, uint32_t operand) {
  return (p->placement & operand) != 0;
}
NPU_CONV_INLINE int npu_conv_loads(const npu_conv_plan *p) {
  return !npu_conv_in_tcm(p, NPU_CONV_INPUT_TCM) || !npu_conv_in_tcm(p, NPU_CONV_WEIGHTS_TCM);
}

NPU_CONV_INLINE void npu_conv_fit_region(const npu_conv_plan *p, npu_conv_region *r) {
  const npu_conv_choice *c = &p->choice;
  r->h = npu_conv_min(r->y == 0 ? c->first_h : c->tile_h, p->out_h - r->y);
  r->w = npu_conv_min(c->tile_w, p->out_w - r->x);
}

// Moves to the next tile; from the last to the first.
NPU_CONV_INLINE void npu_conv_next_region(const npu_conv_plan *p, npu_conv_region *r) {
  if (p->tiles == 1)
    return;
  r->x += r->w;
  if (r->x >= p->out_w) {
    r->x = 0;
    r->y += r->h;
    if (r->y >= p->out_h) {
      r->y = 0;
      if (++r->n == p->images)
        r->n = 0;
    }
  }
  npu_conv_fit_region(p, r);
}

NPU_CONV_INLINE npu_conv_source npu_conv_source_of(const npu_conv_plan *p,
                                                   const npu_conv_region *r) {
  const int32_t y = r->y * p->stride_h - p->pad_h, x = r->x * p->stride_w - p->pad_w;
  npu_conv_source s;
  s.y = npu_conv_max(y, 0);
  s.x = npu_conv_max(x, 0);
  s.top = s.y - y;
  s.left = s.x - x;
  s.rows = npu_conv_min(y + (r->h - 1) * p->stride_h + p->window_h, p->in_h) - s.y;
  s.columns = npu_conv_min(x + (r->w - 1) * p->stride_w + p->window_w, p->in_w) - s.x;
  return s;
}

// ---- loads ---------------------------------------------------------------------------

// Input lines [first, first + count) of the tile; false if there are none.
NPU_CONV_INLINE int npu_conv_describe_input(const npu_conv_plan *p, const npu_conv_state *s,
                                            npu_dma_descriptor *d, int32_t first, int32_t count) {
  const npu_conv_region *r = &s->load_region;
  const npu_conv_source from = npu_conv_source_of(p, r);
  const int32_t lines = npu_conv_min(count, from.rows - first);
  if (lines <= 0 || from.columns <= 0)
    return 0;
  d->src = (uint32_t)s->input + (uint32_t)(r->n * p->src_image + (from.y + first) * p->src_line +
                                           from.x * p->src_pixel);
  d->dst = (uint32_t)s->scratch + p->in_at + ((s->load_tile & 1) != 0 ? p->in_slot : 0) +
           (uint32_t)(first * p->in_pitch);
  if (p->in_pixel == p->src_pixel) {
    d->len = (uint32_t)(from.columns * p->in_pixel);
    d->reps1 = (uint32_t)lines;
  } else {
    d->reps1 = (uint32_t)from.columns;
    d->reps2 = (uint32_t)lines;
  }
  return 1;
}

// The input that this load brings: the first tile as a whole, and then a piece of the next tile with
// each item, or, weight-stationary, the tile of the item.
NPU_CONV_INLINE int npu_conv_load_input(const npu_conv_plan *p, npu_conv_state *s,
                                        npu_dma_descriptor *d) {
  if (npu_conv_in_tcm(p, NPU_CONV_INPUT_TCM) || (p->tiles == 1 && s->load != 0))
    return 0;
  if (p->choice.weight_stationary || s->load == 0) {
    const int some = npu_conv_describe_input(p, s, d, 0, p->in_h);
    ++s->load_tile;
    npu_conv_next_region(p, &s->load_region);
    return some;
  }
  if (s->load_tile == p->tiles)
    return 0;
  const int some =
      npu_conv_describe_input(p, s, d, s->load_piece * p->piece_lines, p->piece_lines);
  if (++s->load_piece == p->slices * p->chunks) {
    s->load_piece = 0;
    ++s->load_tile;
    npu_conv_next_region(p, &s->load_region);
  }
  return some;
}

// Packed bytes of the slice or chunk to load.
NPU_CONV_INLINE uint32_t npu_conv_slice_bytes(const npu_conv_plan *p, const npu_conv_state *s) {
  const npu_conv_choice *c = &p->choice;
  if (p->chunks == 1)
    return (uint32_t)npu_conv_min(c->slice_blocks, p->blocks - s->load_slice * c->slice_blocks) *
           p->block_bytes;
  const int32_t first = s->load_chunk * c->chunk_segments;
  const int32_t last = npu_conv_min(first + c->chunk_segments, p->segments);
  uint32_t bytes = s->load_chunk == 0 ? NPU_TABLE_BYTES : 0;
  for (int32_t i = first; i < last; ++i)
    bytes += s->segments[i].count * NPU_STEP_BYTES;
  return bytes;
}

// The weights that the item of this load needs; false if it finds them in the scratchpad.
NPU_CONV_INLINE int npu_conv_load_weights(const npu_conv_plan *p, npu_conv_state *s,
                                          npu_dma_descriptor *d) {
  const npu_conv_choice *c = &p->choice;
  if (npu_conv_in_tcm(p, NPU_CONV_WEIGHTS_TCM) ||
      (c->resident && s->weights_loaded == p->slices * p->chunks))
    return 0;
  if (c->weight_stationary) { // with the first tile of each slice
    const int first = s->load_piece == 0;
    if (++s->load_piece == p->tiles)
      s->load_piece = 0;
    if (!first)
      return 0;
  }
  const uint32_t bytes = npu_conv_slice_bytes(p, s);
  const uint32_t slot = c->resident ? s->weights_at : (s->weights_loaded & 1) != 0 ? p->weight_slot : 0;
  d->src = (uint32_t)s->packed + s->weights_at;
  d->dst = (uint32_t)s->scratch + p->weights_slots_at + slot;
  d->len = bytes;
  ++s->weights_loaded;
  s->weights_at += bytes;
  if (++s->load_chunk == p->chunks) {
    s->load_chunk = 0;
    if (++s->load_slice == p->slices) {
      s->load_slice = 0;
      s->weights_at = 0;
    }
  }
  return 1;
}

// Starts the next load: what its item needs and the scratchpad does not hold yet.
NPU_CONV_INLINE void npu_conv_load(const npu_conv_plan *p, npu_conv_state *s) {
  npu_conv_descriptors *const d = (npu_conv_descriptors *)s->scratch;
  const int32_t odd = s->load & 1;
  npu_dma_descriptor *const weights = &d->weights[odd], *const input = &d->input[odd];
  const int has_weights = npu_conv_load_weights(p, s, weights);
  const int has_input = npu_conv_load_input(p, s, input);
  ++s->load;
  s->loaded[odd] = NPU_TICKET_DONE;
  if (!has_weights && !has_input)
    return;
  weights->next = has_input ? (uint32_t)input : 0;
  const npu_dma_descriptor *const first = has_weights ? weights : input;
  s->loaded[odd] = p->load_channels == 2 && odd ? npu_dma_start(first, 1) : npu_dma_start(first, 0);
}

NPU_CONV_INLINE void npu_conv_prepare_descriptors(const npu_conv_plan *p, npu_conv_state *s) {
  npu_conv_descriptors *const d = (npu_conv_descriptors *)s->scratch;
  for (int32_t odd = 0; odd < 2; ++odd) {
    if (!npu_conv_in_tcm(p, NPU_CONV_WEIGHTS_TCM))
      d->weights[odd] = npu_dma_1d(0, 0, 0);
    if (!npu_conv_in_tcm(p, NPU_CONV_INPUT_TCM)) {
      if (p->in_pixel == p->src_pixel) {
        d->input[odd] = npu_dma_2d(0, p->in_pitch, 0, p->src_line, 0, 0);
      } else {
        d->input[odd] = npu_dma_2d(0, p->in_pixel, 0, p->src_pixel, (uint32_t)p->in_bytes, 0);
        npu_dma_add_planes(&d->input[odd], 0, p->in_pitch, p->src_line);
      }
    }
    if (!npu_conv_in_tcm(p, NPU_CONV_OUTPUT_TCM)) {
      d->store[odd] = npu_dma_2d(0, p->dst_pixel, 0, p->out_pixel, 0, 0);
      npu_dma_add_planes(&d->store[odd], 0, p->dst_line, p->out_pitch);
    }
  }
}

// ---- between the items ------------------------------------------------------------------

NPU_CONV_INLINE void npu_conv_start_store(npu_conv_state *s) {
  *s->stored_at = npu_dma_start(s->store, 1);
  s->store_pending = 0;
}

NPU_CONV_INLINE void npu_conv_start_load(const npu_conv_plan *p, npu_conv_state *s) {
  npu_conv_load(p, s);
  s->load_pending = 0;
}

// Starts what the end of the item before allows, if it is there.
NPU_CONV_INLINE void npu_conv_service(const npu_conv_plan *p, npu_conv_state *s) {
  if (npu_conv_loads(p) && s->load_pending && npu_poll(s->computed))
    npu_conv_start_load(p, s);
  if (!npu_conv_in_tcm(p, NPU_CONV_OUTPUT_TCM) && s->store_pending && npu_poll(s->drained))
    npu_conv_start_store(s);
}

// The same, and waits for it.
NPU_CONV_INLINE void npu_conv_finish(const npu_conv_plan *p, npu_conv_state *s) {
  if (npu_conv_loads(p) && s->load_pending) {
    npu_wait(s->computed);
    npu_conv_start_load(p, s);
  }
  if (!npu_conv_in_tcm(p, NPU_CONV_OUTPUT_TCM) && s->store_pending) {
    npu_wait(s->drained);
    npu_conv_start_store(s);
  }
}

// ---- compute ---------------------------------------------------------------------------

// One chunk of the window over the pixels of ctl: for each step a weight load and a run. column is in the
// upper half of its word, so that it wraps there; line too.
NPU_CONV_INLINE npu_ticket_t npu_conv_window(const npu_conv_plan *p, npu_conv_state *s,
                                             const npu_conv_segment *segment, int32_t segments,
                                             const int8_t *in, uint32_t line, uint32_t column,
                                             const uint8_t **packed, uint32_t ctl) {
  const uint8_t *weights = *packed;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (int32_t i = 0; i < segments; ++i, ++segment) {
    const int8_t *from = in + segment->offset;
    uint32_t run = ctl | segment->ctl;
    uint32_t at = column + (segment->position << 16);
    const uint32_t row = line + (segment->position & 0xFFFF0000u);
    uint32_t count = segment->count;
    for (;;) {
      npu_mac_ldw(weights, p->ldw_rows);
      if (p->padded)
        npu_csr_write(NPU_CSR_NPOS, row | at >> 16);
      ticket = npu_mac_run(from, run);
      run |= NPU_MAC_ACC;
      weights += NPU_STEP_BYTES;
      if (--count == 0)
        break;
      from += p->step_bytes;
      at += p->step_bytes << 16;
    }
    ctl |= NPU_MAC_ACC;
    npu_conv_service(p, s);
  }
  *packed = weights;
  return ticket;
}

// Where the array is in the weights.
typedef struct npu_conv_position {
  int32_t slice, chunk;
  int32_t channel;      // first output channel
  int32_t group_block;  // of the block in its group
  int32_t group_offset; // of the group in a pixel
  const uint8_t *packed;
} npu_conv_position;

typedef struct npu_conv_end {
  npu_ticket_t run, drain; // of an item's last operations
} npu_conv_end;

// Issues one item. at is moved behind it.
NPU_CONV_INLINE npu_conv_end npu_conv_compute(const npu_conv_plan *p, npu_conv_state *s,
                                      const npu_conv_region *r, const npu_conv_source *from,
                                      const int8_t *in, int8_t *out, npu_conv_position *at,
                                      uint32_t *half_of_next) {
  const npu_conv_choice *c = &p->choice;
  const int32_t blocks =
      p->slices == 1 ? p->blocks
                     : npu_conv_min(c->slice_blocks, p->blocks - at->slice * c->slice_blocks);
  const npu_conv_segment *const segments = s->segments + at->chunk * c->chunk_segments;
  const int32_t count = p->chunks == 1 ? p->segments
                                       : npu_conv_min(c->chunk_segments,
                                                      p->segments - at->chunk * c->chunk_segments);
  const int first_chunk = at->chunk == 0, last_chunk = at->chunk == p->chunks - 1;
  const npu_conv_position start = *at;
  npu_conv_end e = {NPU_TICKET_DONE, NPU_TICKET_DONE};
  uint32_t half = *half_of_next;

  for (int32_t y = 0; y < r->h; y += p->rect_h) {
    const int32_t rows = npu_conv_min(p->rect_h, r->h - y);
    for (int32_t x = 0; x < r->w; x += p->rect_w) {
      const int32_t columns = npu_conv_min(p->rect_w, r->w - x);
      const uint32_t pixels = (uint32_t)(rows * columns);
      const int8_t *const corner =
          in + y * p->stride_h * p->in_pitch + x * p->stride_w * p->in_pixel;
      int8_t *const to = out + y * p->out_pitch + x * p->out_pixel;
      const uint32_t line = (uint32_t)(y * p->stride_h - from->top) << 16;
      const uint32_t column = (uint32_t)((x * p->stride_w - from->left) * p->in_pixel) << 16;
      npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)(c->column_order ? rows : columns));
      *at = start;
      for (int32_t block = 0; block < blocks; ++block) {
        if (first_chunk) {
          npu_mac_ldq(at->packed);
          at->packed += NPU_TABLE_BYTES;
        }
        const uint32_t ctl = npu_mac_run_ctl(half, pixels, 0, 0, NPU_MAC_SWAP);
        e.run = npu_conv_window(p, s, segments, count, corner + at->group_offset, line, column,
                                &at->packed, first_chunk ? ctl : ctl | NPU_MAC_ACC);
        if (!last_chunk)
          continue;
        const int32_t left = p->group_out - at->group_block * NPU_BLOCK_CHANNELS;
        const int32_t stored = npu_conv_min(left, NPU_BLOCK_CHANNELS);
        e.drain = npu_mac_drain(to + (at->channel - start.channel),
                                  npu_mac_drain_ctl(half, pixels, (uint32_t)stored, 0));
        half ^= NPU_RUN_PIXELS;
        at->channel += stored;
        if (++at->group_block == p->group_blocks) {
          at->group_block = 0;
          at->group_offset += p->group_in;
        }
      }
    }
  }
  *half_of_next = half;
  return e;
}

NPU_CONV_INLINE void npu_conv_set_csrs(const npu_conv_plan *p) {
  npu_csr_write(NPU_CSR_NROWLEN, p->rowlen);
  npu_csr_write(NPU_CSR_NROWSTRIDE, p->rowstride);
  npu_csr_write(NPU_CSR_NXSTRIDE, p->xstride);
  npu_csr_write(NPU_CSR_NYSTRIDE, p->ystride);
  npu_csr_write(NPU_CSR_NOXSTRIDE, p->oxstride);
  npu_csr_write(NPU_CSR_NOYSTRIDE, p->oystride);
  npu_csr_write(NPU_CSR_NOQUANT, p->oquant);
  if (p->padded) {
    npu_csr_write(NPU_CSR_NPAD, p->pad);
    npu_csr_write(NPU_CSR_NPXSTEP, p->pxstep);
    npu_csr_write(NPU_CSR_NPYSTEP, p->pystep);
  } else {
    npu_csr_write(NPU_CSR_NVALID, 0);
  }
}

// Fills the store descriptor of a tile's channels [first, first + count).
NPU_CONV_INLINE void npu_conv_describe_store(const npu_conv_plan *p, npu_dma_descriptor *d,
                                             const npu_conv_region *r, const int8_t *from,
                                             const int8_t *to, int32_t channels) {
  d->src = (uint32_t)from;
  d->dst = (uint32_t)to;
  if (p->slices == 1 && p->out_pixel == p->dst_pixel) { // a line is one row
    d->len = (uint32_t)(r->w * p->dst_pixel);
    d->reps1 = 1;
  } else {
    d->len = (uint32_t)channels;
    d->reps1 = (uint32_t)r->w;
  }
  d->reps2 = (uint32_t)r->h;
}

// True if the scratch buffer is in TCM, aligned and large enough for the plan.
NPU_CONV_INLINE int npu_conv_scratch_ok(const npu_conv_plan *p, const npu_context *context) {
  const uint32_t offset = (uint32_t)context->buffer - NPU_TCM_BASE;
  const uint32_t tcm = npu_csr_read(NPU_CSR_NTCMSIZE);
  return offset % 16 == 0 && offset < tcm && context->size <= tcm - offset &&
         context->size >= p->scratch_bytes;
}

// Runs the plan and waits until the output is written.
//   scratch   in TCM, 16-byte aligned, plan->scratch_bytes
//   segments  as npu_conv_write_segments gives them
//   input, packed, output  where plan->placement says
NPU_CONV_INLINE npu_status npu_conv_execute(const npu_conv_plan *p,
                                            const npu_conv_segment *segments, void *scratch,
                                            const int8_t *input, const void *packed,
                                            int8_t *output) {
  const int loads = npu_conv_loads(p), stores = !npu_conv_in_tcm(p, NPU_CONV_OUTPUT_TCM);
  const int input_near = npu_conv_in_tcm(p, NPU_CONV_INPUT_TCM);
  const int weights_near = npu_conv_in_tcm(p, NPU_CONV_WEIGHTS_TCM);
  const npu_conv_choice *c = &p->choice;
  const int32_t items = p->tiles * p->slices * p->chunks;
  npu_conv_descriptors *const descriptors = (npu_conv_descriptors *)scratch;

  npu_conv_state s = {.input = input,
                      .packed = (const uint8_t *)packed,
                      .output = output,
                      .scratch = (uint8_t *)scratch,
                      .segments = segments,
                      .loaded = {NPU_TICKET_DONE, NPU_TICKET_DONE},
                      .stored = {NPU_TICKET_DONE, NPU_TICKET_DONE}};
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  npu_conv_fit_region(p, &s.load_region);
  npu_conv_region region = s.load_region;
  if (loads || stores)
    npu_conv_prepare_descriptors(p, &s);
  if (loads) {
    npu_conv_load(p, &s);
    if (items > 1)
      npu_conv_load(p, &s);
  }
  npu_conv_set_csrs(p);

  const uint8_t *const weights = weights_near ? (const uint8_t *)packed : s.scratch + p->weights_slots_at;
  const int whole = weights_near || c->resident; // the constants lie as they are packed
  npu_conv_position at = {.packed = weights};
  npu_conv_position tile_start = at; // weight-stationary: every tile starts here
  int32_t tile = 0, tile_of_slice = 0, weights_used = 0, results = 0;
  uint32_t half = 0;
  npu_conv_source from = npu_conv_source_of(p, &region);
  for (int32_t item = 0; item < items; ++item) {
    const int8_t *in;
    int8_t *out;
    if (input_near)
      in = input + region.n * p->src_image + from.y * p->in_pitch + from.x * p->in_pixel;
    else
      in = (const int8_t *)s.scratch + p->in_at + ((tile & 1) != 0 ? p->in_slot : 0);
    int8_t *const to = output + region.n * p->dst_image + region.y * p->dst_line +
                       region.x * p->dst_pixel + at.channel;
    out = stores ? (int8_t *)s.scratch + p->out_at + ((results & 1) != 0 ? p->out_slot : 0) : to;
    if (p->padded) {
      const int some = from.rows > 0 && from.columns > 0;
      npu_csr_write(NPU_CSR_NVALID, some ? npu_valid((uint32_t)(from.columns * p->in_pixel),
                                                     (uint32_t)from.rows)
                                         : npu_valid(1, 0));
    }
    if (loads)
      npu_wait(s.loaded[item & 1]);
    const int first_chunk = at.chunk == 0, last_chunk = at.chunk == p->chunks - 1;
    if (stores && first_chunk)
      npu_wait(s.stored[results & 1]);

    if (!whole)
      at.packed = weights + ((weights_used & 1) != 0 ? p->weight_slot : 0);
    const int32_t first_channel = at.channel;
    const npu_conv_end end =
        npu_conv_compute(p, &s, &region, &from,
                         in - from.top * p->in_pitch - from.left * p->in_pixel, out, &at, &half);

    npu_conv_finish(p, &s);
    s.computed = end.run;
    s.drained = end.drain;
    s.load_pending = loads && s.load < items;
    if (stores && last_chunk) {
      npu_dma_descriptor *const d = &descriptors->store[results & 1];
      npu_conv_describe_store(p, d, &region, out, to, at.channel - first_channel);
      s.store = d;
      s.stored_at = &s.stored[results & 1];
      s.store_pending = 1;
      ++results;
    }

    // To the next item.
    int next_tile;
    if (c->weight_stationary) {
      next_tile = 1;
      if (++tile_of_slice == p->tiles) {
        tile_of_slice = 0;
        ++at.slice;
        ++weights_used;
        tile_start = at;
      } else {
        at = tile_start;
      }
    } else {
      ++weights_used;
      next_tile = 0;
      if (last_chunk) {
        at.chunk = 0;
        if (++at.slice == p->slices) {
          at = tile_start;
          next_tile = 1;
        }
      } else {
        ++at.chunk;
      }
    }
    if (next_tile && item + 1 < items) {
      ++tile;
      npu_conv_next_region(p, &region);
      from = npu_conv_source_of(p, &region);
    }
  }

  npu_conv_finish(p, &s);
  if (stores) {
    npu_wait(s.stored[0]);
    npu_wait(s.stored[1]);
  } else {
    npu_wait(s.drained);
  }
  const uint32_t errors = npu_csr_read(NPU_CSR_NSTATUS) & NPU_STATUS_ERRORS;
  if ((errors & (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR)) != 0)
    return NPU_ERROR_TRANSFER;
  return errors != 0 ? NPU_ERROR_MATRIX_UNIT : NPU_OK;
}

#undef NPU_CONV_INLINE

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_ENGINE_H
