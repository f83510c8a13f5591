# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MLPerf Tiny networks on the RTL: captured from TFLite (tests/kernels/Inputs/golden/capture_model.py), made
a program by npu-netgen, run, the output compared with TFLite's bytes."""

import json
import os
import subprocess
from pathlib import Path

import pypi
from paths import BIN, BUILD, ROOT, TOOLCHAIN_BIN, Failure, environment, relative, warn

ANCHORS = ROOT / "kernels/bench/anchors.json"
CAPTURE = ROOT / "tests/kernels/Inputs/golden/capture_model.py"
RUNNER = ROOT / "kernels/netgen/run_network.c"
PHOTO = BUILD / "demo/photo.ppm"
OUT = BUILD / "models"
PEAK_MACS = 256
LIMIT = 900


def model_folder():
    return Path(os.environ.get("NPU_MODELS", ROOT / "../shared/models"))


def command(words):
    try:
        done = subprocess.run([str(w) for w in words], cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{words[0]}: no end after {LIMIT} s")
    if done.returncode:
        raise Failure(f"{' '.join(map(str, words))}: exit status {done.returncode}\n"
                      + (done.stdout + done.stderr)[-2000:])
    return done.stdout


def build(name, model, python):
    """The program of a model and the files that it reads."""
    folder, lower = OUT / name, name.lower()
    command([python, CAPTURE, model, name, "-o", folder, "--photo", PHOTO])
    command([BIN / "npu-netgen", folder / "network.json", "-o", folder])
    program = folder / f"{lower}.elf"
    command([TOOLCHAIN_BIN / "clang", "--target=npu", "-O2", "-Wall", "-I", folder,
             f'-DNETWORK_HEADER="{lower}.h"', f"-DNETWORK(x)={lower}##x", f"-DNETWORK_UPPER(x)={name}##x",
             RUNNER, folder / f"{lower}.c", "-lnpukernels", "-Wl,--gc-sections,--defsym=__stack_size=4096", "-o",
             program])
    return program, [folder / f"{lower}.bin", folder / "input.bin", folder / "output.bin"]


def fields_of(line):
    return dict(word.split("=", 1) for word in line.split()[1:])


def timeline(trace):
    """What a Perfetto trace says of each unit: [(first cycle, cycle behind the last, name)] of a row, by the row's name."""
    events = json.loads(trace.read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    rows = {}
    for e in events:
        if e["ph"] == "X":
            rows.setdefault(names[e["tid"]], []).append((e["ts"], e["ts"] + e["dur"], e["name"]))
    return rows


def between(slices, begin, end):
    """Cycles of the slices within [begin, end), by name."""
    sums = {}
    for first, behind, name in slices:
        if (cycles := min(behind, end) - max(first, begin)) > 0:
            sums[name] = sums.get(name, 0) + cycles
    return sums


def run(name, program, files, anchor):
    stats, trace = program.with_suffix(".json"), program.with_suffix(".trace.json")
    words = [BIN / "npu-rtl", "--no-lockstep", "--stats", stats, "--stats-function", "measured_call", "--perfetto", trace,
             program, *files]
    lines = command(words).splitlines()
    call = json.loads(stats.read_text())["calls"][0]
    rows = timeline(trace)
    total = next(fields_of(line) for line in lines if line.startswith("NETWORK "))
    ok = total["ok"] == "1"
    for line in lines:
        if not line.startswith("BENCH "):
            continue
        fields = fields_of(line)
        start, cycles, macs = int(fields["start"]), int(fields["cycles"]), int(fields["macs"])
        array, bus = int(fields["array"]), int(fields["bytes"]) / 16
        record = {"name": f"{name}/{fields['name']}", "sim": "rtl", "cycles": cycles, "macs": macs,
                  "utilization": round(macs / (PEAK_MACS * cycles), 4) if cycles else 0,
                  "dram_bytes": int(fields["bytes"]), "busier_bytes": int(fields["bytes"]), "ok": ok}
        # Layers overlap, and constants are loaded ahead: a layer alone may be faster than its own bound.
        attainable = max(array, bus)
        bound = "core" if attainable == 0 else "compute" if array >= bus else "memory"
        record |= {"bound": bound, "attainable": round(attainable),
                   "share": round(attainable / cycles, 4) if cycles else 0}
        # While the core issues this layer: its long waits, and the array's work, of the layer before as well.
        record["stalls"] = between(rows.get("core: stall", []), start, start + cycles)
        record["array_busy"] = sum(between(rows.get("array: run", []), start, start + cycles).values())
        yield record
    cycles = int(total["cycles"])
    array, bus = anchor["bound"], call["dram_read_bytes"] / 16
    yield {"name": name, "sim": "rtl", "cycles": cycles, "macs": anchor["macs"],
           "utilization": round(anchor["macs"] / (PEAK_MACS * cycles), 4),
           "dram_bytes": call["dram_read_bytes"] + call["dram_write_bytes"],
           "busier_bytes": max(call["dram_read_bytes"], call["dram_write_bytes"]), "ok": ok,
           "bound": "compute" if array > bus else "memory", "attainable": anchor["bound"],
           "share": round(anchor["bound"] / cycles, 4), "aim": anchor["aim"], "u55_256": anchor["u55_256"],
           "stalls": call["stalls"], "array_busy": call["array_busy_cycles"]}


def measure():
    """A record for each layer of each network, named NETWORK/LAYER, then one for the network."""
    anchors = json.loads(ANCHORS.read_text())["models"]
    python = pypi.python()
    if python is None:
        warn("the networks are left out: the PyPI packages (ai-edge-litert) are not installed; run 'scripts/npu setup'")
        return
    for name, anchor in anchors.items():
        if name.startswith("//"):
            continue
        model = model_folder() / anchor["file"]
        if not model.exists():
            warn(f"{name} is left out: {relative(model)} is not there; NPU_MODELS names the folder of the models")
            continue
        program, files = build(name, model, python)
        yield from run(name, program, files, anchor)
