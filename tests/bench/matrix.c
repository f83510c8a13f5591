// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer matrices: products of 8, 16 and 32 bits, transposition, a determinant modulo a prime.

#include "bench.h"

#define N 20

static int8_t a8[N][N], b8[N][N];
static int16_t a16[N][N], b16[N][N];
static uint32_t a[N][N], b[N][N], c[N][N];

static void multiply8(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int32_t sum = 0;
      for (int k = 0; k < N; k++)
        sum += a8[i][k] * b8[k][j];
      c[i][j] = (uint32_t)sum;
    }
}

static void multiply16(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int32_t sum = 0;
      for (int k = 0; k < N; k++)
        sum += a16[i][k] * b16[k][j];
      c[i][j] += (uint32_t)(sum >> 4);
    }
}

static void multiply32(int n, uint32_t x[N][N], uint32_t y[N][N], uint32_t z[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      uint32_t sum = 0;
      for (int k = 0; k < n; k++)
        sum += x[i][k] * y[k][j];
      z[i][j] = sum;
    }
}

static void transpose(uint32_t m[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) {
      uint32_t t = m[i][j];
      m[i][j] = m[j][i];
      m[j][i] = t;
    }
}

#define PRIME 32749u

static uint32_t power(uint32_t base, uint32_t exponent) {
  uint32_t result = 1;
  for (; exponent; exponent >>= 1, base = base * base % PRIME)
    if (exponent & 1)
      result = result * base % PRIME;
  return result;
}

static uint32_t determinant(uint32_t m[N][N], int n) {
  uint32_t result = 1;
  for (int i = 0; i < n; i++) {
    int pivot = i;
    while (pivot < n && m[pivot][i] == 0)
      pivot++;
    if (pivot == n)
      return 0;
    if (pivot != i) {
      for (int k = 0; k < n; k++) {
        uint32_t t = m[i][k];
        m[i][k] = m[pivot][k];
        m[pivot][k] = t;
      }
      result = PRIME - result;
    }
    result = result * m[i][i] % PRIME;
    uint32_t inverse = power(m[i][i], PRIME - 2);
    for (int r = i + 1; r < n; r++) {
      uint32_t factor = m[r][i] * inverse % PRIME;
      for (int k = i; k < n; k++)
        m[r][k] = (m[r][k] + (PRIME - factor) * m[i][k]) % PRIME;
    }
  }
  return result;
}

uint32_t bench_run(void) {
  static uint32_t m[N][N];
  uint32_t state = 9, sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      uint32_t r = bench_next(&state);
      a8[i][j] = (int8_t)r;
      b8[i][j] = (int8_t)(r >> 8);
      a16[i][j] = (int16_t)(r & 4095);
      b16[i][j] = (int16_t)(r >> 8 & 4095);
      a[i][j] = r % 1000;
      m[i][j] = r % PRIME;
    }
  multiply8();
  multiply16();
  multiply32(N, a, c, b);
  transpose(b);
  multiply32(N - 3, b, a, c);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = bench_mix(sum, c[i][j]);
  return bench_mix(sum, determinant(m, 12));
}

BENCH_EXPECT(0x2db4ffef);
