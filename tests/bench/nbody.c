// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planets under gravity in double precision, and a Mandelbrot row in single: every operation is a
// call of the runtime library, which is the same for all compilers.

#include "bench.h"

#define BODIES 3

struct body {
  double x[3], v[3], mass;
};

static struct body bodies[BODIES] = {{{0, 0, 0}, {0, 0, 0}, 39.5},
                                     {{4.84, -1.16, -0.10}, {0.606, 2.81, -0.02}, 0.0377},
                                     {{8.34, 4.12, -0.4}, {-1.01, 1.82, 0.008}, 0.0113}};

static double root(double x) {
  double r = x > 1 ? x : 1;
  for (int i = 0; i < 6; i++)
    r = 0.5 * (r + x / r);
  return r;
}

static void advance(double dt) {
  for (int i = 0; i < BODIES; i++)
    for (int j = i + 1; j < BODIES; j++) {
      double d[3], square = 0;
      for (int k = 0; k < 3; k++) {
        d[k] = bodies[i].x[k] - bodies[j].x[k];
        square += d[k] * d[k];
      }
      double magnitude = dt / (square * root(square));
      for (int k = 0; k < 3; k++) {
        bodies[i].v[k] -= d[k] * bodies[j].mass * magnitude;
        bodies[j].v[k] += d[k] * bodies[i].mass * magnitude;
      }
    }
  for (int i = 0; i < BODIES; i++)
    for (int k = 0; k < 3; k++)
      bodies[i].x[k] += dt * bodies[i].v[k];
}

static int mandelbrot(float cr, float ci) {
  float r = 0, i = 0;
  int n = 0;
  for (; n < 40 && r * r + i * i < 4.0f; n++) {
    float t = r * r - i * i + cr;
    i = 2 * r * i + ci;
    r = t;
  }
  return n;
}

uint32_t bench_run(void) {
  uint32_t sum = 0;
  for (int i = 0; i < 5; i++)
    advance(0.01);
  for (int i = 0; i < BODIES; i++)
    for (int k = 0; k < 3; k++)
      sum = bench_mix(sum, (uint32_t)(int32_t)(bodies[i].x[k] * 1e6));
  for (int x = 0; x < 24; x++)
    sum = bench_mix(sum, (uint32_t)mandelbrot((float)x / 10 - 2, 0.3f));
  return sum;
}

BENCH_EXPECT(0x6ad504cb);
