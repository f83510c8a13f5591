// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batched matrix multiplication of activations (npu/batch_matmul.h). The DMA cuts rhs into the
// array's steps of 16 x 16 while it loads; an adjoint operand is transposed in blocks of 16 x 16
// bytes in vector registers. With the zero points
//
//   sum (l + lo) (r + ro) = sum l r + ro sum l + lo sum r + k lo ro
//
// so the array also sums the rows of lhs, against weights of one, and the columns of rhs, against
// an activation of one. The sums of rows stand in the accumulators before a block's first run, those
// of columns in the bias of its table, and the drain does the rest while the array works on the next
// block. The operands of the next product are loaded meanwhile.

#include "npu/batch_matmul.h"

#include "conv_steps.h"
#include "npu/unit_errors.h"
#include "vector.h"
#include "vector_stream.h"

#include <npu/dma.h>

enum {
  SIDE = 16, // of a step
  STEP = SIDE * SIDE,
  ROWS = NPU_RUN_PIXELS, // of a tile
  AT_ONCE = 8,           // rows
  CHAIN = 8,             // descriptors of an operation
};

// A part of the product, rows of lhs by a group of blocks of columns of rhs, and its operands.
typedef struct bmm_part {
  const int8_t *lhs, *rhs;
  int8_t *out;
  int32_t row, rows, column, columns;
  int new_columns; // rhs is to be loaded, too
} bmm_part;

typedef struct bmm_buffer {
  npu_dma_descriptor *descriptors; // CHAIN
  int8_t *data;
  npu_ticket_t loaded, used; // the transfer, and the last run that reads it
} bmm_buffer;

typedef struct bmm_job {
  npu_bmm_params params;
  int32_t m, k, n, steps, blocks;
  int in_place, out_in_place;
  int32_t rows, group;              // of a part: rows of lhs, blocks of 16 columns of rhs
  uint32_t row_stride, step_stride; // of lhs as the array reads it
  uint32_t buffers;                 // of each operand, 1 or 2
  uint32_t tile_bytes, weights_bytes, out_bytes;

  npu_dma_descriptor *store; // two
  int8_t *ones;              // a step of ones
  uint8_t *tables;           // of the group
  bmm_buffer weights[2];     // of the group: for each block the steps
  bmm_buffer tile[2];        // rows of lhs
  npu_int32x16_t *row_sums;  // of the tile: ro times the row's sum in every lane
  int8_t *out_slots;

  uint32_t out_pitch;
  npu_ticket_t stored[2], drained[2]; // drained: of the halves
  uint32_t results, half;
  int waiting; // a part is to be stored, behind this drain
  npu_ticket_t last_drain;
} bmm_job;

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline int32_t divide_up(int32_t a, int32_t b) {
  return (a + b - 1) / b;
}

// Transposes 16 x 16 bytes: four perfect shuffles of the 256 bytes rotate the eight bits of their
// numbers by four.
static void transpose(int8_t *block) {
  npu_int8x64_t a = npu_v_ld_b(block), b = npu_v_ld_b(block + 64), c = npu_v_ld_b(block + 128),
                d = npu_v_ld_b(block + 192);
  for (int i = 0; i < 4; ++i) {
    const npu_int8x64_t e = npu_v_ziplo(a, c), f = npu_v_ziphi(a, c), g = npu_v_ziplo(b, d),
                        h = npu_v_ziphi(b, d);
    a = e;
    b = f;
    c = g;
    d = h;
  }
  npu_v_st_b(a, block);
  npu_v_st_b(b, block + 64);
  npu_v_st_b(c, block + 128);
  npu_v_st_b(d, block + 192);
}

// A transfer of some descriptors in a chain.
typedef struct bmm_chain {
  bmm_buffer *to;
  uint32_t channel, count;
} bmm_chain;

static void submit(bmm_chain *c) {
  if (c->count != 0)
    c->to->loaded = npu_dma_submit(c->channel, c->to->descriptors);
  c->count = 0;
}

