# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print FileCheck lines for the macros that repeat numbers of platform.json."""

import json
import sys

with open(sys.argv[1]) as file:
    platform = json.load(file)
for macro, value in (("vlen", platform["vector"]["bytes"]),
                     ("mac_rows", platform["mac"]["rows"]),
                     ("mac_cols", platform["mac"]["cols"])):
    print(f"CHECK-DAG: #define __npu_{macro}__ {value}{{{{$}}}}")
