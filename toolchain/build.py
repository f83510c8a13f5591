#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Build the NPU toolchain into build/toolchain.

  build.py [--stage sources|llvm|runtimes|all] [--jobs N]

Every stage resumes where it was interrupted and takes seconds when nothing changed.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import fetch_sources
from common import BUILD, CACHE, ROOT, Failure, main, say

STOCK = Path("/usr/lib/llvm-22")
TOOLCHAIN = BUILD / "toolchain"
BIN = TOOLCHAIN / "bin"
RESOURCES = TOOLCHAIN / "lib/clang/22"
SYSROOT = TOOLCHAIN / "lib/clang-runtimes/npu-unknown-elf"
TRIPLE_SPELLINGS = ["npu", "npu-elf", "npu-none-elf"]
STEP_TIMEOUT = 3600

# Tools that handle our ELF as they are, or never look inside.
STOCK_TOOLS = ["FileCheck", "count", "llvm-ar", "llvm-nm", "llvm-objcopy", "llvm-ranlib",
               "llvm-readelf", "llvm-readobj", "llvm-size", "llvm-strip", "llvm-symbolizer",
               "llvm-strings", "llvm-as", "llvm-dis", "llvm-link", "not", "split-file",
               "llvm-addr2line", "llvm-cxxfilt", "llvm-dwarfdump"]


def run(command, what, cwd=None, quiet=False):
    """Run a step; its output is shown live, or only when it fails."""
    env = dict(os.environ)
    env.setdefault("CCACHE_DIR", str(CACHE / "ccache"))
    env.setdefault("CCACHE_BASEDIR", str(ROOT))
    # Headers that tablegen writes anew with the same content are still the same.
    env.setdefault("CCACHE_SLOPPINESS", "include_file_mtime,include_file_ctime")
    log = subprocess.PIPE if quiet else None
    try:
        done = subprocess.run(command, cwd=cwd, env=env, stdout=log, timeout=STEP_TIMEOUT,
                              stderr=subprocess.STDOUT if quiet else None, text=True)
    except FileNotFoundError:
        raise Failure(f"{what}: {command[0]} is not installed")
    except subprocess.TimeoutExpired:
        raise Failure(f"{what}: no end after {STEP_TIMEOUT} s")
    if done.returncode:
        if quiet:
            sys.stdout.write(done.stdout)
        raise Failure(f"{what} failed: {' '.join(map(str, command))}")


def ninja(folder, what, jobs, targets=()):
    # A run without work costs no lines of progress.
    run(["ninja", "-C", folder, f"-j{jobs}", *targets], what)


