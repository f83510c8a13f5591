# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coverage of the RTL: lines, branches and toggles as Verilator counts them, and instructions by operands and
hazards as the lockstep check sees them. Runs the directed tests, random programs and the benchmark programs
on a simulator with counters, and writes one page and a summary in Markdown."""

import html
import re
import shutil
import sys

import bench
import setup
import suites
from paths import BUILD, LOGS, ROOT, TOOLCHAIN_BIN, Failure, jobs, relative
from steps import Display, fail, parallel, run_logged

OUT = BUILD / "coverage"
BIN = OUT / "bin"
DATA = OUT / "data"
PAGE, SUMMARY = OUT / "coverage.html", OUT / "summary.md"
BUILD_LIMIT, RUN_LIMIT = 5400, 1800
PROGRAMS = 200
INSTRUCTIONS = 8000
BATCH = 20
# Programs of kernels/bench that end soon, with their words on the command line.
BENCHES = {"dma": "--dram-bytes-per-cycle 16 {} 16"}
FIELD = re.compile("\x01([^\x02]*)\x02([^\x01']*)")


def build(display):
    log = LOGS / "coverage-build.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")
    for command in (["cmake", "-G", "Ninja", "-S", ROOT, "-B", OUT, "-DNPU_COVERAGE=ON",
                     f"-DCMAKE_RUNTIME_OUTPUT_DIRECTORY={BIN}"],
                    ["ninja", "-C", OUT, f"-j{jobs()}", "npu-rtl", "npu-fuzz", "rtl-core-tests"]):
        if status := run_logged(command, log, display, BUILD_LIMIT):
            fail("the simulator with counters", command, status, log)


def run(command, data, log, display, expected=(0,)):
    env = suites.test_environment() | {"NPU_COVERAGE": str(data)}
    status = run_logged(command, log, display, RUN_LIMIT, env)
    if status not in expected:
        fail("coverage", command, status, log)


def merge(into, files, log, display):
    present = [file for file in [into, *files] if file.exists()]
    fresh = into.with_suffix(".new")
    if status := run_logged(["verilator_coverage", "--write", fresh, *present], log, display, RUN_LIMIT):
        fail("coverage", ["verilator_coverage"], status, log)
    for file in present:
        file.unlink()
    fresh.rename(into)


def measure(options, display):
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    log = LOGS / "coverage.log"
    log.write_bytes(b"")
    merged, functional = DATA / "merged.dat", DATA / "functional.tsv"

    display.update("directed tests")
    # The command-line tests start the other simulator; thousands of runs of one loop add nothing.
    run([BIN / "tests/rtl/rtl-core-tests", "--gtest_filter=-CommandLine*:*EveryCycle*:*EveryPart*"], DATA / "directed.dat", log,
        display)
    merge(merged, [DATA / "directed.dat"], log, display)

    def benchmark(item):
        name, words = item
        program = bench.compile_program(ROOT / f"kernels/bench/{name}.c")
        run([BIN / "npu-rtl", "--no-lockstep", *words.format(program).split()], DATA / f"{name}.dat", log, display)
        return DATA / f"{name}.dat"

    if TOOLCHAIN_BIN.exists():
        merge(merged, parallel(benchmark, BENCHES.items()), log, display)

    def program(seed):
        elf, data, counts = DATA / f"{seed}.elf", DATA / f"{seed}.dat", DATA / f"functional-{seed % jobs()}.tsv"
        run([BIN / "npu-fuzz", "--seed", str(seed), "--instructions", str(INSTRUCTIONS), "-o", elf], data, log,
            display)
        run([BIN / "npu-rtl", "--lockstep", "--max-cycles", "10000000", "--coverage", counts,
             *suites.disturbances(seed), elf], data, log, display)
        elf.unlink()
        return data

    count = options.count or PROGRAMS
    for first in range(1, count + 1, BATCH):
        seeds = range(first, min(first + BATCH, count + 1))
        # Programs of one remainder run one behind the other and share a file of counts.
        groups = [[seed for seed in seeds if seed % jobs() == n] for n in range(jobs())]
        files = parallel(lambda group: [program(seed) for seed in group], groups)
        display.update(f"random programs: {first - 1 + len(seeds)} of {count}")
        merge(merged, sum(files, []), log, display)
    add_functional([DATA / f"functional-{n}.tsv" for n in range(jobs())], functional)
    return merged, functional, count


def add_functional(files, into):
    counts = {}
    for file in files:
        if file.exists():
            for line in file.read_text().splitlines():
                name, _, number = line.rpartition("\t")
                counts[name] = counts.get(name, 0) + int(number)
    into.write_text("".join(f"{name}\t{number}\n" for name, number in counts.items()))


# --- reading ---

def lines_of(span):
    for part in span.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def source(name):
    for folder in ("rtl", "rtl/generated"):
        if (file := ROOT / folder / name).exists():
            return file.read_text().splitlines()
    return []


def returns(text, span):
    """Whether a block ends a function: Verilator 5.006 counts behind the return, that is never."""
    return any(re.search(r"\breturn\b", text[line - 1]) for line in lines_of(span) if line <= len(text))


def read_points(path):
    """{file: {kind: {point: hits}}} and {file: {line: hits}} of the RTL, instances of a module added up."""
    points, lines = {}, {}
    sources = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for record in file:
            if not record.startswith("C '"):
                continue
            body, _, hits = record.rpartition(" ")
            fields = dict(FIELD.findall(body))
            kind = fields["page"].split("/")[0].removeprefix("v_")
            name = fields["f"].rsplit("/", 1)[-1]
            if name == "npu_sim.sv":  # the harness
                continue
            if name not in sources:
                sources[name] = source(name)
            if int(hits) == 0 and "S" in fields and returns(sources[name], fields["S"]):
                continue
            key = (int(fields["l"]), fields.get("n", ""), fields.get("o", ""))
            kinds = points.setdefault(name, {}).setdefault(kind, {})
            kinds[key] = kinds.get(key, 0) + int(hits)
            if kind != "toggle" and "S" in fields:  # an else that is not written has no line
                covered = lines.setdefault(name, {})
                for line in lines_of(fields["S"]):
                    covered[line] = covered.get(line, 0) + int(hits)
    return points, lines


def read_functional(path):
    """[(instruction, operand, class, hazard, hits)]"""
    rows = []
    for line in path.read_text().splitlines():
        insn, operand, kind, hazard, hits = line.split("\t")
        rows.append((insn, operand, kind, hazard, int(hits)))
    return rows


def share(hits):
    hits = list(hits)
    return sum(h > 0 for h in hits), len(hits)


def projections(rows):
    """The bins of {instruction x operand class}, {instruction x hazard} and their product."""
    operands, hazards = {}, {}
    for insn, operand, kind, hazard, hits in rows:
        operands[insn, operand, kind] = operands.get((insn, operand, kind), 0) + hits
        hazards[insn, hazard] = hazards.get((insn, hazard), 0) + hits
    return operands, hazards, {row[:4]: row[4] for row in rows}


def percent(pair):
    hit, total = pair
    return f"{100 * hit / total:.1f} %" if total else "-"


# --- writing ---

def table(points, lines):
    """[(file, lines, branches, toggles)], all files first."""
    rows = []
    for name in sorted(points):
        kinds = points[name]
        rows.append((name, share(lines.get(name, {}).values()),
                     share(h for k, ps in kinds.items() if k != "toggle" for h in ps.values()),
                     share(kinds.get("toggle", {}).values())))
    total = tuple(tuple(sum(row[i][j] for row in rows) for j in range(2)) for i in range(1, 4))
    return [("all", *total), *rows]


def summary(rows, functional, count):
    operands, hazards, product = projections(functional)
    executed = sum(hits for (_, operand, _), hits in operands.items() if operand in ("none", "first"))
    text = ["| module | lines | blocks and branches | toggles |", "|---|---:|---:|---:|"]
    for name, *pairs in rows:
        label = "**all**" if name == "all" else f"`{name.removesuffix('.sv')}`"
        text.append(f"| {label} | " + " | ".join(percent(pair) for pair in pairs) + " |")
    text += ["", "| bins of instructions | hit | of |", "|---|---:|---:|"]
    for what, bins in (("instruction x operand class", operands), ("instruction x hazard", hazards),
                       ("instruction x operand class x hazard", product)):
        hit, total = share(bins.values())
        text.append(f"| {what} | {percent((hit, total))} | {total:,} |")
    text += ["", f"{count} random programs, {executed:,} instructions in lockstep.", ""]
    return "\n".join(text)


STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child{text-align:left}pre{background:#f6f6f6;padding:.6rem;overflow:auto;font-size:13px}
summary{cursor:pointer}.bar{display:inline-block;height:.7rem;background:#3a7;vertical-align:middle}
.bar.low{background:#c53}.number{display:inline-block;width:4rem}.box{display:inline-block;width:6rem;background:#eee;margin-right:.5rem}"""


