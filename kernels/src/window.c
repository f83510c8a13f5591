// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "window.h"

#include "npu/unit_errors.h"
#include "vector_stream.h"

#include <npu_platform.h>

enum {
  ALIGNMENT = 16,
  BLOCK = 16, // channels of a vector of the array
  VECTOR_BYTES = 64,
  WIDE_GROUP = 256, // channels of a tile that streams, at most
  SEVERAL = 4,      // tiles: nothing hides the first load and the last store
  FEW_LINES = 7,    // of a tile that is made smaller only to have several
  BANK_ROW = NPU_TCM_BANKS * NPU_TCM_BANK_BYTES,
  POSITIONS = 32767, // columns and lines that the array's positions can hold
};

// Tiles of one image and channel group come in order, groups outermost: constants change seldom.
typedef struct npu_window_slot {
  npu_dma_descriptor load_constants, load_image, store;
  npu_window_tile tile;
  int8_t *in;
  int32_t n, out_y, out_x;
} npu_window_slot;

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}
static inline int32_t divide_up(int32_t a, int32_t b) {
  return (a + b - 1) / b;
}
static inline uint32_t align(uint32_t bytes) {
  return (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1u);
}
// Of `count` windows.
static inline int32_t extent(int32_t count, int32_t stride, int32_t taps, int32_t dilation) {
  return (count - 1) * stride + (taps - 1) * dilation + 1;
}

// Successive pixels and lines start four banks apart, modulo all 16: so the taps of a window are in
// different banks, and what the array reads moves on for the drain and the DMA.
static inline int32_t spread(int32_t bytes, int32_t skew, int32_t unit) {
  return ((max(bytes - skew, 0) + unit - 1) & -unit) + skew;
}

static inline int32_t pixel_pitch(int32_t bytes) {
  return bytes < BLOCK ? bytes : spread(bytes, BLOCK, 2 * BLOCK);
}

static inline int32_t line_pitch(int32_t bytes) {
  return spread(bytes, BLOCK, BANK_ROW);
}

// Whether the tensor's bytes have addresses within 2^31; fills in the pitches of a dense one, and
// how many bytes there are from the first to the last one.
static inline int set_strides(const npu_dims *dims, int32_t element, int32_t *pixel, int32_t *line,
                              uint32_t *span) {
  const uint32_t bytes = (uint32_t)(dims->c * element),
                 lines = (uint32_t)dims->n * (uint32_t)dims->h;
  const uint32_t columns = (uint32_t)dims->w;
  if (*pixel == 0)
    *pixel = (int32_t)bytes;
  const uint64_t least = (uint64_t)(uint32_t)*pixel * (columns - 1) + bytes;
  const uint64_t dense = (uint64_t)(uint32_t)*pixel * columns;
  if (*pixel < (int32_t)bytes || dense > INT32_MAX)
    return 0;
  if (*line == 0)
    *line = (int32_t)dense;
  *span = (uint32_t)*line * (lines - 1) + (uint32_t)least;
  return *line >= (int32_t)least && (uint64_t)(uint32_t)*line * lines <= INT32_MAX;
}

// Ranges and strides. Tests of many values at once: small layers should not take longer to check
// than to run.
static npu_status prepare(npu_window *w) {
  const npu_dims *in = &w->in, *out = &w->out;
  const int32_t extents =
      (in->n - 1) | (in->h - 1) | (in->w - 1) | (in->c - 1) | (out->h - 1) | (out->w - 1);
  const int32_t positive = (w->taps.h - 1) | (w->taps.w - 1) | (w->stride.h - 1) |
                           (w->stride.w - 1) | (w->dilation.h - 1) | (w->dilation.w - 1);
  const int32_t bytes = w->taps.h | w->taps.w | w->stride.h | w->stride.w | w->dilation.h |
                        w->dilation.w | w->padding.h | w->padding.w;
  if ((uint32_t)extents >> 16 != 0 || positive < 0 || (uint32_t)bytes >> 8 != 0 ||
      out->n != in->n || (w->dense ? (uint32_t)(out->c - 1) >> 16 != 0 : out->c != in->c))
    return NPU_ERROR_ARGUMENT;
  return set_strides(in, w->element, &w->in_pixel, &w->in_line, &w->in_bytes) &&
                 set_strides(out, w->element, &w->out_pixel, &w->out_line, &w->out_bytes)
             ? NPU_OK
             : NPU_ERROR_ARGUMENT;
}

