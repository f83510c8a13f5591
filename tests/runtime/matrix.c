// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intrinsics of the matrix unit against scalar C: windows of several rows, accumulation, both halves,
// raw and requantized drains, and what is reported for operands out of range.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s

#include <npu_intrinsics.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PIXELS = 40, WIDTH = 8 };

static int8_t activations[4096];
static _Alignas(4) int8_t weights[2][16][16];
static int32_t sums[PIXELS][16], raw[PIXELS][16];
static int8_t bytes[PIXELS * 20], wanted[PIXELS * 20];
static struct {
  int32_t bias[16], multiplier[16];
  int8_t shift[16];
} table;

static uint32_t random_word(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static int32_t requantize(int32_t x, int32_t m, int32_t h) {
  const int64_t product = (int64_t)(int32_t)((uint32_t)x << (h > 0 ? h : 0)) * m;
  const int64_t high = (product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / (1LL << 31);
  const int32_t mask = (int32_t)((1u << (h > 0 ? 0 : -h)) - 1);
  const int32_t threshold = (mask >> 1) + (high < 0);
  return (int32_t)(high >> (h > 0 ? 0 : -h)) + (((int32_t)high & mask) > threshold);
}

// Halves away from zero, of the whole product.
static int32_t requantize_once(int32_t x, int32_t m, int32_t h) {
  const int64_t product = (int64_t)(int32_t)((uint32_t)x << (h > 0 ? h : 0)) * m;
  const int64_t divisor = 1LL << (h > 0 ? 31 : 31 - h);
  return (int32_t)((product + (product < 0 ? -(divisor / 2) : divisor / 2)) / divisor);
}

// The window of the manual, chapter 4, byte by byte.
static void accumulate(int32_t start, int32_t k, int32_t first, int32_t rowlen, int32_t rowstride,
                       int32_t xstride, int32_t ystride, int8_t w[16][16], int clear) {
  for (int p = 0; p < PIXELS; ++p) {
    const int32_t at = start + p % WIDTH * xstride + p / WIDTH * ystride;
    for (int n = 0; n < 16; ++n) {
      int32_t sum = clear ? 0 : sums[p][n];
      for (int32_t i = 0; i < k; ++i) {
        const int32_t later = i - first;
        const int32_t byte =
            first == 0 || later < 0
                ? at + i
                : at + first - rowlen + (later / rowlen + 1) * rowstride + later % rowlen;
        sum += activations[byte] * w[i][n];
      }
      sums[p][n] = sum;
    }
  }
}

int main(void) {
  for (int i = 0; i < (int)sizeof activations; ++i)
    activations[i] = (int8_t)random_word();
  for (int i = 0; i < 512; ++i)
    (&weights[0][0][0])[i] = (int8_t)random_word();
  for (int n = 0; n < 16; ++n) {
    table.bias[n] = (int32_t)(random_word() % 20000) - 10000;
    table.multiplier[n] = (int32_t)(0x40000000 + random_word() % 0x40000000);
    table.shift[n] = (int8_t)(-5 - (int)(random_word() % 6));
  }
  table.shift[3] = 2;

  // Two steps of a 3 x 3 window over 3 channels, in the upper half.
  npu_csr_write(NPU_CSR_NROWLEN, 9);
  npu_csr_write(NPU_CSR_NROWSTRIDE, 80);
  npu_csr_write(NPU_CSR_NXCOUNT, WIDTH);
  npu_csr_write(NPU_CSR_NXSTRIDE, 3);
  npu_csr_write(NPU_CSR_NYSTRIDE, 80);
  npu_mac_ldw(weights[0], 16);
  npu_mac_run(activations + 5, npu_mac_run_ctl(130, PIXELS, 16, 9, NPU_MAC_SWAP));
  npu_mac_ldw(weights[1], 11);
  npu_mac_run(activations + 5 + 80 + 7,
              npu_mac_run_ctl(130, PIXELS, 11, 2, NPU_MAC_SWAP | NPU_MAC_ACC));
  npu_csr_write(NPU_CSR_NOXSTRIDE, 64);
  npu_csr_write(NPU_CSR_NOYSTRIDE, 64 * WIDTH);
  npu_wait(npu_mac_drain(raw, npu_mac_drain_ctl(130, PIXELS, 16, NPU_MAC_RAW)));
  accumulate(5, 16, 9, 9, 80, 3, 80, weights[0], 1);
  accumulate(5 + 80 + 7, 11, 2, 9, 80, 3, 80, weights[1], 0);
  printf("raw %s\n", memcmp(raw, sums, sizeof raw) == 0 ? "ok" : "differs");
  // CHECK: raw ok

  // The same accumulators again, requantized with two roundings and with one, 13 channels of each
  // pixel, pixels 20 bytes apart.
  npu_csr_write(NPU_CSR_NOXSTRIDE, 20);
  npu_csr_write(NPU_CSR_NOYSTRIDE, 20 * WIDTH);
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(-3, -100, 90));
  npu_mac_ldq(&table);
  for (int once = 0; once < 2; ++once) {
    memset(bytes, 0x55, sizeof bytes);
    memset(wanted, 0x55, sizeof wanted);
    npu_mac_drain(bytes, npu_mac_drain_ctl(130, PIXELS, 13, once ? NPU_MAC_ONCE : 0));
    npu_fence(NPU_UNIT_MATRIX);
    for (int p = 0; p < PIXELS; ++p)
      for (int n = 0; n < 13; ++n) {
        const int32_t sum = (int32_t)((uint32_t)sums[p][n] + (uint32_t)table.bias[n]);
        int32_t value = (once ? requantize_once : requantize)(sum, table.multiplier[n],
                                                              table.shift[n]) - 3;
        value = value < -100 ? -100 : value;
        wanted[p * 20 + n] = (int8_t)(value > 90 ? 90 : value);
      }
    printf("requantized %s\n", memcmp(bytes, wanted, sizeof bytes) == 0 ? "ok" : "differs");
  }
  // CHECK-NEXT: requantized ok
  // CHECK-NEXT: requantized ok

  // Rows of four bytes: four window rows in one vector. Weights stay active without a swap.
  npu_csr_write(NPU_CSR_NROWLEN, 4);
  npu_csr_write(NPU_CSR_NROWSTRIDE, (unsigned)-100);
  npu_mac_ldw(weights[1], 16);
  npu_mac_run(activations + 2000, npu_mac_run_ctl(0, PIXELS, 15, 3, NPU_MAC_SWAP));
  npu_mac_ldw(weights[0], 16);
  npu_mac_run(activations + 2000, npu_mac_run_ctl(0, PIXELS, 15, 3, NPU_MAC_ACC));
  npu_csr_write(NPU_CSR_NOXSTRIDE, 64);
  npu_csr_write(NPU_CSR_NOYSTRIDE, 64 * WIDTH);
  npu_mac_drain(raw, npu_mac_drain_ctl(0, PIXELS, 16, NPU_MAC_RAW));
  npu_fence(NPU_UNIT_MATRIX);
  accumulate(2000, 15, 3, 4, -100, 3, 80, weights[1], 1);
  accumulate(2000, 15, 3, 4, -100, 3, 80, weights[1], 0);
  printf("four rows %s\n", memcmp(raw, sums, sizeof raw) == 0 ? "ok" : "differs");
  // CHECK-NEXT: four rows ok

  // Operands out of range do nothing but report.
  printf("status %x\n", npu_csr_read(NPU_CSR_NSTATUS));
  // CHECK-NEXT: status 0
  npu_wait(npu_mac_run(activations + 1, npu_mac_run_ctl(200, 100, 16, 0, 0)));
  printf("rows beyond the end: %x at operand %d\n", npu_csr_read(NPU_CSR_NSTATUS),
         npu_csr_read(NPU_CSR_NFAULT2) == (unsigned)(activations + 1));
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  // CHECK-NEXT: rows beyond the end: 4 at operand 1
  npu_wait(npu_mac_drain((void *)0x80000000, npu_mac_drain_ctl(0, 1, 1, 0)));
  printf("drain to DRAM: %x at %x\n", npu_csr_read(NPU_CSR_NSTATUS), npu_csr_read(NPU_CSR_NFAULT3));
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  // CHECK-NEXT: drain to DRAM: 8 at 80000000
  npu_wait(npu_mac_ldw(weights[0][0] + 1, 16));
  printf("misaligned weights: %x\n", npu_csr_read(NPU_CSR_NSTATUS));
  // CHECK-NEXT: misaligned weights: 4
  return 0;
}
