// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers of the timer, the software and the external interrupt, DMA completion and unit errors,
// which use vectors as they like; and a handler of exceptions that does and returns.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s
// RUN: %rtl --irq-external 900 %t.elf external | FileCheck --check-prefixes=CHECK,EXTERNAL %s
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

static volatile int ticks, software, external, transfers, errors, exceptions;
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

// What handlers may do with vectors: a loop that -O2 vectorizes, and all registers for good.
static uint32_t work[64];
static void use_vectors(void) {
  for (int i = 0; i < 64; ++i)
    work[i] = work[i] * 3 + 1;
#define CLEAR(n) __asm__ volatile("v.xor v" #n ", v" #n ", v" #n : : : "v" #n);
#define TEN(F, n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define ALL(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) TEN(F, 1) TEN(F, 2) F(30) F(31)
  ALL(CLEAR)
}

void npu_software_interrupt_handler(void) {
  use_vectors();
  ++software;
  *msip = 0;
}

void npu_external_interrupt_handler(void) {
  ++external;
}

void npu_exception_handler(npu_trap_frame *frame) {
  use_vectors();
  ++exceptions;
  frame->pc += 4;
}

// Sets all vector registers, has one instruction run, and counts the registers that changed.
static uint32_t before[32][16], after[32][16];
#define LOAD(n) "v.ld v" #n ", 64*(" #n "%%16)(%[from])\n.if " #n "==15\naddi %[from], %[from], 1024\n.endif\n"
#define STORE(n) "v.st v" #n ", 64*(" #n "%%16)(%[to])\n.if " #n "==15\naddi %[to], %[to], 1024\n.endif\n"
#define CLOBBER(n) , "v" #n
#define CHANGED(instruction)                                                                       \
  ({                                                                                               \
    void *from = before, *to = after;                                                              \
    __asm__ volatile(ALL(LOAD) instruction "\nnop\nnop\nnop\n" ALL(STORE)                          \
                     : [from] "+r"(from), [to] "+r"(to)                                            \
                     : [msip] "r"(msip), [one] "r"(1)                                              \
                     : "memory" ALL(CLOBBER));                                                     \
    changed();                                                                                     \
  })
static int changed(void) {
  int count = 0;
  for (int i = 0; i < 32; ++i)
    for (int k = 0; k < 16; ++k)
      count += after[i][k] != before[i][k];
  return count;
}

void npu_dma_interrupt_handler(void) {
  ++transfers;
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_DMA0_DONE | NPU_STATUS_DMA1_DONE);
}

void npu_error_interrupt_handler(void) {
  ++errors;
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
}

int main(int count, char **arguments) {
  npu_csr_write(MIE, (count > 1) << 11 | 1 << 3 | 1 << 7 | 1 << 16 | 1 << 17);
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

  for (int i = 0; i < 512; ++i)
    before[i / 16][i % 16] = i * 0x01020305u + 7;
  int lost = CHANGED("sw %[one], 0(%[msip])");
  printf("software %d, lost %d\n", software, lost);
  // CHECK-NEXT: software 2, lost 0
  lost = CHANGED("ecall");
  printf("exceptions %d, lost %d\n", exceptions, lost);
  // CHECK-NEXT: exceptions 1, lost 0
  if (count > 1)
    printf("external %d\n", external > 0);
  // EXTERNAL-NEXT: external 1

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
