// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a convolution plan (npu/conv_plan.h). Everything is inline, so that with a constant plan
// the compiler folds its fields and drops what the plan does not use: a kernel of npu-kgen is a
// constant plan and a call of npu_conv_execute. The library's npu_conv_run is the same with a plan
// made at run time.
//
//   load     | 0 1 | . 2 . | . 3 . |           on DMA channel 0, or on both in turn
//   compute        |   0   |   1   |   2   |   array and drain
//   store                  | . 0 . | . 1 . | 2 on channel 1
//
// The core issues array operations a few runs ahead. What has to follow the end of an item, the
// store of its output and the load into the slots that it frees, starts from within the issue of
// the next item (npu_conv_service), so that the array waits for neither.

#ifndef NPU_CONV_ENGINE_H
#define NPU_CONV_ENGINE_H

#include "conv_plan.h"
#include "unit_errors.h"
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
  npu_dma_descriptor parts[NPU_CONV_PARTS - 1]; // of an input, behind the first one
} npu_conv_descriptors;

// What is loaded next: npu_conv_describe_load writes descriptors one load ahead.
typedef struct npu_conv_loader {
  const int8_t *input;
  const uint8_t *packed;
  uint8_t *scratch;
  const npu_conv_segment *segments;
  int32_t number, started; // loads described and started; a load has the number of its item
  const npu_dma_descriptor
      *next;     // the load that is described and not started; null if there is nothing to load
  // Its input, where that waits for the end of the tile in work; otherwise null.
  const npu_dma_descriptor *late;
  // Of the input: the tile, the pieces of it that are loaded, and where the next one comes from and
  // goes to.
  npu_conv_region region;
  int32_t tile, piece, lines, columns;
  int32_t rest; // loads without an input, before the next one with some
  uint32_t src, dst;
  // What follows the first part of the input that is described: lines or columns, and where.
  int32_t part_left;
  uint32_t part_src, part_dst;
  // Of the weights.
  int32_t slice, chunk, weights, tile_of_slice;
  uint32_t packed_at;
} npu_conv_loader;

NPU_CONV_INLINE int32_t npu_conv_min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
NPU_CONV_INLINE int32_t npu_conv_max(int32_t a, int32_t b) {
  return a > b ? a : b;
}

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

NPU_CONV_INLINE void npu_conv_enter_tile(const npu_conv_plan *p, npu_conv_loader *l) {
  const npu_conv_source from = npu_conv_source_of(p, &l->region);
  l->lines = from.columns > 0 ? from.rows : 0;
  l->columns = from.columns;
  l->src = (uint32_t)l->input +
           (uint32_t)(l->region.n * p->src_image + from.y * p->src_line + from.x * p->src_pixel);
  l->dst = (uint32_t)l->scratch + p->in_at +
           (!p->choice.single_input && (l->tile & 1) != 0 ? p->in_slot : 0);
}

// Parts of an input are columns where the runs go down the columns, otherwise lines, so that the
// runs of one keep to the order that is best for the banks. How many there are under the first of
// part_runs.
NPU_CONV_INLINE int32_t npu_conv_first_part(const npu_conv_plan *p, const npu_conv_loader *l) {
  const npu_conv_runs *const r = &p->part_runs;
  const int32_t extent =
      p->choice.column_order
          ? (r->w - 1) * p->stride_w + p->window_w +
                npu_conv_min(l->region.x * p->stride_w - p->pad_w, 0)
          : (r->h - 1) * p->stride_h + p->window_h +
                npu_conv_min(l->region.y * p->stride_h - p->pad_h, 0);
  return npu_conv_max(extent, 1);
}

