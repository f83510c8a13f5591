// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantize, dequantize, requantize; parameters and tensors as in golden/quantize_cases.py.

#include "runner.h"

#include <npu/quantize.h>

#include <string.h>

static float float_of(int32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static npu_context context_of(const test_case *c) {
  return test_context(c, c->output.bytes % 8 != 0 ? NPU_QUANTIZE_BUFFER_BYTES : 16384);
}

static npu_status run_quantize_f32_s8(const test_case *c) {
  void *table = test_memory(NPU_QUANTIZE_TABLE_BYTES);
  const npu_status made = npu_quantize_s8_table(float_of(c->params[0]), c->params[1], table);
  if (made != NPU_OK)
    return made;
  const npu_context context = context_of(c);
  test_start();
  return npu_quantize_f32_s8(&context, table, c->output.bytes, c->inputs[0].data, c->output.data);
}

static npu_status run_quantize_f32_s16(const test_case *c) {
  const npu_context context = context_of(c);
  return npu_quantize_f32_s16(&context, float_of(c->params[0]), c->params[1], c->output.bytes / 2,
                              c->inputs[0].data, c->output.data);
}

static npu_status run_dequantize_s8_f32(const test_case *c) {
  void *table = test_memory(NPU_DEQUANTIZE_TABLE_BYTES);
  const npu_status made = npu_dequantize_s8_table(float_of(c->params[0]), c->params[1], table);
  if (made != NPU_OK)
    return made;
  const npu_context context = context_of(c);
  test_start();
  return npu_dequantize_s8_f32(&context, table, c->output.bytes / 4, c->inputs[0].data, c->output.data);
}

static npu_status run_dequantize_s16_f32(const test_case *c) {
  const npu_context context = context_of(c);
  return npu_dequantize_s16_f32(&context, float_of(c->params[0]), c->params[1], c->output.bytes / 4,
                                c->inputs[0].data, c->output.data);
}

static npu_status run_requantize(const test_case *c) {
  const int32_t *p = c->params;
  const npu_requantize_params params = {(npu_integer)p[0], (npu_integer)p[1], p[2], p[3], p[4], p[5]};
  const uint32_t bytes = p[1] == NPU_S32 ? 4 : p[1] == NPU_S16 ? 2 : 1;
  const npu_context context = context_of(c);
  return npu_requantize(&context, &params, c->output.bytes / bytes, c->inputs[0].data, c->output.data);
}

const test_operator test_operators[] = {{"quantize_f32_s8", run_quantize_f32_s8},
                                        {"quantize_f32_s16", run_quantize_f32_s16},
                                        {"dequantize_s8_f32", run_dequantize_s8_f32},
                                        {"dequantize_s16_f32", run_dequantize_s16_f32},
                                        {"requantize", run_requantize},
                                        {0, 0}};
