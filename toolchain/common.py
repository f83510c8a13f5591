# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Paths, progress lines and error reporting shared by the toolchain scripts."""

import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "npu"
_START = time.monotonic()


class Failure(Exception):
    """An error whose text tells the user what went wrong and where."""


def say(text):
    print(f"[toolchain {time.monotonic() - _START:5.0f} s] {text}", flush=True)


def main(function, *args):
    """Run the function; print a failure as one line and return the exit status."""
    try:
        function(*args)
        return 0
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
    except KeyboardInterrupt:
        print("error: interrupted; run the same command again to resume", file=sys.stderr)
    return 1
