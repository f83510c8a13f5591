// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes plans of depthwise convolutions that stream by planes (npu/depthwise_plan.h).

#include "npu/depthwise_plan.h"

#include "conv_steps.h"
#include "npu/unit_errors.h"

#include <npu/dma.h>
#include <npu_platform.h>

enum { BLOCK = NPU_BLOCK_CHANNELS };

typedef struct dw_piece {
  // Set when it is loaded.
  const int8_t *in; // the first window's first tap
  const uint8_t *table;
  uint32_t position, target; // where its results go
  int32_t lines, blocks;
  uint32_t strips; // that are complete with this piece
  npu_ticket_t loaded;
  uint32_t reserved[8];
  // The DMA reads them here.
  npu_dma_descriptor store, constants, loads[];
} dw_piece;

_Static_assert(offsetof(dw_piece, store) == NPU_DW_PIECE_BYTES, "the planner's size");
_Static_assert(sizeof(npu_dma_descriptor) == NPU_DW_DESCRIPTOR_BYTES, "the planner's size");

typedef struct dw_run {
  const npu_dw_plan *plan;
  uint8_t *buffer;
  // The next piece to load.
  dw_piece *piece, *pieces_end;
  uint32_t loads, strips; // that have begun
  int32_t left;           // output lines of the strip
  int32_t most_lines, most_group;
  int32_t top, loaded, rows; // lines of the plane: the window's first, those loaded, all
  uint32_t source, plane;    // of the next line
  uint32_t target, position;
  const int8_t *window;
  const uint8_t *table;
  // Its strips.
  int32_t images, block, band; // images that are left
  uint32_t slot;
  const int8_t *input; // of the image
  int8_t *output;
  const uint8_t *packed, *constants; // in the scratchpad the latter
  int new_constants;                 // those of the strip have to be loaded
  int32_t in_line, out_line;         // bytes in DRAM
  // What is computed.
  uint32_t computed, complete; // pieces, strips
  dw_piece *unfinished;        // its store has not begun
  npu_ticket_t ticket;         // of its last drain
  npu_ticket_t stored[NPU_DW_RESULTS];
} dw_run;

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}

static inline dw_piece *next_piece(const dw_run *r, dw_piece *piece) {
  dw_piece *const next = (dw_piece *)((uint8_t *)piece + r->plan->piece_bytes);
  return next == r->pieces_end ? (dw_piece *)r->buffer : next;
}

// ---- loads -----------------------------------------------------------------------------

// Descriptors lie at multiples of 16 bytes; whole ones are copied by the vector unit.
static inline void copy_descriptor(npu_dma_descriptor *to, const void *from) {
  *(npu_int8x64_t *)to = *(const npu_int8x64_t *)from;
}

// A group of strips begins.
static inline void enter_strip(dw_run *r, const npu_dw_plan *plan) {
  const int32_t y = r->band * plan->band_h, top = y * plan->stride_h - plan->pad_h;
  const int32_t first = min(max(top, 0), plan->in_h); // line of the plane
  uint8_t *const plane = r->buffer + plan->in_at + r->slot * plan->in_slot;
  const int32_t offset = r->block * BLOCK;
  r->left = min(plan->band_h, plan->out_h - y);
  r->top = top - first;
  r->loaded = 0;
  r->rows = plan->in_h - first;
  r->plane = (uint32_t)plane;
  r->window = (const int8_t *)plane + r->top * plan->in_line - plan->pad_w * BLOCK;
  r->position = npu_position(-plan->pad_w * BLOCK, top);
  r->source = (uint32_t)(r->input + first * r->in_line + offset);
  r->target = (uint32_t)(r->output + y * r->out_line + offset);
  r->table = r->constants + (uint32_t)r->block * plan->block_bytes;
  r->new_constants = plan->constant_bytes != 0 && r->images == plan->images && r->band == 0;
}

static void next_strip(dw_run *r, const npu_dw_plan *plan, int32_t blocks) {
  ++r->strips;
  r->slot = r->slot + 1 == plan->in_slots ? 0 : r->slot + 1;
  if (++r->band == plan->bands) {
    r->band = 0;
    r->block += blocks;
    if (r->block == plan->blocks) {
      r->block = 0;
      r->input += plan->in_h * r->in_line;
      r->output += plan->out_h * r->out_line;
      if (--r->images == 0)
        return;
    }
  }
  enter_strip(r, plan);
}

