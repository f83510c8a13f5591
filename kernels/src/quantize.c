// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/quantize.h"

#include "requantize.h"
#include "vector.h"
#include "vector_stream.h"

#include <math.h>

enum {
  QUARTERS = 4, // vectors of a plane of 256 bytes
  PLANES = 4,
  WORDS = 16,
  MANTISSA_BITS = 23,
  LARGEST_STEP = 255, // |q - zero_point|
};

typedef struct planes {
  npu_int8x64_t t[PLANES][QUARTERS];
} planes;

NPU_VECTOR_INLINE planes load_planes(const int8_t *table) {
  planes p;
  for (int byte = 0; byte < PLANES; ++byte)
    for (int i = 0; i < QUARTERS; ++i)
      p.t[byte][i] = npu_v_ld_b(table + NPU_BLOCK * (QUARTERS * byte + i));
  return p;
}

// The words of 64 entries.
NPU_VECTOR_INLINE npu_words look_up(const planes *p, npu_uint8x64_t index) {
  npu_int8x64_t byte[PLANES];
  for (int i = 0; i < PLANES; ++i)
    byte[i] = npu_v_lookup(index, p->t[i]);
  const npu_int16x32_t low[2] = {(npu_int16x32_t)npu_v_ziplo(byte[0], byte[1]),
                                 (npu_int16x32_t)npu_v_ziphi(byte[0], byte[1])};
  const npu_int16x32_t high[2] = {(npu_int16x32_t)npu_v_ziplo(byte[2], byte[3]),
                                  (npu_int16x32_t)npu_v_ziphi(byte[2], byte[3])};
  return (npu_words){
      {(npu_int32x16_t)npu_v_ziplo(low[0], high[0]), (npu_int32x16_t)npu_v_ziphi(low[0], high[0]),
       (npu_int32x16_t)npu_v_ziplo(low[1], high[1]), (npu_int32x16_t)npu_v_ziphi(low[1], high[1])}};
}

// Words [16 q, 16 q + 16) of n.
NPU_VECTOR_INLINE npu_words load_words(const void *from, uint32_t n) {
  npu_words w;
  for (uint32_t q = 0; q < 4; ++q)
    w.q[q] = n > WORDS * q ? npu_v_ldl_w((const int32_t *)from + WORDS * q, n - WORDS * q)
                           : npu_v_bcast_w(0);
  return w;
}

NPU_VECTOR_INLINE void store_words(void *to, npu_words w, uint32_t n) {
  for (uint32_t q = 0; q < 4; ++q)
    if (n > WORDS * q)
      npu_v_stl_w(w.q[q], (int32_t *)to + WORDS * q, n - WORDS * q);
}

// The number of steps in |x| from a product of mantissas that is a little too small, so that it is
// right or one too few; a comparison with the exact border decides.
static void quantize_s8(const void *constants, void *output, const void *const *inputs,
                        uint32_t n) {
  const int32_t *head = constants;
  const npu_uint32x16_t reciprocal = (npu_uint32x16_t)npu_v_bcast_w(head[0]);
  const int32_t exponent = head[1] + MANTISSA_BITS + 127 + MANTISSA_BITS, zero_point = head[2];
  const planes borders = load_planes((const int8_t *)(head + 4));
  const uint8_t *in = inputs[0];
  int8_t *out = output;
  for (; n != 0; n -= n < NPU_BLOCK ? n : NPU_BLOCK, in += 4 * NPU_BLOCK, out += NPU_BLOCK) {
    const npu_words x = load_words(in, n);
    npu_words magnitude, steps;
    for (int q = 0; q < 4; ++q) {
      magnitude.q[q] = x.q[q] & 0x7FFFFFFF;
      const npu_uint32x16_t mantissa = (npu_uint32x16_t)((x.q[q] & 0x7FFFFF) | 0x800000);
      const npu_uint32x16_t product = npu_v_mulh(mantissa, reciprocal);
      npu_int32x16_t shift = exponent - (magnitude.q[q] >> MANTISSA_BITS);
      shift = npu_v_min(npu_v_max(shift, npu_v_bcast_w(0)), npu_v_bcast_w(31));
      steps.q[q] = (npu_int32x16_t)npu_v_min(npu_v_srr(product, (npu_uint32x16_t)shift),
                                             (npu_uint32x16_t)npu_v_bcast_w(LARGEST_STEP));
    }
    const npu_words border = look_up(&borders, (npu_uint8x64_t)npu_narrow(steps));
    for (int q = 0; q < 4; ++q) {
      const npu_int32x16_t count = steps.q[q] - (magnitude.q[q] >= border.q[q]);
      const npu_int32x16_t sign = x.q[q] >> 31;
      steps.q[q] = (count ^ sign) - sign;
    }
    const npu_int16x32_t offset = npu_v_bcast_h(zero_point);
    const npu_int16x32_t lo = npu_v_pack(steps.q[0], steps.q[1]) + offset;
    const npu_int16x32_t hi = npu_v_pack(steps.q[2], steps.q[3]) + offset;
    npu_v_stl_b(npu_v_packs(lo, hi), out, n);
  }
}

