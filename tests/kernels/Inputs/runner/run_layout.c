// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that move elements; parameters and tensors as in golden/layout_cases.py.

#include "runner.h"

#include <npu/layout.h>

static npu_dims dims_of(const int32_t *p) {
  const npu_dims dims = {p[0], p[1], p[2], p[3]};
  return dims;
}

static npu_status run_pad_s8(const test_case *c) {
  const npu_dims input = test_dims(&c->inputs[0]), before = dims_of(c->params),
                 after = dims_of(c->params + 4);
  return npu_pad_s8(&input, &before, &after, (int8_t)c->params[8], c->inputs[0].data, c->output.data);
}

static npu_status run_concat_s8(const test_case *c) {
  npu_concat_input inputs[16];
  const npu_dims output = test_dims(&c->output);
  for (int32_t i = 0; i < c->input_count; ++i) {
    const npu_dims dims = test_dims(&c->inputs[i]);
    const int32_t extents[] = {dims.n, dims.h, dims.w, dims.c};
    inputs[i] = (npu_concat_input){c->inputs[i].data, extents[c->params[0]]};
  }
  return npu_concat_s8(inputs, c->input_count, c->params[0], &output, c->output.data);
}

static npu_status run_reshape_s8(const test_case *c) {
  return npu_reshape_s8(c->output.bytes, c->inputs[0].data, c->output.data);
}

static npu_status run_transpose_s8(const test_case *c) {
  const npu_dims input = test_dims(&c->inputs[0]);
  const npu_context context = test_context(c, npu_transpose_s8_get_buffer_size());
  return npu_transpose_s8(&context, &input, c->params, c->inputs[0].data, c->output.data);
}

static npu_status run_strided_slice_s8(const test_case *c) {
  const npu_dims input = test_dims(&c->inputs[0]), begin = dims_of(c->params), stride = dims_of(c->params + 4),
                 output = dims_of(c->params + 8);
  return npu_strided_slice_s8(&input, &begin, &stride, &output, c->inputs[0].data, c->output.data);
}

static npu_status run_resize_nearest_s8(const test_case *c) {
  const npu_resize_params params = {c->params[0], c->params[1]};
  const npu_dims input = test_dims(&c->inputs[0]), output = test_dims(&c->output);
  const npu_context context = test_context(c, npu_resize_nearest_s8_get_buffer_size(&output));
  return npu_resize_nearest_s8(&context, &params, &input, c->inputs[0].data, &output, c->output.data);
}

const test_operator test_operators[] = {{"pad_s8", run_pad_s8},
                                        {"concat_s8", run_concat_s8},
                                        {"reshape_s8", run_reshape_s8},
                                        {"transpose_s8", run_transpose_s8},
                                        {"strided_slice_s8", run_strided_slice_s8},
                                        {"resize_nearest_s8", run_resize_nearest_s8},
                                        {0, 0}};
