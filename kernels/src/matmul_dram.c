// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 matrix multiplication from and to DRAM (npu/matmul.h): a convolution whose pixels are the
// rows of lhs.

#include "npu/conv.h"
#include "npu/matmul.h"

npu_conv_problem npu_matmul_s8_problem(const npu_matmul_params *params, const npu_matmul_dims *dims,
                                       uint32_t scratch_bytes) {
  // Rows as the pixels of a picture: down its columns they come from different banks.
  int32_t w = 16;
  while (dims->m % w != 0)
    w /= 2;
  const int32_t h = dims->m / w;
  return (npu_conv_problem){.input = {1, h, w, dims->k},
                            .filter = {dims->n, 1, 1, dims->k},
                            .output = {1, h, w, dims->n},
                            .params = {.stride = {1, 1},
                                       .dilation = {1, 1},
                                       .output_offset = params->output_offset,
                                       .activation_min = params->activation_min,
                                       .activation_max = params->activation_max},
                            .weight_bits = 8,
                            .scratch_bytes = scratch_bytes};
}

npu_status npu_matmul_s8_dram(const npu_context *context, const npu_matmul_params *params,
                              const npu_matmul_dims *dims, const int8_t *lhs, const void *packed,
                              int8_t *out) {
  if (params->lhs_stride != 0 || params->out_stride != 0)
    return NPU_ERROR_ARGUMENT;
  const npu_conv_problem problem = npu_matmul_s8_problem(params, dims, context->size);
  return npu_conv_s8(context, &problem.params, &problem.input, lhs, &problem.filter, packed,
                     &problem.output, out);
}