static void dequantize_s8(const void *constants, void *output, const void *const *inputs,
                          uint32_t n) {
  const planes values = load_planes(constants);
  const int8_t *in = inputs[0];
  uint8_t *out = output;
  for (; n != 0; n -= n < NPU_BLOCK ? n : NPU_BLOCK, in += NPU_BLOCK, out += 4 * NPU_BLOCK)
    store_words(out, look_up(&values, (npu_uint8x64_t)npu_v_ldl_b(in, n)), n);
}

typedef struct affine {
  float scale;
  int32_t zero_point;
} affine;

static void quantize_s16(const void *constants, void *output, const void *const *inputs,
                         uint32_t n) {
  const affine *a = constants;
  const float *in = inputs[0];
  int16_t *out = output;
  for (uint32_t i = 0; i < n; ++i) {
    const float steps = roundf(in[i] / a->scale);
    const int32_t bounded = steps < -131072.0f  ? -131072
                            : steps > 131072.0f ? 131072
                                                : (int32_t)steps;
    out[i] = (int16_t)npu_clamp(bounded + a->zero_point, INT16_MIN, INT16_MAX);
  }
}

static void dequantize_s16(const void *constants, void *output, const void *const *inputs,
                           uint32_t n) {
  const affine *a = constants;
  const int16_t *in = inputs[0];
  float *out = output;
  for (uint32_t i = 0; i < n; ++i)
    out[i] = (float)((double)a->scale * (double)(in[i] - a->zero_point));
}

npu_status npu_quantize_f32_s8(const npu_context *context, const void *table, uint32_t size,
                               const float *input, int8_t *output) {
  if (((uintptr_t)table & 15) != 0)
    return NPU_ERROR_ARGUMENT;
  if (!npu_table_readable(table, NPU_QUANTIZE_TABLE_BYTES))
    return NPU_ERROR_TRANSFER;
  return npu_stream_unary(context, quantize_s8, table, size, input, sizeof *input, output,
                          sizeof *output);
}

npu_status npu_dequantize_s8_f32(const npu_context *context, const void *table, uint32_t size,
                                 const int8_t *input, float *output) {
  if (!npu_table_readable(table, NPU_DEQUANTIZE_TABLE_BYTES))
    return NPU_ERROR_TRANSFER;
  return npu_stream_unary(context, dequantize_s8, table, size, input, sizeof *input, output,
                          sizeof *output);
}

// The core's own accesses to int16 and float have to be.
static int aligned(const void *tensor, uint32_t element_bytes) {
  return ((uintptr_t)tensor & (element_bytes - 1)) == 0;
}

static int affine_valid(float scale, int32_t zero_point) {
  return scale >= 0x1p-100f && scale <= 0x1p100f && npu_in_range(zero_point, INT16_MIN, INT16_MAX);
}

npu_status npu_quantize_f32_s16(const npu_context *context, float scale, int32_t zero_point,
                                uint32_t size, const float *input, int16_t *output) {
  if (!affine_valid(scale, zero_point) || !aligned(input, sizeof *input) ||
      !aligned(output, sizeof *output))
    return NPU_ERROR_ARGUMENT;
  const affine a = {scale, zero_point};
  return npu_stream_unary(context, quantize_s16, &a, size, input, sizeof *input, output,
                          sizeof *output);
}

npu_status npu_dequantize_s16_f32(const npu_context *context, float scale, int32_t zero_point,
                                  uint32_t size, const int16_t *input, float *output) {
  if (!affine_valid(scale, zero_point) || !aligned(input, sizeof *input) ||
      !aligned(output, sizeof *output))
    return NPU_ERROR_ARGUMENT;
  const affine a = {scale, zero_point};
  return npu_stream_unary(context, dequantize_s16, &a, size, input, sizeof *input, output,
                          sizeof *output);
}
