// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compression: an LZ77 format with byte tokens in the manner of LZ4, its decompressor, and run
// lengths with a move-to-front transform.

#include "bench.h"

#define SIZE 3000
#define MINIMUM 4

static uint8_t text[SIZE], packed[2 * SIZE], result[SIZE];
static uint16_t last[512];

static void make_text(void) {
  static const char *const words[] = {"matrix ", "vector ", "scratchpad ", "the ", "unit ",
                                      "of ",     "streams ", "weights ",   "a ",   "row, "};
  uint32_t state = 14, n = 0;
  while (n < SIZE)
    for (const char *w = words[bench_next(&state) % 10]; *w && n < SIZE; w++)
      text[n++] = (uint8_t)*w;
}

static uint32_t word_at(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint8_t *put_length(uint8_t *out, uint32_t n) {
  for (; n >= 255; n -= 255)
    *out++ = 255;
  *out++ = (uint8_t)n;
  return out;
}

static uint8_t *put_token(uint8_t *out, const uint8_t *literals, uint32_t count, uint32_t match,
                          uint32_t distance) {
  uint8_t *token = out++;
  *token = (uint8_t)((count < 15 ? count : 15) << 4 | (match < 15 ? match : 15));
  if (count >= 15)
    out = put_length(out, count - 15);
  while (count--)
    *out++ = *literals++;
  *out++ = (uint8_t)distance;
  *out++ = (uint8_t)(distance >> 8);
  if (match >= 15)
    out = put_length(out, match - 15);
  return out;
}

static uint32_t compress(void) {
  uint8_t *out = packed;
  uint32_t at = 0, literals = 0;
  while (at + MINIMUM < SIZE) {
    uint32_t word = word_at(text + at);
    uint16_t *slot = &last[word * 2654435761u >> 23];
    uint32_t candidate = *slot;
    *slot = (uint16_t)at;
    if (candidate < at && word_at(text + candidate) == word) {
      uint32_t n = MINIMUM;
      while (at + n < SIZE && text[candidate + n] == text[at + n])
        n++;
      out = put_token(out, text + literals, at - literals, n - MINIMUM + 1, at - candidate);
      at += n;
      literals = at;
    } else {
      at++;
    }
  }
  out = put_token(out, text + literals, SIZE - literals, 0, 0);
  return (uint32_t)(out - packed);
}

static const uint8_t *get_length(const uint8_t *in, uint32_t *n) {
  uint8_t byte;
  do
    *n += byte = *in++;
  while (byte == 255);
  return in;
}

static uint32_t decompress(const uint8_t *in, uint32_t size) {
  const uint8_t *end = in + size;
  uint8_t *out = result;
  while (in < end) {
    uint32_t token = *in++, count = token >> 4, match = token & 15;
    if (count == 15)
      in = get_length(in, &count);
    while (count--)
      *out++ = *in++;
    uint32_t distance = in[0] | (uint32_t)in[1] << 8;
    in += 2;
    if (match == 15)
      in = get_length(in, &match);
    if (match) {
      const uint8_t *from = out - distance;
      for (match += MINIMUM - 1; match; match--)
        *out++ = *from++;
    }
  }
  return (uint32_t)(out - result);
}

static uint32_t move_to_front(uint32_t n) {
  uint8_t order[256];
  uint32_t sum = 0, run = 0;
  for (int i = 0; i < 256; i++)
    order[i] = (uint8_t)i;
  for (uint32_t i = 0; i < n; i++) {
    uint8_t c = text[i];
    uint32_t position = 0;
    uint8_t moving = order[0];
    while (moving != c) {
      uint8_t next = order[++position];
      order[position] = moving;
      moving = next;
    }
    order[0] = c;
    if (position == 0) {
      run++;
    } else {
      sum = bench_mix(sum, position << 8 | run);
      run = 0;
    }
  }
  return sum;
}

uint32_t bench_run(void) {
  make_text();
  uint32_t size = compress(), sum = size;
  for (uint32_t i = 0; i < size; i++)
    sum = bench_mix(sum, packed[i]);
  for (int i = 0; i < 3; i++)
    sum += decompress(packed, size);
  for (uint32_t i = 0; i < SIZE; i++)
    sum += result[i] != text[i];
  return bench_mix(sum, move_to_front(1000));
}

BENCH_EXPECT(0x19fcbc43);