// The next descriptor of the chain, which begins another operation where it is full.
static void append(bmm_chain *c, npu_dma_descriptor d) {
  npu_dma_descriptor *const all = c->to->descriptors;
  if (c->count == CHAIN)
    submit(c);
  if (c->count == 0)
    npu_wait(c->to->loaded);
  all[c->count] = d;
  if (c->count > 0)
    npu_dma_chain(&all[c->count - 1], &all[c->count]);
  ++c->count;
}

// A part of a matrix, `lines` lines `pitch` bytes apart: each 16 of its columns are gathered, line
// by line, at to, to + to_across and so on.
static void append_blocks(bmm_chain *c, int8_t *to, uint32_t to_across, const int8_t *from,
                          uint32_t pitch, int32_t columns, int32_t lines) {
  const int32_t whole = columns / SIDE, rest = columns % SIDE;
  if (whole > 0) {
    npu_dma_descriptor d = npu_dma_2d(to, SIDE, from, (int32_t)pitch, SIDE, (uint32_t)lines);
    npu_dma_add_planes(&d, (uint32_t)whole, (int32_t)to_across, SIDE);
    append(c, d);
  }
  if (rest > 0)
    append(c, npu_dma_2d(to + (uint32_t)whole * to_across, SIDE, from + whole * SIDE,
                         (int32_t)pitch, (uint32_t)rest, (uint32_t)lines));
}

// Starts to load the part's columns of rhs as weights.
static void load_weights(bmm_job *j, const bmm_part *p, bmm_buffer *to) {
  const uint32_t block = (uint32_t)j->steps * STEP;
  bmm_chain c = {to, 0, 0};
  npu_wait(to->used);
  if (!j->params.adj_y)
    append_blocks(&c, to->data, block, p->rhs + p->column, (uint32_t)j->n, p->columns, j->k);
  else // lines are columns of rhs: 16 of them are a block of outputs, 16 of their bytes a step
    for (int32_t at = 0; at < p->columns; at += SIDE)
      append_blocks(&c, to->data + (uint32_t)(at / SIDE) * block, STEP,
                    p->rhs + (p->column + at) * j->k, (uint32_t)j->k, j->k,
                    min(SIDE, p->columns - at));
  submit(&c);
}

// Starts to load the part's rows of lhs to where the array reads them.
static void load_rows(bmm_job *j, const bmm_part *p, bmm_buffer *to) {
  bmm_chain c = {to, 1, 0};
  if (j->in_place)
    return;
  npu_wait(to->used);
  if (j->params.adj_x) // columns of the matrix in memory
    for (int32_t step = 0; step < j->steps; ++step)
      append_blocks(&c, to->data + (uint32_t)step * j->step_stride, STEP,
                    p->lhs + step * SIDE * j->m + p->row, (uint32_t)j->m, p->rows,
                    min(SIDE, j->k - step * SIDE));
  else
    append(&c, npu_dma_2d(to->data, (int32_t)j->row_stride, p->lhs + p->row * j->k, j->k,
                          (uint32_t)j->k, (uint32_t)p->rows));
  submit(&c);
}

static inline uint32_t bytes_of_step(const bmm_job *j, int32_t step) {
  return (uint32_t)min(SIDE, j->k - step * SIDE);
}

// The runs of one block of columns into accumulator rows from `row` on, `add` to what stands there;
// `step_bytes` of the activations from step to step.
static npu_ticket_t run_block(const bmm_job *j, const int8_t *in, uint32_t step_bytes,
                              const int8_t *weights, int32_t count, uint32_t row, uint32_t add) {
  const uint32_t rest = bytes_of_step(j, j->steps - 1);
  uint32_t ctl = npu_mac_run_ctl(row, (uint32_t)count, SIDE, 0, NPU_MAC_SWAP | add);
#pragma clang loop unroll_count(4)
  for (int32_t step = 1; step < j->steps; ++step) {
    npu_mac_ldw(weights, SIDE);
    npu_mac_run(in, ctl);
    ctl |= NPU_MAC_ACC;
    weights += STEP;
    in += step_bytes;
  }
  npu_mac_ldw(weights, rest);
  return npu_mac_run(in, ctl - npu_mac_run_ctl(0, 0, SIDE - rest, 0, 0));
}

