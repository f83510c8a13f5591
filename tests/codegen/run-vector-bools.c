// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of bool of many lengths: operators, elements at variable places, reductions, counts of bits.
//
// RUN: %cc -O0 -Wl,--enable-non-contiguous-regions -mllvm -verify-machineinstrs %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %cc -O2 -Wl,--enable-non-contiguous-regions -mllvm -verify-machineinstrs %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %cc -Os -Wl,--enable-non-contiguous-regions -mllvm -verify-machineinstrs %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s

#include <stdio.h>

static int errors;

static void check(int n, const char *what, int is, int expected) {
  if (is != expected && ++errors < 20)
    printf("%d bools, %s: %d instead of %d\n", n, what, is, expected);
}

static unsigned state = 1;
static unsigned next(void) { return state = state * 1664525 + 1013904223; }

#define LENGTH(N)                                                                                            \
  typedef _Bool bools##N __attribute__((ext_vector_type(N)));                                                \
  __attribute__((noinline)) static void put##N(bools##N *to, int lane, _Bool value) { (*to)[lane] = value; } \
  __attribute__((noinline)) static _Bool get##N(const bools##N *from, int lane) { return (*from)[lane]; }    \
  __attribute__((noinline)) static bools##N both##N(bools##N a, bools##N b) { return a & b; }                \
  __attribute__((noinline)) static bools##N choose##N(bools##N m, bools##N a, bools##N b) { return m ? a : b; } \
  __attribute__((noinline)) static int any##N(bools##N a) { return __builtin_reduce_or(a); }                 \
  __attribute__((noinline)) static int all##N(bools##N a) { return __builtin_reduce_and(a); }                \
  __attribute__((noinline)) static int count##N(bools##N a) { return __builtin_popcountg(a); }               \
  __attribute__((noinline)) static int first##N(bools##N a) { return __builtin_ctzg(a, N); }                 \
  static void test##N(unsigned density) {                                                                    \
    static bools##N a, b, m, x, y;                                                                           \
    static _Bool as[N], bs[N], ms[N];                                                                        \
    int count = 0, first = N;                                                                                \
    for (int i = 0; i < N; ++i) {                                                                            \
      put##N(&a, i, as[i] = (next() >> 16) % 16 < density);                                                  \
      put##N(&b, i, bs[i] = next() >> 31);                                                                   \
      put##N(&m, i, ms[i] = next() >> 31);                                                                   \
      count += as[i];                                                                                        \
      if (as[i] && first == N)                                                                               \
        first = i;                                                                                           \
    }                                                                                                        \
    x = both##N(a, b);                                                                                       \
    y = choose##N(m, a, b);                                                                                  \
    for (int i = 0; i < N; ++i) {                                                                            \
      check(N, "an element", get##N(&a, i), as[i]);                                                          \
      check(N, "and", get##N(&x, i), as[i] & bs[i]);                                                         \
      check(N, "a choice", get##N(&y, i), ms[i] ? as[i] : bs[i]);                                            \
    }                                                                                                        \
    check(N, "any", any##N(a), count != 0);                                                                  \
    check(N, "all", all##N(a), count == N);                                                                  \
    check(N, "their count", count##N(a), count);                                                             \
    check(N, "the first", first##N(a), first);                                                               \
  }
LENGTH(3)
LENGTH(8)
LENGTH(16)
LENGTH(32)
LENGTH(37)
LENGTH(64)
LENGTH(100)
LENGTH(128)
LENGTH(256)

int main(void) {
  for (unsigned density = 0; density <= 16; density += 4) {
    test3(density);
    test8(density);
    test16(density);
    test32(density);
    test37(density);
    test64(density);
    test100(density);
    test128(density);
    test256(density);
  }
  printf("%d errors\n", errors);
  return errors != 0;
}
// CHECK: {{^}}0 errors
