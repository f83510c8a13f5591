// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transfers of the DMA API against loops of the core, and what it reports for bad ones.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s

#include <npu/dma.h>
#include <npu/placement.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 2048 };

static NPU_DRAM_BSS uint8_t dram[BYTES];
static uint8_t near_core[BYTES], wanted[BYTES];

static void reset(void) {
  for (int i = 0; i < BYTES; ++i) {
    near_core[i] = wanted[i] = (uint8_t)(i * 7 + i / 256);
    dram[i] = (uint8_t)(i * 13 + 5);
  }
}

static void report(const char *name) {
  printf("%s %s\n", name, memcmp(near_core, wanted, BYTES) == 0 ? "ok" : "differs");
}

static void transfer(uint32_t channel, const npu_dma_descriptor *d) {
  npu_wait(npu_dma_submit(channel, d));
}

int main(void) {
  // Every alignment of both ends, lengths around the width of the bus.
  reset();
  for (uint32_t to = 0; to < 5; ++to)
    for (uint32_t from = 0; from < 5; ++from)
      for (uint32_t length = 0; length < 40; length += 13) {
        const uint32_t at = 64 * (to * 5 + from) + length;
        const npu_dma_descriptor d = npu_dma_1d(near_core + at + to, dram + 300 + from, length);
        transfer(length & 1, &d);
        memcpy(wanted + at + to, dram + 300 + from, length);
      }
  report("1d");
  // CHECK: 1d ok

  reset();
  npu_dma_descriptor d = npu_dma_2d(near_core + 3, 40, dram + 1, 29, 17, 11);
  transfer(0, &d);
  for (int row = 0; row < 11; ++row)
    memcpy(wanted + 3 + 40 * row, dram + 1 + 29 * row, 17);
  report("2d");
  // CHECK-NEXT: 2d ok

  reset();
  d = npu_dma_2d(near_core + 1000, -20, dram + 7, 33, 9, 4);
  npu_dma_add_planes(&d, 3, 300, 150);
  transfer(1, &d);
  for (int plane = 0; plane < 3; ++plane)
    for (int row = 0; row < 4; ++row)
      memcpy(wanted + 1000 + 300 * plane - 20 * row, dram + 7 + 150 * plane + 33 * row, 9);
  report("3d");
  // CHECK-NEXT: 3d ok

  // A chain happens in its order: fill, then the copy over it.
  reset();
  static npu_dma_descriptor chain[2];
  chain[0] = npu_dma_fill_2d(near_core + 10, 64, 0xee, 50, 8);
  chain[1] = npu_dma_2d(near_core + 20, 64, dram, 64, 10, 8);
  npu_dma_chain(&chain[0], &chain[1]);
  transfer(0, chain);
  for (int row = 0; row < 8; ++row) {
    memset(wanted + 10 + 64 * row, 0xee, 50);
    memcpy(wanted + 20 + 64 * row, dram + 64 * row, 10);
  }
  report("chain");
  // CHECK-NEXT: chain ok

  // Out to DRAM and back; scratchpad to scratchpad.
  reset();
  int status = npu_dma_copy(dram + 1, near_core + 5, 777);
  status |= npu_dma_copy(near_core + 1024, dram + 1, 777);
  memcpy(wanted + 1024, wanted + 5, 777);
  status |= npu_dma_copy(near_core + 900, near_core + 100, 100);
  memcpy(wanted + 900, wanted + 100, 100);
  status |= npu_dma_fill(near_core + 1900, 0, 100);
  memset(wanted + 1900, 0, 100);
  printf("status %d\n", status);
  report("copy");
  // CHECK-NEXT: status 0
  // CHECK-NEXT: copy ok

  // Nothing to move: legal, whatever the addresses.
  reset();
  d = npu_dma_2d((void *)4, 0, (void *)8, 0, 0, 5);
  transfer(0, &d);
  d = npu_dma_2d((void *)4, 0, (void *)8, 0, 5, 0);
  transfer(0, &d);
  printf("empty: error %d\n", npu_dma_error(0, 0));
  report("empty");
  // CHECK-NEXT: empty: error 0
  // CHECK-NEXT: empty ok

  // Rows before the failing one arrive; the address of the first failure stays.
  uint32_t address = 0;
  d = npu_dma_2d(near_core, 64, dram, 0x30000000, 16, 3);
  transfer(1, &d);
  memcpy(wanted, dram, 16);
  printf("source: error %d at base %d\n", npu_dma_error(1, &address),
         address == (uint32_t)dram + 0x30000000);
  report("rows before");
  // CHECK-NEXT: source: error 1 at base 1
  // CHECK-NEXT: rows before ok
  d = npu_dma_1d((void *)0x30000000, near_core, 4);
  transfer(1, &d);
  printf("first stays %d\n", npu_dma_error(1, &address) && address != 0x30000000);
  npu_dma_clear_error(1);
  transfer(1, &d);
  printf("destination: error %d at %lx, other channel %d\n", npu_dma_error(1, &address),
         (unsigned long)address, npu_dma_error(0, 0));
  npu_dma_clear_error(1);
  // CHECK-NEXT: first stays 1
  // CHECK-NEXT: destination: error 1 at 30000000, other channel 0
  d = npu_dma_1d(near_core, dram, 4);
  d.flags = 8;
  transfer(0, &d);
  printf("reserved flag: error %d at descriptor %d\n", npu_dma_error(0, &address),
         address == (uint32_t)&d);
  npu_dma_clear_error(0);
  // CHECK-NEXT: reserved flag: error 1 at descriptor 1
  printf("bad copy %d\n", npu_dma_copy(near_core, (void *)0x40000000, 4));
  // CHECK-NEXT: bad copy -1
  return 0;
}