static inline uint32_t fixed_bytes(const npu_window *w) {
  return align(NPU_WINDOW_LOADS * sizeof(npu_window_slot)) + NPU_WINDOW_LOADS * w->constant_bytes +
         w->work_bytes;
}

// Sets the pitches of tiles of `group` channels and `width` columns; whether positions can hold
// them.
static int set_pitches(npu_window *w, int32_t group, int32_t width) {
  const int32_t bytes = group * w->element;
  const int32_t columns = extent(width, w->stride.w, w->taps.w, w->dilation.w);
  w->group = group;
  w->tile_w = width;
  w->constant_bytes = w->constants == 0 || w->constants_in_place
                          ? 0
                          : w->block_bytes * (uint32_t)((group + BLOCK - 1) / BLOCK);
  w->slot_pixel = w->spread ? pixel_pitch(bytes) : bytes;
  w->slot_in_line = min(columns, w->in.w) * w->slot_pixel;
  w->slot_out_pixel = w->dense ? w->out.c * w->element : w->slot_pixel;
  w->slot_out_line = width * w->slot_out_pixel;
  w->plane_line = w->planes ? line_pitch(min(columns, w->in.w) * group) : 0;
  if (w->spread) {
    w->slot_in_line = line_pitch(w->slot_in_line);
    w->slot_out_line = line_pitch(w->slot_out_line);
  }
  const int32_t pixel = w->in_place ? w->in_pixel : w->slot_pixel;
  return columns <= POSITIONS && pixel <= POSITIONS && columns * pixel <= POSITIONS;
}

// The largest number of lines of a tile that fit into `size` bytes; 0 if none does.
static int32_t fitting_lines(const npu_window *w, uint32_t size) {
  const int32_t window = extent(1, 1, w->taps.h, w->dilation.h);
  const uint32_t fixed = fixed_bytes(w);
  if (size < fixed)
    return 0;
  // Slots end at multiples of the alignment.
  const int32_t room =
      max((int32_t)(size - fixed) - (NPU_WINDOW_LOADS + NPU_WINDOW_STORES) * (ALIGNMENT - 1), 0);
  const int32_t in_line =
      (w->in_place ? 0 : NPU_WINDOW_LOADS * w->slot_in_line) + 2 * w->plane_line;
  const int32_t out_line = w->out_in_place ? 0 : NPU_WINDOW_STORES * w->slot_out_line;
  int32_t lines = w->out.h;
  const int32_t all = min(extent(lines, w->stride.h, w->taps.h, w->dilation.h), w->in.h);
  if (in_line * all + out_line * lines > room) {
    const int32_t each = in_line * w->stride.h + out_line;
    const int32_t first = in_line * (min(window, w->in.h) - w->stride.h);
    lines = room >= first + each ? (room - first) / each : 0;
  }
  // Positions are 16 bits wide.
  if (lines > 0 && extent(lines, w->stride.h, w->taps.h, w->dilation.h) > POSITIONS)
    lines = (POSITIONS - window) / w->stride.h;
  return lines;
}

static void size_slots(npu_window *w, int32_t lines) {
  w->tile_h = lines;
  const int32_t in_lines = min(extent(lines, w->stride.h, w->taps.h, w->dilation.h), w->in.h);
  w->in_bytes = w->in_place ? 0 : align((uint32_t)(in_lines * w->slot_in_line));
  w->out_bytes = w->out_in_place ? 0 : align((uint32_t)(lines * w->slot_out_line));
  w->plane_bytes = 2 * in_lines * w->plane_line;
}

// Channels of a tile that streams: few ones, so that tiles are tall and few lines are loaded twice;
// more where the whole image fits and there are still several tiles.
static int32_t choose_group(const npu_window *w, uint32_t size) {
  const uint32_t area = (uint32_t)(w->in_place ? 0 : NPU_WINDOW_LOADS * w->in.h * w->in.w) +
                        (uint32_t)(w->out_in_place ? 0 : NPU_WINDOW_STORES * w->out.h * w->out.w);
  const uint32_t gaps =
      NPU_WINDOW_LOADS * ((uint32_t)(w->in.h + w->out.h) * BANK_ROW + 2 * w->block_bytes);
  int32_t group =
      w->block_bytes != 0 ? BLOCK : VECTOR_BYTES / w->element; // vector code: whole vectors
  while (group < WIDE_GROUP && group * 2 * SEVERAL <= w->in.c &&
         area * (uint32_t)(2 * group + BLOCK) * (uint32_t)w->element + gaps < size)
    group *= 2;
  return group;
}

