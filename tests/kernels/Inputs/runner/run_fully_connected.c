// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fully connected layers; parameters and tensors as in golden/fully_connected_cases.py.

#include "runner.h"

#include <npu/conv.h>

// Without an operator of its own: a pointwise convolution of one pixel a batch.
static npu_status run_fully_connected_s8(const test_case *c) {
  const int32_t *p = c->params;
  const npu_conv_params params = {.stride = {1, 1},
                                  .dilation = {1, 1},
                                  .input_offset = p[3],
                                  .output_offset = p[4],
                                  .activation_min = p[5],
                                  .activation_max = p[6]};
  const npu_dims input = {1, 1, p[0], p[1]}, filter = {p[2], 1, 1, p[1]}, output = {1, 1, p[0], p[2]};
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  void *packed = test_memory(npu_conv_s8_get_packed_size(&filter, &params));
  const npu_status status =
      npu_conv_s8_pack(&params, &quant, &filter, test_data(c, 1), test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context =
      test_context(c, npu_conv_s8_get_buffer_size(&params, &input, &filter, &output));
  test_start();
  return npu_conv_s8(&context, &params, &input, test_data(c, 0), &filter, packed, &output, c->output.data);
}

const test_operator test_operators[] = {{"fully_connected_s8", run_fully_connected_s8}, {0, 0}};
