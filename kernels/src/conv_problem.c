// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions as problems (npu/conv_plan.h): where their operands lie, and the scratch memory that
// they need; how they begin.

#include "conv_beside.h"
#include "conv_steps.h"

static int in_scratchpad(const void *at, uint32_t bytes) {
  const uint32_t offset = (uint32_t)at - NPU_TCM_BASE, size = npu_csr_read(NPU_CSR_NTCMSIZE);
  return offset < size && bytes <= size - offset;
}

static npu_conv_problem problem_of(const npu_conv_params *params, const npu_dims *input_dims,
                                   const npu_dims *filter_dims, const npu_dims *output_dims,
                                   int32_t weight_bits) {
  return (npu_conv_problem){.input = *input_dims,
                            .filter = *filter_dims,
                            .output = *output_dims,
                            .params = *params,
                            .weight_bits = weight_bits,
                            .scratch_bytes = UINT32_MAX};
}

// The smallest: one pixel in one buffer and one block, its weights whole or one segment of the
// window.
static uint32_t buffer_size(const npu_conv_problem *problem) {
  npu_conv_choice least = {
      .tile_h = 1, .tile_w = 1, .first_h = 1, .slice_blocks = 1, .single_input = 1};
  uint32_t bytes = 0;
  if (npu_conv_check(problem) != NPU_OK)
    return 0;
  for (least.chunk_segments = 0; least.chunk_segments < 2; ++least.chunk_segments) {
    npu_conv_plan plan;
    if (npu_conv_plan_fill(&plan, problem, &least) == NPU_OK &&
        (bytes == 0 || plan.scratch_bytes < bytes))
      bytes = plan.scratch_bytes;
  }
  return bytes;
}

npu_status npu_conv_problem_of(npu_conv_problem *problem, const npu_conv_params *params,
                               const npu_dims *input_dims, const int8_t *input,
                               const npu_dims *filter_dims, const void *packed,
                               const npu_dims *output_dims, const int8_t *output,
                               int32_t weight_bits) {
  *problem = problem_of(params, input_dims, filter_dims, output_dims, weight_bits);
  if (params->groups == 0)
    problem->params.groups = 1;
  if (npu_conv_check(problem) != NPU_OK)
    return NPU_ERROR_ARGUMENT;
  const uint32_t input_bytes =
      (uint32_t)(input_dims->n * input_dims->h * input_dims->w * input_dims->c);
  const uint32_t output_bytes =
      (uint32_t)(output_dims->n * output_dims->h * output_dims->w * output_dims->c);
  problem->placement =
      (in_scratchpad(input, input_bytes) ? NPU_CONV_INPUT_TCM : 0) |
      (in_scratchpad(output, output_bytes) ? NPU_CONV_OUTPUT_TCM : 0) |
      (in_scratchpad(packed, npu_conv_packed_bytes(problem)) && ((uint32_t)packed & 3) == 0
           ? NPU_CONV_WEIGHTS_TCM
           : 0);
  return NPU_OK;
}

uint32_t npu_conv_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims) {
  const npu_conv_problem problem = problem_of(params, input_dims, filter_dims, output_dims, 8);
  return buffer_size(&problem);
}

uint32_t npu_conv_s4_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims) {
  const npu_conv_problem problem = problem_of(params, input_dims, filter_dims, output_dims, 4);
  return buffer_size(&problem);
}

void npu_conv_start(const npu_conv_plan *plan, const npu_conv_problem *problem,
                    npu_conv_segment *segments, void *scratch, const int8_t *input,
                    const void *packed, npu_conv_begun *begun) {
  if (plan->chunks > 1) // their bytes follow from the segments
    npu_conv_write_segments(problem, plan, segments);
  npu_conv_begin(plan, plan, segments, scratch, input, packed, begun);
  if (plan->chunks == 1)
    npu_conv_write_segments(problem, plan, segments);
}
