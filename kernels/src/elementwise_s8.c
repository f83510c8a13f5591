// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/elementwise.h"

#include "add.h"
#include "requantize.h"
#include "vector.h"

enum { ADD_LEFT_SHIFT = 20 };

// A kernel: `body` for each block of 64 elements, of which the last may be partial.
#define BINARY_KERNEL(name, type, body)                                                            \
  static void name(const void *constants, int8_t *out, const int8_t *a, uint32_t a_step,           \
                   const int8_t *b, uint32_t b_step, uint32_t n) {                                 \
    const type c = *(const type *)constants;                                                       \
    for (; n >= 2 * NPU_BLOCK; n -= 2 * NPU_BLOCK) {                                               \
      const npu_int8x64_t first = body(&c, npu_v_ld_b(a), npu_v_ld_b(b));                          \
      const npu_int8x64_t second = body(&c, npu_v_ld_b(a + a_step), npu_v_ld_b(b + b_step));       \
      npu_v_st_b(first, out);                                                                      \
      npu_v_st_b(second, out + NPU_BLOCK);                                                         \
      a += 2 * a_step;                                                                             \
      b += 2 * b_step;                                                                             \
      out += 2 * NPU_BLOCK;                                                                        \
    }                                                                                              \
    for (; n != 0; n -= n < NPU_BLOCK ? n : NPU_BLOCK) {                                           \
      npu_v_stl_b(body(&c, npu_v_ldl_b(a, n), npu_v_ldl_b(b, n)), out, n);                         \
      a += a_step;                                                                                 \
      b += b_step;                                                                                 \
      out += NPU_BLOCK;                                                                            \
    }                                                                                              \
  }

// Add and subtract. TFLite rescales each input x to requantize((x + offset) * 2^20, multiplier,
// shift). Where the multiplier is a power of two, as for the input of the larger scale it always
// is, that is exact: a multiplication by 2^19 and less. x * 2^5 fits 16 bits, the rest is the
// factor of a widening multiplication. (x + offset) in 16 bits.
NPU_VECTOR_INLINE npu_halves halves(const npu_add_input *in, npu_int8x64_t x) {
  const npu_int8x64_t scale = npu_v_bcast_b(in->scale);
  const npu_int16x32_t offset = npu_v_bcast_h(in->offset);
  return (npu_halves){npu_v_wmullo(x, scale) + offset, npu_v_wmulhi(x, scale) + offset};
}

NPU_VECTOR_INLINE npu_words rescale(const npu_add_input *in, npu_int8x64_t x) {
  npu_words w = npu_widen_mul(halves(in, x), in->factor);
  for (int i = 0; i < 4; ++i)
    w.q[i] = npu_v_requant(w.q[i], in->multiplier, in->shift);
  return w;
}

NPU_VECTOR_INLINE npu_words add_exact(npu_words w, const npu_add_input *in, npu_int8x64_t x) {
  const npu_halves h = halves(in, x);
  const npu_int16x32_t f = npu_v_bcast_h(in->factor);
  return (npu_words){{npu_v_wmacclo(w.q[0], h.lo, f), npu_v_wmacchi(w.q[1], h.lo, f),
                      npu_v_wmacclo(w.q[2], h.hi, f), npu_v_wmacchi(w.q[3], h.hi, f)}};
}

NPU_VECTOR_INLINE npu_int8x64_t add_general(const npu_add_constants *c, npu_int8x64_t a,
                                            npu_int8x64_t b) {
  npu_words sum = rescale(&c->a, a);
  const npu_words other = rescale(&c->b, b);
  for (int i = 0; i < 4; ++i)
    sum.q[i] += other.q[i];
  return npu_requantize_block(sum, c->multiplier, c->shift);
}

// a exact.
NPU_VECTOR_INLINE npu_int8x64_t add_one_exact(const npu_add_constants *c, npu_int8x64_t a,
                                              npu_int8x64_t b) {
  return npu_requantize_block(add_exact(rescale(&c->b, b), &c->a, a), c->multiplier, c->shift);
}

// Both exact with the same factor; a has the offset of both.
NPU_VECTOR_INLINE npu_int8x64_t add_both_exact(const npu_add_constants *c, npu_int8x64_t a,
                                               npu_int8x64_t b) {
  const npu_halves h = halves(&c->a, a);
  const npu_int8x64_t scale = npu_v_bcast_b(c->b.scale);
  const npu_halves sum = {npu_v_wmacclo(h.lo, b, scale), npu_v_wmacchi(h.hi, b, scale)};
  return npu_requantize_block(npu_widen_mul(sum, c->a.factor), c->multiplier, c->shift);
}

BINARY_KERNEL(add_general_kernel, npu_add_constants, add_general)
BINARY_KERNEL(add_one_exact_kernel, npu_add_constants, add_one_exact)
BINARY_KERNEL(add_both_exact_kernel, npu_add_constants, add_both_exact)

static int output_valid(int32_t offset, int32_t min, int32_t max) {
  return npu_in_range(offset, -128, 127) && npu_in_range(min, -128, 127) &&
         npu_in_range(max, min, 127);
}

static int rescaling_valid(int32_t multiplier, int32_t shift) {
  return multiplier >= 0 && npu_in_range(shift, -31, 0);
}

// Whether requantizing x * 2^20 is a multiplication by 2^(14 + 5 + shift).
static int is_exact(int32_t multiplier, int32_t shift) {
  return multiplier == 1 << 30 && shift >= -14;
}

