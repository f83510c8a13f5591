// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack frames of every kind at run time: beyond 2 KiB and 64 KiB under register
// pressure, variable-sized, over-aligned, both, with arguments on the stack; tail
// calls; branches beyond their reach; computed goto; inline assembly.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc -Wl,--defsym=__stack_size=98304" --simulator "%iss" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);
typedef unsigned u32;

#define FUNCTION __attribute__((noinline)) static
// The reference compiler refuses musttail with arguments on the stack.
#ifdef __npu__
#define MUSTTAIL __attribute__((musttail))
#else
#define MUSTTAIL
#endif

volatile int sink;

FUNCTION void fill(void *memory, int size, int seed) {
  for (int i = 0; i < size; ++i)
    ((unsigned char *)memory)[i] = i * 7 + seed;
}

FUNCTION int sum(const void *memory, int size) {
  u32 result = 0;
  for (int i = 0; i < size; ++i)
    result = result * 3 + ((const unsigned char *)memory)[i];
  return result;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

FUNCTION int beyondImmediate(int n) {
  int a[1500];
  fill(a, sizeof a, n);
  return sum(a, sizeof a) + a[n];
}

// More values alive than registers, so that spill slots are out of reach too.
FUNCTION int beyond64K(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  unsigned char x[70000], y[3000];
  u32 z[16];
  fill(x, sizeof x, a), fill(y, sizeof y, b), fill(z, sizeof z, c);
  u32 result = 0;
  u32 t0 = x[a], t1 = y[b], t2 = z[c & 15], t3 = x[69000 + d], t4 = y[2900 + e];
  u32 t5 = z[f & 15], t6 = x[g], t7 = y[h], t8 = x[i + 30000], t9 = y[j];
  for (int k = 0; k < 50; ++k) {
    t0 += t1 * x[k * 1000], t1 ^= t2 + y[k], t2 -= t3 * z[k & 15], t3 += t4;
    t4 ^= t5 + x[k + 69900], t5 += t6, t6 -= t7, t7 ^= t8, t8 += t9 + a, t9 -= t0 + b;
    x[k + 60000] = t0, y[k + 2000] = t1, z[k & 15] = t2;
    result += t0 ^ t1 ^ t2 ^ t3 ^ t4 ^ t5 ^ t6 ^ t7 ^ t8 ^ (t9 + c + d + e + f + g + h + i + j);
  }
  return result + sum(x, sizeof x) + sum(y, sizeof y) + sum(z, sizeof z);
}

FUNCTION int variable(int n) {
  char outer[n];
  fill(outer, n, 3);
  int result = sum(outer, n);
  {
    char inner[n * 2];
    fill(inner, 2 * n, 9);
    result += sum(inner, 2 * n);
  }
  return result;
}

FUNCTION int aligned(int n) {
  _Alignas(64) int a[20];
  fill(a, sizeof a, n);
  return ((u32)a & 63) + sum(a, sizeof a);
}

FUNCTION int alignedToPage(int n) {
  _Alignas(4096) char a[5000];
  fill(a, sizeof a, n);
  return ((u32)a & 4095) + sum(a, sizeof a);
}

// Needs a base pointer; the last arguments are on the stack.
FUNCTION int alignedAndVariable(int n, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  _Alignas(128) int a[20];
  char v[n];
  int large[3000];
  fill(a, sizeof a, n), fill(v, n, 5), fill(large, sizeof large, 1);
  return ((u32)a & 127) + sum(a, sizeof a) + sum(v, n) * 3 + sum(large, sizeof large) + b + i * 2 + j;
}

FUNCTION int manyArguments(int a, int b, int c, int d, int e, int f, int g, int h, int i,
                           long long j, char k, short l, int m) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + (int)(10 * j) + 11 * k +
         12 * l + 13 * m;
}

