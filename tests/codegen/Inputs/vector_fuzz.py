# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C programs of loops over arrays and of vectors (GNU vector extensions), without undefined
behaviour: ours at several levels has to print what the host's compiler makes them print.

  vector_fuzz.py --cc CLANG --simulator ISS [--host "gcc -O1"] [--seed S] [--count N] FOLDER
"""

import argparse
import pathlib
import random
import shlex
import subprocess
import sys

TYPES = {"int8_t": (8, True), "uint8_t": (8, False), "int16_t": (16, True),
         "uint16_t": (16, False), "int32_t": (32, True), "uint32_t": (32, False)}
LEVELS = ("-O0", "-O2", "-O3", "-Os")
LENGTH = 300

HEADER = """// seed {seed}
#include <stdint.h>
#include <string.h>
int printf(const char *, ...);
typedef uint32_t word;
static uint32_t sum;
static void digest(const void *p, unsigned n) {{
  for (unsigned i = 0; i < n; ++i)
    sum = (sum << 5 | sum >> 27) ^ ((const uint8_t *)p)[i];
}}
static uint32_t state = {seed}u * 77u + 1u;
static void fill(void *p, unsigned n) {{
  for (unsigned i = 0; i < n; ++i) {{
    state = state * 1664525u + 1013904223u;
    ((uint8_t *)p)[i] = state >> 30 ? (uint8_t)(state >> 20) : (uint8_t)((int32_t)(state << 2) >> 31);
  }}
}}
#define NOINLINE __attribute__((noinline))
"""


class Loops:
    """Loops that a vectorizer may take. An expression is (text, bits): bits of its value as a
    signed number, at most 32; arithmetic beyond them is done on unsigned words."""

    def __init__(self, rng):
        self.rng = rng

    def leaf(self):
        rng = self.rng
        kind = rng.randrange(12)
        if kind == 0:
            value = rng.choice([0, 1, -1, 2, 3, 7, 100, 127, -128, 255, 1000, rng.randrange(-5000, 5000)])
            return f"({value})", 14
        if kind == 1:
            return "i", 10
        if kind == 2:
            return "s", 8
        array = rng.choice(self.arrays)
        bits, signed = TYPES[array[1]]
        index = rng.choice(["i"] * 8 + ["i + 1", "i + 3", "2 * i", "i / 2", "n - 1 - i", "0"])
        text = f"{array[0]}[{index}]"
        if (bits, signed) == (32, False):
            return f"(int32_t){text}", 32
        return text, bits if signed else bits + 1

    def fit(self, expression, bits):
        """The same value, cut to so many bits where it may have more."""
        text, have = expression
        if have <= bits:
            return text
        kind = {8: "int8_t", 16: "int16_t"}[bits]
        return f"({kind})({text})"

    def expression(self, depth):
        rng = self.rng
        if depth == 0:
            return self.leaf()
        kind = rng.randrange(17)
        a = self.expression(depth - 1)
        if kind == 0:
            amount = rng.randrange(1, 12)
            return f"({a[0]} >> {amount})", max(a[1] - amount, 1)
        if kind == 1:
            amount = rng.randrange(1, 6)
            return f"(int32_t)((word)({a[0]}) << {amount})", min(a[1] + amount, 32)
        if kind == 2:
            low, high = sorted(rng.choice([-128, -100, 0, 6, 127, 255, 1000]) for _ in range(2))
            return f"CLAMP({a[0]}, {low}, {high})", 11
        if kind == 3:
            name = rng.choice(list(TYPES))
            bits, signed = TYPES[name]
            text = f"({name})({a[0]})"
            if (bits, signed) == (32, False):
                return f"(int32_t){text}", 32
            return text, min(a[1], bits) if signed and a[1] <= bits else bits if signed else bits + 1
        if kind == 4:
            return f"ABS({self.fit(a, 16)})", 17
        if kind == 5:
            return f"table[(uint8_t)({a[0]})]", 8
        if kind == 6:
            return f"(int32_t)((word)({a[0]}) >> {rng.randrange(1, 9)})", 32
        if kind == 7:
            return f"({a[0]}) / {rng.choice([2, 3, 4, 7, 16, 100])}", a[1]
        b = self.expression(depth - 1)
        wide = max(a[1], b[1]) + 1
        if kind in (8, 9):
            operator = rng.choice("+-")
            if wide <= 32:
                return f"({a[0]} {operator} {b[0]})", wide
            return f"(int32_t)((word)({a[0]}) {operator} (word)({b[0]}))", 32
        if kind in (10, 11):
            if a[1] + b[1] <= 32:
                return f"(({a[0]}) * ({b[0]}))", a[1] + b[1]
            return f"(int32_t)((word)({a[0]}) * (word)({b[0]}))", 32
        if kind == 12:
            return f"({a[0]} {rng.choice('&|^')} {b[0]})", max(a[1], b[1])
        if kind == 13:
            return f"{rng.choice(['MIN', 'MAX'])}({a[0]}, {b[0]})", max(a[1], b[1])
        if kind == 14:
            c = self.expression(0)
            return (f"({a[0]} {rng.choice(['<', '>', '==', '!=', '<=', '>='])} {b[0]} ? {c[0]} : "
                    f"{b[0]})"), max(c[1], b[1])
        if kind == 15:
            # Rounded averages and differences, as image code writes them.
            a, b = self.fit(a, 16), self.fit(b, 16)
            return rng.choice([f"(({a} + {b} + 1) >> 1)", f"ABS({a} - {b})",
                               f"CLAMP({a} + {b}, -128, 127)", f"CLAMP({a} - {b}, -32768, 32767)"]), 18
        a, b = self.fit(a, 16), self.fit(b, 16)
        return f"(({a} * {b} + 64) >> 7)", 27

    def function(self, name):
        rng = self.rng
        self.arrays = [(array, rng.choice(list(TYPES))) for array in "abc"]
        target = rng.choice(list(TYPES))
        restrict = rng.choice(["restrict ", "restrict ", ""])
        parameters = ", ".join(f"const {kind} *{restrict}{array}" for array, kind in self.arrays)
        lines = [f"NOINLINE static int32_t {name}({target} *{restrict}d, {parameters},",
                 "                               const int8_t *restrict table, int n, int8_t s) {"]
        if rng.random() < 0.4:
            text, bits = self.expression(rng.randrange(1, 3))
            kind = rng.randrange(5)
            start, update = [
                ("0", f"r = (int32_t)((word)r + (word)({text}));"),
                ("INT32_MIN", f"r = MAX(r, {text});"), ("INT32_MAX", f"r = MIN(r, {text});"),
                ("0", f"r ^= {text};"), ("-1", f"r &= {text};")][kind]
            if rng.random() < 0.3:
                update = f"if ({self.expression(1)[0]} > {rng.randrange(-20, 20)}) " + update
            if kind == 0 and rng.random() < 0.5:
                x, y = rng.sample(self.arrays, 2)
                kinds = [rng.choice(["int8_t", "uint8_t", "int16_t", "uint16_t"])] * 2
                if rng.random() < 0.3:
                    kinds[1] = rng.choice(["int8_t", "uint8_t"])
                x, y = (f"(word)({kind}){array[0]}[i]" for kind, array in zip(kinds, (x, y)))
                update = f"r = (int32_t)((word)r + {x} * {y});"
            lines += [f"  int32_t r = {start};", "  for (int i = 0; i < n; ++i)", f"    {update}",
                      "  return r;", "}"]
        else:
            text, bits = self.expression(rng.randrange(1, 4))
            store = f"d[i] = ({target})({text});"
            if rng.random() < 0.2:
                store = f"if ({self.expression(1)[0]} > {rng.randrange(-20, 20)}) " + store
            lines += ["  for (int i = 0; i < n; ++i)", f"    {store}", "  return 0;", "}"]
        call = (f"  for (unsigned k = 0; k < sizeof kLengths / sizeof *kLengths; ++k) {{\n"
                f"    memset(out, 0x55, sizeof out);\n"
                f"    int32_t r = {name}((void *)(out + 4 * k), (void *)in, (void *)(in + 1300), "
                f"(void *)(in + 2600), tab, kLengths[k], (int8_t)(k * 37));\n"
                f"    digest(&r, 4); digest(out, sizeof out);\n  }}\n"
                f"  printf(\"{name} %08lx\\n\", (unsigned long)sum);\n")
        return "\n".join(lines) + "\n", call


class Vectors:
    """Straight-line code on vectors of all lane counts and widths."""

    ELEMENTS = {8: ("int8_t", "uint8_t"), 16: ("int16_t", "uint16_t"), 32: ("int32_t", "uint32_t"),
                64: ("int64_t", "uint64_t")}

    def __init__(self, rng):
        self.rng = rng

    @staticmethod
    def name(bits, lanes, signed):
        return f"v{lanes}{'s' if signed else 'u'}{bits}"

    def typedefs(self):
        return "".join(
            f"typedef {self.ELEMENTS[bits][not signed]} {self.name(bits, lanes, signed)} "
            f"__attribute__((vector_size({bits * lanes // 8})));\n"
            for bits in (8, 16, 32, 64) for lanes in (4, 16, 32, 64) for signed in (True, False))

    def function(self, name):
        rng = self.rng
        lanes = rng.choice([4, 16, 16, 32, 32, 64, 64])
        widths = [b for b in (8, 16, 32, 64) if b * lanes <= 2048 and (b < 64 or lanes <= 16)]
        values = []  # (variable, bits, signed)
        lines, count = [], 0

        def new(bits, signed, text):
            nonlocal count
            count += 1
            lines.append(f"  {self.name(bits, lanes, signed)} x{count} = {text};")
            values.append((f"x{count}", bits, signed))

        parameters = []
        for index in range(3):
            bits, signed = rng.choice(widths), rng.random() < 0.6
            parameters.append((f"p{index}", bits, signed))
        values += parameters
        for _ in range(rng.randrange(3, 9)):
            a, bits, signed = rng.choice(values)
            same = [v for v in values if v[1:] == (bits, signed)]
            b = rng.choice(same)[0]
            kind = rng.randrange(13)
            u, v = self.name(bits, lanes, False), self.name(bits, lanes, signed)
            if kind in (0, 1):
                new(bits, signed, f"({v})(({u}){a} {rng.choice('+-*')} ({u}){b})")
            elif kind == 2:
                new(bits, signed, f"{a} {rng.choice('&|^')} {b}")
            elif kind == 3:
                new(bits, signed, f"({v})(({u}){a} << (({u}){b} & {bits - 1}))")
            elif kind == 4:
                new(bits, signed, f"{a} >> ({b} & {bits - 1})")
            elif kind == 5:
                new(bits, True, f"({self.name(bits, lanes, True)})({a} "
                                f"{rng.choice(['<', '>', '<=', '>=', '==', '!='])} {b})")
            elif kind in (6, 7):
                to = rng.choice(widths)
                to_signed = rng.random() < 0.6
                new(to, to_signed, f"__builtin_convertvector({a}, {self.name(to, lanes, to_signed)})")
            elif kind == 8:
                mask = f"({v})({a} > {b})"
                new(bits, signed, f"({a} & {mask}) | ({b} & ~{mask})")
            elif kind == 9:
                pattern = rng.randrange(6)
                index = [
                    lambda i: (i * 7 + 3) % (2 * lanes), lambda i: i + 1,
                    lambda i: i // 2 + (lanes if i & 1 else 0), lambda i: 2 * i, lambda i: lanes - 1 - i,
                    lambda i: 5 % lanes][pattern]
                numbers = ", ".join(str(index(i) % (2 * lanes)) for i in range(lanes))
                new(bits, signed, f"__builtin_shufflevector({a}, {b}, {numbers})")
            elif kind == 10:
                constant = rng.choice([0, 1, 3, 100, 127])
                new(bits, signed, f"({v})(({u}){a} {rng.choice('+-*&|^')} ({self.ELEMENTS[bits][1]}){constant})")
            elif kind == 11:
                new(bits, signed, a)
                lines.append(f"  x{count}[{rng.randrange(lanes)}] = {b}[s % {lanes}u];")
            else:
                new(bits, signed, f"({v})(({u}){a} / (({u}){b} | 1))" if lanes <= 16 else f"-{a} - 1"
                    if not signed else f"~{a}")
        result, bits, signed = values[-1]
        ptype = ", ".join(f"{self.name(b, lanes, s)} {p}" for p, b, s in parameters)
        text = (f"NOINLINE static {self.name(bits, lanes, signed)} {name}({ptype}, unsigned s) {{\n"
                + "\n".join(lines) + f"\n  return {result};\n}}\n")
        call = "  for (unsigned k = 0; k < 4; ++k) {\n"
        for p, b, s in parameters:
            call += f"    {self.name(b, lanes, s)} {p}; fill(&{p}, sizeof {p});\n"
        call += (f"    {self.name(bits, lanes, signed)} r = {name}(p0, p1, p2, k * 5);\n"
                 f"    digest(&r, sizeof r);\n  }}\n"
                 f"  printf(\"{name} %08lx\\n\", (unsigned long)sum);\n")
        return text, call


def program(seed):
    rng = random.Random(seed)
    loops, vectors = Loops(rng), Vectors(rng)
    text = HEADER.format(seed=seed)
    text += ("#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
             "#define ABS(a) ((a) < 0 ? -(a) : (a))\n"
             "#define CLAMP(a, low, high) MIN(MAX(a, low), high)\n"
             "static const int kLengths[] = {0, 1, 2, 15, 16, 17, 31, 63, 64, 65, 100, 127, 150};\n"
             "static int8_t in[4096] __attribute__((aligned(16))), out[1024], tab[256];\n")
    text += vectors.typedefs()
    calls = ""
    for index in range(12):
        kind = loops if index % 2 else vectors
        function, call = kind.function(f"f{index}")
        text += function
        calls += call
    return text + ("int main(void) {\n  fill(in, sizeof in);\n  fill(tab, sizeof tab);\n" + calls
                   + "  return 0;\n}\n")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--cc", required=True)
    parser.add_argument("--simulator", required=True)
    parser.add_argument("--host", default="gcc -O1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--levels", default=" ".join(LEVELS))
    parser.add_argument("folder", type=pathlib.Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    for seed in range(args.seed, args.seed + args.count):
        source = args.folder / f"{seed}.c"
        source.write_text(program(seed), encoding="utf-8")
        host = args.folder / f"{seed}.host"
        built = run(shlex.split(args.host) + ["-w", "-Wno-psabi", str(source), "-o", str(host)])
        if built.returncode:
            sys.exit(f"seed {seed}: the host's compiler refuses the program\n{built.stderr}")
        wanted = run([str(host)]).stdout.splitlines()
        for level in args.levels.split():
            elf = args.folder / f"{seed}{level}.elf"
            built = run(shlex.split(args.cc) + [level, "-w", "-mllvm", "-verify-machineinstrs",
                                                str(source), "-o", str(elf)])
            if built.returncode:
                print(f"seed {seed} {level}: does not compile: " + built.stderr[-600:])
                failures += 1
                continue
            done = run(shlex.split(args.simulator) + [str(elf)])
            got = done.stdout.splitlines()
            if got != wanted or done.returncode:
                first = next((w.split()[0] for w, g in zip(wanted, got) if w != g), "the end")
                print(f"seed {seed} {level}: status {done.returncode}, first difference in {first}")
                failures += 1
            else:
                elf.unlink()
        host.unlink()
    print(f"{args.count} programs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
