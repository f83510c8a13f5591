#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the benchmark programs on the host and on the model; each fails by itself on a wrong checksum."""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

HOST_LEVELS = (["-O0"], ["-O2"], ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"])
NPU_LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Oz")


def succeeds(what, command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        print(f"{what}: exit status {done.returncode}: {shlex.join(map(str, command))}\n"
              + (done.stdout + done.stderr)[-2000:])
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    for word in ("--sources", "--host", "--cc", "--simulator", "--work"):
        parser.add_argument(word, required=True)
    options = parser.parse_args()
    sources, work = Path(options.sources), Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    programs = [s for s in sorted(sources.glob("*.c")) if s.stem not in ("main", "host")]
    good = len(programs) >= 16
    for source in programs:
        for number, flags in enumerate(HOST_LEVELS):
            program = work / f"{source.stem}.{number}"
            good &= succeeds(f"{source.stem} on the host", [options.host, *flags, source, sources / "host.c", "-o",
                                                            program]) and \
                succeeds(f"{source.stem} on the host, {' '.join(flags)}", [program])
        for level in NPU_LEVELS:
            program = work / f"{source.stem}{level}.elf"
            good &= succeeds(f"{source.stem} {level}", [*shlex.split(options.cc), level, source, sources / "main.c",
                                                        "-o", program]) and \
                succeeds(f"{source.stem} {level} on the model", [*shlex.split(options.simulator), program])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
