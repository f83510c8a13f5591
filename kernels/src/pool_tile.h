// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pooling of pooling.c run by run in the scratchpad, for operators that pool beside other work.

#ifndef NPU_SRC_POOL_TILE_H
#define NPU_SRC_POOL_TILE_H

#include "npu/pooling.h"

// Output pixels of a line whose windows are cut by the image's borders in the same way.
typedef struct npu_pool_run {
  const int8_t *in; // first position of the first window that is in the image
  int8_t *out;
  int32_t rows, columns;  // of the window inside the image
  int32_t pixel, line;    // bytes of the input from position to position
  int32_t step, out_step; // from output pixel to output pixel
  int32_t count;          // output pixels
  uint32_t lanes;         // channels
} npu_pool_run;

typedef struct npu_pool_clamp {
  int32_t min, max;
} npu_pool_clamp;

typedef void (*npu_pool_function)(const npu_pool_run *run, npu_pool_clamp clamp);

typedef struct npu_pool_operator {
  npu_pool_function function;
  npu_pool_clamp clamp;
} npu_pool_operator;

// Whether the values of the parameters lie in their ranges and every window over the image.
int npu_pool_valid(const npu_pool_params *params, const npu_dims *input, const npu_dims *filter,
                   const npu_dims *output, int32_t low, int32_t high);

// The function that pools runs, and its clamp.
npu_pool_operator npu_pool_operator_s8(const npu_pool_params *params, int max);

#endif // NPU_SRC_POOL_TILE_H
