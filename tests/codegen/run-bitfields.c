// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bit-fields in packed structures: accesses of odd widths, beyond a word, at any
// alignment.
//
// RUN: %python %S/Inputs/compare_runs.py --cc "%cc" --simulator "%iss" \
// RUN:   --reference "%stock/clang --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -mno-relax -ffreestanding" %s %t

int printf(const char *, ...);
typedef unsigned long long u64;

struct Words {
  unsigned a : 31, b : 29, c : 20, d : 30, e : 17, f : 3, g : 29;
  unsigned char last;
} __attribute__((packed));

struct Signed {
  long long a : 40, b : 50, c : 33, d : 17;
} __attribute__((packed));

struct Wide {
  u64 a : 63, b : 63, c : 40;
} __attribute__((packed));

// Storage units of 192 and 320 bits.
struct Long {
  volatile long long a : 19, b : 60, c : 33, d : 17, e : 56, f : 7;
} __attribute__((packed));

struct Longer {
  long long a : 50, b : 60, c : 61, d : 62, e : 17, f : 29, g : 41;
} __attribute__((packed));

__attribute__((noinline)) static void stepWords(struct Words *s, unsigned v) {
  s->a += v, s->b ^= s->a, s->c = s->b + 3, s->d -= s->c, s->e = v, s->f++, s->g = s->d * v;
}

__attribute__((noinline)) static void stepSigned(struct Signed *s, long long v) {
  s->a += v, s->b ^= s->a, s->c = s->b + 3, s->d -= s->c;
}

__attribute__((noinline)) static void stepWide(struct Wide *s, u64 v) {
  s->a += v, s->b ^= s->a, s->c = s->b + 3;
}

__attribute__((noinline)) static void stepLong(struct Long *s, u64 v) {
  s->a += v, s->b ^= s->a, s->c = s->b + 3, s->d -= s->c, s->e = s->d * v, s->f++;
}

__attribute__((noinline)) static void stepLonger(struct Longer *s, u64 v) {
  s->a += v, s->b ^= s->a, s->c = s->b + 3, s->d -= s->c, s->e = s->d, s->f += s->e, s->g = s->c * v;
}

static struct {
  char before;
  struct Long l;
  struct Longer r;
} __attribute__((packed)) g;

int main(void) {
  struct Words w = {1, 2, 3, 4, 5, 6, 7, 8};
  struct Signed s = {1, 2, 3, 4};
  struct Wide x = {1, 2, 3};
  for (int i = 1; i < 20; ++i) {
    stepWords(&w, i * 77777777u);
    stepSigned(&s, i * 77777777777ll);
    stepWide(&x, i * 987654321987ull);
    stepLong(&g.l, i * 987654321987ull);
    stepLonger(&g.r, i * 987654321987ull);
    printf("%x %x %x %x %x %x %x %x\n", w.a, w.b, w.c, w.d, w.e, w.f, w.g, w.last);
    printf("%llx %llx %llx %llx\n", (u64)s.a, (u64)s.b, (u64)s.c, (u64)s.d);
    printf("%llx %llx %llx\n", (u64)x.a, (u64)x.b, (u64)x.c);
    printf("%llx %llx %llx %llx %llx %llx\n", (u64)g.l.a, (u64)g.l.b, (u64)g.l.c, (u64)g.l.d, (u64)g.l.e,
           (u64)g.l.f);
    printf("%llx %llx %llx %llx %llx %llx %llx\n", (u64)g.r.a, (u64)g.r.b, (u64)g.r.c, (u64)g.r.d, (u64)g.r.e,
           (u64)g.r.f, (u64)g.r.g);
  }
  return 0;
}
