// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batched int8 matrix multiplication of two activations, bit-exact with TFLite's reference kernel
// (reference_ops::BatchMatMul):
//
//   acc[b, i, j] = sum over k of (lhs[b, i, k] + lhs_offset) * (rhs[b, k, j] + rhs_offset)
//   out[b, i, j] = clamp(requantize(acc, multiplier, shift) + output_offset)
//
// with the requantization of npu/conv.h. An adjoint operand lies transposed in memory: lhs as [k,
// m], rhs as [n, k].

#ifndef NPU_BATCH_MATMUL_H
#define NPU_BATCH_MATMUL_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct npu_bmm_params {
  int32_t adj_x, adj_y;           // lhs, rhs is adjoint
  int32_t lhs_offset, rhs_offset; // minus the zero points, -127..128
  int32_t output_offset;          // the output's zero point, -128..127
  // Of the scales' product in float by the output's in double, as TFLite makes it; shift -31..31.
  int32_t multiplier, shift;
  int32_t activation_min, activation_max; // clamp of the output, -128..127
} npu_bmm_params;

// Smallest scratch buffer, in bytes; 0 if a shape is out of range. More memory makes larger pieces.
// The product's k, 1..65535, needs 48 bytes each.
//   lhs_dims  n, h: batches; w, c: rows and columns in memory; and so on. n and h of lhs and rhs
//   are equal, or 1 where
//             one matrix serves all batches of that dimension; the output has the larger ones.
uint32_t npu_batch_matmul_s8_get_buffer_size(const npu_bmm_params *params, const npu_dims *lhs_dims,
                                             const npu_dims *rhs_dims, const npu_dims *output_dims);

// Runs it. lhs, rhs and output lie in TCM or DRAM; a lhs in TCM that is not adjoint and an output
// in TCM are used in place. Uses both DMA channels, the matrix and the vector unit, and overwrites
// the NPU CSRs and the error bits of nstatus.
npu_status npu_batch_matmul_s8(const npu_context *context, const npu_bmm_params *params,
                               const npu_dims *lhs_dims, const int8_t *lhs,
                               const npu_dims *rhs_dims, const int8_t *rhs,
                               const npu_dims *output_dims, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_BATCH_MATMUL_H
