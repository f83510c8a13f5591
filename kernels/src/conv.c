// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 activations, int8 or int4 weights: convolution on the matrix unit (npu/conv.h). The work is that of
// npu/conv_engine.h with a plan made at run time.

#include "npu/conv.h"

#include "conv_steps.h"
#include "npu/conv_engine.h"
#include "npu/generated.h"

static int in_scratchpad(const void *at, uint32_t bytes) {
  const uint32_t offset = (uint32_t)at - NPU_TCM_BASE, size = npu_csr_read(NPU_CSR_NTCMSIZE);
  return offset < size && bytes <= size - offset;
}

npu_status npu_conv_run(const npu_conv_plan *plan, const npu_conv_problem *problem,
                        const npu_context *context, const int8_t *input, const void *packed,
                        int8_t *output) {
  if (!npu_conv_scratch_ok(plan, context))
    return NPU_ERROR_BUFFER;
  npu_conv_segment *const segments =
      (npu_conv_segment *)((uint8_t *)context->buffer + plan->segments_at);
  npu_conv_write_segments(problem, plan, segments);
  npu_conv_plan local = *plan;
  // Small layers, whose runs are short, get a copy of the engine of their own: one slice of weights that stays,
  // from and to DRAM.
  if (plan->slices == 1 && plan->chunks == 1 && plan->group_blocks == plan->blocks &&
      plan->placement == 0 && !plan->choice.single_input) {
    local.slices = local.chunks = 1;
    local.placement = 0;
    local.choice.single_input = local.choice.weight_stationary = 0;
    local.choice.resident = 1;
    local.group_blocks = local.blocks;
    return npu_conv_execute(&local, plan, segments, context->buffer, input, packed, output);
  }
  return npu_conv_execute(&local, plan, segments, context->buffer, input, packed, output);
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

// The smallest: one pixel in one buffer and one block, its weights whole or one segment of the window.
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

static npu_status run(const npu_context *context, const npu_conv_params *params,
                      const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                      const void *packed, const npu_dims *output_dims, int8_t *output,
                      int32_t weight_bits) {
  npu_conv_problem problem = problem_of(params, input_dims, filter_dims, output_dims, weight_bits);
  if (params->groups == 0)
    problem.params.groups = 1;
  if (npu_conv_check(&problem) != NPU_OK)
    return NPU_ERROR_ARGUMENT;
  const uint32_t input_bytes =
      (uint32_t)(input_dims->n * input_dims->h * input_dims->w * input_dims->c);
  const uint32_t output_bytes =
      (uint32_t)(output_dims->n * output_dims->h * output_dims->w * output_dims->c);
  problem.scratch_bytes = context->size;
  problem.placement =
      (in_scratchpad(input, input_bytes) ? NPU_CONV_INPUT_TCM : 0) |
      (in_scratchpad(output, output_bytes) ? NPU_CONV_OUTPUT_TCM : 0) |
      (in_scratchpad(packed, npu_conv_packed_size(&problem)) && ((uint32_t)packed & 3) == 0
           ? NPU_CONV_WEIGHTS_TCM
           : 0);
  const npu_generated_conv *const generated = npu_find_generated_conv(&problem);
  if (generated != 0)
    return generated->run(context, input, packed, output);
  npu_conv_plan plan;
  const npu_status status = npu_conv_plan_make(&plan, &problem);
  return status != NPU_OK ? status
                          : npu_conv_run(&plan, &problem, context, input, packed, output);
}

uint32_t npu_conv_s8_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims) {
  const npu_conv_problem problem = problem_of(params, input_dims, filter_dims, output_dims, 8);
  return buffer_size(&problem);
}

npu_status npu_conv_s8(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, packed, output_dims, output, 8);
}

uint32_t npu_conv_s4_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims) {
  const npu_conv_problem problem = problem_of(params, input_dims, filter_dims, output_dims, 4);
  return buffer_size(&problem);
}

npu_status npu_conv_s4(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, packed, output_dims, output, 4);
}
