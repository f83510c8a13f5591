// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
//
// int8 matrix multiplication with all operands in the scratchpad; matmul_dram.c has the larger
// ones. Two lines a size:
//   BENCH name=matmul_int8/MxKxN cycles=C macs=M dram_bytes=0 ok=0|1
// counts 8 products issued one behind the other, from the first call until the last byte is
// written;
//   BENCH name=matmul_int8_single/MxKxN ...
// counts one call on its own, with all that the core does before the array starts.

#include "bench.h"

#include <npu/matmul.h>
#include <npu_intrinsics.h>

enum {
  REPEATS = 8,
  LARGEST = 128,
  PITCH = LARGEST + 16, // successive rows start in different banks
  CHANNEL_BLOCK = 144 + 256 * (LARGEST / 16),
};

static int8_t lhs[LARGEST * PITCH], out[LARGEST * PITCH], rhs[LARGEST * LARGEST];
static _Alignas(16) uint8_t packed[LARGEST / 16 * CHANNEL_BLOCK];
static int32_t multiplier[LARGEST], shift[LARGEST], bias[LARGEST];

// With the multiplier 2^30 and the shift 0 the result is half the sum, so the check is plain.
static int8_t expected(int32_t row, int32_t column, int32_t size) {
  int32_t sum = bias[column];
  for (int32_t k = 0; k < size; ++k)
    sum += lhs[row * (size + 16) + k] * rhs[k * size + column];
  return bench_requantize(sum, 0);
}

// Every element of the smaller products, one in 61 of the larger ones.
static int matches(int32_t size) {
  const int32_t step = size > 64 ? 61 : 1;
  for (int32_t i = 0; i < size * size; i += step)
    if (out[i / size * (size + 16) + i % size] != expected(i / size, i % size, size))
      return 0;
  return 1;
}

static void report(const char *name, int32_t size, int32_t products, uint32_t cycles, int ok) {
  bench_line(cycles, (uint32_t)(products * size * size * size), "%s/%ldx%ldx%ld", name, (long)size,
             (long)size, (long)size);
  bench_field("dram_bytes", 0);
  bench_end(ok);
}

static int measure(int32_t size) {
  const npu_matmul_dims dims = {size, size, size};
  const npu_matmul_params params = {.lhs_stride = size + 16,
                                    .out_stride = size + 16,
                                    .activation_min = -128,
                                    .activation_max = 127};
  const npu_per_channel_quant quant = {multiplier, shift};
  for (int32_t i = 0; i < size; ++i) {
    multiplier[i] = 1 << 30;
    bias[i] = (int32_t)(random_word() % 64) - 32;
  }
  // Small values: sums that mostly do not saturate.
  for (int32_t i = 0; i < size * size; ++i) {
    lhs[i / size * (size + 16) + i % size] = (int8_t)(random_word() % 5) - 2;
    rhs[i] = (int8_t)(random_word() % 7) - 3;
  }
  memset(out, 0x55, sizeof out);
  int ok = npu_matmul_s8_pack(&dims, &quant, rhs, bias, packed) == NPU_OK;

  const uint32_t start = npu_cycles32();
  ok &= npu_matmul_s8(&params, &dims, lhs, packed, out) == NPU_OK;
  const uint32_t single = npu_cycles32() - start;
  ok &= matches(size);
  report("matmul_int8_single", size, 1, single, ok);

  memset(out, 0x55, sizeof out);
  uint32_t ticket = 0;
  const uint32_t start_all = npu_cycles32();
  for (int i = 0; i < REPEATS; ++i)
    ok &= npu_matmul_s8_start(&params, &dims, lhs, packed, out, &ticket) == NPU_OK;
  npu_wait(ticket);
  const uint32_t all = npu_cycles32() - start_all;
  ok &= matches(size);
  report("matmul_int8", size, REPEATS, all, ok);
  return ok;
}

int main(void) {
  int ok = 1;
  for (int32_t size = 16; size <= LARGEST; size *= 2)
    ok &= measure(size);
  return !ok;
}
