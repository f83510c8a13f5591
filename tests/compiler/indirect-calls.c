// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fsanitize=kcfi: a call through a pointer to a function of another type stops the program.
//
// RUN: %cc -O0 -fsanitize=kcfi %s -o %t.elf
// RUN: not %iss %t.elf 2>&1 | FileCheck %s
// RUN: %cc -O2 -fsanitize=kcfi %s -o %t.elf
// RUN: not %iss %t.elf 2>&1 | FileCheck %s
// RUN: %cc -Os -flto -fsanitize=kcfi %s -o %t.elf
// RUN: not %iss %t.elf 2>&1 | FileCheck %s
// RUN: %cc -O2 %s -o %t.elf
// RUN: %iss %t.elf | FileCheck --check-prefix=UNCHECKED %s

#include <stdio.h>

static int next(int x) { return x + 1; }
static int (*volatile right)(int) = next;
static int (*volatile wrong)(long long, char *) = (int (*)(long long, char *))next;

// CHECK: next 4
// CHECK-NEXT: trap: breakpoint
// UNCHECKED: other type
int main(void) {
  printf("next %d\n", right(3));
  fflush(stdout);
  wrong(1, NULL);
  printf("other type\n");
  return 0;
}
