#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random straight-line blocks: cycles on the RTL against llvm-mca's.

  random_blocks.py WORK_FOLDER [--count N] [--seed S] [--latency MNEMONIC=CYCLES]

The blocks of seeds S, S+1, ... take any instruction of the TableGen description with dependences of
all kinds: through registers, through addresses, write after write, writes to x0, and branches that
fall through or jump to the next instruction. Fails when the mean error is above 2 %.
"""

import argparse
import pathlib
import random
import sys

import harness
import instructions
from harness import COUNT, DATA, ONE, POINTERS, RESULTS, SLOT_BYTES, TARGETS, Block, Step

MEAN_LIMIT = 0.02
LENGTHS = (4, 40)
# How often a class stands in a block; classes that are not named here have weight 2.
WEIGHTS = {"WriteIALU": 40, "WriteLoad": 20, "WriteStore": 12, "WriteIMul": 12, "WriteIDiv": 2, "WriteCSR": 5,
           "WriteJmp": 8, "WriteJal": 2, "WriteNpuIssue": 3, "WriteVAlu": 30, "WriteVMul": 12,
           "WriteVLoad": 12, "WriteVStore": 8, "WriteVPerm": 10, "WriteVReduce": 6, "WriteVRequant": 6,
           "WriteVStrided": 1}
# In a block that hands operations to the units nothing waits for them, and there are no more than
# their queues hold: how long a unit works is no matter of the scheduling model.
ISSUE, ISSUES_MAX = ("XnpuMac", "XnpuDma"), 4
NOT_IN_BLOCKS = {"WriteJalr"}
# Vector stores write their own slot, so that the pointers in the others stay.
STORE_SLOT = POINTERS[-1]
VECTORS = [f"v{n}" for n in range(8)]


class Generator:
    """One block. A register is a pointer (to a slot that begins with a pointer to itself) or data."""

    def __init__(self, kinds, seed):
        self.random = random.Random(seed)
        self.issues = ISSUES_MAX if self.random.random() < 0.3 else 0
        vectors = self.random.random() < 0.5
        self.classes = {}
        for kind in kinds:
            if kind.sched in NOT_IN_BLOCKS or (kind.meets_units and self.issues) or \
                    (kind.extension.startswith("XnpuVec") and not vectors):
                continue
            self.classes.setdefault(kind.sched, []).append(kind)
        self.pointers, self.data = set(POINTERS) - {STORE_SLOT}, set(DATA + RESULTS + TARGETS) | {ONE, COUNT}
        self.free = RESULTS + TARGETS + ["zero"]

    def pick(self, registers):
        return self.random.choice(sorted(registers))

    def source(self):
        return self.pick(self.pointers | self.data | {"zero"})

    def write(self, register, pointer):
        if register == "zero":
            return
        self.pointers.discard(register)
        self.data.discard(register)
        (self.pointers if pointer else self.data).add(register)

    def pointer_copy(self):
        """A result that can be an address, so that address dependences of every class arise."""
        rd, pointer = self.pick(self.free), self.pick(self.pointers)
        text = self.random.choice([f"addi {rd}, {pointer}, 0", f"lw {rd}, 0({pointer})", f"mul {rd}, {pointer}, {ONE}",
                                   f"csrrw {rd}, mscratch, {pointer}", f"add {rd}, zero, {pointer}",
                                   f"or {rd}, {pointer}, {pointer}"])
        self.write(rd, True)
        return Step(text)

    def branch(self, kind):
        """x < x + 1 and x = x decide the outcome, whatever the registers hold."""
        low, high = POINTERS[0], POINTERS[1]
        operands, result = self.random.choice([((low, high), -1), ((high, low), 1), ((low, low), 0)])
        register = self.source()
        if result == 0:
            operands = (register, register)
        taken = {"BEQ": result == 0, "BNE": result != 0, "BLT": result < 0, "BGE": result >= 0,
                 "BLTU": result < 0, "BGEU": result >= 0}[kind.name]
        step = kind.step(rs1=operands[0], rs2=operands[1])
        step.taken = taken
        return step

    def step(self):
        if self.random.random() < 0.12:
            return self.pointer_copy()
        names = sorted(self.classes)
        sched = self.random.choices(names, [WEIGHTS.get(name, 2) for name in names])[0]
        kind = self.random.choice(self.classes[sched])
        if kind.extension in ISSUE:
            if not self.issues:
                return self.pointer_copy()
            self.issues -= 1
            # Operands that are legal and move nothing.
            rd = self.pick(self.free)
            self.write(rd, False)
            return kind.step(rd=rd, rs1=self.pick(POINTERS[:-1]), rs2="zero")
        if kind.conditional:
            return self.branch(kind)
        given = {name: self.source() if file == "x" else self.pick(VECTORS) for name, file in kind.sources()}
        if kind.accesses_memory:
            vector_store = kind.sched in ("WriteVStore", "WriteVStrided")
            given["rs1"] = STORE_SLOT if vector_store else self.pick(self.pointers)
            # The first word of a slot stays what it is.
            given["imm12"] = "0" if vector_store else str(4 * self.random.randrange(1, SLOT_BYTES // 4))
        elif kind.sched == "WriteCSR":
            # mscratch holds a pointer.
            given["csr"] = "mepc"
        if kind.depends_on_value("rs2"):
            given["rs2"] = "zero"
        if kind.result():
            name, file = kind.result()
            given[name] = self.pick(self.free if file == "x" else VECTORS)
            if file == "x":
                self.write(given[name], False)
        return kind.step(**given)

    def block(self, name):
        return Block(name, [self.step() for _ in range(self.random.randint(*LENGTHS))])


def compare(args):
    latencies = harness.latencies(args.latency)
    kinds = instructions.load()
    blocks = [Generator(kinds, seed).block(f"seed_{seed}") for seed in range(args.seed, args.seed + args.count)]
    measured = harness.measure(blocks, args.folder)
    predicted = harness.predict(blocks, args.folder, latencies)
    return harness.judge("random blocks", blocks, measured, predicted, MEAN_LIMIT)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--latency", action="append", default=[], metavar="MNEMONIC=CYCLES")
    sys.exit(harness.main(compare, parser.parse_args()))