// The first tile as a whole, then a piece of the next tile with each item; weight-stationary or
// with a single buffer, whole tiles. False if there is nothing to load.
NPU_CONV_INLINE int npu_conv_load_input(const npu_conv_plan *p, npu_conv_loader *l, int first,
                                        npu_dma_descriptor *d) {
  const int whole = first || p->choice.single_input, some = l->lines > 0;
  if (p->parts > 1)
    l->part_left = 0;
  if (some) {
    const int in_parts = whole && p->parts > 1, by_columns = p->choice.column_order;
    const int32_t most = in_parts && !by_columns ? npu_conv_first_part(p, l)
                         : whole                 ? p->in_h
                                                 : p->piece_lines;
    const int32_t count = npu_conv_min(most, l->lines);
    int32_t columns = l->columns;
    if (in_parts && by_columns)
      columns = npu_conv_min(columns, npu_conv_first_part(p, l));
    d->src = l->src;
    d->dst = l->dst;
    if (p->in_pixel == p->src_pixel) {
      d->len = (uint32_t)(columns * p->in_pixel);
      d->reps1 = (uint32_t)count;
    } else {
      d->reps1 = (uint32_t)columns;
      d->reps2 = (uint32_t)count;
    }
    if (in_parts && by_columns) {
      l->part_left = l->columns - columns;
      l->part_src = l->src + (uint32_t)(columns * p->src_pixel);
      l->part_dst = l->dst + (uint32_t)(columns * p->in_pixel);
    }
    l->lines -= count;
    l->src += (uint32_t)(count * p->src_line);
    l->dst += (uint32_t)(count * p->in_pitch);
    if (in_parts && !by_columns) {
      l->part_left = l->lines;
      l->part_src = l->src;
      l->part_dst = l->dst;
    }
  }
  return some;
}

// Behind that, on to the next piece or tile. l->rest becomes the number of loads without an input
// that follow.
NPU_CONV_INLINE void npu_conv_pass_input(const npu_conv_plan *p, npu_conv_loader *l, int first) {
  const int32_t pieces = p->choice.weight_stationary ? 1 : p->slices * p->chunks;
  if (p->tiles == 1) {
    l->rest = INT32_MAX;
  } else if (first || p->choice.single_input || l->lines <= 0) {
    l->rest = first && !p->choice.single_input ? 0 : pieces - 1 - l->piece;
    l->piece = 0;
    l->lines = 0;
    if (++l->tile < p->tiles || p->choice.weight_stationary) {
      npu_conv_next_region(p, &l->region);
      npu_conv_enter_tile(p, l);
    }
  } else {
    ++l->piece;
  }
}

// Packed bytes of the slice or chunk to load.
NPU_CONV_INLINE uint32_t npu_conv_slice_bytes(const npu_conv_plan *p, const npu_conv_loader *l) {
  const npu_conv_choice *c = &p->choice;
  if (p->slices == 1 && p->chunks == 1)
    return (uint32_t)p->blocks * p->block_bytes;
  if (p->chunks == 1)
    return l->slice == p->slices - 1 ? (uint32_t)p->blocks * p->block_bytes - l->packed_at
                                     : (uint32_t)c->slice_blocks * p->block_bytes;
  const int32_t first = l->chunk * c->chunk_segments;
  const int32_t last = npu_conv_min(first + c->chunk_segments, p->segments);
  uint32_t bytes = l->chunk == 0 ? NPU_TABLE_BYTES : 0;
  if (p->full_segments)
    return bytes + (uint32_t)(last - first) * NPU_SEGMENT_BYTES;
  for (int32_t i = first; i < last; ++i)
    bytes += l->segments[i].count * NPU_STEP_BYTES;
  return bytes;
}

// The weights that the item of this load needs; false if it finds them in the scratchpad.
NPU_CONV_INLINE int npu_conv_load_weights(const npu_conv_plan *p, npu_conv_loader *l,
                                          npu_dma_descriptor *d) {
  const npu_conv_choice *c = &p->choice;
  if (npu_conv_in_tcm(p, NPU_CONV_WEIGHTS_TCM) ||
      (c->resident && l->weights == p->slices * p->chunks) ||
      (c->weight_stationary && l->tile_of_slice != 0))
    return 0;
  const uint32_t bytes = npu_conv_slice_bytes(p, l);
  const uint32_t slot = c->resident ? l->packed_at : (l->weights & 1) != 0 ? p->weight_slot : 0;
  d->src = (uint32_t)l->packed + l->packed_at;
  d->dst = (uint32_t)l->scratch + p->weights_slots_at + slot;
  d->len = bytes;
  ++l->weights;
  l->packed_at += bytes;
  if (p->chunks == 1 || ++l->chunk == p->chunks) {
    l->chunk = 0;
    if (++l->slice == p->slices) {
      l->slice = 0;
      l->packed_at = 0;
    }
  }
  return 1;
}

// npu/conv_loads.h: of the library, or of a file that defines this name before.
#ifdef NPU_CONV_CONSTANT_PLAN
#define NPU_CONV_LINKAGE static __attribute__((noinline))
#else
#define NPU_CONV_LINKAGE
#endif

// Describes the next load: what its item needs and the scratchpad does not hold yet. A function, so
// that the registers of the loops that issue array operations are not its business.
NPU_CONV_LINKAGE void npu_conv_describe_load(const npu_conv_plan *p, npu_conv_loader *l);

