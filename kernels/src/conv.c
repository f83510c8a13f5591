// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 activations, int8 or int4 weights: convolution on the matrix unit (npu/conv.h). The work is
// that of npu/conv_engine.h with a plan made at run time.

#include "npu/conv.h"

#include "conv_beside.h"
#include "conv_steps.h"
#include "npu/generated.h"

// A plan in work.
typedef struct work {
  const npu_conv_plan *plan;
  npu_conv_segment *segments;
  void *scratch;
  const int8_t *input;
  const void *packed;
  int8_t *output;
  npu_conv_begun *begun;
} work;

// A copy of the engine; what `local` has as constants is left out of it.
static inline __attribute__((always_inline)) npu_status execute(const npu_conv_plan *local,
                                                                work *w) {
  return npu_conv_execute_with(local, w->plan, w->begun, w->segments, w->scratch, w->input,
                               w->packed, w->output, 0);
}

// The usual plans have one group and operands in DRAM, and are not weight-stationary. They get
// copies of the engine, one for whole windows and one for chunks, so that the core is sooner at the
// next item.
npu_status npu_conv_run(const npu_conv_plan *plan, const npu_conv_problem *problem,
                        const npu_context *context, const int8_t *input, const void *packed,
                        int8_t *output) {
  if (!npu_conv_scratch_ok(plan, context))
    return NPU_ERROR_BUFFER;
  npu_conv_begun begun;
  work w = {.plan = plan,
            .segments = (npu_conv_segment *)((uint8_t *)context->buffer + plan->segments_at),
            .scratch = context->buffer,
            .input = input,
            .packed = packed,
            .output = output,
            .begun = &begun};
  npu_conv_start(plan, problem, w.segments, w.scratch, input, packed, &begun);
  npu_conv_plan local = *plan;
  if (plan->group_blocks == plan->blocks && !plan->choice.weight_stationary &&
      (plan->placement & ~(uint32_t)NPU_CONV_WEIGHTS_TCM) == 0) {
    local.group_blocks = local.blocks;
    local.choice.weight_stationary = 0;
    local.placement &= NPU_CONV_WEIGHTS_TCM;
    if (plan->chunks == 1) {
      local.chunks = 1;
      return execute(&local, &w);
    }
    if (plan->placement == 0 && !plan->choice.resident) {
      local.placement = 0;
      local.choice.resident = 0;
      local.choice.slice_blocks = local.parts = 1;
      return execute(&local, &w);
    }
  }
  return execute(&local, &w);
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
  status = npu_conv_plan_search(&plan, &problem);
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
