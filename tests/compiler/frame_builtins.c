// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Return and frame addresses, functions that are all assembly, prefetches.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld" --simulator "%iss --config large" %s %t
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cc -T npu-large.ld -fno-omit-frame-pointer -DCHAIN" --simulator "%iss --config large" %s %t.chain

#include <stdint.h>
#include <stdio.h>

#define FUNCTION __attribute__((noinline)) static

static int errors;
#define CHECK(condition) (!(condition) && ++errors && printf("line %d: %s\n", __LINE__, #condition))

// The instruction in front of a return address wrote it to ra or t0, or to none in a sibling call.
static int isBehindCall(const void *address) {
  const uint32_t call = ((const uint32_t *)address)[-1], opcode = call & 0x7f;
  return (opcode == 0x6f || opcode == 0x67) && (call >> 7 & 31) == 1;
}

// Each call has its own result.
FUNCTION void *callerOf(void) {
  __asm__ volatile("");
  return __builtin_extract_return_addr(__builtin_return_address(0));
}

FUNCTION int twoCalls(void) {
  void *first = callerOf(), *second = callerOf();
  CHECK(isBehindCall(first) && isBehindCall(second));
  return (char *)second > (char *)first && (char *)second < (char *)first + 64;
}

// The return address is read after calls have overwritten ra.
FUNCTION void *late(int n) {
  for (int i = 0; i < n; ++i)
    errors += callerOf() == 0;
  return __builtin_return_address(0);
}

typedef struct {
  void *frame, *callers, *returnTo, *callersReturnTo;
} addresses;

FUNCTION void inner(addresses *to) {
  to->frame = __builtin_frame_address(0);
  to->returnTo = __builtin_return_address(0);
#ifdef CHAIN
  to->callers = __builtin_frame_address(1);
  to->callersReturnTo = __builtin_return_address(1);
#endif
}

FUNCTION addresses outer(int n, void **itself, void **returnTo) {
  volatile char space[n];
  addresses result;
  space[n - 1] = 1;
  *itself = __builtin_frame_address(0);
  *returnTo = __builtin_return_address(0);
  inner(&result);
  CHECK((uintptr_t)result.frame <= (uintptr_t)space);
  CHECK((uintptr_t)*itself > (uintptr_t)space);
  return result;
}

__attribute__((naked, noinline)) static int addFive(int x) {
  __asm__("addi a0, a0, 5\n\tret");
}
// No prologue touches what the body does with the stack.
__attribute__((naked, noinline)) static int throughStack(int x, int y) {
  __asm__("addi sp, sp, -16\n\tsw a0, 0(sp)\n\tsw a1, 4(sp)\n\tlw a0, 4(sp)\n\tlw a1, 0(sp)\n\t"
          "sub a0, a0, a1\n\taddi sp, sp, 16\n\tret");
}

FUNCTION int prefetches(const int *p, const int *end) {
  int sum = 0, count = 0;
  while (p != end) {
    __builtin_prefetch(p + 8);
    __builtin_prefetch(p + count++, 1, 0);
    sum += *p++;
  }
  __builtin_prefetch(0);
  return sum + count;
}

int main(void) {
  CHECK(twoCalls());
  CHECK(isBehindCall(late(3)));
  void *frame, *returnTo;
  const addresses seen = outer(100, &frame, &returnTo);
  CHECK(isBehindCall(seen.returnTo) && isBehindCall(returnTo));
#ifdef CHAIN
  CHECK(seen.callers == frame);
  CHECK(seen.callersReturnTo == returnTo);
#endif
  static const int numbers[] = {3, 1, 4, 1, 5, 9, 2, 6};
  printf("%d %d %d, %d errors\n", addFive(37), throughStack(10, 3), prefetches(numbers, numbers + 8), errors);
  return errors != 0;
}
