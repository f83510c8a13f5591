# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the programs of kernels/bench on the RTL. Comments at the start of a source, among its first
lines say how to link and run it:

  // bench-flags: compiler words
  // bench-run: [simulator options] [-- program arguments]
  // bench-kgen: LAYER.json ...   kernels that npu-kgen generates for the program

The program runs once for each bench-run line (once without any) and prints a line
'BENCH name=NAME/CASE cycles=N macs=N dram_bytes=N ok=0|1' for each case. A program that calls what it measures
through its function `measured_call`, once a case and in the order of the lines, gets the stall causes and the
DRAM traffic of each call in its records, and needs no dram_bytes. Otherwise dram_bytes=stats stands for the
simulator's count over that run, stats-N for N bytes less than it. read=N and write=N are the bytes that the
case has to move, in place of those it did move. bus_bytes=U bus_width=B add the share of the DRAM bus's
bandwidth, U / (B cycles), which stands for the utilization then.

The roofline: a case cannot be faster than its MACs at the array's peak (256 a cycle, 512 with int4 in the
name, or peak=N: 144 for a depthwise 3 x 3), nor than its bytes at the bus's width
in the busier direction. `attainable` is the larger of the two, `bound` says which, `share` how much of it the
case reaches."""

import json
import shlex
import subprocess

import model_bench
from paths import BIN, BUILD, ROOT, TOOLCHAIN_BIN, Failure, Usage, environment, relative

SOURCES = ROOT / "kernels/bench"
OUT = BUILD / "bench"
HEADER_LINES = 20
PEAK_MACS = 256       # a cycle: the 16 x 16 array
PEAK_MACS_INT4 = 512  # with int4 weights
BUS_WIDTH = 16        # bytes a cycle in each direction
LIMIT = 1800
MEASURED = "measured_call"
COLLECTIONS = "kernels", "models", "compiler", "vector"  # names that are no programs of kernels/bench


def header(source, key):
    """The words of each '// KEY: ...' comment at the top of the file."""
    prefix = f"// {key}:"
    return [shlex.split(line[len(prefix):]) for line in source.read_text().splitlines()[:HEADER_LINES]
            if line.startswith(prefix)]


def generate(layer):
    """The kernel that npu-kgen emits for a layer."""
    done = subprocess.run([BIN / "npu-kgen", layer, "-o", OUT], capture_output=True, text=True)
    if done.returncode:
        raise Failure(done.stderr.rstrip())
    return OUT / f"{layer.stem}.c"


def compile_program(source):
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / f"{source.stem}.elf"
    flags = sum(header(source, "bench-flags"), [])
    generated = [generate(SOURCES / name) for name in sum(header(source, "bench-kgen"), [])]
    # The programs print integers alone, and the largest fill the ITCM.
    command = [TOOLCHAIN_BIN / "clang", "--target=npu", "-O2", f"-I{OUT}", "-Wl,--gc-sections,--defsym=vfprintf=__i_vfprintf",
               source, *generated, *flags, "-o", program]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{relative(source)} does not compile:\n{done.stderr.rstrip()}")
    return program


def roofline(record, array, bus):
    """Adds bound, attainable and share, from the cycles that array and bus need. Where neither has work the core is the
    bound, and nothing says what is attainable: 0."""
    attainable = max(array, bus)
    bound = "core" if attainable == 0 else "compute" if array >= bus else "memory"
    record |= {"bound": bound, "attainable": round(attainable),
               "share": round(attainable / record["cycles"], 4) if record["cycles"] else 0}


def parse(line, stats=None, call=None):
    """The record of a BENCH line, or None for any other line. call: the counters of its measured call."""
    words = line.split()
    if not words or words[0] != "BENCH":
        return None
    fields = dict(word.split("=", 1) for word in words[1:])
    cycles, macs = int(fields["cycles"]), int(fields["macs"])
    read = write = None
    if call:
        read, write = call["dram_read_bytes"], call["dram_write_bytes"]
        dram_bytes = read + write
    else:
        total, _, around = fields.get("dram_bytes", "0").partition("-")
        if total == "stats":
            dram_bytes = stats["dram_read_bytes"] + stats["dram_write_bytes"] - int(around or 0)
        else:
            dram_bytes = int(total)
    record = {"name": fields["name"], "sim": "rtl", "cycles": cycles, "macs": macs,
              "utilization": round(macs / (PEAK_MACS * cycles), 4) if cycles else 0,
              "dram_bytes": dram_bytes, "ok": fields["ok"] == "1"}
    if "predicted" in fields:  # what the cost model expects
        record["predicted"] = int(fields["predicted"])
    if "bus_bytes" in fields:
        bus = int(fields["bus_bytes"]) / int(fields["bus_width"])
        record["bandwidth"] = round(bus / cycles, 4)
        record["bytes_per_cycle"] = round(dram_bytes / cycles, 2)
        record |= {"bound": "memory", "attainable": round(bus), "share": record["bandwidth"]}
    if "read" in fields or "write" in fields:
        read, write = int(fields.get("read", 0)), int(fields.get("write", 0))
    if read is None:  # without the directions: both of them alike
        read = write = dram_bytes // 2
    record["busier_bytes"] = max(read, write)  # of the two directions of the bus
    if "bus_bytes" not in fields:
        usual = PEAK_MACS_INT4 if "int4" in record["name"] else PEAK_MACS
        roofline(record, macs / int(fields.get("peak", usual)), record["busier_bytes"] / BUS_WIDTH)
    if call:
        record["stalls"] = call["stalls"]
        record["array_busy"] = call["array_busy_cycles"]
    return record


def has_measured_call(program):
    done = subprocess.run([TOOLCHAIN_BIN / "llvm-nm", program], env=environment(), capture_output=True,
                          text=True)
    return any(line.split()[-1:] == [MEASURED] for line in done.stdout.splitlines())


def measure(program, words):
    """The records of one run; words as in a bench-run line."""
    split = words.index("--") if "--" in words else len(words)
    stats = program.with_suffix(".json")
    calls = ["--stats-function", MEASURED] if has_measured_call(program) else []
    command = [BIN / "npu-rtl", "--no-lockstep", "--stats", stats, *calls, *words[:split], program,
               *words[split + 1:]]
    try:
        done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{relative(program)}: no end after {LIMIT} s")
    lines = [line for line in done.stdout.splitlines() if line.startswith("BENCH ")]
    if not lines or (done.returncode and not any(" ok=0" in line for line in lines)):
        raise Failure(f"{shlex.join(map(str, command))}: exit status {done.returncode}, "
                      f"{len(lines)} results\n" + (done.stdout + done.stderr)[-2000:])
    counts = json.loads(stats.read_text())
    if calls and len(counts["calls"]) != len(lines):
        raise Failure(f"{relative(program)}: {len(counts['calls'])} calls of {MEASURED}, but {len(lines)} results")
    return [parse(line, counts, counts["calls"][i] if calls else None) for i, line in enumerate(lines)]


def check_name(name):
    """What 'npu bench' cannot measure is an error, before anything is set up or measured."""
    names = sorted(source.stem for source in SOURCES.glob("*.c"))
    if name not in (None, *COLLECTIONS, *names):
        raise Usage(f"unknown benchmark '{name}'; there are: " + ", ".join((*COLLECTIONS, *names)))


def kernels(name=None):
    """Measures all programs of kernels/bench, or one of them: a record for each case."""
    sources = [SOURCES / f"{name}.c"] if name else sorted(SOURCES.glob("*.c"))
    programs = [(program, words) for source in sources for program in [compile_program(source)]
                for words in header(source, "bench-run") or [[]]]
    for program, words in programs:
        yield from measure(program, words)


def models():
    """Measures the MLPerf Tiny networks: a record for each layer, then one for the network."""
    yield from model_bench.measure()


def show(r):
    share = f"{r['share']:7.1%} {r['bound']}" if r["attainable"] else ""
    print(f"{r['name']:38} {r['cycles']:10} {r['macs']:12} {r.get('bandwidth', r['utilization']):11.1%} "
          f"{r['dram_bytes']:11} {share:15}  {'ok' if r['ok'] else 'WRONG'}", flush=True)


def run(options):
    name = None if options.suite == "kernels" else options.suite
    records = models() if name == "models" else kernels(name)
    good = True
    if not options.json:
        print(f"{'name':38} {'cycles':>10} {'MACs':>12} {'utilization':>11} {'DRAM bytes':>11} "
              f"{'of attainable':15}  result")
    sums = []
    for r in records:
        good &= r["ok"]
        if options.json:
            print(json.dumps(r), flush=True)
        else:
            show(r)
        if "aim" in r:
            sums.append(r)
    if sums and not options.json:
        print(f"\n{'network':8} {'cycles':>8} {'bound':>8} {'aim':>8} {'of the aim':>10} {'Ethos-U55-256':>13} "
              f"{'times':>6}")
        for r in sums:
            print(f"{r['name']:8} {r['cycles']:8} {r['attainable']:8} {r['aim']:8} {r['cycles'] / r['aim']:10.1%} "
                  f"{r['u55_256']:13} {r['u55_256'] / r['cycles']:6.2f}")
    return 0 if good else 1
