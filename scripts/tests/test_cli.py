# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line of scripts/npu: bad input gives one clear line, good input reaches the tool."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from paths import BIN, ROOT

NPU = ROOT / "scripts/npu"


def npu(*words, cwd=ROOT):
    return subprocess.run([NPU, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=60)


class BadInput(unittest.TestCase):
    CASES = [
        ("unknown command", ["frobnicate"], "frobnicate"),
        ("unknown option", ["test", "--frobnicate"], "--frobnicate"),
        ("unknown run option", ["run", "--frobnicate", "a.elf"], "--frobnicate"),
        ("unknown simulator", ["run", "--sim", "qemu", "a.elf"], "qemu"),
        ("unknown configuration", ["run", "--config", "huge", "a.elf"], "huge"),
        ("cycle bound", ["run", "--max-cycles", "soon", "a.elf"], "soon"),
        ("cycle bound of zero", ["run", "--max-cycles", "0", "a.elf"], "'0'"),
        ("no program", ["run"], "PROG.elf"),
        ("unknown suite", ["test", "no_such_suite"], "no_such_suite"),
        ("seed", ["test", "fuzz", "--seed", "-1x"], "--seed"),
        ("program of fuzz by name", ["test", "fuzz/7"], "--seed"),
        ("seed of another suite", ["test", "mc", "--seed", "1"], "fuzz"),
        ("seed of two suites", ["test", "fuzz", "kernels", "--seed", "1"], "kernels"),
    ]

    def test_messages(self):
        for what, words, named in self.CASES:
            with self.subTest(what):
                done = npu(*words)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, "")
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertTrue(done.stderr.startswith("error: "), done.stderr)
                self.assertIn(named, done.stderr)


class Run(unittest.TestCase):
    def test_options_of_the_other_simulator(self):
        cases = [("iss", ["--wave", "w.fst"], "rtl"), ("iss", ["--lockstep"], "rtl"),
                 ("iss", ["--dram-latency", "10"], "rtl"), ("rtl", ["--check-races"], "iss")]
        for sim, words, needed in cases:
            done = npu("run", "--sim", sim, *words, "a.elf")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, f"error: run: {words[0]} needs --sim {needed}\n")

    @unittest.skipUnless((BIN / "npu-iss").exists(), "simulators are not built")
    def test_missing_program(self):
        done = npu("run", "--sim", "iss", "nowhere.elf")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("nowhere.elf", done.stderr)

    @unittest.skipUnless((BIN / "npu-iss").exists(), "simulators are not built")
    def test_not_an_elf(self):
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder, "text.elf")
            text.write_text("not an ELF file\n")
            done = npu("run", "--sim", "iss", text)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("text.elf", done.stderr)


class Help(unittest.TestCase):
    def test_every_command_has_help(self):
        for command in ("setup", "demo", "test", "run", "bench", "env"):
            done = npu(command, "--help")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"npu {command}", done.stdout)

    def test_env_names_the_toolchain(self):
        done = npu("env", cwd="/")
        self.assertIn(str(ROOT / "build/toolchain/bin"), done.stdout)


if __name__ == "__main__":
    unittest.main()