// ro times the sum of each row, in all lanes: against weights of one.
static void sum_rows(bmm_job *j, const int8_t *in, int32_t count) {
  npu_mac_ldw(j->ones, SIDE);
  uint32_t flags = NPU_MAC_SWAP;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  npu_wait(j->drained[0]);
  for (int32_t step = 0; step < j->steps; ++step, in += j->step_stride) {
    ticket = npu_mac_run(in, npu_mac_run_ctl(0, (uint32_t)count, bytes_of_step(j, step), 0, flags));
    flags = NPU_MAC_ACC;
  }
  npu_wait(ticket);
  npu_int32x16_t *sum = j->row_sums;
  const int32_t offset = j->params.rhs_offset;
  uint32_t row = 0;
  for (; count >= AT_ONCE; count -= AT_ONCE, sum += AT_ONCE, row += AT_ONCE) {
    npu_int32x16_t x[AT_ONCE]; // side by side, so that nothing waits for a product
    for (uint32_t i = 0; i < AT_ONCE; ++i)
      x[i] = npu_v_accrd(row + i);
    for (int i = 0; i < AT_ONCE; ++i)
      x[i] *= offset;
    for (int i = 0; i < AT_ONCE; ++i)
      sum[i] = x[i];
  }
  for (; count > 0; --count)
    *sum++ = npu_v_accrd(row++) * offset;
}

// The tables of the group: the bias of a block is lo times the sums of its columns.
static void make_tables(bmm_job *j, const int8_t *weights, int32_t blocks) {
  const npu_bmm_params params = j->params;
  const npu_int32x16_t multiplier = npu_v_bcast_w(params.multiplier),
                       shift = npu_v_bcast_w(params.shift);
  const int32_t both = (int32_t)((uint32_t)(params.lhs_offset * params.rhs_offset) * (uint32_t)j->k);
  uint8_t *table = j->tables;
  npu_wait(j->drained[0]); // and what reads the tables
  npu_wait(j->drained[1]);
  for (int32_t first = 0; first < blocks; first += 2 * ROWS) {
    const int32_t count = min(blocks - first, 2 * ROWS);
    npu_ticket_t ticket = NPU_TICKET_DONE;
    if (params.lhs_offset != 0)
      for (int32_t block = 0; block < count; ++block, weights += (uint32_t)j->steps * STEP)
        ticket = run_block(j, j->ones, 0, weights, 1, (uint32_t)block, 0);
    npu_wait(ticket);
    for (int32_t block = 0; block < count; ++block, table += NPU_TABLE_BYTES) {
      npu_int32x16_t bias = npu_v_bcast_w(both);
      if (params.lhs_offset != 0)
        bias += npu_v_accrd((uint32_t)block) * params.lhs_offset;
      npu_v_st_w(bias, table);
      npu_v_st_w(multiplier, table + 64);
      npu_v_stl_wb(shift, table + 128, SIDE);
    }
  }
}

// The sums of rows into a half of the accumulators.
static void preset(const bmm_job *j, uint32_t half, int32_t count) {
  const npu_int32x16_t *sum = j->row_sums;
  uint32_t row = half;
  for (; count >= AT_ONCE; count -= AT_ONCE, sum += AT_ONCE, row += AT_ONCE) {
    npu_int32x16_t x[AT_ONCE];
    for (int i = 0; i < AT_ONCE; ++i)
      x[i] = sum[i];
    for (uint32_t i = 0; i < AT_ONCE; ++i)
      npu_v_accwr(x[i], row + i);
  }
  for (; count > 0; --count)
    npu_v_accwr(*sum++, row++);
}

// Stores the outputs of the part before, whose last drain may end only now.
static void store(bmm_job *j) {
  const uint32_t slot = j->results & 1;
  if (!j->waiting)
    return;
  npu_wait(j->last_drain);
  j->stored[slot] = npu_dma_submit(1, &j->store[slot]);
  j->waiting = 0;
  ++j->results;
}

