# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles of straight-line blocks: as the RTL takes them and as llvm-mca predicts them.

The cycles of a block are those from the issue of its first instruction to the issue of the one
behind it. The RTL side reads mcycle right before and right behind the block; the first read itself
takes one cycle, which is subtracted. The llvm-mca side analyses the same sequence, reads included.
"""

import dataclasses
import json
import os
import pathlib
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLCHAIN = pathlib.Path(os.environ.get("NPU_TOOLCHAIN", ROOT / "build/toolchain")) / "bin"
RTL = pathlib.Path(os.environ.get("NPU_RTL", ROOT / "build/bin/npu-rtl"))
LIMIT = 240
MAX_CYCLES = 4_000_000
# Code of one program; the rest of the ITCM holds the C library.
CODE_BYTES = 36 * 1024

# What a block finds in the registers. Pointers point to themselves, 64 bytes apart, and are a DMA
# descriptor that moves nothing; data registers hold any value. Blocks must not touch the others:
# s10 and s11 hold the two counter values, sp, gp and tp belong to the program.
POINTERS = ["s0", "s1", "s2", "s3"]
ONE, COUNT = "s4", "s5"             # the numbers 1 and 16
DATA = ["s6", "s7", "s8", "s9"]
RESULTS = ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"]
TARGETS = ["t0", "t1", "t2", "t3"]  # for jump addresses that a block's set-up makes
SLOT_BYTES, SLOTS = 64, 16
START, END = "s10", "s11"


class SchedError(Exception):
    """What went wrong, in one line or with the output of the tool that failed."""


@dataclasses.dataclass
class Step:
    """One instruction of a block. taken tells of a conditional branch what it will do."""
    text: str
    taken: bool | None = None
    label: str = ""  # defined behind the instruction

    def mnemonic(self):
        return self.text.split()[0]


@dataclasses.dataclass
class Block:
    name: str
    steps: list
    setup: list = dataclasses.field(default_factory=list)  # instructions in front of the measurement


def run(command, what, text=True, status=(0,)):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=text,
                              timeout=LIMIT, check=False)
    except FileNotFoundError:
        raise SchedError(f"{command[0]} is not built") from None
    except subprocess.TimeoutExpired:
        raise SchedError(f"{what}: no end after {LIMIT} s") from None
    if done.returncode not in status:
        output = (done.stdout or done.stdout[:0]) + done.stderr
        if not text:
            output = output.decode(errors="replace")
        raise SchedError(f"{what}: exit status {done.returncode}\n{output.strip()[-2000:]}")
    return done.stdout


# RTL

HEADER = f"""\
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
  .bss
  .balign {SLOT_BYTES}
slots:
  .zero {SLOT_BYTES * SLOTS}
saved:
  .zero 64
  .text
  .balign 4
