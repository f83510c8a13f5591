// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix-2 FFT of 256 points and its inverse in Q15, with a sine table by recurrence.

#include "bench.h"

#define BITS 8
#define POINTS (1 << BITS)

struct complex {
  int16_t re, im;
};

static struct complex data[POINTS], twiddle[POINTS / 2];

static int16_t q15(int32_t x) { return (int16_t)((x + (1 << 14)) >> 15); }

static struct complex times(struct complex a, struct complex b) {
  struct complex c;
  c.re = q15(a.re * b.re - a.im * b.im);
  c.im = q15(a.re * b.im + a.im * b.re);
  return c;
}

static void make_twiddles(void) {
  // The powers of exp(-2 pi i / 256) in Q30, rounded to Q15.
  int64_t re = 1 << 30, im = 0;
  const int64_t step_re = 1073418433, step_im = -26350943;
  for (int i = 0; i < POINTS / 2; i++) {
    int64_t x = re >> 15, y = im >> 15;
    twiddle[i].re = (int16_t)(x > 32767 ? 32767 : x);
    twiddle[i].im = (int16_t)y;
    int64_t next = (re * step_re - im * step_im) >> 30;
    im = (re * step_im + im * step_re) >> 30;
    re = next;
  }
}

static void transform(int inverse) {
  for (uint32_t i = 0, j = 0; i < POINTS; i++) {
    if (i < j) {
      struct complex t = data[i];
      data[i] = data[j];
      data[j] = t;
    }
    uint32_t bit = POINTS / 2;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j |= bit;
  }
  for (int size = 2, step = POINTS / 2; size <= POINTS; size *= 2, step /= 2)
    for (int start = 0; start < POINTS; start += size)
      for (int k = 0; k < size / 2; k++) {
        struct complex w = twiddle[k * step];
        if (inverse)
          w.im = (int16_t)-w.im;
        struct complex *a = &data[start + k], *b = a + size / 2;
        struct complex t = times(*b, w);
        // Halved in every stage, so nothing overflows.
        b->re = (int16_t)((a->re - t.re) >> 1);
        b->im = (int16_t)((a->im - t.im) >> 1);
        a->re = (int16_t)((a->re + t.re) >> 1);
        a->im = (int16_t)((a->im + t.im) >> 1);
      }
}

uint32_t bench_run(void) {
  uint32_t state = 7, sum = 0;
  make_twiddles();
  for (int i = 0; i < POINTS; i++) {
    data[i].re = (int16_t)(bench_next(&state) % 40001) - 20000;
    data[i].im = (int16_t)(bench_next(&state) % 40001) - 20000;
  }
  for (int pass = 0; pass < 4; pass++) {
    transform(pass & 1);
    for (int i = 0; i < POINTS; i++) {
      sum = bench_mix(sum, (uint32_t)data[i].re);
      sum = bench_mix(sum, (uint32_t)data[i].im);
      data[i].re = (int16_t)(data[i].re * 4);
      data[i].im = (int16_t)(data[i].im * 4);
    }
  }
  return sum;
}

BENCH_EXPECT(0x67539ecd);
