// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose frames differ in shape. Each calls something from within, and returns what
// depends on all of it.

#include <alloca.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

typedef struct {
  int words[20];
} record;

volatile int sink;
static unsigned checksum;

NOINLINE int leaf(int a) { return a * 7 + 1; }

NOINLINE void note(const void *bytes, unsigned size) {
  const unsigned char *p = bytes;
  for (unsigned i = 0; i < size; ++i)
    checksum = checksum * 31 + p[i];
}

NOINLINE int spills(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  const int t = leaf(a) + leaf(b) * c;
  const int u = leaf(t) ^ d, v = leaf(u) - e, w = leaf(v) + f, x = leaf(w) * g;
  return leaf(a + b) + leaf(c + d) + leaf(e + f) + leaf(g + h) + leaf(i + j) + t + u + v + w + x;
}

// Beyond the reach of one addi, beyond that of two, and beyond 64 KiB.
NOINLINE int large(int n) {
  char buffer[3000];
  memset(buffer, n, sizeof buffer);
  note(buffer, 8);
  return leaf(buffer[leaf(n) & 63]);
}

NOINLINE int larger(int n) {
  char buffer[6000];
  memset(buffer, n, sizeof buffer);
  note(buffer + 5990, 8);
  return n == 0 ? 1 : large(n - 1) + buffer[17];
}

NOINLINE int largest(int n) {
  volatile char buffer[70000];
  buffer[0] = (char)n;
  buffer[69999] = (char)(n + 1);
  return leaf(buffer[0]) + larger(buffer[69999]);
}

NOINLINE int dynamic(int n) {
  char *buffer = alloca(n * 24 + 4);
  memset(buffer, n, n * 24 + 4);
  note(buffer, 4);
  return n == 0 ? leaf(*buffer) : dynamic(n - 1) + buffer[n];
}

// More arguments than registers: they are pushed where the stack pointer moves.
NOINLINE int dynamic_calls(int n) {
  int *buffer = alloca(n * sizeof(int));
  for (int i = 0; i < n; ++i)
    buffer[i] = spills(i, 1, 2, 3, 4, 5, 6, 7, 8, n);
  return buffer[n - 1] + leaf(buffer[0]);
}

NOINLINE int aligned(int n) {
  _Alignas(256) int buffer[16];
  for (int i = 0; i < 16; ++i)
    buffer[i] = leaf(n + i);
  note(buffer, sizeof buffer);
  return buffer[n & 15] + (int)((uintptr_t)buffer & 255);
}

NOINLINE int aligned_dynamic(int n) {
  _Alignas(64) int fixed[8];
  int *buffer = alloca(n * 4 + 16);
  for (int i = 0; i < 8; ++i)
    fixed[i] = buffer[i & 3] = leaf(n + i);
  note(buffer, 16);
  return aligned(fixed[3]) + buffer[1] + (int)((uintptr_t)fixed & 63);
}

NOINLINE int aligned_largest(int n) {
  _Alignas(4096) char buffer[5000];
  memset(buffer, n, sizeof buffer);
  return leaf(buffer[n]) + (int)((uintptr_t)buffer & 4095);
}

NOINLINE int variadic(int n, ...) {
  va_list list;
  int sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; ++i)
    sum += leaf(va_arg(list, int));
  va_end(list);
  return sum;
}

NOINLINE int variadic_dynamic(int n, ...) {
  va_list list;
  char *buffer = alloca(n + 8);
  va_start(list, n);
  for (int i = 0; i < n; ++i)
    buffer[i] = (char)leaf(va_arg(list, int));
  va_end(list);
  note(buffer, n);
  return leaf(buffer[n - 1]);
}

NOINLINE record by_value(record a, int n) {
  a.words[n] = leaf(n);
  note(&a, sizeof a);
  return a;
}

// Returns early without a frame; several ways out.
NOINLINE int early(int n) {
  if (n < 0)
    return n;
  if (n == 1)
    return leaf(n) + leaf(n + 1);
  for (int i = 0; i < n; ++i) {
    sink += leaf(i);
    if (sink == 12345)
      return large(i);
  }
  return variadic(2, n, sink);
}

NOINLINE int selects(int n) {
  switch (n) {
  case 0: return leaf(1);
  case 1: return large(2);
  case 2: return early(-1);
  case 3: return variadic(1, 4) + leaf(9);
  case 4: sink = leaf(3); break;
  case 5: return selects(2);
  default: return selects(n - 3) + 1;
  }
  return sink;
}

// Tail calls: the frame is gone when the callee begins.
NOINLINE int tail(int n) {
  note(&n, sizeof n);
  return leaf(n + 1);
}

NOINLINE int tail_indirect(int n, int (*function)(int)) {
  sink = leaf(n);
  return function(n + sink);
}

NOINLINE int recursive(int n) { return n < 2 ? leaf(n) : recursive(n - 1) + recursive(n - 2); }

NOINLINE int odd(int n);
NOINLINE int even(int n) { return n == 0 ? leaf(0) : odd(n - 1); }
NOINLINE int odd(int n) { return n == 0 ? leaf(1) : even(n - 1); }

static int compare(const void *a, const void *b) { return leaf(*(const int *)a) - leaf(*(const int *)b); }
extern void sort(int *values, int n, int (*order)(const void *, const void *));

NOINLINE void sort(int *values, int n, int (*order)(const void *, const void *)) {
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0 && order(&values[j - 1], &values[j]) > 0; --j) {
      const int t = values[j];
      values[j] = values[j - 1];
      values[j - 1] = t;
    }
}

int main(void) {
  int values[] = {5, 3, 9, 1, 7};
  record r = {{1, 2, 3}};
  int results[] = {
      spills(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      largest(3),
      dynamic(4),
      dynamic_calls(3),
      aligned(2),
      aligned_dynamic(5),
      aligned_largest(1),
      variadic(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      variadic_dynamic(9, 1, 2, 3, 4, 5, 6, 7, 8, 9),
      by_value(by_value(r, 2), 4).words[4],
      early(-3) + early(1) + early(4),
      selects(0) + selects(1) + selects(4) + selects(5) + selects(14),
      tail(4) + tail_indirect(2, leaf) + tail_indirect(1, tail),
      recursive(6),
      even(5),
  };
  sort(values, 5, compare);
  note(values, sizeof values);
  note(results, sizeof results);
  printf("checksum %08x\n", checksum);
  return 0;
}
