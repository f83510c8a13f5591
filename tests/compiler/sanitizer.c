// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Undefined behaviour: reported once a place by the minimal runtime, or a trap.
//
// RUN: %cc -O1 -fsanitize=undefined -fsanitize-minimal-runtime %s -o %t.elf
// RUN: %iss %t.elf > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT %s < %t.out
// RUN: FileCheck --check-prefix=ERR --implicit-check-not=ubsan: %s < %t.err
// RUN: %cc -O2 -fsanitize=undefined -fsanitize-minimal-runtime -fno-sanitize-recover=all %s -o %t.elf
// RUN: not %iss %t.elf > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=FIRST --implicit-check-not=ubsan: %s < %t.err
// RUN: %cc -O2 -fsanitize=undefined -fsanitize-trap=all %s -o %t.elf
// RUN: not %iss %t.elf 2>&1 | FileCheck --check-prefix=TRAP %s

#include <stdio.h>

__attribute__((noinline)) static int add(int x, int y) { return x + y; }
__attribute__((noinline)) static int shift(int x, int y) { return x << y; }
__attribute__((noinline)) static int element(int i) {
  static int table[4] = {1, 2, 3, 4};
  return table[i];
}

// ERR: ubsan: add-overflow at 0x1000
// ERR: ubsan: shift-out-of-bounds at 0x1000
// ERR: ubsan: out-of-bounds at 0x1000
// FIRST: ubsan: add-overflow at 0x1000
// TRAP: trap: illegal instruction
int main(int count, char **arguments) {
  unsigned sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += add(0x7fffffff - 1, i);
  printf("%d\n", shift(1, count + 31) & 0);
  printf("%d\n", element(count + 3) & 0);
  // OUT: 0
  // OUT: 0
  // OUT: done
  printf("done\n");
  return sum & 0;
}
