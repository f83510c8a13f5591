// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -T npu-large.ld -lnpukernels -Wl,--defsym=__stack_size=8192
// bench-run: --config large
//
// Convolutions with pooling behind them: conv_max_pool_int8, conv_avg_pool_int8 and ..._separate
// (conv_fused.h). Three engines and printf have no room in 64 KiB of ITCM.

#include "conv_fused.h"

#include <npu/fused.h>

typedef struct pooled_layer {
  layer_shape conv;
  int32_t window, stride;
  int max;
} pooled_layer;

static const pooled_layer layers[] = {
    {{.h = 28, .w = 28, .c = 64, .n = 64, .kernel = 3, .stride = 1}, 2, 2, 1},
    {{.h = 56, .w = 56, .c = 16, .n = 32, .kernel = 3, .stride = 1}, 2, 2, 1},
    {{.h = 112, .w = 112, .c = 3, .n = 64, .kernel = 7, .stride = 2}, 3, 2, 1},
    {{.h = 7, .w = 7, .c = 512, .n = 1024, .kernel = 1, .stride = 1}, 7, 7, 0},
};

static npu_status run(const void *arguments, const npu_conv_problem *p, const npu_dims *out,
                      int together) {
  const pooled_layer *const l = arguments;
  const npu_pool_params pool = {
      .stride = {l->stride, l->stride}, .activation_min = -128, .activation_max = 127};
  const npu_dims taps = {1, l->window, l->window, 1};
  if (together)
    return (l->max ? npu_conv_max_pool_s8
                   : npu_conv_avg_pool_s8)(&context, &p->params, &p->input, input, &p->filter,
                                           packed, &p->output, &pool, &taps, out, output);
  const npu_status status = run_conv(p);
  return status != NPU_OK ? status
                          : (l->max ? npu_max_pool_s8 : npu_avg_pool_s8)(
                                &context, &pool, &p->output, between, &taps, out, separate);
}

// Without an argument all layers, otherwise that one.
int main(int argc, char **argv) {
  int ok = 1;
  for (int i = 0; i < (int)(sizeof layers / sizeof *layers); ++i) {
    const pooled_layer *const l = &layers[i];
    if (argc > 1 && atoi(argv[1]) != i)
      continue;
    npu_dims out =
        problem_of(&l->conv, 8).output; // the padding of TFLite's SAME that is in front is none
    out.h = (out.h + l->stride - 1) / l->stride;
    out.w = (out.w + l->stride - 1) / l->stride;
    ok &= measure(l->max ? "conv_max_pool_int8" : "conv_avg_pool_int8", &l->conv, run, l, &out);
  }
  return !ok;
}
