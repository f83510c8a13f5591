// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operators; parameters and tensors as in golden/elementwise_cases.py.

#include "params.h"
#include "runner.h"

#include <npu/elementwise.h>

// Smallest scratch buffers and large ones by turns.
static npu_context context_of(const test_case *c, const npu_dims *a, const npu_dims *b, const npu_dims *out) {
  const uint32_t smallest = npu_elementwise_s8_get_buffer_size(a, b, out);
  return test_context(c, out->c % 2 != 0 ? smallest : 16384);
}

#define RUN(operator, ...)                                                                         \
  const npu_dims a = test_dims(&c->inputs[0]), b = test_dims(&c->inputs[1]),                       \
                 out = test_dims(&c->output);                                                      \
  const npu_context context = context_of(c, &a, &b, &out);                                         \
  test_start();                                                                                    \
  return operator(&context, __VA_ARGS__ &a, c->inputs[0].data, &b, c->inputs[1].data, &out, c->output.data)

static npu_status run_add_s8(const test_case *c) {
  const npu_add_params params = add_params(c->params);
  RUN(npu_add_s8, &params, );
}

static npu_status run_sub_s8(const test_case *c) {
  const npu_add_params params = add_params(c->params);
  RUN(npu_sub_s8, &params, );
}

static npu_status run_mul_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_mul_params params = {.input1_offset = p[0],
                                 .input2_offset = p[1],
                                 .output_offset = p[2],
                                 .output_multiplier = p[3],
                                 .output_shift = p[4],
                                 .activation_min = p[5],
                                 .activation_max = p[6]};
  RUN(npu_mul_s8, &params, );
}

static npu_status run_minimum_s8(const test_case *c) { RUN(npu_minimum_s8, ); }
static npu_status run_maximum_s8(const test_case *c) { RUN(npu_maximum_s8, ); }

const test_operator test_operators[] = {{"add_s8", run_add_s8},
                                        {"sub_s8", run_sub_s8},
                                        {"mul_s8", run_mul_s8},
                                        {"minimum_s8", run_minimum_s8},
                                        {"maximum_s8", run_maximum_s8},
                                        {0, 0}};
