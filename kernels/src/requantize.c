// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one integer quantization to another. Between types of 8 bits by a table, which is the
// operator applied to all 256 values; otherwise 16 words at a time.

#include "npu/activation.h"
#include "npu/quantize.h"

#include "requantize.h"
#include "vector.h"
#include "vector_stream.h"

enum { WORDS = 16, STEP = 64, BYTE_VALUES = 256 };

// Element types: bytes, load and store of up to 16 elements.
#define BYTES_S8 1
#define BYTES_U8 1
#define BYTES_S16 2
#define BYTES_S32 4
#define LOAD_S8 npu_v_ldl_bw
#define LOAD_U8 npu_v_ldl_bwu
#define LOAD_S16 npu_v_ldl_hw
#define LOAD_S32 npu_v_ldl_w
#define STORE_S8 npu_v_stl_wbs
#define STORE_U8 npu_v_stl_wbu
#define STORE_S16 npu_v_stl_whs
#define STORE_S32 npu_v_stl_w

#define CONVERT(from, to)                                                                          \
  static void convert_##from##_##to(const void *constants, void *output,                           \
                                    const void *const *inputs, uint32_t n) {                       \
    const npu_requantize_params *p = constants;                                                    \
    const int32_t in_zero_point = p->input_zero_point, out_zero_point = p->output_zero_point;      \
    const int32_t multiplier = p->multiplier, shift = p->shift;                                    \
    const uint8_t *in = inputs[0];                                                                 \
    uint8_t *out = output;                                                                         \
    for (; n >= STEP; n -= STEP, in += STEP * BYTES_##from, out += STEP * BYTES_##to) {            \
      npu_int32x16_t x[STEP / WORDS];                                                              \
      for (int i = 0; i < STEP / WORDS; ++i)                                                       \
        x[i] = LOAD_##from(in + WORDS * BYTES_##from * i, WORDS) - in_zero_point;                  \
      for (int i = 0; i < STEP / WORDS; ++i)                                                       \
        x[i] = npu_v_requant(x[i], multiplier, shift) + out_zero_point;                            \
      for (int i = 0; i < STEP / WORDS; ++i)                                                       \
        STORE_##to(x[i], out + WORDS * BYTES_##to * i, WORDS);                                     \
    }                                                                                              \
    for (; n != 0;                                                                                 \
         n -= n < WORDS ? n : WORDS, in += WORDS * BYTES_##from, out += WORDS * BYTES_##to) {      \
      const npu_int32x16_t x = LOAD_##from(in, n) - in_zero_point;                                 \
      STORE_##to(npu_v_requant(x, multiplier, shift) + out_zero_point, out, n);                    \
    }                                                                                              \
  }
CONVERT(S8, S8)
CONVERT(S8, U8)
CONVERT(S8, S16)
CONVERT(U8, S8)
CONVERT(U8, U8)
CONVERT(U8, S16)
CONVERT(S16, S8)
CONVERT(S16, S16)
CONVERT(S16, S32)
CONVERT(S32, S8)
CONVERT(S32, S16)

// By input and output type; null where TFLite has no such operator.
static npu_stream_kernel *const kernels[][4] = {
    {convert_S8_S8, convert_S8_U8, convert_S8_S16, 0},
    {convert_U8_S8, convert_U8_U8, convert_U8_S16, 0},
    {convert_S16_S8, 0, convert_S16_S16, convert_S16_S32},
    {convert_S32_S8, 0, convert_S32_S16, 0},
};

static uint32_t bytes_of(npu_integer type) {
  return type == NPU_S32 ? 4 : type == NPU_S16 ? 2 : 1;
}

static int zero_point_valid(npu_integer type, int32_t zero_point) {
  switch (type) {
  case NPU_S8:
    return npu_in_range(zero_point, INT8_MIN, INT8_MAX);
  case NPU_U8:
    return npu_in_range(zero_point, 0, UINT8_MAX);
  case NPU_S16:
    return npu_in_range(zero_point, INT16_MIN, INT16_MAX);
  case NPU_S32:
    return npu_in_range(zero_point, -(1 << 23), 1 << 23);
  }
  return 0;
}

npu_status npu_requantize(const npu_context *context, const npu_requantize_params *params,
                          uint32_t size, const void *input, void *output) {
  if (!zero_point_valid(params->input_type, params->input_zero_point) ||
      !zero_point_valid(params->output_type, params->output_zero_point) || params->multiplier < 0 ||
      !npu_in_range(params->shift, -31, 31))
    return NPU_ERROR_ARGUMENT;
  const uint32_t in_bytes = bytes_of(params->input_type), out_bytes = bytes_of(params->output_type);
  npu_stream_kernel *const kernel = kernels[params->input_type][params->output_type];
  if (kernel == 0)
    return NPU_ERROR_ARGUMENT;
  if (in_bytes == 1 && out_bytes == 1) {
    uint8_t values[BYTE_VALUES], table[BYTE_VALUES];
    for (uint32_t i = 0; i < BYTE_VALUES; ++i)
      values[i] = (uint8_t)i;
    const void *in[] = {values};
    kernel(params, table, in, BYTE_VALUES);
    return npu_activation_s8(context, (const int8_t *)table, size, input, output);
  }
  return npu_stream_unary(context, kernel, params, size, input, in_bytes, output, out_bytes);
}
