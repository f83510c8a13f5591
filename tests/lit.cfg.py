# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit configuration of every compiler test below this folder. Run it with
  /usr/lib/llvm-22/bin/lit tests/mc
after building the toolchain."""

import os
import pathlib
import sys

import lit.formats

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent
TOOLCHAIN = pathlib.Path(os.environ.get("NPU_TOOLCHAIN", ROOT / "build/toolchain"))
STOCK = pathlib.Path("/usr/lib/llvm-22/bin")

config.name = "npu"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".s", ".ll", ".mir", ".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = str(TESTS)
config.test_exec_root = str(ROOT / "build/tests")

# Ours first; FileCheck, llvm-readelf and the like come from the stock LLVM.
config.environment["PATH"] = os.pathsep.join(
    [str(TOOLCHAIN / "bin"), str(STOCK), os.environ.get("PATH", "")])

config.substitutions += [
    ("%clang_cc1", f"{TOOLCHAIN}/bin/clang -cc1 -triple npu-unknown-elf -target-cpu npu"),
    ("%clangxx", f"{TOOLCHAIN}/bin/clang++ --target=npu"),
    ("%clang", f"{TOOLCHAIN}/bin/clang --target=npu"),
    ("%python", sys.executable),
    ("%root", str(ROOT)),
    ("%stock", str(STOCK)),
]

# Programs for the NPU: compilers, the model and the RTL (in lockstep with the model). A bound on the
# cycles turns a hang into a failure.
clang = TOOLCHAIN / "bin/clang"
simulators = ROOT / "build/bin"
config.substitutions += [
    ("%iss_bin", f"{simulators}/npu-iss"),
    ("%rtl_bin", f"{simulators}/npu-rtl"),
    ("%cc", f"{clang} --target=npu"),
    ("%cxx", f"{clang}++ --target=npu"),
    ("%iss", f"{simulators}/npu-iss --check-races --max-cycles 2000000000"),
    ("%rtl", f"{simulators}/npu-rtl --max-cycles 20000000"),
    ("%gdb_session", f"{sys.executable} {TESTS}/debug/Inputs/gdb_session.py"),
]

# Long checks, with 'npu test --all'.
if lit_config.params.get("all"):
    config.available_features.add("all")
