// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target side: runs one benchmark, prints the cycles it took, fails on a wrong checksum.

#include "bench.h"
#include <npu/cycles.h>
#include <stdio.h>

int main(void) {
  uint32_t start = npu_cycles32();
  uint32_t sum = bench_run();
  uint32_t cycles = npu_cycles32() - start;
  printf("BENCH cycles=%lu checksum=%08lx\n", (unsigned long)cycles, (unsigned long)sum);
  return sum != bench_expected;
}
