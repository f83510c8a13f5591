// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 256 bits: Montgomery multiplication and a modular power, and 64-bit arithmetic.

#include "bench.h"

#define WORDS 8

static uint32_t modulus[WORDS] = {0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad,
                                  0xffffffff, 0xffffffff, 0x00000000, 0xffffffff};
static uint32_t inverse; // -1 / modulus[0] mod 2^32

static uint32_t subtract(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  uint32_t borrow = 0;
  for (int i = 0; i < WORDS; i++) {
    uint64_t d = (uint64_t)a[i] - b[i] - borrow;
    r[i] = (uint32_t)d;
    borrow = (uint32_t)(d >> 32) & 1;
  }
  return borrow;
}

static void multiply(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  uint32_t t[WORDS + 2] = {0};
  for (int i = 0; i < WORDS; i++) {
    uint64_t sum, carry = 0;
    for (int j = 0; j < WORDS; j++) {
      sum = (uint64_t)a[j] * b[i] + t[j] + carry;
      t[j] = (uint32_t)sum;
      carry = sum >> 32;
    }
    sum = (uint64_t)t[WORDS] + carry;
    t[WORDS] = (uint32_t)sum;
    t[WORDS + 1] = (uint32_t)(sum >> 32);
    uint32_t m = t[0] * inverse;
    carry = ((uint64_t)m * modulus[0] + t[0]) >> 32;
    for (int j = 1; j < WORDS; j++) {
      sum = (uint64_t)m * modulus[j] + t[j] + carry;
      t[j - 1] = (uint32_t)sum;
      carry = sum >> 32;
    }
    sum = (uint64_t)t[WORDS] + carry;
    t[WORDS - 1] = (uint32_t)sum;
    t[WORDS] = t[WORDS + 1] + (uint32_t)(sum >> 32);
  }
  uint32_t reduced[WORDS];
  uint32_t borrow = subtract(reduced, t, modulus);
  const uint32_t *from = t[WORDS] || !borrow ? reduced : t;
  for (int i = 0; i < WORDS; i++)
    r[i] = from[i];
}

static uint64_t rotate(uint64_t x, int n) { return x << n | x >> (64 - n); }

// SipHash-2-4.
static uint64_t siphash(uint64_t k0, uint64_t k1, const uint64_t *message, int count) {
  uint64_t v0 = k0 ^ 0x736f6d6570736575u, v1 = k1 ^ 0x646f72616e646f6du;
  uint64_t v2 = k0 ^ 0x6c7967656e657261u, v3 = k1 ^ 0x7465646279746573u;
  for (int i = 0; i < count + 2; i++) {
    uint64_t m = i < count ? message[i] : i == count ? (uint64_t)count << 59 : 0;
    v3 ^= m;
    if (i == count + 1)
      v2 ^= 0xff;
    for (int k = 0; k < (i <= count ? 2 : 4); k++) {
      v0 += v1, v2 += v3;
      v1 = rotate(v1, 13) ^ v0, v3 = rotate(v3, 16) ^ v2;
      v0 = rotate(v0, 32);
      v2 += v1, v0 += v3;
      v1 = rotate(v1, 17) ^ v2, v3 = rotate(v3, 21) ^ v0;
      v2 = rotate(v2, 32);
    }
    v0 ^= m;
  }
  return v0 ^ v1 ^ v2 ^ v3;
}

uint32_t bench_run(void) {
  uint32_t state = 15, sum = 0, base[WORDS], power[WORDS], exponent = 0x10001;
  inverse = 1;
  for (int i = 0; i < 5; i++)
    inverse *= 2 - modulus[0] * inverse;
  inverse = -inverse;
  for (int i = 0; i < WORDS; i++)
    power[i] = base[i] = bench_next(&state) | (uint32_t)i << 28;
  base[WORDS - 1] = power[WORDS - 1] &= 0x7fffffff;
  for (int round = 0; round < 2; round++)
    for (uint32_t bit = 1u << 16; bit >>= 1;) {
      multiply(power, power, power);
      if (exponent & bit)
        multiply(power, power, base);
    }
  for (int i = 0; i < WORDS; i++)
    sum = bench_mix(sum, power[i]);

  static uint64_t message[32];
  for (int i = 0; i < 32; i++)
    message[i] = (uint64_t)bench_next(&state) << 32 | bench_next(&state);
  for (int n = 0; n < 32; n += 3) {
    uint64_t h = siphash(0x0706050403020100u, message[0], message, n);
    sum = bench_mix(sum, (uint32_t)h ^ (uint32_t)(h >> 32));
  }
  int64_t total = 0;
  for (int i = 0; i < 32; i++) {
    int64_t x = (int64_t)message[i];
    total += x / 1000003 + (x % 10007) * (x > total ? 3 : -5);
    if (total < 0)
      total = -total >> 3;
  }
  return bench_mix(sum, (uint32_t)(total ^ total >> 32));
}

BENCH_EXPECT(0xaa2f9cc7);
