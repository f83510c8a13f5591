# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands of scripts/npu."""

import argparse
import contextlib
import os
import shlex
import signal
import sys
import time
from pathlib import Path

import bench
import debian
import compiler_bench
import coverage
import demo
import report
import setup
import suites
import vector_bench
from paths import BIN, ROOT, TOOLCHAIN_BIN, Failure, Usage, relative
from results import counts, show_failures, show_skips, summary
from steps import Display, clock

RTL_OPTIONS = ("stats_function", "wave", "perfetto", "konata", "irq_external", "dram_error", "dram_latency", "dram_bytes_per_cycle")


class Parser(argparse.ArgumentParser):
    """Reports bad input in one line."""

    def error(self, message):
        self.exit(2, f"error: {self.prog}: {message}; see '{self.prog} --help'\n")


def positive(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)


def natural(text):
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a natural number")
    return int(text)


def port(text):
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port number in 0..65535")
    return int(text)


def command_setup(options):
    start = time.monotonic()
    ran = setup.setup(tests=options.tests)
    print(f"set-up complete in {clock(time.monotonic() - start)}" if ran else "everything is set up")
    return 0


def command_demo(options):
    setup.setup(tests=False)
    return demo.run()


def command_test(options):
    if options.list:
        for name, what in suites.known().items():
            print(f"{name:10} {what}")
        return 0
    names = {argument.partition("/")[0] for argument in options.suites}
    if unknown := names - set(suites.known()):
        raise Usage(f"unknown suite '{unknown.pop()}'; there are: {', '.join(suites.known())}")
    if (options.seed is not None or options.count is not None) and not (
            len(options.suites) == 1 and names <= set(suites.SEEDED)):
        raise Usage(f"--seed and --count belong to one of the suites {', '.join(suites.SEEDED)}: "
                    "npu test fuzz --seed S --count N")
    if any(argument.startswith("fuzz/") for argument in options.suites):
        raise Usage("the programs of the suite fuzz are chosen with --seed S --count N")
    if names != {"scripts"}:
        setup.setup(tests=True)
    packages = [p for name in names or suites.known() for p in suites.PACKAGES.get(name, [])]
    if packages:
        debian.install("[packages] ", packages)
    everything = []
    start = time.monotonic()
    for argument in options.suites or suites.known():
        name, _, options.pattern = argument.partition("/")
        display = Display(f"{name:10}")
        results = suites.run_suite(name, options, display)
        if not results:
            display.finish("no test")
            if options.pattern:
                raise Usage(f"no test of suite '{name}' matches '{options.pattern}'")
            continue
        display.finish(summary(results))
        show_failures(name, results)
        show_skips(results)
        everything += results
    print(f"all suites in {clock(time.monotonic() - start)}")
    print(summary(everything), flush=True)
    return 1 if counts(everything)[1] or not everything else 0


def command_run(options):
    simulator = BIN / ("npu-iss" if options.sim == "iss" else "npu-rtl")
    command = [str(simulator), "--config", options.config]
    for name in ("max_cycles", "trace", "stats", "gdb", *RTL_OPTIONS):
        value = getattr(options, name)
        if value is not None:
            word = "--" + name.replace("_", "-")
            if options.sim != "rtl" and name in RTL_OPTIONS:
                raise Usage(f"run: {word} needs --sim rtl")
            command += [word, str(value)]
    if options.sim == "rtl":
        command.append("--lockstep" if options.lockstep else "--no-lockstep")
        if options.check_races:
            raise Usage("run: --check-races needs --sim iss")
    else:
        if options.lockstep:
            raise Usage("run: --lockstep needs --sim rtl")
        if options.check_races:
            command.append("--check-races")
    if not simulator.exists():
        raise Failure(f"{relative(simulator)} is not built: run 'scripts/npu setup' first")
    sys.stdout.flush()
    os.execv(simulator, command + [options.program, *options.arguments])


def command_bench(options):
    bench.check_name(options.suite)
    with contextlib.redirect_stdout(sys.stderr if options.json else sys.stdout):  # with --json only results
        setup.setup(tests=False)
    if options.suite == "compiler":
        return compiler_bench.compare(options)
    if options.suite == "vector":
        return vector_bench.compare(options)
    return bench.run(options)


def command_report(options):
    report.check_files(options)
    setup.setup(tests=False)
    return report.run(options)


def command_env(options):
    print(f"export PATH={shlex.quote(str(TOOLCHAIN_BIN))}:{shlex.quote(str(ROOT / 'scripts'))}:"
          f"{shlex.quote(str(BIN))}:$PATH")
    return 0


