// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax; parameters and tensors as in golden/softmax_cases.py.

#include "runner.h"

#include <npu/softmax.h>

// Makes the table and the scratch buffer; a small one or a large one by turns.
static npu_status prepare(const test_case *c, int32_t output_bytes, void **table, npu_context *context) {
  const npu_softmax_params params = {c->params[0], c->params[1], c->params[2]};
  const npu_dims dims = test_dims(&c->output);
  *table = test_memory(NPU_SOFTMAX_TABLE_BYTES);
  const uint32_t smallest = npu_softmax_s8_get_buffer_size(dims.c, output_bytes);
  *context = test_context(c, dims.c % 2 != 0 ? smallest : 2 * smallest + 8192);
  return npu_softmax_s8_table(&params, *table);
}

static npu_status run_softmax_s8(const test_case *c) {
  const npu_dims dims = test_dims(&c->output);
  void *table;
  npu_context context;
  const npu_status made = prepare(c, 1, &table, &context);
  if (made != NPU_OK)
    return made;
  test_start();
  return npu_softmax_s8(&context, table, dims.n * dims.h * dims.w, dims.c, c->inputs[0].data,
                        c->output.data);
}

static npu_status run_softmax_s8_s16(const test_case *c) {
  const npu_dims dims = test_dims(&c->output);
  void *table;
  npu_context context;
  const npu_status made = prepare(c, 2, &table, &context);
  if (made != NPU_OK)
    return made;
  test_start();
  return npu_softmax_s8_s16(&context, table, dims.n * dims.h * dims.w, dims.c, c->inputs[0].data,
                            c->output.data);
}

const test_operator test_operators[] = {
    {"softmax_s8", run_softmax_s8}, {"softmax_s8_s16", run_softmax_s8_s16}, {0, 0}};
