#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates everything that repeats the instruction set or the machine's
parameters from their two sources: the TableGen description of the LLVM target
and isa-spec/platform.json.

  npu_isa_gen.py          writes the generated files of the repository
  npu_isa_gen.py --check  writes nothing; exits 1 and says why when a file is
                          stale or the description breaks a rule
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from isa import IsaError, load_isa
from isa_emit import emit_decoder_inc, emit_isa_inc, emit_isa_sv, emit_manual
from isa_rules import check_builtins, check_isa, check_timing
from platform_emit import (emit_platform_h, emit_platform_ld, emit_platform_sv,
                           load_platform)

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET_DIR = pathlib.Path("llvm-project-overlay/llvm/lib/Target/NPU")
INTRINSICS = pathlib.Path("llvm-project-overlay/llvm/include/llvm/IR/IntrinsicsNPU.td")
BUILTINS = pathlib.Path("llvm-project-overlay/clang/include/clang/Basic/BuiltinsNPU.td")
BUILTINS_CHAPTER = pathlib.Path("isa-spec/manual/07-intrinsics.md")
# What BuiltinsNPU.td uses of Clang's own description of builtins, which is not installed.
BUILTINS_BASE = """
class Attribute;
def NoThrow : Attribute;
class NamePrefix<string prefix>;
class TargetBuiltin {
  list<string> Spellings;
  list<Attribute> Attributes;
  NamePrefix RequiredNamePrefix;
  string Prototype;
}
"""


def find_tblgen():
    for name in ("llvm-tblgen-22", "/usr/lib/llvm-22/bin/llvm-tblgen", "llvm-tblgen"):
        path = shutil.which(name)
        if path:
            return path
    raise IsaError("llvm-tblgen 22 not found: install llvm-22-tools or pass --tblgen")


def run_tblgen(tblgen, name, arguments, text=None):
    done = subprocess.run([tblgen, *map(str, arguments)], input=text, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise IsaError(f"llvm-tblgen failed on {name}:\n{done.stderr.rstrip()}")
    return done.stdout


def dump_json(tblgen, include, target_dir):
    """The records of NPU.td as llvm-tblgen prints them."""
    return json.loads(run_tblgen(tblgen, "NPU.td", ["--dump-json", "-I", target_dir, "-I", include,
                                                    target_dir / "NPU.td"]))


def intrinsic_names(tblgen, include, path):
    """The enumerators of the intrinsics, as npu_wait."""
    text = f'include "llvm/IR/Intrinsics.td"\ninclude "{path.name}"\n'
    header = run_tblgen(tblgen, path.name, ["-gen-intrinsic-enums", "-intrinsic-prefix=xnpu",
                                            "-I", include, "-I", path.parent, "-"], text)
    return set(re.findall(r"^\s+(npu_\w+)", header, re.MULTILINE))


def builtin_names(tblgen, path):
    """The builtins behind their prefix, as wait."""
    if not path.is_file():
        raise IsaError(f"{path.name} not found")
    text = BUILTINS_BASE + re.sub(r"^include .*", "", path.read_text(encoding="utf-8"),
                                  flags=re.MULTILINE)
    dump = json.loads(run_tblgen(tblgen, path.name, ["--dump-json", "-"], text))
    return set(dump["!instanceof"]["TargetBuiltin"])


def generate(isa, platform):
    """Maps every generated file, relative to the repository, to its text."""
    files = {
        "rtl/generated/npu_isa_pkg.sv": emit_isa_sv(isa),
        "rtl/generated/npu_platform_pkg.sv": emit_platform_sv(platform),
        "isa-spec/model/generated/npu_isa.inc": emit_isa_inc(isa),
        "isa-spec/model/generated/npu_isa_decoder.inc": emit_decoder_inc(isa),
        "isa-spec/model/generated/npu_platform.h": emit_platform_h(platform),
        "isa-spec/manual/generated/encodings.md": emit_manual(isa, platform),
    }
    for config in platform["memory"]:
        files[f"runtime/generated/npu_memory_{config}.ld"] = emit_platform_ld(platform, config)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true",
                        help="compare with the committed files instead of writing them")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT,
                        help="repository to read and write (default: the one of this script)")
    parser.add_argument("--tblgen", help="llvm-tblgen of LLVM 22")
    parser.add_argument("--llvm-include", type=pathlib.Path,
                        help="folder of llvm/Target/Target.td (default: beside llvm-tblgen)")
    args = parser.parse_args()
    try:
        tblgen = args.tblgen or find_tblgen()
        include = args.llvm_include or pathlib.Path(os.path.realpath(tblgen)).parents[1] / "include"
        dump = dump_json(tblgen, include, args.root / TARGET_DIR)
        platform = load_platform(args.root / "isa-spec/platform.json")
        isa = load_isa(dump)
        check_isa(isa)
        if args.check:
            check_builtins(isa, intrinsic_names(tblgen, include, args.root / INTRINSICS),
                           builtin_names(tblgen, args.root / BUILTINS),
                           (args.root / BUILTINS_CHAPTER).read_text(encoding="utf-8"))
            check_timing(dump, platform)
        files = generate(isa, platform)
    except IsaError as error:
        print(f"npu_isa_gen: {error}", file=sys.stderr)
        return 1

    stale = []
    for name, text in sorted(files.items()):
        path = args.root / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if args.check:
            stale.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    for name in stale:
        print(f"npu_isa_gen: {name} is stale: run isa-spec/gen/npu_isa_gen.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
