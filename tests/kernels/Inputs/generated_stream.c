// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that npu-kgen wrote for a depthwise or fully connected layer against the library's own plan:
// generated_stream.elf SEED. The library has to find it, and all three have to give the same bytes. The test
// defines KIND (dw, fc, or conv for a depthwise layer with a MULTIPLIER above 1), ELEMENT (the type of an
// activation), INPUT_BYTES, OUTPUT_BYTES, FILTER_BYTES, OUTPUTS, and may define DEPTHWISE, BLOCK_SCALES (with
// scales of blocks) and PLACEMENT (NPU_CONV_..._TCM).

#include "layer.h"

#include <npu/conv.h>
#include <npu/generated.h>
#include <npu/placement.h>

#include <stdio.h>
#include <stdlib.h>

enum { NEAR = 24 << 10, GUARD = 64, MARK = 0x5A, WHOLE = 80 << 10 };

static _Alignas(64) uint8_t scratch[WHOLE], near[3][NEAR];
static NPU_DRAM_BSS _Alignas(64) uint8_t far[3][2 << 20], separate[2 << 20];
static NPU_DRAM_BSS int8_t filter[1 << 20];
static NPU_DRAM_BSS int64_t bias[4096];
#if BLOCK_SCALES
static NPU_DRAM_BSS int16_t block_scales[1 << 17];
#endif
static uint32_t state;

static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static int fail(const char *what, int value) {
  printf("generated_stream: %s: %d\n", what, value);
  return 1;
}

static int compare(const char *what, const uint8_t *output) {
  for (uint32_t i = 0; i < OUTPUT_BYTES; ++i)
    if (output[i] != separate[i])
      return printf("generated_stream: %s: byte %lu is %d, must be %d\n", what, (unsigned long)i, output[i],
                    separate[i]);
  for (uint32_t i = 0; i < GUARD; ++i)
    if (output[OUTPUT_BYTES + i] != MARK)
      return fail("byte written behind the output", (int)i);
  return 0;
}

