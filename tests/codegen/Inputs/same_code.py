#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every program of a folder with and without -g and compares the instructions."""

import argparse
import itertools
import pathlib
import re
import shlex
import subprocess
import sys


def instructions(command, source, work, any_target):
    """Instructions with their relocations, without addresses of the file."""
    obj = work / "code.o"
    subprocess.run([*command, "-w", "-ffunction-sections", "-c", source, "-o", obj], check=True)
    listing = subprocess.run(["llvm-objdump", "-d", "-r", "--no-show-raw-insn", obj], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    if any_target:
        listing = re.sub(r"(\tb\w+\t.*)0x[0-9a-f]+ <.*>", r"\1", listing)
    return listing.splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--any-target", action="store_true",
                        help="a branch may go to another one of equal blocks")
    parser.add_argument("folder", type=pathlib.Path)
    args, levels = parser.parse_known_args()
    args.work.mkdir(parents=True, exist_ok=True)
    sources = sorted(args.folder.glob("*.c"))
    if len(sources) < 16 or not levels:
        sys.exit(f"{args.folder}: {len(sources)} programs at {levels}, nothing to compare")
    failures = 0
    for source, level in itertools.product(sources, levels):
        command = [*shlex.split(args.cc), level]
        plain = instructions(command, source, args.work, args.any_target)
        debug = instructions([*command, "-g"], source, args.work, args.any_target)
        if plain != debug:
            failures += 1
            where = next((f"{a.strip()} | {b.strip()}" for a, b in zip(plain, debug) if a != b),
                         "one ends early")
            print(f"{source.name} {level}: {where}")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
