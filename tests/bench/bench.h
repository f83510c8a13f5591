// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a benchmark of the compiler and its driver share. A program defines bench_run, which works
// on data of its own and returns a checksum of all it computed, and says with BENCH_EXPECT which
// one the host's compiler got. Only <stdint.h> is needed, so every compiler sees the same source.

#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

uint32_t bench_run(void);
extern const uint32_t bench_expected;

#define BENCH_EXPECT(checksum) const uint32_t bench_expected = checksum

// Numbers that look random; the same ones everywhere.
static inline uint32_t bench_next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static inline uint32_t bench_mix(uint32_t sum, uint32_t value) {
  return (sum << 5 | sum >> 27) ^ value;
}

#endif // BENCH_H
