# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts a simulator on a port that is taken: busy_port.py SIMULATOR PROGRAM"""

import socket
import subprocess
import sys

with socket.create_server(("127.0.0.1", 0)) as taken:
    done = subprocess.run([sys.argv[1], "--gdb", str(taken.getsockname()[1]), sys.argv[2]], timeout=60,
                          capture_output=True, text=True)
print(f"{done.stderr}status {done.returncode}")
