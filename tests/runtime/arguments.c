// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments arrive complete, or the program does not start.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: sh -c '%iss %t.elf $(seq 63)' | FileCheck --check-prefix=ALL %s
// RUN: sh -c '%rtl %t.elf $(seq 63)' | FileCheck --check-prefix=ALL %s
// RUN: sh -c '%iss %t.elf $(seq 64); echo status $?' 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: sh -c '%iss %t.elf $(printf "%%0700d" 0)' | FileCheck --check-prefix=LONG %s
// RUN: sh -c '%iss %t.elf $(printf "%%01024d" 0); echo status $?' 2>&1 | FileCheck --check-prefix=REFUSED %s

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  // ALL: 64 arguments, the last 63 of 2 characters
  // LONG: 2 arguments, the last 0{{0+}} of 700 characters
  // REFUSED-NOT: arguments, the last
  // REFUSED: npu: the command line has more than 1023 bytes or 64 words
  // REFUSED-NEXT: status 2
  printf("%d arguments, the last %s of %u characters\n", argc, argv[argc - 1],
         (unsigned)strlen(argv[argc - 1]));
}