int main(int argc, char **argv) {
  state = argc > 1 ? 2654435761u * (uint32_t)atoi(argv[1]) + 1 : 1;
  uint8_t *const input = (PLACEMENT & NPU_CONV_INPUT_TCM) != 0 ? near[0] : far[0];
  uint8_t *const output = (PLACEMENT & NPU_CONV_OUTPUT_TCM) != 0 ? near[1] : far[1];
  uint8_t *const packed = (PLACEMENT & NPU_CONV_WEIGHTS_TCM) != 0 ? near[2] : far[2];
  for (uint32_t i = 0; i < INPUT_BYTES; ++i)
    input[i] = (uint8_t)draw();
  for (uint32_t i = 0; i < FILTER_BYTES; ++i)
    filter[i] = (int8_t)draw();
  for (uint32_t i = 0; i < OUTPUTS; ++i) {
    const int32_t value = (int32_t)(draw() % 8192) - 4096;
    if (sizeof(ELEMENT) == 2)
      bias[i] = value;
    else
      ((int32_t *)bias)[i] = value;
  }
#if BLOCK_SCALES
  for (uint32_t i = 0; i < sizeof block_scales / 2; ++i)
    block_scales[i] = (int16_t)(draw() & 0x7FFF);
  npu_status status = layer_pack((void *)filter, (void *)bias, block_scales, packed);
#else
  npu_status status = layer_pack((void *)filter, (void *)bias, packed);
#endif
  if (status != NPU_OK)
    return fail("pack", status);

  const npu_context whole = {scratch, WHOLE}, least = {scratch, LAYER_SCRATCH_BYTES};
#define RECORD(kind) RECORD_(kind)
#define RECORD_(kind) npu_generated_##kind
#define TABLE(kind) TABLE_(kind)
#define TABLE_(kind) __start_npu_generated_##kind
  const RECORD(KIND) *const record = TABLE(KIND);
  // The library's own plan.
#if DEPTHWISE
  npu_dw_plan plan;
  npu_dw_problem problem = record->problem;
  problem.scratch_bytes = WHOLE;
  status = npu_dw_plan_make(&plan, &problem);
  if (status == NPU_OK)
    status = npu_dw_plan_run(&plan, &whole, (int8_t *)input, packed, (int8_t *)separate);
#elif MULTIPLIER > 1
  npu_conv_plan plan;
  npu_conv_problem problem = record->problem;
  problem.scratch_bytes = WHOLE;
  problem.placement &= ~(uint32_t)NPU_CONV_OUTPUT_TCM; // the other output is in DRAM
  status = npu_conv_plan_make(&plan, &problem);
  if (status == NPU_OK)
    status = npu_conv_run(&plan, &problem, &whole, (int8_t *)input, packed, (int8_t *)separate);
#else
  npu_fc_plan plan;
  npu_fc_problem problem = record->problem;
  problem.scratch_bytes = WHOLE;
  problem.placement &= ~(uint32_t)NPU_CONV_OUTPUT_TCM; // the other output is in DRAM
  status = npu_fc_plan_make(&plan, &problem);
  if (status == NPU_OK)
    status = npu_fc_plan_run(&plan, &whole, input, packed, separate);
#endif
  if (status != NPU_OK)
    return fail("the library's plan", status);

  for (uint32_t i = 0; i < OUTPUT_BYTES + GUARD; ++i)
    output[i] = MARK;
  status = layer(&least, (ELEMENT *)input, packed, (ELEMENT *)output);
  if (status != NPU_OK)
    return fail("the generated kernel", status);
  if (compare("generated kernel", output) != 0)
    return 1;
  const npu_context little = {scratch, LAYER_SCRATCH_BYTES - 16};
  if (layer(&little, (ELEMENT *)input, packed, (ELEMENT *)output) != NPU_ERROR_BUFFER)
    return fail("a scratch buffer that is too small is taken", 0);

  // What the library calls.
  for (uint32_t i = 0; i < OUTPUT_BYTES; ++i)
    output[i] = MARK;
  problem = record->problem;
#define FIND(kind) FIND_(kind)
#define FIND_(kind) npu_find_generated_##kind
  if (FIND(KIND)(&problem) != record)
    return fail("the library does not find the kernel", 0);
  ++problem.params.output_offset;
  if (FIND(KIND)(&problem) != 0)
    return fail("the library takes the kernel of another layer", 0);
  problem = record->problem;
#if DEPTHWISE
  status = npu_depthwise_conv_s8(&least, &problem.params, &problem.input, (int8_t *)input, &problem.filter, packed,
                                 &problem.output, (int8_t *)output);
#elif MULTIPLIER > 1
  const npu_conv_params *const p = &problem.params;
  const npu_dw_conv_params params = {
      .input_offset = p->input_offset, .output_offset = p->output_offset, .channel_multiplier = MULTIPLIER,
      .stride = p->stride, .padding = p->padding, .dilation = p->dilation,
      .activation_min = p->activation_min, .activation_max = p->activation_max};
  const npu_dims taps = {1, problem.filter.h, problem.filter.w, problem.filter.n};
  status = npu_depthwise_conv_s8(&least, &params, &problem.input, (int8_t *)input, &taps, packed, &problem.output,
                                 (int8_t *)output);
#else
#define CALL(form)                                                                                                    \
  npu_fully_connected_##form(&least, &problem.params, &problem.input, (void *)input, &problem.filter, packed,         \
                             (void *)output)
  status = problem.form == NPU_FC_S8         ? CALL(s8)
           : problem.form == NPU_FC_S4       ? CALL(s4)
           : problem.form == NPU_FC_S4_BLOCK ? CALL(s4_block)
                                             : CALL(s16);
#endif
  if (status != NPU_OK)
    return fail("the library's call", status);
  return compare("library's call", output) != 0;
}