// Starts the parts of an input behind its first one, which has just been started. The number of all
// parts; their tickets follow each other.
NPU_CONV_LINKAGE int32_t npu_conv_load_parts(const npu_conv_plan *p, npu_conv_loader *l);

// Fields that stay the same.
NPU_CONV_INLINE void npu_conv_prepare_input(const npu_conv_plan *p, npu_dma_descriptor *d) {
  if (npu_conv_in_tcm(p, NPU_CONV_INPUT_TCM))
    return;
  if (p->in_pixel == p->src_pixel) {
    *d = npu_dma_2d(0, p->in_pitch, 0, p->src_line, 0, 0);
  } else {
    *d = npu_dma_2d(0, p->in_pixel, 0, p->src_pixel, (uint32_t)p->in_bytes, 0);
    npu_dma_add_planes(d, 0, p->in_pitch, p->src_line);
  }
}

// Starts the load that is described, without what is late.
NPU_CONV_INLINE npu_ticket_t npu_conv_load(const npu_conv_plan *p, npu_conv_loader *l) {
  const int32_t odd = l->started++ & 1;
  if (l->next == 0)
    return NPU_TICKET_DONE;
  return p->load_channels == 2 && odd ? npu_dma_start(l->next, 1) : npu_dma_start(l->next, 0);
}

// Fields that stay the same, of the descriptors of even or odd loads.
NPU_CONV_INLINE void npu_conv_prepare_weights(const npu_conv_plan *p, npu_conv_descriptors *d,
                                              int32_t odd) {
  if (!npu_conv_in_tcm(p, NPU_CONV_WEIGHTS_TCM))
    d->weights[odd] = npu_dma_1d(0, 0, 0);
}
// A plan in work, its first load started.
typedef struct npu_conv_begun {
  npu_conv_loader loader;
  npu_ticket_t weights, loaded; // of the first item: its weights, the first part of its input
  int32_t parts;                // of its input
} npu_conv_begun;

// Starts the first load: nothing is done before it that can wait. Weights come on channel 1, which
// has nothing to store yet, the input on channel 0. Of the segments only those of a chunk are read.
NPU_CONV_INLINE void npu_conv_begin(const npu_conv_plan *p, const npu_conv_plan *shared,
                                    const npu_conv_segment *segments, void *scratch,
                                    const int8_t *input, const void *packed,
                                    npu_conv_begun *begun) {
  npu_conv_descriptors *const d = (npu_conv_descriptors *)scratch;
  npu_conv_loader *const l = &begun->loader; // field by field: no call of memset
  begun->weights = begun->loaded = NPU_TICKET_DONE;
  begun->parts = 1;
  npu_unit_errors_clear(NPU_STATUS_ERRORS);
  if (!npu_conv_loads(p))
    return;
  l->input = input;
  l->packed = (const uint8_t *)packed;
  l->scratch = (uint8_t *)scratch;
  l->segments = segments;
  l->tile = l->piece = 0;
  l->slice = l->chunk = l->weights = l->tile_of_slice = 0;
  l->packed_at = 0;
  npu_conv_prepare_weights(p, d, 0);
  if (npu_conv_load_weights(p, l, &d->weights[0]))
    begun->weights = npu_dma_start(&d->weights[0], 1);
  l->region.n = l->region.y = l->region.x = 0;
  npu_conv_fit_region(p, &l->region);
  l->part_left = 0;
  l->number = l->started = 1;
  if (p->choice.weight_stationary && p->tiles > 1)
    l->tile_of_slice = 1;
  l->rest = INT32_MAX;
  if (npu_conv_in_tcm(p, NPU_CONV_INPUT_TCM))
    return;
  npu_conv_enter_tile(p, l);
  npu_conv_prepare_input(p, &d->input[0]);
  if (npu_conv_load_input(p, l, 1, &d->input[0])) {
    begun->loaded = npu_dma_start(&d->input[0], 0);
    if (p->parts > 1)
      begun->parts = npu_conv_load_parts(shared, l);
  }
  npu_conv_pass_input(p, l, 1);
}

NPU_CONV_INLINE void npu_conv_prepare_stores(const npu_conv_plan *p, npu_conv_descriptors *d) {
  for (int32_t odd = 0; odd < 2; ++odd) {
    d->store[odd] = npu_dma_2d(0, p->dst_pixel, 0, p->out_pixel, 0, 0);
    npu_dma_add_planes(&d->store[odd], 0, p->dst_line, p->out_pitch);
  }
}

