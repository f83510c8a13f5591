// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side: prints the checksum that a benchmark's source must state.

#include "bench.h"
#include <inttypes.h>
#include <stdio.h>

int main(void) {
  uint32_t sum = bench_run();
  printf("0x%08" PRIx32 "\n", sum);
  return sum != bench_expected;
}
