#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetch the pinned source archives and lay out patched source trees.

Archives come from the Debian mirror the machine already uses, through a private apt
configuration (the system's source lists stay as they are), and are kept by hash in the
user's cache folder. The LLVM tree under build/llvm-src then receives Debian's patch series
and the overlay, and build/picolibc-src the patches and files of toolchain/picolibc; build/libcxx-src is plain.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import overlay
from common import BUILD, CACHE, ROOT, Failure, main, say

LOCK = ROOT / "toolchain/sources.lock"
LLVM_SRC = BUILD / "llvm-src"
PICOLIBC_SRC = BUILD / "picolibc-src"
# Only these parts of the LLVM release are built or read by the delta build.
LLVM_PARTS = ["llvm", "clang", "lld", "cmake", "third-party", "compiler-rt", "libunwind/include"]
# The C++ library has a tree of its own, so that the compiler's keeps its time stamps.
LIBCXX_SRC = BUILD / "libcxx-src"
LIBCXX_PARTS = ["libcxx/include", "libcxx/src", "libcxx/vendor/llvm", "libcxxabi/include",
                "libcxxabi/src", "libc/hdr", "libc/include", "libc/shared", "libc/src/__support"]
TRIES = 3
APT_TIMEOUT = 600


def pinned():
    """Yield (file, sha256, source package) of every line of sources.lock."""
    for number, line in enumerate(LOCK.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split()
        if len(fields) != 3 or len(fields[1]) != 64:
            raise Failure(f"{LOCK}:{number}: expected 'file sha256 package', got '{line}'")
        yield fields


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        while block := f.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


class PrivateApt:
    """apt with deb-src entries of the machine's own mirror, kept under the cache folder."""

    def __init__(self):
        self.dir = CACHE / "apt"
        for sub in ("lists/partial", "cache/archives/partial", "parts"):
            (self.dir / sub).mkdir(parents=True, exist_ok=True)
        mirror = security = None
        targets = self.run(["apt-get", "indextargets", "--format", "$(REPO_URI)|$(LABEL)",
                            "Created-By: Packages"], private=False)
        for line in targets.splitlines():
            uri, _, label = line.partition("|")
            if label == "Debian":
                mirror = mirror or uri
            elif label == "Debian-Security":
                security = security or uri
        if not mirror:
            raise Failure("apt knows no Debian mirror: run 'apt-get update' and check "
                          "/etc/apt/sources.list")
        key = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
        entries = [f"deb-src {key} {mirror} trixie main"]
        if security:
            entries.append(f"deb-src {key} {security} bookworm-security main")
        (self.dir / "sources.list").write_text("\n".join(entries) + "\n")

    def run(self, command, private=True, cwd=None, check=True):
        if private:
            command = [command[0],
                       "-o", f"Dir::Etc::sourcelist={self.dir}/sources.list",
                       "-o", f"Dir::Etc::sourceparts={self.dir}/parts",
                       "-o", f"Dir::State::lists={self.dir}/lists",
                       "-o", f"Dir::Cache={self.dir}/cache",
                       "-o", "Acquire::Retries=2"] + command[1:]
        try:
            done = subprocess.run(command, cwd=cwd, capture_output=True, text=True,
                                  timeout=APT_TIMEOUT)
        except FileNotFoundError:
            raise Failure(f"{command[0]} not found: the sources come from Debian's archive")
        except subprocess.TimeoutExpired:
            raise Failure(f"{command[0]} gave no answer in {APT_TIMEOUT} s")
        if check and done.returncode:
            errors = [l for l in done.stderr.splitlines() if l.startswith("E:")]
            raise Failure(f"{command[0]} failed: {'; '.join(errors) or done.stderr.strip()}")
        return done.stdout

    def versions_with(self, package, digest):
        """Versions of the package whose source index lists a file with this hash."""
        found, version = [], None
        for line in self.run(["apt-cache", "showsrc", package]).splitlines():
            if line.startswith("Version:"):
                version = line.split()[1]
            elif digest in line and version not in found:
                found.append(version)
        return found

    def fetch(self, name, digest, package):
        """Return the path of the downloaded file, or None; the caller checks the hash."""
        target = self.dir / "download"
        target.mkdir(exist_ok=True)
        for version in self.versions_with(package, digest):
            # The exit status is non-zero when any sibling file is gone from the pool;
            # what counts is the one file that is wanted.
            self.run(["apt-get", "source", "--download-only", "--yes", f"{package}={version}"],
                     cwd=target, check=False)
            if (target / name).exists() and sha256(target / name) == digest:
                return target / name
        return None


def download_all():
    """Return {file name: cached path} for every pinned archive."""
    store = CACHE / "downloads"
    store.mkdir(parents=True, exist_ok=True)
    apt, result = None, {}
    for name, digest, package in pinned():
        cached = store / digest
        result[name] = cached
        if cached.exists():
            continue
        problem = "no version in the source index has this hash"
        for attempt in range(TRIES):
            try:
                apt = apt or PrivateApt()
                say(f"downloading {name}")
                apt.run(["apt-get", "update"])
                if path := apt.fetch(name, digest, package):
                    os.replace(path, cached)
                    break
            except Failure as failure:
                problem = str(failure)
            if attempt + 1 < TRIES:
                time.sleep(5 * (attempt + 1))
        else:
            raise Failure(f"cannot download {name} (sha256 {digest[:12]}...) of Debian source "
                          f"package {package}: {problem}")
    if apt:
        shutil.rmtree(apt.dir / "download", ignore_errors=True)
    return result


def unpack(archive, into, parts=(), excludes=()):
    """Unpack the tar archive without its top folder."""
    listing = subprocess.run(f"tar tf '{archive}' 2>/dev/null | head -1", shell=True,
                             capture_output=True, text=True).stdout
    top = listing.split("/")[0]
    if not top:
        raise Failure(f"{archive}: not a tar archive")
    command = ["tar", "xf", archive, "-C", into, "--strip-components=1"]
    command += [f"--exclude={e}" for e in excludes] + [f"{top}/{p}" for p in parts]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"unpacking {archive}: {done.stderr.strip().splitlines()[-1]}")


def patch_sections(text):
    """Split a patch into (target path, section text), one per file."""
    lines, starts = text.splitlines(keepends=True), []
    for i, line in enumerate(lines[:-1]):
        if line.startswith("--- ") and lines[i + 1].startswith("+++ "):
            starts.append(i)
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        old, new = (lines[start + k].split()[1].split("/", 1)[-1] for k in (0, 1))
        yield (old if lines[start + 1].startswith("+++ /dev/null") else new,
               "".join(lines[start:end]))


def apply_patch(tree, content, name):
    done = subprocess.run(["patch", "-p1", "--forward", "--batch", "--silent", "-d", tree,
                           "--no-backup-if-mismatch"], capture_output=True, input=content)
    if done.returncode:
        raise Failure(f"{name} does not apply: {done.stdout.decode(errors='replace').strip()}")


def apply_debian_series(tree, debian):
    """Apply the hunks of Debian's series that touch files we unpacked."""
    patches, applied = debian / "patches", 0
    for line in (patches / "series").read_text().splitlines():
        name = line.split("#")[0].strip()
        if not name:
            continue
        text = (patches / name).read_text(errors="surrogateescape")
        wanted = "".join(body for path, body in patch_sections(text) if (tree / path).exists())
        if not wanted:
            continue
        apply_patch(tree, wanted.encode(errors="surrogateescape"), f"Debian patch {name}")
        applied += 1
    return applied


def lay_out(tree, stamp_text, fill):
    """Fill a fresh folder and rename it into place, unless it is there already."""
    stamp = tree / ".pinned"
    if stamp.exists() and stamp.read_text() == stamp_text:
        return
    tree.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=tree.name + ".", dir=tree.parent))
    try:
        fill(fresh)
        (fresh / ".pinned").write_text(stamp_text)
        fresh.chmod(0o755)
        shutil.rmtree(tree, ignore_errors=True)
        os.replace(fresh, tree)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def link_picolibc_files():
    """Files of ours join picolibc's or take the place of those of the same name."""
    ours = ROOT / "toolchain/picolibc"
    for source in ours.glob("newlib/**/*.[ch]"):
        target = PICOLIBC_SRC / source.relative_to(ours)
        if not target.is_symlink() or os.readlink(target) != str(source):
            target.unlink(missing_ok=True)
            target.symlink_to(source)


