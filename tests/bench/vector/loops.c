// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Twenty plain C loops of the kind that surrounds matrix operations in a network, for the loop
// vectorizer. Each is a function of its own on arrays of its own; LENGTH is odd, so every loop has
// a tail. Prints a line for each: name, checksum of everything it wrote and, with any argument, cycles.

#include <stdint.h>

int printf(const char *, ...);
void *memset(void *, int, __SIZE_TYPE__);

#define LENGTH 1003

static int8_t a8[LENGTH], b8[LENGTH], c8[LENGTH];
static uint8_t u8[LENGTH];
static int16_t a16[LENGTH], b16[LENGTH], c16[LENGTH];
static int32_t a32[LENGTH], b32[LENGTH], c32[LENGTH];
static int8_t table[256];
static int32_t scalar_result;

#define LOOP(name) static void __attribute__((noinline)) name(int n)

LOOP(add_int8) {
  for (int i = 0; i < n; ++i)
    c8[i] = (int8_t)(a8[i] + b8[i]);
}
LOOP(saxpy_int8) {
  for (int i = 0; i < n; ++i)
    c8[i] = (int8_t)(3 * a8[i] + b8[i]);
}
LOOP(saxpy_int16) {
  for (int i = 0; i < n; ++i)
    c16[i] = (int16_t)(7 * a16[i] + b16[i]);
}
LOOP(saxpy_int32) {
  for (int i = 0; i < n; ++i)
    c32[i] = 11 * a32[i] + b32[i];
}
LOOP(dot_int8) {
  int32_t sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a8[i] * b8[i];
  scalar_result = sum;
}
LOOP(dot_int16) {
  int32_t sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a16[i] * b16[i];
  scalar_result = sum;
}
LOOP(sum_uint8) {
  uint32_t sum = 0;
  for (int i = 0; i < n; ++i)
    sum += u8[i];
  scalar_result = (int32_t)sum;
}
LOOP(max_int8) {
  int8_t best = -128;
  for (int i = 0; i < n; ++i)
    best = a8[i] > best ? a8[i] : best;
  scalar_result = best;
}
LOOP(min_int32) {
  int32_t best = INT32_MAX;
  for (int i = 0; i < n; ++i)
    best = a32[i] < best ? a32[i] : best;
  scalar_result = best;
}
LOOP(relu_int8) {
  for (int i = 0; i < n; ++i)
    c8[i] = a8[i] > 0 ? a8[i] : 0;
}
LOOP(clamp_int32) {
  for (int i = 0; i < n; ++i) {
    int32_t v = a32[i];
    v = v < -1000 ? -1000 : v;
    c32[i] = v > 1000 ? 1000 : v;
  }
}
LOOP(clamp_to_int8) {
  for (int i = 0; i < n; ++i) {
    int32_t v = a32[i] >> 8;
    v = v < -128 ? -128 : v;
    c8[i] = (int8_t)(v > 127 ? 127 : v);
  }
}
LOOP(widen_int8) {
  for (int i = 0; i < n; ++i)
    c32[i] = a8[i] - 5;
}
LOOP(widen_uint8_int16) {
  for (int i = 0; i < n; ++i)
    c16[i] = (int16_t)(u8[i] - 128);
}
LOOP(absolute_difference) {
  for (int i = 0; i < n; ++i) {
    int16_t d = (int16_t)(a8[i] - b8[i]);
    c16[i] = d < 0 ? (int16_t)-d : d;
  }
}
LOOP(table_lookup) {
  for (int i = 0; i < n; ++i)
    c8[i] = table[u8[i]];
}
LOOP(copy_bytes) {
  for (int i = 0; i < n; ++i)
    c8[i] = a8[i];
}
LOOP(fill_words) {
  for (int i = 0; i < n; ++i)
    c32[i] = 0x01020304;
}

