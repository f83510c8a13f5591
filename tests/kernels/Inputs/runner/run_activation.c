// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations; parameters and tensors as in golden/activation_cases.py.

#include "runner.h"

#include <npu/activation.h>

#include <string.h>

static npu_status apply(const test_case *c, npu_status made, const int8_t *table) {
  if (made != NPU_OK)
    return made;
  const uint32_t size = c->output.bytes, smallest = npu_activation_s8_get_buffer_size();
  const npu_context context = test_context(c, size % 2 != 0 ? smallest : 8192);
  test_start();
  return npu_activation_s8(&context, table, size, c->inputs[0].data, c->output.data);
}

static npu_status run_relu_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_relu_params params = {p[0], p[1], p[2], p[3], p[4], p[5]};
  int8_t table[NPU_ACTIVATION_TABLE_BYTES];
  return apply(c, npu_relu_s8_table(&params, table), table);
}

static npu_status run_leaky_relu_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_leaky_relu_params params = {p[0], p[1], p[2], p[3], p[4], p[5]};
  int8_t table[NPU_ACTIVATION_TABLE_BYTES];
  return apply(c, npu_leaky_relu_s8_table(&params, table), table);
}

static npu_status run_hard_swish_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_hard_swish_params params = {p[0], p[1], p[2], p[3], p[4], p[5]};
  int8_t table[NPU_ACTIVATION_TABLE_BYTES];
  return apply(c, npu_hard_swish_s8_table(&params, table), table);
}

static float float_of(int32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static npu_status run_logistic_s8(const test_case *c) {
  const int32_t *p = c->params;
  int8_t table[NPU_ACTIVATION_TABLE_BYTES];
  return apply(c, npu_logistic_s8_table(float_of(p[0]), p[1], float_of(p[2]), p[3], table), table);
}

static npu_status run_tanh_s8(const test_case *c) {
  const int32_t *p = c->params;
  int8_t table[NPU_ACTIVATION_TABLE_BYTES];
  return apply(c, npu_tanh_s8_table(float_of(p[0]), p[1], float_of(p[2]), p[3], table), table);
}

const test_operator test_operators[] = {{"relu_s8", run_relu_s8},
                                        {"leaky_relu_s8", run_leaky_relu_s8},
                                        {"hard_swish_s8", run_hard_swish_s8},
                                        {"logistic_s8", run_logistic_s8},
                                        {"tanh_s8", run_tanh_s8},
                                        {0, 0}};
