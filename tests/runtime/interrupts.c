// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers of the timer, the software interrupt, DMA completion and unit errors.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s
// RUN: %cc -O2 -DDEFAULT_HANDLER %s -o %t.default.elf
// RUN: sh -c '%iss %t.default.elf 2>&1; echo status $?' | FileCheck --check-prefix=DEFAULT %s
// RUN: sh -c '%rtl %t.default.elf 2>&1; echo status $?' | FileCheck --check-prefix=DEFAULT %s

#include <npu/dma.h>
#include <npu/placement.h>
#include <npu/trap.h>
#include <npu_platform.h>
#include <stdio.h>

enum { MSTATUS = 0x300, MIE = 0x304, MSTATUS_MIE = 8 };

static volatile uint32_t *const msip = (uint32_t *)(NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MSIP);
static volatile uint32_t *const mtimecmp =
    (uint32_t *)(NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
static volatile uint32_t *const mtime = (uint32_t *)(NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);

static volatile int ticks, software, transfers, errors;
static NPU_DRAM_BSS uint8_t dram[256];
static uint8_t tcm[256];

static void set_timer(uint32_t delay) {
  mtimecmp[1] = 0xffffffff; // no match between the two halves
  mtimecmp[0] = mtime[0] + delay;
  mtimecmp[1] = 0;
}

#ifndef DEFAULT_HANDLER
void npu_timer_interrupt_handler(void) {
  ++ticks;
  if (ticks < 3)
    set_timer(200);
  else
    mtimecmp[1] = 0xffffffff;
}
#endif

void npu_software_interrupt_handler(void) {
  ++software;
  *msip = 0;
}

void npu_dma_interrupt_handler(void) {
  ++transfers;
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_DMA0_DONE | NPU_STATUS_DMA1_DONE);
}

void npu_error_interrupt_handler(void) {
  ++errors;
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
}

int main(void) {
  npu_csr_write(MIE, 1 << 3 | 1 << 7 | 1 << 16 | 1 << 17);
  npu_csr_write(MSTATUS, MSTATUS_MIE);

  set_timer(200);
  // Work between the interrupts, whose registers they must leave alone.
  uint32_t hash = 1;
  for (int i = 0; ticks < 3 && i < 1000000; ++i)
    hash = hash * 1103515245u + 12345u;
  printf("ticks %d, hash odd or even %d\n", ticks, hash <= 0xffffffffu);
  // CHECK: ticks 3, hash odd or even 1

  *msip = 1;
  while (!software)
    ;
  printf("software %d\n", software);
  // CHECK-NEXT: software 1

  npu_dma_descriptor d = npu_dma_1d(tcm, dram, 256);
  d.flags = NPU_DMA_DONE;
  npu_wait(npu_dma_submit(1, &d));
  while (!transfers)
    ;
  d.flags = 0;
  npu_wait(npu_dma_submit(1, &d));
  printf("transfers %d\n", transfers);
  // CHECK-NEXT: transfers 1

  d = npu_dma_1d(tcm, (void *)0x40000000, 1);
  npu_wait(npu_dma_submit(0, &d));
  while (!errors)
    ;
  printf("errors %d\n", errors);
  // CHECK-NEXT: errors 1
  return 0;
}

// DEFAULT: unexpected interrupt: timer
// DEFAULT-NEXT: mepc 0x10{{[0-9a-f]+}}  nstatus 0x00000000
// DEFAULT: status 70
