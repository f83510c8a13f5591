// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command line, formatted output with floating point and 64-bit integers, exit status.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: sh -c '%iss %t.elf one two; echo status $?' | FileCheck %s
// RUN: sh -c '%rtl %t.elf one two; echo status $?' | FileCheck %s
// RUN: sh -c '%iss %t.elf one two 2>/dev/null; true' | FileCheck --check-prefix=STDOUT %s

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv) {
  printf("argc %d\n", argc);
  for (int i = 1; i < argc; ++i)
    printf("argv[%d] %s\n", i, argv[i]);
  printf("%d %u %x %c|%5d|%-5d|%05d\n", -42, 42u, 0xcafeu, 'z', 7, 7, 7);
  printf("%f %.3f %e %g\n", 3.25, -2.0 / 3.0, 12345.678, 0.0001);
  printf("%lld %llu %llx\n", -9223372036854775807LL, 18446744073709551615ULL,
         0x123456789abcdefULL);
  printf("%" PRId64 " %zu\n", (int64_t)1 << 40, sizeof(void *));
  fprintf(stderr, "this goes to standard error\n");
  return 42;
}

// CHECK: argc 3
// CHECK-NEXT: argv[1] one
// CHECK-NEXT: argv[2] two
// CHECK-NEXT: -42 42 cafe z|    7|7    |00007
// CHECK-NEXT: 3.250000 -0.667 1.234568e+04 0.0001
// CHECK-NEXT: -9223372036854775807 18446744073709551615 123456789abcdef
// CHECK-NEXT: 1099511627776 4
// CHECK: status 42

// STDOUT: 1099511627776 4
// STDOUT-NOT: standard error
