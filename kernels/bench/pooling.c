// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels -Wl,--gc-sections
//
// Max and average pooling; pool_int8/..., pool_int16/... with the operands in DRAM, ..._tcm/... in
// the scratchpad. The tensors are [1, n / (32 c), 32, c] with c = 64 channels of int8, 32 of int16.

#include "vector_bench.h"

#include <npu/pooling.h>

enum { WIDTH = 32, CHANNEL_BYTES = 64 };

typedef struct pool {
  const char *form;
  int32_t window, stride, padding;
  int max, wide;
} pool;

static const pool pools[] = {
    {"max_2x2s2/", 2, 2, 0, 1, 0}, {"max_3x3s2/", 3, 2, 1, 1, 0}, {"avg_2x2s2/", 2, 2, 0, 0, 0},
    {"avg_3x3s1/", 3, 1, 1, 0, 0}, {"avg_all/", 0, 1, 0, 0, 0},   {"max_2x2s2/", 2, 2, 0, 1, 1},
    {"avg_3x3s1/", 3, 1, 1, 0, 1},
};

typedef struct shapes {
  npu_dims in, taps, out;
  npu_pool_params params;
} shapes;

static shapes shapes_of(const pool *p, uint32_t n) {
  const int32_t c = p->wide ? CHANNEL_BYTES / 2 : CHANNEL_BYTES,
                h = (int32_t)n / (WIDTH * CHANNEL_BYTES);
  shapes s = {.in = {1, h, WIDTH, c}, .taps = {1, p->window, p->window, 1}, .out = {1, 1, 1, c}};
  if (p->window == 0) {
    s.taps.h = h;
    s.taps.w = WIDTH;
  } else {
    s.out.h = (h + 2 * p->padding - p->window) / p->stride + 1;
    s.out.w = (WIDTH + 2 * p->padding - p->window) / p->stride + 1;
  }
  s.params = (npu_pool_params){.stride = {p->stride, p->stride},
                               .padding = {p->padding, p->padding},
                               .activation_min = p->wide ? INT16_MIN : INT8_MIN,
                               .activation_max = p->wide ? INT16_MAX : INT8_MAX};
  return s;
}

static npu_status run_pool(const operands *o, uint32_t n, const void *arguments) {
  const pool *const p = arguments;
  const shapes s = shapes_of(p, n);
  if (p->wide)
    return (p->max ? npu_max_pool_s16 : npu_avg_pool_s16)(
        &context, &s.params, &s.in, (const int16_t *)o->x, &s.taps, &s.out, (int16_t *)o->z);
  return (p->max ? npu_max_pool_s8 : npu_avg_pool_s8)(&context, &s.params, &s.in, o->x, &s.taps,
                                                      &s.out, o->z);
}

static int32_t element(const int8_t *at, int32_t i, int wide) {
  return wide ? ((const int16_t *)at)[i] : at[i];
}

// Of every seventh pixel one channel.
static int check_pool(const operands *o, uint32_t n, const void *arguments) {
  const pool *const p = arguments;
  const shapes s = shapes_of(p, n);
  for (int32_t i = 0; i < s.out.h * s.out.w; i += 7) {
    const int32_t c = i % s.in.c, top = i / s.out.w * p->stride - p->padding,
                  left = i % s.out.w * p->stride - p->padding;
    int32_t most = INT32_MIN, sum = 0, count = 0;
    for (int32_t y = top; y < top + s.taps.h; ++y)
      for (int32_t x = left; x < left + s.taps.w; ++x)
        if (y >= 0 && y < s.in.h && x >= 0 && x < s.in.w) {
          const int32_t v = element(o->x, (y * s.in.w + x) * s.in.c + c, p->wide);
          most = v > most ? v : most;
          sum += v;
          ++count;
        }
    const int32_t mean = (sum + (sum < 0 ? -count / 2 : count / 2)) / count;
    if (element(o->z, i * s.out.c + c, p->wide) != (p->max ? most : mean))
      return 0;
  }
  return 1;
}

int main(void) {
  fill_operands();
  int ok = 1;
  for (int place = 0; place < 2; ++place)
    for (int i = 0; i < (int)(sizeof pools / sizeof *pools); ++i) {
      const operands *const o = &places[place];
      const uint32_t n =
          pools[i].window == 0 ? SMALL : o->bytes; // a window fits the scratch buffer
      const shapes s = shapes_of(&pools[i], n);
      ok &= measure(pools[i].wide ? "pool_int16" : "pool_int8", pools[i].form, run_pool, check_pool,
                    o, n, &pools[i], n, (uint32_t)(s.out.h * s.out.w) * CHANNEL_BYTES);
    }
  return !ok;
}
