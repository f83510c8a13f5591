# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C programs: compiled by our compiler at several levels with every check of the code
generator on and run on the model, and compiled by GCC for the host. The checksums that they
print must agree. csmith's programs depend on the widths of the types, so the host's are 32-bit
ones; host32.c is all the library they get. One level of each program runs on the RTL, too, every
instruction checked by the model.

Programs with packed structures may take the address of a member and access it as an aligned one,
which the core traps and C leaves undefined. The alignment sanitizer tells these programs from
wrong code, or, because it looks at neither ++ nor --, the stock compiler's code that traps, too.
Such a program is replaced by the one that csmith makes of the same seed without packed structures."""

import shlex
import signal
import subprocess

from paths import BIN, BUILD, LLVM, ROOT, TOOLCHAIN_BIN, environment
from results import FAILED, PASSED, SKIPPED, Result

PACKAGES = ["csmith", "libcsmith-dev"]  # the generator, and the header of its programs
OUT = BUILD / "compiler/csmith"
SUPPORT = ROOT / "tests/compiler/Inputs/host32.c"
HEADERS = "/usr/include/csmith"
SYSROOT = BUILD / "toolchain/lib/clang-runtimes/npu-unknown-elf"
HOST = ["gcc", "-m32", "-malign-double", "-fno-pic", "-fno-stack-protector", "-w"]
CC = [TOOLCHAIN_BIN / "clang", "--target=npu", "-w", "-isystem", HEADERS, "-T", "npu-large.ld", "-Wl,--defsym=__stack_size=262144",
      "-mllvm", "-verify-machineinstrs"]
# Programs of moderate size: the verifier runs after every pass.
GENERATE = ["csmith", "--max-funcs", "6", "--max-block-depth", "4"]
# Three levels for each program, the fourth differs from program to program.
LEVELS = [["-O0"], ["-O2"], ["-Os"]]
OTHERS = [["-O1", "-g"], ["-O3"], ["-Oz"], ["-O2", "-flto"], ["-O0", "-g"], ["-Og", "-g"]]
# The sanitizer does not look at volatile accesses.
ALIGNMENT = ["-fsanitize=alignment", "-fsanitize-trap=alignment", "-Dvolatile="]
STOCK = [LLVM / "bin/clang", "--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32", "-w",
         "-isystem", HEADERS, "-isystem", SYSROOT / "include"]
COMMAND_LIMIT = 300
# host32.c ends a program that takes too long on the host with SIGVTALRM. The model has far more
# time than that: what ends on the host must end there.
MODEL_CYCLES = 4_000_000_000
# A program that is longer than this on the RTL: its beginning was checked.
RTL_CYCLES = 1_000_000
TIME_IS_UP = 124


class Broken(Exception):
    pass


def run(command):
    """Exit status and output; the status of what took too long is TIME_IS_UP."""
    try:
        done = subprocess.run(list(map(str, command)), cwd=OUT, env=environment(), text=True,
                              errors="replace", stdin=subprocess.DEVNULL, timeout=COMMAND_LIMIT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return TIME_IS_UP if done.returncode == -signal.SIGVTALRM else done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return TIME_IS_UP, f"no end after {COMMAND_LIMIT} s"


def must(command):
    status, output = run(command)
    if status:
        raise Broken(f"{shlex.join(map(str, command))}: exit status {status}\n{output[-3000:]}")
    return output


def host_support():
    obj = OUT / "host32.o"
    if not obj.exists() or obj.stat().st_mtime < SUPPORT.stat().st_mtime:
        must([*HOST, "-O2", "-ffreestanding", "-fno-builtin", "-fno-tree-loop-distribute-patterns",
              "-c", SUPPORT, "-o", obj])
    return obj


def expected(source, support):
    """What the program prints on the host; None when it does not end soon."""
    headers = must(["gcc", "-print-file-name=include"]).strip()
    program = source.with_suffix(".host")
    must([*HOST, "-O0", "-fwrapv", "-nostdinc", "-isystem", headers, "-isystem", SYSROOT / "include",
          "-isystem", HEADERS, "-nostdlib", "-static", "-no-pie", source, support, "-o", program])
    status, output = run([program])
    program.unlink()
    return None if status == TIME_IS_UP else (status, output)


def build(source, flags):
    program = source.with_suffix(f".{''.join(flags).strip('-')}.elf")
    must([*CC, *flags, source, "-o", program])
    return program


def model(program):
    return run([BIN / "npu-iss", "--config", "large", "--max-cycles", MODEL_CYCLES, program])


def misaligned(source, flags):
    """Whether the program accesses memory through a pointer that is not aligned as its type asks:
    the sanitizer stops it with an illegal instruction, or another compiler's code traps."""
    program = build(source, [*flags, *ALIGNMENT])
    status, output = model(program)
    program.unlink()
    if status != 0 and "illegal instruction" in output:
        return True
    obj = source.with_suffix(".stock.o")
    must([*STOCK, flags[0], "-c", source, "-o", obj])
    program = build(obj, [])
    status, output = model(program)
    obj.unlink()
    program.unlink()
    return status != 0 and "trap: misaligned" in output


def check(source, flags, wanted, rtl=False):
    """Raises Broken when the program compiled with these flags does something else."""
    program = build(source, flags)
    got = model(program)
    if got != wanted:
        raise Broken(f"{shlex.join(map(str, CC + flags))}: the host gives {wanted}, the model {got}")
    if rtl:
        status, output = run([BIN / "npu-rtl", "--lockstep", "--config", "large", "--max-cycles",
                              RTL_CYCLES, program])
        if status != TIME_IS_UP and (status, output) != wanted:
            raise Broken(f"{program.name} on the RTL: exit status {status}\n{output[-3000:]}")
    program.unlink()


def generate(seed, source, *options):
    must([*GENERATE, "--seed", seed, *options, "--output", source])
    return source.read_text()


def check_all(seed, source, support, *options):
    """Whether the program of the seed has an end. Leaves its source when it is Broken."""
    packed = "#pragma pack" in generate(seed, source, *options)
    wanted = expected(source, support)
    if wanted is None:
        return False
    for flags in LEVELS + [OTHERS[seed % len(OTHERS)]]:
        try:
            check(source, flags, wanted, rtl=flags == ["-O2"])
        except Broken:
            if packed and misaligned(source, flags):
                return check_all(seed, source, support, "--no-packed-struct")
            raise
    return True


def test(seed, support):
    """The result of the program of one seed; its source stays when it fails."""
    name = f"csmith seed {seed}"
    source = OUT / f"{seed}.c"
    try:
        ends = check_all(seed, source, support)
    except Broken as reason:
        return Result(name, FAILED, str(reason))
    source.unlink()
    return Result(name, PASSED) if ends else Result(name, SKIPPED, "does not end on the host either")


def prepare():
    OUT.mkdir(parents=True, exist_ok=True)
    return host_support()
