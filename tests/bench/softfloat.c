// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE 754 single precision in integers: sum, product, quotient, square root, conversions; rounding
// to nearest even, subnormals taken as zero. Used for a logistic map and Newton's method.

#include "bench.h"

typedef uint32_t real;

static int exponent(real x) { return (int)(x >> 23 & 255); }
static uint32_t fraction(real x) { return (x & 0x7fffff) | 0x800000; }

// A number with 7 bits below the last place; exponent for a leading one in bit 30.
static real pack(uint32_t sign, int e, uint32_t f) {
  if (f == 0)
    return sign;
  while (!(f & 0x40000000)) {
    f <<= 1;
    e--;
  }
  uint32_t low = f & 0x7f;
  f = (f + 0x40) >> 7;
  if (low == 0x40)
    f &= ~1u;
  if (f & 0x1000000)
    e++;
  if (e <= 0)
    return sign;
  if (e >= 255)
    return sign | 0x7f800000;
  return sign | (uint32_t)e << 23 | (f & 0x7fffff);
}

static uint32_t shift_sticky(uint32_t x, int n) {
  if (n > 31)
    return x != 0;
  return x >> n | (n && x << (32 - n) != 0);
}

static real add(real a, real b) {
  if ((a & 0x7fffffff) < (b & 0x7fffffff)) {
    real t = a;
    a = b;
    b = t;
  }
  if (!exponent(b))
    return a;
  uint32_t sign = a & 0x80000000, fa = fraction(a) << 6;
  uint32_t fb = shift_sticky(fraction(b) << 6, exponent(a) - exponent(b));
  return pack(sign, exponent(a) + 1, (a ^ b) & 0x80000000 ? fa - fb : fa + fb);
}

static real negate(real x) { return x ^ 0x80000000; }

static real multiply(real a, real b) {
  uint32_t sign = (a ^ b) & 0x80000000;
  if (!exponent(a) || !exponent(b))
    return sign;
  uint64_t product = (uint64_t)fraction(a) * fraction(b);
  uint32_t high = (uint32_t)(product >> 17) | ((product & 0x1ffff) != 0);
  return pack(sign, exponent(a) + exponent(b) - 126, high);
}

static real divide(real a, real b) {
  uint32_t sign = (a ^ b) & 0x80000000, fa = fraction(a), fb = fraction(b), q = 0;
  if (!exponent(a))
    return sign;
  int e = exponent(a) - exponent(b) + 127;
  if (fa < fb) {
    fa <<= 1;
    e--;
  }
  for (int i = 0; i < 31; i++) {
    q <<= 1;
    if (fa >= fb) {
      fa -= fb;
      q |= 1;
    }
    fa <<= 1;
  }
  return pack(sign, e, q | (fa != 0));
}

static real square_root(real x) {
  if (!exponent(x))
    return 0;
  int e = exponent(x) - 127;
  uint64_t rest = (uint64_t)fraction(x) << (e & 1 ? 24 : 23);
  uint32_t root = 0;
  for (uint32_t bit = 1u << 23; bit; bit >>= 1) {
    uint32_t try = root | bit;
    if ((uint64_t)try * try <= rest)
      root = try;
  }
  int sticky = (uint64_t)root * root != rest;
  return pack(0, ((e - (e & 1)) >> 1) + 127, root << 7 | (uint32_t)sticky);
}

static real from_int(int32_t n) {
  uint32_t sign = (uint32_t)n & 0x80000000, u = sign ? -(uint32_t)n : (uint32_t)n;
  return pack(sign, 127 + 30, u & 0x80000000 ? u >> 1 : u);
}

static int32_t to_int(real x) {
  int shift = 150 - exponent(x);
  uint32_t u = shift > 31 ? 0 : shift >= 0 ? fraction(x) >> shift : fraction(x) << -shift;
  return x & 0x80000000 ? -(int32_t)u : (int32_t)u;
}

uint32_t bench_run(void) {
  uint32_t state = 11, sum = 0;
  real x = divide(from_int(1), from_int(3)), r = divide(from_int(39), from_int(10));
  for (int i = 0; i < 250; i++) {
    x = multiply(multiply(r, x), add(from_int(1), negate(x)));
    sum = bench_mix(sum, x);
  }
  for (int i = 0; i < 120; i++) {
    real y = from_int((int32_t)(bench_next(&state) % 100000) + 1), guess = from_int(100);
    for (int k = 0; k < 4; k++)
      guess = multiply(0x3f000000, add(guess, divide(y, guess)));
    sum = bench_mix(sum, guess);
    sum = bench_mix(sum, square_root(y));
    sum += (uint32_t)to_int(multiply(square_root(y), from_int(1000)));
  }
  return sum;
}

BENCH_EXPECT(0x36067578);
