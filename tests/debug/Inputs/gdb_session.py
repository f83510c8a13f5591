# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session of gdb-multiarch with a simulator, for FileCheck.

  gdb_session.py [--interrupt-at TEXT] SOURCE PROGRAM.elf SIMULATOR...

gdb executes the lines of SOURCE that begin with '// GDB: '. Its output is printed with each command
in front of what it gave, then the output of the simulator and its exit status. With --interrupt-at,
gdb gets a Ctrl-C a moment after the program has printed TEXT.
"""

import argparse
import re
import signal
import subprocess
import sys
import threading
import time

LIMIT = 120  # seconds
# The text appears before the call that printed it has returned: what the program does next is
# where the Ctrl-C is to find it.
MOMENT = 1  # second


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--interrupt-at")
    parser.add_argument("source")
    parser.add_argument("program")
    parser.add_argument("simulator", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    with open(options.source) as source:
        commands = re.findall(r"^// GDB: (.*)$", source.read(), re.M)
    simulator = subprocess.Popen(options.simulator + ["--gdb", "0", options.program],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
    watchdog = threading.Timer(LIMIT, simulator.kill)
    watchdog.start()
    waiting = simulator.stderr.readline()
    port = re.fullmatch(r"npu-\w+: waiting for gdb on 127\.0\.0\.1:(\d+)\n", waiting)
    if not port:
        sys.exit(f"the simulator does not wait for gdb: {waiting}{simulator.stderr.read()}")
    arguments = ["gdb-multiarch", "-nx", "-batch", "-ex", "set width 0", "-ex", "set style enabled off",
                 "-ex", f"target remote 127.0.0.1:{port[1]}"]
    for command in commands:
        arguments += ["-ex", f"echo >>> {command}\\n", "-ex", command]
    gdb = subprocess.Popen(arguments + [options.program], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    killer = threading.Timer(LIMIT, gdb.kill)
    killer.start()
    output = ""
    while options.interrupt_at and options.interrupt_at not in output:
        line = simulator.stdout.readline()
        if not line:
            break
        output += line
    if options.interrupt_at:
        time.sleep(MOMENT)
        gdb.send_signal(signal.SIGINT)
    print(gdb.communicate()[0])
    rest, errors = simulator.communicate()
    watchdog.cancel()
    killer.cancel()
    print(f"--- simulator\n{output}{rest}{errors}status {simulator.returncode}")


main()
