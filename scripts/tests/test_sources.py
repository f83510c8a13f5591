# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that every tracked file keeps."""

import re
import subprocess
import unittest

from paths import ROOT

MAX_BYTES = 1 << 20
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCES = {".c", ".cc", ".cpp", ".h", ".hpp", ".inc", ".td", ".py", ".sh", ".sv", ".svh", ".S", ".s", ".ll",
           ".mir", ".cmake", ".ld", ".vlt", ".cfg", ".test"}
NAMED = {"CMakeLists.txt", "npu", "run"}
UNFINISHED = re.compile(rb"\b(TODO|FIXME|XXX|HACK)\b")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
HOME = re.compile(rb"/(?:root|home/[a-z]+|tmp/[a-z]+)/")


def tracked():
    """Tracked files; those to be added count too, so that the rules bite before a commit."""
    listing = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             cwd=ROOT, capture_output=True, check=True).stdout
    return sorted(path for name in listing.split(b"\0") if name
                  for path in [ROOT / name.decode()] if path.is_file() and not path.is_symlink())


class Sources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = tracked()

    def offenders(self, bad):
        return [str(f.relative_to(ROOT)) for f in self.files if bad(f)]

    def test_licence_header(self):
        def bad(file):
            if file.suffix not in SOURCES and file.name not in NAMED:
                return False
            head = file.read_bytes()[:400].decode(errors="replace").splitlines()[:3]
            return not any(SPDX in line for line in head)
        self.assertEqual(self.offenders(bad), [], "no SPDX line among the first three")

    def test_links_of_documents(self):
        broken = [f"{file.relative_to(ROOT)}: {target}" for file in self.files if file.suffix == ".md"
                  for target in LINK.findall(file.read_text()) if not (file.parent / target).exists()]
        self.assertEqual(broken, [], "links to files that are not there")

    def test_size(self):
        self.assertEqual(self.offenders(lambda f: f.stat().st_size > MAX_BYTES), [],
                         f"larger than {MAX_BYTES} bytes")

    def test_nothing_unfinished(self):
        patterns = {ROOT / "scripts/tests/test_sources.py"}
        self.assertEqual(self.offenders(lambda f: f not in patterns and f.suffix != ".patch"
                                        and UNFINISHED.search(f.read_bytes())), [],
                         "marks of unfinished work")

    def test_no_machine_paths(self):
        patterns = {ROOT / "scripts/tests/test_sources.py"}
        self.assertEqual(self.offenders(lambda f: f not in patterns and HOME.search(f.read_bytes())), [],
                         "paths of one machine")


if __name__ == "__main__":
    unittest.main()
