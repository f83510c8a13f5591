// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions; parameters and tensors as in golden/reduce_cases.py.

#include "runner.h"

#include <npu/reduce.h>

static npu_status run_mean_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_reduce_params params = {p[0], p[1], p[2], p[3], {p[4], p[5], p[6], p[7]}};
  const npu_dims dims = test_dims(&c->inputs[0]);
  const uint32_t smallest = npu_reduce_s8_get_buffer_size(&params, &dims);
  const npu_context context = test_context(c, dims.w % 2 != 0 ? smallest : smallest + 8192);
  test_start();
  return npu_mean_s8(&context, &params, &dims, c->inputs[0].data, c->output.data);
}

#define RUN_ARG(operator)                                                                          \
  const npu_arg_dims dims = {c->params[0], c->params[1], c->params[2]};                            \
  const uint32_t smallest = npu_arg_s8_get_buffer_size(&dims);                                     \
  const npu_context context = test_context(c, dims.inner % 2 != 0 ? smallest : smallest + 8192);   \
  test_start();                                                                                    \
  return operator(&context, &dims, c->inputs[0].data, c->output.data)

static npu_status run_argmax_s8(const test_case *c) { RUN_ARG(npu_argmax_s8); }
static npu_status run_argmin_s8(const test_case *c) { RUN_ARG(npu_argmin_s8); }

const test_operator test_operators[] = {{"mean_s8", run_mean_s8},
                                        {"argmax_s8", run_argmax_s8},
                                        {"argmin_s8", run_argmin_s8},
                                        {0, 0}};
