// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fully connected layers; parameters and tensors as in golden/fully_connected_cases.py.

#include "runner.h"

#include <npu/fully_connected.h>

typedef struct layer {
  npu_fc_params params;
  npu_dims input, filter;
  npu_fc_quant quant;
} layer;

static layer layer_of(const test_case *c) {
  const int32_t *p = c->params;
  const layer l = {.params = {.input_offset = p[3],
                              .output_offset = p[4],
                              .activation_min = p[5],
                              .activation_max = p[6]},
                   .input = {p[0], 1, 1, p[1]},
                   .filter = {p[2], 1, 1, p[1]},
                   .quant = {test_data(c, 3)}};
  return l;
}

static npu_status run_s8(const test_case *c) {
  const layer l = layer_of(c);
  void *packed = test_memory(npu_fully_connected_s8_get_packed_size(&l.filter));
  const npu_status status = npu_fully_connected_s8_pack(&l.params, &l.quant, &l.filter, test_data(c, 1),
                                                        test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context = test_context(c, npu_fully_connected_s8_get_buffer_size(&l.input, &l.filter));
  test_start();
  return npu_fully_connected_s8(&context, &l.params, &l.input, test_data(c, 0), &l.filter, packed, c->output.data);
}

static npu_status run_s4(const test_case *c) {
  const layer l = layer_of(c);
  void *packed = test_memory(npu_fully_connected_s4_get_packed_size(&l.filter));
  const npu_status status = npu_fully_connected_s4_pack(&l.params, &l.quant, &l.filter, test_data(c, 1),
                                                        test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context = test_context(c, npu_fully_connected_s4_get_buffer_size(&l.input, &l.filter));
  test_start();
  return npu_fully_connected_s4(&context, &l.params, &l.input, test_data(c, 0), &l.filter, packed, c->output.data);
}

static npu_status run_s4_block(const test_case *c) {
  const layer l = layer_of(c);
  void *packed = test_memory(npu_fully_connected_s4_block_get_packed_size(&l.filter));
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  const npu_status status = npu_fully_connected_s4_block_pack(&l.params, &quant, test_data(c, 5), &l.filter,
                                                              test_data(c, 1), test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context = test_context(c, npu_fully_connected_s4_block_get_buffer_size(&l.input, &l.filter));
  test_start();
  return npu_fully_connected_s4_block(&context, &l.params, &l.input, test_data(c, 0), &l.filter, packed,
                                      c->output.data);
}

static npu_status run_s16(const test_case *c) {
  const layer l = layer_of(c);
  void *packed = test_memory(npu_fully_connected_s16_get_packed_size(&l.filter));
  const npu_status status = npu_fully_connected_s16_pack(&l.params, &l.quant, &l.filter, test_data(c, 1),
                                                         test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context = test_context(c, npu_fully_connected_s16_get_buffer_size(&l.input, &l.filter));
  test_start();
  return npu_fully_connected_s16(&context, &l.params, &l.input, test_data(c, 0), &l.filter, packed,
                                 c->output.data);
}

const test_operator test_operators[] = {{"fully_connected_s8", run_s8},
                                        {"fully_connected_s4", run_s4},
                                        {"fully_connected_s4_block", run_s4_block},
                                        {"fully_connected_s16", run_s16},
                                        {0, 0}};
