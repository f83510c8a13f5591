// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++20 without a library, exceptions or run-time types: construction order, virtual dispatch,
// templates, lambdas, concepts, new and delete, statics in functions, member pointers.
//
// RUN: %python %root/tests/codegen/Inputs/compare_runs.py --cc "%cxx -T npu-large.ld -std=c++20 -fno-exceptions -fno-rtti" --simulator "%iss --config large" %s %t

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

inline void *operator new(size_t, void *place) noexcept { return place; }

static int order, alive;

struct Counted {
  int id;
  explicit Counted(int id) : id(id) { order = order * 7 + id, ++alive; }
  Counted(const Counted &other) : id(other.id + 100) { ++alive; }
  Counted(Counted &&other) : id(other.id) { other.id = -1, ++alive; }
  Counted &operator=(const Counted &) = default;
  virtual ~Counted() { order = order * 5 + id, --alive; }
  virtual int value() const { return id; }
};
struct Left : virtual Counted {
  Left(int id) : Counted(id), left(id * 2) {}
  int left;
  int value() const override { return left; }
};
struct Right : virtual Counted {
  Right(int id) : Counted(id), right(id * 3) {}
  int right;
  virtual long long wide(long long x) { return x * right; }
};
struct Bottom final : Left, Right {
  Bottom(int id) : Counted(id), Left(id + 1), Right(id + 2) {}
  int value() const override { return left * 1000 + right; }
  long long wide(long long x) override { return x + left; }
  Bottom *self() { return this; }
};

static Counted global(3);
static Counted *dynamic = new Left(4);
constinit static int constant = 5;
inline int shared = order + 1;

template <typename T> concept Number = requires(T a) { a + a; a * a; };
template <Number T, size_t N> struct Vector {
  T items[N] = {};
  constexpr T &operator[](size_t i) { return items[i]; }
  constexpr T sum() const {
    T s = 0;
    for (const T &x : items)
      s += x;
    return s;
  }
  bool operator==(const Vector &) const = default;
};
template <typename... T> static int total(T... x) { return (0 + ... + int(x)); }
template <int N> constexpr int factorial = N * factorial<N - 1>;
template <> constexpr int factorial<0> = 1;
consteval int square(int x) { return x * x; }

static Counted &lazy() {
  static Counted object(8);
  return object;
}
static Counted make(int id) { return Counted(id); }
struct Members {
  int a = 1, b = 2;
  int f(int x) { return a * x; }
  virtual int g(int x) { return b * x; }
  virtual ~Members() = default;
};
struct Derived : Members {
  int g(int x) override { return b * x + 1; }
};
template <typename F> static int apply(F f, int n) { return n ? f(n) + apply(f, n - 1) : 0; }
enum class Kind : unsigned char { a = 1, b = 200 };
struct Overaligned {
  alignas(64) char bytes[64];
};
// C's spellings, which the C library's headers leave alone.
_Static_assert(_Alignof(Overaligned) == 64);
static _Alignas(128) char overaligned[3];

int main() {
  printf("%d %d %d %d %d\n", order, alive, constant, dynamic->value(), shared);
  Bottom b(10);
  Counted *base = &b;
  Right *right = &b;
  printf("%d %d %lld %d\n", base->value(), static_cast<Left *>(&b)->value(), right->wide(5), b.self() == &b);
  delete dynamic;
  Vector<int, 4> v{{1, 2, 3, 4}}, w = v;
  w[2] = 9;
  Vector<double, 3> d{{0.5, 1.5, 2.25}};
  printf("%d %d %d %d\n", v.sum(), v != w, v == w, int(d.sum() * 100));
  printf("%d %d %d\n", total(1, 'a', 2.5f, 3ll), factorial<7>, square(12));
  printf("%d %d\n", lazy().value(), lazy().value());
  int n = 3;
  printf("%d\n", apply([&n](int x) mutable { return n += x; }, 4));
  Counted c = make(20), e = c, f = static_cast<Counted &&>(e);
  printf("%d %d %d %d\n", c.id, e.id, f.id, alive);
  int (Members::*method)(int) = &Members::f, (Members::*virtual_method)(int) = &Members::g;
  int Members::*member = &Members::b;
  Derived derived;
  printf("%d %d %d\n", (derived.*method)(5), (derived.*virtual_method)(5), derived.*member);
  Counted *many = static_cast<Counted *>(malloc(3 * sizeof(Counted)));
  for (int i = 0; i < 3; ++i)
    new (many + i) Counted(i + 30);
  for (int i = 0; i < 3; ++i)
    many[i].~Counted();
  free(many);
  int *array = new int[10]{1, 2, 3};
  printf("%d\n", array[2] + array[9]);
  delete[] array;
  auto *objects = new Members[3];
  printf("%d\n", objects[2].g(21));
  delete[] objects;
  auto *aligned = new Overaligned;
  static _Alignas(32) int words[3];
  printf("%d\n", int((reinterpret_cast<uintptr_t>(aligned) | reinterpret_cast<uintptr_t>(words) * 2 |
                      reinterpret_cast<uintptr_t>(overaligned) / 2) % 64));
  delete aligned;
  printf("%d\n", static_cast<int>(Kind::b));
  struct { short a, b; } two = {7, 8};
  auto [first, second] = two;
  (void)second;
  printf("%d %d %d\n", first, order, alive);
  return 0;
}
