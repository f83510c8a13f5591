// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What conv_int8.c and conv_int4.c share: runs one convolution from and to DRAM on random data and
// prints
//
//   BENCH name=NAME/HxWxC-N_KHxKWsSTRIDE cycles=C macs=M predicted=P ok=0|1
//
// The plan is made before, as the constants are packed before: C counts npu_conv_run, and P is what
// the cost model expects. Outputs of some pixels and channels are checked against plain C.

#ifndef CONV_LAYERS_H
#define CONV_LAYERS_H

#include "bench.h"

#include <npu/conv.h>
#include <stdlib.h>

typedef struct layer_shape {
  int32_t h, w, c, n, kernel, stride; // input, output channels; padding as TFLite's SAME
  // The kernel that npu-kgen emits for it and the cycles that it expects; without one the
  // library's.
  npu_status (*generated)(const npu_context *, const int8_t *, const void *, int8_t *);
  uint32_t cycles;
} layer_shape;

#ifndef SCRATCH_BYTES
#define SCRATCH_BYTES (108 << 10)
#endif

enum { SCRATCH = SCRATCH_BYTES, TENSOR = 1 << 20, PACKED = 3 << 20, SAMPLES = 12 };

static NPU_DRAM_BSS _Alignas(64) int8_t input[TENSOR], output[TENSOR];
static NPU_DRAM_BSS _Alignas(64) uint8_t packed[PACKED];
static _Alignas(64) uint8_t scratch[SCRATCH];

static uint32_t block_bytes(const npu_conv_problem *p) {
  return npu_conv_packed_size(p) / (uint32_t)((p->filter.n + 15) / 16);
}

static npu_conv_problem problem_of(const layer_shape *l, int32_t weight_bits) {
  const int32_t oh = (l->h + l->stride - 1) / l->stride, ow = (l->w + l->stride - 1) / l->stride;
  const int32_t needed = (oh - 1) * l->stride + l->kernel - l->h;
  const int32_t before = needed > 0 ? needed / 2 : 0;
  return (npu_conv_problem){.input = {1, l->h, l->w, l->c},
                            .filter = {l->n, l->kernel, l->kernel, l->c},
                            .output = {1, oh, ow, l->n},
                            .params = {.stride = {l->stride, l->stride},
                                       .padding = {before, before},
                                       .dilation = {1, 1},
                                       .activation_min = -128,
                                       .activation_max = 127},
                            .weight_bits = weight_bits,
                            .scratch_bytes = SCRATCH};
}

static uint32_t macs_of(const npu_conv_problem *p) {
  return (uint32_t)(p->output.h * p->output.w * p->filter.n * p->filter.h * p->filter.w *
                    p->filter.c);
}

// Fills input and constants: the bias is the channel's number, the scale 2^(-1 - shift). Returns
// shift.
static int32_t prepare(const npu_conv_problem *p) {
  int32_t shift = p->weight_bits == 4 ? 3 : 7;
  for (int32_t k = p->filter.h * p->filter.w * p->filter.c; k > 1; k /= 4)
    ++shift;
  bench_fill(input, (uint32_t)(p->input.h * p->input.w * p->input.c), UINT32_MAX, scratch);
  bench_fill(packed, npu_conv_packed_size(p), UINT32_MAX, scratch);
  for (int32_t block = 0; block < (p->filter.n + 15) / 16; ++block) {
    uint8_t *const table = packed + (uint32_t)block * block_bytes(p);
    int32_t *const words = (int32_t *)scratch;
    for (int i = 0; i < 16; ++i) {
      words[i] = block * 16 + i;
      words[16 + i] = 1 << 30;
      scratch[128 + i] = (uint8_t)-shift;
    }
    npu_dma_copy(table, scratch, NPU_TABLE_BYTES);
  }
  return shift;
}

#ifndef OTHER_MEASURE // of the program's own
static int32_t weight_of(const uint8_t *step, int32_t k, int32_t n, int32_t bits) {
  if (bits == 8)
    return ((const int8_t *)step)[16 * k + n];
  const int32_t pair = step[8 * k + n / 2];
  return ((n % 2 != 0 ? pair >> 4 : pair & 15) ^ 8) - 8;
}

