// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which the helper calls load, compute and store, and the data that come out, for 0 to 5 tiles; and for
// lengths that are no multiple of the tile's.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck --check-prefix=DATA %s

#include <npu/double_buffer.h>
#include <npu/placement.h>
#include <stdio.h>
#include <string.h>

enum { TILE = 64, TILES = 5 };

typedef struct job {
  npu_double_buffer buffers;
  char log[64];
  uint32_t length; // bytes of all tiles; the last one may be short
} job;

static NPU_DRAM_BSS int8_t source[TILES * TILE], result[TILES * TILE];
static int8_t in[2][TILE], out[2][TILE];
static npu_dma_descriptor load_descriptor[2], store_descriptor[2];
static _Alignas(4) int8_t identity[16][16];
static _Alignas(4) struct {
  int32_t bias[16], multiplier[16];
  int8_t shift[16];
} table;

static void note(npu_double_buffer *self, char what, uint32_t tile) {
  char *log = ((job *)self)->log;
  sprintf(log + strlen(log), " %c%d", what, (int)tile);
}

static uint32_t bytes_of(npu_double_buffer *self, uint32_t tile) {
  const uint32_t rest = ((job *)self)->length - tile * TILE;
  return rest < TILE ? rest : TILE;
}

static npu_ticket_t load(npu_double_buffer *self, uint32_t tile, uint32_t slot) {
  note(self, 'l', tile);
  load_descriptor[slot] = npu_dma_1d(in[slot], source + tile * TILE, bytes_of(self, tile));
  return npu_dma_submit(0, &load_descriptor[slot]);
}

// Four pixels of 16 channels, each doubled.
static npu_ticket_t compute(npu_double_buffer *self, uint32_t tile, uint32_t slot) {
  note(self, 'c', tile);
  npu_mac_ldw(identity, 16);
  npu_mac_run(in[slot], npu_mac_run_ctl(0, TILE / 16, 16, 0, NPU_MAC_SWAP));
  const npu_ticket_t ticket = npu_mac_drain(out[slot], npu_mac_drain_ctl(0, TILE / 16, 16, 0));
  npu_fence(NPU_UNIT_MATRIX); // so that the service finds the tile before complete: a fixed order
  npu_double_buffer_service(self);
  return ticket;
}

static npu_ticket_t store(npu_double_buffer *self, uint32_t tile, uint32_t slot) {
  note(self, 's', tile);
  store_descriptor[slot] = npu_dma_1d(result + tile * TILE, out[slot], bytes_of(self, tile));
  return npu_dma_submit(1, &store_descriptor[slot]);
}

int main(void) {
  for (int i = 0; i < 16; ++i) {
    identity[i][i] = 2;
    table.multiplier[i] = 1 << 30;
    table.shift[i] = 1;
  }
  for (int i = 0; i < TILES * TILE; ++i)
    source[i] = (int8_t)(i % 120 - 60);
  npu_csr_write(NPU_CSR_NXSTRIDE, 16);
  npu_csr_write(NPU_CSR_NOXSTRIDE, 16);
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(0, -128, 127));
  npu_mac_ldq(&table);

  static const uint16_t lengths[] = {0, 64, 128, 192, 256, 320, 1, 63, 65, 127, 129, 191, 207, 319};
  for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    memset(result, 0, sizeof result);
    job j = {.buffers = {.load = load, .compute = compute, .store = store}, .length = lengths[i]};
    npu_double_buffer_run(&j.buffers, (j.length + TILE - 1) / TILE);
    int right = 1;
    for (int k = 0; k < TILES * TILE; ++k)
      right &= result[k] == (k < lengths[i] ? 2 * source[k] : 0);
    printf("%d:%s right %d\n", lengths[i], j.log, right);
  }
  return 0;
}

// CHECK: 0: right 1
// CHECK-NEXT: 64: l0 c0 s0 right 1
// CHECK-NEXT: 128: l0 l1 c0 c1 s0 s1 right 1
// CHECK-NEXT: 192: l0 l1 c0 c1 s0 l2 c2 s1 s2 right 1
// CHECK-NEXT: 256: l0 l1 c0 c1 s0 l2 c2 s1 l3 c3 s2 s3 right 1
// CHECK-NEXT: 320: l0 l1 c0 c1 s0 l2 c2 s1 l3 c3 s2 l4 c4 s3 s4 right 1
// CHECK-NEXT: 1: l0 c0 s0 right 1
// CHECK-NEXT: 63: l0 c0 s0 right 1
// CHECK-NEXT: 65: l0 l1 c0 c1 s0 s1 right 1
// CHECK-NEXT: 127: l0 l1 c0 c1 s0 s1 right 1
// CHECK-NEXT: 129: l0 l1 c0 c1 s0 l2 c2 s1 s2 right 1
// CHECK-NEXT: 191: l0 l1 c0 c1 s0 l2 c2 s1 s2 right 1
// CHECK-NEXT: 207: l0 l1 c0 c1 s0 l2 c2 s1 l3 c3 s2 s3 right 1
// CHECK-NEXT: 319: l0 l1 c0 c1 s0 l2 c2 s1 l3 c3 s2 l4 c4 s3 s4 right 1

// DATA-COUNT-14: right 1
