// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer operations whose selection depends on the value of a constant or on the
// width: bit counts, comparisons, masks, sums, products, shifts, overflow.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc" --simulator "%iss" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;

#define FUNCTION __attribute__((noinline)) static
#define UNARY(name, result, type, expr) \
  FUNCTION result name(type x) { return expr; }
#define BINARY(name, result, type1, type2, expr) \
  FUNCTION result name(type1 x, type2 y) { return expr; }

// Bit counts, byte and bit order.
UNARY(leading, int, u32, __builtin_clz(x))
UNARY(trailing, int, u32, __builtin_ctz(x))
UNARY(leadingOr32, int, u32, x ? __builtin_clz(x) : 32)
UNARY(trailingOr32, int, u32, x ? __builtin_ctz(x) : 32)
UNARY(leading64, int, u64, __builtin_clzll(x))
UNARY(trailing64, int, u64, __builtin_ctzll(x))
UNARY(firstSet, int, int, __builtin_ffs(x))
UNARY(firstSet64, int, s64, __builtin_ffsll(x))
UNARY(population, int, u32, __builtin_popcount(x))
UNARY(population64, int, u64, __builtin_popcountll(x))
UNARY(parity, int, u32, __builtin_parity(x))
UNARY(swap16, unsigned short, unsigned short, __builtin_bswap16(x))
UNARY(swap32, u32, u32, __builtin_bswap32(x))
UNARY(swap64, u64, u64, __builtin_bswap64(x))
UNARY(reverse32, u32, u32, __builtin_bitreverse32(x))
UNARY(reverse64, u64, u64, __builtin_bitreverse64(x))

// Comparisons next to the ends of immediates and of the number range.
UNARY(signs64, int, s64, (x < 0) | (x >= 0) << 1 | (x > -1) << 2 | (x <= -1) << 3)
UNARY(near1, int, int, (x < 1) | (x >= 1) << 1 | (x > -1) << 2 | (x <= -1) << 3)
UNARY(near1u, int, u32, (x < 1) | (x >= 1) << 1)
UNARY(greater5, int, int, (x > 5) | ((u32)x > 5) << 1)
UNARY(ends, int, int, (x <= 2046) | (x <= 2047) << 1 | (x > -2049) << 2 | (x > -2050) << 3)
UNARY(endsU, int, u32, (x <= 0xfffffffe) | (x > 0xfffff000) << 1 | (x > 0xfffff7fe) << 2)
UNARY(equal, int, int, (x == 2048) | (x != -2048) << 1 | (x == -2047) << 2 | (x == 0) << 3)
BINARY(order64, int, s64, s64,
       (x < y) | (x <= y) << 1 | ((u64)x < (u64)y) << 2 | (x == y) << 3 | ((u64)x >= (u64)y) << 4)
BINARY(branches, int, int, int, x > -1 ? 1 : y < 1 ? 2 : x == y ? 3 : 4)

// Masks and sums in and beyond the reach of an immediate.
UNARY(masks, u32, u32,
      (x & 0xffff) ^ (x & 0xfffff000) * 3 ^ (x & 0x80000000) * 5 ^ (x & 0xfffff800) * 7 ^
          (x & 0x7fffffff) * 9)
BINARY(sharedMask, u32, u32, u32, (x & 0xfffff) * (y & 0xfffff) ^ ((x + y) & 0xfffff))
UNARY(sums, u32, u32,
      (x + 2048) ^ (x + 4094) * 3 ^ (x + 4095) * 5 ^ (x - 4096) * 7 ^ (x - 2049) * 9 ^
          (x - 4097) * 11 ^ (x - 2048) * 13)

// Selects against zero, saturation.
BINARY(selects, int, int, int, (x < y ? 9 : 0) + (x < y ? 0 : 5) + (x == y ? 3 : 0))
BINARY(selectsU, int, u32, u32, (x > y ? 9 : 0) + (x >= y ? 0 : 5))
UNARY(saturate, int, int, x < -128 ? -128 : x > 127 ? 127 : x)
UNARY(magnitude, s64, s64, x < 0 ? -x : x)

// Products.
UNARY(multiples, u32, u32,
      (x * 3) ^ (x * 5) << 1 ^ (x * 7) << 2 ^ (x * -3u) << 3 ^ (x * -7u) << 4 ^ (x * 1025) << 5 ^
          (x * 0x7fffffff) << 6 ^ (x * 0x80000001) << 7 ^ (x * 6) << 8 ^ (x * 0xffff) << 9)
