// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/elementwise.h"

#include "broadcast.h"
#include "vector.h"

enum { ADD_LEFT_SHIFT = 20 };

// Four vectors of words: 64 elements in order.
typedef struct words {
  v16i32 q[4];
} words;

// Eight bits from words that fit them.
NPU_VECTOR_INLINE v64i8 narrow(words w) {
  return vec_packs_b(vec_packs_h(w.q[0], w.q[1]), vec_packs_h(w.q[2], w.q[3]));
}

NPU_VECTOR_INLINE words requantize(words w, int32_t multiplier, int32_t shift) {
  for (int i = 0; i < 4; ++i)
    w.q[i] = vec_rq(w.q[i], multiplier, shift);
  return w;
}

// A kernel: `body` for each block of 64 elements, of which the last may be partial.
#define BINARY_KERNEL(name, type, body)                                                            \
  static void name(const void *constants, int8_t *out, const int8_t *a, uint32_t a_step,           \
                   const int8_t *b, uint32_t b_step, uint32_t n) {                                 \
    const type c = *(const type *)constants;                                                       \
    _Pragma("clang loop unroll_count(2)") for (; n >= NPU_VECTOR_BYTES; n -= NPU_VECTOR_BYTES) {   \
      vec_st(out, body(&c, vec_ld(a), vec_ld(b)));                                                 \
      a += a_step;                                                                                 \
      b += b_step;                                                                                 \
      out += NPU_VECTOR_BYTES;                                                                     \
    }                                                                                              \
    if (n != 0)                                                                                    \
      vec_store_b(out, body(&c, vec_load_b(a, n), vec_load_b(b, n)), n);                           \
  }

// Add and subtract. TFLite rescales each input x to requantize((x + offset) * 2^20, multiplier, shift). Where
// the multiplier is a power of two, as for the input of the larger scale it always is, that is exact: a
// multiplication by 2^19 and less. x * 2^5 fits 16 bits, the rest is the factor of a widening multiplication.
typedef struct add_input {
  int32_t scale;      // of the 16-bit value: 2^6, with the sign of the input if exact 2^5
  int32_t offset;     // of the 16-bit value
  int32_t factor;     // to 32 bits
  int32_t multiplier; // if not exact
  int32_t shift;
} add_input;

typedef struct add_constants {
  add_input a, b;
  int32_t multiplier, shift;
} add_constants;

// (x + offset) scaled to 16 bits.
#define HALVES(in, x)                                                                              \
  const v32i16 x##_lo = vec_wmullo_b(x, (in)->scale) + (int16_t)(in)->offset;                      \
  const v32i16 x##_hi = vec_wmulhi_b(x, (in)->scale) + (int16_t)(in)->offset;

NPU_VECTOR_INLINE words rescale(const add_input *in, v64i8 x) {
  HALVES(in, x)
  words w = {{vec_wmullo_h(x_lo, in->factor), vec_wmulhi_h(x_lo, in->factor),
              vec_wmullo_h(x_hi, in->factor), vec_wmulhi_h(x_hi, in->factor)}};
  for (int i = 0; i < 4; ++i)
    w.q[i] = vec_mbqm(w.q[i], in->multiplier, in->shift);
  return w;
}

NPU_VECTOR_INLINE words add_exact(words w, const add_input *in, v64i8 x) {
  HALVES(in, x)
  return (words){{vec_wmacclo_h(w.q[0], x_lo, in->factor), vec_wmacchi_h(w.q[1], x_lo, in->factor),
                  vec_wmacclo_h(w.q[2], x_hi, in->factor), vec_wmacchi_h(w.q[3], x_hi, in->factor)}};
}

NPU_VECTOR_INLINE v64i8 add_general(const add_constants *c, v64i8 a, v64i8 b) {
  words sum = rescale(&c->a, a);
  const words other = rescale(&c->b, b);
  for (int i = 0; i < 4; ++i)
    sum.q[i] += other.q[i];
  return narrow(requantize(sum, c->multiplier, c->shift));
}

// a exact.
NPU_VECTOR_INLINE v64i8 add_one_exact(const add_constants *c, v64i8 a, v64i8 b) {
  return narrow(requantize(add_exact(rescale(&c->b, b), &c->a, a), c->multiplier, c->shift));
}

