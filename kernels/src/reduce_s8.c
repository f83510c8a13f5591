// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input is read once, in order. Every stretch of it that goes into the same sums is added up in
// registers, then to the 32-bit sums of the output in the scratch buffer: rows of kept elements
// column by column, or a row of reduced ones into one sum.

#include "npu/reduce.h"

#include "requantize.h"
#include "vector.h"
#include "vector_stream.h"

enum {
  RANK = 4,
  WORDS = 16,
  MAX_REDUCED = 1 << 23,
  // Rows of int8 whose sum is sure to fit 16 bits.
  SHORT_SUM_ROWS = 256,
  STREAM_BYTES = 1024,
};

// Dimensions, outermost first, neighbours of a kind merged.
typedef struct reduction {
  uint32_t rank;
  uint32_t extent[RANK];
  int reduced[RANK];
} reduction;

typedef struct reduce_job {
  uint32_t columns; // innermost kept elements; 1 if the innermost dimension is reduced
  uint32_t rows;    // of them that go into the same sums, one behind the other
  uint32_t rank;    // of the dimensions further out, innermost first
  uint32_t extent[RANK], stride[RANK], index[RANK]; // stride: of the sums
  int32_t *sums;
  uint32_t left; // rows to the end of the stretch
} reduce_job;

// sums[0..63] += columns of `rows` rows; n <= 64 columns.
static void add_columns(int32_t *sums, const int8_t *in, uint32_t pitch, uint32_t rows,
                        uint32_t n) {
  npu_words total = {{{0}}};
  const npu_int8x64_t one = npu_v_bcast_b(1);
  while (rows != 0) {
    const uint32_t count = rows < SHORT_SUM_ROWS ? rows : SHORT_SUM_ROWS;
    npu_halves part = {{0}, {0}};
#pragma clang loop unroll_count(4)
    for (uint32_t i = 0; i < count; ++i, in += pitch) {
      const npu_int8x64_t x = npu_v_ldl_b(in, n);
      part.lo = npu_v_wmacclo(part.lo, x, one);
      part.hi = npu_v_wmacchi(part.hi, x, one);
    }
    const npu_words wide = npu_widen(part);
    for (int q = 0; q < 4; ++q)
      total.q[q] += wide.q[q];
    rows -= count;
  }
  for (uint32_t q = 0; q < 4 && WORDS * q < n; ++q) {
    const uint32_t count = n - WORDS * q;
    npu_v_stl_w(npu_v_ldl_w(sums + WORDS * q, count) + total.q[q], sums + WORDS * q, count);
  }
}

static int32_t sum_row(const int8_t *in, uint32_t n) {
  npu_int32x16_t sum = {0};
  const npu_int8x64_t one = npu_v_bcast_b(1);
  for (; n != 0; n -= n < NPU_BLOCK ? n : NPU_BLOCK, in += NPU_BLOCK)
    sum = npu_v_dot(sum, npu_v_ldl_b(in, n), one);
  return npu_v_redsum(sum);
}

// The next stretch: the sums move on.
static void next_stretch(reduce_job *job) {
  job->left = job->rows;
  for (uint32_t d = 0; d < job->rank; ++d) {
    job->sums += job->stride[d];
    if (++job->index[d] < job->extent[d])
      return;
    job->sums -= job->stride[d] * job->extent[d];
    job->index[d] = 0;
  }
}

static void add_rows(const void *constants, void *output, const void *const *inputs,
                     uint32_t rows) {
  reduce_job *job = *(reduce_job *const *)constants;
  const int8_t *in = inputs[0];
  (void)output;
  while (rows != 0) {
    const uint32_t count = rows < job->left ? rows : job->left;
    if (job->columns == 1)
      job->sums[0] += sum_row(in, count);
    else
      for (uint32_t c = 0; c < job->columns; c += NPU_BLOCK)
        add_columns(job->sums + c, in + c, job->columns, count,
                    job->columns - c < NPU_BLOCK ? job->columns - c : NPU_BLOCK);
    in += count * job->columns;
    rows -= count;
    job->left -= count;
    if (job->left == 0)
      next_stretch(job);
  }
}