static npu_add_input make_input(int exact, int32_t sign, int32_t offset, int32_t multiplier,
                                int32_t shift) {
  npu_add_input in = {.multiplier = sign * multiplier, .shift = shift};
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

npu_status npu_add_prepare(npu_add *add, const npu_add_params *p, int32_t sign) {
  if (!npu_in_range(p->input1_offset, -127, 128) || !npu_in_range(p->input2_offset, -127, 128) ||
      !output_valid(p->output_offset, p->activation_min, p->activation_max) ||
      !rescaling_valid(p->input1_multiplier, p->input1_shift) ||
      !rescaling_valid(p->input2_multiplier, p->input2_shift) ||
      !rescaling_valid(p->output_multiplier, p->output_shift))
    return NPU_ERROR_ARGUMENT;
  // With two exact inputs of different factors the second is rescaled.
  const int a_exact = is_exact(p->input1_multiplier, p->input1_shift);
  const int b_exact = is_exact(p->input2_multiplier, p->input2_shift) &&
                      (!a_exact || p->input1_shift == p->input2_shift);
  npu_add_constants *const c = &add->constants;
  c->a = make_input(a_exact, 1, p->input1_offset, p->input1_multiplier, p->input1_shift);
  c->b = make_input(b_exact, sign, p->input2_offset, p->input2_multiplier, p->input2_shift);
  c->multiplier = p->output_multiplier;
  c->shift = p->output_shift;
  add->oquant = npu_oquant(p->output_offset, p->activation_min, p->activation_max);
  add->swapped = !a_exact && b_exact;
  add->kernel = a_exact || b_exact ? add_one_exact_kernel : add_general_kernel;
  if (a_exact && b_exact) {
    c->a.offset += c->b.offset;
    add->kernel = add_both_exact_kernel;
  } else if (add->swapped) {
    const npu_add_input first = c->a;
    c->a = c->b;
    c->b = first;
  }
  return NPU_OK;
}

static npu_status add(const npu_context *context, const npu_add_params *p, int32_t sign,
                      const npu_dims *a_dims, const int8_t *a, const npu_dims *b_dims,
                      const int8_t *b, const npu_dims *out_dims, int8_t *out) {
  npu_add add;
  const npu_status status = npu_add_prepare(&add, p, sign);
  if (status != NPU_OK)
    return status;
  npu_csr_write(NPU_CSR_NOQUANT, add.oquant);
  return add.swapped ? npu_broadcast_run(context, add.kernel, &add.constants, b_dims, b, a_dims, a,
                                         out_dims, out)
                     : npu_broadcast_run(context, add.kernel, &add.constants, a_dims, a, b_dims, b,
                                         out_dims, out);
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

NPU_VECTOR_INLINE npu_int8x64_t mul(const mul_constants *c, npu_int8x64_t a, npu_int8x64_t b) {
  const npu_int16x32_t a_offset = npu_v_bcast_h(c->a_offset), b_offset = npu_v_bcast_h(c->b_offset);
  const npu_int16x32_t a_lo = npu_v_extlo(a) + a_offset, b_lo = npu_v_extlo(b) + b_offset;
  const npu_int16x32_t a_hi = npu_v_exthi(a) + a_offset, b_hi = npu_v_exthi(b) + b_offset;
  const npu_words product = {{npu_v_wmullo(a_lo, b_lo), npu_v_wmulhi(a_lo, b_lo),
                              npu_v_wmullo(a_hi, b_hi), npu_v_wmulhi(a_hi, b_hi)}};
  return npu_requantize_block(product, c->multiplier, c->shift);
}

BINARY_KERNEL(mul_kernel, mul_constants, mul)

npu_status npu_mul_s8(const npu_context *context, const npu_mul_params *params,
                      const npu_dims *input1_dims, const int8_t *input1,
                      const npu_dims *input2_dims, const int8_t *input2,
                      const npu_dims *output_dims, int8_t *output) {
  if (!npu_in_range(params->input1_offset, -127, 128) ||
      !npu_in_range(params->input2_offset, -127, 128) ||
      !output_valid(params->output_offset, params->activation_min, params->activation_max) ||
      params->output_multiplier < 0 || !npu_in_range(params->output_shift, -31, 31))
    return NPU_ERROR_ARGUMENT;
  const mul_constants c = {params->input1_offset, params->input2_offset, params->output_multiplier,
                           params->output_shift};
  npu_csr_write(NPU_CSR_NOQUANT,
                npu_oquant(params->output_offset, params->activation_min, params->activation_max));
  return npu_broadcast_run(context, mul_kernel, &c, input1_dims, input1, input2_dims, input2,
                           output_dims, output);
}

typedef struct no_constants {
  int32_t unused;
} no_constants;

NPU_VECTOR_INLINE npu_int8x64_t minimum(const no_constants *c, npu_int8x64_t a, npu_int8x64_t b) {
  (void)c;
  return npu_v_min(a, b);
}

NPU_VECTOR_INLINE npu_int8x64_t maximum(const no_constants *c, npu_int8x64_t a, npu_int8x64_t b) {
  (void)c;
  return npu_v_max(a, b);
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

uint32_t npu_elementwise_s8_get_buffer_size(const npu_dims *input1_dims,
                                            const npu_dims *input2_dims,
                                            const npu_dims *output_dims) {
  (void)input1_dims;
  (void)input2_dims;
  (void)output_dims;
  return npu_broadcast_buffer_size();
}
