# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps that take a bare machine to a built toolchain, simulators and libraries."""

import sys

import debian
import pypi
from paths import BIN, BUILD, HOST, ROOT, SCRIPTS, TOOLCHAIN_BIN, jobs
from steps import Step, only_one, run_step

PHOTO = BUILD / "demo/photo.ppm"


def steps(tests):
    """All steps in order. Each tool they start works incrementally, too."""
    photo = SCRIPTS / "npu_cli/photo.py"
    llvm = sorted(debian.versions(p for p in debian.wanted() if "-22" in p).items())
    compiler = sorted(debian.versions(["g++", "verilator"]).items())
    build = [sys.executable, ROOT / "toolchain/build.py", "--stage"]
    overlay = [ROOT / "toolchain", ROOT / "llvm-project-overlay"]
    libraries = overlay + [ROOT / "runtime", ROOT / "kernels", ROOT / "isa-spec/model/generated"]
    host = [ROOT / "CMakeLists.txt", ROOT / "isa-spec", ROOT / "rtl", ROOT / "kernels", ROOT / "runtime",
            ROOT / "tests"]
    ninja = ["ninja", "-C", HOST, f"-j{jobs()}"]
    result = [
        Step("photo", "photograph", [[sys.executable, photo, PHOTO]], inputs=[photo], outputs=[PHOTO],
             limit=600),
        Step("sources", "sources of LLVM and picolibc", [build + ["sources"]], inputs=overlay, limit=1800),
        Step("llvm", "clang, lld and LLVM tools", [build + ["llvm"]], inputs=overlay, key=llvm,
             outputs=[TOOLCHAIN_BIN / "clang", TOOLCHAIN_BIN / "ld.lld"], limit=5400),
        Step("libraries", "C library and runtime", [build + ["runtimes"]], inputs=libraries, key=llvm),
        Step("host", "simulators and kernel generator",
             [["cmake", "-G", "Ninja", "-S", ROOT, "-B", HOST], ninja], inputs=host, key=compiler,
             outputs=[BIN / "npu-iss", BIN / "npu-rtl"]),
    ]
    if tests:
        result.append(Step("host-tests", "test programs", [ninja + ["npu-tests"]], inputs=host,
                           key=compiler))
    return result


def setup(tests=True):
    """Do what is missing; say nothing when nothing is. Returns whether anything ran."""
    with only_one():
        ran = bool(debian.missing())
        debian.install("[packages] ")
        if tests:
            pypi.install("[packages] ")
        pending = [step for step in steps(tests) if not step.done()]
        for number, step in enumerate(pending, 1):
            ran |= run_step(step, f"[{number}/{len(pending)}] ")
    return ran
