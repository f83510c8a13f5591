// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions whose output the core works on while the array goes on (npu/fused.h).

#ifndef NPU_SRC_CONV_BESIDE_H
#define NPU_SRC_CONV_BESIDE_H

#include "npu/conv_engine.h"

// The problem of npu_conv_s8 (8) or npu_conv_s4 (4): where its operands lie; scratch_bytes is the
// caller's. NPU_ERROR_ARGUMENT if a value is out of its range. output: null if it is to be in DRAM.
npu_status npu_conv_problem_of(npu_conv_problem *problem, const npu_conv_params *params,
                               const npu_dims *input_dims, const int8_t *input,
                               const npu_dims *filter_dims, const void *packed,
                               const npu_dims *output_dims, const int8_t *output,
                               int32_t weight_bits);

// npu_conv_begin, and the segments, beside the first load where that does not need them.
void npu_conv_start(const npu_conv_plan *plan, const npu_conv_problem *problem,
                    npu_conv_segment *segments, void *scratch, const int8_t *input,
                    const void *packed, npu_conv_begun *begun);

// npu_conv_run with an epilogue.
npu_status npu_conv_run_with(const npu_conv_plan *plan, const npu_conv_problem *problem,
                             const npu_context *context, const int8_t *input, const void *packed,
                             int8_t *output, npu_conv_epilogue *epilogue);

// Cuts the tiles of a plan smaller where that pays: what the core does for the last item, about
// epilogue_cycles / items, has no array operation to hide behind.
void npu_conv_split_items(npu_conv_plan *plan, const npu_conv_problem *problem,
                          uint32_t epilogue_cycles);

#endif // NPU_SRC_CONV_BESIDE_H
