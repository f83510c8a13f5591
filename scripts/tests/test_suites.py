# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How results of the test tools and of the benchmarks are read."""

import json
import tempfile
import unittest
from pathlib import Path

import bench
import report
import results
import suites
from paths import ROOT


class GoogleTest(unittest.TestCase):
    def test_every_outcome(self):
        report = {"testsuites": [{"name": "Dma", "testsuite": [
            {"name": "Copies", "classname": "Dma", "status": "RUN", "result": "COMPLETED"},
            {"name": "Fails", "classname": "Dma", "status": "RUN", "result": "COMPLETED",
             "failures": [{"failure": "dma.cpp:7\nExpected 1"}]},
            {"name": "Skips", "classname": "Dma", "status": "RUN", "result": "SKIPPED",
             "skipped": [{"message": "no PyPI"}]},
            {"name": "DISABLED_Off", "classname": "Dma", "status": "NOTRUN", "result": "SUPPRESSED"}]}]}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "report.json")
            path.write_text(json.dumps(report))
            found = list(suites.parse_gtest(path))
        self.assertEqual([(r.name, r.status) for r in found],
                         [("Dma.Copies", results.PASSED), ("Dma.Fails", results.FAILED),
                          ("Dma.Skips", results.SKIPPED)])
        self.assertIn("Expected 1", found[1].detail)
        self.assertEqual(results.summary(found), "1 passed, 1 failed, 1 skipped")


class Suites(unittest.TestCase):
    def test_each_test_folder_is_a_suite_with_a_description(self):
        for folder in (ROOT / "tests").iterdir():
            if folder.is_dir() and folder.name[0] not in "_.":
                self.assertTrue(suites.known().get(folder.name), folder.name)


class Bench(unittest.TestCase):
    def test_record(self):
        line = "BENCH name=matmul_int8/64x64x64 cycles=2048 macs=262144 dram_bytes=0 ok=1"
        self.assertEqual(bench.parse(line), {
            "name": "matmul_int8/64x64x64", "sim": "rtl", "cycles": 2048, "macs": 262144,
            "utilization": 0.5, "dram_bytes": 0, "busier_bytes": 0, "ok": True, "bound": "compute", "attainable": 1024,
            "share": 0.5})

    def test_roofline(self):
        call = {"dram_read_bytes": 32000, "dram_write_bytes": 160, "stalls": {"wait": 1}, "array_busy_cycles": 7}
        cases = (  # words of the line, bound, attainable cycles
            ("macs=262144", "memory", 2000),
            ("macs=2621440", "compute", 10240),
            ("macs=262144 read=64 write=32", "compute", 1024),
            ("macs=262144 read=0 peak=128", "compute", 2048),
            ("macs=0", "memory", 2000))
        for words, bound, attainable in cases:
            record = bench.parse(f"BENCH name=a/b cycles=4000 {words} ok=1", {}, call)
            self.assertEqual((record["bound"], record["attainable"]), (bound, attainable), words)
            self.assertEqual((record["stalls"], record["array_busy"]), ({"wait": 1}, 7))
        record = bench.parse("BENCH name=conv_int4/x cycles=1024 macs=262144 dram_bytes=0 ok=1")
        self.assertEqual(record["share"], 0.5)
        record = bench.parse("BENCH name=dma/x cycles=200 macs=0 dram_bytes=3200 bus_bytes=1600 bus_width=16 ok=1")
        self.assertEqual((record["bound"], record["attainable"], record["share"]), ("memory", 100, 0.5))
        record = bench.parse("BENCH name=relu_tcm/x cycles=200 macs=0 dram_bytes=0 ok=1")  # the core's work alone
        self.assertEqual((record["bound"], record["attainable"], record["share"]), ("core", 0, 0))

    def test_bytes_from_the_simulator(self):
        record = bench.parse("BENCH name=a/b cycles=1 macs=0 dram_bytes=stats ok=0",
                             {"dram_read_bytes": 40, "dram_write_bytes": 2})
        self.assertEqual((record["dram_bytes"], record["ok"]), (42, False))

    def test_other_lines(self):
        for line in ("", "hello", "BENCHMARK name=x"):
            self.assertIsNone(bench.parse(line))


class Report(unittest.TestCase):
    RECORD = {"name": "conv_int8/a", "cycles": 100, "macs": 12800, "utilization": 0.5, "dram_bytes": 1600,
              "busier_bytes": 800, "ok": True, "bound": "compute", "attainable": 50, "share": 0.5,
              "stalls": {"queue": 40}}

    def test_page_has_every_layer_and_needs_nothing_else(self):
        anchors = json.loads(report.ANCHORS.read_text())
        kernels = [self.RECORD, self.RECORD | {"name": "dma/<b>", "macs": 0, "bandwidth": 0.25},
                   self.RECORD | {"name": "add_int8/c", "macs": 0, "attainable": 0, "bound": "core", "ok": False}]
        networks = [self.RECORD | {"name": f"{name}/{layer}"} for name in ("KWS", "AD") for layer in ("first", "last")]
        trace = {"traceEvents": [
            {"ph": "M", "name": "thread_name", "tid": 1, "args": {"name": "core: function"}},
            {"ph": "X", "name": "main", "tid": 1, "ts": 10, "dur": 80}]}
        page = report.page(kernels, networks, (trace, 0, 100), anchors)
        for words in ("conv_int8/a", "dma/&lt;b&gt;", "wrong bytes", "KWS/first", "AD/last", "2 of 3", "25.0%",
                      "201.47 ×", "queue: 40 cycles, 40.0%", "main: cycles 10–90 (80)"):  # 40,293 / 200
            self.assertTrue(words in page, words)
        self.assertNotRegex(page, r"(src|href)=|@import|url\(")


if __name__ == "__main__":
    unittest.main()
