# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debug information of objects and programs: llvm-dwarfdump --verify finds nothing, and the binutils
for RISC-V read the files without a warning.

  dwarf_check.py FOLDER COMPILER... -- SOURCE...
"""

import pathlib
import subprocess
import sys

BINUTILS = "riscv64-unknown-elf-"
READERS = [[f"{BINUTILS}readelf", "--all", "--wide"],
           [f"{BINUTILS}objdump", "--private-headers", "--syms", "--reloc"],
           [f"{BINUTILS}size"], [f"{BINUTILS}nm"]]
# Debian's readelf does not know what relaxable objects with DWARF 5 need, nor programs that mix
# versions, as those with the C library (DWARF 4) do.
DWARF4_READERS = [*READERS, [f"{BINUTILS}readelf", "--debug-dump"]]
problems = 0


def run(command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, text=True, errors="replace")


def problem(title, text):
    global problems
    problems += 1
    print(f"{title}\n" + "\n".join(text.splitlines()[:12]))


def check(file, title, readers):
    verified = run(["llvm-dwarfdump", "--verify", file])
    if verified.returncode or "No errors." not in verified.stdout:
        problem(f"{title}: llvm-dwarfdump --verify", "\n".join(
            line for line in verified.stdout.splitlines() if not line.startswith("Verifying")))
    for command in readers:
        # Warnings go to standard error and name the tool.
        read = run([*command, file])
        # Location lists that no function refers to are what a dropped function leaves.
        complaints = [line for line in read.stdout.splitlines()
                      if (line.startswith(BINUTILS) or "Warning:" in line or "Error:" in line)
                      and "There is a hole" not in line and "rather than 0" not in line]
        if read.returncode or complaints:
            problem(f"{title}: {' '.join(command)}", "\n".join(complaints))


def main():
    folder, separator = pathlib.Path(sys.argv[1]), sys.argv.index("--")
    compiler, sources = sys.argv[2:separator], [pathlib.Path(s) for s in sys.argv[separator + 1:]]
    folder.mkdir(parents=True, exist_ok=True)
    files = 0
    for source in sources:
        for level in ("-O0", "-Og", "-O2", "-Os"):
            for dwarf in ("-gdwarf-4", "-gdwarf-5"):
                base = folder / f"{source.stem}{level}{dwarf}"
                kinds = {".o": ["-c"], ".elf": ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"],
                         ".lto.elf": ["-flto"]}
                for suffix, options in kinds.items():
                    file = base.with_name(base.name + suffix)
                    title = f"{source.name} {level} {dwarf} {' '.join(options)}"
                    built = run([*compiler, level, dwarf, *options, source, "-o", file])
                    if built.returncode:
                        problem(title, built.stdout)
                        continue
                    check(file, title, DWARF4_READERS if dwarf == "-gdwarf-4" else
                          READERS if suffix != ".o" else [])
                    files += 1
    print(f"{files} files, {problems} problems")


main()
