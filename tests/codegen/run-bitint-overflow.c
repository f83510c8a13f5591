// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked and saturating arithmetic on _BitInt of odd widths, whose operands and results have
// different widths and signs.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

typedef unsigned _BitInt(128) u128;
typedef long long s64;
typedef unsigned u32;
#define FUNCTION __attribute__((noinline)) static

static u32 hash = 1;
static void add(u128 x) {
  for (int i = 0; i < 128; i += 32)
    hash = (hash ^ (u32)(x >> i)) * 16777619u;
}

#define OPERATION(type, name, op)                                                                 \
  FUNCTION type op##_same_##name(type a, type b, int *o) {                                        \
    type r;                                                                                       \
    *o = __builtin_##op##_overflow(a, b, &r);                                                     \
    return r;                                                                                     \
  }                                                                                               \
  FUNCTION int op##_narrow_##name(type a, s64 b, int *o) {                                        \
    int r;                                                                                        \
    *o = __builtin_##op##_overflow(a, b, &r);                                                     \
    return r;                                                                                     \
  }                                                                                               \
  FUNCTION type op##_wide_##name(u32 a, s64 b, int *o) {                                          \
    type r;                                                                                       \
    *o = __builtin_##op##_overflow(a, b, &r);                                                     \
    return r;                                                                                     \
  }
#define RUN(op, name)                                                                             \
  add(op##_same_##name(a, b, &o)), add(o), add(op##_narrow_##name(a, (s64)y, &o)), add(o),        \
      add(op##_wide_##name((u32)x, (s64)y, &o)), add(o)
#define WIDTH(name, type)                                                                         \
  OPERATION(type, name, add)                                                                      \
  OPERATION(type, name, sub)                                                                      \
  OPERATION(type, name, mul)                                                                      \
  FUNCTION void test_##name(u128 x, u128 y) {                                                     \
    type a = (type)x, b = (type)y;                                                                \
    int o;                                                                                        \
    RUN(add, name), RUN(sub, name), RUN(mul, name);                                               \
  }
#define BOTH(F, n) F(s##n, _BitInt(n)) F(u##n, unsigned _BitInt(n))
#define ALL(F) BOTH(F, 17) BOTH(F, 33) BOTH(F, 65) BOTH(F, 97)
ALL(WIDTH)

#define SATURATING(name, type)                                                                    \
  FUNCTION type plus_##name(type a, type b) { return __builtin_elementwise_add_sat(a, b); }       \
  FUNCTION type minus_##name(type a, type b) { return __builtin_elementwise_sub_sat(a, b); }
#define SMALL(F) BOTH(F, 5) BOTH(F, 31) BOTH(F, 37)
SMALL(SATURATING)

int main(void) {
  static const unsigned long long values[][2] = {
      {0, 0}, {1, 0}, {~0ull, ~0ull}, {1ull << 63, 0}, {0, 1ull << 63}, {0x7fffffff, 0}, {0x80000000, 5},
      {0x123456789abcdef0, 0xfedcba9876543210}, {0xffffffff, ~0ull >> 1}, {3, ~0ull}};
  for (int i = 0; i < 10; ++i)
    for (int k = 0; k < 10; ++k) {
      u128 x = (u128)values[i][1] << 64 | values[i][0], y = (u128)values[k][1] << 64 | values[k][0];
#define TEST(name, type) test_##name(x, y);
      ALL(TEST)
#define TEST_SATURATING(name, type) add(plus_##name((type)x, (type)y)), add(minus_##name((type)x, (type)y));
      SMALL(TEST_SATURATING)
      printf("%d %d %08x\n", i, k, hash);
    }
  return 0;
}