// The lines and blocks of the next piece. The first ones grow and the last ones shrink, so that the
// array starts early and little is left to do when everything is loaded.
static inline int32_t cut(dw_run *r, const npu_dw_plan *plan, int32_t *blocks) {
  const int32_t blocks_left = plan->blocks - r->block, left = r->left;
  int32_t lines = min(min(plan->lines, left), r->most_lines);
  int32_t group = min(min(plan->group, blocks_left), r->most_group);
  if (r->images == 1 && r->band + 1 == plan->bands) {
    if (blocks_left <= 2 * plan->group && plan->group > 1)
      group = min(group, max((blocks_left + 1) >> 1, plan->edge_group));
    else if (blocks_left == 1)
      lines = min(lines, max((left + 1) >> 1, plan->edge_lines));
  }
  if (r->most_lines < plan->lines)
    r->most_lines *= 2;
  if (r->most_group < plan->group)
    r->most_group *= 2;
  *blocks = group;
  return lines;
}

// Starts the loads of the next piece if there is one and it has room.
static __attribute__((noinline)) int load_piece(dw_run *r) {
  const npu_dw_plan *plan = r->plan;
  const uint32_t loads = r->loads;
  if (r->images == 0 || loads - r->computed > NPU_DW_AHEAD ||
      (r->loaded == 0 && r->strips - r->complete >= plan->in_slots))
    return 0;
  int32_t blocks;
  const int32_t lines = cut(r, plan, &blocks);
  const int32_t advance = lines * plan->stride_h, from = r->loaded;
  const int32_t end = max(min(r->top + advance - plan->stride_h + plan->window_h, r->rows), from);
  dw_piece *const piece = r->piece;
  uint32_t source = r->source, plane = r->plane;
  npu_dma_descriptor *d = piece->loads;
  if (loads < NPU_DW_PIECES)
    copy_descriptor(d, plan->load);
  d->src = source;
  d->dst = plane;
  d->reps2 = (uint32_t)(plan->dense ? blocks : end - from);
  if (plan->loads > 1) {
#pragma clang loop unroll(disable)
    for (int32_t i = blocks; --i != 0; ++d) {
      copy_descriptor(d + 1, d);
      d->next = (uint32_t)(d + 1);
      d[1].src = source += BLOCK;
      d[1].dst = plane += plan->plane_bytes;
    }
    d->next = 0;
    d = piece->loads;
  }
  if (r->new_constants) {
    piece->constants = npu_dma_1d((void *)r->table, r->packed + (r->table - r->constants),
                                  (uint32_t)blocks * plan->block_bytes);
    piece->constants.next = (uint32_t)d;
    d = &piece->constants;
    r->new_constants = 0;
  }
  // At first nothing is stored, and the channels hide each other's latency.
  piece->loaded = loads < 4 && (loads & 1) != 0 && plan->lines < plan->band_h ? npu_dma_start(d, 1)
                                                                              : npu_dma_start(d, 0);
  piece->in = r->window;
  piece->table = r->table;
  piece->position = r->position;
  piece->target = r->target;
  piece->lines = lines;
  piece->blocks = blocks;
  r->piece = next_piece(r, piece);
  r->loads = loads + 1;
  if ((r->left -= lines) == 0) {
    next_strip(r, plan, blocks);
  } else {
    r->loaded = end;
    r->top += advance;
    r->position += (uint32_t)advance << 16;
    r->window += advance * plan->in_line;
    r->source += (uint32_t)((end - from) * r->in_line);
    r->plane += (uint32_t)((end - from) * plan->in_line);
    r->target += (uint32_t)(lines * r->out_line);
  }
  piece->strips = r->strips;
  return 1;
}

// ---- runs ------------------------------------------------------------------------------

