# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages that only PyPI has, in a virtual environment of the user's cache folder.

Nothing but a few tests depends on them: where PyPI cannot be reached, set-up says so and goes on.
"""

import hashlib
import shutil
import sys
import time

from paths import CACHE, LOGS, SCRIPTS, STAMPS, relative, warn
from steps import Display, run_logged

LIST = SCRIPTS / "pypi.txt"
LIMIT = 600
RETRY_AFTER = 3600  # seconds without a new attempt when PyPI did not answer


def environment_dir():
    key = LIST.read_bytes() + sys.version.encode()
    return CACHE / f"pypi-{hashlib.sha256(key).hexdigest()[:12]}"


def python():
    """The interpreter that has the packages, or None."""
    venv = environment_dir()
    return venv / "bin/python" if (venv / ".complete").exists() else None


def install(position):
    venv = environment_dir()
    failed = STAMPS / f"{venv.name}-unavailable"
    if python() or (failed.exists() and time.time() - failed.stat().st_mtime < RETRY_AFTER):
        return
    for folder in (LOGS, STAMPS):
        folder.mkdir(parents=True, exist_ok=True)
    log = LOGS / "pypi.log"
    log.write_bytes(b"")
    display = Display(f"{position}PyPI packages")
    shutil.rmtree(venv, ignore_errors=True)
    for command in ([sys.executable, "-m", "venv", venv],
                    [venv / "bin/python", "-m", "pip", "install", "--quiet",
                     "--disable-pip-version-check", "--only-binary", ":all:",
                     "--requirement", LIST]):
        if run_logged(command, log, display, LIMIT):
            shutil.rmtree(venv, ignore_errors=True)
            failed.touch()
            display.finish("not available")
            warn(f"PyPI packages could not be installed ({relative(log)}); tests that need them are "
                 "skipped")
            return
    (venv / ".complete").touch()
    display.finish("done")
