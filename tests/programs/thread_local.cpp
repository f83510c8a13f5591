// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-local data: what it begins with, alignment, errno, C++ constructors and destructors, and
// a second block that a program fills and switches to.
//
// RUN: %cxx -std=c++20 -O0 -g -Wall -Werror %s -o %t-O0.elf && %iss %t-O0.elf | FileCheck %s
// RUN: %cxx -std=c++20 -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s
// RUN: %cxx -std=c++20 -Os -flto -ffunction-sections -fdata-sections -Wl,--gc-sections %s -o %t-lto.elf && %iss %t-lto.elf | FileCheck %s

#include <errno.h>
#include <picotls.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

thread_local char small = 7; // the block of initialized data ends behind an odd number of bytes
thread_local char zero;
thread_local int numbers[5] = {1, 2, 3};
alignas(64) thread_local int aligned;
static thread_local const char *name = "first";
constinit thread_local int *pointer = nullptr;
extern thread_local long long elsewhere;

struct Announced {
  explicit Announced(int v) : value(v) { printf("construct %d\n", v); }
  ~Announced() { printf("destroy %d\n", value); }
  int value;
};
thread_local Announced lazy(31);

[[gnu::noinline]] static int count() {
  static thread_local int calls = 40;
  return ++calls;
}

[[gnu::noinline]] static void show(const char *what) {
  printf("%s: %d %d %d %d %d %s %lld\n", what, small, zero, numbers[2], numbers[4], aligned, name, elsewhere);
}

// Where a thread's data are may be looked up once in a function that does not switch threads.
[[gnu::noinline]] static void change() {
  small = 1, zero = 2, numbers[2] = 30, numbers[4] = 50, aligned = 6, name = "changed", elsewhere = -9;
}
[[gnu::noinline]] static int last_error() { return errno; }

int main() {
  show("start");
  printf("aligned %d %d\n", int(reinterpret_cast<uintptr_t>(&aligned) % 64), pointer == nullptr);
  printf("lazy %d\n", lazy.value);
  printf("count %d %d\n", count(), count());
  change();
  show("changed");

  strtol("99999999999999999999", nullptr, 10);
  printf("errno %d\n", last_error() == ERANGE);

  // A second thread's block.
  void *own;
  __asm__ volatile("mv %0, tp" : "=r"(own));
  void *block = aligned_alloc(_tls_align(), (_tls_size() + _tls_align() - 1) / _tls_align() * _tls_align());
  if (block == nullptr)
    return 1;
  _init_tls(block);
  _set_tls(block);
  show("second");
  printf("errno %d, count %d\n", last_error(), count());
  _set_tls(own);
  show("back");
  printf("errno %d, count %d\n", last_error() == ERANGE, count());
}

thread_local long long elsewhere = 1ll << 40;

// CHECK: start: 7 0 3 0 0 first 1099511627776
// CHECK-NEXT: aligned 0 1
// CHECK-NEXT: construct 31
// CHECK-NEXT: lazy 31
// CHECK-NEXT: count 41 42
// CHECK-NEXT: changed: 1 2 30 50 6 changed -9
// CHECK-NEXT: errno 1
// CHECK-NEXT: second: 7 0 3 0 0 first 1099511627776
// CHECK-NEXT: errno 0, count 41
// CHECK-NEXT: back: 1 2 30 50 6 changed -9
// CHECK-NEXT: errno 1, count 43
// CHECK-NEXT: destroy 31
