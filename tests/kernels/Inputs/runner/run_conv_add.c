// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions with an addition behind them; parameters and tensors as in golden/fused_cases.py.

#include "fused.h"

static npu_status run_add(const test_case *c) {
  const npu_dims input = test_dims(&c->inputs[0]), filter = test_dims(&c->inputs[1]), output = test_dims(&c->output);
  const npu_conv_params params = conv_params(c->params, input.c / filter.c);
  const npu_add_params add = add_params(c->params + CONV_PARAMS);
  const void *packed = pack(c, &params, &filter);
  const npu_context context =
      test_context(c, npu_conv_add_s8_get_buffer_size(&params, &input, &filter, &output));
  test_start();
  return packed == 0 ? NPU_ERROR_ARGUMENT
                     : npu_conv_add_s8(&context, &params, &input, test_data(c, 0), &filter, packed, &add,
                                       test_data(c, RESIDUAL), &output, c->output.data);
}

const test_operator test_operators[] = {{"conv_add_s8", run_add}, {0, 0}};
