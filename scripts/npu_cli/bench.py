# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures kernels on the RTL. Each kernels/bench/NAME.c is one program; comments among its first
lines say how to link and run it:

  // bench-flags: compiler words
  // bench-run: [simulator options] [-- program arguments]

The program runs once for each bench-run line (once without any) and prints a line
'BENCH name=NAME/CASE cycles=N macs=N dram_bytes=N ok=0|1' for each case; dram_bytes=stats stands for
the simulator's count over that run, stats-N for N bytes less than it. bus_bytes=U bus_width=B add the
share of the DRAM bus's bandwidth, U / (B cycles), which stands for the utilization then."""

import json
import shlex
import subprocess

from paths import BIN, BUILD, ROOT, TOOLCHAIN_BIN, Failure, Usage, environment, relative

SOURCES = ROOT / "kernels/bench"
OUT = BUILD / "bench"
HEADER_LINES = 20
PEAK_MACS = 256  # a cycle: the 16 x 16 array
LIMIT = 900


def header(source, key):
    """The words of each '// KEY: ...' comment at the top of the file."""
    prefix = f"// {key}:"
    return [shlex.split(line[len(prefix):]) for line in source.read_text().splitlines()[:HEADER_LINES]
            if line.startswith(prefix)]


def compile_program(source):
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / f"{source.stem}.elf"
    flags = sum(header(source, "bench-flags"), [])
    command = [TOOLCHAIN_BIN / "clang", "--target=npu", "-O2", source, *flags, "-o", program]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{relative(source)} does not compile:\n{done.stderr.rstrip()}")
    return program


def parse(line, stats=None):
    """The record of a BENCH line, or None for any other line."""
    words = line.split()
    if not words or words[0] != "BENCH":
        return None
    fields = dict(word.split("=", 1) for word in words[1:])
    cycles, macs = int(fields["cycles"]), int(fields["macs"])
    total, _, around = fields["dram_bytes"].partition("-")
    if total == "stats":
        dram_bytes = stats["dram_read_bytes"] + stats["dram_write_bytes"] - int(around or 0)
    else:
        dram_bytes = int(total)
    record = {"name": fields["name"], "sim": "rtl", "cycles": cycles, "macs": macs,
              "utilization": round(macs / (PEAK_MACS * cycles), 4) if cycles else 0,
              "dram_bytes": dram_bytes, "ok": fields["ok"] == "1"}
    if "bus_bytes" in fields:
        record["bandwidth"] = round(int(fields["bus_bytes"]) / (int(fields["bus_width"]) * cycles), 4)
        record["bytes_per_cycle"] = round(dram_bytes / cycles, 2)
    return record


def measure(program, words):
    """The records of one run; words as in a bench-run line."""
    split = words.index("--") if "--" in words else len(words)
    stats = program.with_suffix(".json")
    command = [BIN / "npu-rtl", "--no-lockstep", "--stats", stats, *words[:split], program,
               *words[split + 1:]]
    try:
        done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{relative(program)}: no end after {LIMIT} s")
    lines = [line for line in done.stdout.splitlines() if line.startswith("BENCH ")]
    if done.returncode or not lines:
        raise Failure(f"{shlex.join(map(str, command))}: exit status {done.returncode}, "
                      f"{len(lines)} results\n" + (done.stdout + done.stderr)[-2000:])
    counts = json.loads(stats.read_text())
    return [parse(line, counts) for line in lines]


def run(options):
    sources = sorted(SOURCES.glob("*.c"))
    if options.suite:
        chosen = [source for source in sources if source.stem == options.suite]
        if not chosen:
            raise Usage(f"unknown benchmark '{options.suite}'; there are: "
                          + ", ".join(source.stem for source in sources))
        sources = chosen
    good = True
    if not options.json:
        print(f"{'name':34} {'cycles':>10} {'MACs':>12} {'utilization':>11} {'DRAM bytes':>11}  result")
    programs = [(program, words) for source in sources for program in [compile_program(source)]
                for words in header(source, "bench-run") or [[]]]
    for program, words in programs:
        for r in measure(program, words):
            good &= r["ok"]
            if options.json:
                print(json.dumps(r), flush=True)
            else:
                print(f"{r['name']:34} {r['cycles']:10} {r['macs']:12} "
                      f"{r.get('bandwidth', r['utilization']):11.1%} "
                      f"{r['dram_bytes']:11}  {'ok' if r['ok'] else 'WRONG'}", flush=True)
    return 0 if good else 1
