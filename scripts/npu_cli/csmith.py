# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C programs: compiled by our compiler at several levels with every check of the code
generator on and run on the model, and compiled by GCC for the host. The checksums that they
print must agree. csmith's programs depend on the widths of the types, so the host's are 32-bit
ones; host32.c is all the library they get."""

import shlex
import subprocess

from paths import BIN, BUILD, ROOT, TOOLCHAIN_BIN, environment
from results import FAILED, PASSED, SKIPPED, Result

PACKAGES = ["csmith"]
OUT = BUILD / "compiler/csmith"
SUPPORT = ROOT / "tests/compiler/Inputs/host32.c"
HEADERS = "/usr/include/csmith"
SYSROOT = BUILD / "toolchain/lib/clang-runtimes/npu-unknown-elf"
HOST = ["gcc", "-m32", "-malign-double", "-fno-pic", "-fno-stack-protector", "-w"]
CC = [TOOLCHAIN_BIN / "clang", "--target=npu", "-w", "-isystem", HEADERS, "-T", "npu-large.ld", "-Wl,--defsym=__stack_size=262144",
      "-mllvm", "-verify-machineinstrs"]
# Three levels for each program, the fourth differs from program to program.
LEVELS = [["-O0"], ["-O2"], ["-Os"]]
OTHERS = [["-O1", "-g"], ["-O3"], ["-Oz"], ["-O2", "-flto"], ["-O0", "-g"], ["-Og", "-g"]]
COMPILE_LIMIT, HOST_LIMIT, MODEL_LIMIT = 120, 5, 120
MODEL_CYCLES, RTL_CYCLES = 2_000_000_000, 3_000_000
# One program in this many runs on the RTL, too, every instruction checked by the model.
RTL_SHARE = 10


class Broken(Exception):
    pass


def run(command, limit):
    """Exit status and output; the status of what took too long is 124."""
    try:
        done = subprocess.run(list(map(str, command)), cwd=OUT, env=environment(), text=True,
                              errors="replace", stdin=subprocess.DEVNULL, timeout=limit,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return 124, f"no end after {limit} s"


def must(command, limit):
    status, output = run(command, limit)
    if status:
        raise Broken(f"{shlex.join(map(str, command))}: exit status {status}\n{output[-3000:]}")
    return output


def host_support():
    obj = OUT / "host32.o"
    if not obj.exists() or obj.stat().st_mtime < SUPPORT.stat().st_mtime:
        must([*HOST, "-O2", "-ffreestanding", "-fno-builtin", "-fno-tree-loop-distribute-patterns",
              "-c", SUPPORT, "-o", obj], COMPILE_LIMIT)
    return obj


def expected(source, support):
    """What the program prints on the host; None when it does not end soon."""
    headers = must(["gcc", "-print-file-name=include"], HOST_LIMIT).strip()
    program = source.with_suffix(".host")
    must([*HOST, "-O1", "-fwrapv", "-nostdinc", "-isystem", headers, "-isystem", SYSROOT / "include",
          "-isystem", HEADERS, "-nostdlib", "-static", "-no-pie", source, support, "-o", program],
         COMPILE_LIMIT)
    status, output = run([program], HOST_LIMIT)
    program.unlink()
    return None if status == 124 else (status, output)


def check(source, flags, wanted, rtl=False):
    """Raises Broken when the program compiled with these flags does something else."""
    program = source.with_suffix(f".{''.join(flags).strip('-')}.elf")
    must([*CC, *flags, source, "-o", program], COMPILE_LIMIT)
    command = [BIN / "npu-iss", "--config", "large", "--max-cycles", MODEL_CYCLES, program]
    got = run(command, MODEL_LIMIT)
    if got != wanted:
        raise Broken(f"{shlex.join(map(str, CC + flags))}: the host gives {wanted}, the model {got}")
    if rtl:
        status, output = run([BIN / "npu-rtl", "--lockstep", "--config", "large", "--max-cycles",
                              RTL_CYCLES, program], MODEL_LIMIT)
        # A program may be too long for the RTL: then its beginning was checked.
        if status != 124 and (status, output) != wanted:
            raise Broken(f"{program.name} on the RTL: exit status {status}\n{output[-3000:]}")
    program.unlink()


def test(seed, support):
    """The result of the program of one seed; its source stays when it fails."""
    name = f"csmith seed {seed}"
    source = OUT / f"{seed}.c"
    try:
        must(["csmith", "--seed", seed, "--no-packed-struct", "--output", source], COMPILE_LIMIT)
        wanted = expected(source, support)
        if wanted is None:
            source.unlink()
            return Result(name, SKIPPED, "does not end")
        for flags in LEVELS + [OTHERS[seed % len(OTHERS)]]:
            check(source, flags, wanted, rtl=seed % RTL_SHARE == 0 and flags == ["-O2"])
    except Broken as reason:
        return Result(name, FAILED, str(reason))
    source.unlink()
    return Result(name, PASSED)


def prepare():
    OUT.mkdir(parents=True, exist_ok=True)
    return host_support()