// Chooses the tile for `size` bytes of scratch; false if none fits.
static int make_plan(npu_window *w, uint32_t size) {
  const int32_t channels = w->in.c;
  const int streams = !w->in_place || !w->out_in_place;
  int32_t group =
      streams && channels > BLOCK && !w->dense ? min(choose_group(w, size), channels) : channels;
  int32_t width = w->out.w, lines;
  for (;;) {
    lines = set_pitches(w, group, width) ? fitting_lines(w, size) : 0;
    if (lines > 0)
      break;
    if (group > BLOCK && !w->dense) {
      group = (group / 2 + BLOCK - 1) & -BLOCK;
    } else if (width > 1) {
      width = (width + 1) / 2;
    } else if (w->in_place) { // pixels so far apart that positions cannot hold a window
      w->in_place = 0;
      width = w->out.w;
    } else {
      return 0;
    }
  }
  // Several tiles, of about the same height.
  if (streams && group >= channels && lines > FEW_LINES)
    lines = min(lines, max((w->out.h + SEVERAL - 1) / SEVERAL, FEW_LINES));
  if (lines < w->out.h)
    lines = divide_up(w->out.h, divide_up(w->out.h, lines));
  size_slots(w, lines);
  return 1;
}

uint32_t npu_window_buffer_size(const npu_window *self) {
  npu_window w = *self;
  if (prepare(&w) != NPU_OK || !set_pitches(&w, w.dense ? w.in.c : min(w.in.c, BLOCK), 1))
    return 0;
  size_slots(&w, 1);
  return fixed_bytes(&w) + (uint32_t)w.plane_bytes +
         NPU_WINDOW_LOADS * (w.in_bytes + ALIGNMENT - 1) +
         NPU_WINDOW_STORES * (w.out_bytes + ALIGNMENT - 1);
}

// Where the tile's part of the image begins on one axis, how long it is, and the first tap relative
// to it.
static inline void clip(int32_t first, int32_t length, int32_t size, int32_t *start, int32_t *count,
                        int32_t *tap) {
  *start = min(max(first, 0), size);
  *count = max(min(first + length, size) - *start, 0);
  *tap = first - *start;
}

// Lines of pixels: what stays the same for all tiles of a job.
static inline void prepare_descriptor(npu_dma_descriptor *d, int32_t to_pixel, int32_t to_line,
                                      int32_t from_pixel, int32_t from_line) {
  d->src_stride1 = from_pixel;
  d->dst_stride1 = to_pixel;
  d->src_stride2 = from_line;
  d->dst_stride2 = to_line;
  d->flags = d->next = 0;
  for (int i = 0; i < 5; ++i)
    d->reserved[i] = 0;
}

// Pixels that follow each other without a gap on both sides are one row.
static inline void describe(npu_dma_descriptor *d, void *to, const void *from, int32_t bytes,
                            int32_t columns, int32_t lines) {
  const int joined = d->dst_stride1 == bytes && d->src_stride1 == bytes;
  d->src = (uint32_t)from;
  d->dst = (uint32_t)to;
  d->len = (uint32_t)(joined ? bytes * columns : bytes);
  d->reps1 = (uint32_t)(joined ? 1 : columns);
  d->reps2 = (uint32_t)lines;
}

