# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts of the report, as inline SVG. Colours are classes, so that the page's style decides them."""

import math
import re
import statistics
from html import escape

PEAK = {"int8": 256, "int4": 512}  # MAC a cycle
BUS = 16  # bytes a cycle


def text(x, y, words, anchor="start", kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def svg(width, height, parts, label):
    return (f'<div class="wide"><svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">'
            + "".join(parts) + "</svg></div>")


def count(value):
    """12345678 -> 12.3 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:g}"


def ticks(low, high):
    """Powers of two from low to high."""
    return [2.0 ** e for e in range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)]


def family(name):
    return name.partition("/")[0]


def group(name):
    """Families of a kind have one colour: where the data lie, how often a kernel runs and what is joined to a convolution
    make no difference, and layers with int16 activations are one kind."""
    kind = re.sub("_(tcm|single|separate|call)$", "", family(name)).removeprefix("batch_").replace("matvec", "fully_connected")
    if kind.endswith("_int16"):
        return "int16 activations"
    return re.sub("^conv_(add|(max|avg)_pool)", "conv_fused", kind)


def peak(name):
    """MAC a cycle of the array for a benchmark's data type."""
    return PEAK["int4" if "int4" in family(name) else "int8"]


def traffic(record):
    """Bytes of DRAM traffic in the busier direction."""
    return record.get("busier_bytes", record["dram_bytes"])


def roofline(records, networks, classes):
    """MAC a cycle against MACs for each byte of DRAM traffic; classes maps groups to a CSS class, the layers of
    networks are rings."""
    width, height, left, right, top, bottom = 1120, 500, 64, 24, 16, 52
    points = [(r["macs"] / traffic(r), r["macs"] / r["cycles"], r) for r in networks + records
              if r["macs"] and traffic(r) and r["cycles"]]
    x0 = 2.0 ** math.floor(math.log2(min([p[0] for p in points] + [1])))
    x1 = 2.0 ** math.ceil(math.log2(max([p[0] for p in points] + [128])))
    y0 = 2.0 ** math.floor(math.log2(min([p[1] for p in points] + [16])))
    y1 = 720.0

    def x(value):
        return left + (width - left - right) * math.log(value / x0) / math.log(x1 / x0)

    def y(value):
        return height - bottom - (height - top - bottom) * math.log(value / y0) / math.log(y1 / y0)

    parts = []
    for tick in ticks(x0, x1):
        parts += [line(x(tick), top, x(tick), height - bottom, "grid"),
                  text(x(tick), height - bottom + 18, f"{tick:g}", "middle", "tick")]
    for tick in ticks(y0, y1):
        parts += [line(left, y(tick), width - right, y(tick), "grid"),
                  text(left - 8, y(tick) + 4, f"{tick:g}", "end", "tick")]
    parts += [text((left + width - right) / 2, height - 12, "MAC per byte of DRAM traffic in the busier direction",
                   "middle", "axis"),
              f'<g transform="translate(16 {(top + height - bottom) / 2}) rotate(-90)">'
              + text(0, 0, "MAC per cycle", "middle", "axis") + "</g>"]
    labels = []  # above the points
    for kind, rate in PEAK.items():
        ridge = rate / BUS
        start = max(x0, y0 / BUS)
        parts += [line(x(start), y(start * BUS), x(min(ridge, x1)), y(min(ridge, x1) * BUS), "roof")]
        if ridge < x1:
            parts.append(line(x(ridge), y(rate), x(x1), y(rate), "roof"))
            labels.append(text(x(x1) - 4, y(rate) - 7, f"{kind} array: {rate} MAC/cycle", "end", "rooftext"))
    at = max(x0, y0 / BUS) * 1.4
    slope = math.degrees(math.atan2(y(at * BUS) - y(2 * at * BUS), x(2 * at) - x(at)))
    labels.append(f'<g transform="translate({x(at):.1f} {y(at * BUS) + 16:.1f}) rotate({-slope:.1f})">'
                  + text(0, 0, f"DRAM: {BUS} bytes/cycle", "start", "rooftext") + "</g>")
    for intensity, rate, r in points:
        kind, radius = classes.get(group(r["name"]), "ring"), 5 if group(r["name"]) in classes else 3.5
        parts.append(f'<circle cx="{x(intensity):.1f}" cy="{y(rate):.1f}" r="{radius}" class="{kind}">'
                     f'<title>{escape(r["name"])}: {rate:.1f} MAC/cycle, {intensity:.1f} MAC/byte</title></circle>')
    return svg(width, height, parts + labels, "roofline of the benchmark layers")


def bars(groups, unit):
    """groups: [(title, [(label, value, class)])]; one horizontal bar each, scaled within its group."""
    width, left, row, gap = 1120, 190, 22, 16
    parts, y = [], 4
    for title, entries in groups:
        longest = max(value for _, value, _ in entries)
        parts.append(text(0, y + 15, title, "start", "group"))
        y += row
        for label, value, kind in entries:
            length = (width - left - 130) * value / longest
            parts += [text(left - 8, y + 15, label, "end", "tick"),
                      f'<rect x="{left}" y="{y + 2}" width="{length:.1f}" height="{row - 5}" rx="3" class="{kind}"/>',
                      text(left + length + 8, y + 15, f"{value:,.0f} {unit}".rstrip(), "start", "value")]
            y += row
        y += gap
    return svg(width, y, parts, "comparison")


def words(values, unit):
    low, high = min(values), max(values)
    if low == high:
        return f"{low:.3g} {unit}"
    middle = f", median {statistics.median(values):.3g}" if len(values) > 2 else ""
    return f"{low:.3g}–{high:.3g} {unit}{middle}"


def ranges(figures):
    """figures: [(title, unit, top, [(label, values, class)])]; bars from the lowest to the highest value on one scale
    each, the median marked where there are more than two."""
    width, left, row, gap = 1120, 300, 22, 16
    parts, y = [], 4
    for title, unit, top, entries in figures:
        parts.append(text(0, y + 15, title, "start", "group"))
        y += row
        for label, values, kind in entries:
            low, high = min(values), max(values)
            scale = (width - left - 220) / top
            parts += [text(left - 8, y + 15, label, "end", "tick"),
                      line(left, y + row / 2, width - 220, y + row / 2, "grid"),
                      f'<rect x="{left + low * scale - 2:.1f}" y="{y + 3}" width="{max((high - low) * scale, 0) + 4:.1f}" '
                      f'height="{row - 7}" rx="3" class="{kind}"/>',
                      text(left + high * scale + 10, y + 15, words(values, unit), "start", "value")]
            if len(values) > 2:
                at = left + statistics.median(values) * scale
                parts.append(line(at, y + 3, at, y + row - 4, "median"))
            y += row
        y += gap
    return svg(width, y, parts, "comparison with published figures")


def timeline(trace, begin, end):
    """What each unit did from cycle begin to end of a Perfetto trace, gaps below a pixel closed."""
    width, left, right, row, top = 1120, 110, 28, 30, 10
    names, slices = {}, {}
    for event in trace["traceEvents"]:
        if event["ph"] == "M" and event["name"] == "thread_name":
            names[event["tid"]] = event["args"]["name"]
        elif event["ph"] == "X" and event["ts"] < end and event["ts"] + event["dur"] > begin:
            slices.setdefault(event["tid"], []).append(event)
    scale = (width - left - right) / (end - begin)
    height = top + row * len(slices) + 34
    parts = []
    step = 10 ** math.floor(math.log10((end - begin) / 4))
    step *= 5 if (end - begin) / step > 20 else 2 if (end - begin) / step > 10 else 1
    for tick in range(0, end - begin + 1, int(step)):
        x = left + tick * scale
        parts += [line(x, top, x, height - 30, "grid"), text(x, height - 12, f"{tick:,}", "middle", "tick")]
    for index, tid in enumerate(sorted(slices)):
        name, y = names[tid], top + index * row
        parts += [text(left - 8, y + 18, name, "end", "tick"), line(left, y + row - 3, width - right, y + row - 3, "grid")]
        merged = []
        for event in sorted(slices[tid], key=lambda e: e["ts"]):
            a, b = max(event["ts"], begin), min(event["ts"] + event["dur"], end)
            label = event["name"]
            same = merged and (merged[-1][2] == label or "run" in name or "load" in name)
            if same and (a - merged[-1][1]) * scale < 0.7:
                merged[-1][1] = b
            else:
                merged.append([a, b, label])
        for a, b, label in merged:
            parts.append(f'<rect x="{left + (a - begin) * scale:.2f}" y="{y + 4}" width="{max((b - a) * scale, 0.4):.2f}" '
                         f'height="{row - 10}" class="t{tid - 1}"><title>{escape(label)}: cycles {a}–{b} ({b - a})</title></rect>')
            if (b - a) * scale > 7 * len(label) and name.startswith("core"):
                parts.append(text(left + ((a + b) / 2 - begin) * scale, y + 18, label, "middle", "slice"))
    return svg(width, height, parts, "time line of one layer")


def stack(stalls, issued, cycles):
    """A small bar: the share of the core's cycles by what it did or waited for."""
    width, x, parts = 130, 0.0, []
    for cause, value in [("issued", issued)] + sorted(stalls.items(), key=lambda item: -item[1]):
        share = width * value / cycles
        if share < 0.4:
            continue
        parts.append(f'<rect x="{x:.1f}" y="0" width="{share:.1f}" height="12" class="s-{cause}">'
                     f'<title>{escape(cause)}: {value:,} cycles, {value / cycles:.1%}</title></rect>')
        x += share
    return f'<svg class="stack" viewBox="0 0 {width} 12" preserveAspectRatio="none">{"".join(parts)}</svg>'
