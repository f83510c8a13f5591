// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions with pooling behind them; parameters and tensors as in golden/fused_cases.py.

#include "fused.h"

static npu_status run_pool(const test_case *c, int max) {
  const npu_dims input = test_dims(&c->inputs[0]), filter = test_dims(&c->inputs[1]), output = test_dims(&c->output);
  const npu_conv_params params = conv_params(c->params, input.c / filter.c);
  const int32_t *const p = c->params + CONV_PARAMS;
  const npu_pool_params pool = pool_params(p);
  const npu_dims taps = {1, p[0], p[1], 1}, conv = {input.n, p[POOL_PARAMS], p[POOL_PARAMS + 1], filter.n};
  const void *packed = pack(c, &params, &filter);
  const npu_context context = test_context(
      c, npu_conv_pool_s8_get_buffer_size(&params, &input, &filter, &conv, &pool, &taps, &output));
  test_start();
  return packed == 0 ? NPU_ERROR_ARGUMENT
                     : (max ? npu_conv_max_pool_s8 : npu_conv_avg_pool_s8)(
                           &context, &params, &input, test_data(c, 0), &filter, packed, &conv, &pool, &taps, &output,
                           c->output.data);
}

static npu_status run_max_pool(const test_case *c) { return run_pool(c, 1); }
static npu_status run_avg_pool(const test_case *c) { return run_pool(c, 0); }

const test_operator test_operators[] = {
    {"conv_max_pool_s8", run_max_pool}, {"conv_avg_pool_s8", run_avg_pool}, {0, 0}};
