# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test results and how they are shown."""

from dataclasses import dataclass

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
DETAIL_LINES = 40


@dataclass
class Result:
    name: str
    status: str
    detail: str = ""


def counts(results):
    return tuple(sum(r.status == status for r in results) for status in (PASSED, FAILED, SKIPPED))


def summary(results):
    return "{} passed, {} failed, {} skipped".format(*counts(results))


def show_failures(suite, results):
    for r in results:
        if r.status == FAILED:
            print(f"--- FAILED {suite}: {r.name}")
            lines = r.detail.rstrip().splitlines()
            if len(lines) > DETAIL_LINES:
                head = DETAIL_LINES // 4
                cut = len(lines) - DETAIL_LINES
                lines = lines[:head] + [f"... {cut} lines left out ..."] + lines[head + cut:]
            print("\n".join("    " + line for line in lines), flush=True)


def show_skips(results):
    """One line for each reason, with how many tests it skipped."""
    reasons = {}
    for r in results:
        if r.status == SKIPPED:
            text = " ".join(r.detail.split()) or "no reason given"
            reasons[text[:150]] = reasons.get(text[:150], 0) + 1
    for reason, number in sorted(reasons.items()):
        print(f"    {number} skipped: {reason}", flush=True)
