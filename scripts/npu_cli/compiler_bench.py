# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the NPU's compiler with the stock ones on the NPU's own core.

Each tests/bench/NAME.c is compiled by every compiler at every level, and linked by the same linker
with the same start-up code, libraries and driver, which are built once. Cycles are those of the
program's bench_run on the RTL; text bytes are what the program's object contributes to .text after
linking, relaxation included. Objects and results are kept by the content they depend on."""

import hashlib
import json
import math
import os
import re
import subprocess

import debian
from paths import BIN, BUILD, LLVM, ROOT, TOOLCHAIN_BIN, Failure, environment, relative
from steps import parallel

SOURCES = ROOT / "tests/bench"
OUT = BUILD / "bench/compiler"
STEP_LIMIT = 300
MAX_CYCLES = 20_000_000
OURS, STOCK, GCC = "npu", "clang", "gcc"
SYSROOT = BUILD / "toolchain/lib/clang-runtimes/npu-unknown-elf"
COMPILERS = {
    OURS: [TOOLCHAIN_BIN / "clang", "--target=npu"],
    STOCK: [LLVM / "bin/clang", "--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32",
            "-isystem", SYSROOT / "include"],
    GCC: ["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32", "-isystem", SYSROOT / "include"],
}
PACKAGES = ["clang-22", "gcc-riscv64-unknown-elf"]
# GCC has no level below -Os worth the name.
LEVELS = {"O2": {GCC: "-O2"}, "Os": {GCC: "-Os"}, "Oz": {GCC: "-Os"}}
TIMING_ROUNDS = 5


def programs():
    return [s.stem for s in sorted(SOURCES.glob("*.c")) if s.stem not in ("main", "host")]


def digest(*parts):
    """A hash of strings and of the content of files."""
    h = hashlib.sha256()
    for part in parts:
        h.update(part.read_bytes() if hasattr(part, "read_bytes") else str(part).encode())
        h.update(b"\0")
    return h.hexdigest()[:24]


def run(command, limit=STEP_LIMIT):
    try:
        done = subprocess.run(list(map(str, command)), cwd=ROOT, env=environment(), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(map(str, command))}: no end after {limit} s")
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}: exit status {done.returncode}\n"
                      + (done.stdout + done.stderr)[-2000:])
    return done.stdout


def identities():
    """What tells one build of each compiler from another."""
    return {OURS: digest(COMPILERS[OURS][0]),
            STOCK: run([COMPILERS[STOCK][0], "--version"]), GCC: run([COMPILERS[GCC][0], "--version"])}


def flags(compiler, level):
    return [*COMPILERS[compiler], "-std=c11", LEVELS[level].get(compiler, "-" + level)]


def kept(path, make):
    """The file, made in place if it is not there; an interrupted step leaves nothing."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        make(part)
        os.replace(part, path)
    return path


class Bench:
    def __init__(self):
        self.identity = identities()
        self.header = SOURCES / "bench.h"
        self.driver = OUT / "main.o"
        self.driver.parent.mkdir(parents=True, exist_ok=True)
        run([*COMPILERS[OURS], "-O2", "-c", SOURCES / "main.c", "-o", self.driver])
        libraries = [SYSROOT / "lib" / name for name in ("libc.a", "libnpu.a", "crt0.o", "npu_sections.ld")]
        self.platform = digest(BIN / "npu-rtl", *libraries, self.driver)

    def build(self, name, compiler, level):
        """The object and the linked program."""
        source, command = SOURCES / f"{name}.c", flags(compiler, level)
        key = digest(self.identity[compiler], " ".join(map(str, command)), source, self.header)
        obj = kept(OUT / f"{name}-{compiler}-{level}-{key}.o",
                   lambda part: run([*command, "-c", source, "-o", part]))
        key = digest(self.platform, obj)
        elf = kept(obj.with_name(f"{name}-{compiler}-{level}-{key}.elf"),
                   lambda part: run([*COMPILERS[OURS], self.driver, obj, f"-Wl,-Map={part}.map", "-o", part])
                   or os.replace(f"{part}.map", obj.with_name(f"{name}-{compiler}-{level}-{key}.map")))
        return obj, elf

    def measure(self, job):
        name, compiler, level = job
        _, elf = self.build(name, compiler, level)
        output = kept(elf.with_suffix(".out"), lambda part: part.write_text(run(
            [BIN / "npu-rtl", "--no-lockstep", "--max-cycles", MAX_CYCLES, elf]))).read_text()
        cycles = re.search(r"BENCH cycles=(\d+)", output)
        if not cycles:
            raise Failure(f"{relative(elf)}: no result in its output:\n{output[-500:]}")
        return {"name": name, "level": level, "compiler": compiler, "cycles": int(cycles[1]),
                "text_bytes": text_bytes(elf.with_suffix(".map"), f"{name}-{compiler}-{level}")}