// Both exact with the same factor; a has the offset of both.
NPU_VECTOR_INLINE v64i8 add_both_exact(const add_constants *c, v64i8 a, v64i8 b) {
  const v32i16 lo = vec_wmacclo_b(vec_wmullo_b(a, c->a.scale), b, c->b.scale) + (int16_t)c->a.offset;
  const v32i16 hi = vec_wmacchi_b(vec_wmulhi_b(a, c->a.scale), b, c->b.scale) + (int16_t)c->a.offset;
  const words sum = {{vec_wmullo_h(lo, c->a.factor), vec_wmulhi_h(lo, c->a.factor),
                      vec_wmullo_h(hi, c->a.factor), vec_wmulhi_h(hi, c->a.factor)}};
  return narrow(requantize(sum, c->multiplier, c->shift));
}

BINARY_KERNEL(add_general_kernel, add_constants, add_general)
BINARY_KERNEL(add_one_exact_kernel, add_constants, add_one_exact)
BINARY_KERNEL(add_both_exact_kernel, add_constants, add_both_exact)

static int in_range(int32_t value, int32_t low, int32_t high) { return value >= low && value <= high; }

static int output_valid(int32_t offset, int32_t min, int32_t max) {
  return in_range(offset, -128, 127) && in_range(min, -128, 127) && in_range(max, min, 127);
}

static int rescaling_valid(int32_t multiplier, int32_t shift) {
  return multiplier >= 0 && in_range(shift, -31, 0);
}

// Whether requantizing x * 2^20 is a multiplication by 2^(14 + 5 + shift).
static int is_exact(int32_t multiplier, int32_t shift) {
  return multiplier == 1 << 30 && shift >= -14;
}

static add_input make_input(int exact, int32_t sign, int32_t offset, int32_t multiplier,
                            int32_t shift) {
  add_input in = {.multiplier = sign * multiplier, .shift = shift};
  if (exact) {
    in.scale = sign * (1 << 5);
    in.factor = 1 << (ADD_LEFT_SHIFT - 6 + shift);
  } else {
    in.scale = 1 << 6;
    in.factor = 1 << (ADD_LEFT_SHIFT - 6);
  }
  in.offset = offset * in.scale;
  return in;
}

static npu_status add(const npu_context *context, const npu_add_params *p, int32_t sign,
                      const npu_dims *a_dims, const int8_t *a, const npu_dims *b_dims,
                      const int8_t *b, const npu_dims *out_dims, int8_t *out) {
  if (!in_range(p->input1_offset, -127, 128) || !in_range(p->input2_offset, -127, 128) ||
      !output_valid(p->output_offset, p->activation_min, p->activation_max) ||
      !rescaling_valid(p->input1_multiplier, p->input1_shift) ||
      !rescaling_valid(p->input2_multiplier, p->input2_shift) ||
      !rescaling_valid(p->output_multiplier, p->output_shift))
    return NPU_ERROR_ARGUMENT;
  // With two exact inputs of different factors the second is rescaled.
  const int a_exact = is_exact(p->input1_multiplier, p->input1_shift);
  const int b_exact = is_exact(p->input2_multiplier, p->input2_shift) &&
                      (!a_exact || p->input1_shift == p->input2_shift);
  add_constants c = {
      .a = make_input(a_exact, 1, p->input1_offset, p->input1_multiplier, p->input1_shift),
      .b = make_input(b_exact, sign, p->input2_offset, p->input2_multiplier, p->input2_shift),
      .multiplier = p->output_multiplier,
      .shift = p->output_shift,
  };
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(p->output_offset, p->activation_min, p->activation_max));
  if (a_exact && b_exact) {
    c.a.offset += c.b.offset;
    return npu_broadcast_run(context, add_both_exact_kernel, &c, a_dims, a, b_dims, b, out_dims, out);
  }
  if (a_exact)
    return npu_broadcast_run(context, add_one_exact_kernel, &c, a_dims, a, b_dims, b, out_dims, out);
  if (b_exact) {
    const add_input swapped = c.a;
    c.a = c.b;
    c.b = swapped;
    return npu_broadcast_run(context, add_one_exact_kernel, &c, b_dims, b, a_dims, a, out_dims, out);
  }
  return npu_broadcast_run(context, add_general_kernel, &c, a_dims, a, b_dims, b, out_dims, out);
}