// Starts to load the next tile; they come in order.
static void load(npu_window *w, uint32_t index) {
  npu_window_slot *slot = &w->slots[index];
  npu_window_tile *t = &slot->tile;
  const int new_group = w->next.n == 0 && w->next.y == 0 && w->next.x == 0;
  slot->n = w->next.n;
  slot->out_y = w->next.y;
  slot->out_x = w->next.x;
  t->first_channel = w->next.channel;
  t->channels = min(w->group, w->in.c - t->first_channel);
  t->h = min(w->tile_h, w->out.h - slot->out_y);
  t->w = min(w->tile_w, w->out.w - slot->out_x);
  w->next.x += w->tile_w;
  if (w->next.x >= w->out.w) {
    w->next.x = 0;
    w->next.y += w->tile_h;
    if (w->next.y >= w->out.h) {
      w->next.y = 0;
      if (++w->next.n == w->in.n) {
        w->next.n = 0;
        w->next.channel += w->group;
      }
    }
  }

  int32_t y, x;
  t->image_y = slot->out_y * w->stride.h - w->padding.h;
  t->image_x = slot->out_x * w->stride.w - w->padding.w;
  clip(t->image_y, extent(t->h, w->stride.h, w->taps.h, w->dilation.h), w->in.h, &y, &t->valid_h,
       &t->y);
  clip(t->image_x, extent(t->w, w->stride.w, w->taps.w, w->dilation.w), w->in.w, &x, &t->valid_w,
       &t->x);
  const int8_t *from = (const int8_t *)w->input + (slot->n * w->in.h + y) * w->in_line +
                       x * w->in_pixel + t->first_channel * w->element;
  if (w->out_in_place) {
    t->out = (int8_t *)w->output + (slot->n * w->out.h + slot->out_y) * w->out_line +
             slot->out_x * w->out_pixel + t->first_channel * w->element;
    t->out_pixel = w->out_pixel;
    t->out_line = w->out_line;
  } else {
    t->out_pixel = w->slot_out_pixel;
    t->out_line = w->slot_out_line;
  }

  npu_dma_descriptor *first = 0;
  if (w->constants != 0) {
    const uint32_t offset = w->block_bytes * (uint32_t)t->first_channel / BLOCK;
    if (w->constants_in_place) {
      t->constants = (const uint8_t *)w->constants + offset;
    } else {
      // Copies take turns: the groups before may still be at work.
      if (new_group && ++w->constant_copy == NPU_WINDOW_LOADS)
        w->constant_copy = 0;
      uint8_t *to = (uint8_t *)w->slots + align(NPU_WINDOW_LOADS * sizeof(npu_window_slot)) +
                    w->constant_copy * w->constant_bytes;
      t->constants = to;
      if (new_group) {
        slot->load_constants =
            npu_dma_1d(to, (const uint8_t *)w->constants + offset,
                       w->block_bytes * (uint32_t)((t->channels + BLOCK - 1) / BLOCK));
        first = &slot->load_constants;
      }
    }
  }

  if (w->in_place) {
    t->in = from;
    t->in_pixel = w->in_pixel;
    t->in_line = w->in_line;
  } else {
    t->in = slot->in;
    t->in_pixel = w->slot_pixel;
    t->in_line = w->slot_in_line;
    describe(&slot->load_image, slot->in, from, t->channels * w->element, t->valid_w, t->valid_h);
    if (first != 0)
      npu_dma_chain(first, &slot->load_image);
    else
      first = &slot->load_image;
  }
  w->loaded[index] = first != 0 ? npu_dma_submit(0, first) : NPU_TICKET_DONE;
  ++w->loads;
}

void npu_window_finish(npu_window *w) {
  w->unfinished = 0;
  npu_wait(w->computed);
  npu_window_slot *slot = &w->slots[w->finish_slot];
  if (w->out_in_place) {
    if (w->loads < w->tiles)
      load(w, w->finish_slot);
    return;
  }
  const npu_window_tile *t = &slot->tile;
  int8_t *to = (int8_t *)w->output + (slot->n * w->out.h + slot->out_y) * w->out_line +
               slot->out_x * w->out_pixel + t->first_channel * w->element;
  describe(&slot->store, to, t->out, (w->dense ? w->out.c : t->channels) * w->element, t->w, t->h);
  w->stored[w->finish_out] = npu_dma_submit(1, &slot->store);
  if (w->loads < w->tiles)
    load(w, w->finish_slot);
}

static void run_tiles(npu_window *w, int8_t *outs) {
  uint32_t slot = 0, out = 0;
  w->unfinished = 0;
  w->loads = 0;
  w->stored[0] = w->stored[1] = NPU_TICKET_DONE;
  while (w->loads < NPU_WINDOW_LOADS && w->loads < w->tiles)
    load(w, w->loads);
  for (uint32_t tile = 0; tile < w->tiles; ++tile) {
    // While the load is under way the tile before may be complete.
    while (w->unfinished && !npu_poll(w->loaded[slot]))
      npu_window_service(w);
    npu_wait(w->loaded[slot]);
    npu_wait(w->stored[out]); // of two tiles before
    if (npu_unit_errors(NPU_STATUS_ERRORS) != 0)
      break; // a failed layer need not go on
    npu_window_tile *t = &w->slots[slot].tile;
    if (!w->out_in_place)
      t->out = outs + out * w->out_bytes;
    const npu_ticket_t computed = w->compute(w, t);
    if (w->unfinished)
      npu_window_finish(w);
    w->computed = computed;
    w->finish_slot = slot;
    w->finish_out = out;
    w->unfinished = 1;
    slot = slot + 1 == NPU_WINDOW_LOADS ? 0 : slot + 1;
    out ^= 1;
  }
  if (w->unfinished)
    npu_window_finish(w);
  npu_wait(w->stored[0]);
  npu_wait(w->stored[1]);
}

