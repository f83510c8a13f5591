// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conv_beside.h"

npu_status npu_conv_run_with(const npu_conv_plan *plan, const npu_conv_problem *problem,
                             const npu_context *context, const int8_t *input, const void *packed,
                             int8_t *output, npu_conv_epilogue *epilogue) {
  if (!npu_conv_scratch_ok(plan, context))
    return NPU_ERROR_BUFFER;
  npu_conv_segment *const segments =
      (npu_conv_segment *)((uint8_t *)context->buffer + plan->segments_at);
  npu_conv_begun begun;
  npu_conv_start(plan, problem, segments, context->buffer, input, packed, &begun);
  const npu_conv_plan local = *plan;
  return npu_conv_execute_with(&local, plan, &begun, segments, context->buffer, input, packed,
                               output, epilogue);
}

static uint32_t expected(const npu_conv_plan *plan, uint32_t epilogue_cycles) {
  return plan->cycles + epilogue_cycles / (uint32_t)(plan->tiles * plan->slices);
}

void npu_conv_split_items(npu_conv_plan *plan, const npu_conv_problem *problem,
                          uint32_t epilogue_cycles) {
  enum { ITEMS = 8 };
  const int32_t parts = ITEMS / (plan->tiles * plan->slices);
  if (parts < 2 || plan->choice.tile_h < 2)
    return;
  npu_conv_choice choice = plan->choice;
  choice.tile_h = choice.first_h = (choice.tile_h + parts - 1) / parts;
  npu_conv_plan split;
  if (npu_conv_plan_fill(&split, problem, &choice) == NPU_OK &&
      expected(&split, epilogue_cycles) < expected(plan, epilogue_cycles))
    *plan = split;
}
