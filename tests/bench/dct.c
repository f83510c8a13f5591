// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture through the steps of JPEG: 8 x 8 DCT in integers, quantization, zigzag, run lengths
// with variable-length bits, and the inverse DCT.

#include "bench.h"

#define BLOCKS 6

static const uint8_t zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                   12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                   35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                   58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
static const uint8_t quantum[64] = {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
                                    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
                                    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
                                    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};
// cos(k pi / 16) in Q12, scaled so that the transform is orthogonal.
static const int16_t cosine[8] = {1448, 2009, 1892, 1703, 1448, 1138, 784, 400};

static int32_t basis(int k, int n) {
  if (k == 0)
    return cosine[0];
  int angle = (2 * n + 1) * k % 32;
  int sign = 1;
  if (angle > 16)
    angle = 32 - angle;
  if (angle > 8) {
    angle = 16 - angle;
    sign = -1;
  }
  return angle == 8 ? 0 : angle == 0 ? sign * 2048 : sign * cosine[angle];
}

static int16_t table[8][8];

static void transform(int16_t *block, int inverse) {
  int16_t half[64];
  for (int pass = 0; pass < 2; pass++) {
    const int16_t *from = pass ? half : block;
    int16_t *to = pass ? block : half;
    for (int row = 0; row < 8; row++)
      for (int k = 0; k < 8; k++) {
        int32_t sum = 2048;
        for (int n = 0; n < 8; n++)
          sum += from[row * 8 + n] * (inverse ? table[n][k] : table[k][n]);
        to[k * 8 + row] = (int16_t)(sum >> 12);
      }
  }
}

static uint8_t stream[2000];
static uint32_t position, buffer;
static int filled;

static void put_bits(uint32_t bits, int count) {
  buffer = buffer << count | (bits & ((1u << count) - 1));
  filled += count;
  while (filled >= 8) {
    filled -= 8;
    stream[position++] = (uint8_t)(buffer >> filled);
  }
}

static int size_of(int32_t x) {
  int n = 0;
  for (uint32_t u = (uint32_t)(x < 0 ? -x : x); u; u >>= 1)
    n++;
  return n;
}

static void encode(int16_t *block) {
  int run = 0;
  for (int i = 0; i < 64; i++) {
    int q = quantum[i], x = block[i];
    block[i] = (int16_t)(x < 0 ? -((-x + q / 2) / q) : (x + q / 2) / q);
  }
  for (int i = 0; i < 64; i++) {
    int x = block[zigzag[i]];
    if (x == 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16)
      put_bits(0xf0, 8);
    int size = size_of(x);
    put_bits((uint32_t)(run << 4 | size), 8);
    put_bits((uint32_t)(x < 0 ? x - 1 : x), size);
    run = 0;
  }
  put_bits(0, 8);
}

uint32_t bench_run(void) {
  uint32_t state = 16, sum = 0;
  int32_t error = 0;
  for (int k = 0; k < 8; k++)
    for (int n = 0; n < 8; n++)
      table[k][n] = (int16_t)basis(k, n);
  for (int b = 0; b < BLOCKS; b++) {
    int16_t pixels[64], block[64];
    for (int i = 0; i < 64; i++) {
      int x = i % 8, y = i / 8;
      pixels[i] = (int16_t)((x * 9 + y * (b * 5 - 12) + (int)(bench_next(&state) % 24)) % 256 - 128);
      block[i] = pixels[i];
    }
    transform(block, 0);
    encode(block);
    for (int i = 0; i < 64; i++)
      block[i] = (int16_t)(block[i] * quantum[i]);
    transform(block, 1);
    for (int i = 0; i < 64; i++) {
      int p = block[i] < -128 ? -128 : block[i] > 127 ? 127 : block[i];
      error += (p - pixels[i]) * (p - pixels[i]);
    }
  }
  for (uint32_t i = 0; i < position; i++)
    sum = bench_mix(sum, stream[i]);
  return bench_mix(sum, (uint32_t)error);
}

BENCH_EXPECT(0xa848ab28);
