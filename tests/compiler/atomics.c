// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every atomic operation on every width, in place and by library call, against plain arithmetic.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" %s %t

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static int failures;
#define EXPECT(condition)                                                                         \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      ++failures;                                                                                 \
      printf("line %d: %s\n", __LINE__, #condition);                                              \
    }                                                                                             \
  } while (0)

#define TYPE(name, type)                                                                          \
  __attribute__((noinline)) static void test_##name(type a, type b, type c) {                     \
    type x = a, y, z;                                                                             \
    EXPECT(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == a);                                           \
    __atomic_load(&x, &y, __ATOMIC_ACQUIRE);                                                      \
    EXPECT(y == a);                                                                               \
    __atomic_store_n(&x, b, __ATOMIC_RELEASE);                                                    \
    EXPECT(x == b);                                                                               \
    __atomic_store(&x, &c, __ATOMIC_RELAXED);                                                     \
    EXPECT(x == c);                                                                               \
    EXPECT(__atomic_exchange_n(&x, a, __ATOMIC_ACQ_REL) == c && x == a);                          \
    __atomic_exchange(&x, &b, &y, __ATOMIC_SEQ_CST);                                              \
    EXPECT(y == a && x == b);                                                                     \
    y = (type)~b;                                                                                 \
    EXPECT(!__atomic_compare_exchange_n(&x, &y, c, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&      \
           y == b && x == b);                                                                     \
    EXPECT(__atomic_compare_exchange_n(&x, &y, c, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) &&       \
           y == b && x == c);                                                                     \
    y = c, z = a;                                                                                 \
    EXPECT(__atomic_compare_exchange(&x, &y, &z, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == a); \
    EXPECT(__atomic_fetch_add(&x, b, __ATOMIC_SEQ_CST) == a && x == (type)(a + b));               \
    x = a;                                                                                        \
    EXPECT(__atomic_add_fetch(&x, b, __ATOMIC_SEQ_CST) == (type)(a + b) && x == (type)(a + b));   \
    x = a;                                                                                        \
    EXPECT(__atomic_fetch_sub(&x, b, __ATOMIC_SEQ_CST) == a && x == (type)(a - b));               \
    x = a;                                                                                        \
    EXPECT(__atomic_fetch_and(&x, b, __ATOMIC_SEQ_CST) == a && x == (type)(a & b));               \
    x = a;                                                                                        \
    EXPECT(__atomic_or_fetch(&x, b, __ATOMIC_SEQ_CST) == (type)(a | b) && x == (type)(a | b));    \
    x = a;                                                                                        \
    EXPECT(__atomic_fetch_xor(&x, b, __ATOMIC_SEQ_CST) == a && x == (type)(a ^ b));               \
    x = a;                                                                                        \
    EXPECT(__atomic_fetch_nand(&x, b, __ATOMIC_SEQ_CST) == a && x == (type)~(a & b));             \
    x = a;                                                                                        \
    EXPECT(__atomic_fetch_max(&x, b, __ATOMIC_SEQ_CST) == a && x == (a > b ? a : b));             \
    x = a;                                                                                        \
    EXPECT(__atomic_fetch_min(&x, b, __ATOMIC_SEQ_CST) == a && x == (a < b ? a : b));             \
    _Atomic type q = a;                                                                           \
    q += b, q ^= c, ++q, q--;                                                                     \
    EXPECT(q == (type)((type)(a + b) ^ c));                                                       \
    q *= 3;                                                                                       \
    EXPECT(atomic_load(&q) == (type)((type)((type)(a + b) ^ c) * 3));                             \
    x = a;                                                                                        \
    EXPECT(__sync_fetch_and_add(&x, b) == a && __sync_bool_compare_and_swap(&x, (type)(a + b), c) && \
           __sync_val_compare_and_swap(&x, c, a) == c && x == a);                                 \
  }

TYPE(s8, int8_t)
TYPE(u8, uint8_t)
TYPE(s16, int16_t)
TYPE(u16, uint16_t)
TYPE(s32, int32_t)
TYPE(u32, uint32_t)
TYPE(s64, int64_t)
TYPE(u64, uint64_t)

struct big {
  int words[5];
};

int main(void) {
  static const int64_t values[] = {0, 1, -1, 127, -128, 0x7fff, 0x80000000, 0x123456789abcdef0, INT64_MIN, INT64_MAX};
  const int n = sizeof values / sizeof *values;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const int64_t a = values[i], b = values[k], c = a * 31 + b * 17 + 5;
      test_s8(a, b, c), test_u8(a, b, c), test_s16(a, b, c), test_u16(a, b, c);
      test_s32(a, b, c), test_u32(a, b, c), test_s64(a, b, c), test_u64(a, b, c);
    }
  _Atomic struct big big;
  struct big x = {{1, 2, 3, 4, 5}};
  atomic_store(&big, x);
  struct big y = atomic_load(&big);
  EXPECT(y.words[4] == 5);
  x.words[0] = 9;
  y = atomic_exchange(&big, x);
  EXPECT(y.words[0] == 1);
  y.words[0] = 9;
  EXPECT(atomic_compare_exchange_strong(&big, &y, (struct big){{7}}));
  _Atomic(int *) p = x.words;
  p = p + 2;
  EXPECT(*p == 3 && p-- == x.words + 2);
  _Atomic float f = 1.5f;
  f += 2;
  _Atomic double d = f;
  d *= 2;
  EXPECT(f == 3.5f && d == 7);
  atomic_flag flag = ATOMIC_FLAG_INIT;
  EXPECT(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  EXPECT(!atomic_flag_test_and_set(&flag));
  _Atomic _Bool truth = 0;
  truth |= 1;
  EXPECT(truth);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  EXPECT(atomic_is_lock_free(&f) && __atomic_always_lock_free(4, 0));
  printf("%d failures\n", failures);
  return failures != 0;
}
