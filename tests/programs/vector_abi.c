// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors in calls and frames: arguments in registers and on the stack, variadic ones, in structures, results;
// values that live across calls and setjmp; large frames, dynamic arrays, over-aligned locals. Every function
// is called through a volatile pointer, so that nothing is folded.
//
// RUN: %cc -O0 -g -Wall -Werror %s -o %t-O0.elf && %iss %t-O0.elf | FileCheck %s
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s
// RUN: %cc -Oz -flto -Wall -Werror %s -o %t-lto.elf && %iss %t-lto.elf | FileCheck %s

#include <npu_intrinsics.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef npu_int32x16_t words;
typedef npu_int16x32_t halves;
typedef npu_int8x64_t bytes;

static volatile int errors;

static words ramp(int first, int step) {
  words v;
  for (int i = 0; i < 16; ++i)
    v[i] = first + step * i;
  return v;
}

static int is_ramp(words v, int first, int step) {
  int right = 1;
  for (int i = 0; i < 16; ++i)
    right &= v[i] == first + step * i;
  return right;
}

static void expect(const char *what, int right) {
  printf("%s %s\n", what, right ? "right" : "WRONG");
  errors += !right;
}

// Eight in registers, the rest by reference to copies that the callee may change; scalars between them.
static words many(int s0, words a, words b, int s1, words c, words d, words e, words f, words g, words h, int s2,
                  words i, words j, int s3, int s4, int s5, int s6, int s7, int s8) {
  i += 1;
  j = i + j;
  return (a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + j) * (s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8);
}

// Vectors among integers and double words.
static words variadic(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  words sum = ramp(0, 0);
  for (int i = 0; i < count; ++i) {
    const int factor = va_arg(list, int);
    sum += va_arg(list, words) * factor;
    sum += (int)va_arg(list, long long);
  }
  (void)va_arg(again, int);
  sum += va_arg(again, words);
  va_end(again);
  va_end(list);
  return sum;
}

typedef struct pair {
  char tag;
  words value;
  short tail;
} pair;
typedef struct single {
  bytes value;
} single;

static pair swap(pair p, single s, int tail) {
  pair result = {(char)s.value[63], p.value - (words)s.value, (short)(p.tag + p.tail + tail)};
  p.value = ramp(0, 0); // a copy of the caller's
  return result;
}

static pair last_pair(int count, ...) {
  va_list list;
  pair p = {0};
  va_start(list, count);
  while (count-- > 0)
    p = va_arg(list, pair);
  va_end(list);
  return p;
}

// Twenty values across calls: more than there are places in registers, none of which a call preserves.
static words across(words seed, words (*next)(words, int)) {
  words v[20];
  for (int i = 0; i < 20; ++i)
    v[i] = next(seed, i);
  words sum = seed;
  for (int i = 19; i >= 0; --i)
    sum = next(sum, 0) + v[i] * (i + 1);
  return sum;
}

static words add(words v, int x) { return v + x; }

// Offsets beyond what a load or store reaches, with vectors behind them.
static words large_frame(words v, int n, words (*next)(words, int)) {
  volatile char low[9000];
  words kept = v * 3;
  volatile char high[3000];
  low[0] = high[2999] = (char)n;
  low[sizeof low - 1] = high[0] = 1;
  words other = next(kept, n);
  return other + kept + low[0] + high[0] + v;
}

// Over-aligned locals beside arrays of sizes known late.
static int realigned(words v, int n, words (*next)(words, int)) {
  _Alignas(256) words cell = v;
  char text[n];
  _Alignas(64) struct {
    char c;
    words w;
  } box = {1, next(v, n)};
  memset(text, n, (size_t)n);
  words late = next(cell, text[n - 1]);
  char more[n * 3];
  memset(more, 1, sizeof more);
  return (uintptr_t)&cell % 256 == 0 && (uintptr_t)&box % 64 == 0 && is_ramp(late, n + 5, 2) &&
         is_ramp(box.w, n + 5, 2) && is_ramp(cell, 5, 2) && more[3 * n - 1] == 1 && text[0] == n;
}

