// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static objects, their order and their end; virtual calls, templates, local statics.
//
// RUN: %cxx -std=c++17 -O2 -fno-exceptions -fno-rtti -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Announced {
  explicit Announced(const char *n) : name(n) { printf("construct %s\n", name); }
  ~Announced() { printf("destroy %s\n", name); }
  const char *name;
};

__attribute__((init_priority(2000))) Announced late("late");
__attribute__((init_priority(1000))) Announced early("early");
Announced plain("plain");

struct Shape {
  virtual ~Shape() = default;
  virtual int32_t area() const = 0;
};
struct Square : Shape {
  int32_t area() const override { return 49; }
};
struct Circle : Shape {
  int32_t area() const override { return 153; }
};

template <class T, int N> T total(const T (&values)[N]) {
  T sum{};
  for (const T &value : values)
    sum += value;
  return sum;
}

int main() {
  static const Square square;
  static const Circle circle;
  const Shape *const shapes[] = {&square, &circle};
  const int32_t areas[] = {shapes[0]->area(), shapes[1]->area()};
  printf("total %ld %.2f\n", long(total(areas)), total({1.25, 2.5}));
  Shape *made = new Circle;
  printf("made %ld\n", long(made->area()));
  delete made;
  for (int i = 0; i < 2; ++i)
    static Announced once("local");
  atexit([] { printf("at exit\n"); });
  return 0;
}

// CHECK: construct early
// CHECK-NEXT: construct late
// CHECK-NEXT: construct plain
// CHECK-NEXT: total 202 3.75
// CHECK-NEXT: made 153
// CHECK-NEXT: construct local
// CHECK-NEXT: at exit
// CHECK-NEXT: destroy local
// CHECK-NEXT: destroy plain
// CHECK-NEXT: destroy late
// CHECK-NEXT: destroy early
