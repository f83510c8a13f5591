# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plain C loops on the RTL, scalar against what the loop vectorizer makes of them:
tests/bench/vector/loops.c compiled with and without vectorization. A program run with an argument
prints 'NAME CHECKSUM CYCLES' for each loop."""

import json
import re
import subprocess

from paths import BIN, BUILD, ROOT, TOOLCHAIN_BIN, Failure, environment, relative

SOURCE = ROOT / "tests/bench/vector/loops.c"
OUT = BUILD / "bench/vector"
LIMIT = 900
SCALAR = ["-fno-vectorize", "-fno-slp-vectorize"]


def run_command(command):
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]}: no end after {LIMIT} s")
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}: exit status {done.returncode}\n"
                      + (done.stdout + done.stderr)[-2000:])
    return done


def measure(name, flags):
    """Maps each loop to its checksum and cycles, and gives the compiler's remarks."""
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / f"{name}.elf"
    remarks = run_command([TOOLCHAIN_BIN / "clang", "--target=npu", "-O2", "-Rpass=loop-vectorize",
                           *flags, SOURCE, "-o", program]).stderr
    output = run_command([BIN / "npu-rtl", "--no-lockstep", program, "cycles"]).stdout
    rows = [line.split() for line in output.splitlines()]
    return {row[0]: (row[1], int(row[2])) for row in rows}, remarks


def vectorized_loops(remarks):
    """The functions of the source that hold a vectorized loop."""
    lines = SOURCE.read_text().splitlines()
    names = set()
    for number in re.findall(r"loops\.c:(\d+):\d+: remark: vectorized loop", remarks):
        for line in reversed(lines[:int(number)]):
            if start := re.match(r"LOOP\((\w+)\)", line):
                names.add(start.group(1))
                break
    return names


def compare(options):
    scalar, _ = measure("scalar", SCALAR)
    vector, remarks = measure("vector", [])
    vectorized = vectorized_loops(remarks)
    good = scalar.keys() == vector.keys()
    if not options.json:
        print(f"{'loop':22} {'vectorized':>10} {'scalar':>9} {'vector':>9} {'ratio':>7}  result")
    for name, (checksum, cycles) in scalar.items():
        ok = vector.get(name, ("", 0))[0] == checksum
        good &= ok
        record = {"name": f"vector/{name}", "sim": "rtl", "vectorized": name in vectorized,
                  "scalar_cycles": cycles, "cycles": vector[name][1], "ok": ok}
        if options.json:
            print(json.dumps(record), flush=True)
        else:
            print(f"{name:22} {'yes' if record['vectorized'] else 'no':>10} {cycles:9} "
                  f"{record['cycles']:9} {cycles / record['cycles']:7.1f}  "
                  f"{'ok' if ok else 'WRONG'}", flush=True)
    if not good:
        raise Failure(f"{relative(SOURCE)}: the vectorized program computes something else")
    return 0
