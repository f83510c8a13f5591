// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 activations, int8 or int4 weights: convolution on the matrix unit (npu/conv.h). The work is
// that of npu/conv_engine.h with a plan made at run time.

#include "npu/conv.h"

#include "conv_beside.h"
#include "npu/generated.h"

npu_status npu_conv_run(const npu_conv_plan *plan, const npu_conv_problem *problem,
                        const npu_context *context, const int8_t *input, const void *packed,
                        int8_t *output) {
  if (!npu_conv_scratch_ok(plan, context))
    return NPU_ERROR_BUFFER;
  npu_conv_segment *const segments =
      (npu_conv_segment *)((uint8_t *)context->buffer + plan->segments_at);
  npu_conv_write_segments(problem, plan, segments);
  npu_conv_plan local = *plan;
  // Small layers, whose runs are short, get a copy of the engine of their own: one slice of weights
  // that stays, input and output in DRAM.
  if (plan->slices == 1 && plan->chunks == 1 && plan->group_blocks == plan->blocks &&
      (plan->placement & ~(uint32_t)NPU_CONV_WEIGHTS_TCM) == 0 && !plan->choice.single_input) {
    local.slices = local.chunks = 1;
    local.placement &= NPU_CONV_WEIGHTS_TCM;
    local.choice.single_input = local.choice.weight_stationary = 0;
    local.choice.resident = 1;
    local.group_blocks = local.blocks;
    return npu_conv_execute(&local, plan, segments, context->buffer, input, packed, output);
  }
  return npu_conv_execute(&local, plan, segments, context->buffer, input, packed, output);
}

static npu_status run(const npu_context *context, const npu_conv_params *params,
                      const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                      const void *packed, const npu_dims *output_dims, int8_t *output,
                      int32_t weight_bits) {
  npu_conv_problem problem;
  npu_status status = npu_conv_problem_of(&problem, params, input_dims, input, filter_dims, packed,
                                          output_dims, output, weight_bits);
  if (status != NPU_OK)
    return status;
  problem.scratch_bytes = context->size;
  const npu_generated_conv *const generated = npu_find_generated_conv(&problem);
  if (generated != 0)
    return generated->run(context, input, packed, output);
  npu_conv_plan plan;
  status = npu_conv_plan_make(&plan, &problem);
  return status != NPU_OK ? status : npu_conv_run(&plan, &problem, context, input, packed, output);
}

npu_status npu_conv_s8(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, packed, output_dims, output, 8);
}

npu_status npu_conv_s4(const npu_context *context, const npu_conv_params *params,
                       const npu_dims *input_dims, const int8_t *input, const npu_dims *filter_dims,
                       const void *packed, const npu_dims *output_dims, int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, packed, output_dims, output, 4);
}