// One output, from windows and weights fetched step by step; the padding is the zero point, 0.
static int8_t expected(const npu_conv_problem *p, int32_t y, int32_t x, int32_t n, int32_t bias,
                       int32_t shift) {
  const int32_t c = p->input.c, rows = p->weight_bits == 4 ? 32 : 16;
  const uint8_t *at = packed + (uint32_t)(n / 16) * block_bytes(p) + NPU_TABLE_BYTES;
  const int32_t all = p->filter.h * p->filter.w * c;
  int32_t sum = bias;
  for (int32_t k = 0; k < all;) {
    if (k % rows == 0) {
      npu_dma_copy(scratch, at, NPU_STEP_BYTES);
      at += NPU_STEP_BYTES;
    }
    // Up to the end of the tap or of the step.
    const int32_t tap = k / c, left = c - k % c, room = rows - k % rows;
    const int32_t count = left < room ? left : room;
    const int32_t iy = y * p->params.stride.h + tap / p->filter.w - p->params.padding.h;
    const int32_t ix = x * p->params.stride.w + tap % p->filter.w - p->params.padding.w;
    if (iy >= 0 && iy < p->input.h && ix >= 0 && ix < p->input.w) {
      npu_dma_copy(scratch + 512, input + (iy * p->input.w + ix) * c + k % c, (size_t)count);
      for (int32_t i = 0; i < count; ++i)
        sum += ((int8_t *)scratch)[512 + i] *
               weight_of(scratch, (k + i) % rows, n % 16, p->weight_bits);
    }
    k += count;
  }
  return bench_requantize(sum, shift);
}

static __attribute__((noinline)) npu_status measured_call(const layer_shape *l,
                                                          const npu_conv_plan *plan,
                                                          const npu_conv_problem *problem,
                                                          const npu_context *context) {
  return l->generated != 0 ? l->generated(context, input, packed, output)
                           : npu_conv_run(plan, problem, context, input, packed, output);
}

static int measure(const char *name, const layer_shape *l, int32_t weight_bits) {
  const npu_conv_problem p = problem_of(l, weight_bits);
  const int32_t oh = p.output.h, ow = p.output.w;
  const int32_t shift = prepare(&p);
  const npu_context context = {scratch, SCRATCH};
  npu_conv_plan plan = {0};
  int ok = l->generated != 0 || npu_conv_plan_make(&plan, &p) == NPU_OK;
  if (l->generated != 0)
    plan.cycles = l->cycles;
  const uint32_t start = npu_cycles32();
  ok &= measured_call(l, &plan, &p, &context) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;

  for (int32_t i = 0; i < SAMPLES; ++i) {
    // The corners, and what lies between.
    const int32_t y = i < 4 ? (i & 1) * (oh - 1) : (int32_t)(random_word() % (uint32_t)oh);
    const int32_t x = i < 4 ? (i >> 1) * (ow - 1) : (int32_t)(random_word() % (uint32_t)ow);
    const int32_t n = i == 0 ? l->n - 1 : (int32_t)(random_word() % (uint32_t)l->n);
    ok &= output[(y * ow + x) * l->n + n] == expected(&p, y, x, n, n, shift);
  }
  if (strcmp(name, "matmul_int8") == 0) // the pixels are the rows
    bench_line(cycles, macs_of(&p), "%s/%ldx%ldx%ld", name, (long)(l->h * l->w), (long)l->c,
               (long)l->n);
  else
    bench_line(cycles, macs_of(&p), "%s/%ldx%ldx%ld-%ld_%ldx%lds%ld", name, (long)l->h, (long)l->w,
               (long)l->c, (long)l->n, (long)l->kernel, (long)l->kernel, (long)l->stride);
  bench_field("predicted", plan.cycles);
  return bench_end(ok);
}

// Without an argument all layers, otherwise that one.
__attribute__((unused)) static int measure_layers(const char *name, const layer_shape *layers,
                                                  int count, int32_t weight_bits, int argc,
                                                  char **argv) {
  int ok = 1;
  for (int i = 0; i < count; ++i)
    if (argc < 2 || atoi(argv[1]) == i)
      ok &= measure(name, &layers[i], weight_bits);
  return !ok;
}

#endif

#endif // CONV_LAYERS_H
