// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector loops whose counters have 64 bits and fewer than 32: their masks take words.
//
// RUN: %cc -O2 -S %s -o - | FileCheck %s
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc" --simulator "%iss" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

static int data[200];

// CHECK-LABEL: wide:
// CHECK: v.lanes
__attribute__((noinline)) int wide(const int *a, int first, int last, int limit) {
  int count = 0;
#pragma clang loop vectorize(enable) vectorize_predicate(enable)
  for (long long i = first; i <= (long long)last; i++)
    count += a[i & 7] > limit ? 3 : (int)i;
  return count;
}

__attribute__((noinline)) int narrow(const int *a, unsigned short n) {
  int sum = 0;
  for (unsigned short i = 0; i < n; i++)
    sum += a[i] ^ i;
  return sum;
}

__attribute__((noinline)) void fill(int *a, unsigned long long n) {
  for (unsigned long long i = 0; i < n; i++)
    a[i] = (int)(i * i);
}

int main(void) {
  for (int n = 0; n < 140; n += 7) {
    fill(data, n);
    printf("%d %d %d %d\n", wide(data + 1, n, 3 * n, 200), wide(data, -5, n, -3), wide(data, n, n - 1, 4),
           narrow(data, n));
  }
  printf("%d\n", wide(data, 2147483607, 2147483647, 5));
  return 0;
}
