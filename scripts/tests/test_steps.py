# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The step runner: what runs again, what is kept, and what a failure tells."""

import contextlib
import io
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import steps
from paths import Failure


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)
        for name in ("LOGS", "STAMPS"):
            patch = mock.patch.object(steps, name, self.dir / name.lower())
            patch.start()
            self.addCleanup(patch.stop)
        self.source, self.output = self.dir / "src", self.dir / "out"
        self.source.mkdir()
        (self.source / "a.c").write_text("one")

    def step(self, code="pass", **more):
        command = [sys.executable, "-c", f"open({str(self.output)!r}, 'a').write('x')\n{code}"]
        return steps.Step("work", "work", [command], inputs=[self.source], outputs=[self.output], **more)

    def run_step(self, step):
        with contextlib.redirect_stdout(io.StringIO()):
            return steps.run_step(step)

    def test_runs_once(self):
        self.assertTrue(self.run_step(self.step()))
        self.assertFalse(self.run_step(self.step()))

    def test_runs_again_when_something_changed(self):
        changes = {
            "contents": lambda: (self.source / "a.c").write_text("two"),
            "a new file": lambda: (self.source / "b.c").write_text(""),
            "a removed file": lambda: (self.source / "b.c").unlink(),
            "a lost output": lambda: self.output.unlink(),
        }
        self.run_step(self.step())
        for what, change in changes.items():
            with self.subTest(what):
                change()
                self.assertTrue(self.run_step(self.step()))
                self.assertFalse(self.run_step(self.step()))
        self.assertTrue(self.run_step(self.step(key="another compiler")))

    def test_failure_names_command_log_and_reason(self):
        step = self.step("raise SystemExit('the disk is on fire')")
        for _ in range(2):  # a failed step is not taken for a finished one
            with self.assertRaises(Failure) as caught:
                self.run_step(step)
            for part in ("work failed", "exit status 1", sys.executable, "the disk is on fire", "work.log"):
                self.assertIn(part, str(caught.exception))

    def test_missing_output_is_a_failure(self):
        with self.assertRaises(Failure) as caught:
            self.run_step(steps.Step("lazy", "lazy", [["true"]], outputs=[self.output]))
        self.assertIn("did not produce", str(caught.exception))

    def test_missing_tool_is_a_failure(self):
        with self.assertRaises(Failure) as caught:
            self.run_step(steps.Step("absent", "absent", [["no-such-tool-here"]]))
        self.assertIn("no-such-tool-here", str(caught.exception))

    def test_time_limit_ends_the_command_and_its_children(self):
        late = self.dir / "late"
        script = f"(sleep 4; touch '{late}') & sleep 60"
        start = time.monotonic()
        with self.assertRaises(Failure) as caught:
            self.run_step(steps.Step("slow", "slow", [["sh", "-c", script]], limit=0.5))
        self.assertIn("stopped after 0.5 s", str(caught.exception))
        self.assertLess(time.monotonic() - start, 4)
        time.sleep(max(0, start + 4.5 - time.monotonic()))
        self.assertFalse(late.exists())


if __name__ == "__main__":
    unittest.main()