// ---- between the items ------------------------------------------------------------------

// What is to start when the item before is complete, and the tickets of what has started.
enum {
  NPU_CONV_LOAD = 1, // start the next load
  NPU_CONV_STORE = 2,
  NPU_CONV_EPILOGUE = 4,
  NPU_CONV_DESCRIBE = 8, // before that: describe it
};

// An item's output: some channels of a tile.
typedef struct npu_conv_output {
  const npu_conv_plan *plan;
  npu_conv_region region;
  int8_t *at;                // its first byte in the scratchpad
  int32_t channel, channels; // the first one, and how many
} npu_conv_output;

// What the core does to each item's output, while the array works on the next item and before the
// DMA stores it.
typedef struct npu_conv_epilogue {
  // Before the item: what it needs may be loaded.
  void (*begin)(struct npu_conv_epilogue *self, const npu_conv_output *output);
  // Behind it; what was to do for the item before is done.
  void (*issued)(struct npu_conv_epilogue *self);
  // The item's output is there: goes on with it, if `bounded` until the operation of the ticket is
  // complete. False when there is nothing left to do.
  int (*advance)(struct npu_conv_epilogue *self, int bounded, npu_ticket_t until);
} npu_conv_epilogue;

typedef struct npu_conv_queue {
  uint32_t pending;               // NPU_CONV_LOAD ...
  npu_conv_epilogue *epilogue;    // or null
  npu_ticket_t computed, drained; // last run and drain of the item before
  const npu_dma_descriptor *store;
  npu_ticket_t loaded, stored;
} npu_conv_queue;

// Starts the next load and has the one behind it, if there is one, described; that waits for the
// start of what is late.
NPU_CONV_INLINE npu_ticket_t npu_conv_start_load(const npu_conv_plan *p, npu_conv_loader *l,
                                                 npu_conv_queue *q, int32_t items) {
  if (l->number < items && !(p->choice.single_input && l->late != 0))
    q->pending |= NPU_CONV_DESCRIBE;
  return npu_conv_load(p, l);
}

NPU_CONV_INLINE void npu_conv_start_store(npu_conv_queue *q) {
  q->pending &= ~(uint32_t)NPU_CONV_STORE;
  q->stored = npu_dma_start(q->store, 1);
}

// Behind each step, whose run has this ticket. A step has two operations, four runs fill the
// array's queue: while they do, the epilogue goes on until two of them are left.
NPU_CONV_INLINE void npu_conv_beside(npu_conv_queue *q, npu_ticket_t run) {
  enum { STEP = 2 * 4, QUEUED = 3, LEFT = 2 };
  if (q->epilogue == 0 || (q->pending & NPU_CONV_EPILOGUE) == 0)
    return;
  if (npu_poll(q->drained) && !npu_poll(run - QUEUED * STEP) &&
      !q->epilogue->advance(q->epilogue, 1, run - LEFT * STEP))
    q->pending &= ~(uint32_t)NPU_CONV_EPILOGUE;
}

// Starts what the end of the item before allows, if it is there; otherwise describes a load. Never
// both: the array has runs for a few hundred cycles.
NPU_CONV_INLINE void npu_conv_service(const npu_conv_plan *p, npu_conv_loader *l, npu_conv_queue *q,
                                      int32_t items) {
  if (__builtin_expect(q->pending == 0, 1))
    return;
  if ((q->pending & NPU_CONV_DESCRIBE) != 0) {
    q->pending &= ~(uint32_t)NPU_CONV_DESCRIBE;
    npu_conv_describe_load(p, l);
  } else if ((q->pending & NPU_CONV_LOAD) != 0 && npu_poll(q->computed)) {
    q->pending &= ~(uint32_t)NPU_CONV_LOAD;
    q->loaded = npu_conv_start_load(p, l, q, items);
  }
  if ((q->pending & (NPU_CONV_STORE | NPU_CONV_EPILOGUE)) == NPU_CONV_STORE && npu_poll(q->drained))
    npu_conv_start_store(q);
}

