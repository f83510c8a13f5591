# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures kernels on the RTL. Each kernels/bench/NAME.c is one program, which prints a line
'BENCH name=NAME/CASE cycles=N macs=N dram_bytes=N ok=0|1' for each case."""

import json
import shlex
import subprocess
import sys

from paths import BIN, BUILD, ROOT, TOOLCHAIN_BIN, Failure, environment, relative

SOURCES = ROOT / "kernels/bench"
OUT = BUILD / "bench"
PEAK_MACS = 256  # a cycle: the 16 x 16 array
LIMIT = 900


def compile_program(source):
    """Compile one program; a first line '// bench-flags: ...' adds words, relative to the root."""
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / f"{source.stem}.elf"
    flags = []
    for line in source.read_text().splitlines()[:5]:
        if line.startswith("// bench-flags:"):
            flags = shlex.split(line.split(":", 1)[1])
    command = [TOOLCHAIN_BIN / "clang", "--target=npu", "-O2", "-Ikernels/include", source, *flags,
               "-o", program]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{relative(source)} does not compile:\n{done.stderr.rstrip()}")
    return program


def parse(line):
    """The record of a BENCH line, or None."""
    words = line.split()
    if not words or words[0] != "BENCH":
        return None
    fields = dict(word.split("=", 1) for word in words[1:])
    cycles, macs = int(fields["cycles"]), int(fields["macs"])
    return {"name": fields["name"], "sim": "rtl", "cycles": cycles, "macs": macs,
            "utilization": round(macs / (PEAK_MACS * cycles), 4) if cycles else 0,
            "dram_bytes": int(fields["dram_bytes"]), "ok": fields["ok"] == "1"}


def measure(program):
    try:
        done = subprocess.run([BIN / "npu-rtl", "--no-lockstep", program], env=environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{relative(program)}: no end after {LIMIT} s")
    records = [record for record in map(parse, done.stdout.splitlines()) if record]
    if done.returncode or not records:
        raise Failure(f"{relative(program)}: exit status {done.returncode}, {len(records)} results\n"
                      + (done.stdout + done.stderr)[-2000:])
    return records


def run(options):
    sources = sorted(SOURCES.glob("*.c"))
    if options.suite:
        chosen = [source for source in sources if source.stem == options.suite]
        if not chosen:
            raise Failure(f"unknown benchmark '{options.suite}'; there are: "
                          + ", ".join(source.stem for source in sources))
        sources = chosen
    good = True
    if not options.json:
        print(f"{'name':34} {'cycles':>10} {'MACs':>12} {'utilization':>11} {'DRAM bytes':>11}  result")
    for source in sources:
        for r in measure(compile_program(source)):
            good &= r["ok"]
            if options.json:
                print(json.dumps(r), flush=True)
            else:
                print(f"{r['name']:34} {r['cycles']:10} {r['macs']:12} {r['utilization']:11.1%} "
                      f"{r['dram_bytes']:11}  {'ok' if r['ok'] else 'WRONG'}", flush=True)
    return 0 if good else 1