FUNCTION int pushArguments(int n) {
  char large[4000];
  char v[n + 1];
  fill(large, sizeof large, n), fill(v, n + 1, 2);
  return manyArguments(n, 2, 3, 4, 5, 6, 7, 8, 9, 0x100000000ll + n, -3, 1000, 77) +
         sum(large, sizeof large) + sum(v, n + 1);
}

struct Large {
  int words[9];
  char tail;
};

FUNCTION struct Large makeLarge(int x) {
  struct Large result;
  fill(&result, sizeof result, x);
  result.tail = x;
  return result;
}

FUNCTION int useLarge(struct Large value, int k) {
  value.words[k] += 5;
  return sum(&value, 37) + value.tail;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

FUNCTION int target(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 100 * j;
}

// Every argument changes its place, in registers and on the stack.
FUNCTION int tailCall(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  char local[100];
  fill(local, sizeof local, a);
  sink = sum(local, sizeof local);
  MUSTTAIL return target(b, a, d, c, f, e, h, g, j, i);
}

FUNCTION int indirect(int (*function)(int), int x) { return function(x); }

#define SKIP(bytes) __asm__ volatile("j 1f\n\t.space " #bytes "\n1:")

FUNCTION int farBranches(int n) {
  int result = 0;
  for (int i = 0; i < n; ++i) {
    if (i & 1) {
      SKIP(6000);
      result += i;
    } else {
      result -= 2 * i;
      SKIP(3000);
    }
    if (result > 1000)
      break;
  }
  return result;
}

FUNCTION int jumpTable(int x) {
  switch (x) {
  case 0: SKIP(5000); return 3;
  case 1: return 8;
  case 2: SKIP(5000); return 5;
  case 3: return 1;
  case 4: return 99;
  case 5: return -4;
  case 6: return sink;
  default: return x;
  }
}

FUNCTION int computedGoto(const char *program) {
  static void *labels[] = {&&triple, &&less, &&flip, &&done};
  int result = 1;
  goto *labels[*program++];
triple:
  result = result * 3 + 1;
  goto *labels[*program++];
less:
  result -= 7;
  goto *labels[*program++];
flip:
  result ^= 0x55;
  goto *labels[*program++];
done:
  return result;
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

FUNCTION int namedRegisters(int x) {
  register int saved __asm__("s5") = x * 3;
  register int argument __asm__("a6") = x + 1;
  __asm__ volatile("add %0, %0, %1" : "+r"(saved) : "r"(argument));
  __asm__ volatile("" ::: "s0", "s1", "s2", "s3", "s4", "ra", "t0", "a0");
  return saved;
}

FUNCTION int memoryOperands(int *p, int x) {
  int result;
  __asm__ volatile("lw %0, %1\n\tadd %0, %0, %2\n\tsw %0, %3"
                   : "=&r"(result)
                   : "m"(p[3]), "r"(x), "m"(p[5])
                   : "memory");
  __asm__("sltu %0, zero, %z1" : "=r"(x) : "rJ"(0));
  __asm__ volatile("sw %1, %0" : "=A"(p[1]) : "r"(result));
  return result + x;
}

int main(void) {
  for (int n = 1; n < 1000; n = n * 5 + 3)
    printf("%d: %d %d %d %d %d %d %d\n", n, beyondImmediate(n), variable(n), aligned(n),
           alignedToPage(n), alignedAndVariable(n, 1, 2, 3, 4, 5, 6, 7, 8, 9), pushArguments(n),
           tailCall(n, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  printf("%d\n", beyond64K(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  struct Large large = makeLarge(5);
  printf("%d %d %d\n", useLarge(large, 3), useLarge(makeLarge(9), 0), useLarge(large, 3));
  printf("%d %d\n", indirect(beyondImmediate, 7), farBranches(37));
  for (int i = -1; i < 8; ++i)
    printf("%d ", jumpTable(i));
  printf("%d %d\n", computedGoto("\0\1\2\0\1\3"), namedRegisters(14));
  int words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  printf("%d", memoryOperands(words, 5));
  for (int i = 0; i < 8; ++i)
    printf(" %d", words[i]);
  printf("\n");
  return 0;
}
