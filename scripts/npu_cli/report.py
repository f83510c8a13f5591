# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`npu report`: the kernel and model benchmarks as one HTML page that needs nothing else."""

import json
import math
import subprocess
import sys
from html import escape

import bench
import report_charts as charts
from paths import BIN, BUILD, ROOT, Failure, environment, relative

ANCHORS = ROOT / "kernels/bench/anchors.json"
STYLE = ROOT / "scripts/npu_cli/report.css"
OUT = BUILD / "report"
# The layer of the time line: benchmark program, its argument, the layer's name; the cycles shown, some of its tiles.
TIMELINE = ("conv_int8", "1", "conv_int8/56x56x64-64_1x1s1")
TIMELINE_CYCLES = 12_000
LIMIT = 900
COLOURS = 12  # classes f0, f1, ... of report.css


def kernel_records(path):
    """The records of 'npu bench kernels --json', from a file or measured now."""
    if path is not None:
        return [r for r in read_lines(path) if "cycles" in r]
    records = []
    for r in bench.kernels():
        print(f"  {r['name']}: {r['cycles']:,} cycles", file=sys.stderr, flush=True)
        records.append(r)
    return records


def read_lines(path):
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"{path}: {getattr(error, 'strerror', None) or error}")
    records = []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            records.append(record)
            if not isinstance(record, dict) or "name" not in record:
                raise ValueError("no object with a name")
        except ValueError as error:
            raise Failure(f"{path}:{number}: not a line of 'npu bench --json': {error}")
    return records


