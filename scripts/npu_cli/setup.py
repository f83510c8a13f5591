# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps that take a bare machine to a built toolchain, simulators and libraries."""

import sys

import debian
import pypi
from paths import BUILD, HOST, ROOT, SCRIPTS, TOOLCHAIN_BIN, jobs
from steps import Step, only_one, run_step

PHOTO = BUILD / "demo/photo.ppm"
HOST_SOURCES = [ROOT / "CMakeLists.txt", ROOT / "isa-spec", ROOT / "rtl", ROOT / "kernels",
                ROOT / "runtime"]


def host_steps(tests):
    configure = ["cmake", "-G", "Ninja", "-S", ROOT, "-B", HOST]
    build = ["ninja", "-C", HOST, f"-j{jobs()}"]
    compiler = sorted(debian.versions(["g++", "verilator"]).items())
    steps = [Step("host", "simulators and kernel generator", [configure, build],
                  inputs=HOST_SOURCES + [ROOT / "tests"], key=compiler)]
    if tests:
        steps.append(Step("host-tests", "test programs", [build + ["npu-tests"]],
                          inputs=HOST_SOURCES + [ROOT / "tests"], key=compiler))
    return steps


def steps(tests):
    photo = SCRIPTS / "npu_cli/photo.py"
    llvm = sorted(debian.versions(p for p in debian.wanted() if "-22" in p).items())
    return [
        Step("photo", "photograph", [[sys.executable, photo, PHOTO]], inputs=[photo], outputs=[PHOTO],
             limit=600),
        Step("toolchain", "toolchain and C library",
             [[sys.executable, ROOT / "toolchain/build.py", "--stage", "all"]],
             inputs=[ROOT / "toolchain", ROOT / "llvm-project-overlay", ROOT / "runtime",
                     ROOT / "isa-spec/platform.json"],
             outputs=[TOOLCHAIN_BIN / "clang", TOOLCHAIN_BIN / "ld.lld"], key=llvm, limit=5400),
        *host_steps(tests),
    ]


def setup(tests=True):
    """Do what is missing; say nothing when nothing is. Returns whether anything ran."""
    with only_one():
        ran = bool(debian.missing())
        debian.install("[packages] ")
        pypi.install("[packages] ")
        pending = [step for step in steps(tests) if not step.done()]
        for number, step in enumerate(pending, 1):
            ran |= run_step(step, f"[{number}/{len(pending)}] ")
    return ran
