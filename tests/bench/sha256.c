// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 (FIPS 180-4), with messages of every length up to a few blocks.

#include "bench.h"

struct sha256 {
  uint32_t state[8], used;
  uint64_t length;
  uint8_t block[64];
};

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void compress(struct sha256 *h) {
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++) {
    const uint8_t *p = h->block + 4 * i;
    w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  for (int i = 0; i < 8; i++)
    v[i] = h->state[i];
  for (int i = 0; i < 64; i++) {
    uint32_t a = v[0], e = v[4];
    uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    uint32_t t1 = v[7] + s1 + ((e & v[5]) ^ (~e & v[6])) + constants[i] + w[i];
    uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    uint32_t t2 = s0 + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6];
    v[6] = v[5];
    v[5] = e;
    v[4] = v[3] + t1;
    v[3] = v[2];
    v[2] = v[1];
    v[1] = a;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++)
    h->state[i] += v[i];
}

static void start(struct sha256 *h) {
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0; i < 8; i++)
    h->state[i] = initial[i];
  h->used = 0;
  h->length = 0;
}

static void update(struct sha256 *h, const uint8_t *data, uint32_t size) {
  h->length += size;
  while (size--) {
    h->block[h->used++] = *data++;
    if (h->used == 64) {
      compress(h);
      h->used = 0;
    }
  }
}

static void finish(struct sha256 *h, uint8_t digest[32]) {
  uint64_t bits = h->length * 8;
  uint8_t byte = 0x80;
  update(h, &byte, 1);
  byte = 0;
  while (h->used != 56)
    update(h, &byte, 1);
  for (int i = 7; i >= 0; i--) {
    byte = (uint8_t)(bits >> (8 * i));
    update(h, &byte, 1);
  }
  for (int i = 0; i < 32; i++)
    digest[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}

uint32_t bench_run(void) {
  static uint8_t message[300];
  uint8_t digest[32];
  uint32_t sum = 0;
  for (uint32_t size = 0; size < sizeof message; size += 23) {
    struct sha256 h;
    start(&h);
    update(&h, message, size);
    finish(&h, digest);
    for (int i = 0; i < 32; i++) {
      sum = bench_mix(sum, digest[i]);
      message[(size + (uint32_t)i) % sizeof message] ^= digest[i];
    }
  }
  return sum;
}

BENCH_EXPECT(0x4b12b0ba);
