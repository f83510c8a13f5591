// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of one, two and four registers, and of parts of one, seen as elements of other widths: taken apart in
// registers, element by element, they give what memory holds.
//
// RUN: %cc -O2 -Wall -Werror -mllvm -verify-machineinstrs -DPARTS %s -o %t-parts.elf
// RUN: %iss %t-parts.elf | FileCheck %s
// RUN: %cc -O2 -Wall -Werror -mllvm -verify-machineinstrs -DTWO %s -o %t-two.elf
// RUN: %iss %t-two.elf | FileCheck %s
// RUN: %cc -O2 -Wall -Werror -mllvm -verify-machineinstrs -DFOUR %s -o %t-four.elf
// RUN: %iss %t-four.elf | FileCheck %s
// RUN: %cc -O0 -Wall -Werror -DTWO %s -o %t-O0.elf
// RUN: %iss %t-O0.elf | FileCheck %s

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int errors, checks;

static void check(const char *what, int index, const void *element, const uint8_t *memory, int size) {
  ++checks;
  if (memcmp(element, memory + index * size, (size_t)size) != 0 && ++errors < 20)
    printf("%s: element %d is wrong\n", what, index);
}

#define ELEMENT(FROM, TO, BYTES, INDEX)                                                                      \
  {                                                                                                          \
    const TO element = ((TO __attribute__((vector_size(BYTES))))sum)[INDEX];                                 \
    check(#FROM " to " #TO " of " #BYTES, INDEX, &element, expected, sizeof element);                        \
  }

// The first, the last, and neighbours around a register's end.
#define CAST(FROM, TO, BYTES)                                                                                \
  static __attribute__((noinline)) void FROM##_to_##TO##_##BYTES(const uint8_t *bytes) {                     \
    typedef FROM __attribute__((vector_size(BYTES))) vector;                                                 \
    enum { LAST = BYTES / sizeof(TO) - 1 };                                                                  \
    vector value, sum;                                                                                       \
    FROM elements[BYTES / sizeof(FROM)];                                                                     \
    uint8_t expected[BYTES];                                                                                 \
    memcpy(&value, bytes, BYTES);                                                                            \
    sum = value + 1;                                                                                         \
    memcpy(elements, bytes, BYTES);                                                                          \
    for (unsigned i = 0; i < BYTES / sizeof(FROM); ++i)                                                      \
      elements[i] += 1;                                                                                      \
    memcpy(expected, elements, BYTES);                                                                       \
    ELEMENT(FROM, TO, BYTES, 0)                                                                              \
    ELEMENT(FROM, TO, BYTES, 1)                                                                              \
    ELEMENT(FROM, TO, BYTES, LAST / 2)                                                                       \
    ELEMENT(FROM, TO, BYTES, LAST / 2 + 1)                                                                   \
    ELEMENT(FROM, TO, BYTES, LAST - 1)                                                                       \
    ELEMENT(FROM, TO, BYTES, LAST)                                                                           \
  }
#define CASTS(BYTES)                                                                                         \
  CAST(uint8_t, uint16_t, BYTES)                                                                             \
  CAST(uint8_t, uint32_t, BYTES)                                                                             \
  CAST(uint8_t, uint64_t, BYTES)                                                                             \
  CAST(uint16_t, uint8_t, BYTES)                                                                             \
  CAST(uint16_t, uint32_t, BYTES)                                                                            \
  CAST(uint16_t, uint64_t, BYTES)                                                                            \
  CAST(uint32_t, uint8_t, BYTES)                                                                             \
  CAST(uint32_t, uint16_t, BYTES)                                                                            \
  CAST(uint32_t, uint64_t, BYTES)                                                                            \
  CAST(uint64_t, uint8_t, BYTES)                                                                             \
  CAST(uint64_t, uint16_t, BYTES)                                                                            \
  CAST(uint64_t, uint32_t, BYTES)                                                                            \
  static void all_##BYTES(const uint8_t *bytes) {                                                            \
    uint8_t_to_uint16_t_##BYTES(bytes);                                                                      \
    uint8_t_to_uint32_t_##BYTES(bytes);                                                                      \
    uint8_t_to_uint64_t_##BYTES(bytes);                                                                      \
    uint16_t_to_uint8_t_##BYTES(bytes);                                                                      \
    uint16_t_to_uint32_t_##BYTES(bytes);                                                                     \
    uint16_t_to_uint64_t_##BYTES(bytes);                                                                     \
    uint32_t_to_uint8_t_##BYTES(bytes);                                                                      \
    uint32_t_to_uint16_t_##BYTES(bytes);                                                                     \
    uint32_t_to_uint64_t_##BYTES(bytes);                                                                     \
    uint64_t_to_uint8_t_##BYTES(bytes);                                                                      \
    uint64_t_to_uint16_t_##BYTES(bytes);                                                                     \
    uint64_t_to_uint32_t_##BYTES(bytes);                                                                     \
  }
#if defined(PARTS)
CASTS(16)
CASTS(32)
#define RUN(bytes) all_16(bytes), all_32(bytes)
#elif defined(TWO)
CASTS(64)
CASTS(128)
#define RUN(bytes) all_64(bytes), all_128(bytes)
#else
CASTS(256)
#define RUN(bytes) all_256(bytes)
#endif

// The element that a loop which runs backwards keeps for its next iteration.
static int16_t sums[66];
static int8_t factors[66];
static __attribute__((noinline)) unsigned backwards(int16_t *p, const int8_t *q, int n, unsigned previous) {
  for (int i = n - 1; i >= 0; --i) {
    const unsigned x = (unsigned)((unsigned long long)q[i] * (unsigned)i);
    p[i] = (int16_t)(x + previous);
    previous = x;
  }
  return previous;
}

int main(void) {
  uint8_t bytes[256];
  for (int i = 0; i < 256; ++i)
    bytes[i] = (uint8_t)(i * 73 + 11);
  RUN(bytes);
  printf("%d elements, %d wrong\n", checks, errors);
  // CHECK: {{72|144}} elements, 0 wrong
  for (int i = 0; i < 66; ++i)
    factors[i] = (int8_t)(i * 37 + 5);
  const unsigned last = backwards(sums, factors, 65, ~0u);
  printf("last %u, first %d\n", last, sums[0]);
  // CHECK: last 0, first 42
  return errors;
}