static jmp_buf place;
static void jump(words v) { longjmp(place, v[15]); }

static int jumped(words v, void (*out)(words)) {
  volatile words kept = v;
  const int code = setjmp(place);
  if (code == 0) {
    out(v);
    return 0;
  }
  return code == v[15] && is_ramp(kept, 3, 4);
}

// Types of other widths: two registers, a half, an odd number of lanes.
typedef int words32 __attribute__((vector_size(128)));
typedef short halves16 __attribute__((vector_size(32)));
static words32 wide(words32 a, halves16 b, words32 c) { return a * c + b[15]; }

// Three vectors in one call of inline assembly, and a clobber of one that is in use.
static words inline_sum(words a, words b) {
  words sum, kept = a - b;
  __asm__ volatile("v.add.w %0, %1, %2\n\tv.xor v9, v9, v9\n\tv.xor v8, v8, v8"
                   : "=&vr"(sum) : "vr"(a), "vr"(b) : "v8", "v9");
  return sum + kept;
}

#define HIDDEN(f) (*(__typeof__(&f) volatile *)&(__typeof__(&f)){f})

int main(void) {
  const words r = ramp(1, 1);
  // (1 + 2 + ... + 8) r, then j = 19 r + 1; times 45
  expect("many", is_ramp(HIDDEN(many)(1, r, r, 2, r, r, r, r, r, r, 3, r * 9, r * 10, 4, 5, 6, 7, 8, 9), 56 * 45,
                         55 * 45));
  // CHECK: many right
  // 2 r + 3 r + 1 (the copy of the list starts over) r, + 40 + 50
  expect("variadic", is_ramp(HIDDEN(variadic)(2, 2, r, 40LL, 3, r, 50LL), 96, 6));
  // CHECK-NEXT: variadic right
  pair p = {7, ramp(100, 2), 9};
  single s;
  memset(&s, 0, sizeof s);
  s.value[63] = 5;
  const pair q = HIDDEN(swap)(p, s, 11);
  expect("structures", q.tag == 5 && q.tail == 27 && q.value[0] == 100 && q.value[14] == 128 &&
                           q.value[15] == 130 - (5 << 24) && is_ramp(p.value, 100, 2));
  // CHECK-NEXT: structures right
  const pair z = HIDDEN(last_pair)(3, q, q, p);
  expect("variadic structures", z.tag == 7 && z.tail == 9 && is_ramp(z.value, 100, 2));
  // CHECK-NEXT: variadic structures right
  // the sum of (r + i)(i + 1) over i of 0 to 19 is 210 r + 2660, + r
  expect("across calls", is_ramp(HIDDEN(across)(r, HIDDEN(add)), 211 + 2660, 211));
  // CHECK-NEXT: across calls right
  // 3 r + 4, + 3 r + 4 + 1 + r
  expect("large frame", is_ramp(HIDDEN(large_frame)(r, 4, HIDDEN(add)), 7 + 9, 7));
  // CHECK-NEXT: large frame right
  expect("realigned", HIDDEN(realigned)(ramp(5, 2), 37, HIDDEN(add)));
  // CHECK-NEXT: realigned right
  expect("setjmp", HIDDEN(jumped)(ramp(3, 4), HIDDEN(jump)));
  // CHECK-NEXT: setjmp right
  words32 w;
  halves16 h = {0};
  h[15] = -3;
  for (int i = 0; i < 32; ++i)
    w[i] = i;
  w = HIDDEN(wide)(w, h, w);
  int right = 1;
  for (int i = 0; i < 32; ++i)
    right &= w[i] == i * i - 3;
  expect("other widths", right);
  // CHECK-NEXT: other widths right
  expect("inline assembly", is_ramp(HIDDEN(inline_sum)(r, ramp(9, 9)), 2, 2));
  // CHECK-NEXT: inline assembly right
  return errors;
}
