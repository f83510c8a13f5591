// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters: 16-bit FIR with saturation, 64-bit accumulation, cascaded biquads, a moving median.

#include "bench.h"

#define SAMPLES 400
#define TAPS 32

static int16_t input[SAMPLES + TAPS], output[SAMPLES], taps[TAPS];
static int32_t wide[SAMPLES];

static int16_t saturate(int32_t x) {
  return (int16_t)(x > 32767 ? 32767 : x < -32768 ? -32768 : x);
}

static void fir16(void) {
  for (int n = 0; n < SAMPLES; n++) {
    int32_t sum = 1 << 14;
    for (int k = 0; k < TAPS; k++)
      sum += input[n + k] * taps[k];
    output[n] = saturate(sum >> 15);
  }
}

static void fir32(void) {
  for (int n = 0; n + 16 < SAMPLES; n++) {
    int64_t sum = 0;
    for (int k = 0; k < 16; k++)
      sum += (int64_t)(input[n + k] * 1024) * (taps[k] * 256);
    wide[n] = (int32_t)(sum >> 20);
  }
}

struct biquad {
  int32_t b0, b1, b2, a1, a2, x1, x2, y1, y2;
};

static int32_t biquad(struct biquad *f, int32_t x) {
  int32_t y = (f->b0 * x + f->b1 * f->x1 + f->b2 * f->x2 - f->a1 * f->y1 - f->a2 * f->y2) >> 12;
  f->x2 = f->x1;
  f->x1 = x;
  f->y2 = f->y1;
  f->y1 = y;
  return y;
}

static int16_t median5(const int16_t *p) {
  int16_t v[5];
  for (int i = 0; i < 5; i++) {
    int j = i;
    for (; j > 0 && v[j - 1] > p[i]; j--)
      v[j] = v[j - 1];
    v[j] = p[i];
  }
  return v[2];
}

uint32_t bench_run(void) {
  uint32_t state = 8, sum = 0;
  struct biquad stages[3] = {{512, 1024, 512, -6400, 2900, 0, 0, 0, 0},
                             {4096, -8100, 4096, -7800, 3800, 0, 0, 0, 0},
                             {700, 0, -700, -7000, 3300, 0, 0, 0, 0}};
  for (int i = 0; i < SAMPLES + TAPS; i++)
    input[i] = (int16_t)(bench_next(&state) & 0xffff);
  for (int i = 0; i < TAPS; i++)
    taps[i] = (int16_t)((i < TAPS / 2 ? i : TAPS - 1 - i) * 180 - 300);
  fir16();
  fir32();
  for (int i = 0; i < SAMPLES; i++) {
    int32_t x = input[i] >> 4;
    for (int s = 0; s < 3; s++)
      x = biquad(&stages[s], x);
    sum = bench_mix(sum, (uint32_t)x);
    sum = bench_mix(sum, (uint32_t)output[i] + (uint32_t)wide[i]);
    sum += (uint32_t)median5(&input[i]);
  }
  return sum;
}

BENCH_EXPECT(0xabeaf30e);
