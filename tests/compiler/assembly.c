// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that computes: operands of every kind, pairs, memory, labels with results.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" %s %t

#include <stdint.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline)) static
static int failures;
#define EXPECT(condition)                                                                         \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      ++failures;                                                                                 \
      printf("line %d: %s\n", __LINE__, #condition);                                              \
    }                                                                                             \
  } while (0)

int table[4] = {10, 20, 30, 40};

FUNCTION int tied(int x) { __asm__("addi %0, %0, 7" : "+r"(x)); return x; }
FUNCTION int early(int x, int y) {
  int r;
  __asm__("li %0, 100\n\tadd %0, %0, %1\n\tadd %0, %0, %2" : "=&r"(r) : "r"(x), "r"(y));
  return r + x;
}
FUNCTION int named(int x) {
  register int r __asm__("t3") = x;
  __asm__ volatile("slli t3, t3, 2" : "+r"(r));
  return r;
}
FUNCTION int64_t pair(int64_t x) {
  register int64_t r __asm__("a2") = x;
  // The upper half is the register behind.
  __asm__ volatile("xor a2, a2, a3\n\tneg a3, a3" : "+r"(r));
  return r;
}
FUNCTION int memory(int *p) {
  int r;
  __asm__ volatile("lw %0, %1\n\taddi %0, %0, 1\n\tsw %0, %1" : "=&r"(r), "+m"(*p));
  return r;
}
FUNCTION int address(int *p) {
  int r;
  __asm__("lw %0, %1" : "=r"(r) : "A"(p[3]));
  return r;
}
FUNCTION int symbol(void) {
  int r;
  __asm__("lui %0, %%hi(%1)\n\tlw %0, %%lo(%1)(%0)" : "=r"(r) : "S"(&table[2]));
  return r;
}
FUNCTION int immediates(int x) {
  int r;
  __asm__("addi %0, %1, %2\n\tadd%i3 %0, %0, %3\n\tadd %0, %0, %z4" : "=&r"(r)
          : "r"(x), "I"(-2048), "i"(5), "rJ"(0));
  return r;
}
FUNCTION int two(int x, int *y) {
  int r, q;
  __asm__("div %0, %2, %3\n\trem %1, %2, %3" : "=&r"(r), "=&r"(q) : "r"(x), "r"(7));
  *y = q;
  return r;
}
FUNCTION float bits(float x) { __asm__("xor %0, %0, %1" : "+r"(x) : "r"(0x80000000)); return x; }
FUNCTION int saved(int x) {
  __asm__ volatile("li s1, 1\n\tli s2, 2\n\tli s11, 3\n\tli ra, 4" : : : "s1", "s2", "s11", "ra", "memory");
  return x * 3;
}
FUNCTION int jump(int x) {
  __asm__ goto("bltz %0, %l[negative]\n\tbeqz %0, %l[zero]" : : "r"(x) : : negative, zero);
  return 1;
negative:
  return -1;
zero:
  return 0;
}
FUNCTION int jump_result(int x, int y) {
  int r, q;
  __asm__ goto("add %0, %2, %3\n\tsub %1, %2, %3\n\tbgtz %0, %l[positive]\n\tbltz %1, %l[negative]"
               : "=&r"(r), "=&r"(q) : "r"(x), "r"(y) : : positive, negative);
  return r * 2 + q;
positive:
  return r * 3 - q;
negative:
  return r * 5 + q * 7;
}
FUNCTION short jump_loop(short n) {
  int sum = 0;
again:
  sum += n;
  __asm__ goto("addi %0, %0, -1\n\tbgtz %0, %l[again]" : "+r"(n) : : : again);
  return sum + n;
}

int main(void) {
  EXPECT(tied(35) == 42);
  EXPECT(early(1, 2) == 104);
  EXPECT(named(9) == 36);
  EXPECT(pair(0x100000003) == (int64_t)0xffffffff00000002);
  int x = 6;
  EXPECT(memory(&x) == 7 && x == 7);
  EXPECT(address(table) == 40 && symbol() == 30);
  EXPECT(immediates(3000) == 957);
  int rest;
  EXPECT(two(100, &rest) == 14 && rest == 2);
  EXPECT(bits(1.5f) == -1.5f);
  EXPECT(saved(14) == 42);
  EXPECT(jump(5) == 1 && jump(-5) == -1 && jump(0) == 0);
  EXPECT(jump_result(5, 3) == 22);
  EXPECT(jump_result(-5, 3) == -66);
  EXPECT(jump_result(-3, -5) == -14);
  EXPECT(jump_loop(10) == 55);
  printf("%d failures\n", failures);
  return failures != 0;
}
