#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Apply llvm-project-overlay to a source tree, or regenerate its patches from one.

New files and folders become symbolic links into the overlay, so that an edit there is an
edit of the tree. Patched files are written only when their content changes, which keeps incremental
builds small; pristine copies are kept in .overlay-orig. To change an upstream file, edit it
in the tree (after copying a file that no patch names yet to .overlay-orig) and run diff.

  overlay.py apply [TREE]   bring TREE (default build/llvm-src) up to date
  overlay.py diff  [TREE]   rewrite llvm-project-overlay/patches from the edited TREE
"""

import difflib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from common import BUILD, ROOT, Failure, main

OVERLAY = ROOT / "llvm-project-overlay"
PATCHES = OVERLAY / "patches"
PROJECTS = ["llvm", "clang", "lld", "compiler-rt"]


def _originals(tree):
    return tree / ".overlay-orig"


def _write_if_changed(path, data):
    if path.is_symlink():
        path.unlink()
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _hash(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _record(tree):
    """Remember the patched files as they are, to notice edits that no patch holds yet."""
    originals = _originals(tree)
    paths = [p.relative_to(originals) for p in originals.rglob("*") if p.is_file()]
    (tree / ".overlay-state.json").write_text(
        json.dumps({str(p): _hash(tree / p) for p in sorted(paths)}, indent=1))


def _refuse_to_lose_edits(tree):
    state, originals = tree / ".overlay-state.json", _originals(tree)
    known = json.loads(state.read_text()) if state.exists() else {}
    for original in originals.rglob("*"):
        if original.is_file():
            path = str(original.relative_to(originals))
            if _hash(tree / path) not in (known.get(path), _hash(original)):
                raise Failure(f"{tree / path} was edited and no patch holds the edit: "
                              "run 'overlay.py diff' to keep it, or restore the file")


def _patched_paths(patch):
    return [line.split()[1].split("/", 1)[1] for line in patch.read_text().splitlines()
            if line.startswith("+++ b/")]


def _apply_patches(tree):
    originals = _originals(tree)
    _refuse_to_lose_edits(tree)
    wanted = {p: patch for patch in sorted(PATCHES.glob("*.patch")) for p in _patched_paths(patch)}
    for path in wanted:
        if not (tree / path).exists():
            raise Failure(f"{wanted[path]}: {path} is not in {tree}")
        if not (originals / path).exists():
            (originals / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / path, originals / path)
    with tempfile.TemporaryDirectory(dir=tree) as scratch:
        for path in wanted:
            copy = Path(scratch) / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(originals / path, copy)
        for patch in sorted(PATCHES.glob("*.patch")):
            done = subprocess.run(["patch", "-p1", "--batch", "--forward", "--silent", "-F0",
                                   "-d", scratch, "-i", patch], capture_output=True, text=True)
            if done.returncode:
                raise Failure(f"{patch} does not apply to {tree}: {done.stdout.strip()}")
        for path in wanted:
            _write_if_changed(tree / path, (Path(scratch) / path).read_bytes())
    # A file that no patch names any more goes back to what it was.
    for original in originals.rglob("*"):
        path = original.relative_to(originals)
        if original.is_file() and str(path) not in wanted:
            _write_if_changed(tree / path, original.read_bytes())
            original.unlink()
    _record(tree)


def _link(source, link):
    """Make link a symbolic link to source; a folder that upstream has is entered instead."""
    if link.is_symlink():
        if os.readlink(link) == str(source):
            return
        link.unlink()
    if not link.exists():
        link.symlink_to(source)
    elif source.is_dir() and link.is_dir():
        for child in source.iterdir():
            _link(child, link / child.name)
    else:
        raise Failure(f"{source} would replace an upstream file; write a patch instead")


def _link_new_files(tree):
    for project in PROJECTS:
        if (OVERLAY / project).exists():
            _link(OVERLAY / project, tree / project)
        # Links whose overlay file was removed.
        for folder, folders, names in os.walk(tree / project):
            for link in (Path(folder) / name for name in folders + names):
                if link.is_symlink() and not link.exists() and \
                        os.readlink(link).startswith(str(OVERLAY)):
                    link.unlink()


def apply(tree=BUILD / "llvm-src"):
    _apply_patches(tree)
    _link_new_files(tree)


def diff(tree=BUILD / "llvm-src"):
    """Write one patch a project from the files that differ from their pristine copies."""
    originals = _originals(tree)
    text = {project: [] for project in PROJECTS}
    for original in sorted(p for p in originals.rglob("*") if p.is_file()):
        path = str(original.relative_to(originals))
        old, new = (f.read_text().splitlines(keepends=True) for f in (original, tree / path))
        text[path.split("/")[0]] += difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", n=2)
    PATCHES.mkdir(parents=True, exist_ok=True)
    for project, lines in text.items():
        if lines:
            (PATCHES / f"{project}.patch").write_text("".join(lines))
        else:
            (PATCHES / f"{project}.patch").unlink(missing_ok=True)
    _record(tree)


def _command(arguments):
    if not arguments or arguments[0] not in ("apply", "diff") or len(arguments) > 2:
        raise Failure("usage: overlay.py apply|diff [TREE]")
    tree = Path(arguments[1]).resolve() if len(arguments) == 2 else BUILD / "llvm-src"
    if not tree.is_dir():
        raise Failure(f"{tree}: no such folder")
    {"apply": apply, "diff": diff}[arguments[0]](tree)


if __name__ == "__main__":
    sys.exit(main(_command, sys.argv[1:]))
