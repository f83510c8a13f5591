// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Soft float of every format, bit for bit: arithmetic, comparison, conversion from and to every
// integer, classification, complex numbers.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

typedef unsigned u32;
typedef unsigned long long u64;
#define FUNCTION __attribute__((noinline)) static
static u32 hash = 1;
static void add(const void *data, u32 size) {
  for (u32 i = 0; i < size; ++i)
    hash = (hash ^ ((const unsigned char *)data)[i]) * 16777619u;
}
// Any NaN is as good as another.
#define ADD(type, value)                                                                          \
  do {                                                                                            \
    type v_ = (value);                                                                            \
    if (v_ != v_)                                                                                 \
      v_ = 12345;                                                                                 \
    add(&v_, sizeof v_);                                                                          \
  } while (0)

#define FORMAT(name, type)                                                                        \
  FUNCTION void arithmetic_##name(type x, type y) {                                               \
    ADD(type, x + y);                                                                             \
    ADD(type, x - y);                                                                             \
    ADD(type, x * y);                                                                             \
    ADD(type, x / y);                                                                             \
    ADD(type, -x);                                                                                \
    ADD(type, x < 0 ? -x : x);                                                                    \
    ADD(type, x * y + x);                                                                         \
    ADD(type, x > y ? x : y);                                                                     \
    ADD(int, (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 |             \
                 (x != y) << 5 | __builtin_isunordered(x, y) << 6 | __builtin_isless(x, y) << 7 | \
                 __builtin_islessgreater(x, y) << 8 | !x << 9);                                   \
    ADD(int, !!__builtin_isnan(x) | !!__builtin_isinf(x) << 1 | !!__builtin_isfinite(x) << 2 |    \
                 !!__builtin_isnormal(x) << 3 | !!__builtin_signbit(x) << 4 |                     \
                 __builtin_fpclassify(1, 2, 3, 4, 5, x) << 8);                                    \
  }                                                                                               \
  FUNCTION void convert_##name(type x) {                                                          \
    ADD(float, (float)x);                                                                         \
    ADD(double, (double)x);                                                                       \
    ADD(long double, (long double)x);                                                             \
    if (x == x && x < 60000 && x > -60000)                                                        \
      ADD(_Float16, (_Float16)x);                                                                 \
    if (x > -100 && x < 100)                                                                      \
      ADD(signed char, (signed char)x);                                                           \
    if (x > -1 && x < 60000)                                                                      \
      ADD(unsigned short, (unsigned short)x);                                                     \
    if (x > -60000 && x < 60000) {                                                                \
      ADD(int, (int)x);                                                                           \
      ADD(long long, (long long)x * 3);                                                           \
      ADD(_Bool, (_Bool)x);                                                                       \
    }                                                                                             \
    if (x > -1 && x < 60000) {                                                                    \
      ADD(u32, (u32)x);                                                                           \
      ADD(u64, (u64)x * 5);                                                                       \
    }                                                                                             \
  }                                                                                               \
  FUNCTION void from_##name(int a, u32 b, long long c, u64 d, signed char e, unsigned short f) {  \
    ADD(type, (type)(short)a);                                                                    \
    ADD(type, (type)(b >> 20));                                                                   \
    ADD(type, (type)(c >> 50));                                                                   \
    ADD(type, (type)(d >> 50));                                                                   \
    ADD(type, (type)e + (type)f);                                                                 \
  }
#define FORMATS(F) F(half, _Float16) F(single, float) F(dual, double) F(quad, long double)
FORMATS(FORMAT)

FUNCTION void wide(int a, u32 b, long long c, u64 d) {
  ADD(float, (float)a); ADD(float, (float)b); ADD(float, (float)c); ADD(float, (float)d);
  ADD(double, (double)a); ADD(double, (double)b); ADD(double, (double)c); ADD(double, (double)d);
  ADD(long double, (long double)a); ADD(long double, (long double)c); ADD(long double, (long double)d);
}

#define COMPLEX(name, type)                                                                       \
  FUNCTION type _Complex complex_##name(type _Complex x, type _Complex y) {                       \
    type _Complex z = x * y + ~x;                                                                 \
    if (y == x)                                                                                   \
      z /= 2;                                                                                     \
    return __real__ y != 0 ? z - x / y : z;                                                       \
  }
COMPLEX(single, float)
COMPLEX(dual, double)
COMPLEX(quad, long double)
FUNCTION int _Complex complex_int(int _Complex x, int _Complex y) { return x * y - ~x; }

FUNCTION double horner(double x) {
  static const double c[] = {1, -0.5, 0.25, -0.125, 1e-3, 7};
  double r = 0;
  for (int i = 0; i < 6; ++i)
    r = r * x + c[i];
  return r;
}

int main(void) {
  static const double values[] = {0.0, -0.0, 1, -1, 0.5, 3.14159, -2.71828, 1e-7, 65504, 1e10, -1e-40,
                                  5e-324, 1.7e308, __builtin_inf(), -__builtin_inf(), __builtin_nan(""),
                                  123456789.125, 0.1, 1.0 / 3, -77};
  const int n = sizeof values / sizeof *values;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
#define ARITHMETIC(name, type) arithmetic_##name((type)values[i], (type)values[k]);
      FORMATS(ARITHMETIC)
      if (__builtin_isfinite(values[i]) && __builtin_isfinite(values[k])) {
        float _Complex s = complex_single(values[i] + 1.0i * values[k], values[k] - 2.0i);
        double _Complex d = complex_dual(values[i] + 1.0i * values[k], values[k] - 2.0i);
        long double _Complex q = complex_quad(values[i] + 1.0i * values[k], values[k] - 2.0i);
        ADD(float, __real__ s); ADD(float, __imag__ s); ADD(double, __real__ d); ADD(double, __imag__ d);
        ADD(long double, __real__ q); ADD(long double, __imag__ q);
      }
    }
#define CONVERT(name, type) convert_##name((type)values[i]);
    FORMATS(CONVERT)
    printf("%d: %08x\n", i, hash);
  }
  u64 x = 1;
  for (int i = 0; i < 64; ++i, x = x * 6364136223846793005ull + 1442695040888963407ull) {
#define FROM(name, type) from_##name(x, x >> 7, x, x * 3, x, x >> 13);
    FORMATS(FROM)
    wide(x, x >> 9, x, x * 5);
    ADD(double, horner((double)(int)x / (1 << 28)));
  }
  int _Complex c = complex_int(3 + 4i, -5 + 6i);
  printf("%08x %d %d\n", hash, __real__ c, __imag__ c);
  return 0;
}