// Memory and registers as every block finds them; returns to t6.
prepare:
  la s0, slots
  mv a0, s0
  addi a1, s0, {SLOT_BYTES * SLOTS // 2}
  addi a2, a1, {SLOT_BYTES * SLOTS // 2}
1:
  sw a0, 0(a0)
  addi a3, a0, 4
  addi a0, a0, {SLOT_BYTES}
2:
  sw zero, 0(a3)
  addi a3, a3, 4
  bne a3, a0, 2b
  bne a0, a2, 1b
"""


def prepare_registers(vectors):
    lines = [f"addi {POINTERS[n]}, {POINTERS[n - 1]}, {SLOT_BYTES}" for n in range(1, len(POINTERS))]
    lines += [f"li {ONE}, 1", f"li {COUNT}, 16"]
    lines += [f"li {name}, {(0x2545F491 * (n + 3)) & 0x7FFFFFFF}"
              for n, name in enumerate(DATA + RESULTS + TARGETS)]
    lines += ["csrw mscratch, s0"]
    # Element 0 of every vector register is a pointer, too.
    lines += [f"v.ldl.w v{n}, s0, {COUNT}" for n in range(32)] if vectors else []
    return lines + ["npu.fence 7", "jr t6"]


def program(blocks, vectors):
    saved = ["ra"] + [f"s{n}" for n in range(12)]
    lines = [HEADER]
    lines += ["  " + line for line in prepare_registers(vectors)]
    lines += ["  .globl measure", "measure:", "  la t0, saved"]
    lines += [f"  sw {reg}, {4 * n}(t0)" for n, reg in enumerate(saved)]
    for index, block in enumerate(blocks):
        lines += [f"// {block.name}", "  jal t6, prepare"]
        lines += ["  " + line for line in block.setup]
        lines += [f"  csrr {START}, mcycle"]
        for step in block.steps:
            lines += ["  " + step.text] + ([step.label + ":"] if step.label else [])
        lines += [f"  csrr {END}, mcycle", f"  sub {END}, {END}, {START}", f"  addi {END}, {END}, -1",
                  "  npu.fence 7", f"  la t0, cycles + {4 * index}", f"  sw {END}, 0(t0)"]
    lines += ["  la t0, saved"] + [f"  lw {reg}, {4 * n}(t0)" for n, reg in enumerate(saved)] + ["  ret"]
    return "\n".join(lines) + "\n"


MAIN = """\
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>
#include <unistd.h>
uint32_t cycles[%d];
void measure(void);
int main(void) {
  measure();
  return write(1, cycles, sizeof cycles) != sizeof cycles;
}
"""


def estimated_bytes(block):
    return 4 * (len(block.steps) + 2 * len(block.setup) + 9)


def chunks(blocks):
    """The blocks, as many at a time as fit into a program."""
    chunk, size = [], 0
    for block in blocks:
        if chunk and size + estimated_bytes(block) > CODE_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(block)
        size += estimated_bytes(block)
    yield chunk


def measure(blocks, folder, vectors=True):
    """{block name: cycles on the RTL}"""
    folder.mkdir(parents=True, exist_ok=True)
    result = {}
    for number, chunk in enumerate(chunks(blocks)):
        base = folder / f"program{number}"
        base.with_suffix(".s").write_text(program(chunk, vectors), encoding="utf-8")
        base.with_suffix(".c").write_text(MAIN % len(chunk), encoding="utf-8")
        run([TOOLCHAIN / "clang", "--target=npu", "-O1",
             base.with_suffix(".s"), base.with_suffix(".c"), "-o", base.with_suffix(".elf")],
            f"building {base}.s")
        output = run([RTL, "--no-lockstep", "--max-cycles", MAX_CYCLES, base.with_suffix(".elf")],
                     f"running {base}.elf", text=False)
        if len(output) != 4 * len(chunk):
            raise SchedError(f"{base}.elf: {len(output)} bytes of results instead of {4 * len(chunk)}")
        for block, cycles in zip(chunk, struct.unpack(f"<{len(chunk)}I", output)):
            result[block.name] = cycles
    return result


# llvm-mca

def listing(step, latencies):
    """The lines of a step; latencies are those that replace the model's, by mnemonic."""
    lines = [] if step.taken is None else [
        f"# LLVM-MCA-NPU-BRANCH {'taken' if step.taken else 'not-taken'}"]
    latency = latencies.get(step.mnemonic())
    lines += [f"# LLVM-MCA-LATENCY {latency}"] if latency else []
    lines += [step.text] + ([step.label + ":"] if step.label else [])
    return lines + (["# LLVM-MCA-LATENCY"] if latency else [])


def analyse(regions, folder, name, iterations=1):
    """llvm-mca's JSON object for each (region name, lines)."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{name}.s"
    with open(source, "w", encoding="utf-8") as out:
        for region, lines in regions:
            out.write("\n".join([f"# LLVM-MCA-BEGIN {region}", *lines, "# LLVM-MCA-END", ""]))
    text = run([TOOLCHAIN / "llvm-mca", "-mtriple=npu", f"-iterations={iterations}", "-json", "-timeline",
                "-timeline-max-cycles=0", f"-timeline-max-iterations={iterations}",
                "-resource-pressure=false", source], f"llvm-mca on {source}")
    found = {region["Name"]: region for region in json.loads(text)["CodeRegions"]}
    missing = [region for region, _ in regions if region not in found]
    if missing:
        raise SchedError(f"llvm-mca on {source}: no result for region {missing[0]}")
    return found


def issue_cycles(region):
    """The cycle in which each instruction of the analysis issues."""
    return [entry["CycleIssued"] for entry in region["TimelineView"]["TimelineInfo"]]


def predict(blocks, folder, latencies):
    """{block name: cycles as llvm-mca predicts them}"""
    regions = []
    for block in blocks:
        lines = [line for step in block.steps for line in listing(step, latencies)]
        regions.append((block.name, [f"csrr {START}, mcycle", *lines, f"csrr {END}, mcycle"]))
    found = analyse(regions, folder, "predict")
    result = {}
    for block in blocks:
        issued = issue_cycles(found[block.name])
        result[block.name] = issued[len(block.steps) + 1] - issued[0] - 1
    return result


def latencies(words):
    """The argument of --latency, to see a test fail: {mnemonic: cycles}."""
    pairs = [word.partition("=") for word in words]
    wrong = [word for word, (_, _, cycles) in zip(words, pairs) if not cycles.isdigit()]
    if wrong:
        raise SchedError(f"--latency {wrong[0]}: not of the form MNEMONIC=CYCLES")
    return {mnemonic: cycles for mnemonic, _, cycles in pairs}


def show(block):
    return "\n".join("    " + step.text for step in block.steps)


def judge(what, blocks, measured, predicted, limit):
    """Print the errors of the predictions; 1 if their mean is above the limit."""
    errors = {b.name: abs(predicted[b.name] - measured[b.name]) / measured[b.name] for b in blocks}
    mean = sum(errors.values()) / len(errors)
    worst = max(blocks, key=lambda block: errors[block.name])
    exact = sum(error == 0 for error in errors.values())
    print(f"FIGURE: {len(blocks)} {what}, {sum(len(b.steps) for b in blocks)} instructions, "
          f"{sum(measured.values()):.0f} cycles on the RTL, {sum(predicted.values())} foreseen: {exact} exact, "
          f"mean error {100 * mean:.3f} %, worst {100 * errors[worst.name]:.2f} % ({worst.name})")
    if errors[worst.name]:
        print(f"{worst.name}: the RTL takes {measured[worst.name]:g} cycles, llvm-mca foresees "
              f"{predicted[worst.name]}\n{show(worst)}")
    return 1 if mean > limit else 0


def main(function, *arguments):
    try:
        return function(*arguments)
    except SchedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
