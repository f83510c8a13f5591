// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 matrix multiplication:
//
//   out[i, j] = clamp(requantize(bias[j] + sum over k of lhs[i, k] * rhs[k, j]) + output_offset)
//
// with the requantization of npu/conv.h for each column j.

#ifndef NPU_MATMUL_H
#define NPU_MATMUL_H

#include "conv_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

// out is [m, n], lhs [m, k], rhs [k, n]; each 1..65535.
typedef struct npu_matmul_dims {
  int32_t m, k, n;
} npu_matmul_dims;

// Strides are the bytes from a row to the next, at least k and n; 0 means dense. The array fetches
// one row a cycle when the 16 bytes of successive rows lie in different banks: a stride that is an
// odd multiple of 16 is best, a multiple of 64 worst.
typedef struct npu_matmul_params {
  int32_t lhs_stride, out_stride;
  int32_t output_offset;                  // -128..127
  int32_t activation_min, activation_max; // -128..127
} npu_matmul_params;

// Bytes of the packed form of rhs, bias and quantization; 0 if a value is out of range or they are
// 2^31 and more.
uint32_t npu_matmul_s8_get_packed_size(const npu_matmul_dims *dims);

// Packs rhs [k, n], bias [n] (may be null: zeros) and quantization of the columns, in the layout of
// npu_conv_s8_pack. Plain C that may run on the host as well. A zero point of lhs is the caller's
// to fold into the bias.
npu_status npu_matmul_s8_pack(const npu_matmul_dims *dims, const npu_per_channel_quant *quant,
                              const int8_t *rhs, const int32_t *bias, void *packed);

// Issues the product and returns while the matrix unit still works on it; *ticket, for npu_wait, is
// that of its last operation. lhs [m, k], packed (4-byte aligned) and out [m, n] lie in TCM and
// stay unchanged until then. Products issued one behind the other leave the array no gap.
// Overwrites the NPU CSRs.
npu_status npu_matmul_s8_start(const npu_matmul_params *params, const npu_matmul_dims *dims,
                               const int8_t *lhs, const void *packed, int8_t *out,
                               uint32_t *ticket);

// The same, and waits until out is written. Clears the matrix unit's error bits of nstatus at the
// start and reports them at the end.
npu_status npu_matmul_s8(const npu_matmul_params *params, const npu_matmul_dims *dims,
                         const int8_t *lhs, const void *packed, int8_t *out);

// The same product with operands anywhere: lhs and packed stream from DRAM through the scratch
// buffer of the context (what lies in TCM is used there), out goes back in tiles. lhs [m, k] and
// out [m, n] are dense: the strides of the params are 0. k up to 32767. NPU_ERROR_BUFFER if the
// scratch buffer is too small for one row of lhs and the weights of a step.
npu_status npu_matmul_s8_dram(const npu_context *context, const npu_matmul_params *params,
                              const npu_matmul_dims *dims, const int8_t *lhs, const void *packed,
                              int8_t *out);

// The product as a convolution with a window of one pixel, for npu_conv_plan_make and npu_conv_run.
npu_conv_problem npu_matmul_s8_problem(const npu_matmul_params *params, const npu_matmul_dims *dims,
                                       uint32_t scratch_bytes);

#ifdef __cplusplus
}
#endif

#endif // NPU_MATMUL_H
