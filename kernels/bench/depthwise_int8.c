// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels -Wl,--enable-non-contiguous-regions
//
// int8 depthwise convolutions. depthwise_int8/...: input, output and constants in DRAM, the plan
// made before, as the constants are packed before; depthwise_int8_call/...: in DRAM, one call that
// makes its plan; depthwise_int8_tcm/...: one call, operands in the scratchpad, used in place.
// 3x3s1/64ch is a layer of MobileNetV1 of half width, mobilenet_v1/... are the distinct layers of
// the whole one (112 x 112 cropped to 56 x 56). One output byte in 61, in DRAM 601, is checked
// against plain C. peak= is that of the array's depthwise mode: 16 channels and the window's taps
// (of 5 x 5, 12.5 a run on average) each cycle.

#include "bench.h"

#include <npu/depthwise_plan.h>

enum {
  SCRATCH = 96 << 10,
  TENSOR = 800 << 10,
  CHANNELS = 1024,
  TAPS = 49,
  PACKED = 20 << 10,
  ZERO_POINT = -5,
};

static NPU_DRAM_BSS _Alignas(64) int8_t input_in_dram[TENSOR], output_in_dram[TENSOR];
static NPU_DRAM_BSS _Alignas(64) uint8_t packed_in_dram[PACKED];
static NPU_DRAM_BSS int8_t filter[TAPS * CHANNELS];
static NPU_DRAM_BSS int32_t multiplier[CHANNELS], shift[CHANNELS], bias[CHANNELS];
static _Alignas(64) int8_t scratch[SCRATCH];

enum { PLANNED, ONE_CALL, IN_TCM };

typedef struct layer {
  const char *name;
  int32_t h, w, c, kernel, stride;
  int how;
} layer;

static const layer layers[] = {
    {"depthwise_int8/3x3s1/64ch", 56, 56, 64, 3, 1, PLANNED},
    {"depthwise_int8/3x3s1/64ch_112x112", 112, 112, 64, 3, 1, PLANNED},
    {"depthwise_int8/3x3s1/64ch_28x28", 28, 28, 64, 3, 1, PLANNED},
    {"depthwise_int8/3x3s1/128ch_28x28", 28, 28, 128, 3, 1, PLANNED},
    {"depthwise_int8_call/3x3s1/64ch", 56, 56, 64, 3, 1, ONE_CALL},
    {"depthwise_int8/3x3s2/64ch", 56, 56, 64, 3, 2, PLANNED},
    {"depthwise_int8_call/5x5s1/64ch", 28, 28, 64, 5, 1, ONE_CALL},
    {"depthwise_int8_tcm/3x3s1/16ch", 28, 28, 16, 3, 1, IN_TCM},
    {"depthwise_int8_tcm/3x3s1/64ch", 20, 24, 64, 3, 1, IN_TCM},
    {"depthwise_int8_tcm/3x3s1/128ch", 14, 18, 128, 3, 1, IN_TCM},
    {"depthwise_int8_tcm/3x3s2/64ch", 24, 24, 64, 3, 2, IN_TCM},
    {"depthwise_int8_tcm/5x5s1/64ch", 20, 24, 64, 5, 1, IN_TCM},
    {"depthwise_int8/mobilenet_v1/56x56x32s1", 56, 56, 32, 3, 1, PLANNED},
    {"depthwise_int8/mobilenet_v1/56x56x64s2", 56, 56, 64, 3, 2, PLANNED},
    {"depthwise_int8/mobilenet_v1/56x56x128s1", 56, 56, 128, 3, 1, PLANNED},
    {"depthwise_int8/mobilenet_v1/56x56x128s2", 56, 56, 128, 3, 2, PLANNED},
    {"depthwise_int8/mobilenet_v1/28x28x256s1", 28, 28, 256, 3, 1, PLANNED},
    {"depthwise_int8/mobilenet_v1/28x28x256s2", 28, 28, 256, 3, 2, PLANNED},
    {"depthwise_int8/mobilenet_v1/14x14x512s1", 14, 14, 512, 3, 1, PLANNED},
    {"depthwise_int8/mobilenet_v1/14x14x512s2", 14, 14, 512, 3, 2, PLANNED},
    {"depthwise_int8/mobilenet_v1/7x7x1024s1", 7, 7, 1024, 3, 1, PLANNED},
};

// Multiplier 2^30 and shift -5: the sum / 2, rounded, / 32, rounded.
static int8_t expected(const layer *l, const int8_t *input, int32_t pixel, int32_t line, int32_t y,
                       int32_t x, int32_t n) {
  int32_t sum = bias[n];
  for (int32_t ky = 0; ky < l->kernel; ++ky)
    for (int32_t kx = 0; kx < l->kernel; ++kx) {
      const int32_t iy = y * l->stride + ky - l->kernel / 2,
                    ix = x * l->stride + kx - l->kernel / 2;
      if (iy >= 0 && iy < l->h && ix >= 0 && ix < l->w)
        sum += (input[iy * line + ix * pixel + n] - ZERO_POINT) *
               filter[(ky * l->kernel + kx) * l->c + n];
    }
  return bench_requantize(sum, 5);
}