def parser():
    top = Parser(prog="npu", description="Set up, try out, test and use the NPU toolchain and simulators.")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def add(name, function, text):
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.set_defaults(function=function)
        return sub

    sub = add("setup", command_setup, "install what is missing and build everything")
    sub.add_argument("--no-tests", dest="tests", action="store_false", help="leave out the test programs")
    add("demo", command_demo, "int8 convolution of a photograph on the RTL, checked and shown")
    sub = add("test", command_test, "run test suites (all by default), after the set-up that is missing")
    sub.add_argument("suites", nargs="*", metavar="SUITE[/PATTERN]", help="which suites, or tests of a suite")
    sub.add_argument("--list", action="store_true", help="list the suites")
    sub.add_argument("--all", action="store_true", help="with the long-running tests")
    sub.add_argument("--seed", type=natural, help="fuzz, compiler, kernels: first seed")
    sub.add_argument("--count", type=positive, help="the same: number of random programs, or cases of each operator")
    sub = add("run", command_run, "run a program on a simulator; its input, output and exit status pass through")
    sub.add_argument("--sim", choices=["rtl", "iss"], default="rtl", help="RTL or instruction-set simulator (default rtl)")
    sub.add_argument("--config", choices=["default", "large"], default="default", help="memory configuration")
    sub.add_argument("--max-cycles", type=positive, metavar="N", help="exit status 124 when N cycles are over")
    sub.add_argument("--wave", metavar="F.fst", help="write waves (rtl)")
    sub.add_argument("--perfetto", metavar="F.json", help="write a trace for ui.perfetto.dev (rtl)")
    sub.add_argument("--konata", metavar="F", help="write a pipeline log for Konata (rtl)")
    sub.add_argument("--trace", metavar="F", help="write the retired instructions")
    sub.add_argument("--stats", metavar="F.json", help="write counters")
    sub.add_argument("--stats-function", metavar="NAME",
                     help="add the counters of each call of a function (RTL)")
    sub.add_argument("--gdb", type=port, metavar="PORT", help="wait for gdb on this port of 127.0.0.1; 0 picks a free one")
    sub.add_argument("--irq-external", type=positive, metavar="N",
                     help="an external interrupt 1, 2, ... N cycles behind its last handler (rtl)")
    sub.add_argument("--dram-error", metavar="A,BYTES[,slv|dec]",
                     help="the bus answers accesses to these bytes with an error (rtl)")
    sub.add_argument("--dram-latency", type=positive, metavar="N", help="cycles to the first beat of a read (rtl)")
    sub.add_argument("--dram-bytes-per-cycle", type=positive, metavar="N",
                     help="DRAM bandwidth of each direction, 1 to 16 (rtl)")
    sub.add_argument("--lockstep", action=argparse.BooleanOptionalAction, default=False,
                     help="check every retired instruction against the golden model (rtl)")
    sub.add_argument("--check-races", action="store_true",
                     help="stop at an access that no wait orders against an asynchronous operation (iss)")
    sub.add_argument("program", metavar="PROG.elf")
    sub.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS").required = False
    sub = add("bench", command_bench, "measure kernels on the RTL, or compare the compiler with stock ones")
    sub.add_argument("suite", nargs="?", metavar="NAME",
                     help="only this program of kernels/bench; 'compiler' compares compilers on tests/bench, "
                     "'vector' scalar with vectorized loops")
    sub.add_argument("--json", action="store_true", help="one JSON object a line")
    sub = add("report", command_report, "render the benchmarks of kernels and models as one HTML page")
    sub.add_argument("--kernels", type=Path, metavar="F", help="what 'npu bench kernels --json' wrote; measured otherwise")
    sub.add_argument("--models", type=Path, metavar="F", help="what 'npu bench models --json' wrote; measured otherwise")
    sub.add_argument("-o", "--output", type=Path, metavar="F.html", help="the page (build/report/index.html)")
    sub = add("coverage", coverage.command, "coverage of the RTL's lines and toggles and of instructions, as one page")
    sub.add_argument("--count", type=positive, help="number of random programs")
    add("env", command_env, "print PATH settings; use: eval \"$(scripts/npu env)\"")
    return top


def main():
    top = parser()
    options = top.parse_args()
    if not options.command:
        top.print_help()
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return options.function(options)
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return failure.status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError as error:  # a checkout or a disk that cannot be written, for example
        print(f"error: {error.filename or 'npu'}: {error.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\ninterrupted; run the same command again to resume", file=sys.stderr)
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main())
