// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs that measure vector and layout operators share: operands in DRAM and in the
// scratchpad, one measured call a line:
//   BENCH name=NAME/CASE cycles=C macs=0 read=R write=W ok=0|1
// R and W are the bytes that the case has to move from and to DRAM.

#ifndef VECTOR_BENCH_H
#define VECTOR_BENCH_H

#include "bench.h"

#include <npu/nn_types.h>

enum { SMALL = 8192, LARGE = 65536 };

// Inputs x and y, output z, of a place: [0] in DRAM, [1] in the scratchpad.
typedef struct operands {
  int8_t *x, *y, *z;
  uint32_t bytes; // of each
} operands;

static _Alignas(64) NPU_DRAM_BSS int8_t dram_x[4 * LARGE], dram_y[LARGE], dram_z[4 * LARGE];
static _Alignas(64) int8_t tcm_x[4 * SMALL], tcm_y[SMALL], tcm_z[SMALL];
static _Alignas(16) uint8_t scratch[32768];
static const npu_context context = {scratch, sizeof scratch};
static const operands places[] = {{dram_x, dram_y, dram_z, LARGE}, {tcm_x, tcm_y, tcm_z, SMALL}};

// The DMA writes DRAM: the core's own accesses there would take most of the simulation.
static inline void fill_operands(void) {
  for (uint32_t i = 0; i < sizeof tcm_x; ++i) {
    const uint32_t word = random_word();
    tcm_x[i] = (int8_t)word;
    tcm_y[i % sizeof tcm_y] = (int8_t)(word >> 16);
  }
  // Not a whole number of times, so that neighbouring pieces differ.
  const uint32_t piece = sizeof tcm_x - 1000;
  for (uint32_t i = 0; i < sizeof dram_x; i += piece)
    npu_dma_copy(dram_x + i, tcm_x, i + piece < sizeof dram_x ? piece : sizeof dram_x - i);
  for (uint32_t i = 0; i < sizeof dram_y; i += sizeof tcm_y)
    npu_dma_copy(dram_y + i, tcm_y, sizeof tcm_y);
}

// Of the elements that a check looks at.
enum { CHECK_STEP = 37 };

// Runs an operator on operands; what it reads beside them is its own.
typedef npu_status operation(const operands *o, uint32_t n, const void *arguments);

static npu_status __attribute__((noinline)) measured_call(operation *run, const operands *o,
                                                          uint32_t n, const void *arguments) {
  return run(o, n, arguments);
}

typedef int check(const operands *o, uint32_t n, const void *arguments);

// One line. form: what stands in front of the number of elements.
static inline int measure(const char *name, const char *form, operation *run, check *right,
                          const operands *o, uint32_t n, const void *arguments, uint32_t read,
                          uint32_t write) {
  const int in_dram = o == &places[0];
  npu_dma_fill(o->z, 0x55, n < o->bytes ? n : o->bytes);
  const uint32_t start = npu_cycles32();
  int ok = measured_call(run, o, n, arguments) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;
  ok = ok && right(o, n, arguments);
  bench_line(cycles, 0, "%s%s/%s%lu", name, in_dram ? "" : "_tcm", form, (unsigned long)n);
  bench_field("read", in_dram ? read : 0);
  bench_field("write", in_dram ? write : 0);
  return bench_end(ok);
}

#endif // VECTOR_BENCH_H
