#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Latency and throughput of every instruction on the RTL, against the scheduling model.

  microbench.py WORK_FOLDER [--latency MNEMONIC=CYCLES]

For each instruction of the TableGen description: four independent copies in a row give its
throughput, the instruction and one that needs its result give its latency. For each pair of
scheduling classes, and each operand through which one can wait for the other: the pair. Equality
of RTL, of llvm-mca's analysis of the same block and of the figures that llvm-mca states for the
instruction is the test. --latency tells llvm-mca another latency, to see the test fail.
"""

import argparse
import dataclasses
import pathlib
import sys

import harness
import instructions
from harness import ONE, POINTERS, RESULTS, TARGETS, Block, SchedError

# As many as fit into the queues of the units, so that none has to wait for the unit.
COPIES = 4
REGISTERS_OF = {"x": RESULTS, "v": [f"v{n}" for n in range(8, 16)]}


def copies(kind, count, name, given):
    """A block of independent instances."""
    steps, setup = [], []
    result = kind.result()
    for n in range(count):
        values, label = dict(given), ""
        if result:
            values[result[0]] = REGISTERS_OF[result[1]][n]
        if kind.jumps_to_register():
            label = f".L{name}_{n}"
            setup.append(f"la {TARGETS[n]}, {label}")
            if kind.sources():
                values["rs1"] = TARGETS[n]
            else:
                setup.append(f"csrw mepc, {TARGETS[n]}")
        steps.append(kind.step(label, **values))
    return Block(name, steps, setup)


def throughput_blocks(kind):
    """A conditional branch is measured with operands that make it fall through and jump."""
    if kind.conditional:
        pairs = [(POINTERS[0], POINTERS[1]), (POINTERS[1], POINTERS[0]), (POINTERS[0], POINTERS[0])]
        return [copies(kind, COPIES, f"throughput_{kind.name}_{n}", {"rs1": a, "rs2": b})
                for n, (a, b) in enumerate(pairs)]
    # mret has one target register.
    count = 1 if kind.jumps_to_register() and not kind.sources() else COPIES
    return [copies(kind, count, f"throughput_{kind.name}", {})]


def consumer_of(kinds, file):
    """An instruction that reads a register of the file and has one cycle."""
    return next(kind for kind in kinds if not (kind.accesses_memory or kind.conditional)
                and kind.result() and kind.result()[1] == file and [f for _, f in kind.sources()] == [file]
                and kind.sched in ("WriteIALU", "WriteVAlu"))


def chained(producer, consumer, operand, name, **given):
    """The producer, and the consumer that gets its result in the operand."""
    register, file = producer.result()
    block = copies(producer, 1, name, given)
    values = {operand: REGISTERS_OF[file][0]}
    if consumer.conditional:
        values = {"rs1": RESULTS[0], "rs2": RESULTS[0]}
    elif consumer.result() and consumer.result()[0] != operand:
        values[consumer.result()[0]] = REGISTERS_OF[consumer.result()[1]][1]
    block.steps.append(consumer.step(**values))
    return block


# Producers whose result is a pointer, so that it can be an address: value operations by class.
POINTER_MAKERS = {"WriteIALU": ("ADDI", {}), "WriteLoad": ("LW", {}), "WriteIMul": ("MUL", {"rs2": ONE}),
                  "WriteIDiv": ("DIVU", {"rs2": ONE}), "WriteCSR": ("CSRRS", {"rs1": "zero"}),
                  "WriteVReduce": ("V_EXTRACT_W", {"rs2": "zero"})}


def pair_blocks(kinds):
    """Each class of producers with each class of consumers, by every operand."""
    by_name = {kind.name: kind for kind in kinds}
    shapes = {}
    for kind in kinds:
        if not kind.jumps_to_register():
            shapes.setdefault((kind.sched, tuple(kind.outs), tuple(kind.sources())), kind)
    producers = {}
    for kind in shapes.values():
        if kind.result():
            producers.setdefault((kind.sched, kind.result()[1]), kind)
    for producer in producers.values():
        for consumer in shapes.values():
            for operand, file in consumer.sources():
                maker, given = producer, {}
                if file != producer.result()[1] or consumer.depends_on_value(operand):
                    continue
                if consumer.is_address(operand):
                    if producer.sched not in POINTER_MAKERS:
                        continue
                    name, given = POINTER_MAKERS[producer.sched]
                    maker = by_name[name]
                yield chained(maker, consumer, operand, f"pair_{maker.name}_{consumer.name}_{operand}",
                              **given)


def with_outcome(block, taken):
    # It stands in front of every step; only branches ask for it.
    steps = [dataclasses.replace(step, taken=taken) for step in block.steps]
    return Block(f"{block.name}_{'taken' if taken else 'falls_through'}", steps)


def predictions(blocks, branches, folder, latencies):
    """{block name: predictions}; two of a block whose branches go one way or the other."""
    def variants(block):
        if any(step.mnemonic() in branches for step in block.steps):
            return [with_outcome(block, False), with_outcome(block, True)]
        return [block]

    grouped = {block.name: variants(block) for block in blocks}
    predicted = harness.predict([v for group in grouped.values() for v in group], folder, latencies)
    return {name: [predicted[v.name] for v in group] for name, group in grouped.items()}


def stated(kinds, folder):
    """{instruction name: (latency, cycles until the next can start)} as llvm-mca states them."""
    regions = []
    for kind in kinds:
        step = kind.step()
        if kind.conditional:
            step.taken = False
        regions.append((kind.name, harness.listing(step, {})))
    result = {}
    for name, region in harness.analyse(regions, folder, "stated").items():
        info = region["InstructionInfoView"]["InstructionList"][0]
        result[name] = (info["Latency"], info["RThroughput"])
    return result


class Report:
    """Collects what is not equal."""

    def __init__(self, measured, predicted):
        self.measured, self.predicted, self.failures = measured, predicted, []

    def check(self, block, *stated_cycles):
        """RTL against the analysis of the block, and against what is stated for its instructions."""
        rtl, foreseen = self.measured[block.name], self.predicted[block.name]
        if rtl not in foreseen:
            self.fail(block, f"llvm-mca foresees {' or '.join(map(str, foreseen))} cycles")
        if stated_cycles and rtl not in stated_cycles:
            self.fail(block, f"the model states {' or '.join(map(str, stated_cycles))} cycles")

    def fail(self, block, what):
        self.failures.append(f"{block.name}: the RTL takes {self.measured[block.name]} cycles, {what}\n"
                             + harness.show(block))


def compare(folder, words):
    latencies = harness.latencies(words)
    kinds = instructions.load()
    figures = stated(kinds, folder)
    throughput = {kind.name: throughput_blocks(kind) for kind in kinds}
    latency = {}
    for kind in kinds:
        if kind.result():
            consumer = consumer_of(kinds, kind.result()[1])
            latency[kind.name] = chained(kind, consumer, consumer.sources()[0][0], f"latency_{kind.name}")
    pairs = list(pair_blocks(kinds))
    blocks = [block for group in throughput.values() for block in group] + list(latency.values()) + pairs
    branches = {kind.step().mnemonic() for kind in kinds if kind.conditional}
    report = Report(harness.measure(blocks, folder), predictions(blocks, branches, folder, latencies))

    jump = next(kind for kind in kinds if kind.name == "JAL")
    for kind in kinds:
        cycles = figures[kind.name][1]
        for block in throughput[kind.name]:
            outcomes = [cycles, figures[jump.name][1]] if kind.conditional else [cycles]
            report.check(block, *(len(block.steps) * c for c in outcomes))
        if kind.conditional and len({report.measured[b.name] for b in throughput[kind.name]}) != 2:
            report.fail(throughput[kind.name][0], "and as many with every outcome")
        if kind.name in latency:
            report.check(latency[kind.name], max(figures[kind.name]) + 1)
    for block in pairs:
        report.check(block)

    for failure in report.failures:
        print(failure)
    classes = sorted({kind.sched for kind in kinds})
    print(f"FIGURE: {len(kinds)} instructions in {len(classes)} scheduling classes, {len(pairs)} pairs, "
          f"{len(report.failures)} differences between RTL and model")
    print("not measured: " + ", ".join(f"{name.lower()} ({why})" for name, why in instructions.LEFT_OUT.items()))
    return 1 if report.failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--latency", action="append", default=[], metavar="MNEMONIC=CYCLES")
    args = parser.parse_args()
    sys.exit(harness.main(compare, args.folder, args.latency))