// The runs and drains of a part; the ticket of the last run. The part before is stored behind the
// first runs.
static npu_ticket_t run_part(bmm_job *j, const bmm_part *p, const int8_t *in,
                             const int8_t *weights) {
  const uint32_t slot = (j->results + (uint32_t)j->waiting) & 1;
  int8_t *const to = p->out + p->row * j->n + p->column;
  int8_t *out = to;
  if (!j->out_in_place) {
    npu_wait(j->stored[slot]);
    out = j->out_slots + slot * j->out_bytes;
  }
  npu_csr_write(NPU_CSR_NXSTRIDE, j->row_stride);
  npu_csr_write(NPU_CSR_NOXSTRIDE, j->out_pitch);
  const uint32_t add = j->params.rhs_offset != 0 ? NPU_MAC_ACC : 0;
  if (add != 0)
    sum_rows(j, in, p->rows);
  npu_ticket_t ticket = NPU_TICKET_DONE, drained = NPU_TICKET_DONE;
  const uint8_t *table = j->tables;
  for (int32_t column = 0; column < p->columns; column += SIDE, table += NPU_TABLE_BYTES) {
    if (add != 0) {
      npu_wait(j->drained[j->half != 0]);
      preset(j, j->half, p->rows);
    }
    ticket = run_block(j, in, j->step_stride, weights + column / SIDE * j->steps * STEP, p->rows,
                       j->half, add);
    npu_mac_ldq(table);
    drained = npu_mac_drain(out + column,
                            npu_mac_drain_ctl(j->half, (uint32_t)p->rows,
                                              (uint32_t)min(SIDE, p->columns - column), 0));
    j->drained[j->half != 0] = drained;
    j->half ^= NPU_RUN_PIXELS;
    store(j);
  }
  if (!j->out_in_place) {
    j->store[slot] =
        npu_dma_2d(to, j->n, out, (int32_t)j->out_pitch, (uint32_t)p->columns, (uint32_t)p->rows);
    j->last_drain = drained;
    j->waiting = 1;
  }
  return ticket;
}

// ---- the product in parts ----------------------------------------------------------------

// Where the walk over batches, groups of columns and tiles of rows is.
typedef struct bmm_walk {
  const int8_t *lhs, *rhs;
  int8_t *out;
  const npu_dims *lhs_dims, *rhs_dims, *out_dims;
  int32_t n, h, column, row;
} bmm_walk;

static int next_part(const bmm_job *j, bmm_walk *w, bmm_part *p) {
  if (w->n == w->out_dims->n)
    return 0;
  const npu_dims *const l = w->lhs_dims, *const r = w->rhs_dims;
  p->lhs = w->lhs + ((l->n > 1 ? w->n : 0) * l->h + (l->h > 1 ? w->h : 0)) * j->m * j->k;
  p->rhs = w->rhs + ((r->n > 1 ? w->n : 0) * r->h + (r->h > 1 ? w->h : 0)) * j->k * j->n;
  p->out = w->out + (w->n * w->out_dims->h + w->h) * j->m * j->n;
  p->row = w->row;
  p->rows = min(j->rows, j->m - w->row);
  p->column = w->column;
  p->columns = min(j->group * SIDE, j->n - w->column);
  p->new_columns = w->row == 0;
  w->row += j->rows;
  if (w->row < j->m)
    return 1;
  w->row = 0;
  w->column += j->group * SIDE;
  if (w->column < j->n)
    return 1;
  w->column = 0;
  if (++w->h == w->out_dims->h) {
    w->h = 0;
    ++w->n;
  }
  return 1;
}

static void load(bmm_job *j, const bmm_part *p, uint32_t part, uint32_t group) {
  const uint32_t last = j->buffers - 1;
  if (p->new_columns)
    load_weights(j, p, &j->weights[group & last]);
  load_rows(j, p, &j->tile[part & last]);
}

