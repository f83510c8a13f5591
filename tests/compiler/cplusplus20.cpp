// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What C++20 brought: coroutines, concepts, ranges, compile-time evaluation, spans, comparisons, and
// std::format, as the host's compiler and library have it.
//
// RUN: %stock/clang++ -std=c++20 -O1 -fno-exceptions -fno-rtti %s -o %t.host && %t.host > %t.expected
// RUN: %cxx -std=c++20 -O0 -mllvm -verify-machineinstrs -T npu-large.ld %s -o %t.O0.elf
// RUN: %iss --config large %t.O0.elf | diff %t.expected -
// RUN: %cxx -std=c++20 -O2 -Wall -Werror -mllvm -verify-machineinstrs -T npu-large.ld %s -o %t.O2.elf
// RUN: %iss --config large %t.O2.elf | diff %t.expected -
// RUN: %cxx -std=c++20 -Oz -mllvm -verify-machineinstrs -T npu-large.ld %s -o %t.Oz.elf
// RUN: %iss --config large %t.Oz.elf | diff %t.expected -
// RUN: %cxx -std=c++20 -O2 -flto -g -T npu-large.ld %s -o %t.lto.elf
// RUN: %iss --config large %t.lto.elf | diff %t.expected -
//
// The host's library does not have it yet.
// RUN: %cxx -std=c++20 -DFORMAT -O0 -T npu-large.ld %s -o %t.format.O0.elf
// RUN: %iss --config large %t.format.O0.elf | FileCheck --match-full-lines %s
// RUN: %cxx -std=c++20 -DFORMAT -O2 -T npu-large.ld %s -o %t.format.O2.elf
// RUN: %iss --config large %t.format.O2.elf | FileCheck --match-full-lines %s
// RUN: %cxx -std=c++20 -DFORMAT -Oz -T npu-large.ld %s -o %t.format.Oz.elf
// RUN: %iss --config large %t.format.Oz.elf | FileCheck --match-full-lines %s

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#ifdef FORMAT
#include <format>
#endif

