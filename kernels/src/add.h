// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addition of elementwise_s8.c on flat operands in the scratchpad, for operators that add
// beside other work.

#ifndef NPU_SRC_ADD_H
#define NPU_SRC_ADD_H

#include "broadcast.h"
#include "npu/elementwise.h"

typedef struct npu_add_input {
  int32_t scale;      // of the 16-bit value: 2^6, with the sign of the input if exact 2^5
  int32_t offset;     // of the 16-bit value
  int32_t factor;     // to 32 bits
  int32_t multiplier; // if not exact
  int32_t shift;
} npu_add_input;

typedef struct npu_add_constants {
  npu_add_input a, b;
  int32_t multiplier, shift;
} npu_add_constants;

typedef struct npu_add {
  npu_binary_kernel *kernel;
  npu_add_constants constants;
  int swapped;     // the kernel takes the second input first
  uint32_t oquant; // NPU_CSR_NOQUANT while the kernel runs
} npu_add;

// sign: 1 for a sum, -1 for a difference.
npu_status npu_add_prepare(npu_add *add, const npu_add_params *params, int32_t sign);

// out = input1 +- input2; out may be one of them.
static inline void npu_add_run(const npu_add *add, const int8_t *input1, const int8_t *input2,
                               int8_t *out, uint32_t n) {
  enum { STEP = 64 };
  if (add->swapped)
    add->kernel(&add->constants, out, input2, STEP, input1, STEP, n);
  else
    add->kernel(&add->constants, out, input1, STEP, input2, STEP, n);
}

#endif // NPU_SRC_ADD_H
