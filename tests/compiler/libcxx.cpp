// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libc++ without threads, locales, files and exceptions: containers, strings, algorithms, ranges,
// smart pointers, variants, numbers as text, run-time type information.
//
// RUN: %cxx -T npu-large.ld -std=c++20 -frtti -O2 %s -o %t.elf && %iss --config large %t.elf | FileCheck %s
// RUN: %cxx -T npu-large.ld -std=c++20 -frtti -Oz -flto %s -o %t.lto.elf && %iss --config large %t.lto.elf | FileCheck %s
// RUN: %cxx -T npu-large.ld -std=c++20 -frtti -O0 -ffunction-sections -Wl,--gc-sections %s -o %t.O0.elf && %iss --config large %t.O0.elf | FileCheck %s
// RUN: %cxx -std=c++23 -fsyntax-only -Wall -Werror %S/Inputs/headers.cpp
// RUN: %cxx -std=c++17 -fsyntax-only -Wall -Werror %S/Inputs/headers.cpp
//
// A header that needs what is not there says so.
// RUN: echo '#include <iostream>' | not %cxx -fsyntax-only -x c++ - 2>&1 | FileCheck --check-prefix=STREAMS %s
// STREAMS: error: "<iostream> is not available for the NPU: no streams and locales"
// RUN: echo '#include <locale>' | not %cxx -fsyntax-only -x c++ - 2>&1 | FileCheck --check-prefix=LOCALES %s
// LOCALES: error: "<locale> is not available for the NPU: no streams and locales"
// RUN: echo '#include <thread>' | not %cxx -fsyntax-only -x c++ - 2>&1 | FileCheck --check-prefix=THREADS %s
// THREADS: error: "<thread> is not available for the NPU: no threads"
//
// What would throw ends the program with a message.
// RUN: %cxx -T npu-large.ld -DAT -O1 -std=c++20 %s -o %t.at.elf
// RUN: not %iss --config large %t.at.elf 2>&1 | FileCheck --check-prefix=AT %s
// AT: vector

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  explicit Square(int s) : side(s) {}
  int area() const override { return side * side; }
};
struct Named {
  virtual ~Named() = default;
  const char *name = "named";
};
struct Circle final : Shape, Named {
  int area() const override { return 78; }
};

static unsigned random_state = 1;
static unsigned next_random() { return random_state = random_state * 1664525 + 1013904223; }

template <class... T> struct Overloaded : T... {
  using T::operator()...;
};

int main() {
#ifdef AT
  std::vector<int> three(3);
  return three.at(next_random() | 16);
#else
  std::vector<int> v(200);
  std::generate(v.begin(), v.end(), [] { return int(next_random() >> 20); });
  std::sort(v.begin(), v.end());
  std::vector<long long> w(v.begin(), v.end());
  std::stable_sort(w.rbegin(), w.rend());
  std::printf("%d %d %lld %lld\n", std::is_sorted(v.begin(), v.end()), v[100], w[0], std::accumulate(w.begin(), w.end(), 0ll));
  // CHECK: 1 [[#]] [[#]] [[#]]

  std::map<std::string, int> words;
  std::string_view text = "the quick brown fox jumps over the lazy dog the end, a long word: supercalifragilistic";
  for (size_t from = 0; from < text.size();) {
    size_t to = std::min(text.find(' ', from), text.size());
    ++words[std::string(text.substr(from, to - from))];
    from = to + 1;
  }
  for (auto &[word, count] : words)
    std::printf("%s=%d ", word.c_str(), count);
  std::printf("\n");
  // CHECK-NEXT: a=1 brown=1 dog=1 end,=1 fox=1 jumps=1 lazy=1 long=1 over=1 quick=1 supercalifragilistic=1 the=3 word:=1

  std::unordered_map<unsigned, unsigned> squares;
  for (unsigned i = 0; i < 300; ++i)
    squares[i * 7919] = i * i;
  std::printf("%u %zu %d\n", squares[7919 * 250], squares.size(), squares.contains(5));
  // CHECK-NEXT: 62500 300 0

  std::set<int, std::greater<>> chosen(v.begin(), v.begin() + 5);
  std::deque<int> queue(chosen.begin(), chosen.end());
  queue.push_front(1), queue.pop_back();
  std::list<int> linked{5, 3, 9};
  linked.sort();
  std::printf("%zu %d %d\n", queue.size(), queue.front(), linked.back());
  // CHECK-NEXT: [[#]] 1 9

  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square>(7));
  shapes.push_back(std::make_unique<Circle>());
  auto shared = std::make_shared<std::string>("shared by two, longer than fits in place");
  std::weak_ptr<std::string> weak = shared;
  int area = 0, named = 0;
  for (auto &shape : shapes) {
    area += shape->area();
    if (auto *n = dynamic_cast<Named *>(shape.get()))
      named += n->name[0] == 'n';
  }
  Shape &first = *shapes[0];
  std::printf("%d %d %d %ld %d\n", area, named, typeid(first) == typeid(Square), weak.use_count(),
              dynamic_cast<Circle *>(&first) == nullptr);
  // CHECK-NEXT: 127 1 1 1 1

  std::variant<int, double, std::string> any = 2.5;
  auto visitor = Overloaded{[](int i) { return i; }, [](double d) { return int(d * 100); },
                            [](const std::string &s) { return int(s.size()); }};
  int total = std::visit(visitor, any);
  any = std::string("four");
  total += std::visit(visitor, any);
  std::optional<std::tuple<int, char>> maybe;
  std::printf("%d %d", total, maybe.has_value());
  maybe.emplace(3, 'x');
  auto [number, letter] = *maybe;
  std::printf(" %d%c\n", number, letter);
  // CHECK-NEXT: 254 0 3x

  char buffer[40];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, 3.14159265358979).ptr;
  int parsed = 0;
  const std::string_view digits = "-8091x";
  std::from_chars(digits.begin(), digits.end(), parsed);
  std::printf("%.*s %d %s %d %g\n", int(end - buffer), buffer, parsed, std::to_string(-12345678901ll).c_str(),
              std::stoi("77"), std::stod("2.5e3"));
  // CHECK-NEXT: 3.14159265358979 -8091 -12345678901 77 2500

  std::array<int, 6> numbers{1, 2, 3, 4, 5, 6};
  int even = 0;
  for (int x : numbers | std::views::filter([](int x) { return x % 2 == 0; }) | std::views::transform([](int x) { return x * x; }))
    even += x;
  std::span<const int> view(numbers);
  std::function<int(int)> add = [even](int x) { return x + even; };
  std::printf("%d %d %d %d %d\n", even, view.subspan(2, 3).back(), add(1), std::popcount(0xf0f0u), std::gcd(84, 36));
  // CHECK-NEXT: 56 5 57 8 12

  struct Mask { // for std::lock_guard, say of interrupts
    int depth = 0, locks = 0;
    void lock() { ++depth, ++locks; }
    void unlock() { --depth; }
  } mask;
  static std::once_flag once;
  for (int i = 0; i < 3; ++i) {
    std::lock_guard guard(mask);
    std::call_once(once, [&] { mask.locks += 10 * mask.depth; });
  }
  std::printf("%d %d\n", mask.depth, mask.locks);
  // CHECK-NEXT: 0 13
  return 0;
#endif
}
