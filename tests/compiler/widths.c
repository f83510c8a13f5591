// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts, rotations and funnels of every width up to 128 bits, by every kind of amount;
// overflow and saturation; bits counted.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

typedef unsigned u32;
typedef unsigned long long u64;
#define FUNCTION __attribute__((noinline)) static

static u32 state = 12345;
static u32 next(void) { return state = state * 1103515245u + 12345u; }

#define WIDTH(n)                                                                                  \
  typedef unsigned _BitInt(n) w##n;                                                               \
  typedef _BitInt(n + 1) i##n;                                                                    \
  FUNCTION w##n left##n(w##n x, u32 y) { return x << y; }                                         \
  FUNCTION w##n right##n(w##n x, u32 y) { return x >> y; }                                        \
  FUNCTION i##n arithmetic##n(i##n x, u32 y) { return x >> y; }                                   \
  FUNCTION w##n rotate##n(w##n x, u32 y) { return y ? x << y | x >> (n - y) : x; }                \
  FUNCTION w##n funnel##n(w##n x, w##n y, u32 z) { return z ? x << z | y >> (n - z) : x; }        \
  FUNCTION w##n fixed##n(w##n x) { return (x << n / 2) ^ (x >> n / 3) ^ (x << (n - 1)); }         \
  FUNCTION i##n multiply##n(i##n x, i##n y) { return (i##n)((w##n)x * (w##n)y) + (x ^ y); }       \
  FUNCTION w##n reduce##n(w##n x, w##n y) { return y ? x / y + x % y : (w##n)~x; }                \
  FUNCTION int order##n(i##n x, i##n y) { return (x < y) | (x <= y) << 1 | (x == y) << 2; }       \
  static void test##n(void) {                                                                     \
    u32 hash = 1;                                                                                 \
    for (u32 i = 0; i < 24; ++i) {                                                                \
      w##n x = 0, y = 0;                                                                          \
      for (int k = 0; k < 5; ++k)                                                                 \
        x = x * (w##n)2654435761u + (w##n)next(), y = y * (w##n)2654435761u + (w##n)next();      \
      if (i % 4 == 0)                                                                             \
        y >>= n / 2;                                                                              \
      const u32 amount = i < 3 ? i * (n - 1) / 2 : next() % n;                                    \
      const w##n r[] = {left##n(x, amount), right##n(x, amount), (w##n)arithmetic##n(x, amount),  \
                        (w##n)arithmetic##n(-(i##n)x, amount), rotate##n(x, amount),              \
                        funnel##n(x, y, amount), fixed##n(x), (w##n)multiply##n(x, -(i##n)y),     \
                        reduce##n(x, y), (w##n)order##n(x, -(i##n)y)};                            \
      for (u32 k = 0; k < sizeof r / sizeof *r; ++k)                                              \
        for (int bit = 0; bit < n; bit += 16)                                                     \
          hash = (hash ^ ((u32)(r[k] >> bit) & 0xffff)) * 16777619u;                              \
    }                                                                                             \
    printf("width %d: %08x\n", n, hash);                                                          \
  }
#define ALL(F) F(1) F(2) F(3) F(7) F(8) F(9) F(15) F(16) F(17) F(23) F(24) F(31) F(32) F(33) F(40) F(47) F(48) F(63) F(64) F(65) F(95) F(96) F(97) F(126) F(127)
ALL(WIDTH)

#define OVERFLOW(name, type)                                                                      \
  FUNCTION u32 overflow_##name(type x, type y) {                                                  \
    type sum, difference, product;                                                                \
    u32 r = __builtin_add_overflow(x, y, &sum) | __builtin_sub_overflow(x, y, &difference) << 1 | \
            __builtin_mul_overflow(x, y, &product) << 2;                                          \
    return r ^ (u32)sum * 3 ^ (u32)difference * 5 ^ (u32)product * 7 ^                            \
           (u32)__builtin_elementwise_add_sat(x, y) * 9 ^                                         \
           (u32)__builtin_elementwise_sub_sat(x, y) * 11 ^ (u32)__builtin_elementwise_max(x, y) * 13 ^ \
           (u32)__builtin_elementwise_min(x, y) * 17;                                             \
  }
#define TYPES(F) F(s8, signed char) F(u8, unsigned char) F(s16, short) F(u16, unsigned short) F(s32, int) F(u32, unsigned) F(s64, long long) F(u64, unsigned long long) F(b9, _BitInt(9)) F(b37, unsigned _BitInt(37)) F(b64, _BitInt(64))
TYPES(OVERFLOW)
FUNCTION u32 mixed_overflow(int x, unsigned y, long long z, short *s, unsigned char *c) {
  unsigned long long wide;
  u32 r = __builtin_add_overflow(x, y, s) | __builtin_mul_overflow(z, x, c) << 1 |
          __builtin_sub_overflow(y, z, &wide) << 2;
  return r ^ (u32)*s * 3 ^ *c * 5 ^ (u32)wide * 7 ^ (u32)(wide >> 32);
}

FUNCTION u32 bits(u64 x) {
  const unsigned char b = x;
  const unsigned short h = x;
  const u32 w = x;
  u32 carry, r = __builtin_popcount(b) + __builtin_popcount(h) * 3 + __builtin_popcountll(x) * 5;
  r ^= __builtin_clzg(b, 99) * 7 + __builtin_ctzg(h, 98) * 11 + __builtin_clzg(w, 97) * 13 + __builtin_ctzg(x, 96);
  r ^= __builtin_bswap16(h) + __builtin_bswap32(w) + (u32)__builtin_bswap64(x);
  r ^= __builtin_bitreverse8(b) + __builtin_bitreverse16(h) + __builtin_bitreverse32(w) + (u32)__builtin_bitreverse64(x);
  r ^= __builtin_rotateleft8(b, 3) + __builtin_rotateright16(h, 5) + __builtin_rotateleft32(w, b) + (u32)__builtin_rotateright64(x, b);
  r += __builtin_parityll(x) + __builtin_ffsll(x) + __builtin_clrsb(w) + __builtin_clrsbll(x);
  r += __builtin_addc(w, w, b & 1, &carry) + carry;
  r += __builtin_abs((int)w / 2) + (u32)__builtin_llabs((long long)x / 2);
  return r;
}

int main(void) {
#define TEST(n) test##n();
  ALL(TEST)
  u32 hash = 0;
  static const u64 edges[] = {0, 1, -1ull, 0x80, 0x7f, 0x8000, 0x7fff, 0x80000000, 0x7fffffff, 1ull << 63, ~0ull >> 1, 255};
  for (int i = 0; i < 200; ++i) {
    const u64 x = i < 144 ? edges[i / 12] : (u64)next() << 32 | next(), y = i < 144 ? edges[i % 12] : (u64)next() << 32 | next();
#define RUN(name, type) hash = hash * 31 + overflow_##name((type)x, (type)y);
    TYPES(RUN)
    short s;
    unsigned char c;
    hash = hash * 31 + mixed_overflow(x, y, y, &s, &c);
    hash = hash * 31 + bits(x ^ y << 7);
    if (i % 20 == 0)
      printf("%d: %08x\n", i, hash);
  }
  printf("%08x\n", hash);
  return 0;
}
