# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report's page: complete, self-contained, and clear about bad input."""

import json
import re
import tempfile
import unittest
from pathlib import Path

import report
import report_charts
from paths import Failure


def record(name, cycles, macs, dram_bytes, **more):
    return {"name": name, "cycles": cycles, "macs": macs, "dram_bytes": dram_bytes,
            "utilization": macs / (256 * cycles), "ok": True} | more


RECORDS = [record("conv_int8/a", 1000, 200_000, 4000, bound="compute", share=0.8,
                  stalls={"queue": 600, "wait": 100}),
           record("conv_int4/<b>", 900, 400_000, 4000, bound="compute", share=0.9),
           record("softmax_int8/c", 500, 0, 64),
           record("depthwise_int8/d", 4000, 400_000, 60_000)]
MODELS = [record("KWS/first", 9000, 2_000_000, 900), record("KWS/second", 7000, 600_000, 900)]
ROW = {"ph": "M", "pid": 1, "tid": 3, "name": "thread_name", "args": {"name": "array: run"}}


class Report(unittest.TestCase):
    def setUp(self):
        anchors = json.loads(report.ANCHORS.read_text())
        trace = {"traceEvents": [ROW] + [{"ph": "X", "pid": 1, "tid": 3, "ts": t, "dur": 90, "name": "run"}
                                         for t in range(0, 1000, 100)]}
        self.page = report.page(RECORDS, MODELS, (trace, 0, 1000), anchors)

    def test_every_layer_is_there(self):
        for r in RECORDS + MODELS:
            self.assertIn(r["name"].replace("<", "&lt;").replace(">", "&gt;"), self.page)
        self.assertIn("16,000 cycles", self.page)  # the sum of the two layers
        self.assertNotIn("<b>:", self.page)

    def test_needs_nothing_else(self):
        self.assertIsNone(re.search(r"https?:|src=|href=|@import|url\(", self.page))

    def test_layers_without_macs_are_not_on_the_roofline(self):
        roofline = report_charts.roofline(RECORDS, [], {"conv_int8": "f0", "conv_int4": "f1", "depthwise_int8": "f2"})
        self.assertEqual(roofline.count("<circle"), 3)

    def test_timeline_joins_what_a_pixel_cannot_part(self):
        events = [ROW] + [{"ph": "X", "pid": 1, "tid": 3, "ts": t, "dur": 9, "name": "run"}
                          for t in range(0, 100_000, 10)]
        self.assertEqual(report_charts.timeline({"traceEvents": events}, 0, 100_000).count("<rect"), 1)

    def test_bad_records(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "kernels.json")
            path.write_text('{"name": "a/b", "cycles": 1}\n{"name"\n')
            with self.assertRaisesRegex(Failure, r"kernels\.json:2: not a line"):
                report.read_lines(path)
            with self.assertRaisesRegex(Failure, "No such file"):
                report.read_lines(Path(folder, "missing"))


if __name__ == "__main__":
    unittest.main()