// The same, and waits for it.
NPU_CONV_INLINE void npu_conv_finish(const npu_conv_plan *p, npu_conv_loader *l, npu_conv_queue *q,
                                     int32_t items) {
  if (__builtin_expect(q->pending == 0, 1))
    return;
  if ((q->pending & NPU_CONV_LOAD) != 0) {
    if ((q->pending & NPU_CONV_DESCRIBE) != 0) {
      q->pending &= ~(uint32_t)NPU_CONV_DESCRIBE;
      npu_conv_describe_load(p, l);
    }
    npu_wait(q->computed);
    q->pending &= ~(uint32_t)NPU_CONV_LOAD;
    q->loaded = npu_conv_start_load(p, l, q, items);
  }
  if (q->epilogue != 0 && (q->pending & NPU_CONV_EPILOGUE) != 0) {
    npu_wait(q->drained);
    while (q->epilogue->advance(q->epilogue, 0, NPU_TICKET_DONE)) {
    }
    q->pending &= ~(uint32_t)NPU_CONV_EPILOGUE;
  }
  if ((q->pending & NPU_CONV_STORE) != 0) {
    npu_wait(q->drained);
    npu_conv_start_store(q);
  }
}

// ---- compute ---------------------------------------------------------------------------

// A tile as the array sees it. Its line and column are positions for NPU_CSR_NPOS, both in the
// upper half of a word, where they wrap.
typedef struct npu_conv_tile {
  const int8_t *in; // first byte of the first window, in or outside of the image
  int8_t *out;      // of the item
  int8_t *to;       // where it goes: of the tile's first pixel and channel
  int32_t h, w;
  uint32_t line, column;
} npu_conv_tile;

// A place in the packed constants.
typedef struct npu_conv_position {
  const uint8_t *packed;
  int32_t block, segment; // first block of the slice, first segment of the chunk
  int32_t channel;        // first output channel
  int32_t group_left;     // channels of its group from there on
  int32_t group_offset;   // of the group in a pixel
} npu_conv_position;

// One chunk of the window over some pixels: for each step a weight load and a run. Returns the
// ticket of the last run.
NPU_CONV_INLINE npu_ticket_t npu_conv_window(const npu_conv_plan *p, const npu_conv_plan *shared,
                                             npu_conv_loader *l, npu_conv_queue *q, int32_t items,
                                             const npu_conv_segment *segment, int32_t segments,
                                             const int8_t *in, uint32_t line, uint32_t column,
                                             const uint8_t **packed, uint32_t ctl) {
  const uint8_t *weights = *packed;
  const uint32_t rows = p->ldw_rows, bytes = p->step_bytes, padded = p->padded;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (const npu_conv_segment *const end = segment + segments; segment != end; ++segment) {
    const int8_t *from = in + segment->offset;
    const uint32_t run = ctl | segment->ctl;
    uint32_t count = segment->count;
    ctl |= NPU_MAC_ACC;
    if (padded) {
      uint32_t at = column + (segment->position << 16);
      const uint32_t row = line + (segment->position & 0xFFFF0000u);
      npu_mac_ldw(weights, rows);
      npu_csr_write(NPU_CSR_NPOS, row | at >> 16);
      ticket = npu_mac_run(from, run);
      npu_conv_beside(q, ticket);
      weights += NPU_STEP_BYTES;
#pragma clang loop unroll(disable)
      while (--count != 0) {
        from += bytes;
        at += bytes << 16;
        npu_mac_ldw(weights, rows);
        npu_csr_write(NPU_CSR_NPOS, row | at >> 16);
        ticket = npu_mac_run(from, run | NPU_MAC_ACC);
        npu_conv_beside(q, ticket);
        weights += NPU_STEP_BYTES;
      }
    } else {
      npu_mac_ldw(weights, rows);
      ticket = npu_mac_run(from, run);
      npu_conv_beside(q, ticket);
      weights += NPU_STEP_BYTES;
#pragma clang loop unroll(disable)
      while (--count != 0) {
        from += bytes;
        npu_mac_ldw(weights, rows);
        ticket = npu_mac_run(from, run | NPU_MAC_ACC);
        npu_conv_beside(q, ticket);
        weights += NPU_STEP_BYTES;
      }
    }
    npu_conv_service(shared, l, q, items);
  }
  *packed = weights;
  return ticket;
}

typedef struct npu_conv_end {
  npu_ticket_t run, drain; // of an item's last operations
} npu_conv_end;

