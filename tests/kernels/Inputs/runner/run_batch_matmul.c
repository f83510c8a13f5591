// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of two activations; parameters and tensors as in golden/batch_matmul_cases.py.

#include "runner.h"

#include <npu/batch_matmul.h>

static npu_status run_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_bmm_params params = {.adj_x = p[0],
                                 .adj_y = p[1],
                                 .lhs_offset = p[2],
                                 .rhs_offset = p[3],
                                 .output_offset = p[4],
                                 .multiplier = p[5],
                                 .shift = p[6],
                                 .activation_min = p[7],
                                 .activation_max = p[8]};
  const npu_dims lhs = test_dims(&c->inputs[0]), rhs = test_dims(&c->inputs[1]), output = test_dims(&c->output);
  const npu_context context =
      test_context(c, npu_batch_matmul_s8_get_buffer_size(&params, &lhs, &rhs, &output));
  test_start();
  return npu_batch_matmul_s8(&context, &params, &lhs, test_data(c, 0), &rhs, test_data(c, 1), &output,
                             c->output.data);
}

const test_operator test_operators[] = {{"batch_matmul_s8", run_s8}, {0, 0}};
