# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparison of compilers: what is read from a link map, and how ratios are summed up."""

import tempfile
import unittest
from pathlib import Path

import compiler_bench

LINK_MAP = """     VMA      LMA     Size Align Out     In      Symbol
10000000 10000000     2f00     4 .text
10000000 10000000       40     4         /b/lib/crt0.o:(.text)
10000040 10000040      100     4         /b/bench/sort-npu-Os-0123abcd.o:(.text)
10000140 10000140        8     4         /b/bench/sort-npu-Os-0123abcd.o:(.text.unlikely)
10000148 10000148       10     4         /b/bench/sort-npu-Oz-0123abcd.o:(.text)
10000158 10000158       20     4         /b/bench/main.o:(.text)
20000000 20000000       30     4         /b/bench/sort-npu-Os-0123abcd.o:(.rodata)
"""


def record(name, compiler, level, cycles, text):
    return {"name": name, "compiler": compiler, "level": level, "cycles": cycles, "text_bytes": text}


class CompilerBench(unittest.TestCase):
    def test_text_of_the_object_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.map")
            path.write_text(LINK_MAP)
            self.assertEqual(compiler_bench.text_bytes(path, "sort-npu-Os"), 0x108)
            self.assertEqual(compiler_bench.text_bytes(path, "sort-gcc-Os"), 0)

    def test_geometric_means_and_worst_program(self):
        records = [record(name, compiler, level, cycles, 100)
                   for level in compiler_bench.LEVELS
                   for name, figures in (("a", (50, 100, 200)), ("b", (200, 100, 100)))
                   for compiler, cycles in zip(compiler_bench.COMPILERS, figures)]
        times = {"a": {compiler_bench.OURS: 1.0, compiler_bench.STOCK: 2.0},
                 "b": {compiler_bench.OURS: 2.0, compiler_bench.STOCK: 2.0}}
        summaries = list(compiler_bench.summarize(records, times))
        first = next(s for s in summaries if s["summary"] == "cycles" and s["against"] == compiler_bench.STOCK)
        self.assertEqual((first["geomean"], first["worst"], first["worst_ratio"]), (1.0, "b", 2.0))
        self.assertEqual(summaries[-1]["ratio"], 0.75)

    def test_programs_are_many_and_have_a_driver_apart(self):
        names = compiler_bench.programs()
        self.assertGreaterEqual(len(names), 16)
        self.assertNotIn("main", names)
