// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf, scanf and strtold of long double, which has 128 bits: 34 digits, exactly rounded. And the other
// conversions that C libraries for small machines leave out.
//
// RUN: %python %S/Inputs/long_double_cases.py 1 200 %t
// RUN: %cc -O2 -T npu-large.ld -I %t %s -o %t.elf && %iss_bin --max-cycles 2000000000 --config large %t.elf > %t.out
// RUN: head -n 200 %t.out | diff - %t/expected.txt
// RUN: FileCheck %s < %t.out

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

union Words {
  unsigned long long words[2];
  long double number;
};

static const struct {
  union Words bits;
  short fixed, scientific, hexadecimal;
  const char *text;
} cases[] = {
#include "cases.h"
};

// Not known to the optimizer.
static volatile long double third = 1.0L / 3, nine = 0.95L, half = 0.5L, largest = LDBL_MAX;

int main(void) {
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    long double x = cases[i].bits.number;
    union Words parsed = {.number = strtold(cases[i].text, NULL)};
    if (cases[i].fixed >= 0)
      printf("%.*Lf", cases[i].fixed, x);
    else
      printf("-");
    printf(" %.*Le %La %.*La %016llx%016llx\n", cases[i].scientific, x, x, cases[i].hexadecimal, x,
           parsed.words[1], parsed.words[0]);
  }

  // CHECK: 0.333333 0.33333333333333333333333333333333330 9e-01 1 0 -2 0.95
  printf("%Lf %.35Lf %.0Le %.0Lf %.0Lf %.0Lf %Lg\n", third, third, nine, nine, half, half - 2.5L, nine);
  // CHECK-NEXT: 1.189731495357231765085759326628007e+4932 |     -1.19e+4932| inf -nan 0.000000 -0.0 0x0p+0
  printf("%.33Le |%16.2Le| %Lf %Lf %Lf %.1Lf %La\n", largest, -largest, largest * 2, -(long double)NAN, 0.0L,
         -0.0L, 0.0L);
  long double read[3] = {0};
  double d = 0;
  // CHECK-NEXT: 4 0.1 12345678901234567890123456789012 0.75 -2.5
  int count = sscanf("0.1 12345678901234567890123456789012 0x1.8p-1 -2.5", "%Lf %Lf %Lf %lf", &read[0], &read[1],
                     &read[2], &d);
  printf("%d %.33Lg %.32Lg %Lg %g\n", count, read[0], read[1], read[2], d);
  int characters = 0;
  // CHECK-NEXT: -9223372036854775807 18446744073709551615 ff 0x1.8p+1 101
  printf("%lld %ju %hhx %a %b\n%n", -9223372036854775807LL, ~0ULL, 255, 3.0, 5, &characters);
  // CHECK-NEXT: two 58 one
  printf("%3$s %2$d %1$s\n", "one", characters, "two");
  return 0;
}
