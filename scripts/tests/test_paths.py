# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder of downloads and compiled objects."""

import os
import subprocess
import sys
import tempfile
import unittest

from paths import BUILD, SCRIPTS


def cache(**variables):
    env = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME")}
    done = subprocess.run([sys.executable, "-c", "import paths; print(paths.CACHE)"],
                          cwd=SCRIPTS / "npu_cli", env={**env, **variables},
                          capture_output=True, text=True, check=True)
    return done.stdout.strip()


class Cache(unittest.TestCase):
    def test_of_the_user(self):
        with tempfile.TemporaryDirectory() as home:
            self.assertEqual(cache(HOME=home), f"{home}/.cache/npu")
            self.assertEqual(cache(HOME="/", XDG_CACHE_HOME=home), f"{home}/npu")

    def test_of_the_checkout_where_the_user_has_none(self):
        for home in ("/proc/none", "relative"):
            self.assertEqual(cache(HOME=home), str(BUILD / "cache/npu"))
        with tempfile.NamedTemporaryFile() as file:
            self.assertEqual(cache(XDG_CACHE_HOME=file.name), str(BUILD / "cache/npu"))


if __name__ == "__main__":
    unittest.main()
