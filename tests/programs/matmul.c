// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of awkward sizes against scalar C.
//
// RUN: %cc -O2 -Wall -Werror %s -lnpukernels -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s

#include <npu/matmul.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 160, COLUMNS = 64 };

static int8_t lhs[LARGEST * COLUMNS], rhs[COLUMNS * COLUMNS], out[LARGEST * COLUMNS];
static _Alignas(16) uint8_t packed[8192];
static int32_t multiplier[COLUMNS], shift[COLUMNS], bias[COLUMNS];

static uint32_t random_word(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static int check(int32_t m, int32_t k, int32_t n, int32_t lhs_pad, int32_t out_pad) {
  const npu_matmul_dims dims = {m, k, n};
  const npu_matmul_params params = {.lhs_stride = k + lhs_pad,
                                    .out_stride = n + out_pad,
                                    .output_offset = -7,
                                    .activation_min = -90,
                                    .activation_max = 100};
  const npu_per_channel_quant quant = {multiplier, shift};
  for (int32_t i = 0; i < LARGEST * COLUMNS; ++i) {
    lhs[i] = (int8_t)random_word();
    out[i] = 0x55;
  }
  for (int32_t i = 0; i < k * n; ++i)
    rhs[i] = (int8_t)random_word();
  for (int32_t j = 0; j < n; ++j) {
    multiplier[j] = 1 << 30;
    bias[j] = (int32_t)(random_word() % 2000) - 1000;
    shift[j] = -7;
  }
  if (npu_matmul_s8_get_packed_size(&dims) > sizeof packed ||
      npu_matmul_s8_pack(&dims, &quant, rhs, bias, packed) != NPU_OK ||
      npu_matmul_s8(&params, &dims, lhs, packed, out) != NPU_OK)
    return 0;
  for (int32_t i = 0; i < m; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      int32_t sum = bias[j];
      for (int32_t x = 0; x < k; ++x)
        sum += lhs[i * (k + lhs_pad) + x] * rhs[x * n + j];
      const int32_t half = (sum + 1) >> 1;
      int32_t value = (half >> 7) + ((half & 127) > (half < 0 ? 64 : 63)) - 7;
      value = value < -90 ? -90 : value > 100 ? 100 : value;
      if (out[i * (n + out_pad) + j] != value)
        return 0;
    }
    if (out_pad > 0 && out[i * (n + out_pad) + n] != 0x55)
      return 0;
  }
  return 1;
}

int main(void) {
  static const int32_t cases[][5] = {{1, 1, 1, 0, 0},     {16, 16, 16, 0, 0},  {5, 17, 3, 0, 1},
                                     {128, 16, 16, 0, 0}, {129, 20, 18, 3, 2}, {160, 33, 40, 0, 0},
                                     {7, 64, 64, 0, 0}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const int32_t *c = cases[i];
    printf("%ldx%ldx%ld %s\n", (long)c[0], (long)c[1], (long)c[2],
           check(c[0], c[1], c[2], c[3], c[4]) ? "ok" : "differs");
  }
  return 0;
}

// CHECK: 1x1x1 ok
// CHECK-NEXT: 16x16x16 ok
// CHECK-NEXT: 5x17x3 ok
// CHECK-NEXT: 128x16x16 ok
// CHECK-NEXT: 129x20x18 ok
// CHECK-NEXT: 160x33x40 ok
// CHECK-NEXT: 7x64x64 ok