// TFLite's quantized addition, as its reference kernel defines it.
static inline int32_t doubling_high(int32_t a, int32_t b) {
  int64_t ab = (int64_t)a * b;
  int32_t nudge = ab >= 0 ? 1 << 30 : 1 - (1 << 30);
  return (int32_t)((ab + nudge) / ((int64_t)1 << 31));
}
static inline int32_t divide_by_pot(int32_t x, int exponent) {
  int32_t mask = (int32_t)((1u << exponent) - 1), remainder = x & mask;
  int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}
LOOP(residual_add) {
  for (int i = 0; i < n; ++i) {
    int32_t x = divide_by_pot(doubling_high((a8[i] + 3) * (1 << 20), 1518500250), 1);
    int32_t y = divide_by_pot(doubling_high((b8[i] - 7) * (1 << 20), 1288490189), 1);
    int32_t v = divide_by_pot(doubling_high(x + y, 1417339208), 18) - 4;
    v = v < -128 ? -128 : v;
    c8[i] = (int8_t)(v > 127 ? 127 : v);
  }
}
// Pairs of rows of 2 x 2 windows, one channel after the other.
LOOP(average_pool) {
  int half = n / 2;
  for (int i = 0; i < half; ++i) {
    int32_t sum = a8[i] + a8[i + half] + b8[i] + b8[i + half];
    c8[i] = (int8_t)(sum >= 0 ? (sum + 2) / 4 : (sum - 2) / 4);
  }
}

static const struct {
  const char *name;
  void (*run)(int);
} kLoops[] = {
#define ENTRY(name) {#name, name}
    ENTRY(add_int8),      ENTRY(saxpy_int8),        ENTRY(saxpy_int16),
    ENTRY(saxpy_int32),   ENTRY(dot_int8),          ENTRY(dot_int16),
    ENTRY(sum_uint8),     ENTRY(max_int8),          ENTRY(min_int32),
    ENTRY(relu_int8),     ENTRY(clamp_int32),       ENTRY(clamp_to_int8),
    ENTRY(widen_int8),    ENTRY(widen_uint8_int16), ENTRY(absolute_difference),
    ENTRY(table_lookup),  ENTRY(copy_bytes),        ENTRY(fill_words),
    ENTRY(residual_add),  ENTRY(average_pool),
};

static uint32_t cycles(void) {
#ifdef __npu__
  return (uint32_t)__builtin_readcyclecounter();
#else
  return 0;
#endif
}

static uint32_t checksum(uint32_t sum, const void *data, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    sum = (sum << 5 | sum >> 27) ^ ((const uint8_t *)data)[i];
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  uint32_t state = 1;
  for (int i = 0; i < LENGTH; ++i) {
    state = state * 1664525u + 1013904223u;
    a8[i] = (int8_t)(state >> 24);
    b8[i] = (int8_t)(state >> 16);
    u8[i] = (uint8_t)(state >> 11);
    a16[i] = (int16_t)(state >> 9);
    b16[i] = (int16_t)(state >> 13);
    a32[i] = (int32_t)state >> 5;
    b32[i] = (int32_t)(state * 77u);
    table[i & 255] = (int8_t)(state >> 19);
  }
  for (unsigned k = 0; k < sizeof kLoops / sizeof kLoops[0]; ++k) {
    memset(c8, 0x55, sizeof c8);
    memset(c16, 0x55, sizeof c16);
    memset(c32, 0x55, sizeof c32);
    scalar_result = 0;
    uint32_t sum = 0;
    // Short lengths try the ends of the loops; the last one is timed.
    for (int n = 0; n < 200; n += 1 + n / 4) {
      kLoops[k].run(n);
      sum = checksum(sum, &scalar_result, sizeof scalar_result);
    }
    uint32_t begin = cycles();
    kLoops[k].run(LENGTH);
    uint32_t end = cycles();
    sum = checksum(sum, c8, sizeof c8);
    sum = checksum(sum, c16, sizeof c16);
    sum = checksum(sum, c32, sizeof c32);
    sum = checksum(sum, &scalar_result, sizeof scalar_result);
    printf("%s %08lx", kLoops[k].name, (unsigned long)sum);
    if (argc > 1)
      printf(" %lu", (unsigned long)(end - begin));
    printf("\n");
  }
  return 0;
}
