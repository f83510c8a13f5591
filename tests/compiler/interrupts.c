// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interrupt handlers of many shapes leave every scalar and vector register as it was.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" %s %t
// RUN: %cc -O2 %s -o %t.elf
// RUN: %rtl %t.elf

#include <npu_platform.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define HANDLER(name) __attribute__((interrupt)) static void name(void)
#define FUNCTION __attribute__((noinline)) static
typedef int vector __attribute__((vector_size(64)));

// The vector registers before and after; x1 to x31 after. Register n is set to n * 0x01030507.
uint32_t vectors_before[32][16], vectors_after[32][16], scalars_after[32];
uint32_t probe(volatile uint32_t *msip); // returns sp

__asm__(".text\n"
        ".macro for_scalars op, base\n"
        ".irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "\\op x\\n, 4*\\n(\\base)\n.endr\n.endm\n"
        ".macro for_vectors op, base\n"
        ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "\\op v\\n, 0(\\base)\naddi \\base, \\base, 64\n.endr\n.endm\n"
        ".globl probe\n.type probe, @function\n"
        "probe:\n"
        "addi sp, sp, -128\n"
        "for_scalars sw, sp\n"
        "la t0, vectors_before\n"
        "for_vectors v.ld, t0\n"
        ".irp n, 1,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "li x\\n, \\n*0x01030507\n.endr\n"
        "sw x31, 0(a0)\n" // its lowest bit is set
        ".rept 40\nnop\n.endr\n"
        "csrw mscratch, x31\n"
        "la x31, scalars_after\n"
        ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
        "sw x\\n, 4*\\n(x31)\n.endr\n"
        "csrr x30, mscratch\n"
        "sw x30, 124(x31)\n"
        "la t0, vectors_after\n"
        "for_vectors v.st, t0\n"
        "for_scalars lw, sp\n"
        "mv a0, sp\n"
        "addi sp, sp, 128\n"
        "ret\n"
        ".size probe, . - probe\n");

static volatile uint32_t *const msip = (uint32_t *)(NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MSIP);
static volatile int hits;
static vector va, vb;
static int sink[64], source[64] = {1, 2, 3};

FUNCTION void work(int n) {
  for (int i = 0; i < 64; ++i)
    sink[i] += source[i] * n + hits;
  memcpy(sink + 1, source + 1, n * 4);
  va = va * vb + va;
  ++hits;
}

HANDLER(simple) { *msip = 0, ++hits; }
HANDLER(vectors) { *msip = 0, va = va * vb + va, ++hits; }
HANDLER(calls) { *msip = 0, work(hits % 8 + 3), hits += hits / 1000; }
HANDLER(variable) {
  *msip = 0;
  int n = hits % 8 + 100;
  volatile int a[n];
  for (int i = 0; i < n; ++i)
    a[i] = i;
  va += vb, hits += a[50] / 50;
}
HANDLER(large) {
  *msip = 0;
  char bytes[5000];
  _Alignas(128) char aligned[128];
  memset(bytes, hits, sizeof bytes), memset(aligned, 1, sizeof aligned);
  __asm__ volatile("" : : "r"(bytes), "r"(aligned) : "memory");
  hits += aligned[5] + ((uintptr_t)aligned % 128 != 0) * 100;
}
HANDLER(nested) {
  uint32_t status, pc;
  __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(pc), "=r"(status));
  *msip = 0;
  if (++hits % 2) {
    va -= vb;
    *msip = 1;
    __asm__ volatile("csrsi mstatus, 8\n\tnop\n\tnop\n\tcsrci mstatus, 8" : : : "memory");
  }
  __asm__ volatile("csrw mepc, %0\n\tcsrw mstatus, %1" : : "r"(pc), "r"(status));
}

int main(void) {
  static void (*const handlers[])(void) = {simple, vectors, calls, variable, large, nested};
  int bad = 0;
  for (int i = 0; i < 512; ++i)
    vectors_before[i / 16][i % 16] = i * 0x01010305u + 7;
  uint32_t old;
  __asm__ volatile("csrr %0, mtvec" : "=r"(old));
  for (int h = 0; h < 6; ++h) {
    const int before = hits = h == 5 ? 0 : hits;
    __asm__ volatile("csrw mtvec, %0\n\tcsrw mie, %1\n\tcsrsi mstatus, 8" : : "r"(handlers[h]), "r"(8) : "memory");
    uint32_t sp = probe(msip);
    __asm__ volatile("csrci mstatus, 8\n\tcsrw mtvec, %0" : : "r"(old) : "memory");
    for (uint32_t n = 1; n < 32; ++n)
      if (scalars_after[n] != (n == 2 ? sp : n == 10 ? (uint32_t)msip : n * 0x01030507u))
        ++bad, printf("handler %d: x%d\n", h, (int)n);
    for (int n = 0; n < 32; ++n)
      if (memcmp(vectors_before[n], vectors_after[n], 64) != 0)
        ++bad, printf("handler %d: v%d\n", h, n);
    printf("%d hits\n", hits - before);
    bad += hits - before != (h == 5 ? 2 : 1);
  }
  return bad != 0;
}
