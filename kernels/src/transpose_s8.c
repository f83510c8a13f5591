// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A permutation that keeps the innermost dimension is a copy of boxes. Any other one is, after
// merging dimensions, a set of matrices to transpose: `rows` lines of the input, which are
// innermost in the output, and `columns`, innermost in the input. Blocks of 16 x 64 bytes turn in
// vector registers.

#include "npu/layout.h"

#include "box_copy.h"
#include "requantize.h"
#include "vector.h"
#include "vector_stream.h"

enum {
  RANK = NPU_BOX_RANK,
  BLOCK_ROWS = 16,
  BLOCK_COLUMNS = NPU_BLOCK,
  // Tile in the scratch buffer: as many rows as make the stores of the DMA long.
  TILE_ROWS = 64,
  TILE_COLUMNS = 64,
  TILE_BYTES = TILE_ROWS * TILE_COLUMNS,
  SLOTS = 2,
  // Smaller matrices are left to the DMA.
  SMALLEST = 8,
};

// Dimensions of the output, innermost first, with their strides in input and output.
typedef struct nest {
  uint32_t rank;
  int32_t extent[RANK], src[RANK], dst[RANK];
} nest;

static int make_nest(nest *n, const npu_dims *dims, const int32_t *permutation) {
  const int32_t extent[RANK] = {dims->n, dims->h, dims->w, dims->c};
  const int32_t stride[RANK] = {dims->h * dims->w * dims->c, dims->w * dims->c, dims->c, 1};
  uint32_t seen = 0;
  int32_t dense = 1;
  *n = (nest){0};
  for (int d = RANK - 1; d >= 0; --d) {
    const int32_t from = permutation[d];
    if (!npu_in_range(from, 0, RANK - 1) || (seen & 1u << from) != 0)
      return 0;
    seen |= 1u << from;
    if (extent[from] == 1)
      continue;
    const uint32_t last = n->rank - 1;
    if (n->rank != 0 && stride[from] == n->src[last] * n->extent[last]) {
      n->extent[last] *= extent[from];
    } else {
      n->extent[n->rank] = extent[from];
      n->src[n->rank] = stride[from];
      n->dst[n->rank++] = dense;
    }
    dense *= extent[from];
  }
  return 1;
}

static npu_status copy(const nest *n, const int8_t *input, int8_t *output) {
  npu_box box = {.extent = {1, 1, 1, 1}};
  for (uint32_t d = 0; d < n->rank; ++d) {
    box.extent[d] = n->extent[d];
    box.src_stride[d] = n->src[d];
    box.dst_stride[d] = n->dst[d];
  }
  npu_box_queue queue;
  npu_box_start(&queue);
  npu_box_copy(&queue, output, input, &box);
  return npu_box_finish(&queue);
}

// 16 rows: column c becomes 16 bytes of vector c / 4, from 16 (c mod 4) on. Each of four rounds of
// zips doubles the stretch of a column's bytes that lie side by side.
NPU_VECTOR_INLINE void zip_rows(npu_int8x64_t *a) {
#pragma clang loop unroll(full)
  for (int round = 0; round < 4; ++round) {
    npu_int8x64_t b[BLOCK_ROWS];
#pragma clang loop unroll(full)
    for (int i = 0; i < BLOCK_ROWS / 2; ++i) {
      b[2 * i] = npu_v_ziplo(a[i], a[i + BLOCK_ROWS / 2]);
      b[2 * i + 1] = npu_v_ziphi(a[i], a[i + BLOCK_ROWS / 2]);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < BLOCK_ROWS; ++i)
      a[i] = b[i];
  }
}

// The next row, from this one: without the barrier the compiler works out the address of each row
// of an unrolled loop with a multiplication.
NPU_VECTOR_INLINE const int8_t *next_row(const int8_t *row, int32_t pitch) {
  row += pitch;
  __asm__("" : "+r"(row));
  return row;
}

