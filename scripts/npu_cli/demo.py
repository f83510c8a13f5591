# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demo: an int8 convolution of a photograph, from C to bytes on the RTL."""

import subprocess
import sys

from paths import BUILD, ROOT, environment
from setup import PHOTO

DRIVER = ROOT / "kernels/demo/run_demo.py"


def run():
    sys.stdout.flush()
    return subprocess.run([sys.executable, DRIVER, "--photo", PHOTO, "--work", BUILD / "demo"],
                          env=environment()).returncode