// Issues one item and moves `at` behind it. `half` is the half of the accumulators to fill next.
// Where the tile's input comes in parts, `loaded` is the ticket of the first, and `weights` that of
// the first item's weights; otherwise parts is 1.
NPU_CONV_INLINE npu_conv_end npu_conv_compute(const npu_conv_plan *p, const npu_conv_plan *shared,
                                              const npu_conv_segment *window, npu_conv_loader *l,
                                              npu_conv_queue *q, int32_t items,
                                              const npu_conv_tile *tile, npu_conv_position *at,
                                              uint32_t *half, npu_ticket_t weights,
                                              npu_ticket_t loaded, int32_t parts) {
  enum { NEXT_TICKET = 4 };
  const npu_conv_choice *c = &p->choice;
  const npu_conv_runs *const runs =
      p->parts > 1 && parts > 1 ? &shared->part_runs : &shared->runs;
  const int32_t blocks =
      p->slices == 1 ? p->blocks : npu_conv_min(c->slice_blocks, p->blocks - at->block);
  const npu_conv_segment *const segments = p->chunks == 1 ? window : window + at->segment;
  const int32_t count =
      p->chunks == 1 ? p->segments : npu_conv_min(c->chunk_segments, p->segments - at->segment);
  const int first_chunk = p->chunks == 1 || at->segment == 0;
  const int last_chunk = p->chunks == 1 || at->segment + count == p->segments;
  const npu_conv_position start = *at;
  const uint32_t first_half = *half;
  npu_conv_end end = {NPU_TICKET_DONE, NPU_TICKET_DONE};
  const int8_t *in_row = tile->in;
  int8_t *out_row = tile->out;
  uint32_t line = tile->line;
  int32_t rows_left = tile->h;

  for (;;) {
    const int32_t rows = npu_conv_min(runs->h, rows_left);
    const int8_t *in = in_row;
    int8_t *out_corner = out_row;
    uint32_t column = tile->column;
    int32_t columns_left = tile->w;
    for (;;) {
      if (p->parts > 1 && parts > 0) {
        npu_wait(loaded);
        npu_wait(weights);
        loaded += NEXT_TICKET;
        --parts;
      }
      const int32_t columns = npu_conv_min(runs->w, columns_left);
      const uint32_t pixels = (uint32_t)(rows * columns);
      int8_t *out = out_corner;
      npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)(c->column_order ? rows : columns));
      for (int32_t block = blocks;;) {
        uint32_t ctl = npu_mac_run_ctl(*half, pixels, 0, 0, NPU_MAC_SWAP);
        if (first_chunk) {
          npu_mac_ldq(at->packed);
          at->packed += NPU_TABLE_BYTES;
        } else {
          ctl |= NPU_MAC_ACC;
        }
        end.run = npu_conv_window(p, shared, l, q, items, segments, count, in + at->group_offset,
                                  line, column, &at->packed, ctl);
        if (last_chunk) {
          const int32_t stored = npu_conv_min(at->group_left, NPU_BLOCK_CHANNELS);
          end.drain = npu_mac_drain(out, npu_mac_drain_ctl(*half, pixels, (uint32_t)stored, 0));
          at->channel += stored;
          out += stored;
          at->group_left -= stored;
          if (p->group_blocks != p->blocks && at->group_left == 0) {
            at->group_left = p->group_out;
            at->group_offset += p->group_in;
          }
        }
        *half ^= NPU_RUN_PIXELS;
        if (--block == 0)
          break;
      }
      columns_left -= runs->w;
      if (columns_left <= 0)
        break;
      in += runs->in_x;
      out_corner += runs->out_x;
      column += runs->column;
      *at = start;
    }
    rows_left -= runs->h;
    if (rows_left <= 0)
      break;
    in_row += runs->in_y;
    out_row += runs->out_y;
    line += runs->line;
    *at = start;
  }
  if (!last_chunk) { // the sums of a tile's one or two rectangles stay
    *half = first_half;
    at->segment += count;
  } else {
    at->segment = 0;
    at->block += blocks;
  }
  return end;
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

// The tile of a region; `out` is set with each item. Sets NPU_CSR_NVALID to the part of the image
// that is under the tile.
NPU_CONV_INLINE npu_conv_tile npu_conv_tile_of(const npu_conv_plan *p, const npu_conv_region *r,
                                               const int8_t *input, const int8_t *slot,
                                               int8_t *output) {
  const npu_conv_source from = npu_conv_source_of(p, r);
  npu_conv_tile t;
  t.h = r->h;
  t.w = r->w;
  t.out = 0;
  t.to = output + r->n * p->dst_image + r->y * p->dst_line + r->x * p->dst_pixel;
  t.line = (0u - (uint32_t)from.top) << 16;
  t.column = (0u - (uint32_t)(from.left * p->in_pixel)) << 16;
  t.in = slot;
  if (npu_conv_in_tcm(p, NPU_CONV_INPUT_TCM))
    t.in = input + r->n * p->src_image + from.y * p->in_pitch + from.x * p->in_pixel;
  if (p->padded) {
    t.in -= from.top * p->in_pitch + from.left * p->in_pixel;
    const int some = from.rows > 0 && from.columns > 0;
    npu_csr_write(NPU_CSR_NVALID,
                  some ? npu_valid((uint32_t)(from.columns * p->in_pixel), (uint32_t)from.rows)
                       : npu_valid(1, 0));
  }
  return t;
}