def timeline_trace():
    """(trace, first cycle, last cycle) of one layer whose DMA and array work side by side."""
    source, argument, layer = TIMELINE
    program = bench.compile_program(bench.SOURCES / f"{source}.c")
    trace = OUT / "timeline.json"
    command = [BIN / "npu-rtl", "--no-lockstep", "--perfetto", trace, program, argument]
    try:
        done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{relative(program)}: no end after {LIMIT} s")
    if done.returncode:
        raise Failure(f"{relative(program)} {argument}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    if f"name={layer} " not in done.stdout:
        raise Failure(f"{relative(program)} {argument}: is not {layer}: {done.stdout[-200:]}")
    data = json.loads(trace.read_text())
    rows = {e["tid"]: e["args"]["name"] for e in data["traceEvents"]
            if e["ph"] == "M" and e["name"] == "thread_name"}
    runs = [e for e in data["traceEvents"] if e["ph"] == "X" and rows[e["tid"]] == "array: run"]
    if not runs:
        raise Failure(f"{relative(program)} {argument}: the array did nothing")
    first = runs[0]["ts"]
    loads = [e["ts"] for e in data["traceEvents"] if e["ph"] == "X" and e["ts"] < first
             and rows[e["tid"]].startswith("DMA") and e["ts"] > first - 4000]
    begin = min(loads, default=first) - 20
    last = runs[-1]["ts"] + runs[-1]["dur"] + 1500
    return data, begin, min(last, begin + TIMELINE_CYCLES)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 0


def card(value, words):
    return f'<div class="card"><b>{escape(value)}</b><span>{escape(words)}</span></div>'


def cards(records, models):
    convolutions = [r["utilization"] for r in records if charts.group(r["name"]) == "conv_int8" and r["macs"]]
    shown = []
    if convolutions:
        shown.append(card(f"{geometric_mean(convolutions):.1%}",
                          f"of the array's MACs, geometric mean of {len(convolutions)} int8 convolutions, DRAM to DRAM"))
    best = max((r for r in records if r["macs"]), key=lambda r: r["macs"] / r["cycles"], default=None)
    if best:
        shown.append(card(f"{best['macs'] / best['cycles']:.0f} MAC/cycle", f"highest rate: {best['name']}"))
    if models:
        ratios = [m["u55_256"] / m["cycles"] for m in models]
        shown.append(card(f"{geometric_mean(ratios):.2f} ×",
                          f"as fast as an Ethos-U55-256 (geometric mean of {len(models)} MLPerf Tiny networks)"))
    shown.append(card(f"{sum(r['ok'] for r in records)} of {len(records)}", "benchmark layers with the right bytes"))
    return "".join(shown)


def layer_table(records, classes):
    rows = []
    for r in records:
        rate = r["macs"] / r["cycles"] if r["cycles"] else 0
        stalls = r.get("stalls")
        stack = ""
        if stalls is not None and r["cycles"]:
            stack = charts.stack(stalls, r["cycles"] - sum(stalls.values()), r["cycles"])
        used = r.get("bandwidth", rate / charts.peak(r["name"]))
        meter = f'<div class="meter"><i style="width:{min(used, 1):.1%}"></i></div>{used:.1%}' if used else ""
        share = f'{r["share"]:.1%}' if r.get("attainable") else ""
        macs, speed = (charts.count(r["macs"]), f"{rate:.1f}") if r["macs"] else ("", "")
        rows.append(
            f'<tr><td><i class="dot {classes.get(charts.group(r["name"]), "fx")}"></i>{escape(r["name"])}</td>'
            f'<td>{r["cycles"]:,}</td><td>{macs}</td><td>{speed}</td><td>{meter}</td>'
            f'<td class="word">{escape(r.get("bound", ""))}</td><td>{share}</td>'
            f'<td>{r["dram_bytes"]:,}</td><td>{stack}</td><td>{"✓" if r["ok"] else "wrong bytes"}</td></tr>')
    head = "".join(f'<th{" class=word" if h in ("bound", "core") else ""}>{h}</th>'
                   for h in ("layer", "cycles", "MACs", "MAC/cycle", "utilization", "bound", "of attainable",
                             "DRAM bytes", "core", "bytes"))
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def folded(title, records, classes, is_open):
    """A table that can be folded away."""
    if not records:
        return ""
    return (f'<details{" open" if is_open else ""}><summary>{escape(title)} <span>{len(records)}</span></summary>'
            f"{layer_table(records, classes)}</details>")


def network_table(totals):
    rows = "".join(
        f'<tr><td>{escape(m["name"])}: {escape(m["task"])}</td><td>{m["cycles"]:,}</td><td>{m["aim"]:,}</td>'
        f'<td>{m["bound"]:,}</td><td>{m["bound"] / m["cycles"]:.1%}</td><td>{charts.count(m["macs"])}</td>'
        f'<td>{m["macs"] / m["cycles"]:.1f}</td><td>{m["u55_256"]:,}</td><td>{m["u55_256"] / m["cycles"]:.2f} ×</td></tr>'
        for m in totals)
    head = "".join(f"<th>{h}</th>" for h in ("network", "cycles", "aim", "bound", "of the bound", "MACs", "MAC/cycle",
                                             "Ethos-U55-256", "as fast"))
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def legend(records):
    causes = {}
    for r in records:
        for cause, cycles in (r.get("stalls") or {}).items():
            causes[cause] = causes.get(cause, 0) + cycles
    shown = ["issued"] + [c for c, n in sorted(causes.items(), key=lambda item: -item[1]) if n]
    return '<p class="legend">' + "".join(
        f'<span><svg viewBox="0 0 10 10"><rect width="10" height="10" class="s-{c}"/></svg>{escape(c.replace("_", " "))}</span>'
        for c in shown) + "</p>"


def peer_chart(records, figures):
    shown = []
    for figure in figures:
        def value(r):
            if figure["field"] == "macs_per_cycle":
                return r["macs"] / r["cycles"]
            return 100 * r[figure["field"]] if figure["field"] in r else None
        own = [value(r) for r in records if charts.family(r["name"]) == figure["family"]
               and r["macs"] >= figure.get("least_macs", 0)]
        values = [v for v in own if v]
        if not values:
            continue
        entries = [("this project, each layer", values, "own")]
        entries += [(p["name"], [p["low"], p["high"]], "peer") for p in figure["peers"]]
        top = 100 if figure["unit"] == "%" else max(max(values) for _, values, _ in entries)
        shown.append((figure["what"], figure["unit"], top, entries))
    return charts.ranges(shown) if shown else ""


def model_sums(records, anchors):
    """One entry for each model that was measured: its sum and what to compare it with."""
    sums = {}
    for r in records:
        model = charts.family(r["name"])
        if model in anchors["models"]:
            sums[model] = sums.get(model, 0) + r["cycles"]
    return [dict(anchors["models"][name], name=name, cycles=cycles) for name, cycles in sums.items()]


def page(records, model_records, trace, anchors):
    models = model_sums(model_records, anchors)
    groups = dict.fromkeys(charts.group(r["name"]) for r in records if r["macs"])
    classes = {name: f"f{index}" if index < COLOURS else "fx" for index, name in enumerate(groups)}
    keys = "".join(f'<span><i class="dot {kind}"></i>{escape(name)}</span>' for name, kind in classes.items())
    if model_records:
        keys += '<span><i class="dot ring"></i>layers of the networks</span>'
    sections = [("Roofline", "Every benchmark layer, data in DRAM at the start and at the end unless its name says "
                 "otherwise, and every layer of the networks, whose activations stay in the scratchpad. The distance below "
                 "the roof is what is left; only layers of a network, whose work overlaps with that of their neighbours, can lie "
                 "above it.",
                 charts.roofline(records, model_records, classes) + f'<p class="legend">{keys}</p>')]
    if models:
        bars = [(m["name"] + ": " + m["task"], [("this project", m["cycles"], "own"),
                                               ("Arm Ethos-U55-256", m["u55_256"], "peer"), ("aim", m["aim"], "aim"),
                                               ("bound", m["bound"], "aim")]) for m in models]
        sections.append(("Networks", "MLPerf Tiny: cycles of one inference, from the call to the result in DRAM, its bytes "
                         "compared with TFLite's. Ethos-U55-256: Vela's estimate with everything in SRAM. Bound: a padded "
                         "16 × 16 array, or the weight stream.", charts.bars(bars, "cycles") + network_table(models)))
    if peers := peer_chart(records, anchors["figures"]):
        sections.append(("Other designs", "Published figures of accelerators, with what the same kind of layer "
                         "reaches here. Their memory systems and array sizes differ.", peers))
    if trace is not None:
        sections.append(("Time line of a double-buffered layer", f"{TIMELINE[2]}: its first {TIMELINE_CYCLES:,} cycles from the "
                         "first DMA transfer on. Channel 0 loads the weights and the first tile; from then on, while the "
                         "array works on a tile, it loads the next one, and channel 1 stores the one before.", charts.timeline(*trace)))
    array = [r for r in records if r["macs"]]
    transfers = [r for r in records if not r["macs"] and charts.family(r["name"]) == "dma"]
    others = [r for r in records if not r["macs"] and charts.family(r["name"]) != "dma"]
    sections.append(("Layers", "Utilization is of the array's 256 MAC a cycle, 512 with int4 weights; where a benchmark measures "
                     "transfers, of the DRAM's bandwidth. Attainable: the roofline's cycles for the layer's MACs and DRAM "
                     "bytes. Core: what it did or waited for, from left to right as in the key below.",
                     folded("Matrix products, convolutions, depthwise and fully connected layers", array, classes, True)
                     + folded("Elementwise, activation, reduction and layout operators", others, classes, False)
                     + folded("DMA transfers", transfers, classes, False) + legend(records)))
    if model_records:
        tables = "".join(
            folded(f"{m['name']}: {m['task']}", [r for r in model_records if charts.family(r["name"]) == m["name"]], {}, True)
            for m in models)
        sections.append(("Layers of the networks", "A layer's cycles run from the start of its issue to that of the next. Layers "
                         "overlap: additions run beside the convolutions around them, and constants come ahead, so that a "
                         "layer may take less than its own bound.", tables + legend(model_records)))
    body = "".join(f"<section><h2>{escape(title)}</h2><p>{escape(words)}</p>{content}</section>"
                   for title, words, content in sections)
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>NPU benchmarks</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>{STYLE.read_text()}</style></head><body><header><h1>NPU benchmarks</h1>"
            "<p>Cycles of the RTL under Verilator: 16 × 16 int8 MAC array, 128 KiB scratchpad, DRAM with 16 bytes a "
            f'cycle and 60 cycles latency. Made by <code>scripts/npu report</code>.</p></header><div class="cards">'
            f"{cards(records, models)}</div>{body}</body></html>\n")


def check_files(options):
    """Says what is wrong with the files that are given, before anything is set up or measured."""
    for results in filter(None, (options.kernels, options.models)):
        read_lines(results)
    if options.output and not options.output.parent.is_dir():
        raise Failure(f"{options.output}: {options.output.parent} is no folder")


def run(options):
    OUT.mkdir(parents=True, exist_ok=True)
    anchors = json.loads(ANCHORS.read_text())
    records = kernel_records(options.kernels)
    if not records:
        raise Failure(f"{options.kernels or 'the benchmarks'}: no results to report")
    models = [r for r in (read_lines(options.models) if options.models else bench.models()) if "/" in r["name"]]
    target = options.output or OUT / "index.html"
    html = page(records, models, timeline_trace(), anchors)
    temporary = target.with_name(target.name + ".part")
    try:
        temporary.write_text(html)
        temporary.replace(target)
    except OSError as error:
        raise Failure(f"{target}: {error.strerror}")
    print(f"{relative(target)}: {len(records)} layers, {len(models)} layers of networks")
    return 0