static __attribute__((noinline)) npu_status measured_call(const npu_dw_plan *plan,
                                                          const npu_context *context,
                                                          const npu_dw_conv_params *params,
                                                          const npu_dims *in, const int8_t *input,
                                                          const npu_dims *taps, const void *packed,
                                                          const npu_dims *out, int8_t *output) {
  return plan != 0 ? npu_dw_plan_run(plan, context, input, packed, output)
                   : npu_depthwise_conv_s8(context, params, in, input, taps, packed, out, output);
}

static int measure(const layer *l) {
  const int in_tcm = l->how == IN_TCM;
  const npu_dims in = {1, l->h, l->w, l->c}, taps = {1, l->kernel, l->kernel, l->c};
  const npu_dims out = {1, (l->h + l->stride - 1) / l->stride, (l->w + l->stride - 1) / l->stride,
                        l->c};
  npu_dw_conv_params params = {.input_offset = -ZERO_POINT,
                               .channel_multiplier = 1,
                               .stride = {l->stride, l->stride},
                               .padding = {l->kernel / 2, l->kernel / 2},
                               .dilation = {1, 1},
                               .activation_min = -128,
                               .activation_max = 127};
  const npu_per_channel_quant quant = {multiplier, shift};
  for (int32_t i = 0; i < l->c; ++i) {
    multiplier[i] = 1 << 30;
    shift[i] = -5;
    bias[i] = (int32_t)(random_word() % 2048) - 1024;
  }
  for (int32_t i = 0; i < l->c * l->kernel * l->kernel; ++i)
    filter[i] = (int8_t)random_word();
  uint8_t *packed = (uint8_t *)scratch;
  const uint32_t packed_bytes = npu_depthwise_conv_s8_get_packed_size(&params, &taps);
  int ok = packed_bytes <= PACKED &&
           npu_depthwise_conv_s8_pack(&params, &quant, &taps, filter, bias, packed) == NPU_OK;
  npu_context context = {scratch, SCRATCH};
  int8_t *input = input_in_dram, *output = output_in_dram;
  int32_t in_pixel = l->c, in_line = l->c * l->w, out_pixel = l->c, out_line = l->c * out.w;
  if (in_tcm) {
    // Lines 16 bytes behind a multiple of 64, pixels an odd multiple of 16: then no two words of a
    // window meet in a bank.
    params.input_pixel = in_pixel = l->c % 32 == 0 ? l->c + 16 : l->c;
    params.output_pixel = out_pixel = in_pixel;
    params.input_line = in_line = (in_pixel * l->w + 47) / 64 * 64 + 16;
    params.output_line = out_line = (out_pixel * out.w + 47) / 64 * 64 + 16;
    context.size = 4096;
    input = scratch + context.size + PACKED / 4;
    output = input + in_line * l->h;
    memmove(scratch + context.size, packed, packed_bytes);
    packed = (uint8_t *)scratch + context.size;
    if (packed_bytes > PACKED / 4 || output + out_line * out.h > scratch + SCRATCH)
      return 0;
    for (int32_t i = 0; i < in_line * l->h / 4; ++i)
      ((uint32_t *)input)[i] = random_word();
  } else {
    ok &= npu_dma_copy(packed_in_dram, packed, packed_bytes) == 0;
    packed = packed_in_dram;
    for (int32_t first = 0; first < in_line * l->h; first += SCRATCH) {
      for (int32_t i = 0; i < SCRATCH / 4; ++i)
        ((uint32_t *)scratch)[i] = random_word();
      const int32_t left = in_line * l->h - first;
      ok &= npu_dma_copy(input + first, scratch, (size_t)(left < SCRATCH ? left : SCRATCH)) == 0;
    }
  }

  npu_dw_plan plan;
  if (l->how == PLANNED)
    ok &= npu_dw_plan_make(&plan, &(npu_dw_problem){.input = in,
                                                    .filter = taps,
                                                    .output = out,
                                                    .params = params,
                                                    .scratch_bytes = context.size}) == NPU_OK;
  const uint32_t start = npu_cycles32();
  ok &= measured_call(l->how == PLANNED ? &plan : 0, &context, &params, &in, input, &taps, packed,
                      &out, output) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;
  for (int32_t i = 0; i < out.h * out.w * out.c; i += in_tcm ? 61 : 601) {
    const int32_t y = i / (out.w * out.c), x = i / out.c % out.w, n = i % out.c;
    ok &=
        output[y * out_line + x * out_pixel + n] == expected(l, input, in_pixel, in_line, y, x, n);
  }
  bench_line(cycles, (uint32_t)(out.h * out.w * out.c * l->kernel * l->kernel), "%s", l->name);
  bench_field("read", in_tcm ? 0 : (uint32_t)(l->h * l->w * l->c) + packed_bytes);
  bench_field("write", in_tcm ? 0 : (uint32_t)(out.h * out.w * out.c));
  bench_field("peak", l->kernel == 3 ? 144 : 200);
  return bench_end(ok);
}

int main(int argc, char **argv) {
  int ok = 1;
  for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
    if (bench_chosen(layers[i].name, argc, argv))
      ok &= measure(&layers[i]);
  return !ok;
}
