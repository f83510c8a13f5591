# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the data of a coverage run are read and added up."""

import tempfile
import unittest
from pathlib import Path

import coverage


def record(hits, **fields):
    return "C '" + "".join(f"\x01{k}\x02{v}" for k, v in fields.items()) + f"' {hits}\n"


class Points(unittest.TestCase):
    def test_instances_and_lines(self):
        text = "# SystemC::Coverage-3\n"
        text += record(0, f="/a/rtl/x.sv", l=7, n=3, page="v_line/x", o="block", S="7-9,11", h="top.a")
        text += record(2, f="/a/rtl/x.sv", l=7, n=3, page="v_line/x", o="block", S="7-9,11", h="top.b")
        text += record(0, f="/a/rtl/x.sv", l=12, n=5, page="v_branch/x", o="else", S="12", h="top.a")
        text += record(0, f="/a/rtl/x.sv", l=3, n=9, page="v_toggle/x", o="q[1]", h="top.a")
        text += record(5, f="/a/rtl/sim/npu_sim.sv", l=3, n=9, page="v_toggle/npu_sim", o="q", h="top")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "merged.dat")
            path.write_text(text)
            points, lines = coverage.read_points(path)
        self.assertEqual(lines, {"x.sv": {7: 2, 8: 2, 9: 2, 11: 2, 12: 0}})
        self.assertEqual(coverage.table(points, lines)[0], ("all", (4, 5), (1, 2), (0, 1)))

    def test_bins(self):
        rows = [("add", "first", "0", "none", 3), ("add", "first", "0", "behind load", 0),
                ("add", "second", "min", "none", 0), ("add", "second", "min", "behind load", 1)]
        operands, hazards, product = coverage.projections(rows)
        self.assertEqual([coverage.share(bins.values()) for bins in (operands, hazards, product)],
                         [(2, 2), (2, 2), (2, 4)])


if __name__ == "__main__":
    unittest.main()