// Starts the store of the piece before, once it is complete.
static __attribute__((noinline)) void finish(dw_run *r) {
  dw_piece *const piece = r->unfinished;
  npu_wait(r->ticket);
  // Behind the last load both channels store.
  const npu_ticket_t ticket = r->images == 0 && (r->computed & 1) != 0
                                  ? npu_dma_start(&piece->store, 0)
                                  : npu_dma_start(&piece->store, 1);
  r->stored[0] = r->stored[1];
  r->stored[1] = r->stored[2];
  r->stored[2] = ticket;
  r->unfinished = 0;
  r->complete = piece->strips;
  load_piece(r);
}

static inline void service(dw_run *r) {
  if (r->unfinished && npu_poll(r->ticket))
    finish(r);
}

static void set_csrs(const npu_dw_plan *plan) {
  npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)plan->run_w);
  npu_csr_write(NPU_CSR_NXSTRIDE, plan->xstride);
  npu_csr_write(NPU_CSR_NYSTRIDE, plan->ystride);
  npu_csr_write(NPU_CSR_NROWSTRIDE, plan->rowstride);
  npu_csr_write(NPU_CSR_NTAPSTRIDE, plan->tapstride);
  npu_csr_write(NPU_CSR_NPXSTEP, plan->pxstep);
  npu_csr_write(NPU_CSR_NPYSTEP, plan->pystep);
  npu_csr_write(NPU_CSR_NPAD, plan->pad);
  npu_csr_write(NPU_CSR_NVALID, plan->valid);
  npu_csr_write(NPU_CSR_NOXSTRIDE, BLOCK);
  npu_csr_write(NPU_CSR_NOYSTRIDE, plan->oystride);
  npu_csr_write(NPU_CSR_NOQUANT, plan->oquant);
}

// Strips of one run each.
static inline npu_ticket_t run_strips(dw_run *r, const dw_piece *piece, int8_t *out) {
  const npu_dw_plan *plan = r->plan;
  const uint32_t pixels = npu_mac_dw_ctl(0, (uint32_t)(piece->lines * plan->out_w), 0, 0, 0);
  const uint32_t taps = plan->taps | pixels;
  const uint32_t drain = npu_mac_drain_ctl(0, 0, BLOCK, 0) | pixels;
  const uint32_t rows = plan->tap_rows, plane = plan->plane_bytes, block = plan->block_bytes;
  const int32_t result = piece->lines * plan->out_w * BLOCK;
  const uint8_t *table = piece->table;
  const int8_t *in = piece->in;
  int32_t left = piece->blocks;
  npu_ticket_t ticket;
  npu_csr_write(NPU_CSR_NPOS, piece->position);
#pragma clang loop unroll(disable)
  do {
    npu_mac_ldw(table + NPU_TABLE_BYTES, rows);
    npu_mac_dw(in, taps);
    npu_mac_ldq(table);
    ticket = npu_mac_drain(out, drain);
    table += block;
    in += plane;
    out += result;
    service(r);
  } while (--left != 0);
  return ticket;
}

// Lines of one strip, in several runs, which go down the columns.
static inline npu_ticket_t run_lines(dw_run *r, const dw_piece *piece, int8_t *out) {
  const npu_dw_plan *plan = r->plan;
  const int32_t run_h = plan->run_h, run_w = plan->run_w, width = plan->out_w;
  const int32_t down = run_h * (int32_t)plan->ystride, out_down = run_h * width * BLOCK;
  const uint32_t lines_down = (uint32_t)(run_h * plan->stride_h) << 16;
  const int32_t lines = piece->lines;
  uint32_t taps = plan->taps;
  npu_ticket_t ticket;
  npu_mac_ldw(piece->table + NPU_TABLE_BYTES, plan->tap_rows);
  npu_mac_ldq(piece->table);
  for (int32_t x = 0; x < width; x += run_w) {
    const int32_t columns = min(run_w, width - x), across = x * (int32_t)plan->xstride;
    const int8_t *in = piece->in + across;
    uint32_t position =
        npu_position((int32_t)piece->position + across, 0) | (piece->position & 0xFFFF0000u);
    int8_t *to = out + x * BLOCK;
    int32_t left = lines;
    if (run_w < width)
      npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)columns);
    do {
      const uint32_t pixels = npu_mac_dw_ctl(0, (uint32_t)(min(run_h, left) * columns), 0, 0, 0);
      npu_csr_write(NPU_CSR_NPOS, position);
      npu_mac_dw(in, taps | pixels);
      ticket = npu_mac_drain(to, npu_mac_drain_ctl(0, 0, BLOCK, 0) | pixels);
      taps &= ~NPU_MAC_SWAP;
      position += lines_down;
      in += down;
      to += out_down;
      service(r);
    } while ((left -= run_h) > 0);
  }
  return ticket;
}

