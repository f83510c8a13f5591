# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the netlist of the synthesis becomes the table of blocks."""

import unittest

import synth


def cell(kind, **parameters):
    return {"type": kind, "parameters": {k: f"{v:032b}" for k, v in parameters.items()}}


class Blocks(unittest.TestCase):
    MODULES = {
        "top": {"attributes": {"top": "1"}, "cells": {
            "a": cell("inner$top.a"), "b": cell("inner$top.b"), "add": cell("$add"), "scope": cell("$scopeinfo")}},
        "inner$top.a": {"attributes": {}, "cells": {
            "q": cell("$adff", WIDTH=8), "m": cell("$mem_v2", WIDTH=32, SIZE=64), "x": cell("$mul")}},
        "inner$top.b": {"attributes": {}, "cells": {"q": cell("$dlatch", WIDTH=3)}},
    }

    def test_instances_are_added_up_and_latches_found(self):
        rows, latches = synth.totals(self.MODULES)
        self.assertEqual(latches, {"inner$top.b": 3})
        self.assertEqual(rows["inner"], {"instances": 2, "cells": 4, "register_bits": 8, "memory_bits": 2048,
                                         "multipliers": 1, "latches": 3})
        self.assertEqual(rows["top"]["cells"], 5)
        self.assertIn("| `inner` | 2 | 4 | 8 | 2,048 | 1 |", synth.page(rows))


if __name__ == "__main__":
    unittest.main()
