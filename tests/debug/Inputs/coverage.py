# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of the scopes of variables has a location, ours and of stock clang for riscv32.

  coverage.py FOLDER CLANG STOCK_CLANG SOURCE...

Prints a line for each level of optimization: percent of the bytes of scope, over all sources.
"""

import json
import pathlib
import subprocess
import sys

COVERED = "sum_all_variables(#bytes in parent scope covered by DW_AT_location)"
SCOPE = "sum_all_variables(#bytes in parent scope)"
LOCATED, VARIABLES = "#source variables with location", "#source variables"


def statistics(compiler, level, source, folder):
    target = folder / f"{source.stem}.o"
    # The stock target has no vectors; a loop in them has many times the instructions.
    subprocess.run([*compiler, level, "-g", "-fno-vectorize", "-c", source, "-o", target], check=True)
    text = subprocess.run(["llvm-dwarfdump", "--statistics", target], check=True, capture_output=True,
                          text=True).stdout
    return json.loads(text)


def main():
    folder, clang, stock = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    folder.mkdir(parents=True, exist_ok=True)
    library = clang.resolve().parent.parent / "lib"
    headers = [next(library.glob("clang/*/include")), library / "clang-runtimes/npu/include"]
    compilers = {"ours": [clang, "--target=npu"],
                 "stock": [stock, "--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32", "-mrelax",
                           *(word for path in headers for word in ("-isystem", path))]}
    for level in ("-O0", "-Og", "-O2"):
        percent = {}
        for name, compiler in compilers.items():
            found = [statistics(compiler, level, pathlib.Path(source), folder) for source in sys.argv[4:]]
            total = lambda key: sum(one[key] for one in found)
            percent[name] = 100 * total(COVERED) / total(SCOPE)
            percent[f"{name} variables"] = 100 * total(LOCATED) / total(VARIABLES)
        print(f"{level} " + ", ".join(f"{name} {value:.1f}" for name, value in percent.items())
              + (" ok" if percent["ours"] >= percent["stock"] - 1 and
                 percent["ours variables"] >= percent["stock variables"] - 1 else " thin"))


main()
