// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global variables in registers, which functions and an interrupt handler share, between code that
// would like to have all registers.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc -ffixed-x9 -ffixed-x27" --simulator "%iss" %s %t

#include <npu_platform.h>
#include <stdint.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline)) static

register uint32_t calls __asm__("s1");
register uint32_t *top __asm__("s11");
register uint32_t interrupts __asm__("gp");

static volatile uint32_t *const msip = (uint32_t *)(NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MSIP);
static uint32_t stack[64];

FUNCTION void push(uint32_t value) {
  ++calls;
  *top++ = value;
}

FUNCTION uint32_t pop(void) {
  ++calls;
  return *--top;
}

// The handler's own frame, its calls and the code that it interrupts keep the registers.
FUNCTION void note(int n) {
  for (int i = 0; i < n; ++i)
    ++interrupts;
}
__attribute__((interrupt)) static void handler(void) {
  *msip = 0;
  note(2);
  ++calls;
}

// More values than registers, and calls and an interrupt between them.
FUNCTION uint32_t pressure(const volatile uint32_t *in) {
  uint32_t a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];
  uint32_t i = in[8], j = in[9], k = in[10], l = in[11], m = in[12], n = in[13], o = in[14], p = in[15];
  uint32_t before = calls;
  for (int round = 0; round < 8; ++round) {
    push(a += b ^ p);
    push(c += d ^ o);
    *msip = 1;
    e += f ^ n, g += h ^ m, i += j ^ l, k += a ^ c, b -= e, d -= g, f ^= i, h ^= k;
    l += pop() * 3, m += pop() * 5, n ^= b, o ^= d, p += f + h, j += calls - before;
  }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ p;
}

// With one entry for each level of the recursion.
FUNCTION uint32_t depth(uint32_t n) {
  push(n);
  uint32_t *here = top, below = n ? depth(n - 1) : 0;
  if (here != top)
    return 0x80000000;
  return below + pop();
}

// A frame that needs a frame pointer and a scratch register for its offsets.
FUNCTION uint32_t large(uint32_t n) {
  volatile uint32_t space[1500], *variable = __builtin_alloca(4 * n);
  for (uint32_t i = 0; i < n; ++i) {
    push(i);
    variable[i] = space[1499 - i] = pop();
  }
  return variable[n - 1] * 100 + space[1499];
}

int main(void) {
  static const volatile uint32_t in[16] = {1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
  calls = interrupts = 0;
  top = stack;
  __asm__ volatile("csrw mtvec, %0\n csrs mie, %1\n csrsi mstatus, 8" : : "r"(handler), "r"(8));
  uint32_t mixed = pressure(in), recursive = depth(20), framed = large(30);
  printf("%u %u %u\n", mixed, recursive, framed);
  printf("%u calls, %u interrupts, %d left\n", calls, interrupts, (int)(top - stack));
  return !(interrupts == 16 && calls == 8 * 5 + 21 * 2 + 30 * 2 && top == stack);
}
