// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// String functions as a C library has them, tokens, numbers to text and back, substring search.

#include "bench.h"

typedef uint32_t size;

static const char text[] =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age "
    "of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season "
    "of Light, it was the season of Darkness, it was the spring of hope, it was the winter of despair.";

static size length(const char *s) {
  const char *p = s;
  while (*p)
    p++;
  return (size)(p - s);
}

static int compare(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return (uint8_t)*a - (uint8_t)*b;
}

static char *copy(char *to, const char *from) {
  char *start = to;
  while ((*to++ = *from++))
    ;
  return start;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static int is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static const char *search(const char *s, const char *what) {
  for (; *s; s++) {
    size i = 0;
    while (what[i] && s[i] == what[i])
      i++;
    if (!what[i])
      return s;
  }
  return 0;
}

// Horspool: skips by the last character of the window.
static int horspool(const char *s, size n, const char *what, size m) {
  uint8_t skip[128];
  int found = 0;
  for (int i = 0; i < 128; i++)
    skip[i] = (uint8_t)m;
  for (size i = 0; i + 1 < m; i++)
    skip[(uint8_t)what[i] & 127] = (uint8_t)(m - 1 - i);
  for (size at = 0; at + m <= n; at += skip[(uint8_t)s[at + m - 1] & 127]) {
    size i = m;
    while (i && s[at + i - 1] == what[i - 1])
      i--;
    found += i == 0;
  }
  return found;
}

static char *print_number(char *out, int32_t value, uint32_t base) {
  char digits[34];
  int count = 0;
  uint32_t u = value < 0 ? -(uint32_t)value : (uint32_t)value;
  if (value < 0)
    *out++ = '-';
  do {
    uint32_t d = u % base;
    digits[count++] = (char)(d < 10 ? '0' + d : 'a' + d - 10);
    u /= base;
  } while (u);
  while (count)
    *out++ = digits[--count];
  *out = 0;
  return out;
}

static int32_t parse_number(const char *s, uint32_t base) {
  int negative = *s == '-';
  uint32_t n = 0;
  for (s += negative; *s; s++)
    n = n * base + (uint32_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
  return negative ? -(int32_t)n : (int32_t)n;
}

struct word {
  char text[16];
  int count;
};
static struct word words[64];
static int word_count;

static void count_words(const char *s) {
  while (*s) {
    char w[16];
    size n = 0;
    while (*s && !is_letter(*s))
      s++;
    for (; is_letter(*s); s++)
      if (n < 15)
        w[n++] = (char)lower(*s);
    w[n] = 0;
    if (!n)
      break;
    int low = 0, high = word_count;
    while (low < high) {
      int middle = (low + high) / 2;
      if (compare(words[middle].text, w) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < word_count && !compare(words[low].text, w)) {
      words[low].count++;
      continue;
    }
    for (int i = word_count++; i > low; i--)
      words[i] = words[i - 1];
    copy(words[low].text, w);
    words[low].count = 1;
  }
}

static void reverse(char *s, size n) {
  for (size i = 0; i < n / 2; i++) {
    char c = s[i];
    s[i] = s[n - 1 - i];
    s[n - 1 - i] = c;
  }
}

uint32_t bench_run(void) {
  static char buffer[sizeof text];
  uint32_t state = 6, sum = length(text);
  for (int i = 0; i < 5; i++)
    count_words(text);
  for (int i = 0; i < word_count; i++)
    sum = bench_mix(sum, (uint32_t)(words[i].count * words[i].text[0]) + length(words[i].text));
  copy(buffer, text);
  reverse(buffer, length(buffer));
  sum += (uint32_t)compare(buffer, text) + (uint32_t)(search(text, "incredu") - text);
  for (const char *s = text; (s = search(s, "was")); s++)
    sum++;
  for (int i = 0; i < 8; i++)
    sum = bench_mix(sum, (uint32_t)horspool(text, length(text), "season of", 9));
  for (int i = 0; i < 250; i++) {
    char number[36];
    uint32_t base = (uint32_t)i % 3 == 0 ? 10 : (uint32_t)i % 3 == 1 ? 16 : 7;
    int32_t n = (int32_t)(bench_next(&state) << 6);
    char *end = print_number(number, n, base);
    sum = bench_mix(sum, (uint32_t)(end - number) + (uint32_t)(parse_number(number, base) == n));
  }
  return sum;
}

BENCH_EXPECT(0x8ad0023f);
