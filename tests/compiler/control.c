// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Switches on every type, dense and sparse; computed goto; setjmp and longjmp; recursion with
// variable-sized and over-aligned objects; loops, calls through tables, statics and sections.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

typedef unsigned u32;
typedef long long s64;
typedef int jmp_buf[64];
int setjmp(jmp_buf) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));
void *malloc(u32);
void free(void *);
#define FUNCTION __attribute__((noinline)) static

#define DENSE(name, type, base)                                                                   \
  FUNCTION int dense_##name(type x) {                                                             \
    switch (x) {                                                                                  \
    case (type)(base + 0): return 17;                                                             \
    case (type)(base + 1): return dense_other(3) * 2;                                             \
    case (type)(base + 2): return -5;                                                             \
    case (type)(base + 3): return 99;                                                             \
    case (type)(base + 4): return 1000;                                                           \
    case (type)(base + 5): return dense_other(7);                                                 \
    case (type)(base + 7): return 12345678;                                                       \
    case (type)(base + 9): return 11;                                                             \
    case (type)(base + 10): return 12;                                                            \
    default: return 0;                                                                            \
    }                                                                                             \
  }
FUNCTION int dense_other(int x) { return x * x + 1; }
DENSE(s64, s64, 0)
DENSE(high64, s64, 0x7ffffffffffffff0)
DENSE(low64, s64, -0x7ffffffffffffff0)
DENSE(edge64, s64, 0xfffffffb)
DENSE(u64, unsigned long long, 0xfffffffffffffff0)
DENSE(s32, int, -5)
DENSE(u32, unsigned, 0xfffffff4)
DENSE(s8, signed char, 100)
DENSE(u16, unsigned short, 65520)
DENSE(b40, _BitInt(40), 0x7fffffff)

FUNCTION int sparse(s64 x) {
  switch (x) {
  case -1: return 1;
  case 0x100000000: return 2;
  case 0x100000001: return 3;
  case 5000000000: return 4;
  case 77: case 78: case 79: case 80: case 81: case 82: return 5;
  case 1000 ... 2000: return 6;
  case (s64)1 << 62: return 7;
  }
  return 0;
}
FUNCTION int text(const char *s) {
  int state = 0, count = 0;
  for (; *s; ++s)
    switch (state * 4 + (*s >= '0' && *s <= '9' ? 0 : *s == '.' ? 1 : *s == 'e' ? 2 : 3)) {
    case 0: case 4 * 1: case 4 * 2: case 4 * 3: ++count; state = state == 3 ? 3 : 1; break;
    case 1: case 5: state = 2; break;
    case 6: case 10: state = 3; break;
    default: return -count;
    }
  return state * 100 + count;
}

// An interpreter whose labels are values.
FUNCTION int interpret(const unsigned char *code, int x) {
  static const void *const table[] = {&&end, &&add, &&twice, &&jump, &&loop, &&negate};
  static const int offsets[] = {&&end - &&end, &&add - &&end, &&negate - &&end};
  int count = 5, steps = 0;
  const unsigned char *pc = code;
  goto *table[*pc];
add:
  x += pc[1], pc += 2, ++steps;
  goto *table[*pc];
twice:
  x *= 2, ++pc, ++steps;
  goto *table[*pc];
jump:
  pc += 1 + pc[1], ++steps;
  goto *table[*pc];
loop:
  pc = --count ? pc - pc[1] : pc + 2, ++steps;
  goto *table[*pc];
negate:
  x = -x, ++pc;
  goto *(void *)((char *)&&end + offsets[pc[0] == 1]);
end:
  return x * 1000 + steps;
}
FUNCTION void *label(int which) {
  static void *const places[] = {&&a, &&b};
  if (which > 1)
    goto *places[which & 1];
a:
  return which ? places[0] : places[1];
b:
  return (void *)0;
}

static jmp_buf outer, inner;
static int volatile trace;
FUNCTION void deep(int n, int value) {
  volatile char buffer[100];
  buffer[n] = n;
  trace = trace * 3 + buffer[n];
  if (n == 0)
    longjmp(value & 1 ? outer : inner, value);
  deep(n - 1, value);
  trace = -1;
}
FUNCTION int jumps(int kind) {
  volatile int state = 100;
  int r = setjmp(outer);
  if (r) {
    return state * 10 + r;
  }
  state = 200;
  switch (setjmp(inner)) {
  case 0:
    state = 300;
    deep(5, kind);
    break;
  case 2:
    state += 7;
    deep(3, 3);
    break;
  case 4:
    return -state;
  }
  return 0;
}