static void run_parts(bmm_job *j, bmm_walk *w) {
  bmm_part now, next;
  uint32_t part = 0, group = 0; // loaded groups
  const uint32_t last = j->buffers - 1;
  int more = next_part(j, w, &next);
  load(j, &next, 0, group++);
  for (; more && npu_unit_errors(NPU_STATUS_ERRORS) == 0; ++part) {
    now = next;
    bmm_buffer *const weights = &j->weights[(group - 1) & last], *const tile = &j->tile[part & last];
    more = next_part(j, w, &next);
    if (more && last != 0) {
      load(j, &next, part + 1, group);
      group += next.new_columns != 0;
    }
    npu_wait(tile->loaded);
    if (j->params.adj_x)
      for (int32_t step = 0; step < j->steps; ++step)
        for (int32_t block = 0; block < now.rows; block += SIDE)
          transpose(tile->data + (uint32_t)step * j->step_stride + (uint32_t)block * SIDE);
    if (now.new_columns) {
      const int32_t blocks = divide_up(now.columns, SIDE);
      npu_wait(weights->loaded);
      if (j->params.adj_y)
        for (int32_t block = 0; block < blocks * j->steps; ++block)
          transpose(weights->data + block * STEP);
      make_tables(j, weights->data, blocks);
    }
    const npu_ticket_t ticket =
        run_part(j, &now, j->in_place ? now.lhs + now.row * j->k : tile->data, weights->data);
    tile->used = weights->used = ticket;
    if (more && last == 0) {
      load(j, &next, part + 1, group);
      group += next.new_columns != 0;
    }
  }
}

// Bytes of the scratch buffer.
static uint32_t size_for(bmm_job *j, int32_t rows, int32_t group, uint32_t buffers) {
  j->rows = rows;
  j->group = group;
  j->buffers = buffers;
  j->tile_bytes = 0;
  if (j->params.adj_x) {
    j->row_stride = SIDE;
    j->step_stride = (uint32_t)divide_up(rows, SIDE) * STEP;
    j->tile_bytes = (uint32_t)j->steps * j->step_stride;
  } else {
    // Rows an odd multiple of 16 bytes apart, where they are copied.
    j->row_stride = j->in_place ? (uint32_t)j->k : ((uint32_t)j->k + 15) / 32 * 32 + 16;
    j->step_stride = SIDE;
    j->tile_bytes = j->in_place ? 0 : j->row_stride * (uint32_t)rows;
  }
  j->weights_bytes = (uint32_t)(group * j->steps) * STEP;
  j->out_pitch = (uint32_t)(j->out_in_place ? j->n : group * SIDE);
  j->out_bytes = j->out_in_place ? 0 : (uint32_t)(rows * group * SIDE);
  const uint32_t sums = j->params.rhs_offset != 0 ? (uint32_t)rows * NPU_BLOCK : 0;
  return (2 * CHAIN * buffers + 2) * sizeof(npu_dma_descriptor) + STEP +
         buffers * (j->weights_bytes + j->tile_bytes) + 2 * j->out_bytes + sums +
         (uint32_t)group * NPU_TABLE_BYTES;
}

// The extents of the product; whether all fits together.
static int set_shapes(bmm_job *j, const npu_dims *lhs, const npu_dims *rhs, const npu_dims *out) {
  j->m = j->params.adj_x ? lhs->c : lhs->w;
  j->k = j->params.adj_x ? lhs->w : lhs->c;
  j->n = j->params.adj_y ? rhs->w : rhs->c;
  j->steps = divide_up(j->k, SIDE);
  j->blocks = divide_up(j->n, SIDE);
  const int batches_ok = (lhs->n == out->n || lhs->n == 1) && (rhs->n == out->n || rhs->n == 1) &&
                         (lhs->h == out->h || lhs->h == 1) && (rhs->h == out->h || rhs->h == 1) &&
                         (lhs->n == out->n || rhs->n == out->n) &&
                         (lhs->h == out->h || rhs->h == out->h);
  return npu_dims_elements(lhs, 1) != 0 && npu_dims_elements(rhs, 1) != 0 &&
         npu_dims_elements(out, 1) != 0 && batches_ok &&
         (j->params.adj_y ? rhs->c : rhs->w) == j->k && out->w == j->m && out->c == j->n &&
         j->m <= 65535 && j->n <= 65535 && j->k <= 65535;
}

