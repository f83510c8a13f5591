# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the steps of set-up: progress, logs, and stamps that let an interrupted run resume.

A step is skipped when its stamp holds the hash of its present inputs. The stamp is written
by rename after the step has succeeded, so a step that was cut off runs again.
"""

import fcntl
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from paths import BUILD, LOGS, ROOT, STAMPS, Failure, environment, jobs, relative

PLAIN_INTERVAL = 15
TAIL_LINES = 30
TAIL_COLUMNS = 300
# Commands that run now, so that an interrupt can end all of them.
RUNNING = set()
# Folders that hold no input of any step.
SKIP = {"__pycache__", ".git", "build"}


class Step:
    """name: of log and stamp; what: for the reader; commands: lists of words;
    inputs: files or folders whose contents decide whether to run; outputs: files that must
    exist for the stamp to count; limit: seconds after which the step is stopped."""

    def __init__(self, name, what, commands, inputs=(), outputs=(), key="", limit=3600):
        self.name, self.what, self.commands = name, what, commands
        self.inputs, self.outputs, self.key, self.limit = inputs, outputs, key, limit

    def digest(self):
        h = hashlib.sha256(repr((self.commands, self.key)).encode())
        for top in self.inputs:
            for path in input_files(top):
                h.update(relative(path).encode() + b"\0" + path.read_bytes() + b"\0")
        return h.hexdigest()

    @property
    def stamp(self):
        return STAMPS / self.name

    @property
    def log(self):
        return LOGS / f"{self.name}.log"

    def done(self):
        try:
            if self.stamp.read_text() != self.digest():
                return False
        except FileNotFoundError:
            return False
        return all(output.exists() for output in self.outputs)


def input_files(top):
    """Files under a folder in a fixed order (or the file itself)."""
    if top.is_file():
        yield top
    for folder, names, files in os.walk(top):
        names[:] = sorted(n for n in names if n not in SKIP)
        for file in sorted(files):
            path = top.__class__(folder, file)
            if path.is_file():
                yield path


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Display:
    """One live line on a terminal; elsewhere a plain line now and then."""

    def __init__(self, title):
        self.title, self.live = title, sys.stdout.isatty()
        self.start = time.monotonic()
        self.printed = self.start
        if not self.live:
            print(f"{title} ...", flush=True)

    def update(self, text):
        now = time.monotonic()
        line = f"{self.title}  {clock(now - self.start)}  {text}"
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            sys.stdout.write("\r\x1b[K" + line[:width])
            sys.stdout.flush()
        elif now - self.printed >= PLAIN_INTERVAL:
            self.printed = now
            print(line[:160], flush=True)

    def note(self, text):
        """A line that stays."""
        if self.live:
            sys.stdout.write("\r\x1b[K")
        print(f"{self.title}  {text}", flush=True)

    def finish(self, result):
        if self.live:
            sys.stdout.write("\r\x1b[K")
        print(f"{self.title}  {result} in {clock(time.monotonic() - self.start)}", flush=True)


def last_lines(path, count):
    with open(path, "rb") as f:
        f.seek(0, os.SEEK_END)
        f.seek(max(0, f.tell() - max(4096, 1000 * count)))
        text = f.read().decode(errors="replace").replace("\r", "\n")
    return [line for line in text.split("\n") if line.strip()][-count:]


def stop_group(process):
    """End the command and what it started; ask first, then insist."""
    for sig in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sig)
            process.wait(timeout=5)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def run_logged(command, log, display, limit, env=None, cwd=ROOT):
    """Run a command with its output appended to the log; return its exit status."""
    deadline = time.monotonic() + limit
    with open(log, "ab") as out:
        out.write(f"$ {shlex.join(map(str, command))}\n".encode())
        out.flush()
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       cwd=cwd, env=env or environment(), start_new_session=True)
        except OSError as error:
            out.write(f"{error}\n".encode())
            return 127
        RUNNING.add(process)
        try:
            while True:
                try:
                    return process.wait(timeout=0.25)
                except subprocess.TimeoutExpired:
                    pass
                lines = last_lines(log, 1)
                display.update(lines[0].strip() if lines else "")
                if time.monotonic() > deadline:
                    out.write(f"stopped after {limit} s\n".encode())
                    return 124
        finally:
            if process.poll() is None:
                stop_group(process)
            RUNNING.discard(process)


def parallel(function, work):
    """The results of the function for each item, one worker a core; an interrupt ends them all."""
    pool = ThreadPoolExecutor(jobs())
    try:
        return list(pool.map(function, work))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list(RUNNING):
            stop_group(process)
        raise
    finally:
        pool.shutdown()


def fail(what, command, status, log):
    lines = (line if len(line) <= TAIL_COLUMNS else line[:TAIL_COLUMNS] + " ..."
             for line in last_lines(log, TAIL_LINES))
    text = "\n".join("    " + line for line in lines)
    raise Failure(f"{what} failed (exit status {status})\n"
                  f"  command: {shlex.join(map(str, command))}\n"
                  f"  last lines of its output:\n{text}\n"
                  f"  whole output: {relative(log)}\n"
                  f"  after fixing the cause, run the same command again: finished steps are kept")


def run_step(step, position=""):
    """Run the step unless its stamp is current; return whether it ran."""
    if step.done():
        return False
    digest = step.digest()
    for folder in (LOGS, STAMPS):
        folder.mkdir(parents=True, exist_ok=True)
    step.stamp.unlink(missing_ok=True)
    step.log.write_bytes(b"")
    display = Display(f"{position}{step.what}")
    for command in step.commands:
        status = run_logged(command, step.log, display, step.limit)
        if status:
            display.finish("FAILED")
            fail(step.what, command, status, step.log)
    missing = [relative(output) for output in step.outputs if not output.exists()]
    if missing:
        display.finish("FAILED")
        fail(f"{step.what}: did not produce {', '.join(missing)}; the step", step.commands[-1], 0,
             step.log)
    fresh = step.stamp.with_suffix(".new")
    fresh.write_text(digest)
    os.replace(fresh, step.stamp)
    display.finish("done")
    return True


@contextmanager
def only_one():
    """Keep two set-ups of one checkout from working at the same time."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / ".npu.lock", "w") as guard:
        try:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("another npu command is setting this checkout up; waiting for it", flush=True)
            fcntl.flock(guard, fcntl.LOCK_EX)
        yield
