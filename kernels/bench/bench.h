// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of this folder share: random data and the line that each case prints,
//
//   BENCH name=NAME/CASE cycles=C macs=M [FIELD=N ...] ok=0|1
//
// whose fields scripts/npu_cli/bench.py describes.

#ifndef BENCH_H
#define BENCH_H

#include <npu/cycles.h>
#include <npu/dma.h>
#include <npu/placement.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline uint32_t random_word(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

enum { BENCH_PATTERN = 16411 }; // bytes; divides nothing

// Copies of a random pattern, made by the DMA: the core's own accesses to DRAM would take most of
// the simulation. Each word of the pattern is masked. work: BENCH_PATTERN + 1 bytes in the
// scratchpad.
static inline void bench_fill(void *to, uint32_t bytes, uint32_t mask, void *work) {
  for (uint32_t i = 0; i < BENCH_PATTERN / 4 + 1; ++i)
    ((uint32_t *)work)[i] = random_word() & mask;
  for (uint32_t at = 0; at < bytes; at += BENCH_PATTERN)
    npu_dma_copy((uint8_t *)to + at, work, bytes - at < BENCH_PATTERN ? bytes - at : BENCH_PATTERN);
}

static inline int8_t bench_clamp(int32_t x) {
  return (int8_t)(x < -128 ? -128 : x > 127 ? 127 : x);
}

// What the multiplier 2^30 and `shift` to the right make of a sum: half of it, rounded, / 2^shift,
// rounded.
static inline int8_t bench_requantize(int32_t sum, int32_t shift) {
  const int32_t half = (sum + 1) >> 1, mask = (1 << shift) - 1;
  return bench_clamp((half >> shift) + ((half & mask) > (mask >> 1) + (half < 0)));
}

// MultiplyByQuantizedMultiplier, shift <= 0.
static inline int32_t bench_mbqm(int32_t x, int32_t multiplier, int32_t shift) {
  const int64_t product = (int64_t)x * multiplier;
  const int32_t high =
      (int32_t)((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / (1LL << 31));
  const int32_t mask = (int32_t)((1u << -shift) - 1), rest = high & mask;
  return (high >> -shift) + (rest > (mask >> 1) + (high < 0));
}

// Whether the program's argument, if there is one, is what the name begins with.
static inline int bench_chosen(const char *name, int argc, char **argv) {
  return argc < 2 || strncmp(name, argv[1], strlen(argv[1])) == 0;
}

// A line: first this, the name as by printf; then bench_field for each further field; then
// bench_end, which returns ok.
__attribute__((format(printf, 3, 4))) static inline void bench_line(uint32_t cycles, uint32_t macs,
                                                                    const char *name, ...) {
  va_list arguments;
  va_start(arguments, name);
  printf("BENCH name=");
  vprintf(name, arguments);
  va_end(arguments);
  printf(" cycles=%lu macs=%lu", (unsigned long)cycles, (unsigned long)macs);
}

static inline void bench_field(const char *name, uint32_t value) {
  printf(" %s=%lu", name, (unsigned long)value);
}

static inline int bench_end(int ok) {
  printf(" ok=%d\n", ok);
  return ok;
}

#endif // BENCH_H
