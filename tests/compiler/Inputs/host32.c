// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least that a csmith program needs to run on the host as a 32-bit program, for which
// Debian has no library without another set of compilers: entry, exit, output, division. A program
// that takes more than 100 ms of processor time is ended by SIGVTALRM.

typedef unsigned u32;
typedef unsigned long long u64;
typedef long long s64;

static int system_call(int number, int a, const void *b, int c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}

// csmith prints names, numbers in hexadecimal and in decimal.
int printf(const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  char line[512];
  int length = 0;
  for (; *format && length < 400; ++format) {
    if (*format != '%') {
      line[length++] = *format;
      continue;
    }
    while (*++format == 'l')
      ;
    if (*format == 's') {
      for (const char *s = __builtin_va_arg(list, const char *); *s && length < 400; ++s)
        line[length++] = *s;
      continue;
    }
    u32 value = __builtin_va_arg(list, u32), base = *format == 'X' ? 16 : 10;
    char digits[10];
    int count = 0;
    do
      digits[count++] = "0123456789ABCDEF"[value % base];
    while (value /= base);
    while (count)
      line[length++] = digits[--count];
  }
  __builtin_va_end(list);
  system_call(4, 1, line, length);
  return length;
}

int strcmp(const char *a, const char *b) {
  for (; *a && *a == *b; ++a, ++b)
    ;
  return (unsigned char)*a - (unsigned char)*b;
}

void *memcpy(void *to, const void *from, u32 size) {
  for (u32 i = 0; i < size; ++i)
    ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *memset(void *to, int value, u32 size) {
  for (u32 i = 0; i < size; ++i)
    ((volatile char *)to)[i] = value;
  return to;
}

static u64 divide(u64 dividend, u64 divisor, u64 *rest) {
  u64 quotient = 0, remainder = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const int carry = remainder >> 63;
    remainder = remainder << 1 | (dividend >> bit & 1);
    if (carry || remainder >= divisor) {
      remainder -= divisor;
      quotient |= 1ull << bit;
    }
  }
  *rest = remainder;
  return quotient;
}

u64 __udivdi3(u64 a, u64 b) { u64 rest; return divide(a, b, &rest); }
u64 __umoddi3(u64 a, u64 b) { u64 rest; divide(a, b, &rest); return rest; }

s64 __divdi3(s64 a, s64 b) {
  u64 rest, quotient = divide(a < 0 ? -(u64)a : a, b < 0 ? -(u64)b : b, &rest);
  return (a < 0) != (b < 0) ? -quotient : quotient;
}

s64 __moddi3(s64 a, s64 b) {
  u64 rest;
  divide(a < 0 ? -(u64)a : a, b < 0 ? -(u64)b : b, &rest);
  return a < 0 ? -rest : rest;
}

int main(int argc, char **argv);

__attribute__((force_align_arg_pointer)) void _start(void) {
  char *arguments[] = {(char *)"csmith", 0};
  const int limit[4] = {0, 0, 0, 100000};
  system_call(104, 1, limit, 0); // setitimer, ITIMER_VIRTUAL
  system_call(1, main(1, arguments), 0, 0);
  for (;;)
    ;
}
