# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one program compiled by a reference compiler and by ours at every level of
optimization on the simulator, and fails when an output or an exit status differs."""

import argparse
import pathlib
import shlex
import subprocess
import sys

LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, timeout=300, **options)


def build(command):
    result = run(command)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(command)}\n{result.stderr.decode()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--simulator", required=True)
    parser.add_argument("--reference", required=True, help="compiles to an object only")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path, help="prefix of the files it writes")
    args = parser.parse_args()
    cc, simulator = shlex.split(args.cc), shlex.split(args.simulator)

    def outcome(objects, name):
        program = f"{args.output}.{name}.elf"
        build(cc + objects + ["-o", program])
        result = run(simulator + [program])
        return result.returncode, result.stdout

    reference = f"{args.output}.reference.o"
    build(shlex.split(args.reference) + ["-O1", "-w", "-c", str(args.source), "-o", reference])
    expected = outcome([reference], "reference")
    if expected[0] != 0 or not expected[1]:
        sys.exit(f"reference run failed with status {expected[0]}")
    wrong = [level for level in LEVELS
             if outcome([level, "-w", str(args.source)], level[1:]) != expected]
    if wrong:
        sys.exit(f"{args.source.name}: results differ from the reference at {' '.join(wrong)}")


if __name__ == "__main__":
    main()