BINARY(product, s64, int, int, (s64)x * y)
BINARY(productU, u64, u32, u32, (u64)x * y)
BINARY(productMixed, s64, int, u32, (s64)x * y)
BINARY(productHalf, s64, s64, int, x * y)
BINARY(quotient, s64, s64, s64, y ? (x == (s64)1 << 63 && y == -1 ? 0 : x / y + x % y) : 7)
UNARY(divisions, int, int, x / 7 + x % 10 + (u32)x / 1000 + x / -3 + x % 16)
BINARY(requantize, int, int, int, ((s64)x * y + (1ll << 30)) >> 31)

// Shifts and rotations by a variable amount.
BINARY(shifts, u64, u64, int, (x << y) ^ (x >> y) ^ (u64)((s64)x >> y))
BINARY(rotate64, u64, u64, int, x << (y & 63) | x >> (-y & 63))
BINARY(rotate32, u32, u32, int, x << (y & 31) | x >> (-y & 31))

#define OVERFLOWS(name, type)                                   \
  FUNCTION u64 name(type x, type y) {                           \
    type sum, difference, product;                              \
    int flags = __builtin_add_overflow(x, y, &sum) |            \
                __builtin_sub_overflow(x, y, &difference) << 1 | \
                __builtin_mul_overflow(x, y, &product) << 2;    \
    return (u64)(sum ^ difference ^ product) * 8 + flags;       \
  }
OVERFLOWS(overflowS32, int)
OVERFLOWS(overflowU32, u32)
OVERFLOWS(overflowS64, s64)
OVERFLOWS(overflowU64, u64)
OVERFLOWS(overflowS16, short)

static u64 hash;
static void add(u64 value) { hash = (hash ^ value) * 0x100000001b3 + (hash >> 37); }

static const u32 Values[] = {
    0,          1,          2,          3,          5,          6,          7,
    8,          0x80,       2046,       2047,       2048,       2049,       0xffff,
    0x10000,    0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xfffff000,
    0xfffff001, 0xfffff7ff, 0xfffff800, 0xfffffffe, 0xffffffff};
enum { Count = sizeof Values / sizeof *Values };

static void checkWord(u32 x) {
  if (x)
    add(leading(x)), add(trailing(x));
  add(leadingOr32(x)), add(trailingOr32(x)), add(firstSet(x)), add(population(x));
  add(parity(x)), add(swap16(x)), add(swap32(x)), add(reverse32(x));
  add(near1(x)), add(near1u(x)), add(greater5(x)), add(ends(x)), add(endsU(x)), add(equal(x));
  add(masks(x)), add(sums(x)), add(saturate(x)), add(multiples(x)), add(divisions(x));
}

static void checkPair(u32 x, u32 y) {
  u64 wide = (u64)y << 32 | x;
  if (wide)
    add(leading64(wide)), add(trailing64(wide));
  add(firstSet64(wide)), add(population64(wide)), add(swap64(wide)), add(reverse64(wide));
  add(signs64(wide)), add(order64(wide, wide * 5)), add(order64(wide, wide)), add(order64(x, wide));
  add(branches(x, y)), add(sharedMask(x, y)), add(selects(x, y)), add(selectsU(x, y));
  add(magnitude(wide)), add(product(x, y)), add(productU(x, y)), add(productMixed(x, y));
  add(productHalf(wide, x)), add(quotient(wide, x)), add(quotient(x, wide)), add(requantize(x, y));
  add(overflowS32(x, y)), add(overflowU32(x, y)), add(overflowS16(x, y));
  add(overflowS64(wide, x)), add(overflowU64(wide, y)), add(overflowS64(wide, wide >> 3));
  for (int n = 0; n < 64; n += 7)
    add(shifts(wide, n)), add(rotate64(wide, n)), add(rotate32(x, n));
}

int main(void) {
  for (int i = 0; i < Count; ++i) {
    checkWord(Values[i]);
    printf("%08x: %016llx\n", Values[i], hash);
    for (int j = 0; j < Count; ++j)
      checkPair(Values[i], Values[j]);
    printf("%08x: %016llx\n", Values[i], hash);
  }
  return 0;
}
