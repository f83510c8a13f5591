# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test suites: how each kind is found and run. Every runner returns a list of Results."""

import json
import re
import shlex
import sys
import unittest
from pathlib import Path

import compiler_suite
import pypi
import synth
from paths import BIN, BUILD, HOST, LLVM, LOGS, ROOT, SCRIPTS, environment, jobs
from results import FAILED, PASSED, SKIPPED, Result
from steps import last_lines, parallel, run_logged

TESTS = ROOT / "tests"
LIT = LLVM / "bin/lit"
TEST_LOGS = LOGS / "test"
TEST_LIMIT = 300
SUITE_LIMIT = 1800
LIT_CODES = {"PASS": PASSED, "FLAKYPASS": PASSED, "XFAIL": PASSED, "UNSUPPORTED": SKIPPED,
             "SKIPPED": SKIPPED}
LIT_SUFFIXES = {".ll", ".mir", ".s", ".c", ".cpp", ".test", ".td", ".txt"}
# Random programs of seeds 1, 2, ...; more with 'npu test fuzz --seed S --count N'.
FUZZ_PROGRAMS, FUZZ_PROGRAMS_ALL = 200, 2000
FUZZ_CYCLES = 2_000_000
# External interrupts for every second program, and bytes of DRAM that fail, among those that vectors
# and the DMA access, for every third.
FUZZ_INTERRUPTS = ["--irq-external", "400"]
FUZZ_BUS_ERRORS = ["--dram-error", "0x80200940,20", "--dram-error", "0x80303000,40,dec"]

# The GoogleTest programs of a suite that take a seed, and their tests of random cases.
RANDOM_CASES = {"kernels": {"golden_test": "*", "conv_test": "*RandomShapes*", "netgen_run_test": "RandomNetworks*",
                            "vector_arguments_test": "*EndEveryCall*:DepthwiseStream*"}}
SEEDED = ("fuzz", "compiler", *RANDOM_CASES)


def test_environment():
    env = environment()
    env["GTEST_COLOR"] = "no"
    if interpreter := pypi.python():
        env["NPU_PYPI_PYTHON"] = str(interpreter)
    return env


def log_path(name):
    TEST_LOGS.mkdir(parents=True, exist_ok=True)
    path = TEST_LOGS / f"{name}.log"
    path.write_bytes(b"")
    return path


def broken(name, status, log):
    """What to report when a test program gave no result file."""
    why = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
    if status == 124:
        why = "time limit exceeded"
    return Result(name, FAILED, f"ended without results ({why}); last output:\n"
                  + "\n".join(last_lines(log, 25)))


# lit

def has_lit(folder):
    """Whether the folder holds lit tests (GoogleTest suites have a CMakeLists.txt instead)."""
    return not (folder / "CMakeLists.txt").exists() and any(
        file.suffix in LIT_SUFFIXES for file in folder.rglob("*") if file.is_file())


def run_lit(folder, options, display):
    log = log_path(folder.name)
    report = TEST_LOGS / f"{folder.name}.json"
    report.unlink(missing_ok=True)
    command = [sys.executable, LIT, "-v", f"-j{jobs()}", f"--timeout={TEST_LIMIT}", "--output", report]
    if options.pattern:
        command += ["--filter", options.pattern]
    if options.all:
        command += ["--param", "all=1"]
    status = run_logged(command + [folder], log, display, SUITE_LIMIT, test_environment())
    if not report.exists():
        if options.pattern and "filter did not match any tests" in log.read_text(errors="replace"):
            return []
        return [broken("lit", status, log)]
    results = []
    for test in json.loads(report.read_text())["tests"]:
        name = test["name"].split(" :: ", 1)[-1]
        if test["code"] in ("EXCLUDED",):
            continue
        # What a test measured; lit puts '# | ' in front of the output of commands.
        for figure in re.findall(r"^(?:# \| )?FIGURE: (.*)", test.get("output", ""), re.MULTILINE):
            display.note(figure)
        results.append(Result(name, LIT_CODES.get(test["code"], FAILED),
                              f"{test['code']}\n{test.get('output', '')}"
                              if test["code"] not in LIT_CODES else test.get("output", "")))
    return results


# GoogleTest

def gtest_programs():
    """{suite: [program]} as the host build lists them."""
    programs = {}
    listing = HOST / "gtests.txt"
    if listing.exists():
        for line in listing.read_text().splitlines():
            suite, _, path = line.partition(" ")
            programs.setdefault(suite, []).append(Path(path))
    return programs


def parse_gtest(report):
    for group in json.loads(report.read_text()).get("testsuites", []):
        for test in group.get("testsuite", []):
            name = f"{test.get('classname', group['name'])}.{test['name']}"
            if "value_param" in test:
                name += f" ({test['value_param'][:60]})"
            if test.get("failures"):
                yield Result(name, FAILED, "\n".join(f["failure"] for f in test["failures"]))
            elif test.get("result") == "SKIPPED":
                yield Result(name, SKIPPED, "\n".join(s["message"] for s in test.get("skipped", [])))
            elif test.get("status") == "RUN":
                yield Result(name, PASSED)