// 16 rows of 64 bytes; a column's 16 bytes go to out + c * out_pitch.
static void turn_block(const int8_t *in, int32_t in_pitch, int8_t *out, int32_t out_pitch) {
  npu_int8x64_t a[BLOCK_ROWS];
#pragma clang loop unroll(full)
  for (int r = 0; r < BLOCK_ROWS; ++r, in = next_row(in, in_pitch))
    a[r] = npu_v_ld_b(in);
  zip_rows(a);
#pragma clang loop unroll(full)
  for (int v = 0; v < BLOCK_ROWS; ++v) {
#pragma clang loop unroll(full)
    for (int k = 0; k < 4; ++k, out = (int8_t *)next_row(out, out_pitch))
      npu_v_stl_b(k == 0 ? a[v] : npu_v_slidedn(a[v], BLOCK_ROWS * k), out, BLOCK_ROWS);
  }
}

// The same for fewer rows or columns.
static void turn_edge(const int8_t *in, int32_t in_pitch, uint32_t rows, uint32_t columns,
                      int8_t *out, int32_t out_pitch) {
  npu_int8x64_t a[BLOCK_ROWS];
#pragma clang loop unroll(full)
  for (uint32_t r = 0; r < BLOCK_ROWS; ++r, in = next_row(in, in_pitch))
    a[r] = r < rows ? npu_v_ldl_b(in, columns) : npu_v_bcast_b(0);
  zip_rows(a);
#pragma clang loop unroll(full)
  for (uint32_t v = 0; v < BLOCK_ROWS; ++v) {
#pragma clang loop unroll(full)
    for (uint32_t k = 0; k < 4; ++k, out = (int8_t *)next_row(out, out_pitch)) {
      if (4 * v + k >= columns)
        return;
      npu_v_stl_b(k == 0 ? a[v] : npu_v_slidedn(a[v], BLOCK_ROWS * k), out, rows);
    }
  }
}

static void turn(const int8_t *in, int32_t in_pitch, int32_t rows, int32_t columns, int8_t *out,
                 int32_t out_pitch) {
  for (int32_t c = 0; c < columns; c += BLOCK_COLUMNS)
    for (int32_t r = 0; r < rows; r += BLOCK_ROWS) {
      const int32_t m = rows - r < BLOCK_ROWS ? rows - r : BLOCK_ROWS;
      const int32_t k = columns - c < BLOCK_COLUMNS ? columns - c : BLOCK_COLUMNS;
      const int8_t *from = in + r * in_pitch + c;
      int8_t *to = out + c * out_pitch + r;
      if (m == BLOCK_ROWS && k == BLOCK_COLUMNS)
        turn_block(from, in_pitch, to, out_pitch);
      else
        turn_edge(from, in_pitch, (uint32_t)m, (uint32_t)k, to, out_pitch);
    }
}

typedef struct matrix {
  int32_t rows, columns;
  int32_t src_pitch, dst_pitch;
} matrix;

// A tile on its way: loaded, turned, stored on the slot's own channel, so that the ticket of a load
// covers the store of the tile before.
typedef struct tile_slot {
  npu_dma_descriptor load, store;
  npu_ticket_t ticket;
  int32_t row, column, rows, columns;
} tile_slot;

static void load_tile(const matrix *m, tile_slot *slot, uint32_t channel, int8_t *buffer,
                      const int8_t *in, int32_t tile) {
  const int32_t down = (m->rows + TILE_ROWS - 1) / TILE_ROWS;
  slot->row = tile % down * TILE_ROWS;
  slot->column = tile / down * TILE_COLUMNS;
  slot->rows = m->rows - slot->row < TILE_ROWS ? m->rows - slot->row : TILE_ROWS;
  slot->columns =
      m->columns - slot->column < TILE_COLUMNS ? m->columns - slot->column : TILE_COLUMNS;
  slot->load = npu_dma_2d(buffer, TILE_COLUMNS, in + slot->row * m->src_pitch + slot->column,
                          m->src_pitch, (uint32_t)slot->columns, (uint32_t)slot->rows);
  slot->ticket = npu_dma_submit(channel, &slot->load);
}

