// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a row everything depends on the distance of an element from the maximum, a number of 0..255.
// So a row takes its maximum, a sum of table entries, and a table of the 256 results that the sum
// and the table of exp make.

#include "npu/softmax.h"

#include "vector.h"
#include "vector_stream.h"

#include "npu/dma.h"

enum {
  QUARTERS = 4, // vectors of a table of 256 bytes
  SUM_BYTES = 3,
  UNROLL = 4, // look-ups side by side hide each other's latency
  MAX_DEPTH = 4095,
  SUM_INTEGER_BITS = 12,
};

typedef struct softmax_job {
  const int32_t *exps;
  const int8_t *sums;
  uint32_t depth;
} softmax_job;

static int32_t row_maximum(const int8_t *row, uint32_t n) {
  npu_int8x64_t max = npu_v_bcast_b(-128);
  for (; n > NPU_BLOCK; n -= NPU_BLOCK, row += NPU_BLOCK)
    max = npu_v_max(max, npu_v_ld_b(row));
  const npu_int8x64_t last = npu_v_sel(npu_v_lanes_b(0, n), npu_v_ldl_b(row, n), max);
  return npu_v_redmax(npu_v_max(max, last));
}

// Adds the table entries of a block to the sums of their bytes; weights: 1, or 0 for lanes that do
// not count.
NPU_VECTOR_INLINE void add_block(npu_int32x16_t *sum, npu_int8x64_t (*t)[QUARTERS],
                                 npu_int8x64_t distance, npu_int8x64_t weights) {
  for (int byte = 0; byte < SUM_BYTES; ++byte)
    sum[byte] =
        npu_v_dot(sum[byte], (npu_uint8x64_t)npu_v_lookup((npu_uint8x64_t)distance, t[byte]),
                  (npu_uint8x64_t)weights);
}

// Sum of the row's exps with 19 fraction bits.
static uint32_t row_sum(const int8_t *tables, const int8_t *row, uint32_t n, int32_t max) {
  npu_int8x64_t t[SUM_BYTES][QUARTERS];
  npu_int32x16_t sum[SUM_BYTES] = {{0}};
  for (int byte = 0; byte < SUM_BYTES; ++byte)
    for (int i = 0; i < QUARTERS; ++i)
      t[byte][i] = npu_v_ld_b(tables + NPU_BLOCK * (QUARTERS * byte + i));
  const npu_int8x64_t top = npu_v_bcast_b(max), ones = npu_v_bcast_b(1);
  for (; n >= 2 * NPU_BLOCK; n -= 2 * NPU_BLOCK, row += 2 * NPU_BLOCK) {
    add_block(sum, t, top - npu_v_ld_b(row), ones);
    add_block(sum, t, top - npu_v_ld_b(row + NPU_BLOCK), ones);
  }
  for (; n != 0; n -= n < NPU_BLOCK ? n : NPU_BLOCK, row += NPU_BLOCK)
    add_block(sum, t, top - npu_v_ldl_b(row, n), ones & npu_v_lanes_b(0, n));
  return (uint32_t)npu_v_redsum(sum[0]) + ((uint32_t)npu_v_redsum(sum[1]) << 8) +
         ((uint32_t)npu_v_redsum(sum[2]) << 16);
}

// gemmlowp's one_over_one_plus_x_for_x_in_0_1: 1 / (1 + a), 31 fraction bits each, by Newton's
// method. All lanes compute the same: vectors have the instructions.
static int32_t reciprocal(int32_t a) {
  const int32_t half_sum = (int32_t)(((int64_t)a + INT32_MAX + 1) >> 1);
  const npu_int32x16_t half = npu_v_bcast_w(half_sum);
  // x has 29 fraction bits; 48/17 - 32/17 half.
  npu_int32x16_t x = npu_v_dmulh(half, npu_v_bcast_w(-1010580540)) + 1515870810;
  for (int i = 0; i < 3; ++i) {
    const npu_int32x16_t rest = (1 << 29) - npu_v_dmulh(half, x);
    x += npu_v_ssll(npu_v_dmulh(x, rest), npu_v_bcast_w(2));
  }
  return __builtin_npu_v_extract_w(npu_v_ssll(x, npu_v_bcast_w(1)), 0);
}

// Multiplier and shift that make an output with `bits` bits out of exp.
static int32_t scale_of(uint32_t sum, int32_t bits, int32_t *shift) {
  const int32_t headroom = __builtin_clz(sum);
  *shift = -(SUM_INTEGER_BITS - headroom + 31 - bits);
  if (*shift < -31) // so large a sum that every element rounds to 0; TFLite gives up here
    return 0;
  return reciprocal((int32_t)((sum << headroom) - (1u << 31)));
}

