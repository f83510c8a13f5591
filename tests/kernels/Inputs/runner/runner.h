// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator's function sees of a golden case (golden/golden.py writes them). A file run_FAMILY.c
// holds the functions of a family and their table:
//
//   static npu_status run_conv_s8(const test_case *c) { ... }
//   const test_operator test_operators[] = {{"conv_s8", run_conv_s8}, {0, 0}};

#ifndef RUNNER_H
#define RUNNER_H

#include <npu/nn_types.h>

#include <stddef.h>
#include <stdint.h>

enum test_type { TEST_INT8, TEST_INT16, TEST_INT32, TEST_UINT8, TEST_FLOAT32, TEST_INT64, TEST_BOOL, TEST_INT4, TEST_FLOAT64 };

enum { TEST_DIMS = 6 };

typedef struct test_tensor {
  int32_t type;
  int32_t rank;
  int32_t dims[TEST_DIMS]; // 1 behind the last
  uint32_t bytes;          // 0: an optional tensor that is left out
  void *data;              // in TCM or DRAM; of the output, where the operator is to write
} test_tensor;

typedef struct test_case {
  const int32_t *params;
  int32_t param_count;
  const test_tensor *inputs;
  int32_t input_count;
  test_tensor output;
  uint32_t scratch; // bytes that the case wants, 0 = the smallest
} test_case;

typedef struct test_operator {
  const char *name;
  npu_status (*run)(const test_case *c);
} test_operator;

// The family's operators; the last one has no name.
extern const test_operator test_operators[];

// Scratch buffer in TCM: as many bytes as the case wants, at least `smallest` (what the operator's
// _get_buffer_size gives). Bytes behind it are watched. The buffer is null if there is not so much.
npu_context test_context(const test_case *c, uint32_t smallest);

// Memory for packed constants, 16-byte aligned, in the place of the operands if it fits there.
void *test_memory(uint32_t bytes);

// The tensor's data, or null where it was left out.
static inline void *test_data(const test_case *c, int32_t input) {
  return input < c->input_count && c->inputs[input].bytes != 0 ? c->inputs[input].data : NULL;
}

// The tensor as [n, h, w, c]: 1 for what it lacks in front.
npu_dims test_dims(const test_tensor *tensor);

// In a function behind what is not part of the operator (packing, for example): cycles are counted from here.
void test_start(void);

#endif // RUNNER_H
