# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian packages: what is missing, and its installation."""

import os
import shutil
import subprocess
import sys

from paths import LOGS, SCRIPTS, Failure
from steps import Display, fail, run_logged

LIST = SCRIPTS / "packages.txt"
LIMIT = 1800


def wanted():
    lines = (line.split("#")[0].strip() for line in LIST.read_text().splitlines())
    return [line for line in lines if line]


def versions(packages):
    """{package: version} of those that are installed."""
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}|${Package}|${Version}\n",
                               *packages], capture_output=True, text=True)
    except FileNotFoundError:
        raise Failure("dpkg-query not found: set-up needs Debian 12 (or a system with the packages "
                      f"of {LIST.name} and a dpkg database)")
    fields = (line.split("|") for line in done.stdout.splitlines())
    return {name: version for state, name, version in fields if state.startswith("ii")}


def missing(packages=None):
    packages = packages or wanted()
    installed = versions(packages)
    return [p for p in packages if p not in installed]


def as_root(packages):
    """The words that make a command run as root."""
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        raise Failure("these packages are missing and neither root rights nor sudo are there; run as root:\n"
                      f"  apt-get install --no-install-recommends {' '.join(packages)}")
    # A password can be asked for now; later, output goes to the log.
    if subprocess.run(["sudo", "-v"] if sys.stdin.isatty() else ["sudo", "-n", "true"]).returncode:
        raise Failure("sudo gave no root rights; run as root:\n"
                      f"  apt-get install --no-install-recommends {' '.join(packages)}")
    return ["sudo", "-n"]


def install(position, packages=None):
    """Install what is missing of these packages, by default of those that set-up needs."""
    packages = missing(packages)
    if not packages:
        return
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / "packages.log"
    log.write_bytes(b"")
    root = as_root(packages)
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8")
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300",
           "-o", "Acquire::Retries=2", "-o", "Dpkg::Use-Pty=0"]
    display = Display(f"{position}Debian packages ({len(packages)} missing)")
    for command in (root + apt + ["update"],
                    root + apt + ["install", "--yes", "--no-install-recommends", *packages]):
        status = run_logged(command, log, display, LIMIT, env)
        if status:
            display.finish("FAILED")
            fail("Debian packages: apt-get (is the mirror reachable, and 'main' of the release and "
                 "its security suite enabled?)", command, status, log)
    display.finish("done")
