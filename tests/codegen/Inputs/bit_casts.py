#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints functions in LLVM IR that take an integer for a vector or one type of vector for another, or
(--driver) the program in C that calls them with values and compares their results."""

import argparse
import itertools
import random
import re

TYPES = """i3 i5 i9 i16 i24 i32 i36 i48 i64 i100 i128 <3xi1> <5xi1> <9xi1> <16xi1> <24xi1> <32xi1> <36xi1> <48xi1>
    <64xi1> <100xi1> <128xi1> <2xi12> <3xi8> <4xi6> <6xi4> <8xi3> <4xi9> <12xi3> <3xi16> <6xi8> <4xi8> <8xi8>
    <16xi4> <32xi4> <2xi32> <2xi64>""".split()
VALUES = 8


def shape(name):
    """Number and width of its elements."""
    words = re.findall(r"\d+", name)
    return tuple(map(int, words)) if len(words) == 2 else (1, int(words[0]))


def bits(name):
    lanes, width = shape(name)
    return lanes * width


def doubled(name, value):
    """Each element plus itself, in the number that the bits of all of them are."""
    lanes, width = shape(name)
    mask = (1 << width) - 1
    return sum(((value >> i * width & mask) * 2 & mask) << i * width for i in range(lanes))


def function(index, a, b):
    a, b, n = a.replace("x", " x "), b.replace("x", " x "), bits(a)
    number = f"i{n}"
    cast_out = f"bitcast {b} %s to {number}" if b != number else f"or {number} %s, 0"
    cast_in = f"bitcast {number} %t to {a}" if a != number else f"or {number} %t, 0"
    widen = f"zext {number} %u to i128" if n < 128 else "or i128 %u, 0"
    narrow = f"trunc i128 %x to {number}" if n < 128 else "or i128 %x, 0"
    return f"""define void @cast{index}(ptr %to, ptr %from) {{
  %x = load i128, ptr %from
  %t = {narrow}
  %v = {cast_in}
  %w = add {a} %v, %v
  %r = bitcast {a} %w to {b}
  %s = add {b} %r, %r
  %u = {cast_out}
  %z = {widen}
  store i128 %z, ptr %to
  ret void
}}
"""


def words(value):
    return "{" + ", ".join(f"{value >> 32 * i & 0xffffffff:#x}u" for i in range(4)) + "}"


def driver(pairs):
    print("#include <stdio.h>\n#include <string.h>\n"
          "typedef struct { _Alignas(16) unsigned word[4]; } number;\n"
          "typedef void cast(number *, const number *);")
    for i in range(len(pairs)):
        print(f"cast cast{i};")
    print("static const struct { cast *cast; const char *what; number from, result; } cases[] = {")
    for i, (a, b) in enumerate(pairs):
        for _ in range(VALUES):
            value = random.getrandbits(128)
            result = doubled(b, doubled(a, value & (1 << bits(a)) - 1))
            print(f'{{cast{i}, "{a} to {b}", {{{words(value)}}}, {{{words(result)}}}}},')
    print("""};
int main(void) {
  int errors = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    number to;
    cases[i].cast(&to, &cases[i].from);
    if (memcmp(&to, &cases[i].result, sizeof to) != 0 && ++errors < 20)
      printf("%s is wrong\\n", cases[i].what);
  }""")
    print(f'  printf("{len(pairs)} casts, %d errors\\n", errors);\n  return errors != 0;\n}}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", action="store_true")
    random.seed(1)
    pairs = [(a, b) for a, b in itertools.permutations(TYPES, 2)
             if bits(a) == bits(b) and "<" in a + b]
    if parser.parse_args().driver:
        driver(pairs)
    else:
        for i, pair in enumerate(pairs):
            print(function(i, *pair))


if __name__ == "__main__":
    main()