uint32_t npu_batch_matmul_s8_get_buffer_size(const npu_bmm_params *params, const npu_dims *lhs_dims,
                                             const npu_dims *rhs_dims,
                                             const npu_dims *output_dims) {
  bmm_job j = {.params = *params};
  return set_shapes(&j, lhs_dims, rhs_dims, output_dims) ? size_for(&j, 1, 1, 1) : 0;
}

npu_status npu_batch_matmul_s8(const npu_context *context, const npu_bmm_params *params,
                               const npu_dims *lhs_dims, const int8_t *lhs,
                               const npu_dims *rhs_dims, const int8_t *rhs,
                               const npu_dims *output_dims, int8_t *output) {
  bmm_job j = {.params = *params};
  const int values_ok = params->lhs_offset >= -127 && params->lhs_offset <= 128 &&
                        params->rhs_offset >= -127 && params->rhs_offset <= 128 &&
                        params->output_offset >= -128 && params->output_offset <= 127 &&
                        params->activation_min >= -128 && params->activation_max <= 127 &&
                        params->activation_min <= params->activation_max && params->shift >= -31 &&
                        params->shift <= 31;
  if (!values_ok || !set_shapes(&j, lhs_dims, rhs_dims, output_dims))
    return NPU_ERROR_ARGUMENT;
  j.in_place = !params->adj_x && npu_in_tcm(lhs, npu_dims_elements(lhs_dims, 1));
  j.out_in_place = npu_in_tcm(output, npu_dims_elements(output_dims, 1));
  // Tiles of about the same size; two buffers where they cost no rows.
  int32_t rows = divide_up(j.m, divide_up(j.m, ROWS)), group = j.blocks;
  uint32_t buffers = 2;
  if (size_for(&j, rows, group, buffers) > context->size)
    buffers = 1;
  while (size_for(&j, rows, group, buffers) > context->size && (group > 1 || rows > 1)) {
    if (group > 1 && group * SIDE >= rows)
      group = (group + 1) / 2;
    else if (rows > 1)
      rows = (rows + 1) / 2;
    else
      group = (group + 1) / 2;
  }
  if (!npu_scratch_valid(context) || size_for(&j, rows, group, buffers) > context->size)
    return NPU_ERROR_BUFFER;

  uint8_t *at = context->buffer;
  j.store = (npu_dma_descriptor *)at;
  at += 2 * sizeof(npu_dma_descriptor);
  j.ones = (int8_t *)at;
  for (int i = 0; i < STEP; i += NPU_BLOCK)
    npu_v_st_b(npu_v_bcast_b(1), j.ones + i);
  at += STEP;
  j.row_sums = (npu_int32x16_t *)at;
  at += j.params.rhs_offset != 0 ? rows * NPU_BLOCK : 0;
  j.tables = at;
  at += group * NPU_TABLE_BYTES;
  for (uint32_t i = 0; i < buffers; ++i) {
    bmm_buffer *const both[] = {&j.weights[i], &j.tile[i]};
    for (int k = 0; k < 2; ++k) {
      both[k]->descriptors = (npu_dma_descriptor *)at;
      at += CHAIN * sizeof(npu_dma_descriptor);
      both[k]->data = (int8_t *)at;
      at += k == 0 ? j.weights_bytes : j.tile_bytes;
      both[k]->loaded = both[k]->used = NPU_TICKET_DONE;
    }
  }
  j.out_slots = (int8_t *)at;
  j.stored[0] = j.stored[1] = j.drained[0] = j.drained[1] = NPU_TICKET_DONE;

  npu_unit_errors_clear(NPU_STATUS_ERRORS);
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NVALID, 0);
  npu_csr_write(NPU_CSR_NOQUANT,
                npu_oquant(params->output_offset, params->activation_min, params->activation_max));
  bmm_walk walk = {.lhs = lhs,
                   .rhs = rhs,
                   .out = output,
                   .lhs_dims = lhs_dims,
                   .rhs_dims = rhs_dims,
                   .out_dims = output_dims};
  run_parts(&j, &walk);
  store(&j);
  npu_fence(NPU_UNIT_DMA0 | NPU_UNIT_DMA1 | NPU_UNIT_MATRIX);
  return npu_unit_status(NPU_STATUS_ERRORS);
}