// A coroutine that yields values, as a range.
template <typename T> class Generator {
public:
  struct promise_type {
    T value;
    Generator get_return_object() { return Generator(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T next) {
      value = std::move(next);
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  using Handle = std::coroutine_handle<promise_type>;

  explicit Generator(Handle handle) : handle(handle) {}
  Generator(Generator &&other) noexcept : handle(std::exchange(other.handle, {})) {}
  ~Generator() {
    if (handle)
      handle.destroy();
  }
  struct Iterator {
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    Handle handle;
    Iterator &operator++() {
      handle.resume();
      return *this;
    }
    void operator++(int) { handle.resume(); }
    const T &operator*() const { return handle.promise().value; }
    bool operator==(std::default_sentinel_t) const { return handle.done(); }
  };
  Iterator begin() {
    handle.resume();
    return {handle};
  }
  std::default_sentinel_t end() const { return {}; }

private:
  Handle handle;
};

struct Tracked {
  static inline int alive = 0;
  Tracked() { ++alive; }
  ~Tracked() { --alive; }
};

static Generator<std::uint64_t> fibonacci(int count) {
  Tracked tracked;
  std::uint64_t a = 0, b = 1;
  while (count-- > 0) {
    co_yield a;
    a = std::exchange(b, a + b);
  }
}

// A coroutine that others await: control goes from one to the next without growing the stack.
class Task {
public:
  struct promise_type {
    int value = 0;
    std::coroutine_handle<> waiting = std::noop_coroutine();
    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().waiting;
      }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_value(int result) { value = result; }
    void unhandled_exception() {}
  };
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle(handle) {}
  Task(Task &&other) noexcept : handle(std::exchange(other.handle, {})) {}
  ~Task() {
    if (handle)
      handle.destroy();
  }
  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
    handle.promise().waiting = caller;
    return handle;
  }
  int await_resume() const { return handle.promise().value; }
  int run() {
    handle.resume();
    return handle.promise().value;
  }

private:
  Handle handle;
};

static Task leaf(int n) { co_return n % 7; }
static Task loop(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += co_await leaf(i);
  co_return sum;
}
static Task tree(int depth) {
  Tracked tracked;
  if (depth == 0)
    co_return 1;
  int left = co_await tree(depth - 1);
  co_return left + co_await tree(depth - 1);
}

static void coroutines() {
  std::string text;
  for (std::uint64_t value : fibonacci(93))
    if (value % 1000 == 1)
      text += std::to_string(value) + ' ';
  std::printf("fibonacci %s\n", text.c_str());
  for (std::uint64_t value : fibonacci(100)) // left early
    if (value > 1000)
      break;
  std::printf("task %d %d, alive %d\n", loop(20000).run(), tree(8).run(), Tracked::alive);
}

// Overloads by what a type can do.
template <typename T>
concept Sized = requires(const T &t) {
  { t.size() } -> std::convertible_to<std::size_t>;
};
template <typename T>
concept Printable = std::integral<T> || std::floating_point<T> || Sized<T>;

static std::string describe(Sized auto const &value) { return "size " + std::to_string(value.size()); }
static std::string describe(std::unsigned_integral auto) { return "unsigned"; }
static std::string describe(std::integral auto value) { return value < 0 ? "negative" : "integer"; }
template <std::floating_point T> static std::string describe(T) {
  return "float of " + std::to_string(sizeof(T));
}
template <std::totally_ordered T, std::same_as<T>... More>
static constexpr T largest(T first, More... more) {
  ((first = first < more ? more : first), ...);
  return first;
}
static_assert(Printable<int> && Printable<std::string> && !Printable<void *>);

static void concepts() {
  std::printf("%s, %s, %s, %s, %s, %d\n", describe(std::string("four")).c_str(), describe(3u).c_str(),
              describe(-3).c_str(), describe(3.0f).c_str(), describe(std::array<int, 9>{}).c_str(),
              largest(3, 9, 4));
}

struct Version {
  int major, minor;
  std::string_view name;
  auto operator<=>(const Version &) const = default;
};

static void ranges() {
  namespace views = std::views;
  std::vector<int> numbers(40);
  std::iota(numbers.begin(), numbers.end(), -10);
  auto odd = [](int n) { return n % 2 != 0; };
  for (int n : numbers | views::filter(odd) | views::transform([](int n) { return n * n; }) |
                   views::drop(3) | views::take(8) | views::reverse)
    std::printf("%d ", n);
  std::printf("| %td\n", std::ranges::count_if(numbers, odd));

  using namespace std::literals;
  for (auto word : views::split("one,two,,four"sv, ","sv))
    std::printf("[%.*s]", static_cast<int>(std::ranges::distance(word)), std::to_address(word.begin()));
  std::vector<std::pair<int, std::string>> pairs = {{3, "c"}, {1, "a"}, {2, "b"}};
  std::ranges::sort(pairs, std::greater{}, &std::pair<int, std::string>::first);
  for (const std::string &s : pairs | views::values)
    std::printf(" %s", s.c_str());
  std::vector<std::vector<int>> nested = {{1, 2}, {}, {3}, {4, 5, 6}};
  auto flat = nested | views::join | views::common;
  std::printf(" %d", std::accumulate(flat.begin(), flat.end(), 0));
  auto found = std::ranges::lower_bound(numbers, 17);
  std::printf(" %td\n", found - numbers.begin());

  std::vector<Version> versions = {{1, 10, "b"}, {1, 2, "a"}, {1, 2, "Z"}, {0, 99, "q"}};
  std::ranges::sort(versions);
  for (const auto &[major, minor, name] : versions)
    std::printf("%d.%d%.*s ", major, minor, static_cast<int>(name.size()), name.data());
  std::printf("%d %d\n", versions[1] < versions[2], (1.0 <=> 0.0 / versions[0].major) == std::partial_ordering::unordered);
}

// At compile time, with memory and all.
static constexpr std::size_t countPrimes(std::size_t below) {
  bool *composite = new bool[below]{};
  std::size_t count = 0;
  for (std::size_t n = 2; n < below; ++n) {
    if (composite[n])
      continue;
    ++count;
    for (std::size_t m = n * n; m < below; m += n)
      composite[m] = true;
  }
  delete[] composite;
  return count;
}
static consteval auto squares() {
  std::array<std::uint32_t, 16> table{};
  std::ranges::generate(table, [n = 0u]() mutable { ++n; return (n - 1) * (n - 1); });
  return table;
}
template <std::size_t N> struct Name {
  char text[N];
  constexpr Name(const char (&from)[N]) { std::ranges::copy(from, text); }
};
template <Name name> static const char *nameOf() { return name.text; }
static constinit std::array table = squares();

static void constants() {
  static_assert(countPrimes(200) == 46);
  static_assert(std::bit_cast<std::uint32_t>(1.0f) == 0x3f800000);
  volatile std::size_t limit = 5000;
  std::printf("%u %zu %s %d %d %d %d\n", table[15], countPrimes(limit), nameOf<"name">(),
              std::popcount(table[14]), std::countl_zero(table[3]),
              static_cast<int>(std::rotl(table[7], 28) >> 28), static_cast<int>(std::bit_ceil(table[5])));
  std::printf("%.15f %d\n", std::numbers::pi, std::midpoint(-7, 4));
}

struct Sample {
  int id = 1;
  double weight = 0.5;
  std::optional<std::string> note;
};
enum class Color { red, green };

static int total(std::span<const int> values) { return std::accumulate(values.begin(), values.end(), 0); }

static void values() {
  int plain[] = {1, 2, 3, 4, 5, 6};
  std::array fixed = {10, 20, 30};
  std::vector<int> grown(plain, plain + 4);
  std::span<int, 6> whole(plain);
  std::printf("%d %d %d %d %zu\n", total(plain), total(fixed), total(grown), total(whole.subspan<2, 3>()),
              std::as_bytes(whole).size());

  Sample sample = {.weight = 2.5, .note = "given"};
  std::optional<int> none, some = 7;
  std::printf("%d %.1f %s %d %d %d\n", sample.id, sample.weight, sample.note.value_or("none").c_str(),
              none.value_or(-1), some == 7, none < some);

  std::variant<int, double, std::string> either = 3;
  auto show = []<typename T>(const T &value) {
    using enum Color;
    Color color = std::is_same_v<T, std::string> ? green : red;
    if constexpr (std::is_arithmetic_v<T>)
      return std::to_string(value) + (color == red ? " red" : " green");
    else
      return value + (color == red ? " red" : " green");
  };
  std::string text = std::visit(show, either);
  either = "text";
  text += ", " + std::visit(show, either);
  std::erase_if(text, [](char c) { return c == 'e'; });
  std::printf("%s %d %d\n", text.c_str(), text.starts_with("3 r"), std::cmp_less(-1, 1u));
}

#ifdef FORMAT
struct Point {
  int x, y;
};
template <> struct std::formatter<Point> : std::formatter<int> {
  auto format(const Point &p, auto &context) const {
    context.advance_to(std::format_to(context.out(), "<"));
    context.advance_to(std::formatter<int>::format(p.x, context));
    context.advance_to(std::format_to(context.out(), ", "));
    context.advance_to(std::formatter<int>::format(p.y, context));
    return std::format_to(context.out(), ">");
  }
};

static void formats() {
  std::puts(std::format("{} {:>6} {:<6}| {:^7} {:+d} {:#x} {:#010b} {:o}", 1, 22, 33, 44, 55, 255, 5, 8).c_str());
  // CHECK: 1     22 33    |   44    +55 0xff 0b00000101 10
  std::puts(std::format("{} {:.3f} {:e} {:g} {:a} {:.0f} {}", 0.1, 3.14159, 12345.678, 1e-7, 1.5, 2.5, 1e300).c_str());
  // CHECK: 0.1 3.142 1.234568e+04 1e-07 1.8p+0 2 1e+300
  std::puts(std::format("{1} {0} {0:?>5} {2} {3:*^{4}}", 'c', true, "text", std::string("mid"), 9).c_str());
  // CHECK: true c ????c text ***mid***
  std::puts(std::format("{} {:03}", Point{1, -2}, Point{4, 5}).c_str());
  // CHECK: <1, -2> <004, 005>
  std::puts(std::format("{} {} {{}}", INT64_MIN, UINT64_MAX).c_str());
  // CHECK: -9223372036854775808 18446744073709551615 {}
  std::array<char, 16> buffer{};
  auto [end, size] = std::format_to_n(buffer.data(), 7, "{}-{}-{}", 123, 456, 789);
  std::puts(std::format("{} {} {}", std::string_view(buffer.data(), end), size, std::formatted_size("{:>9}", 1)).c_str());
  // CHECK: 123-456 11 9
  int value = 42;
  std::puts(std::vformat("{:#06x}", std::make_format_args(value)).c_str());
  // CHECK: 0x002a
}
#endif

int main() {
#ifdef FORMAT
  formats();
#else
  coroutines();
  concepts();
  ranges();
  constants();
  values();
#endif
}