def bar(pair):
    hit, total = pair
    value = 100 * hit / total if total else 100
    low = " low" if value < 90 else ""
    return (f'<td><span class="box"><span class="bar{low}" style="width:{value:.0f}%"></span></span>'
            f'<span class="number">{percent(pair)}</span></td>')


def missed_lines(name, lines):
    missed = sorted(line for line, hits in lines.get(name, {}).items() if hits == 0)
    text = source(name)
    return "\n".join(f"{line:5}  {text[line - 1]}" for line in missed if line <= len(text))


def page(rows, points, lines, functional, count):
    operands, hazards, product = projections(functional)
    out = ["<!doctype html><meta charset=utf-8><title>RTL coverage</title>", f"<style>{STYLE}</style>",
           "<h1>Coverage of the RTL</h1>",
           f"<p>Directed tests, {count} random programs in lockstep, benchmark programs.</p>",
           "<table><tr><th>module<th>lines<th>blocks and branches<th>toggles</tr>"]
    for name, *pairs in rows:
        out.append(f"<tr><td>{html.escape(name.removesuffix('.sv'))}</td>" + "".join(map(bar, pairs)) + "</tr>")
    out.append("</table><h2>Lines that nothing executed</h2>")
    for name, *_ in rows[1:]:
        if text := missed_lines(name, lines):
            out.append(f"<details><summary>{html.escape(name)}</summary><pre>{html.escape(text)}</pre></details>")
    out.append("<h2>Signals that did not toggle</h2>")
    for name, *_ in rows[1:]:
        still = sorted({f"{key[0]:5}  {key[2]}" for key, hits in points[name].get("toggle", {}).items() if hits == 0})
        if still:
            out.append(f"<details><summary>{html.escape(name)}: {len(still)}</summary>"
                       f"<pre>{html.escape(chr(10).join(still))}</pre></details>")
    out.append("<h2>Instructions</h2><table><tr><th>bins<th>hit<th>of</tr>")
    for what, bins in (("instruction x operand class", operands), ("instruction x hazard", hazards),
                       ("instruction x operand class x hazard", product)):
        out.append(f"<tr><td>{what}</td>{bar(share(bins.values()))}<td>{len(bins):,}</td></tr>")
    out.append("</table>")
    for what, bins in (("operand classes", operands), ("hazards", hazards)):
        missed = {}
        for key, hits in bins.items():
            if hits == 0:
                missed.setdefault(key[0], []).append(" ".join(key[1:]))
        text = "\n".join(f"{insn:14} {', '.join(names)}" for insn, names in missed.items())
        out.append(f"<details><summary>{what} that did not occur: {sum(map(len, missed.values()))}</summary>"
                   f"<pre>{html.escape(text)}</pre></details>")
    return "\n".join(out)


def report(merged, functional_file, count):
    points, lines = read_points(merged)
    functional = read_functional(functional_file)
    rows = table(points, lines)
    text = summary(rows, functional, count)
    SUMMARY.write_text(text)
    PAGE.write_text(page(rows, points, lines, functional, count))
    return rows, text


def command(options):
    if not shutil.which("verilator_coverage"):
        raise Failure("verilator_coverage, which comes with Verilator, is not in PATH")
    setup.setup(tests=False)
    display = Display("coverage")
    build(display)
    merged, functional, count = measure(options, display)
    rows, text = report(merged, functional, count)
    display.finish(f"lines {percent(rows[0][1])}")
    print(text)
    print(f"page: {relative(PAGE)}")
    return 0


if __name__ == "__main__":  # the report again, from the data of the last run
    print(report(DATA / "merged.dat", DATA / "functional.tsv", sys.argv[1] if len(sys.argv) > 1 else "?")[1])
