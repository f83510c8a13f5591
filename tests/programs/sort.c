// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function pointers, recursion, string functions: at every optimization level on the model, once on the RTL.
//
// RUN: %cc -O0 -Wall -Werror %s -o %t.O0.elf && %iss %t.O0.elf | FileCheck %s
// RUN: %cc -O1 %s -o %t.O1.elf && %iss %t.O1.elf | FileCheck %s
// RUN: %cc -O2 %s -o %t.O2.elf && %iss %t.O2.elf | FileCheck %s
// RUN: %cc -O3 %s -o %t.O3.elf && %iss %t.O3.elf | FileCheck %s
// RUN: %cc -Os %s -o %t.Os.elf && %iss %t.Os.elf | FileCheck %s
// RUN: %cc -Oz %s -o %t.Oz.elf && %iss %t.Oz.elf | FileCheck %s
// RUN: %cc -O2 -flto %s -o %t.lto.elf && %iss %t.lto.elf | FileCheck %s
// RUN: %rtl %t.O2.elf | FileCheck %s

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 200 };

static int by_value(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return x < y ? -1 : x > y;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void merge_sort(int32_t *values, int32_t *scratch, size_t count) {
  if (count < 2)
    return;
  const size_t half = count / 2;
  merge_sort(values, scratch, half);
  merge_sort(values + half, scratch, count - half);
  memcpy(scratch, values, count * sizeof *values);
  for (size_t i = 0, left = 0, right = half; i < count; ++i)
    values[i] = right == count || (left < half && scratch[left] <= scratch[right])
                    ? scratch[left++]
                    : scratch[right++];
}

int main(void) {
  static int32_t a[COUNT], b[COUNT], scratch[COUNT];
  uint32_t state = 1;
  for (int i = 0; i < COUNT; ++i) {
    state = state * 1664525u + 1013904223u;
    a[i] = b[i] = (int32_t)state >> 8;
  }
  qsort(a, COUNT, sizeof *a, by_value);
  merge_sort(b, scratch, COUNT);
  int sorted = 1;
  for (int i = 1; i < COUNT; ++i)
    sorted &= a[i - 1] <= a[i];
  printf("sorted %d, same %d\n", sorted, memcmp(a, b, sizeof a) == 0);
  printf("smallest %ld, largest %ld\n", (long)a[0], (long)a[COUNT - 1]);
  const int32_t key = a[123];
  printf("found at %ld\n", (long)((int32_t *)bsearch(&key, a, COUNT, sizeof *a, by_value) - a));

  const char *words[] = {"tile", "scratchpad", "array", "requantize", "bank"};
  qsort(words, 5, sizeof *words, by_text);
  for (int i = 0; i < 5; ++i)
    printf("%s%s", words[i], i < 4 ? " " : "\n");
  return 0;
}

// CHECK: sorted 1, same 1
// CHECK-NEXT: smallest -8363492, largest 8383408
// CHECK-NEXT: found at 123
// CHECK-NEXT: array bank requantize scratchpad tile
