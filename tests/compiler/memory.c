// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcpy, memmove, memset, memcmp of every small size at every alignment, known and not; packed
// structures and unaligned words.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);

typedef unsigned u32;
#define FUNCTION __attribute__((noinline)) static

static _Alignas(16) unsigned char source[160], target[160];
static u32 hash;

static void reset(int seed) {
  for (int i = 0; i < 160; ++i)
    source[i] = i * 7 + seed, target[i] = 255 - i;
}
static void add(void) {
  for (int i = 0; i < 160; ++i)
    hash = (hash ^ target[i]) * 16777619u;
}

// The compiler knows size and alignment.
#define KNOWN(size, align)                                                                        \
  FUNCTION void copy##size##_##align(void *to, const void *from) {                                \
    __builtin_memcpy(__builtin_assume_aligned(to, align), __builtin_assume_aligned(from, align),  \
                     size);                                                                       \
  }                                                                                               \
  FUNCTION void move##size##_##align(void *to, const void *from) {                                \
    __builtin_memmove(__builtin_assume_aligned(to, align), __builtin_assume_aligned(from, align), \
                      size);                                                                      \
  }                                                                                               \
  FUNCTION void zero##size##_##align(void *to) {                                                  \
    __builtin_memset(__builtin_assume_aligned(to, align), 0, size);                               \
  }                                                                                               \
  FUNCTION void set##size##_##align(void *to, int value) {                                        \
    __builtin_memset(__builtin_assume_aligned(to, align), value, size);                           \
  }                                                                                               \
  FUNCTION int equal##size##_##align(const void *a, const void *b) {                              \
    return __builtin_memcmp(__builtin_assume_aligned(a, align),                                   \
                            __builtin_assume_aligned(b, align), size) == 0;                       \
  }                                                                                               \
  static void test##size##_##align(void) {                                                        \
    reset(size);                                                                                  \
    copy##size##_##align(target + 16 + align, source + 2 * align), add();                         \
    move##size##_##align(target + 32 + align, target + 32), add();                                \
    move##size##_##align(target + 64, target + 64 + align), add();                                \
    zero##size##_##align(target + 48 + align), add();                                             \
    set##size##_##align(target + 16 + align, size + 0xa5), add();                                 \
    copy##size##_##align(target, source + align);                                                 \
    hash = hash * 3 + equal##size##_##align(target, source + align) +                             \
           equal##size##_##align(target, source + 2 * align) * 2;                                 \
  }
#define SIZES(F, a) F(0, a) F(1, a) F(2, a) F(3, a) F(4, a) F(5, a) F(6, a) F(7, a) F(8, a) F(9, a) F(10, a) F(11, a) F(12, a) F(13, a) F(14, a) F(15, a) F(16, a) F(17, a) F(20, a) F(23, a) F(24, a) F(28, a) F(31, a) F(32, a) F(33, a) F(40, a) F(48, a) F(63, a) F(64, a)
#define ALL(F) SIZES(F, 1) SIZES(F, 2) SIZES(F, 4) SIZES(F, 8)
ALL(KNOWN)

FUNCTION void copy(void *to, const void *from, u32 size) { __builtin_memcpy(to, from, size); }
FUNCTION void move(void *to, const void *from, u32 size) { __builtin_memmove(to, from, size); }
FUNCTION void set(void *to, int value, u32 size) { __builtin_memset(to, value, size); }

struct __attribute__((packed)) packed {
  char a;
  short b;
  int c;
  long long d;
  float e;
  struct __attribute__((packed)) {
    unsigned x : 3, y : 17, z : 31;
    unsigned long long w : 43;
  } f;
};
FUNCTION void mix(struct packed *p, const struct packed *q) {
  p->b += q->c, p->c ^= q->d, p->d -= q->b, p->e = q->e * 2;
  p->f.x += q->f.z, p->f.y -= q->f.w, p->f.z ^= q->f.y, p->f.w += (long long)q->f.z * q->f.y;
}
struct __attribute__((packed, aligned(2))) halves {
  int a;
  long long b;
};
FUNCTION long long halves(struct halves *p) { return p->b += p->a; }
FUNCTION int any(const int *p) { return *(const int __attribute__((aligned(1))) *)p; }

int main(void) {
#define TEST(size, align) test##size##_##align();
  ALL(TEST)
  printf("known %08x\n", hash);
  for (u32 size = 0; size < 40; ++size)
    for (u32 at = 0; at < 4; ++at)
      for (u32 from = 0; from < 4; ++from) {
        reset(size + at);
        copy(target + 8 + at, source + from, size), add();
        move(target + 10 + at, target + 8 + from, size), add();
        set(target + 5 + at, from, size), add();
      }
  printf("unknown %08x\n", hash);
  for (int i = 0; i < 16; ++i) {
    reset(i);
    struct packed *p = (struct packed *)(target + i), *q = (struct packed *)(source + 3 * i);
    p->e = i, q->e = i * 1.5f;
    mix(p, q), add();
    typedef int unaligned __attribute__((aligned(1)));
    *(unaligned *)(target + 100 + i) += *(unaligned *)(source + 77 + i), add();
    hash += halves((struct halves *)(target + 2 * i)), add();
  }
  printf("packed %08x\n", hash);
  return 0;
}
