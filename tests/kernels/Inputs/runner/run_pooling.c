// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling; parameters and tensors as in golden/pooling_cases.py.

#include "params.h"
#include "runner.h"

#include <npu/pooling.h>

enum { MAX = 1, WIDE = 2 };

static npu_status run(const test_case *c, int kind) {
  const int32_t *p = c->params;
  const npu_pool_params params = pool_params(p);
  const npu_dims input = test_dims(&c->inputs[0]), filter = {1, p[0], p[1], 1}, output = test_dims(&c->output);
  const void *const from = test_data(c, 0);
  void *const to = c->output.data;
  const npu_context context =
      test_context(c, (kind & WIDE) != 0 ? npu_pool_s16_get_buffer_size(&params, &input, &filter, &output)
                                         : npu_pool_s8_get_buffer_size(&params, &input, &filter, &output));
  test_start();
  switch (kind) {
  case 0:
    return npu_avg_pool_s8(&context, &params, &input, from, &filter, &output, to);
  case MAX:
    return npu_max_pool_s8(&context, &params, &input, from, &filter, &output, to);
  case WIDE:
    return npu_avg_pool_s16(&context, &params, &input, from, &filter, &output, to);
  default:
    return npu_max_pool_s16(&context, &params, &input, from, &filter, &output, to);
  }
}

static npu_status run_avg_s8(const test_case *c) { return run(c, 0); }
static npu_status run_max_s8(const test_case *c) { return run(c, MAX); }
static npu_status run_avg_s16(const test_case *c) { return run(c, WIDE); }
static npu_status run_max_s16(const test_case *c) { return run(c, MAX | WIDE); }

const test_operator test_operators[] = {{"avg_pool_s8", run_avg_s8},
                                        {"max_pool_s8", run_max_s8},
                                        {"avg_pool_s16", run_avg_s16},
                                        {"max_pool_s16", run_max_s16},
                                        {0, 0}};
