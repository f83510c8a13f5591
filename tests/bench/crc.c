// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CRC-32 by table and by nibbles, CRC-16 bit by bit, Adler-32 and Fletcher-16.

#include "bench.h"

#define SIZE 3000

static uint8_t data[SIZE];
static uint32_t table[256];

static void make_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[i] = c;
  }
}

static uint32_t crc32(const uint8_t *p, uint32_t size) {
  uint32_t c = ~0u;
  while (size--)
    c = table[(c ^ *p++) & 255] ^ c >> 8;
  return ~c;
}

static uint32_t crc32_nibbles(const uint8_t *p, uint32_t size) {
  uint32_t c = ~0u;
  for (uint32_t i = 0; i < size; i++) {
    c ^= p[i];
    c = table[(c & 15) * 16] ^ c >> 4;
    c = table[(c & 15) * 16] ^ c >> 4;
  }
  return ~c;
}

static uint16_t crc16_ccitt(const uint8_t *p, uint32_t size) {
  uint16_t c = 0xffff;
  for (uint32_t i = 0; i < size; i++) {
    c ^= (uint16_t)(p[i] << 8);
    for (int k = 0; k < 8; k++)
      c = c & 0x8000 ? (uint16_t)(c << 1 ^ 0x1021) : (uint16_t)(c << 1);
  }
  return c;
}

static uint32_t adler32(const uint8_t *p, uint32_t size) {
  uint32_t a = 1, b = 0;
  while (size) {
    uint32_t chunk = size < 1000 ? size : 1000;
    size -= chunk;
    while (chunk--) {
      a += *p++;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}

static uint16_t fletcher16(const uint8_t *p, uint32_t size) {
  uint16_t a = 0, b = 0;
  for (uint32_t i = 0; i < size; i++) {
    a = (uint16_t)(a + p[i]);
    if (a >= 255)
      a = (uint16_t)(a - 255);
    b = (uint16_t)(b + a);
    if (b >= 255)
      b = (uint16_t)(b - 255);
  }
  return (uint16_t)(b << 8 | a);
}

uint32_t bench_run(void) {
  uint32_t state = 3;
  for (int i = 0; i < SIZE; i++)
    data[i] = (uint8_t)bench_next(&state);
  make_table();
  uint32_t sum = crc32(data, SIZE);
  sum = bench_mix(sum, crc32_nibbles(data, SIZE));
  sum = bench_mix(sum, crc16_ccitt(data, SIZE));
  sum = bench_mix(sum, adler32(data, SIZE));
  return bench_mix(sum, fletcher16(data, SIZE));
}

BENCH_EXPECT(0xa4d364a0);