typedef struct finish_job {
  int32_t offset; // of the sums
  int32_t multiplier, shift;
} finish_job;

static void finish(const void *constants, void *output, const void *const *inputs, uint32_t n) {
  const finish_job *job = constants;
  const int32_t *sums = inputs[0];
  int8_t *out = output;
  for (; n != 0; n -= n < WORDS ? n : WORDS, sums += WORDS, out += WORDS)
    npu_v_stl_wb(npu_v_rq(npu_v_ldl_w(sums, n) + job->offset, job->multiplier, job->shift), out, n);
}

static void make_reduction(reduction *r, const npu_dims *dims, const npu_dims *axes) {
  const int32_t extent[RANK] = {dims->n, dims->h, dims->w, dims->c};
  const int32_t reduced[RANK] = {axes->n, axes->h, axes->w, axes->c};
  r->rank = 0;
  for (int d = 0; d < RANK; ++d) {
    if (extent[d] == 1)
      continue;
    if (r->rank != 0 && r->reduced[r->rank - 1] == reduced[d]) {
      r->extent[r->rank - 1] *= (uint32_t)extent[d];
      continue;
    }
    r->extent[r->rank] = (uint32_t)extent[d];
    r->reduced[r->rank++] = reduced[d];
  }
  if (r->rank == 0)
    *r = (reduction){.rank = 1, .extent = {1}, .reduced = {1}};
}

// Product of the extents that are reduced, or of those that are kept.
static uint32_t product(const reduction *r, uint32_t first, int reduced) {
  uint32_t elements = 1;
  for (uint32_t d = first; d < r->rank; ++d)
    if (r->reduced[d] == reduced)
      elements *= r->extent[d];
  return elements;
}

// Job of the dimensions from `first` on.
static reduce_job make_job(const reduction *r, uint32_t first, int32_t *sums) {
  reduce_job job = {.columns = 1, .rows = 1, .sums = sums};
  uint32_t d = r->rank, stride = 1;
  if (d > first && !r->reduced[d - 1])
    job.columns = r->extent[--d];
  if (d > first && r->reduced[d - 1])
    job.rows = r->extent[--d];
  stride = job.columns;
  for (; d > first; --d) {
    job.extent[job.rank] = r->extent[d - 1];
    job.stride[job.rank++] = r->reduced[d - 1] ? 0 : stride;
    if (!r->reduced[d - 1])
      stride *= r->extent[d - 1];
  }
  job.left = job.rows;
  return job;
}

static int axes_valid(const npu_dims *axes) {
  return npu_in_range(axes->n, 0, 1) && npu_in_range(axes->h, 0, 1) &&
         npu_in_range(axes->w, 0, 1) && npu_in_range(axes->c, 0, 1);
}

uint32_t npu_reduce_s8_get_buffer_size(const npu_reduce_params *params,
                                       const npu_dims *input_dims) {
  reduction r;
  if (npu_dims_elements(input_dims, 1) == 0 || !axes_valid(&params->axes))
    return 0;
  make_reduction(&r, input_dims, &params->axes);
  // An outermost kept dimension is done index by index.
  const uint32_t first = r.reduced[0] ? 0 : 1;
  const uint32_t columns = r.reduced[r.rank - 1] ? 1 : r.extent[r.rank - 1];
  return ((product(&r, first, 0) * (uint32_t)sizeof(int32_t) + 15) & ~15u) + STREAM_BYTES +
         npu_stream_buffer_size(1, columns);
}