def link(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_symlink() and os.readlink(target) == str(source):
        return
    if target.exists() or target.is_symlink():
        target.unlink()
    target.symlink_to(source)


def configure(source, folder, *options):
    """Run CMake once; later changes make ninja run it again."""
    if not (folder / "build.ninja").exists():
        run(["cmake", "-G", "Ninja", "-S", source, "-B", folder, *options],
            f"configuring {folder.name}", quiet=True)


def build_llvm(jobs):
    if not (STOCK / "lib/libLLVMCore.a").exists():
        raise Failure(f"{STOCK}: the static LLVM archives are missing; install llvm-22-dev")
    folder = BUILD / "llvm"
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    configure(ROOT / "toolchain", folder, f"-DCMAKE_C_COMPILER={STOCK}/bin/clang",
              f"-DCMAKE_CXX_COMPILER={STOCK}/bin/clang++", *launcher)
    say("building clang, lld and the LLVM tools")
    ninja(folder, "the build of clang, lld and the LLVM tools", jobs)
    for tool in STOCK_TOOLS:
        link(STOCK / "bin" / tool, BIN / tool)
    link(Path("clang"), BIN / "clang++")
    headers = ROOT / "llvm-project-overlay/clang/lib/Headers"
    for header in list((STOCK / "lib/clang/22/include").iterdir()) + list(headers.iterdir()):
        link(header, RESOURCES / "include" / header.name)


def build_builtins(jobs):
    folder = BUILD / "builtins"
    configure(fetch_sources.LLVM_SRC / "compiler-rt/lib/builtins", folder,
              f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/toolchain/npu.toolchain.cmake",
              f"-DLLVM_CMAKE_DIR={STOCK}/lib/cmake/llvm",
              "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG -ffunction-sections -fdata-sections",
              "-DCOMPILER_RT_BAREMETAL_BUILD=ON", "-DCOMPILER_RT_DEFAULT_TARGET_ONLY=ON",
              "-DCOMPILER_RT_BUILTINS_ENABLE_PIC=OFF",
              "-DLLVM_ENABLE_PER_TARGET_RUNTIME_DIR=ON",
              f"-DCMAKE_INSTALL_PREFIX={RESOURCES}",
              f"-DCOMPILER_RT_OUTPUT_DIR={RESOURCES}",
              f"-DCOMPILER_RT_INSTALL_PATH={RESOURCES}")
    say("building the compiler-rt builtins")
    ninja(folder, "the build of the compiler-rt builtins", jobs)


def build_picolibc(jobs):
    folder = BUILD / "picolibc"
    paths = BUILD / "picolibc-paths.ini"
    text = f"[constants]\nbin = '{BIN}'\n"
    # Meson configures anew when the file is newer.
    if not paths.exists() or paths.read_text() != text:
        paths.write_text(text)
    if not (folder / "build.ninja").exists():
        run(["meson", "setup", "--cross-file", paths,
             "--cross-file", ROOT / "toolchain/picolibc/npu.ini", f"--prefix={SYSROOT}",
             folder, fetch_sources.PICOLIBC_SRC], "configuring picolibc", quiet=True)
    say("building picolibc")
    ninja(folder, "the build of picolibc", jobs)
    libc, host = folder / "newlib/libc.a", folder / "semihost/libsemihost.a"
    installed = SYSROOT / "lib/libc.a"
    if installed.exists() and \
            installed.stat().st_mtime >= max(libc.stat().st_mtime, host.stat().st_mtime):
        return
    run(["meson", "install", "-C", folder, "--no-rebuild"], "installing picolibc", quiet=True)
    # One libc.a holds the system calls too. Two members of libsemihost stay out: its unbuffered
    # console (stdin, stdout and stderr are picolibc's buffered files) and its _exit, which loses
    # the status unless the host serves a special file (libnpu has one that does not).
    merged = BUILD / "libc-merged.a"
    merged.unlink(missing_ok=True)
    for step in (["cqL", merged, libc, host], ["d", merged, "iob.c.o", "exit.c.o"], ["s", merged]):
        run([BIN / "llvm-ar", *step], "merging libsemihost.a into libc.a", quiet=True)
    os.replace(merged, installed)


def build_runtime(jobs):
    """crt0, the linker scripts and libnpu, from runtime/."""
    if not (ROOT / "runtime/CMakeLists.txt").exists():
        return
    folder = BUILD / "runtime"
    configure(ROOT / "runtime", folder,
              f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/toolchain/npu.toolchain.cmake",
              f"-DCMAKE_INSTALL_PREFIX={SYSROOT}")
    say("building the runtime library")
    ninja(folder, "the build of the runtime library", jobs, ["install"])


def build_libcxx(jobs):
    folder = BUILD / "libcxx"
    configure(ROOT / "toolchain/libcxx", folder,
              f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/toolchain/npu.toolchain.cmake",
              f"-DCMAKE_INSTALL_PREFIX={SYSROOT}", f"-DLIBCXX_SRC={fetch_sources.LIBCXX_SRC}")
    say("building libc++")
    # The headers alone are two thousand files.
    ninja(folder, "the build of libc++", jobs)
    library, installed = folder / "libc++.a", SYSROOT / "lib/libc++.a"
    if not installed.exists() or installed.stat().st_mtime < library.stat().st_mtime:
        run(["cmake", "--install", folder], "installing libc++", quiet=True)


def rebuild_when_compiler_changes():
    """Drop the libraries' builds when clang is a different one than built them. Meson takes the
    options of a cross file only into a fresh build, too."""
    stamp = BUILD / ".runtimes-clang"
    identity = fetch_sources.sha256(BIN / "clang") + fetch_sources.sha256(ROOT / "toolchain/picolibc/npu.ini")
    if not stamp.exists() or stamp.read_text() != identity:
        for name in ("builtins", "picolibc", "libcxx", "runtime"):
            shutil.rmtree(BUILD / name, ignore_errors=True)
        stamp.write_text(identity)


def build_runtimes(jobs):
    if not (BIN / "clang").exists():
        raise Failure(f"{BIN}/clang is missing: run 'build.py --stage llvm' first")
    rebuild_when_compiler_changes()
    SYSROOT.mkdir(parents=True, exist_ok=True)
    for spelling in TRIPLE_SPELLINGS:
        link(Path("npu-unknown-elf"), SYSROOT.parent / spelling)
    build_builtins(jobs)
    build_picolibc(jobs)
    build_libcxx(jobs)
    build_runtime(jobs)


def build(stage, jobs):
    fetch_sources.fetch()
    if stage in ("llvm", "all"):
        build_llvm(jobs)
    if stage in ("runtimes", "all"):
        build_runtimes(jobs)
    say("done")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stage", choices=["sources", "llvm", "runtimes", "all"], default="all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    sys.exit(main(build, arguments.stage, arguments.jobs))
