# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls between code of two compilers: random signatures, the caller compiled
by one and the callee by the other, every argument and result compared with
what was passed. Both compilers follow the psABI, so any mix must agree."""

import argparse
import pathlib
import random
import shlex
import subprocess
import sys

INTEGERS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned",
            "long long", "unsigned long long"]
SCALARS = INTEGERS + ["float", "double", "long double", "void *"]
PROMOTED = {"signed char": "int", "unsigned char": "int", "short": "int",
            "unsigned short": "int", "float": "double"}
FUNCTIONS = 12


class Program:
    """A set of functions f0, f1, ... with values g<function>_<argument> that the
    caller passes and r<function> that the callee returns."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.structs = {}
        for index in range(8):
            fields = []
            for field in range(self.random.randint(1, 4)):
                element = self.random.choice(SCALARS[:11])
                count = self.random.choice([1, 1, 1, 2, 3, 5])
                fields.append((element, f"m{field}", count))
            self.structs[f"struct S{index}"] = fields
        self.declarations = []
        self.definitions = []
        self.caller = []
        self.callee = []
        self.values = []
        for number in range(FUNCTIONS):
            self.add_function(number)

    def any_type(self):
        pool = list(self.structs) if self.random.random() < 0.4 else SCALARS
        return self.random.choice(pool)

    def value(self, kind, name):
        self.declarations.append(f"extern {kind} {name};")
        self.definitions.append(f"{kind} {name};")
        self.values.append(name)

    def checks(self, number, argument, kind, got, expected):
        """Compares member by member: padding need not survive."""
        parts = [f".{name}" for _, name, _ in self.structs.get(kind, [])] or [""]
        return [f"  check({number}, {argument}, &{got}{part}, &{expected}{part}, "
                f"sizeof {got}{part});" for part in parts]

    def add_function(self, number):
        named = [self.any_type() for _ in range(self.random.randint(0, 12))]
        unnamed = []
        variadic = bool(named) and self.random.random() < 0.4
        if variadic:
            unnamed = [PROMOTED.get(kind, kind)
                       for kind in (self.any_type() for _ in range(self.random.randint(0, 6)))]
        result = self.any_type() if self.random.random() < 0.85 else "void"
        prototype = ", ".join(named + ["..."] * variadic) or "void"
        parameters = ", ".join([f"{kind} a{i}" for i, kind in enumerate(named)] +
                               ["..."] * variadic) or "void"
        arguments = ", ".join(f"g{number}_{i}" for i in range(len(named) + len(unnamed)))
        self.declarations.append(f"{result} f{number}({prototype});")
        for i, kind in enumerate(named + unnamed):
            self.value(kind, f"g{number}_{i}")
        if result != "void":
            self.value(result, f"r{number}")

        body = []
        for i, kind in enumerate(named):
            body += self.checks(number, i, kind, f"a{i}", f"g{number}_{i}")
        if variadic:
            body.append(f"  __builtin_va_list list; __builtin_va_start(list, a{len(named) - 1});")
            for i, kind in enumerate(unnamed, len(named)):
                body.append(f"  {kind} v{i} = __builtin_va_arg(list, {kind});")
                body += self.checks(number, i, kind, f"v{i}", f"g{number}_{i}")
            body.append("  __builtin_va_end(list);")
        if result != "void":
            body.append(f"  return r{number};")
        self.callee += [f"{result} f{number}({parameters}) {{"] + body + ["}"]

        call = f"f{number}({arguments})"
        self.caller.append(f"void call{number}(void) {{")
        if self.random.random() < 0.3:
            self.caller.append(f"  {result} (*volatile f)({prototype}) = f{number};")
            call = f"f({arguments})"
        if result == "void":
            self.caller.append(f"  {call};")
        else:
            self.caller.append(f"  {result} x = {call};")
            self.caller += self.checks(number, -1, result, "x", f"r{number}")
        self.caller.append("}")

    def write(self, folder):
        header = ["void check(int function, int argument, const void *got, const void *expected,",
                  "           unsigned size);"]
        for name, fields in self.structs.items():
            members = " ".join(f"{element} {field}{f'[{count}]' if count > 1 else ''};"
                               for element, field, count in fields)
            header.append(f"{name} {{ {members} }};")
        header += self.declarations
        main = ["#include <stdio.h>", "#include <string.h>"] + header + self.definitions + [
            "static int failures;",
            "void check(int function, int argument, const void *got, const void *expected,",
            "           unsigned size) {",
            "  if (memcmp(got, expected, size) == 0) return;",
            '  printf("f%d: %s %d differs\\n", function, argument < 0 ? "result" : "argument",',
            "         argument);",
            "  ++failures;",
            "}",
            "static void fill(void *value, unsigned size) {",
            "  static unsigned state = 1;",
            "  for (unsigned char *p = value; size--; state = state * 1103515245u + 12345u)",
            "    *p++ = 0x30 + (state >> 16) % 64;",
            "}"]
        main += [f"void call{i}(void);" for i in range(FUNCTIONS)]
        main += ["int main(void) {"]
        main += [f"  fill(&{name}, sizeof {name});" for name in self.values]
        main += [f"  call{i}();" for i in range(FUNCTIONS)]
        main += ["  return failures != 0;", "}"]
        for name, lines in (("main", main), ("caller", header + self.caller),
                            ("callee", header + self.callee)):
            (folder / f"{name}.c").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def compile_all(folder, compilers):
    for name, command in compilers.items():
        for unit in ("caller", "callee"):
            done = run(command + ["-c", f"{unit}.c", "-o", f"{unit}.{name}.o"], cwd=folder)
            if done.returncode:
                sys.exit(f"{folder}: {name} does not compile {unit}.c:\n{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cc", required=True, help="the compiler under test")
    parser.add_argument("--reference", required=True, help="the compiler to agree with")
    parser.add_argument("--simulator", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("work", type=pathlib.Path)
    args = parser.parse_args()
    compilers = {"O0": shlex.split(args.cc) + ["-w", "-O0"],
                 "O2": shlex.split(args.cc) + ["-w", "-O2"],
                 "reference": shlex.split(args.reference) + ["-w", "-O1"]}
    mixes = [("reference", "reference"), ("reference", "O0"), ("reference", "O2"),
             ("O0", "reference"), ("O2", "reference"), ("O2", "O0")]
    failed = 0
    for seed in range(1, args.seeds + 1):
        folder = args.work / str(seed)
        folder.mkdir(parents=True, exist_ok=True)
        Program(seed).write(folder)
        compile_all(folder, compilers)
        for caller, callee in mixes:
            elf = f"{caller}-{callee}.elf"
            link = run(shlex.split(args.cc) + ["-w", "-O1", "main.c", f"caller.{caller}.o",
                                               f"callee.{callee}.o", "-o", elf], cwd=folder)
            done = link if link.returncode else run(shlex.split(args.simulator) + [elf], cwd=folder)
            if done.returncode:
                failed += 1
                print(f"seed {seed}, caller {caller}, callee {callee}: status "
                      f"{done.returncode}\n{done.stdout}{done.stderr}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