def fetch():
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / ".fetch.lock", "w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        files = download_all()
        by_kind = {name.split("_")[0] + ("/debian" if ".debian." in name else ""): path
                   for name, path in files.items()}

        def fill_llvm(fresh):
            say("unpacking LLVM, Clang and lld 22.1.8")
            unpack(by_kind["llvm-toolchain-22"], fresh, LLVM_PARTS,
                   ["*/test", "*/docs", "*/unittests", "*/third-party/benchmark"])
            debian = fresh / "debian"
            debian.mkdir()
            # This archive's top folder is 'debian' itself.
            unpack(by_kind["llvm-toolchain-22/debian"], debian, ["patches"])
            count = apply_debian_series(fresh, debian)
            say(f"applied {count} of Debian's patches")

        lay_out(LLVM_SRC, by_kind["llvm-toolchain-22"].name + "\n"
                + by_kind["llvm-toolchain-22/debian"].name + "\n", fill_llvm)
        lay_out(LIBCXX_SRC, "\n".join([by_kind["llvm-toolchain-22"].name, *LIBCXX_PARTS]),
                lambda fresh: unpack(by_kind["llvm-toolchain-22"], fresh, LIBCXX_PARTS))
        patches = sorted((ROOT / "toolchain/picolibc/patches").glob("*.patch"))

        def fill_picolibc(fresh):
            unpack(by_kind["picolibc"], fresh)
            for path in patches:
                apply_patch(fresh, path.read_bytes(), f"{path.relative_to(ROOT)}")

        lay_out(PICOLIBC_SRC, "\n".join([by_kind["picolibc"].name, *map(sha256, patches), ""]), fill_picolibc)
        link_picolibc_files()
        overlay.apply(LLVM_SRC)


if __name__ == "__main__":
    sys.exit(main(fetch))
