// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one integer quantization to another. Between types of 8 bits by a table, which is the operator applied to all
// 256 values; otherwise 16 words at a time.

#include "npu/activation.h"
#include "npu/quantize.h"

#include "requantize.h"
#include "vector.h"
#include "vector_stream.h"

enum { WORDS = 16, BYTE_VALUES = 256 };

NPU_VECTOR_INLINE npu_int32x16_t load(npu_integer type, const uint8_t *in, uint32_t n) {
  switch (type) {
  case NPU_S8:
    return npu_v_ldl_bw(in, n);
  case NPU_U8:
    return npu_v_ldl_bwu(in, n);
  case NPU_S16:
    return npu_v_ldl_hw(in, n);
  default:
    return npu_v_ldl_w(in, n);
  }
}

NPU_VECTOR_INLINE void store(npu_integer type, npu_int32x16_t x, uint8_t *out, uint32_t n) {
  switch (type) {
  case NPU_S8:
    npu_v_stl_wbs(x, out, n);
    break;
  case NPU_U8:
    npu_v_stl_wbu(x, out, n);
    break;
  case NPU_S16:
    npu_v_stl_whs(x, out, n);
    break;
  default:
    npu_v_stl_w(x, out, n);
    break;
  }
}

static uint32_t bytes_of(npu_integer type) {
  return type == NPU_S32 ? 4 : type == NPU_S16 ? 2 : 1;
}

static void convert(const void *constants, void *output, const void *const *inputs, uint32_t n) {
  const npu_requantize_params p = *(const npu_requantize_params *)constants;
  const uint32_t in_step = WORDS * bytes_of(p.input_type), out_step = WORDS * bytes_of(p.output_type);
  const uint8_t *in = inputs[0];
  uint8_t *out = output;
  for (; n != 0; n -= n < WORDS ? n : WORDS, in += in_step, out += out_step) {
    const npu_int32x16_t x = load(p.input_type, in, n) - p.input_zero_point;
    store(p.output_type, npu_v_requant(x, p.multiplier, p.shift) + p.output_zero_point, out, n);
  }
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
  if (in_bytes == 1 && out_bytes == 1) {
    uint8_t values[BYTE_VALUES], table[BYTE_VALUES];
    for (uint32_t i = 0; i < BYTE_VALUES; ++i)
      values[i] = (uint8_t)i;
    const void *in[] = {values};
    convert(params, table, in, BYTE_VALUES);
    return npu_activation_s8(context, (const int8_t *)table, size, input, output);
  }
  if (size == 0 || size > INT32_MAX / (in_bytes > out_bytes ? in_bytes : out_bytes))
    return NPU_ERROR_ARGUMENT;
  const npu_stream stream = {.kernel = convert,
                             .constants = params,
                             .in = {input},
                             .in_bytes = {in_bytes},
                             .out = output,
                             .out_bytes = out_bytes,
                             .count = size};
  return npu_stream_run(context, &stream);
}
