#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the demo: a photograph through a 3 x 3 convolution with 16 filters, by the
library's kernel and by the one that npu-kgen emits for this layer. Compares every output byte with
the host's reference, writes the contact sheet and prints the figures. Needs a set-up toolchain and
simulator (scripts/npu demo sees to that)."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

DEMO = pathlib.Path(__file__).resolve().parent
ROOT = DEMO.parent.parent
PEAK_MACS_PER_CYCLE = 256


def fail(text):
    sys.exit(f"run_demo: {text}")


def run(step, command):
    """Runs one step; its standard output and seconds."""
    print(f"[demo] {step}", flush=True)
    start = time.monotonic()
    try:
        result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                                check=False)
    except OSError as error:
        fail(f"{command[0]}: {error.strerror}")
    if result.returncode != 0:
        sys.stdout.write(result.stdout)
        fail(f"'{' '.join(map(str, command))}' ended with status {result.returncode}")
    return result.stdout, time.monotonic() - start


def run_kernel(kernel, simulator, program, work):
    """Runs one kernel on the simulator; its output file and figures."""
    output = work / f"output_{kernel}.bin"
    stats_file = work / f"stats_{kernel}.json"
    output.unlink(missing_ok=True)
    text, seconds = run(f"running the {kernel} kernel on {pathlib.Path(simulator[0]).name}",
                        [*simulator, "--stats", stats_file, program, kernel, work / "input.bin",
                         output])
    line = re.search(r"kernel=(\w+) cycles=(\d+) macs=(\d+)", text)
    if line is None:
        fail(f"the {kernel} kernel printed no figures: {text!r}")
    stats = json.loads(stats_file.read_text())
    # The model counts instructions, not cycles.
    timed = stats["sim"] == "rtl"
    cycles, macs = int(line[2]) if timed else None, int(line[3])
    dma = stats.get("dma_busy_cycles", 0)
    hidden = 1 - stats["dma_exposed_cycles"] / dma if dma else None
    return output, {
        "kernel": kernel,
        "cycles": cycles,
        "macs": macs,
        "utilization": macs / (PEAK_MACS_PER_CYCLE * cycles) if cycles else None,
        "dram_bytes": stats["dram_read_bytes"] + stats["dram_write_bytes"],
        "dma_busy_cycles": dma,
        "dma_hidden": hidden,
        "seconds": seconds,
    }


def show(figures):
    def number(value):
        return f"{value:,}" if value else "-"

    def share(value):
        return "-" if value is None else f"{100 * value:.1f} %"

    rows = [
        ("cycles", lambda f: number(f["cycles"])),
        ("MACs", lambda f: number(f["macs"])),
        ("MAC utilization", lambda f: share(f["utilization"])),
        ("DRAM bytes", lambda f: number(f["dram_bytes"])),
        ("DMA busy cycles", lambda f: number(f["dma_busy_cycles"])),
        ("DMA time hidden", lambda f: share(f["dma_hidden"])),
        ("simulation seconds", lambda f: f"{f['seconds']:.1f}"),
    ]
    print(f"\n{'':20}" + "".join(f"{f['kernel']:>14}" for f in figures))
    for title, cell in rows:
        print(f"{title:20}" + "".join(f"{cell(f):>14}" for f in figures))
    print("\nMAC utilization = MACs / (256 x cycles of the call). The filter's 27 weights take two steps\n"
          "of 16 rows, so 27/32 = 84.4 % is the most this layer can reach.\n"
          "DMA time hidden = share of the cycles with a busy DMA channel in which the matrix unit was\n"
          "busy too.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photo", type=pathlib.Path, required=True, metavar="FILE.ppm",
                        help="the photograph, 320 x 240, binary portable pixmap")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/demo", metavar="FOLDER",
                        help="gets program, tensors and the contact sheet (default: %(default)s)")
    parser.add_argument("--toolchain", type=pathlib.Path, default=ROOT / "build/toolchain")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin",
                        help="folder of npu-kgen and npu-demo-report")
    parser.add_argument("--simulator", default=str(ROOT / "build/bin/npu-rtl"),
                        help="command that runs an ELF file (default: %(default)s)")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    report = options.tools / "npu-demo-report"
    program = work / "photo_demo.elf"
    sheet = work / "feature_maps.png"

    run("converting the photograph", [report, "prepare", options.photo, work / "input.bin"])
    run("generating the specialised kernel",
        [options.tools / "npu-kgen", DEMO / "photo_layer.json", "-o", work])
    run("compiling with clang --target=npu",
        [options.toolchain / "bin/clang", "--target=npu", "-O2", "-Wall", f"-I{work}",
         DEMO / "photo_demo.c", work / "photo_conv.c", "-lnpukernels", "-Wl,--gc-sections", "-o", program])

    outputs, figures = zip(*(run_kernel(kernel, options.simulator.split(), program, work)
                             for kernel in ("hand", "generated")))
    text, _ = run("comparing with the host's reference",
                  [report, "check", work / "input.bin", *outputs])
    sys.stdout.write(text)
    run("writing the contact sheet", [report, "sheet", work / "input.bin", outputs[0], sheet])

    show(figures)
    (work / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(f"\nphotograph and feature maps: {sheet}")


if __name__ == "__main__":
    main()
