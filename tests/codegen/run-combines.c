// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The combines of comparisons, signs, selects, double-word shifts and unaligned copies compute the
// same at every level: volatile operands give what -O0 gives, in a checksum.
//
// RUN: %cc -O0 %s -o %t.0 && %iss %t.0 > %t.expected
// RUN: %cc -O2 -mllvm -verify-machineinstrs %s -o %t.2 && %iss %t.2 | diff - %t.expected
// RUN: %cc -Os -mllvm -verify-machineinstrs %s -o %t.s && %iss %t.s | diff - %t.expected
// RUN: %cc -Oz -mllvm -verify-machineinstrs %s -o %t.z && %iss %t.z | diff - %t.expected

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const uint32_t values[] = {0,          1,          2,          14,         15,         16,
                                  127,        128,        255,        256,        2046,       2047,
                                  2048,       32767,      32768,      65535,      0x7ffffffe, 0x7fffffff,
                                  0x80000000, 0x80000001, 0xfffff7ff, 0xfffff800, 0xfffffffe, 0xffffffff};
#define COUNT (sizeof values / sizeof *values)

static uint64_t sum;
static void add(uint64_t x) { sum = (sum << 7 | sum >> 57) ^ x; }

#define LIMITS(F) F(-2049) F(-2048) F(-2) F(-1) F(0) F(1) F(14) F(15) F(2046) F(2047) F(2048) F(2147483646)
__attribute__((noinline)) static uint32_t limits(int32_t x, int32_t y) {
  uint32_t r = 0, u = (uint32_t)x;
#define BRANCH(c)                                                                                  \
  r = r * 3 + (x > (c)) + 2u * (x <= (c)) + 5u * (u > (uint32_t)(c)) + 7u * (u <= (uint32_t)(c));  \
  if (x > (c))                                                                                     \
    r ^= (uint32_t)y;                                                                              \
  if (u <= (uint32_t)(c))                                                                          \
    r += 99;
  LIMITS(BRANCH)
  return r;
}

__attribute__((noinline)) static uint32_t signs(int32_t x, uint32_t y) {
  uint32_t r = (uint32_t)((int8_t)x < 0 ? 27 : 0) + (uint32_t)((int16_t)x >= 0 ? 0 : y);
  r = r * 5 + (uint32_t)(x < 0) - (uint32_t)((int8_t)y < 0);
  r = r * 5 + (uint32_t)(x / 2) + (uint32_t)(x / 8) + (uint32_t)-(x < 0);
  return x & 0x100000 ? r : r + (y & 0x80000000 ? 1 : 2);
}

__attribute__((noinline)) static uint32_t steps(uint32_t x, int32_t a, int32_t b) {
  uint32_t r = a < b ? x + 1 : x;
  r = r * 3 + (a <= b ? x : x - 1);
  r = r * 3 + (a == b ? x | 1 : x);
  r = r * 3 + ((uint32_t)a > (uint32_t)b ? x : x ^ 1);
  r = r * 3 + (a & 1 ? x : 0) + (b & 1 ? 0 : x);
  return r * 3 + ((a & 1) == 0 ? x : (uint32_t)b) - x * -1;
}

__attribute__((noinline)) static uint64_t shifts(uint64_t x, uint32_t n) {
  uint64_t r = x << (n & 31);
  r = r * 3 + (x >> (n & 31));
  r = r * 3 + (uint64_t)((int64_t)x >> (n & 15));
  return r * 3 + (x << (n & 63)) + (x >> (n & 1));
}

struct pair {
  int16_t a, b;
};
struct bytes {
  uint8_t b[8];
};
__attribute__((noinline)) static void copies(struct pair *p, struct bytes *q, int distance) {
  struct pair t = p[0];
  p[0] = p[1];
  p[1] = t;
  memmove((uint8_t *)q + distance, q, 8); // may overlap
  q[2] = q[1];
}

int main(void) {
  for (unsigned i = 0; i < COUNT; i++)
    for (unsigned j = 0; j < COUNT; j++) {
      uint32_t x = values[i], y = values[j];
      add(limits((int32_t)x, (int32_t)y));
      add(signs((int32_t)x, y));
      add(steps(x ^ y << 3, (int32_t)x, (int32_t)y));
      add(shifts((uint64_t)x << 32 | y, x + y));
      struct pair p[2] = {{(int16_t)x, (int16_t)y}, {(int16_t)(x >> 16), (int16_t)(y >> 16)}};
      struct bytes q[3] = {{{1, 2, 3, (uint8_t)x, (uint8_t)y, 6, 7, 8}}};
      copies(p, q, (int)(x & 7));
      for (unsigned k = 0; k < sizeof p; k++)
        add(((uint8_t *)p)[k]);
      for (unsigned k = 0; k < sizeof q; k++)
        add(((uint8_t *)q)[k]);
    }
  printf("%016llx\n", (unsigned long long)sum);
  return 0;
}
