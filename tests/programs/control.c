// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Varargs, structs by value, jump tables, setjmp, alloca, large frames.
//
// RUN: %cc -O0 -Wall -Werror %s -o %t.O0.elf && %iss %t.O0.elf | FileCheck %s
// RUN: %cc -O2 %s -o %t.O2.elf && %iss %t.O2.elf | FileCheck %s
// RUN: %rtl %t.O2.elf | FileCheck %s

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int64_t sum(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  int64_t total = 0;
  for (; *kinds != '\0'; ++kinds)
    switch (*kinds) {
    case 'i':
      total += va_arg(list, int);
      break;
    case 'l':
      total += va_arg(list, int64_t);
      break;
    case 'd':
      total += (int64_t)(va_arg(list, double) * 10);
      break;
    case 's':
      total += (int64_t)strlen(va_arg(list, const char *));
      break;
    }
  va_end(list);
  return total;
}

typedef struct pair {
  int32_t first;
  int64_t second;
  char name[12];
} pair;

__attribute__((noinline)) static pair swap_fields(pair p, int32_t add) {
  pair q = p;
  q.first = (int32_t)p.second + add;
  q.second = p.first;
  q.name[0] = 'S';
  return q;
}

__attribute__((noinline)) static const char *month(int number) {
  switch (number) {
  case 1:
    return "January";
  case 2:
    return "February";
  case 3:
    return "March";
  case 4:
    return "April";
  case 5:
    return "May";
  case 6:
    return "June";
  case 12:
    return "December";
  default:
    return "other";
  }
}

static jmp_buf here;

__attribute__((noinline)) static int down(int depth) {
  volatile int local = depth;
  if (depth == 10)
    longjmp(here, 77);
  return down(depth + 1) + local;
}

__attribute__((noinline)) static int large_frame(int seed) {
  volatile int32_t values[1500];
  for (int i = 0; i < 1500; ++i)
    values[i] = seed + i;
  return values[0] + values[1499];
}

__attribute__((noinline)) static int variable_frame(int count) {
  char *text = __builtin_alloca((size_t)count + 1);
  memset(text, 'x', (size_t)count);
  text[count] = '\0';
  return (int)strlen(text) + large_frame(count);
}

int main(void) {
  printf("%lld\n", (long long)sum("ilidsl", 1, 5000000000LL, 2, 2.5, "four", -1LL));
  // CHECK: 5000000031
  const pair p = swap_fields((pair){7, 900, "abc"}, 5);
  printf("%ld %lld %s\n", (long)p.first, (long long)p.second, p.name);
  // CHECK-NEXT: 905 7 Sbc
  for (int i = 0; i < 8; i += 3)
    printf("%s ", month(i));
  printf("%s\n", month(12));
  // CHECK-NEXT: other March June December
  volatile int count = 3;
  const int value = setjmp(here);
  if (value == 0) {
    count = 4;
    down(0);
  }
  printf("%d %d\n", value, count);
  // CHECK-NEXT: 77 4
  printf("%d\n", variable_frame(33));
  // CHECK-NEXT: 1598
  return 0;
}
