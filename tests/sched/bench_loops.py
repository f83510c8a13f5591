#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loop bodies of the benchmark programs: cycles of an iteration on the RTL against llvm-mca's.

  bench_loops.py WORK_FOLDER [--latency MNEMONIC=CYCLES] [PROGRAM...]

The loops are found in the trace of what the RTL retires: a backward jump closes an iteration, and
iterations that take the same path several times in a row give the cycles of that path. llvm-mca
analyses the same path, each branch marked as the trace saw it. Paths that access memory outside TCM
are left out: its latency is not the core's. Fails when the mean error is above 2 %.
"""

import argparse
import itertools
import pathlib
import re
import sys

import harness
from harness import ROOT, RTL, TOOLCHAIN, Block, SchedError, Step

SOURCES = ROOT / "tests/bench"
MEAN_LIMIT = 0.02
# The part of the run that is traced, and when a path counts.
TRACED_CYCLES = 100_000
ROW_MIN, STEPS_MAX = 4, 400
ITERATIONS = 6
TCM = re.compile(r"\[2000[0-9a-f]{4}|\[2001[0-9a-f]{4}")
LINE = re.compile(r"\s*(\d+) ([0-9a-f]{8}) [0-9a-f]{8} (.*?)(?:  |$)(.*)")
# Instructions whose last operand is an address in the trace.
BRANCHES = {"beq", "bne", "blt", "bge", "bltu", "bgeu"}
ENDS_REGION = {"ebreak", "ecall", "mret", "wfi"}


def programs(names):
    found = {source.stem: source for source in sorted(SOURCES.glob("*.c"))
             if source.stem not in ("main", "host")}
    if unknown := set(names) - set(found):
        raise SchedError(f"{unknown.pop()}: no such program in {SOURCES}")
    return [found[name] for name in names or found]


def trace(source, folder):
    """(cycle, pc, instruction, rest of the line) of everything retired in the traced part."""
    folder.mkdir(parents=True, exist_ok=True)
    elf, lines = folder / f"{source.stem}.elf", folder / f"{source.stem}.trace"
    harness.run([TOOLCHAIN / "clang", "--target=npu", "-std=c11", "-O2", source, SOURCES / "main.c", "-o", elf],
                f"building {source.name}")
    harness.run([RTL, "--no-lockstep", "--max-cycles", TRACED_CYCLES, "--trace", lines, elf],
                f"running {elf.name}", status=(0, 124))
    with open(lines, encoding="utf-8") as file:
        for line in file:
            if match := LINE.match(line):
                yield int(match[1]), int(match[2], 16), match[3], match[4]
    lines.unlink()


def iterations(entries):
    """Innermost iterations: the entries from the target of a backward jump to the next such jump."""
    body = []
    for entry, following in itertools.pairwise(entries):
        body.append(entry)
        if following[1] <= entry[1]:
            if following[1] == body[0][1]:
                yield body, following[0]
            else:
                yield None, 0
            body = []
        elif len(body) > STEPS_MAX:
            body = []
            yield None, 0


def step(entry, following_pc):
    words = entry[2].split(None, 1)
    if words[0] in BRANCHES:
        operands = words[1].rsplit(",", 1)[0]
        return Step(f"{words[0]} {operands}, .+4", taken=following_pc != entry[1] + 4)
    if words[0] == "jal":
        return Step(f"jal {words[1].split(',')[0]}, .+4")
    return Step("fence" if words[0] == "fence" else entry[2])


def in_tcm(body):
    return all(TCM.search(rest) for _, _, _, rest in body if "[" in rest)


def loops(source, folder):
    """[(Block, [cycles])]: the paths that repeat, with the cycles of each repetition."""
    found = {}
    previous, row = None, 0
    for body, end in iterations(trace(source, folder)):
        path = body and tuple(entry[1] for entry in body)
        row = row + 1 if path and path == previous else 0
        previous = path
        if row + 1 < ROW_MIN or ENDS_REGION & {entry[2].split()[0] for entry in body}:
            continue
        if path not in found:
            following = [entry[1] for entry in body[1:]] + [path[0]]
            name = f"{source.stem}_{path[0]:08x}_{len(found)}"
            found[path] = (Block(name, [step(e, pc) for e, pc in zip(body, following)]), [])
        if in_tcm(body):
            found[path][1].append(end - body[0][0])
    return [(block, cycles) for block, cycles in found.values() if cycles]


def predict(blocks, folder, latencies):
    """{block name: cycles of an iteration in the steady state}"""
    regions = [(b.name, [line for s in b.steps for line in harness.listing(s, latencies)]) for b in blocks]
    found = harness.analyse(regions, folder, "loops", ITERATIONS)
    result = {}
    for block in blocks:
        issued, length = harness.issue_cycles(found[block.name]), len(block.steps)
        result[block.name] = issued[(ITERATIONS - 1) * length] - issued[(ITERATIONS - 2) * length]
    return result


def compare(args):
    latencies = harness.latencies(args.latency)
    # Start-up and library code loops in every program alike.
    different = {harness.show(block): (block, cycles)
                 for source in programs(args.programs) for block, cycles in loops(source, args.folder)}
    paths = list(different.values())
    if not paths:
        raise SchedError("no loop found")
    blocks = [block for block, _ in paths]
    measured = {block.name: sum(cycles) / len(cycles) for block, cycles in paths}
    return harness.judge("loop bodies", blocks, measured, predict(blocks, args.folder, latencies), MEAN_LIMIT)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--latency", action="append", default=[], metavar="MNEMONIC=CYCLES")
    sys.exit(harness.main(compare, parser.parse_args()))
