// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposed convolutions; parameters and tensors as in golden/transpose_conv_cases.py.

#include "runner.h"

#include <npu/transpose_conv.h>

static npu_status run_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_transpose_conv_params params = {.stride = {p[0], p[1]},
                                            .padding = {p[2], p[3]},
                                            .input_offset = p[4],
                                            .output_offset = p[5],
                                            .activation_min = p[6],
                                            .activation_max = p[7]};
  const npu_dims input = test_dims(&c->inputs[0]), filter = test_dims(&c->inputs[1]),
                 output = test_dims(&c->output);
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  void *packed = test_memory(npu_transpose_conv_s8_get_packed_size(&params, &filter));
  const npu_status status =
      npu_transpose_conv_s8_pack(&params, &quant, &filter, test_data(c, 1), test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context =
      test_context(c, npu_transpose_conv_s8_get_buffer_size(&params, &input, &filter, &output));
  test_start();
  return npu_transpose_conv_s8(&context, &params, &input, test_data(c, 0), &filter, packed, &output,
                               c->output.data);
}

const test_operator test_operators[] = {{"transpose_conv_s8", run_s8}, {0, 0}};
