// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AES-128, byte by byte as FIPS 197 describes it: encryption and decryption in CBC mode.

#include "bench.h"

#define BLOCKS 12

static uint8_t sbox[256], inverse[256], round_keys[176];

static uint8_t xtime(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }

static uint8_t multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b; b >>= 1, a = xtime(a))
    if (b & 1)
      product ^= a;
  return product;
}

static void make_sboxes(void) {
  // p walks through all powers of 3, q through their inverses.
  uint8_t p = 1, q = 1;
  do {
    p = (uint8_t)(p ^ xtime(p));
    q ^= (uint8_t)(q << 1);
    q ^= (uint8_t)(q << 2);
    q ^= (uint8_t)(q << 4);
    if (q & 0x80)
      q ^= 0x09;
    uint8_t x = q;
    for (int i = 1; i < 5; i++)
      x ^= (uint8_t)(q << i | q >> (8 - i));
    sbox[p] = x ^ 0x63;
  } while (p != 1);
  sbox[0] = 0x63;
  for (int i = 0; i < 256; i++)
    inverse[sbox[i]] = (uint8_t)i;
}

static void expand_key(const uint8_t key[16]) {
  uint8_t constant = 1;
  for (int i = 0; i < 16; i++)
    round_keys[i] = key[i];
  for (int i = 16; i < 176; i += 4) {
    uint8_t t[4];
    for (int j = 0; j < 4; j++)
      t[j] = round_keys[i - 4 + j];
    if (i % 16 == 0) {
      uint8_t first = t[0];
      t[0] = sbox[t[1]] ^ constant;
      t[1] = sbox[t[2]];
      t[2] = sbox[t[3]];
      t[3] = sbox[first];
      constant = xtime(constant);
    }
    for (int j = 0; j < 4; j++)
      round_keys[i + j] = round_keys[i - 16 + j] ^ t[j];
  }
}

static void add_round_key(uint8_t s[16], int round) {
  for (int i = 0; i < 16; i++)
    s[i] ^= round_keys[16 * round + i];
}

static void shift_rows(uint8_t s[16], int step, const uint8_t *box) {
  uint8_t t[16];
  for (int i = 0; i < 16; i++)
    t[i] = box[s[(i + step * 4 * (i % 4)) % 16]];
  for (int i = 0; i < 16; i++)
    s[i] = t[i];
}

static void mix_columns(uint8_t s[16]) {
  for (uint8_t *c = s; c < s + 16; c += 4) {
    uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];
    c[0] ^= all ^ xtime(c[0] ^ c[1]);
    c[1] ^= all ^ xtime(c[1] ^ c[2]);
    c[2] ^= all ^ xtime(c[2] ^ c[3]);
    c[3] ^= all ^ xtime(c[3] ^ first);
  }
}

static void unmix_columns(uint8_t s[16]) {
  for (uint8_t *c = s; c < s + 16; c += 4) {
    uint8_t a = c[0], b = c[1], d = c[2], e = c[3];
    c[0] = multiply(a, 14) ^ multiply(b, 11) ^ multiply(d, 13) ^ multiply(e, 9);
    c[1] = multiply(a, 9) ^ multiply(b, 14) ^ multiply(d, 11) ^ multiply(e, 13);
    c[2] = multiply(a, 13) ^ multiply(b, 9) ^ multiply(d, 14) ^ multiply(e, 11);
    c[3] = multiply(a, 11) ^ multiply(b, 13) ^ multiply(d, 9) ^ multiply(e, 14);
  }
}

static void encrypt(uint8_t s[16]) {
  add_round_key(s, 0);
  for (int round = 1; round <= 10; round++) {
    shift_rows(s, 1, sbox);
    if (round < 10)
      mix_columns(s);
    add_round_key(s, round);
  }
}

static void decrypt(uint8_t s[16]) {
  for (int round = 10; round >= 1; round--) {
    add_round_key(s, round);
    if (round < 10)
      unmix_columns(s);
    shift_rows(s, 3, inverse);
  }
  add_round_key(s, 0);
}

uint32_t bench_run(void) {
  static uint8_t text[BLOCKS][16];
  uint8_t key[16], chain[16] = {0}, previous[16] = {0};
  uint32_t state = 4, sum = 0;
  for (int i = 0; i < 16; i++)
    key[i] = (uint8_t)bench_next(&state);
  make_sboxes();
  expand_key(key);
  for (int b = 0; b < BLOCKS; b++) {
    for (int i = 0; i < 16; i++)
      chain[i] ^= (uint8_t)(b * 16 + i);
    encrypt(chain);
    for (int i = 0; i < 16; i++) {
      text[b][i] = chain[i];
      sum = bench_mix(sum, chain[i]);
    }
  }
  for (int b = 0; b < BLOCKS; b++) {
    uint8_t s[16];
    for (int i = 0; i < 16; i++)
      s[i] = text[b][i];
    decrypt(s);
    for (int i = 0; i < 16; i++) {
      sum = bench_mix(sum, (uint32_t)(s[i] ^ previous[i]));
      previous[i] = text[b][i];
    }
  }
  return sum;
}

BENCH_EXPECT(0x446e16ec);