def run_gtests(suite, programs, options, display):
    shards = jobs()
    seeds = {}
    if options.seed is not None or options.count is not None:  # random cases alone
        programs = [program for program in programs if program.name in RANDOM_CASES[suite]]
        seeds = {"NPU_TEST_SEED": str(1 if options.seed is None else options.seed)}
        if options.count is not None:
            seeds["NPU_TEST_COUNT"] = str(options.count)

    def one(job):
        program, shard = job
        name = f"{suite}-{program.name}-{shard}"
        log, report = log_path(name), TEST_LOGS / f"{name}.json"
        report.unlink(missing_ok=True)
        env = test_environment() | {"GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)} | seeds
        if options.all:
            env["NPU_TEST_ALL"] = "1"
        command = [program, f"--gtest_output=json:{report}"]
        if options.pattern:
            command.append(f"--gtest_filter=*{options.pattern}*")
        elif seeds:
            command.append(f"--gtest_filter={RANDOM_CASES[suite][program.name]}")
        if not program.exists():
            return [Result(program.name, FAILED, "the test program is not built")]
        status = run_logged(command, log, display, SUITE_LIMIT, env, cwd=ROOT)
        if status not in (0, 1) or not report.exists():
            return [broken(program.name, status, log)]
        results = list(parse_gtest(report))
        if status == 1 and not any(r.status == FAILED for r in results):
            results.append(broken(program.name, status, log))
        return results

    work = [(program, shard) for program in programs for shard in range(shards)]
    return [result for results in parallel(one, work) for result in results]


# lockstep fuzzing

def disturbances(seed):
    return (FUZZ_INTERRUPTS if seed % 2 else []) + (FUZZ_BUS_ERRORS if seed % 3 == 0 else [])


def run_fuzz(options, display):
    """One test for each seed: generate the program, run it on the RTL in lockstep."""
    folder = BUILD / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    first = options.seed if options.seed is not None else 1
    count = options.count or (FUZZ_PROGRAMS_ALL if options.all else FUZZ_PROGRAMS)
    totals, env = [], test_environment()

    def one(seed):
        name = f"seed {seed}"
        program, stats = folder / f"{seed}.elf", folder / f"{seed}.json"
        log = log_path(f"fuzz-{seed}")
        commands = [[BIN / "npu-fuzz", "--seed", str(seed), "-o", program],
                    [BIN / "npu-rtl", "--lockstep", "--max-cycles", str(FUZZ_CYCLES), "--stats", stats,
                     *disturbances(seed), program]]
        for command in commands:
            status = run_logged(command, log, display, TEST_LIMIT, env)
            if status:
                return Result(name, FAILED, f"{shlex.join(map(str, command))}: exit status {status}\n"
                              + "\n".join(last_lines(log, 40)))
        totals.append(json.loads(stats.read_text())["instret"])
        for file in (program, stats, log):
            file.unlink()
        return Result(name, PASSED)

    results = parallel(one, range(first, first + count))
    display.note(f"{sum(totals):,} instructions in lockstep")
    return results


# the scripts' own tests

class Collector(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.results = []

    def note(self, test, status, detail=""):
        self.results.append(Result(test.id(), status, detail))

    def addSuccess(self, test):
        super().addSuccess(test)
        self.note(test, PASSED)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.note(test, FAILED, self.failures[-1][1])

    def addError(self, test, error):
        super().addError(test, error)
        self.note(test, FAILED, self.errors[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, SKIPPED, reason)


def run_scripts(options, display):
    loader = unittest.TestLoader()
    if options.pattern:
        loader.testNamePatterns = [f"*{options.pattern}*"]
    collector = Collector()
    loader.discover(str(SCRIPTS / "tests"), pattern="test_*.py").run(collector)
    return collector.results


# Debian packages that only these suites need.
PACKAGES = {"debug": ["gdb-multiarch", "binutils-riscv64-unknown-elf"]}

ABOUT = {
    "scripts": "these scripts, and rules that all source files keep",
    "spec": "generated files against the TableGen source",
    "mc": "assembler, disassembler, relocations",
    "codegen": "code generator",
    "clang": "compiler driver, builtins, calling convention",
    "compiler": "programs in C and C++ at every level, random C programs against GCC and random calls between "
                "compilers (--seed S --count N), tests of compiler-rt's builtins and of picolibc",
    "model": "golden model",
    "rtl_units": "vector unit, matrix unit and DMA alone",
    "rtl": "RTL and its harness",
    "synth": "synthesis of the RTL: no latch, no net of several drivers, the table in docs/verification.md",
    "runtime": "runtime library",
    "kernels": "kernels and generators; random cases of every operator against TFLite (--seed S --count N)",
    "bench": "programs that compare compilers: their checksums",
    "sched": "cycles that the scheduling model and llvm-mca foresee against those of the RTL",
    "debug": "gdb with both simulators, debug information, unwinding at every instruction",
    "programs": "C programs on the model and on the RTL in lockstep",
    "fuzz": "random programs, RTL in lockstep with the model; --seed S --count N",
}


def known():
    """{name: what it tests} of the suites in this checkout, built or not; quick ones first."""
    folders = {f.name for f in TESTS.iterdir() if f.is_dir() and f.name[0] not in "_."} | {"scripts", "synth"}
    order = list(ABOUT)
    return {name: ABOUT.get(name, "")
            for name in sorted(folders, key=lambda n: (order.index(n) if n in order else len(order), n))}


def run_suite(name, options, display):
    """The results of all kinds of tests that the suite's folder holds."""
    if name == "scripts":
        return run_scripts(options, display)
    if name == "fuzz":
        return run_fuzz(options, display)
    if name == "synth":
        return synth.run(display)
    results = []
    if name == "compiler":
        results += compiler_suite.run(options, display)
        # A seed asks for random programs alone.
        if options.seed is not None or options.count is not None:
            return results
    if has_lit(TESTS / name):
        results += run_lit(TESTS / name, options, display)
    if programs := gtest_programs().get(name):
        results += run_gtests(name, programs, options, display)
    return results
