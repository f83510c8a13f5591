// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregates of every size and alignment by value: arguments in registers, half in registers, on
// the stack and in variable argument lists, results, copies, calls through pointers.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

typedef unsigned u32;
#define FUNCTION __attribute__((noinline)) static

static u32 hash(const void *data, u32 size, u32 seed) {
  for (u32 i = 0; i < size; ++i)
    seed = (seed ^ ((const unsigned char *)data)[i]) * 16777619u;
  return seed;
}

// A type of a size and an alignment, with functions that take it behind n words and give it back.
#define TYPE(size, align)                                                                         \
  struct s##size##_##align {                                                                      \
    _Alignas(align) unsigned char bytes[size];                                                    \
  };                                                                                              \
  FUNCTION struct s##size##_##align make##size##_##align(int seed) {                              \
    struct s##size##_##align x;                                                                   \
    __builtin_memset(&x, 0, sizeof x);                                                            \
    for (int i = 0; i < size; ++i)                                                                \
      x.bytes[i] = seed + i * 5;                                                                  \
    return x;                                                                                     \
  }                                                                                               \
  FUNCTION u32 first##size##_##align(struct s##size##_##align x) {                                \
    x.bytes[0] ^= 1;                                                                              \
    return hash(x.bytes, size, 1);                                                                \
  }                                                                                               \
  FUNCTION u32 last##size##_##align(int a, int b, int c, int d, int e, int f, int g,              \
                                    struct s##size##_##align x, char h,                           \
                                    struct s##size##_##align y, short i) {                        \
    const u32 sum = a + b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g * 13 + h * 17 + i * 19;        \
    return hash(y.bytes, size, hash(x.bytes, size, sum));                                         \
  }                                                                                               \
  FUNCTION u32 list##size##_##align(int n, ...) {                                                 \
    __builtin_va_list l, copy;                                                                    \
    __builtin_va_start(l, n);                                                                     \
    u32 result = n;                                                                               \
    for (int i = 0; i < n; ++i) {                                                                 \
      result += __builtin_va_arg(l, int);                                                         \
      __builtin_va_copy(copy, l);                                                                 \
      struct s##size##_##align x = __builtin_va_arg(l, struct s##size##_##align);                 \
      struct s##size##_##align y = __builtin_va_arg(copy, struct s##size##_##align);              \
      __builtin_va_end(copy);                                                                     \
      result = hash(y.bytes, size, hash(x.bytes, size, result));                                  \
    }                                                                                             \
    __builtin_va_end(l);                                                                          \
    return result;                                                                                \
  }                                                                                               \
  FUNCTION struct s##size##_##align pass##size##_##align(struct s##size##_##align x, int add) {   \
    struct s##size##_##align (*volatile make)(int) = make##size##_##align;                        \
    struct s##size##_##align y = make(x.bytes[size - 1] + add), *p = &y;                          \
    *p = y;                                                                                       \
    return *p;                                                                                    \
  }                                                                                               \
  FUNCTION void test##size##_##align(void) {                                                      \
    struct s##size##_##align x = make##size##_##align(size), y = pass##size##_##align(x, align);  \
    printf(#size "/" #align ": %u %u %08x %08x %08x %08x\n", (u32)sizeof x, (u32)_Alignof(x),     \
           hash(y.bytes, size, 0), first##size##_##align(x),                                      \
           last##size##_##align(1, 2, 3, 4, 5, 6, 7, x, 'h', y, -9),                              \
           list##size##_##align(3, 1, x, 2, y, 3, x));                                            \
  }

#define ALIGN1(F) F(1, 1) F(2, 1) F(3, 1) F(4, 1) F(5, 1) F(6, 1) F(7, 1) F(8, 1) F(9, 1) F(11, 1) F(12, 1) F(13, 1) F(16, 1) F(17, 1) F(24, 1) F(31, 1) F(33, 1)
#define ALIGN2(F) F(2, 2) F(4, 2) F(6, 2) F(8, 2) F(10, 2) F(18, 2)
#define ALIGN4(F) F(4, 4) F(8, 4) F(12, 4) F(16, 4) F(20, 4) F(36, 4) F(100, 4)
#define ALIGN8(F) F(8, 8) F(16, 8) F(24, 8) F(40, 8) F(5, 8)
#define ALIGN16(F) F(16, 16) F(32, 16) F(48, 16) F(3, 16)
#define ALIGN32(F) F(32, 32) F(64, 32)
#define ALL(F) ALIGN1(F) ALIGN2(F) ALIGN4(F) ALIGN8(F) ALIGN16(F) ALIGN32(F)

ALL(TYPE)

// Words, double words, quads and narrow values that start in the registers and go on on the stack.
typedef _BitInt(128) s128;
FUNCTION u32 quads(char a, s128 b, short c, long double d, long long e, _BitInt(100) f, signed char g,
                   unsigned long long h, unsigned char i, s128 j) {
  return (u32)(a + b * 3 + c * 5) + (u32)(long long)d + (u32)e * 7 + (u32)f * 11 + g * 13 + (u32)(h >> 32) + i +
         (u32)(j >> 96);
}
FUNCTION s128 quad(s128 x, s128 y) { return x * y - (x >> 5); }
struct mixed {
  char a;
  double b;
  struct {
    short c;
    float d;
  } e[2];
  long long f;
};
FUNCTION struct mixed mixed(struct mixed x, float y, struct mixed z) {
  x.b += y + z.e[1].d;
  x.e[0].c += z.a, x.f -= z.f;
  return x;
}
struct empty {};
FUNCTION int empties(struct empty a, int b, struct empty c, int d) { return b * 10 + d; }

int main(void) {
#define TEST(size, align) test##size##_##align();
  ALL(TEST)
  const s128 q = (s128)0x123456789abcdef << 64 | 0xfedcba987654321;
  printf("quads %08x\n", quads(-1, q, -2, -77.5L, -3, (_BitInt(100))-4 << 20, -5, 6ull << 33, 200, q * 3));
  const s128 r = quad(q, -q + 12345);
  printf("quad %08x %08x %08x %08x\n", (u32)r, (u32)(r >> 32), (u32)(r >> 64), (u32)(r >> 96));
  struct mixed m = {1, 2.5, {{3, 4.5f}, {5, 6.5f}}, 7000000000};
  m = mixed(m, 1.25f, m);
  printf("mixed %d %d %d %d %d\n", m.a, (int)(m.b * 1000), m.e[0].c, (int)m.e[1].d, (int)m.f);
  struct empty e;
  printf("empty %d\n", empties(e, 4, e, 2));
  return 0;
}
