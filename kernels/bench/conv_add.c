// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
// bench-flags: -Wl,--gc-sections,--defsym=vfprintf=__i_vfprintf,--defsym=__stack_size=8192
//
// Convolutions with a residual addition behind them: conv_add_int8 and conv_add_int8_separate
// (conv_fused.h).

#include "add_params.h"
#include "conv_fused.h"

#include <npu/fused.h>

static const layer_shape layers[] = {
    {.h = 28, .w = 28, .c = 64, .n = 64, .kernel = 3, .stride = 1},
    {.h = 28, .w = 28, .c = 128, .n = 512, .kernel = 1, .stride = 1},
    {.h = 14, .w = 14, .c = 256, .n = 256, .kernel = 3, .stride = 1},
    {.h = 14, .w = 14, .c = 256, .n = 1024, .kernel = 1, .stride = 1},
    {.h = 14, .w = 14, .c = 96, .n = 96, .kernel = 1, .stride = 1},
};

static NPU_DRAM_BSS _Alignas(64) int8_t residual[TENSOR];

static npu_status run(const void *arguments, const npu_conv_problem *p, const npu_dims *out,
                      int together) {
  (void)arguments;
  if (together)
    return npu_conv_add_s8(&context, &p->params, &p->input, input, &p->filter, packed, &add_params,
                           residual, out, output);
  const npu_status status = run_conv(p);
  return status != NPU_OK
             ? status
             : npu_add_s8(&context, &add_params, out, between, out, residual, out, separate);
}

// Without an argument all layers, otherwise that one.
int main(int argc, char **argv) {
  int ok = 1;
  for (int i = 0; i < (int)(sizeof layers / sizeof *layers); ++i) {
    if (argc > 1 && atoi(argv[1]) != i)
      continue;
    const npu_dims out = problem_of(&layers[i], 8).output;
    bench_fill(residual, (uint32_t)(out.h * out.w * out.c), UINT32_MAX, scratch);
    ok &= measure("conv_add_int8", &layers[i], run, 0, &out);
  }
  return !ok;
}