// Everything is in TCM and positions can hold the whole image: no tiles.
static npu_status run_in_place(npu_window *w) {
  npu_window_tile t = {.in = w->input,
                       .in_pixel = w->in_pixel,
                       .in_line = w->in_line,
                       .valid_h = w->in.h,
                       .valid_w = w->in.w,
                       .y = -w->padding.h,
                       .x = -w->padding.w,
                       .image_y = -w->padding.h,
                       .image_x = -w->padding.w,
                       .out = w->output,
                       .out_pixel = w->out_pixel,
                       .out_line = w->out_line,
                       .h = w->out.h,
                       .w = w->out.w,
                       .channels = w->in.c,
                       .constants = w->constants};
  w->unfinished = 0;
  npu_ticket_t last = NPU_TICKET_DONE;
  for (int32_t n = w->in.n;;) {
    last = w->compute(w, &t);
    if (--n == 0)
      break;
    t.in += w->in_line * w->in.h;
    t.out += w->out_line * w->out.h;
  }
  npu_wait(last);
  return npu_unit_status(NPU_STATUS_ERRORS);
}

npu_status npu_window_run(npu_window *w, const npu_context *context) {
  const npu_status prepared = prepare(w);
  if (prepared != NPU_OK)
    return prepared;
  // What lies in TCM in part only goes through the DMA, which refuses it.
  w->in_place = npu_in_tcm(w->input, w->in_bytes);
  w->out_in_place = npu_in_tcm(w->output, w->out_bytes);
  w->constants_in_place = w->constants == 0 || (((uint32_t)w->constants & 3) == 0 &&
                                                npu_in_tcm(w->constants, w->block_bytes));
  npu_unit_errors_clear(NPU_STATUS_ERRORS);
  if (w->in_place && w->out_in_place && w->constants_in_place && !w->planes) {
    const int32_t columns = extent(w->out.w, w->stride.w, w->taps.w, w->dilation.w);
    const int32_t lines = extent(w->out.h, w->stride.h, w->taps.h, w->dilation.h);
    if ((columns | lines | w->in_pixel) <= POSITIONS && columns * w->in_pixel <= POSITIONS)
      return run_in_place(w);
  }

  const uint32_t offset = (uint32_t)context->buffer - NPU_TCM_BASE,
                 tcm = npu_csr_read(NPU_CSR_NTCMSIZE);
  if (((uint32_t)context->buffer & (ALIGNMENT - 1)) != 0 || offset >= tcm ||
      context->size > tcm - offset || !make_plan(w, context->size))
    return NPU_ERROR_BUFFER;
  w->next.channel = w->next.n = w->next.y = w->next.x = 0;
  w->slots = context->buffer;
  int8_t *at = (int8_t *)context->buffer + fixed_bytes(w);
  w->work = at - w->work_bytes;
  w->plane_low = at;
  w->plane_high = at + w->plane_bytes / 2;
  at += w->plane_bytes;
  for (uint32_t slot = 0; slot < NPU_WINDOW_LOADS; ++slot, at += w->in_bytes) {
    npu_window_slot *s = &w->slots[slot];
    prepare_descriptor(&s->load_image, w->slot_pixel, w->slot_in_line, w->in_pixel, w->in_line);
    prepare_descriptor(&s->store, w->out_pixel, w->out_line, w->slot_out_pixel, w->slot_out_line);
    s->in = at;
  }
  w->constant_copy = 0;
  uint32_t tiles = (uint32_t)w->in.n;
  if (w->tile_h < w->out.h)
    tiles *= (uint32_t)divide_up(w->out.h, w->tile_h);
  if (w->tile_w < w->out.w)
    tiles *= (uint32_t)divide_up(w->out.w, w->tile_w);
  if (w->group < w->in.c)
    tiles *= (uint32_t)divide_up(w->in.c, w->group);
  w->tiles = tiles;
  run_tiles(w, at);
  return npu_unit_status(NPU_STATUS_ERRORS);
}
