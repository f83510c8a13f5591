// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/reduce.h"

#include "vector.h"
#include "vector_stream.h"

#include "npu/dma.h"

enum {
  WORDS = 16,
  COLUMN_BYTES = sizeof(int32_t), // of an index
  MAX_ROWS = 65535,               // of a DMA descriptor
};

typedef struct arg_job {
  uint32_t size;
  int8_t flip; // turns the smallest element into the largest one: ~x
} arg_job;

static npu_int8x64_t flipped(npu_int8x64_t x, int8_t flip) {
  return x ^ npu_v_bcast_b(flip);
}

// Index of the first largest of `size` elements in a row.
static int32_t arg_of_row(const int8_t *row, uint32_t size, int8_t flip) {
  npu_int8x64_t max = npu_v_bcast_b(-128);
  for (uint32_t i = 0; i < size; i += NPU_BLOCK) {
    const npu_int8x64_t x = flipped(npu_v_ldl_b(row + i, size - i), flip);
    max = npu_v_max(max, npu_v_sel(npu_v_lanes_b(i, size), x, max));
  }
  const npu_int8x64_t largest = npu_v_bcast_b(npu_v_redmax(max));
  const npu_uint8x64_t numbers = (npu_uint8x64_t)npu_v_id_b(),
                       none = (npu_uint8x64_t)npu_v_bcast_b(-1);
  for (uint32_t i = 0;; i += NPU_BLOCK) {
    const npu_int8x64_t x = flipped(npu_v_ldl_b(row + i, size - i), flip);
    const npu_uint8x64_t found = (npu_uint8x64_t)((x == largest) & npu_v_lanes_b(i, size));
    const uint32_t first = npu_v_redmin(npu_v_sel(found, numbers, none));
    if (first < NPU_BLOCK)
      return (int32_t)(i + first);
  }
}

static void arg_rows(const void *constants, void *output, const void *const *inputs,
                     uint32_t rows) {
  const arg_job *job = constants;
  const int8_t *in = inputs[0];
  int32_t *out = output;
  for (; rows != 0; --rows, in += job->size)
    *out++ = arg_of_row(in, job->size, job->flip);
}

// Indices of n columns; `pitch` bytes from row to row.
static void arg_columns(const arg_job *job, const int8_t *in, uint32_t pitch, int32_t *out,
                        uint32_t n) {
  const npu_int32x16_t flip = npu_v_bcast_w(job->flip);
  for (; n != 0; n -= n < WORDS ? n : WORDS, in += WORDS, out += WORDS) {
    npu_int32x16_t best = npu_v_ldl_bw(in, n) ^ flip, index = npu_v_bcast_w(0);
    const int8_t *row = in;
    for (uint32_t i = 1; i < job->size; ++i) {
      row += pitch;
      const npu_int32x16_t x = npu_v_ldl_bw(row, n) ^ flip;
      index = npu_v_sel(x > best, npu_v_bcast_w((int32_t)i), index);
      best = npu_v_max(best, x);
    }
    npu_v_stl_w(index, out, n);
  }
}

static npu_status wait_for(const npu_dma_descriptor *transfer) {
  npu_dma_clear_error(0);
  npu_wait(npu_dma_submit(0, transfer));
  return npu_dma_error(0, 0) ? NPU_ERROR_TRANSFER : NPU_OK;
}

// One index of the outer dimension, as many columns at a time as the scratch buffer holds.
static npu_status arg_slab(const npu_context *context, const arg_job *job, uint32_t inner,
                           const int8_t *in, int32_t *out) {
  const int in_place = npu_in_tcm(in, job->size * inner);
  const int out_place = npu_in_tcm(out, inner * COLUMN_BYTES);
  const uint32_t column = (in_place ? 0 : job->size) + (out_place ? 0 : COLUMN_BYTES);
  uint32_t n = column == 0 ? inner : context->size / column / WORDS * WORDS;
  n = n < inner ? n : inner;
  if (n == 0 || !npu_scratch_valid(context))
    return NPU_ERROR_BUFFER;
  int32_t *const indices = context->buffer;
  int8_t *const tile = (int8_t *)context->buffer + (out_place ? 0 : n * COLUMN_BYTES);
  for (uint32_t i = 0; i < inner; i += n) {
    const uint32_t count = inner - i < n ? inner - i : n;
    const int8_t *from = in + i;
    npu_status status = NPU_OK;
    if (!in_place) {
      const npu_dma_descriptor load =
          npu_dma_2d(tile, (int32_t)count, from, (int32_t)inner, count, job->size);
      status = wait_for(&load);
      from = tile;
    }
    if (status != NPU_OK)
      return status;
    arg_columns(job, from, in_place ? inner : count, out_place ? out + i : indices, count);
    if (!out_place) {
      const npu_dma_descriptor store = npu_dma_1d(out + i, indices, count * COLUMN_BYTES);
      status = wait_for(&store);
    }
    if (status != NPU_OK)
      return status;
  }
  return NPU_OK;
}

static int dims_valid(const npu_arg_dims *dims) {
  const npu_dims all = {1, dims->outer, dims->size, dims->inner};
  const npu_dims out = {1, 1, dims->outer, dims->inner};
  return npu_dims_elements(&all, 1) != 0 && npu_dims_elements(&out, COLUMN_BYTES) != 0 &&
         (dims->inner == 1 || dims->size <= MAX_ROWS);
}

uint32_t npu_arg_s8_get_buffer_size(const npu_arg_dims *dims) {
  if (!dims_valid(dims))
    return 0;
  const uint32_t column = (uint32_t)dims->size + COLUMN_BYTES;
  return dims->inner == 1 ? npu_stream_buffer_size(1, column) : WORDS * column;
}

static npu_status arg(const npu_context *context, const npu_arg_dims *dims, const int8_t *input,
                      int32_t *output, int8_t flip) {
  if (!dims_valid(dims))
    return NPU_ERROR_ARGUMENT;
  const arg_job job = {(uint32_t)dims->size, flip};
  if (dims->inner > 1) {
    const uint32_t inner = (uint32_t)dims->inner;
    npu_status status = NPU_OK;
    for (int32_t i = 0; i < dims->outer && status == NPU_OK; ++i)
      status = arg_slab(context, &job, inner, input + (uint32_t)i * job.size * inner,
                        output + (uint32_t)i * inner);
    return status;
  }
  const npu_stream stream = {.kernel = arg_rows,
                             .constants = &job,
                             .in = {input},
                             .in_bytes = {job.size},
                             .out = output,
                             .out_bytes = COLUMN_BYTES,
                             .count = (uint32_t)dims->outer,
                             .granule = 1};
  return npu_stream_run(context, &stream);
}

npu_status npu_argmax_s8(const npu_context *context, const npu_arg_dims *dims, const int8_t *input,
                         int32_t *output) {
  return arg(context, dims, input, output, 0);
}

npu_status npu_argmin_s8(const npu_context *context, const npu_arg_dims *dims, const int8_t *input,
                         int32_t *output) {
  return arg(context, dims, input, output, -1);
}
