// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Depthwise convolutions; parameters and tensors as in golden/depthwise_conv_cases.py.

#include "params.h"
#include "runner.h"

#include <npu/depthwise_conv.h>

static npu_status run(const test_case *c, int int4) {
  const npu_dw_conv_params params = dw_conv_params(c->params);
  const npu_dims input = test_dims(&c->inputs[0]), filter = test_dims(&c->inputs[1]),
                 output = test_dims(&c->output);
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  void *packed = test_memory(npu_depthwise_conv_s8_get_packed_size(&params, &filter));
  const npu_status status =
      int4 ? npu_depthwise_conv_s4_pack(&params, &quant, &filter, test_data(c, 1), test_data(c, 2), packed)
           : npu_depthwise_conv_s8_pack(&params, &quant, &filter, test_data(c, 1), test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context =
      test_context(c, npu_depthwise_conv_s8_get_buffer_size(&params, &input, &filter, &output));
  test_start();
  return npu_depthwise_conv_s8(&context, &params, &input, test_data(c, 0), &filter, packed, &output,
                               c->output.data);
}

static npu_status run_s8(const test_case *c) { return run(c, 0); }
static npu_status run_s4(const test_case *c) { return run(c, 1); }

const test_operator test_operators[] = {{"depthwise_conv_s8", run_s8}, {"depthwise_conv_s4", run_s4}, {0, 0}};
