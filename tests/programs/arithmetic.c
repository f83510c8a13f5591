// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64-bit integers, soft float, double and long double, conversions between them.
//
// RUN: %cc -O0 -Wall -Werror %s -o %t.O0.elf && %iss %t.O0.elf | FileCheck %s
// RUN: %cc -O2 %s -o %t.O2.elf && %iss %t.O2.elf | FileCheck %s
// RUN: %rtl %t.O2.elf | FileCheck %s

#include <math.h>
#include <stdint.h>
#include <stdio.h>

// Not known to the optimizer.
static volatile int64_t n = 123456789012345LL;
static volatile int64_t d = -98765LL;
static volatile uint64_t u = 0xfedcba9876543210ULL;
static volatile int s = 37;
static volatile double x = 2.0;
static volatile float f = 1.0f / 3.0f;

int main(void) {
  printf("%lld %lld %lld %lld\n", n + d, n - d, n * (d / 10), n / d);
  // CHECK: 123456788913580 123456789111110 -1219259248285919220 -1250005457
  printf("%lld %llu %llu\n", n % d, u / 1000003u, u % 1000003u);
  // CHECK-NEXT: 51740 18364703450382 713574
  printf("%llx %llx %llx\n", u << s, u >> s, (uint64_t)((int64_t)u >> s));
  // CHECK-NEXT: ca86420000000000 7f6e5d4 fffffffffff6e5d4
  printf("%d %d %d\n", n > d, (uint64_t)n > u, __builtin_clzll(u));
  // CHECK-NEXT: 1 0 0
  printf("%.12f %.12f\n", sqrt(x), exp(1.0) * x);
  // CHECK-NEXT: 1.414213562373 5.436563656918
  printf("%.9f %.6f %d %u\n", (double)f, (double)(f * 3.0f), (int)(f * -300.0f),
         (unsigned)(f * 3000000000.0f));
  // CHECK-NEXT: 0.333333343 1.000000 -100 1000000000
  printf("%.3f %lld %.9e\n", (double)n / (double)d, (long long)(x * 1e15), (double)u);
  // CHECK-NEXT: -1250005457.524 2000000000000000 1.836475854e+19
  const long double third = (long double)x / 6;
  printf("%d %.15g\n", sizeof(long double) == 16 && third * 3 < 1.0L + 1e-30L, (double)third);
  // CHECK-NEXT: 1 0.333333333333333
  printf("%d %d %d\n", (int)isnan(x - x / 0.0 + x / 0.0), (int)isinf(x / 0.0), (int)signbit(-0.0));
  // CHECK-NEXT: 1 1 1
  return 0;
}
