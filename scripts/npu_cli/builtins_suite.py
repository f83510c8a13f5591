# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compiler-rt's own tests of the builtins, compiled for the NPU and run on the model."""

import os
import shutil
import subprocess

from paths import BIN, BUILD, CACHE, ROOT, TOOLCHAIN_BIN, Failure, environment
from results import FAILED, PASSED, SKIPPED, Result

SOURCE = BUILD / "llvm-src/compiler-rt"
INPUTS = ROOT / "tests/compiler/Inputs"
OUT = BUILD / "compiler/builtins"
# The source tree of the toolchain is unpacked without tests.
UNIT = OUT / "Unit"
ARCHIVE_FOLDER = "compiler-rt/test/builtins/Unit"
CC = [TOOLCHAIN_BIN / "clang", "--target=npu", "-O2", "-w", "-T", "npu-large.ld", "-fno-builtin",
      "-mllvm", "-verify-machineinstrs",
      "-DCOMPILER_RT_HAS_FLOAT16", "-I", SOURCE / "lib/builtins", "-I", UNIT, "-I", INPUTS]
WIDE = "-fforce-enable-int128"
# The tables of some tests are larger than the scratchpad.
IN_DRAM = ["-include", INPUTS / "dram_data.h"]
# Tests that ask for 64-bit pointers, but need only the 128-bit long double.
LONG_DOUBLE = "__LP64__ && __LDBL_MANT_DIG__ == 113"
# What else single tests need: atomic operations of 16 bytes are not in the library; printf without
# the macro of glibc's age; a type that the test asks for, but does not use.
FLAGS = {
    "atomic_test": ["-fno-force-enable-int128"],
    "compiler_rt_logb_test": ["-D__GLIBC_PREREQ(x,y)=1"],
    "floatuntisf_test": ["-include", INPUTS / "all_types.h"],
}
# Tests of what does not exist here.
CANNOT = {
    "vfp_test": "Arm's floating-point unit",
    "xf2_test": "80-bit long double",
    "extendxftf2_test": "80-bit long double",
    "fixunsxfdi_test": "80-bit long double",
    "fixxfdi_test": "80-bit long double",
    "floatdixf_test": "80-bit long double",
    "floatundixf_test": "80-bit long double",
    "truncxfhf2_test": "80-bit long double",
    "enable_execute_stack_test": "the scratchpad, where stacks are, holds no code",
    "gcc_personality_test": "no exceptions",
    "mulsi3_test": "the machine multiplies, and the library has no function for it",
    "trampoline_setup_test": "clang has no nested functions",
}
LIMIT, CYCLES = 120, 4_000_000_000
# Every default run takes one in so many.
SHARE = 6


def sources():
    """All tests but those of other machines."""
    return [source for source in sorted(UNIT.glob("*.c"))
            if "-target-arch" not in source.read_text(errors="replace")]


def run(command):
    try:
        return subprocess.run(list(map(str, command)), env=environment(), text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=LIMIT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=OUT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, f"no end after {LIMIT} s")


def test(source):
    name = f"builtins {source.stem}"
    for ending, reason in CANNOT.items():
        if source.stem.endswith(ending):
            return Result(name, SKIPPED, f"compiler-rt: {reason}")
    program = OUT / f"{source.stem}.elf"
    flags = [*IN_DRAM, WIDE, *FLAGS.get(source.stem, [])]
    if LONG_DOUBLE in source.read_text(errors="replace"):
        flags.append("-D__LP64__")
    build = run([*CC, *flags, source, "-o", program, "-lm"])
    if build.returncode:
        return Result(name, FAILED, build.stdout[-3000:])
    done = run([BIN / "npu-iss", "--config", "large", "--max-cycles", CYCLES, program])
    program.unlink()
    if done.returncode:
        return Result(name, FAILED, f"exit status {done.returncode}\n{done.stdout[-3000:]}")
    if done.stdout.strip() in ("skipped", "not supported"):
        return Result(name, FAILED, "the test skips itself")
    return Result(name, PASSED)


def archive():
    """The pinned archive of LLVM, which set-up has downloaded."""
    for line in (ROOT / "toolchain/sources.lock").read_text().splitlines():
        if line.startswith("llvm-toolchain-22_") and ".orig." in line:
            return CACHE / "downloads" / line.split()[1]
    raise Failure("toolchain/sources.lock names no archive of LLVM")


def prepare():
    OUT.mkdir(parents=True, exist_ok=True)
    if UNIT.exists():
        return
    fresh = OUT / "unpacking"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    done = subprocess.run(["tar", "xf", archive(), "-C", fresh, "--strip-components=5", "--wildcards",
                           f"*/{ARCHIVE_FOLDER}/*"], capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"unpacking the tests of compiler-rt: {done.stderr.strip()[-500:]}")
    os.replace(fresh, UNIT)