static inline void prepare_store(const npu_dw_plan *plan, dw_piece *piece, int8_t *out) {
  npu_dma_descriptor *const store = &piece->store;
  copy_descriptor(store, plan->store);
  store->src = (uint32_t)out;
  store->dst = piece->target;
  store->reps1 = (uint32_t)(piece->lines * plan->out_w);
  store->reps2 = (uint32_t)piece->blocks;
}

static inline void run_pieces(dw_run *r, const npu_dw_plan *plan) {
  int8_t *const results = (int8_t *)r->buffer + plan->out_at;
  int8_t *const results_end = results + NPU_DW_RESULTS * plan->out_slot;
  const int strips = plan->run_w == plan->out_w && plan->run_h == plan->lines;
  dw_piece *piece = (dw_piece *)r->buffer;
  int8_t *out = results;
  enter_strip(r, plan);
  load_piece(r);
  set_csrs(plan);
  load_piece(r);
  for (;;) {
    // While the piece is loaded, the one before may become complete.
    while (r->loads == r->computed || !npu_poll(piece->loaded)) {
      if (r->unfinished && (r->loads == r->computed || npu_poll(r->ticket)))
        finish(r);
      if (r->loads == r->computed)
        load_piece(r);
    }
    npu_wait(piece->loaded);
    npu_wait(r->stored[r->unfinished ? 1 : 0]); // the results of three pieces before
    if (npu_unit_errors(NPU_STATUS_ERRORS) != 0)
      return; // a failed layer need not go on
    const npu_ticket_t ticket = strips ? run_strips(r, piece, out) : run_lines(r, piece, out);
    ++r->computed;
    prepare_store(plan, piece, out);
    if (r->unfinished)
      finish(r);
    r->unfinished = piece;
    r->ticket = ticket;
    if (r->loads - r->computed < 2)
      load_piece(r);
    if (r->images == 0 && r->computed == r->loads)
      break;
    piece = next_piece(r, piece);
    out += plan->out_slot;
    if (out == results_end)
      out = results;
  }
  finish(r);
  npu_wait(r->stored[0]);
  npu_wait(r->stored[1]);
  npu_wait(r->stored[2]);
}

npu_status npu_dw_plan_run(const npu_dw_plan *plan, const npu_context *context, const int8_t *input,
                           const void *packed, int8_t *output) {
  const uint32_t offset = (uint32_t)context->buffer - NPU_TCM_BASE,
                 tcm = npu_csr_read(NPU_CSR_NTCMSIZE);
  if (((uint32_t)context->buffer & (BLOCK - 1)) != 0 || offset >= tcm ||
      context->size > tcm - offset || plan->scratch_bytes > context->size)
    return NPU_ERROR_BUFFER;
  uint8_t *const buffer = context->buffer;
  const int32_t pixel = plan->blocks * BLOCK;
  dw_run r = {.plan = plan,
              .buffer = buffer,
              .piece = context->buffer,
              .pieces_end = (dw_piece *)(buffer + NPU_DW_PIECES * plan->piece_bytes),
              .images = plan->images,
              .most_lines = plan->edge_lines,
              .most_group = plan->edge_group,
              .input = input,
              .output = output,
              .packed = packed,
              .constants = plan->constant_bytes != 0 ? buffer + plan->constants_at : packed,
              .in_line = plan->in_w * pixel,
              .out_line = plan->out_w * pixel,
              .stored = {NPU_TICKET_DONE, NPU_TICKET_DONE, NPU_TICKET_DONE}};
  npu_unit_errors_clear(NPU_STATUS_ERRORS);
  run_pieces(&r, plan);
  return npu_unit_status(NPU_STATUS_ERRORS);
}