FUNCTION u32 variable(int depth, int size) {
  unsigned char a[size], *b = __builtin_alloca(size * 2 + 1);
  _Alignas(64) int c[16];
  _Alignas(16) struct { char d[24]; } e;
  u32 bad = ((u32)c % 64) | ((u32)&e % 16);
  for (int i = 0; i < size; ++i)
    a[i] = i + depth, b[2 * i] = a[i] * 3, b[2 * i + 1] = i;
  for (int i = 0; i < 16; ++i)
    c[i] = a[i % size] + i;
  e.d[depth] = depth;
  u32 r = depth ? variable(depth - 1, size + 13) : 1;
  for (int i = 0; i < size; ++i)
    r = (r ^ a[i] ^ b[2 * i] ^ b[2 * i + 1] ^ c[i & 15]) * 16777619u;
  return r + e.d[depth] + bad * 1000000;
}

// Sixteen arguments, of which the last come from the stack, kept alive over calls.
FUNCTION s64 busy(int a, s64 b, int c, s64 d, int e, s64 f, int g, s64 h, int i, short j, char k, s64 l) {
  s64 r = 0;
  for (int n = 0; n < 4; ++n) {
    r += a * dense_other(n) + b * c - d * e + f * g - h * i + j * k - l;
    a += n, b ^= r, c -= n, d += r, e *= 3, f -= b, g ^= a, h += f, i += g, j -= n, k += j, l += h;
  }
  return r + variable(2, a & 15 | 1);
}

int initialized __attribute__((section(".data.special"))) = 42;
const int constant __attribute__((section(".rodata.special"))) = 43;
__attribute__((section(".text.special"), noinline)) int placed(int x) { return x + initialized + constant; }
__attribute__((weak)) int weak_function(int x) { return x + 5; }
extern int missing(void) __attribute__((weak));
int aliased(int) __attribute__((alias("weak_function")));
static int alias_object_target = 77;
extern int alias_object __attribute__((alias("alias_object_target")));
static int order;
__attribute__((constructor(200))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
__attribute__((constructor)) static void third(void) { order = order * 10 + 3; }
__attribute__((destructor)) static void last(void) { printf("destructor %d\n", order); }
FUNCTION void cleaned(int *p) { order += *p; }
FUNCTION int nested(int n) {
  __attribute__((cleanup(cleaned))) int x = n;
  return n > 3 ? nested(n - 1) + x : x;
}
FUNCTION __attribute__((pure)) int (*pick(int n))(int) { return n & 1 ? placed : n & 2 ? weak_function : aliased; }

int main(void) {
  static const s64 bases[] = {0, 0x7ffffffffffffff0, -0x7ffffffffffffff0, 0xfffffffb, -16, -5, 0xfffffff4, 100, 65520, 0x7fffffff, 77, 1000, 2000, 5000000000, 0x100000000, (s64)1 << 62};
  for (int i = 0; i < 16; ++i)
    for (int k = -2; k < 13; ++k) {
      const s64 x = (s64)((unsigned long long)bases[i] + k);
      printf("%d %d %d %d %d %d %d %d %d %d %d\n", dense_s64(x), dense_high64(x), dense_low64(x), dense_edge64(x), dense_u64(x), dense_s32(x), dense_u32(x), dense_s8(x), dense_u16(x), dense_b40(x), sparse(x));
    }
  printf("%d %d %d %d\n", text("123.5e7"), text("1.2.3"), text("77e5"), text("x"));
  static const unsigned char code[] = {1, 5, 2, 4, 3, 3, 2, 0, 2, 1, 7, 5, 1, 3, 0};
  printf("%d %d\n", interpret(code, 3), label(0) == label(1));
  printf("%d %d %d %d %d %d\n", jumps(1), trace, jumps(2), trace, jumps(4), trace);
  printf("%08x %08x\n", variable(9, 1), variable(3, 700));
  s64 r = busy(1, -2, 3, 4000000000, -5, 6, 7, -8, 9, 10, 11, 12345678901);
  printf("%08x%08x\n", (u32)(r >> 32), (u32)r);
  printf("%d %d %d %d %d\n", placed(1), weak_function(2), aliased(3), !missing, alias_object);
  for (int i = 0; i < 4; ++i)
    printf("%d ", pick(i)(i));
  printf("%d %d\n", nested(7), order);
  return 0;
}