def text_bytes(link_map, stem):
    """Bytes that the object's sections occupy in .text: lines 'address address size align file:(section)'.
    The object's key may differ: another build of the compiler may have made the same object."""
    pattern = re.compile(rf"\s*[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+\s+\S*/{stem}-\w+\.o:\((\.text\S*)\)")
    return sum(int(m[1], 16) for line in link_map.read_text().splitlines() if (m := pattern.match(line)))


def cpu_time(command):
    """CPU seconds of a command and its children."""
    process = subprocess.Popen(list(map(str, command)), cwd=ROOT, env=environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failure(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def compile_times(names):
    """{name: {compiler: seconds}} at -O2: the two clangs in turn, the quickest of some rounds."""
    times = {name: {OURS: math.inf, STOCK: math.inf} for name in names}
    for _ in range(TIMING_ROUNDS):
        for name in names:
            for compiler in (OURS, STOCK):
                command = [*flags(compiler, "O2"), "-c", SOURCES / f"{name}.c", "-o", "/dev/null"]
                times[name][compiler] = min(times[name][compiler], cpu_time(command))
    return times


def geomean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summarize(records, times):
    """Geometric means of our figures over each other compiler's, and the worst program."""
    value = {(r["name"], r["level"], r["compiler"]): r for r in records}
    names = sorted({r["name"] for r in records})
    for level in LEVELS:
        for other in (STOCK, GCC):
            for what in ("cycles", "text_bytes"):
                ratios = {n: value[n, level, OURS][what] / value[n, level, other][what] for n in names}
                worst = max(ratios, key=ratios.get)
                yield {"summary": what, "level": level, "against": other,
                       "geomean": round(geomean(ratios.values()), 4), "worst": worst,
                       "worst_ratio": round(ratios[worst], 4)}
    if times:
        ours, stock = (sum(t[c] for t in times.values()) for c in (OURS, STOCK))
        yield {"summary": "compile_seconds", "level": "O2", "against": STOCK, "ours": round(ours, 3),
               "theirs": round(stock, 3), "ratio": round(ours / stock, 4)}


def show(records, summaries):
    value = {(r["name"], r["level"], r["compiler"]): r for r in records}
    names = sorted({r["name"] for r in records})
    for level in LEVELS:
        print(f"-{level:14}{'cycles':>9} {'/clang':>7} {'/gcc':>7} {'text':>7} {'/clang':>7} {'/gcc':>7}")
        for name in names:
            ours, stock, gcc = (value[name, level, c] for c in COMPILERS)
            print(f"{name:15}" + " ".join(
                f"{ours[what]:{width}} {ours[what] / stock[what]:7.3f} {ours[what] / gcc[what]:7.3f}"
                for what, width in (("cycles", 9), ("text_bytes", 7))))
        print()
    for s in summaries:
        if "geomean" in s:
            print(f"-{s['level']} {s['summary']:10} against {s['against']:5}: geometric mean {s['geomean']:.4f}, "
                  f"worst {s['worst_ratio']:.3f} ({s['worst']})")
        else:
            print(f"-{s['level']} compile time against {s['against']}: {s['ours']:.2f} s / {s['theirs']:.2f} s "
                  f"= {s['ratio']:.3f}")


def compare(options):
    debian.install("[packages] ", PACKAGES)
    bench = Bench()
    names = programs()
    records = parallel(bench.measure, [(n, c, level) for level in LEVELS for n in names for c in COMPILERS])
    summaries = list(summarize(records, compile_times(names)))
    if options.json:
        for line in records + summaries:
            print(json.dumps(line))
    else:
        show(records, summaries)
    return 0