// Through the scratch buffer: two slots, each with an input and an output tile.
static void turn_streamed(const matrix *m, int8_t *buffer, tile_slot *slots, const int8_t *in,
                          int8_t *out) {
  const int32_t tiles =
      ((m->rows + TILE_ROWS - 1) / TILE_ROWS) * ((m->columns + TILE_COLUMNS - 1) / TILE_COLUMNS);
  for (int32_t t = 0; t < SLOTS && t < tiles; ++t)
    load_tile(m, &slots[t], (uint32_t)t, buffer + t * SLOTS * TILE_BYTES, in, t);
  for (int32_t t = 0; t < tiles; ++t) {
    tile_slot *slot = &slots[t % SLOTS];
    const uint32_t channel = (uint32_t)(t % SLOTS);
    int8_t *const loaded = buffer + t % SLOTS * SLOTS * TILE_BYTES, *const turned =
                                                                        loaded + TILE_BYTES;
    npu_wait(slot->ticket);
    turn(loaded, TILE_COLUMNS, slot->rows, slot->columns, turned, TILE_ROWS);
    slot->store = npu_dma_2d(out + slot->column * m->dst_pitch + slot->row, m->dst_pitch, turned,
                             TILE_ROWS, (uint32_t)slot->rows, (uint32_t)slot->columns);
    slot->ticket = npu_dma_submit(channel, &slot->store);
    if (t + SLOTS < tiles)
      load_tile(m, slot, channel, loaded, in, t + SLOTS);
  }
}

uint32_t npu_transpose_s8_get_buffer_size(void) {
  return 2 * SLOTS * TILE_BYTES;
}

npu_status npu_transpose_s8(const npu_context *context, const npu_dims *input_dims,
                            const int32_t *permutation, const int8_t *input, int8_t *output) {
  nest n;
  const uint32_t elements = npu_dims_elements(input_dims, 1);
  if (elements == 0 || !make_nest(&n, input_dims, permutation))
    return NPU_ERROR_ARGUMENT;
  if (!npu_scratch_valid(context))
    return NPU_ERROR_BUFFER;
  if (n.rank == 0 || n.src[0] == 1)
    return copy(&n, input, output);

  uint32_t inner = 1; // the output's dimension that is innermost in the input
  while (n.src[inner] != 1)
    ++inner;
  const matrix m = {n.extent[0], n.extent[inner], n.src[0], n.dst[inner]};
  const int in_place = npu_in_tcm(input, elements) && npu_in_tcm(output, elements);
  if (m.rows < SMALLEST || m.columns < SMALLEST ||
      (!in_place && context->size < npu_transpose_s8_get_buffer_size()))
    return copy(&n, input, output);

  npu_unit_errors_clear(NPU_TRANSFER_ERRORS);
  tile_slot slots[SLOTS] = {{.ticket = NPU_TICKET_DONE}, {.ticket = NPU_TICKET_DONE}};
  // The dimensions besides the matrix's.
  int32_t extent[2] = {1, 1}, src[2] = {0, 0}, dst[2] = {0, 0};
  for (uint32_t d = 1, k = 0; d < n.rank; ++d)
    if (d != inner) {
      extent[k] = n.extent[d];
      src[k] = n.src[d];
      dst[k++] = n.dst[d];
    }
  for (int32_t i = 0; i < extent[1]; ++i)
    for (int32_t j = 0; j < extent[0]; ++j) {
      const int8_t *from = input + i * src[1] + j * src[0];
      int8_t *to = output + i * dst[1] + j * dst[0];
      if (in_place)
        turn(from, m.src_pitch, m.rows, m.columns, to, m.dst_pitch);
      else
        turn_streamed(&m, context->buffer, slots, from, to);
    }
  for (int s = 0; s < SLOTS; ++s)
    npu_wait(slots[s].ticket);
  return npu_unit_status(NPU_TRANSFER_ERRORS);
}
