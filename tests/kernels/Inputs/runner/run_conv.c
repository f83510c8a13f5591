// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions; parameters and tensors as in golden/conv_cases.py.

#include "params.h"
#include "runner.h"

#include <npu/conv.h>

// The operator for a kind of weights.
typedef struct variant {
  uint32_t (*packed_size)(const npu_dims *, const npu_conv_params *);
  npu_status (*pack)(const npu_conv_params *, const npu_per_channel_quant *, const npu_dims *,
                     const void *, const int32_t *, void *);
  uint32_t (*buffer_size)(const npu_conv_params *, const npu_dims *, const npu_dims *,
                          const npu_dims *);
  npu_status (*run)(const npu_context *, const npu_conv_params *, const npu_dims *, const int8_t *,
                    const npu_dims *, const void *, const npu_dims *, int8_t *);
} variant;

static npu_status run_conv(const test_case *c, const variant *v) {
  const npu_dims input = test_dims(&c->inputs[0]), filter = test_dims(&c->inputs[1]),
                 output = test_dims(&c->output);
  const npu_conv_params params = conv_params(c->params, input.c / filter.c);
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  void *packed = test_memory(v->packed_size(&filter, &params));
  const npu_status status =
      v->pack(&params, &quant, &filter, test_data(c, 1), test_data(c, 2), packed);
  if (status != NPU_OK)
    return status;
  const npu_context context = test_context(c, v->buffer_size(&params, &input, &filter, &output));
  test_start();
  return v->run(&context, &params, &input, test_data(c, 0), &filter, packed, &output, c->output.data);
}

static npu_status pack_s8(const npu_conv_params *params, const npu_per_channel_quant *quant,
                          const npu_dims *filter, const void *weights, const int32_t *bias,
                          void *packed) {
  return npu_conv_s8_pack(params, quant, filter, weights, bias, packed);
}

static npu_status pack_s4(const npu_conv_params *params, const npu_per_channel_quant *quant,
                          const npu_dims *filter, const void *weights, const int32_t *bias,
                          void *packed) {
  return npu_conv_s4_pack(params, quant, filter, weights, bias, packed);
}

static npu_status run_conv_s8(const test_case *c) {
  static const variant s8 = {npu_conv_s8_get_packed_size, pack_s8, npu_conv_s8_get_buffer_size,
                             npu_conv_s8};
  return run_conv(c, &s8);
}

static npu_status run_conv_s4(const test_case *c) {
  static const variant s4 = {npu_conv_s4_get_packed_size, pack_s4, npu_conv_s4_get_buffer_size,
                             npu_conv_s4};
  return run_conv(c, &s4);
}

const test_operator test_operators[] = {{"conv_s8", run_conv_s8}, {"conv_s4", run_conv_s4}, {0, 0}};
