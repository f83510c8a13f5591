# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector_reach.py ROOT LISTING...: every vector instruction of the instruction set description
stands in the function of its name in each disassembly. A scalar form (.x) has no function: it is
the vector form with a broadcast operand."""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "isa-spec/gen"))

import npu_isa_gen  # noqa: E402
from isa import load_isa  # noqa: E402


def functions(path):
    """{function: its mnemonics} of an llvm-objdump listing."""
    found, name = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if label := re.fullmatch(r"<(\S+)>:", line):
            name = label[1]
            found[name] = set()
        elif name and line.strip():
            found[name].add(line.split()[0])
    return found


def main():
    tblgen = npu_isa_gen.find_tblgen()
    include = pathlib.Path(tblgen).resolve().parents[1] / "include"
    isa = load_isa(npu_isa_gen.dump_json(tblgen, include, ROOT / npu_isa_gen.TARGET_DIR))
    wanted = [inst.mnemonic for inst in isa.instructions
              if inst.extension.startswith("XnpuVec") and not inst.mnemonic.endswith(".x")]
    missing = 0
    for path in map(pathlib.Path, sys.argv[2:]):
        found = functions(path)
        for mnemonic in wanted:
            name = mnemonic.replace(".", "_")
            if mnemonic not in found.get(name, ()):
                print(f"{path.name}: no {mnemonic} in function {name}")
                missing += 1
    print(f"{len(wanted)} instructions")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
