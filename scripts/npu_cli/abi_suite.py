# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of abi_programs.py with one half compiled by our compiler and the other one by a
stock compiler of riscv32, linked and run on the model; then with the halves changed round."""

import shlex
import subprocess

import abi_programs
from paths import BIN, BUILD, LLVM, TOOLCHAIN_BIN, environment
from results import FAILED, PASSED, Result

PACKAGES = ["gcc-riscv64-unknown-elf"]
OUT = BUILD / "compiler/abi"
STOCK = ["-march=rv32im", "-mabi=ilp32", "-ffreestanding"]
WIDE = "-fforce-enable-int128"
# Name, command for C, command for C++.
OURS = [TOOLCHAIN_BIN / "clang", "--target=npu", "-mllvm", "-verify-machineinstrs"]
CLANG = [LLVM / "bin/clang", "--target=riscv32-unknown-elf", *STOCK]
GCC = ["riscv64-unknown-elf-gcc", *STOCK]
COMMON = ["-w", "-c"]
CPP = ["-std=gnu++20", "-fno-exceptions", "-fno-rtti"]
LEVELS = ["-O0", "-O1", "-O2", "-Os", "-O3", "-Oz"]
LIMIT, CYCLES = 120, 100_000_000
# Functions that pass structures of several KiB by value need more than the default.
STACK = "-Wl,--defsym=__stack_size=131072"


class Broken(Exception):
    pass


def run(command):
    try:
        done = subprocess.run(list(map(str, command)), cwd=OUT, env=environment(), text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=LIMIT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        raise Broken(f"{shlex.join(map(str, command))}: no end after {LIMIT} s")
    if done.returncode:
        raise Broken(f"{shlex.join(map(str, command))}: exit status {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def compile_half(compiler, flags, source, level):
    # GCC 12 at -Os copies an argument that comes by reference with a call of memcpy before it has
    # saved the registers of the arguments behind it.
    if compiler is GCC and level in ("-Os", "-Oz"):
        level = "-O2"
    name = {id(OURS): "npu", id(CLANG): "clang", id(GCC): "gcc"}[id(compiler)]
    obj = source.with_suffix(f".{name}.o")
    run([*compiler, *COMMON, *flags, level, source, "-o", obj])
    return obj


def link_and_run(objects, program):
    run([TOOLCHAIN_BIN / "clang", "--target=npu", "-T", "npu-large.ld", STACK, OUT / "main.o", *objects, "-o", program])
    run([BIN / "npu-iss", "--config", "large", "--max-cycles", CYCLES, program])


def check(seed, other, cpp, name):
    """Both ways of sharing the program of one seed between our compiler and the other one. False
    when the other one does not even agree with itself."""
    flags = CPP if cpp else ["-std=gnu17"]
    if other is CLANG:
        flags = [*flags, WIDE]
    sources = [OUT / f"{name}-{half}.{'cc' if cpp else 'c'}" for half in "ab"]
    for source, text in zip(sources, abi_programs.halves(seed, cpp, other is CLANG)):
        source.write_text(text)
    levels = [LEVELS[(seed + 2 * half) % len(LEVELS)] for half in (0, 1)]
    ours = [compile_half(OURS, flags, source, level) for source, level in zip(sources, levels)]
    others = [compile_half(other, flags, source, level) for source, level in zip(sources, levels)]
    program = OUT / f"{name}.elf"
    try:
        link_and_run([ours[0], others[1]], program)
        link_and_run([others[0], ours[1]], program)
    except Broken:
        try:
            link_and_run(others, program)
        except Broken:
            return False
        raise
    for file in (*sources, *ours, *others, program):
        file.unlink()
    return True


def test(seed):
    """The result of one seed; sources and objects stay when it fails."""
    useless = []
    for other, label in ((CLANG, "clang"), (GCC, "gcc")):
        for cpp in (False, True):
            name = f"{seed}-{label}-{'c++' if cpp else 'c'}"
            try:
                if not check(seed, other, cpp, name):
                    useless.append(name)
            except Broken as reason:
                return Result(f"abi seed {seed}", FAILED, f"{name}: {reason}")
    return Result(f"abi seed {seed}", PASSED, " ".join(useless))


def prepare():
    OUT.mkdir(parents=True, exist_ok=True)
    source = OUT / "main.c"
    source.write_text(abi_programs.MAIN)
    run([*OURS, "-O1", "-c", source, "-o", OUT / "main.o"])