// Fills the store descriptor of a tile's channels from `from` to `to`.
NPU_CONV_INLINE void npu_conv_describe_store(const npu_conv_plan *p, npu_dma_descriptor *d,
                                             const npu_conv_tile *t, const int8_t *from,
                                             const int8_t *to, int32_t channels) {
  d->src = (uint32_t)from;
  d->dst = (uint32_t)to;
  if (p->slices == 1 && p->out_pixel == p->dst_pixel) { // a line is one row
    d->len = (uint32_t)(t->w * p->dst_pixel);
    d->reps1 = 1;
  } else {
    d->len = (uint32_t)channels;
    d->reps1 = (uint32_t)t->w;
  }
  d->reps2 = (uint32_t)t->h;
}

// True if the scratch buffer is in TCM, aligned and large enough for the plan.
NPU_CONV_INLINE int npu_conv_scratch_ok(const npu_conv_plan *p, const npu_context *context) {
  const uint32_t offset = (uint32_t)context->buffer - NPU_TCM_BASE;
  const uint32_t tcm = npu_csr_read(NPU_CSR_NTCMSIZE);
  return offset % 16 == 0 && offset < tcm && context->size <= tcm - offset &&
         context->size >= p->scratch_bytes;
}

// Channels of the blocks of an item that begins at `at`.
NPU_CONV_INLINE int32_t npu_conv_item_channels(const npu_conv_plan *p,
                                               const npu_conv_position *at) {
  int32_t channels = 0, left = at->group_left;
  for (int32_t block = npu_conv_min(p->choice.slice_blocks, p->blocks - at->block); block > 0;
       --block) {
    const int32_t stored = npu_conv_min(left, NPU_BLOCK_CHANNELS);
    channels += stored;
    left = left == stored ? p->group_out : left - stored;
  }
  return channels;
}

