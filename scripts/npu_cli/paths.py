# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where things are, and the environment that every tool is started with."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
BUILD = ROOT / "build"
BIN = BUILD / "bin"
HOST = BUILD / "host"
TOOLCHAIN_BIN = BUILD / "toolchain/bin"
LOGS = BUILD / "logs"
STAMPS = BUILD / "stamps"
LLVM = Path("/usr/lib/llvm-22")


def cache_folder():
    """The user's cache folder; where there is none that can be written, one of this checkout."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "npu")
    if folder.is_absolute():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            pass
    os.environ["XDG_CACHE_HOME"] = str(BUILD / "cache")  # the builds that are started follow
    return BUILD / "cache/npu"


CACHE = cache_folder()


class Failure(Exception):
    """An error whose text tells the user what went wrong and what to do."""
    status = 1


class Usage(Failure):
    """Words on the command line that cannot be right."""
    status = 2


def jobs():
    return max(1, len(os.sched_getaffinity(0)))


def environment():
    """The process environment with our tools first and the compiler cache switched on."""
    env = dict(os.environ)
    env["PATH"] = os.pathsep.join([str(TOOLCHAIN_BIN), str(BIN), "/usr/bin", env.get("PATH", "")])
    env.setdefault("CCACHE_DIR", str(CACHE / "ccache"))
    # Paths relative to the checkout: a second checkout finds the objects of the first.
    env.setdefault("CCACHE_BASEDIR", str(ROOT))
    env.setdefault("CCACHE_NOHASHDIR", "1")
    env["LC_ALL"] = "C.UTF-8"
    return env


def relative(path):
    """The path as a user standing in the checkout would type it."""
    path = Path(path)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def warn(text):
    print(f"npu: {text}", file=sys.stderr, flush=True)
