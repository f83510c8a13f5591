// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An int8 operator of two tensors with broadcasting: cuts the output into flat runs and streams
// them through a kernel.

#ifndef NPU_SRC_BROADCAST_H
#define NPU_SRC_BROADCAST_H

#include "vector_stream.h"

// Computes out[0..n-1]. From one block of 64 elements to the next an input goes on by `step` bytes:
// 64, or 0 for one whose block repeats one value.
typedef void npu_binary_kernel(const void *constants, int8_t *out, const int8_t *a, uint32_t a_step,
                               const int8_t *b, uint32_t b_step, uint32_t n);

uint32_t npu_broadcast_buffer_size(void);

// NPU_ERROR_ARGUMENT if a dimension is below 1, does not fit the output's, or the output has more
// than 2^31 - 1 elements.
npu_status npu_broadcast_run(const npu_context *context, npu_binary_kernel *kernel,
                             const void *constants, const npu_dims *a_dims, const int8_t *a,
                             const npu_dims *b_dims, const int8_t *b, const npu_dims *out_dims,
                             int8_t *out);

#endif // NPU_SRC_BROADCAST_H