// Runs the plan that npu_conv_begin has begun and waits until the output is written.
//   p         the plan; of a plan made at run time best a local copy, which the compiler takes
//   apart shared    the same plan, in memory, for the function that starts loads scratch   in TCM,
//   16-byte aligned, plan->scratch_bytes segments  as npu_conv_write_segments gives them input,
//   packed, output  where plan->placement says epilogue  for each item's output, or null
NPU_CONV_INLINE npu_status npu_conv_execute_with(const npu_conv_plan *p,
                                                 const npu_conv_plan *shared,
                                                 npu_conv_begun *begun,
                                                 const npu_conv_segment *segments, void *scratch,
                                                 const int8_t *input, const void *packed,
                                                 int8_t *output, npu_conv_epilogue *epilogue) {
  const npu_conv_choice *c = &p->choice;
  const int loads = npu_conv_loads(p), stores = !npu_conv_in_tcm(p, NPU_CONV_OUTPUT_TCM);
  const int weights_near = npu_conv_in_tcm(p, NPU_CONV_WEIGHTS_TCM);
  const int32_t items = p->tiles * p->slices * p->chunks;
  uint8_t *const base = (uint8_t *)scratch;
  npu_conv_descriptors *const descriptors = (npu_conv_descriptors *)scratch;

  npu_conv_loader *const loader = &begun->loader;
  npu_conv_queue q = {.epilogue = epilogue,
                      .computed = NPU_TICKET_DONE,
                      .loaded = NPU_TICKET_DONE,
                      .stored = NPU_TICKET_DONE};
  npu_conv_region region = {0};
  npu_conv_fit_region(p, &region);
  npu_ticket_t loaded = begun->loaded; // what the item in work needs,
  int32_t parts = begun->parts;        // in so many parts
  if (loads) {
    if (items > 1) {
      npu_conv_prepare_weights(p, descriptors, 1);
      npu_conv_prepare_input(p, &descriptors->input[1]);
      loader->late = 0;
      q.pending = NPU_CONV_DESCRIBE | NPU_CONV_LOAD;
    }
  }
  if (stores)
    npu_conv_prepare_stores(p, descriptors);
  npu_conv_set_csrs(p);

  // Constants that lie as they are packed: all are read in order, from the start again with each
  // tile.
  const int whole = weights_near || c->resident;
  const uint8_t *const weights =
      weights_near ? (const uint8_t *)packed : base + p->weights_slots_at;
  npu_conv_position at = {.packed = weights, .group_left = p->group_out};
  npu_conv_position slice_start = at;
  int32_t tile_number = 0, tile_of_slice = 0, weights_used = 0, results = 0;
  uint32_t half = 0;
  const int8_t *const in_slots = (const int8_t *)base + p->in_at;
  npu_conv_tile tile = npu_conv_tile_of(p, &region, input, in_slots, output);
  if (loads && p->parts == 1)
    npu_wait(begun->weights);
  for (int32_t item = 0;;) {
    int8_t *const to = tile.to + at.channel;
    tile.out = stores ? (int8_t *)base + p->out_at + ((results & 1) != 0 ? p->out_slot : 0) : to;
    if (!whole)
      at.packed = weights + ((weights_used & 1) != 0 ? p->weight_slot : 0);
    if (p->choice.single_input && loader->late != 0 && loader->number == item + 1) {
      npu_wait(q.computed);
      loaded = npu_dma_start(loader->late, 0);
      loader->late = 0;
      if (p->parts > 1)
        parts = npu_conv_load_parts(shared, loader);
      if (item + 1 < items)
        q.pending |= NPU_CONV_DESCRIBE;
    }
    if (loads && p->parts == 1)
      npu_wait(loaded);
    if (stores && at.segment == 0)
      npu_wait(q.stored); // the output slot's

    const int32_t channel = at.channel;
    if (epilogue != 0 && at.segment == 0) {
      const npu_conv_output begun = {shared, region, tile.out, channel,
                                     npu_conv_item_channels(p, &at)};
      epilogue->begin(epilogue, &begun);
    }
    const npu_conv_end end =
        npu_conv_compute(p, shared, segments, loader, &q, items, &tile, &at, &half, begun->weights,
                         loaded, parts);
    parts = 1;
    npu_conv_finish(shared, loader, &q, items);
    loaded = q.loaded;
    q.computed = end.run;
    q.drained = end.drain;
    if (loads && item + 2 < items)
      q.pending |= NPU_CONV_LOAD;
    if (epilogue != 0 && at.segment == 0) {
      epilogue->issued(epilogue);
      q.pending |= NPU_CONV_EPILOGUE;
    }
    if (stores && at.segment == 0) {
      npu_dma_descriptor *const d = &descriptors->store[results & 1];
      npu_conv_describe_store(p, d, &tile, tile.out, to, at.channel - channel);
      q.store = d;
      q.pending |= NPU_CONV_STORE;
      ++results;
    }
    // A failed layer need not go on.
    if (++item == items || npu_unit_errors(NPU_STATUS_ERRORS) != 0)
      break;

    // To the next item.
    int next_tile = c->weight_stationary;
    if (c->weight_stationary) {
      if (++tile_of_slice == p->tiles) {
        tile_of_slice = 0;
        ++weights_used;
        slice_start = at;
      } else {
        at = slice_start;
      }
    } else {
      ++weights_used;
      if (at.block == p->blocks) {
        at = slice_start;
        next_tile = 1;
      }
    }
    if (next_tile) {
      ++tile_number;
      npu_conv_next_region(p, &region);
      const int second = !c->single_input && (tile_number & 1) != 0;
      tile = npu_conv_tile_of(p, &region, input, in_slots + (second ? p->in_slot : 0), output);
    }
  }

  npu_conv_finish(shared, loader, &q, items);
  npu_wait(stores ? q.stored : q.drained);
  return npu_unit_status(NPU_STATUS_ERRORS);
}

NPU_CONV_INLINE npu_status npu_conv_execute(const npu_conv_plan *p, const npu_conv_plan *shared,
                                            const npu_conv_segment *segments, void *scratch,
                                            const int8_t *input, const void *packed,
                                            int8_t *output) {
  npu_conv_begun begun;
  npu_conv_begin(p, shared, segments, scratch, input, packed, &begun);
  return npu_conv_execute_with(p, shared, &begun, segments, scratch, input, packed, output, 0);
}

#undef NPU_CONV_INLINE

#ifdef __cplusplus
}
#endif

#ifdef NPU_CONV_CONSTANT_PLAN
#include "conv_loads.h"
#endif

#endif // NPU_CONV_ENGINE_H
