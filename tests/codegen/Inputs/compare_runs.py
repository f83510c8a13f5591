# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one program compiled by a reference compiler and by ours at every level of
optimization on the simulator, and fails when an output or an exit status differs. Without
a reference the levels are compared with each other, and the program has to end well."""

import argparse
import pathlib
import shlex
import subprocess
import sys

VERIFY = ["-mllvm", "-verify-machineinstrs"]
LEVELS = [["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-Os"], ["-Oz"], ["-O0", "-g"], ["-Og", "-g"],
          ["-Oz", "-g"], ["-O2", "-g", "-ffunction-sections", "-Wl,--gc-sections"],
          ["-O2", "-flto", "-Wl,-mllvm,-verify-machineinstrs"]]


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
    parser.add_argument("--reference", help="compiles to an object only")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path, help="prefix of the files it writes")
    args = parser.parse_args()
    cc, simulator = shlex.split(args.cc), shlex.split(args.simulator)

    def outcome(objects, name):
        program = f"{args.output}.{name}.elf"
        build(cc + objects + ["-o", program])
        result = run(simulator + [program])
        return result.returncode, result.stdout

    results = {" ".join(level): outcome(level + VERIFY + ["-w", str(args.source)], "".join(level[:2]))
               for level in LEVELS}
    if args.reference:
        reference = f"{args.output}.reference.o"
        build(shlex.split(args.reference) + ["-O1", "-w", "-c", str(args.source), "-o", reference])
        expected = outcome([reference], "reference")
    else:
        expected = next(iter(results.values()))
    if expected[0] != 0 or not expected[1]:
        sys.exit(f"reference run failed with status {expected[0]}\n{expected[1].decode()}")
    for level, got in results.items():
        if got != expected:
            wanted, lines = (o[1].decode(errors="replace").splitlines() for o in (expected, got))
            first = next((f"expected '{w}', got '{l}'" for w, l in zip(wanted, lines) if w != l),
                         "the output ends early")
            print(f"{args.source.name} {level}: status {got[0]}, {first}")
    if any(got != expected for got in results.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
