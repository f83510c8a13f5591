#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs with registers that -ffixed-x reserves, and fails when an instruction names one."""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

# By number. The programs take arguments and return results in the lower argument registers,
# and some of their functions have a frame pointer.
NAMES = {5: "t0", 6: "t1", 7: "t2", 9: "s1", 16: "a6", 17: "a7",
         **{n: f"s{n - 16}" for n in range(18, 28)}, **{n: f"t{n - 25}" for n in range(28, 32)}}
ALONE = list(NAMES)
# All at once: the arguments, s0 and s1 are left to the compiler.
TOGETHER = [n for n in ALONE if n in (5, 6, 7) or n >= 18]
LEVELS = ["-O0", "-O2", "-Oz"]


def instructions(command, source, registers, obj):
    subprocess.run([*command, *(f"-ffixed-x{n}" for n in registers), "-w", "-c", source, "-o", obj],
                   check=True)
    listing = subprocess.run(["llvm-objdump", "-d", "--no-show-raw-insn", obj], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"^ *[0-9a-f]+:\s+(.*)", listing, re.MULTILINE)


def naming(registers, lines):
    names = re.compile(rf"\b({'|'.join(NAMES[n] for n in registers)})\b")
    return [line for line in lines if names.search(line)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    obj = args.work / "code.o"
    command = [*shlex.split(args.cc), "-mllvm", "-verify-machineinstrs"]
    sources = sorted(args.folder.glob("*.c"))
    if len(sources) < len(ALONE):
        sys.exit(f"{args.folder}: {len(sources)} programs, and {len(ALONE)} registers to reserve")

    # The programs do use them otherwise.
    free = [line for source in sources for line in instructions([*command, "-O2"], source, [], obj)]
    unused = [NAMES[n] for n in ALONE if not naming([n], free)]
    if unused:
        sys.exit(f"{args.folder}: no program uses {unused}")

    failures = 0
    for index, source in enumerate(sources):
        alone = [ALONE[index % len(ALONE)]]
        for level in LEVELS:
            for registers in alone, TOGETHER:
                lines = naming(registers, instructions([*command, level], source, registers, obj))
                if lines:
                    failures += 1
                    print(f"{source.name} {level}, x{registers} reserved: {lines[0]}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
