// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of every width, up to 128 bits, that are not a register's.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

typedef _BitInt(5) s5;
typedef unsigned _BitInt(17) u17;
typedef _BitInt(37) s37;
typedef _BitInt(63) s63;
typedef _BitInt(77) s77;
typedef unsigned _BitInt(100) u100;
typedef _BitInt(128) s128;
typedef unsigned _BitInt(128) u128;

#define BINARY(name, result, type1, type2, expr) \
  __attribute__((noinline)) static result name(type1 x, type2 y) { return expr; }

BINARY(mix5, s5, s5, s5, x + y * x)
BINARY(mix17, u17, u17, u17, y ? x / y + x * y : x)
BINARY(mix37, s37, s37, s37, x * y - (x >> 3) + (y << 5) ^ (x | y))
BINARY(shift63, s63, s63, int, (x << (y % 63)) ^ (x >> (y % 63)))
BINARY(divide77, s77, s77, s77, y ? x / y - x % y + x * y : x)
BINARY(mix100, u100, u100, u100, x * y + (x >> 13) - (y << 31) ^ ~x)
BINARY(divide128, s128, s128, s128, y ? x / y + x % y : 1)
BINARY(divideU128, u128, u128, u128, y ? x / y ^ x % y : 1)
BINARY(order128, int, s128, s128, (x < y) | (x <= y) << 1 | (x == y) << 2 | ((u128)x > (u128)y) << 3)
BINARY(shift128, s128, s128, int, (x << y) ^ (x >> y) ^ (s128)((u128)x >> y))
BINARY(counts, int, u128, int, __builtin_popcountg(x) + __builtin_clzg(x, y) * 3 + __builtin_ctzg(x, y) * 7)
BINARY(extend, s128, signed char, short, (s128)x * y)
BINARY(bit, _Bool, _Bool, unsigned char, x ^ (y > 3))

__attribute__((noinline)) static long long wideSwitch(long long x) {
  switch (x) {
  case 0x100000000: return 1;
  case 0x100000001: return 7;
  case 0x100000002: return 3;
  case 0x100000003: return 9;
  case 0x100000004: return 2;
  case 0x100000005: return 12;
  case 0x100000006: return 77;
  case -5: return 3;
  default: return x;
  }
}

static unsigned long long state = 88172645463325252;
static unsigned long long next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static unsigned hash;
static void add(u128 value) {
  for (; value; value >>= 32)
    hash = hash * 31 + (unsigned)value;
  hash += 17;
}

int main(void) {
  for (int i = 0; i < 2000; ++i) {
    int amount = next() & 127;
    s128 x = ((u128)next() << 64 | next()) >> amount;
    s128 y = ((u128)next() << 64 | next()) >> (next() & 127);
    if (next() & 1)
      x = -x;
    add(mix5(x, y)), add(mix17(x, y)), add(mix37(x, y)), add(shift63(x, amount));
    add(divide77(x, y)), add(mix100(x, y)), add(divide128(x, y)), add(divideU128(x, y));
    add(order128(x, y)), add(order128(x, x)), add(shift128(x, amount)), add(counts(x, 200));
    add(extend(x, y)), add(bit(x & 1, y));
    add(wideSwitch(0x100000000 + (amount & 15) - 4));
    if (i % 400 == 0)
      printf("%d %08x\n", i, hash);
  }
  printf("%08x\n", hash);
  return 0;
}
