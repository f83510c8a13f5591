# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""picolibc's own tests, built by its meson project with the options of the toolchain's libc and run
on the model, which is the project's exe_wrapper. The library is built here once more, because
meson links the tests with the library of the same build; its linker script and start-up code are
picolibc's, with code and data in DRAM, where the largest tests fit."""

import json
import shutil
import subprocess
from pathlib import Path

from paths import BIN, BUILD, ROOT, Failure, environment, jobs
from results import FAILED, PASSED, SKIPPED, Result

SOURCE = BUILD / "picolibc-src"
OUT = BUILD / "compiler/picolibc"
CROSS = BUILD / "compiler/picolibc-tests.ini"
WRAPPER = ROOT / "tests/compiler/Inputs/picolibc-run.sh"
TOOLCHAIN = BUILD / "toolchain"
BUILTINS = TOOLCHAIN / "lib/clang/22/lib/npu-unknown-elf/libclang_rt.builtins.a"
CYCLES = 20_000_000_000
# Limits of meson's tests are for an idle machine.
TIME_FACTOR, BUILD_LIMIT, RUN_LIMIT = 10, 1800, 1800
# Every default run takes one in so many.
SHARE = 8
STATUS = {"OK": PASSED, "EXPECTEDFAIL": PASSED, "SKIP": SKIPPED}
# Tests that cannot pass here, and why.
CANNOT = {"semihost-system": "the simulators run no commands of the host"}


def run(command, limit, what, fails=True):
    try:
        done = subprocess.run(list(map(str, command)), env=environment(), text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=limit, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        raise Failure(f"{what}: no end after {limit} s")
    if done.returncode and fails:
        raise Failure(f"{what}: exit status {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def cross_file():
    """What the cross file of the toolchain leaves open: its folder, how to link and run a program."""
    regions = {region["name"]: region
               for region in json.loads((ROOT / "isa-spec/platform.json").read_text())["memory"]["large"]}
    base, half = int(regions["dram"]["base"], 0), int(regions["dram"]["size"], 0) // 2
    wrapper = [WRAPPER, BIN / "npu-iss", "--config", "large", "--max-cycles", CYCLES, "--"]
    return f"""[constants]
bin = '{TOOLCHAIN / "bin"}'
[binaries]
c = [bin / 'clang', '--target=npu', '-nostdlib', '-mllvm', '-verify-machineinstrs']
cpp = [bin / 'clang++', '--target=npu', '-nostdlib', '-mllvm', '-verify-machineinstrs']
cpp_ld = 'lld'
exe_wrapper = {[str(word) for word in wrapper]}
[properties]
libgcc = '{BUILTINS}'
default_flash_addr = '{base:#x}'
default_flash_size = '{half:#x}'
default_ram_addr = '{base + half:#x}'
default_ram_size = '{half:#x}'
default_stack_size = '0x10000'
"""


def prepare():
    """Configure a fresh build when the compiler is another one than at the last."""
    clang = (TOOLCHAIN / "bin/clang").stat()
    identity = f"{clang.st_size} {clang.st_mtime_ns} {cross_file()}"
    stamp = OUT / "compiler.stamp"
    if stamp.exists() and stamp.read_text() == identity:
        return
    shutil.rmtree(OUT, ignore_errors=True)
    CROSS.parent.mkdir(parents=True, exist_ok=True)
    CROSS.write_text(cross_file())
    run(["meson", "setup", "--cross-file", ROOT / "toolchain/picolibc/npu.ini", "--cross-file", CROSS,
         "-Dtests=true", "-Dpicocrt=true", OUT, SOURCE], BUILD_LIMIT, "configuring picolibc's tests")
    stamp.write_text(identity)


def tests(options):
    """{name: programs to build} of the tests that this run takes. Two tests may have one name; those
    that check headers with the compiler alone have no program."""
    found = {}
    for test in json.loads(run(["meson", "introspect", "--tests", OUT], BUILD_LIMIT, "listing picolibc's tests")):
        programs, program = found.setdefault(test["name"], []), Path(test["cmd"][0])
        if program.is_relative_to(OUT):
            programs.append(program)
    names = sorted(found)
    if options.pattern:
        names = [name for name in names if options.pattern in f"picolibc {name}"]
    elif not options.all:
        names = names[::SHARE]
    return {name: found[name] for name in names}


def build(chosen, display):
    """Build the programs; what the compiler and the linker say."""
    display.update(f"building picolibc and {len(chosen)} of its tests")
    targets = sorted(str(program.relative_to(OUT)) for programs in chosen.values() for program in programs)
    return run(["ninja", "-C", OUT, f"-j{jobs()}", "-k0", *targets], BUILD_LIMIT,
               "the build of picolibc's tests", fails=False)


def results(chosen, display):
    """The results of the chosen tests, as meson's log has them."""
    display.update(f"running {len(chosen)} of picolibc's tests")
    log = OUT / "meson-logs/testlog.json"
    log.unlink(missing_ok=True)
    run(["meson", "test", "-C", OUT, "--no-rebuild", "--timeout-multiplier", TIME_FACTOR,
         "--num-processes", jobs(), *chosen], RUN_LIMIT, "picolibc's tests", fails=False)
    if not log.exists():
        raise Failure("meson ran no test of picolibc")
    for line in log.read_text().splitlines():
        test = json.loads(line)
        name = test["name"].split(" / ")[-1]
        status, output = STATUS.get(test["result"], FAILED), test.get("stdout", "").strip()
        if status == SKIPPED:
            yield Result(f"picolibc {name}", SKIPPED, f"picolibc: {output}")
        elif status == FAILED and name in CANNOT:
            yield Result(f"picolibc {name}", SKIPPED, f"picolibc: {CANNOT[name]}")
        else:
            yield Result(f"picolibc {name}", status,
                         f"{test['result']}, exit status {test.get('returncode')}\n{output}"
                         f"\n{test.get('stderr', '')}")


def suite(options, display):
    prepare()
    chosen = tests(options)
    if not chosen:
        return []
    output = build(chosen, display)
    missing = [name for name, programs in chosen.items() if not all(program.exists() for program in programs)]
    done = [Result(f"picolibc {name}", FAILED, output[-3000:]) for name in missing]
    chosen = {name: programs for name, programs in chosen.items() if name not in missing}
    return done + (list(results(chosen, display)) if chosen else [])
