// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap is in DRAM and larger than the scratchpad; exhausting it is an error, not a crash.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *blocks[20];
  for (int i = 0; i < 20; ++i) {
    blocks[i] = malloc((size_t)(i * 7 + 1));
    memset(blocks[i], i, (size_t)(i * 7 + 1));
  }
  for (int i = 0; i < 20; i += 2)
    free(blocks[i]);
  int intact = 1;
  for (int i = 1; i < 20; i += 2)
    for (int j = 0; j < i * 7 + 1; ++j)
      intact &= blocks[i][j] == i;
  printf("intact %d\n", intact);
  // CHECK: intact 1
  uint8_t *large = malloc(4 << 20);
  large[0] = 1;
  large[(4 << 20) - 1] = 2;
  printf("in DRAM %d\n", ((uintptr_t)large >> 28) == 8);
  // CHECK-NEXT: in DRAM 1
  uint8_t *grown = realloc(blocks[19], 1000);
  printf("kept %d\n", grown[133] == 19);
  // CHECK-NEXT: kept 1
  void *volatile too_much = malloc(200u << 20); // volatile: the compiler may assume success otherwise
  printf("too much %d\n", too_much == NULL);
  // CHECK-NEXT: too much 1
  int *zeros = calloc(64, sizeof *zeros);
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += zeros[i];
  printf("zero %d\n", sum);
  // CHECK-NEXT: zero 0
  return 0;
}