npu_status npu_add_s8(const npu_context *context, const npu_add_params *params,
                      const npu_dims *input1_dims, const int8_t *input1,
                      const npu_dims *input2_dims, const int8_t *input2,
                      const npu_dims *output_dims, int8_t *output) {
  return add(context, params, 1, input1_dims, input1, input2_dims, input2, output_dims, output);
}

npu_status npu_sub_s8(const npu_context *context, const npu_add_params *params,
                      const npu_dims *input1_dims, const int8_t *input1,
                      const npu_dims *input2_dims, const int8_t *input2,
                      const npu_dims *output_dims, int8_t *output) {
  return add(context, params, -1, input1_dims, input1, input2_dims, input2, output_dims, output);
}

typedef struct mul_constants {
  int32_t a_offset, b_offset, multiplier, shift;
} mul_constants;

NPU_VECTOR_INLINE v64i8 mul(const mul_constants *c, v64i8 a, v64i8 b) {
  const v32i16 a_lo = vec_sxlo_b(a) + (int16_t)c->a_offset;
  const v32i16 b_lo = vec_sxlo_b(b) + (int16_t)c->b_offset;
  const v32i16 a_hi = vec_sxhi_b(a) + (int16_t)c->a_offset;
  const v32i16 b_hi = vec_sxhi_b(b) + (int16_t)c->b_offset;
  const words product = {{vec_wmullo_hh(a_lo, b_lo), vec_wmulhi_hh(a_lo, b_lo),
                          vec_wmullo_hh(a_hi, b_hi), vec_wmulhi_hh(a_hi, b_hi)}};
  return narrow(requantize(product, c->multiplier, c->shift));
}

BINARY_KERNEL(mul_kernel, mul_constants, mul)

npu_status npu_mul_s8(const npu_context *context, const npu_mul_params *params,
                      const npu_dims *input1_dims, const int8_t *input1,
                      const npu_dims *input2_dims, const int8_t *input2,
                      const npu_dims *output_dims, int8_t *output) {
  if (!in_range(params->input1_offset, -127, 128) || !in_range(params->input2_offset, -127, 128) ||
      !output_valid(params->output_offset, params->activation_min, params->activation_max) ||
      params->output_multiplier < 0 || !in_range(params->output_shift, -31, 31))
    return NPU_ERROR_ARGUMENT;
  const mul_constants c = {params->input1_offset, params->input2_offset, params->output_multiplier,
                           params->output_shift};
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(params->output_offset, params->activation_min,
                                            params->activation_max));
  return npu_broadcast_run(context, mul_kernel, &c, input1_dims, input1, input2_dims, input2,
                           output_dims, output);
}

typedef struct no_constants {
  int32_t unused;
} no_constants;

NPU_VECTOR_INLINE v64i8 minimum(const no_constants *c, v64i8 a, v64i8 b) {
  (void)c;
  return __builtin_elementwise_min(a, b);
}

NPU_VECTOR_INLINE v64i8 maximum(const no_constants *c, v64i8 a, v64i8 b) {
  (void)c;
  return __builtin_elementwise_max(a, b);
}

BINARY_KERNEL(minimum_kernel, no_constants, minimum)
BINARY_KERNEL(maximum_kernel, no_constants, maximum)

npu_status npu_minimum_s8(const npu_context *context, const npu_dims *input1_dims,
                          const int8_t *input1, const npu_dims *input2_dims, const int8_t *input2,
                          const npu_dims *output_dims, int8_t *output) {
  const no_constants c = {0};
  return npu_broadcast_run(context, minimum_kernel, &c, input1_dims, input1, input2_dims, input2,
                           output_dims, output);
}

npu_status npu_maximum_s8(const npu_context *context, const npu_dims *input1_dims,
                          const int8_t *input1, const npu_dims *input2_dims, const int8_t *input2,
                          const npu_dims *output_dims, int8_t *output) {
  const no_constants c = {0};
  return npu_broadcast_run(context, maximum_kernel, &c, input1_dims, input1, input2_dims, input2,
                           output_dims, output);
}

uint32_t npu_elementwise_s8_get_buffer_size(const npu_dims *input1_dims, const npu_dims *input2_dims,
                                            const npu_dims *output_dims) {
  (void)input1_dims;
  (void)input2_dims;
  (void)output_dims;
  return npu_broadcast_buffer_size();
}
