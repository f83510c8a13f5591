// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batched matrix multiplication of activations (npu/batch_matmul.h). The DMA cuts rhs into the
// array's steps of 16 x 16 while it loads; an adjoint operand is transposed in blocks of 16 x 16
// bytes in vector registers. With the zero points
//
//   sum (l + lo) (r + ro) = sum l r + ro sum l + lo sum r + k lo ro
//
// so the array also sums the rows of lhs, against weights of one, and the columns of rhs, against
// an activation of one. The vector unit adds these up and requantizes a block of 16 columns while
// the array works on the next one.

#include "npu/batch_matmul.h"

#include "conv_steps.h"
#include "vector.h"
#include "vector_stream.h"

#include <npu/dma.h>

enum {
  SIDE = 16, // of a step
  STEP = SIDE * SIDE,
  ROWS = NPU_RUN_PIXELS -
         1, // of a tile; the last accumulator row of a half takes the sums of the columns
  MAX_LOADS = 3,
};

typedef struct bmm_job {
  npu_bmm_params params;
  int32_t m, k, n, steps, blocks;
  int in_place, out_in_place;
  int32_t rows, group;              // of a tile: rows of lhs, blocks of 16 columns of rhs
  uint32_t row_stride, step_stride; // of lhs as the array reads it

  npu_dma_descriptor *load, *store; // MAX_LOADS for rhs and lhs each; two
  int8_t *ones;                     // a step of ones
  int8_t *weights;                  // of the group: for each block the steps
  int8_t *tile;                     // rows of lhs
  npu_int32x16_t *row_sums;         // of the tile: ro times the row's sum in every lane
  int8_t *out_slots;

  const int8_t *rows_at;
  int8_t *out;
  uint32_t out_pitch;
  npu_ticket_t stored[2];
  uint32_t results;
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

// Starts to load a part of a matrix, `lines` lines `pitch` bytes apart: each 16 of its columns are
// gathered, line by line, at to, to + to_across and so on. The descriptors stay until the ticket is
// complete.
static npu_ticket_t load_blocks(npu_dma_descriptor *d, uint32_t channel, int8_t *to,
                                uint32_t to_across, const int8_t *from, uint32_t pitch,
                                int32_t columns, int32_t lines) {
  const int32_t whole = columns / SIDE, rest = columns % SIDE;
  const npu_dma_descriptor *const first = d;
  if (whole > 0) {
    *d = npu_dma_2d(to, SIDE, from, (int32_t)pitch, SIDE, (uint32_t)lines);
    npu_dma_add_planes(d, (uint32_t)whole, (int32_t)to_across, SIDE);
    if (rest > 0)
      npu_dma_chain(d, d + 1);
    ++d;
  }
  if (rest > 0)
    *d = npu_dma_2d(to + (uint32_t)whole * to_across, SIDE, from + whole * SIDE, (int32_t)pitch,
                    (uint32_t)rest, (uint32_t)lines);
  return npu_dma_submit(channel, first);
}

// The columns [first, first + count) of rhs as weights.
static npu_ticket_t load_weights(bmm_job *j, const int8_t *rhs, int32_t first, int32_t count) {
  const uint32_t block = (uint32_t)j->steps * STEP;
  if (!j->params.adj_y)
    return load_blocks(j->load, 0, j->weights, block, rhs + first, (uint32_t)j->n, count, j->k);
  // Lines are columns of rhs: 16 of them are a block of outputs, 16 of their bytes a step.
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (int32_t at = 0; at < count; at += SIDE) {
    npu_wait(ticket); // the descriptors
    ticket = load_blocks(j->load, 0, j->weights + (uint32_t)(at / SIDE) * block, STEP,
                         rhs + (first + at) * j->k, (uint32_t)j->k, j->k, min(SIDE, count - at));
  }
  return ticket;
}

// Rows [first, first + count) of lhs to where the array reads them.
static npu_ticket_t load_rows(bmm_job *j, const int8_t *lhs, int32_t first, int32_t count) {
  j->rows_at = j->tile;
  if (j->params.adj_x) { // columns of the matrix in memory
    npu_ticket_t ticket = NPU_TICKET_DONE;
    for (int32_t step = 0; step < j->steps; ++step) {
      npu_wait(ticket);
      ticket = load_blocks(j->load + MAX_LOADS, 1, j->tile + (uint32_t)step * j->step_stride, STEP,
                           lhs + step * SIDE * j->m + first, (uint32_t)j->m, count,
                           min(SIDE, j->k - step * SIDE));
    }
    return ticket;
  }
  if (j->in_place) {
    j->rows_at = lhs + first * j->k;
    return NPU_TICKET_DONE;
  }
  j->load[MAX_LOADS] = npu_dma_2d(j->tile, (int32_t)j->row_stride, lhs + first * j->k, j->k,
                                  (uint32_t)j->k, (uint32_t)count);
  return npu_dma_submit(1, &j->load[MAX_LOADS]);
}

static inline uint32_t bytes_of_step(const bmm_job *j, int32_t step) {
  return (uint32_t)min(SIDE, j->k - step * SIDE);
}

// ro times the sum of each row, in all lanes: against weights of one.
static void sum_rows(bmm_job *j, int32_t count) {
  npu_csr_write(NPU_CSR_NXSTRIDE, j->row_stride);
  npu_mac_ldw(j->ones, SIDE);
  uint32_t flags = NPU_MAC_SWAP;
  const int8_t *in = j->rows_at;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (int32_t step = 0; step < j->steps; ++step, in += j->step_stride) {
    ticket = npu_mac_run(in, npu_mac_run_ctl(0, (uint32_t)count, bytes_of_step(j, step), 0, flags));
    flags = NPU_MAC_ACC;
  }
  npu_wait(ticket);
  for (int32_t row = 0; row < count; ++row)
    j->row_sums[row] = npu_v_accrd((uint32_t)row) * j->params.rhs_offset;
}

// The runs of one block of columns into a half of the accumulators.
static npu_ticket_t run_block(const bmm_job *j, const int8_t *weights, int32_t count,
                              uint32_t half) {
  const int8_t *in = j->rows_at;
  uint32_t add = 0;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (int32_t step = 0; step < j->steps; ++step) {
    const uint32_t bytes = bytes_of_step(j, step);
    npu_mac_ldw(weights, bytes);
    npu_mac_run(in, npu_mac_run_ctl(half, (uint32_t)count, bytes, 0, NPU_MAC_SWAP | add));
    ticket = npu_mac_run(j->ones, npu_mac_run_ctl(half + ROWS, 1, bytes, 0, add));
    add = NPU_MAC_ACC;
    weights += STEP;
    in += j->step_stride;
  }
  return ticket;
}

static void requantize(const bmm_job *j, uint32_t half, int32_t count, int8_t *out,
                       uint32_t columns) {
  const npu_bmm_params params = j->params;
  const npu_int32x16_t multiplier = npu_v_bcast_w(params.multiplier),
                       shift = npu_v_bcast_w(params.shift);
  const npu_int32x16_t column_sums =
      npu_v_accrd(half + ROWS) * params.lhs_offset +
      (int32_t)((uint32_t)(params.lhs_offset * params.rhs_offset) * (uint32_t)j->k);
  const npu_int32x16_t *row_sum = j->row_sums;
  const uint32_t pitch = j->out_pitch;
  for (uint32_t row = half, end = half + (uint32_t)count; row < end; ++row, out += pitch) {
    npu_int32x16_t sum = npu_v_accrd(row) + column_sums;
    if (params.rhs_offset != 0)
      sum += *row_sum++;
    npu_v_stl_wb(npu_v_rq(sum, multiplier, shift), out, columns);
  }
}

// One tile: rows of lhs by a group of columns.
static void run_tile(bmm_job *j, int32_t first_row, int32_t count, int32_t first_column,
                     int32_t columns) {
  const uint32_t slot = j->results & 1;
  int8_t *const to = j->out + first_row * j->n + first_column;
  int8_t *out = to;
  if (!j->out_in_place) {
    npu_wait(j->stored[slot]);
    out = j->out_slots + slot * (uint32_t)(j->rows * j->group * SIDE);
  }
  if (j->params.rhs_offset != 0)
    sum_rows(j, count);
  npu_csr_write(NPU_CSR_NXSTRIDE, j->row_stride);
  npu_ticket_t waiting = NPU_TICKET_DONE;
  uint32_t half = 0;
  for (int32_t column = 0;; column += SIDE, half ^= NPU_RUN_PIXELS) {
    const int more = column < columns;
    const npu_ticket_t ticket =
        more ? run_block(j, j->weights + column / SIDE * j->steps * STEP, count, half)
             : NPU_TICKET_DONE;
    if (column > 0) {
      npu_wait(waiting);
      const int32_t done = column - SIDE;
      requantize(j, half ^ NPU_RUN_PIXELS, count, out + done, (uint32_t)min(SIDE, columns - done));
    }
    if (!more)
      break;
    waiting = ticket;
  }
  if (!j->out_in_place) {
    j->store[slot] =
        npu_dma_2d(to, j->n, out, (int32_t)j->out_pitch, (uint32_t)columns, (uint32_t)count);
    j->stored[slot] = npu_dma_submit(1, &j->store[slot]);
    ++j->results;
  }
}

static void run_matrix(bmm_job *j, const int8_t *lhs, const int8_t *rhs) {
  for (int32_t column = 0; column < j->n; column += j->group * SIDE) {
    const int32_t columns = min(j->group * SIDE, j->n - column);
    npu_ticket_t loaded = load_weights(j, rhs, column, columns);
    for (int32_t row = 0; row < j->m; row += j->rows) {
      const int32_t count = min(j->rows, j->m - row);
      npu_wait(load_rows(j, lhs, row, count));
      if (j->params.adj_x)
        for (int32_t step = 0; step < j->steps; ++step)
          for (int32_t block = 0; block < count; block += SIDE)
            transpose(j->tile + (uint32_t)step * j->step_stride + (uint32_t)block * SIDE);
      if (row == 0) {
        npu_wait(loaded);
        if (j->params.adj_y)
          for (int32_t block = 0; block < divide_up(columns, SIDE) * j->steps; ++block)
            transpose(j->weights + block * STEP);
      }
      run_tile(j, row, count, column, columns);
    }
  }
}

// Bytes of the scratch buffer.
static uint32_t size_for(bmm_job *j, int32_t rows, int32_t group) {
  j->rows = rows;
  j->group = group;
  const int32_t blocks_of_rows = divide_up(rows, SIDE);
  uint32_t tile = 0;
  if (j->params.adj_x) {
    j->row_stride = SIDE;
    j->step_stride = (uint32_t)blocks_of_rows * STEP;
    tile = (uint32_t)j->steps * j->step_stride;
  } else {
    // Rows an odd multiple of 16 bytes apart, where they are copied.
    j->row_stride = j->in_place ? (uint32_t)j->k : ((uint32_t)j->k + 15) / 32 * 32 + 16;
    j->step_stride = SIDE;
    tile = j->in_place ? 0 : j->row_stride * (uint32_t)rows;
  }
  j->out_pitch = (uint32_t)(j->out_in_place ? j->n : group * SIDE);
  const uint32_t out = j->out_in_place ? 0 : 2 * (uint32_t)(rows * group * SIDE);
  return (2 * MAX_LOADS + 2) * sizeof(npu_dma_descriptor) + STEP +
         (uint32_t)(group * j->steps) * STEP + tile + out + (uint32_t)rows * NPU_BLOCK;
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
  return set_shapes(&j, lhs_dims, rhs_dims, output_dims) ? size_for(&j, 1, 1) : 0;
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
  int32_t rows = min(j.m, ROWS), group = j.blocks;
  while (size_for(&j, rows, group) > context->size && (group > 1 || rows > 1)) {
    if (group > 1 && group * SIDE >= rows)
      group = (group + 1) / 2;
    else if (rows > 1)
      rows = (rows + 1) / 2;
    else
      group = (group + 1) / 2;
  }
  if (!npu_scratch_valid(context) || size_for(&j, rows, group) > context->size)
    return NPU_ERROR_BUFFER;

  uint8_t *at = context->buffer;
  j.load = (npu_dma_descriptor *)at;
  j.store = j.load + 2 * MAX_LOADS;
  at += (2 * MAX_LOADS + 2) * sizeof(npu_dma_descriptor);
  j.ones = (int8_t *)at;
  for (int i = 0; i < STEP; i += NPU_BLOCK)
    npu_v_st_b(npu_v_bcast_b(1), j.ones + i);
  at += STEP;
  j.weights = (int8_t *)at;
  at += group * j.steps * STEP;
  j.row_sums = (npu_int32x16_t *)at;
  at += rows * NPU_BLOCK;
  j.out_slots = (int8_t *)at;
  at += j.out_in_place ? 0 : 2 * rows * group * SIDE;
  j.tile = (int8_t *)at;
  j.stored[0] = j.stored[1] = NPU_TICKET_DONE;

  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NVALID, 0);
  npu_csr_write(NPU_CSR_NOQUANT,
                npu_oquant(params->output_offset, params->activation_min, params->activation_max));
  const int32_t lhs_bytes = j.m * j.k, rhs_bytes = j.k * j.n;
  j.out = output;
  for (int32_t n = 0; n < output_dims->n; ++n)
    for (int32_t h = 0; h < output_dims->h; ++h, j.out += j.m * j.n)
      run_matrix(
          &j,
          lhs + ((lhs_dims->n > 1 ? n : 0) * lhs_dims->h + (lhs_dims->h > 1 ? h : 0)) * lhs_bytes,
          rhs + ((rhs_dims->n > 1 ? n : 0) * rhs_dims->h + (rhs_dims->h > 1 ? h : 0)) * rhs_bytes);
  npu_wait(j.stored[0]);
  npu_wait(j.stored[1]);
  const uint32_t errors = npu_csr_read(NPU_CSR_NSTATUS) & NPU_STATUS_ERRORS;
  if ((errors & (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR)) != 0)
    return NPU_ERROR_TRANSFER;
  return errors != 0 ? NPU_ERROR_MATRIX_UNIT : NPU_OK;
}
