// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: copies and fills of all sizes and alignments by bytes and by words, overlapping moves,
// comparison, structures by value, a ring buffer.

#include "bench.h"

#define SIZE 1024

static uint32_t words[2 * SIZE / 4];
static uint8_t *const bytes = (uint8_t *)words;

static void copy_bytes(uint8_t *to, const uint8_t *from, uint32_t n) {
  while (n--)
    *to++ = *from++;
}

static void copy_words(uint32_t *to, const uint32_t *from, uint32_t n) {
  for (; n >= 4; n -= 4, to += 4, from += 4) {
    uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
  }
  while (n--)
    *to++ = *from++;
}

static void move(uint8_t *to, const uint8_t *from, uint32_t n) {
  if (to < from)
    for (uint32_t i = 0; i < n; i++)
      to[i] = from[i];
  else
    while (n--)
      to[n] = from[n];
}

static int compare(const uint8_t *a, const uint8_t *b, uint32_t n) {
  for (; n; n--, a++, b++)
    if (*a != *b)
      return *a - *b;
  return 0;
}

struct message {
  uint32_t id;
  uint16_t length;
  uint8_t kind, flags;
  uint8_t payload[16];
};

static struct message ring[16];
static uint32_t head, tail;

static int enqueue(struct message m) {
  if (head - tail == 16)
    return 0;
  ring[head++ % 16] = m;
  return 1;
}

static struct message dequeue(void) { return ring[tail++ % 16]; }

static uint32_t swap_bytes(uint32_t x) {
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

static uint32_t checksum(void) {
  uint32_t sum = 0;
  for (int i = 0; i < 2 * SIZE / 4; i++)
    sum = bench_mix(sum, words[i]);
  return sum;
}

uint32_t bench_run(void) {
  uint32_t state = 12, sum = 0;
  for (int i = 0; i < 2 * SIZE / 4; i++)
    words[i] = bench_next(&state);
  for (uint32_t n = 0; n < 40; n++) {
    copy_bytes(bytes + SIZE + n, bytes + (n & 7), n);
    move(bytes + n, bytes + n / 2, 3 * n);
    move(bytes + n, bytes + 2 * n, 2 * n);
    sum += (uint32_t)compare(bytes + n, bytes + n + 4, 64);
  }
  sum += checksum();
  for (uint32_t n = 0; n < 12; n++) {
    copy_words(words + SIZE / 4, words + n, SIZE / 4 - n);
    copy_bytes(bytes, bytes + SIZE, SIZE / 2);
  }
  for (int i = 0; i < SIZE / 4; i++)
    words[i] = swap_bytes(words[i]);
  sum += checksum();
  for (uint32_t i = 0; i < 400; i++) {
    struct message m = {0};
    m.id = i;
    m.length = (uint16_t)(i * 3);
    m.kind = (uint8_t)i;
    m.payload[i & 15] = (uint8_t)(i >> 2);
    while (!enqueue(m)) {
      struct message got = dequeue();
      sum = bench_mix(sum, got.id + got.length + got.kind + got.payload[5]);
    }
  }
  return sum;
}

BENCH_EXPECT(0x44e8f56b);