static void softmax_rows(const void *constants, void *output, const void *const *inputs,
                         uint32_t rows) {
  const softmax_job *job = constants;
  const int8_t *in = inputs[0];
  int8_t *out = output;
  for (; rows != 0; --rows) {
    const int32_t max = row_maximum(in, job->depth);
    int32_t shift;
    const int32_t multiplier = scale_of(row_sum(job->sums, in, job->depth, max), 8, &shift);
    npu_int8x64_t t[QUARTERS];
    for (int i = 0; i < QUARTERS; ++i) {
      npu_words w;
      for (int q = 0; q < 4; ++q)
        w.q[q] = npu_v_ld_w(job->exps + NPU_BLOCK * i + 16 * q);
      t[i] = npu_requantize_block(w, multiplier, shift);
    }
    const npu_int8x64_t top = npu_v_bcast_b(max);
    uint32_t n = job->depth;
    for (; n >= UNROLL * NPU_BLOCK; n -= UNROLL * NPU_BLOCK) {
      npu_int8x64_t x[UNROLL];
      for (int i = 0; i < UNROLL; ++i)
        x[i] = npu_v_lookup((npu_uint8x64_t)(top - npu_v_ld_b(in + NPU_BLOCK * i)), t);
      for (int i = 0; i < UNROLL; ++i)
        npu_v_st_b(x[i], out + NPU_BLOCK * i);
      in += UNROLL * NPU_BLOCK;
      out += UNROLL * NPU_BLOCK;
    }
    while (n != 0) {
      const uint32_t count = n < NPU_BLOCK ? n : NPU_BLOCK;
      npu_v_stl_b(npu_v_lookup((npu_uint8x64_t)(top - npu_v_ldl_b(in, count)), t), out, count);
      in += count;
      out += count;
      n -= count;
    }
  }
}

static void softmax_rows_s16(const void *constants, void *output, const void *const *inputs,
                             uint32_t rows) {
  const softmax_job *job = constants;
  const int8_t *in = inputs[0];
  int16_t *out = output;
  for (; rows != 0; --rows) {
    const int32_t max = row_maximum(in, job->depth);
    int32_t shift;
    const int32_t multiplier = scale_of(row_sum(job->sums, in, job->depth, max), 16, &shift);
    npu_int8x64_t low[QUARTERS], high[QUARTERS];
    for (int i = 0; i < QUARTERS; ++i) {
      npu_int16x32_t h[2];
      for (int half = 0; half < 2; ++half) {
        npu_int32x16_t w[2];
        for (int q = 0; q < 2; ++q)
          w[q] = npu_v_requant(npu_v_ld_w(job->exps + NPU_BLOCK * i + 32 * half + 16 * q),
                               multiplier, shift) -
                 32768;
        h[half] = npu_v_packs(w[0], w[1]);
      }
      low[i] = npu_v_unzipe((npu_int8x64_t)h[0], (npu_int8x64_t)h[1]);
      high[i] = npu_v_unzipo((npu_int8x64_t)h[0], (npu_int8x64_t)h[1]);
    }
    const npu_int8x64_t top = npu_v_bcast_b(max);
    for (uint32_t n = job->depth; n != 0;) {
      const uint32_t count = n < NPU_BLOCK ? n : NPU_BLOCK;
      const npu_uint8x64_t distance = (npu_uint8x64_t)(top - npu_v_ldl_b(in, count));
      const npu_int8x64_t l = npu_v_lookup(distance, low), h = npu_v_lookup(distance, high);
      npu_v_stl_h((npu_int16x32_t)npu_v_ziplo(l, h), out, count);
      if (count > 32)
        npu_v_stl_h((npu_int16x32_t)npu_v_ziphi(l, h), out + 32, count - 32);
      in += count;
      out += count;
      n -= count;
    }
  }
}

static uint32_t align(uint32_t bytes) {
  return (bytes + 15) & ~15u;
}

uint32_t npu_softmax_s8_get_buffer_size(int32_t depth, int32_t output_bytes) {
  if (depth < 1 || depth > MAX_DEPTH || output_bytes < 1 || output_bytes > 2)
    return 0;
  return align(NPU_SOFTMAX_TABLE_BYTES) +
         npu_stream_buffer_size(1, (uint32_t)depth * (1 + (uint32_t)output_bytes));
}

static npu_status run(const npu_context *context, const void *table, int32_t rows, int32_t depth,
                      const int8_t *input, void *output, uint32_t output_bytes,
                      npu_stream_kernel *kernel) {
  const npu_dims dims = {1, 1, rows, depth};
  if (depth > MAX_DEPTH || npu_dims_elements(&dims, output_bytes) == 0)
    return NPU_ERROR_ARGUMENT;
  npu_context scratch = *context;
  if (!npu_in_tcm(table, NPU_SOFTMAX_TABLE_BYTES)) {
    if (!npu_scratch_valid(context) || context->size < align(NPU_SOFTMAX_TABLE_BYTES))
      return NPU_ERROR_BUFFER;
    if (npu_dma_copy(context->buffer, table, NPU_SOFTMAX_TABLE_BYTES) != 0)
      return NPU_ERROR_TRANSFER;
    table = context->buffer;
    scratch.buffer = (uint8_t *)context->buffer + align(NPU_SOFTMAX_TABLE_BYTES);
    scratch.size -= align(NPU_SOFTMAX_TABLE_BYTES);
  }
  const softmax_job job = {table, (const int8_t *)table + 256 * sizeof(int32_t), (uint32_t)depth};
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(-128, -128, 127));
  const npu_stream stream = {.kernel = kernel,
                             .constants = &job,
                             .in = {input},
                             .in_bytes = {(uint32_t)depth},
                             .out = output,
                             .out_bytes = (uint32_t)depth * output_bytes,
                             .count = (uint32_t)rows,
                             .granule = 1};
  return npu_stream_run(&scratch, &stream);
}

npu_status npu_softmax_s8(const npu_context *context, const void *table, int32_t rows,
                          int32_t depth, const int8_t *input, int8_t *output) {
  return run(context, table, rows, depth, input, output, 1, softmax_rows);
}

npu_status npu_softmax_s8_s16(const npu_context *context, const void *table, int32_t rows,
                              int32_t depth, const int8_t *input, int16_t *output) {
  return run(context, table, rows, depth, input, output, 2, softmax_rows_s16);
}
