// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of int16 activations; parameters and tensors as in golden/conv_cases.py and depthwise_conv_cases.py.

#include "params.h"
#include "runner.h"

#include <npu/conv_s16.h>

static npu_status run_conv(const test_case *c) {
  const npu_conv_params params = conv_params(c->params, 0);
  const npu_dims input = test_dims(&c->inputs[0]), filter = test_dims(&c->inputs[1]),
                 output = test_dims(&c->output);
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  void *packed = test_memory(npu_conv_s16_get_packed_size(&filter, &params));
  const npu_status status =
      npu_conv_s16_pack(&params, &quant, &filter, test_data(c, 1), test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context = test_context(c, npu_conv_s16_get_buffer_size(&params, &input, &filter, &output));
  test_start();
  return npu_conv_s16(&context, &params, &input, test_data(c, 0), &filter, packed, &output, c->output.data);
}

static npu_status run_depthwise_conv(const test_case *c) {
  const npu_dw_conv_params params = dw_conv_params(c->params);
  const npu_dims input = test_dims(&c->inputs[0]), filter = test_dims(&c->inputs[1]),
                 output = test_dims(&c->output);
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  void *packed = test_memory(npu_depthwise_conv_s16_get_packed_size(&params, &filter));
  const npu_status status =
      npu_depthwise_conv_s16_pack(&params, &quant, &filter, test_data(c, 1), test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context =
      test_context(c, npu_depthwise_conv_s16_get_buffer_size(&params, &input, &filter, &output));
  test_start();
  return npu_depthwise_conv_s16(&context, &params, &input, test_data(c, 0), &filter, packed, &output,
                                c->output.data);
}

const test_operator test_operators[] = {
    {"conv_s16", run_conv}, {"depthwise_conv_s16", run_depthwise_conv}, {0, 0}};