static npu_status reduce(const npu_context *context, const npu_reduce_params *params, int mean,
                         const npu_dims *input_dims, const int8_t *input, int8_t *output) {
  reduction r;
  const uint32_t elements = npu_dims_elements(input_dims, 1);
  if (elements == 0 || !axes_valid(&params->axes) ||
      !npu_in_range(params->input_zero_point, -128, 127) ||
      !npu_in_range(params->output_zero_point, -128, 127) || params->multiplier < 0 ||
      !npu_in_range(params->shift, -31, 31))
    return NPU_ERROR_ARGUMENT;
  make_reduction(&r, input_dims, &params->axes);
  const uint32_t reduced = product(&r, 0, 1);
  if (reduced > MAX_REDUCED)
    return NPU_ERROR_ARGUMENT;
  if (!npu_scratch_valid(context) ||
      context->size < npu_reduce_s8_get_buffer_size(params, input_dims))
    return NPU_ERROR_BUFFER;

  finish_job last = {.offset = -params->input_zero_point * (int32_t)reduced,
                     .multiplier = params->multiplier,
                     .shift = params->shift};
  if (mean) { // multiplier / reduced, with as many bits as fit
    int32_t bits = 31 - __builtin_clz(reduced);
    bits = bits < 31 + last.shift ? bits : 31 + last.shift;
    last.multiplier = (int32_t)(((int64_t)last.multiplier << bits) / (int64_t)reduced);
    last.shift -= bits;
  }
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(params->output_zero_point, -128, 127));

  // As many indices of an outermost kept dimension at a time as the sums have room for.
  const uint32_t first = r.reduced[0] ? 0 : 1;
  const uint32_t each = product(&r, first, 0), indices = first == 0 ? 1 : r.extent[0];
  const uint32_t columns = r.reduced[r.rank - 1] ? 1 : r.extent[r.rank - 1];
  const uint32_t room = context->size - STREAM_BYTES - npu_stream_buffer_size(1, columns);
  uint32_t at_once = room / (each * (uint32_t)sizeof(int32_t));
  at_once = at_once < indices ? at_once : indices;
  int32_t *const sums = context->buffer;
  const uint32_t used = (at_once * each * (uint32_t)sizeof(int32_t) + 15) & ~15u;
  const npu_context scratch = {(uint8_t *)context->buffer + used, context->size - used};
  const uint32_t input_each = elements / indices;
  for (uint32_t i = 0; i < indices; i += at_once) {
    const uint32_t count = i + at_once < indices ? at_once : indices - i, out_count = count * each;
    for (uint32_t s = 0; s < out_count; s += WORDS)
      npu_v_stl_w((npu_int32x16_t){0}, sums + s, out_count - s);
    if (first == 1)
      r.extent[0] = count;
    reduce_job job = make_job(&r, 0, sums);
    reduce_job *const job_pointer = &job;
    npu_stream stream = {.kernel = add_rows,
                         .constants = &job_pointer,
                         .in = {input + i * input_each},
                         .in_bytes = {job.columns},
                         .count = count * input_each / job.columns,
                         .granule = 1};
    npu_status status = npu_stream_run(&scratch, &stream);
    if (status != NPU_OK)
      return status;
    stream = (npu_stream){.kernel = finish,
                          .constants = &last,
                          .in = {sums},
                          .in_bytes = {sizeof *sums},
                          .out = output + i * each,
                          .out_bytes = 1,
                          .count = out_count};
    status = npu_stream_run(&scratch, &stream);
    if (status != NPU_OK)
      return status;
  }
  return NPU_OK;
}

npu_status npu_mean_s8(const npu_context *context, const npu_reduce_params *params,
                       const npu_dims *input_dims, const int8_t *input, int8_t *output) {
  return reduce(context, params, 1, input_dims, input, output);
}

npu_status npu_sum_s8(const npu_context *context, const npu_reduce_params *params,
                      const npu_dims *input_dims, const int8_t *input, int8_t *output) {
  return reduce(context, params, 0, input_dims, input, output);
}
