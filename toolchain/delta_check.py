#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prove that the rebuilt and the prebuilt parts of the delta build agree.

The stock archives were compiled against the stock headers. This script finds every way in
which the overlay's headers and tables differ from those, and every stock source file that
can see a difference; such a file has to be among the rebuilt ones. Checked:

  tables     each file that tablegen makes from a changed .td is made anew and compared
  headers    a patched header may only add lines
  sources    a patched source file is rebuilt
  switches   no prebuilt 'switch' over architectures lacks a default
  libraries  no archive of another target is linked

Prints one line a finding and exits 1 when there is one.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import overlay
from common import BUILD, Failure, main, say

STOCK = Path("/usr/lib/llvm-22")
TREE = BUILD / "llvm-src"
NINJA = BUILD / "llvm"
# Source folders whose objects can end up in our tools.
LINKED = ["llvm/lib", "clang/lib", "lld/ELF", "lld/Common"]
# Never linked into our tools: other back ends, and what only runs code on the host.
NOT_LINKED = re.compile(r"llvm/lib/(Target/|ExecutionEngine/)|clang/lib/(CIR|Interpreter)/")

# A difference that everyone sees but hardly anyone uses: the header may differ in this one
# identifier, and the files that name it are the ones that count.
END_MARKERS = {"llvm/IR/IntrinsicEnums.inc": "num_intrinsics"}
APPENDED = {"llvm/include/llvm/TargetParser/Triple.h": "LastArchType"}
# Files in which a finding does no harm.
HARMLESS = {
    "llvm/lib/IR/Core.cpp": "only in an assertion, which the archives have not",
    "llvm/lib/CodeGen/SelectionDAG/SelectionDAGDumper.cpp": "the NPU has no SelectionDAG",
    "llvm/lib/CodeGen/SelectionDAG/SelectionDAGISel.cpp": "the NPU has no SelectionDAG",
    "llvm/lib/Object/MachOObjectFile.cpp": "asks for the architecture of Mach-O files",
}


def sources():
    for folder in LINKED:
        for path in (TREE / folder).rglob("*"):
            name = str(path.relative_to(TREE))
            if path.suffix in (".cpp", ".c") and not NOT_LINKED.search(name):
                yield name, path


def rebuilt():
    """Source files that our build compiles, as paths in the tree."""
    listing = subprocess.run(["ninja", "-C", NINJA, "-t", "compdb"], capture_output=True, text=True)
    if listing.returncode:
        raise Failure(f"{NINJA}: not configured; run build.py --stage llvm first")
    files = set()
    for entry in json.loads(listing.stdout):
        path = Path(entry["file"])
        path = path if path.is_absolute() else Path(entry["directory"]) / path
        if path.is_relative_to(TREE):
            files.add(str(path.relative_to(TREE)))
    return files


def table_recipes():
    """Yield (header as it is included, .td file, include folders, tool, arguments)."""
    ir = TREE / "llvm/include/llvm/IR"
    text, current = (ir / "CMakeLists.txt").read_text(), None
    for line in text.splitlines():
        if match := re.match(r"set\(LLVM_TARGET_DEFINITIONS (\S+)\)", line):
            current = match[1]
        elif match := re.match(r"tablegen\(LLVM (\S+) (.*)\)", line):
            yield (f"llvm/IR/{match[1]}", ir / current, [TREE / "llvm/include", ir],
                   "llvm-tblgen", match[2].split())
    for folder in ("AST", "Basic", "Parse", "Sema", "Serialization"):
        base = TREE / "clang/include/clang" / folder
        for match in re.finditer(r"clang_tablegen\((\S+) ([^)]*?)SOURCE (\S+)",
                                 (base / "CMakeLists.txt").read_text()):
            arguments = [a for a in match[2].split() if a not in ("-I",)
                         and not a.startswith("${")]
            yield (f"clang/{folder}/{match[1]}", (base / match[3]).resolve(),
                   [TREE / "clang/include"], "clang-tblgen", arguments)


def patched_paths():
    return sorted(p for patch in overlay.PATCHES.glob("*.patch")
                  for p in overlay._patched_paths(patch))


def changed_tables(changed_td):
    """Headers made from the changed .td files that differ from the installed ones."""
    with tempfile.TemporaryDirectory() as scratch:
        for header, source, folders, tool, arguments in table_recipes():
            if source.name not in changed_td:
                continue
            made = Path(scratch) / "made"
            command = [STOCK / "bin" / tool, source, "-o", made, *arguments]
            command += [f"-I{folder}" for folder in folders]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise Failure(f"{tool} {source}: {done.stderr.strip()}")
            stock = STOCK / "include" / header
            # A comment may name a line of the .td file, which moves.
            old, new = ([re.sub(r" *// llvm\..*", "", line) for line in f.read_text().splitlines()]
                        if f.exists() else [] for f in (stock, made))
            if old != new:
                yield header, old, new


def sections(lines):
    """Split a table at its outermost #if blocks into {condition: lines}."""
    result, condition, depth = {}, "", 0
    for line in lines:
        if re.match(r"#\s*if", line):
            depth += 1
            condition = line if depth == 1 else condition
        result.setdefault(condition, []).append(line)
        if re.match(r"#\s*endif", line):
            depth -= 1
            condition = condition if depth else ""
    return result


def visible(condition, text):
    """Whether a file that defines what its text says sees the section."""
    names = re.findall(r"\b[A-Z][A-Z_]{5,}\b", condition)
    defines = any(re.search(rf"#\s*define\s+{name}\b", text) for name in names)
    return not names or defines != ("!defined" in condition or "#ifndef" in condition)


def includers(header, texts, conditions=("",)):
    """Sources that include the header, directly or through other headers.

    Only files to which one of the conditions makes a section visible count.
    """
    found, queue = set(), [(header, conditions)]
    while queue:
        name, conditions = queue.pop()
        needle = re.compile(r'#\s*include\s+["<](?:\S*/)?' + re.escape(Path(name).name) + '[">]')
        for path, text in texts.items():
            if path not in found and needle.search(text) and \
                    any(visible(c, text) for c in conditions):
                found.add(path)
                if path.endswith(".h"):
                    queue.append((path, ("",)))
    return {p for p in found if p.endswith((".cpp", ".c"))}


def switches_without_default(text):
    """Line numbers of switches that name architectures and have no default label."""
    for match in re.finditer(r"\bswitch\s*\(", text):
        brace = text.find("{", match.end())
        depth, end = 1, brace + 1
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        body = text[brace:end]
        if re.search(r"case\s+(llvm::)?Triple::(ArchType::)?(riscv32|x86_64|aarch64)\s*:", body) \
                and not re.search(r"\bdefault\s*:", body):
            yield text.count("\n", 0, match.start()) + 1


def check():
    ours, findings = rebuilt(), []
    patched = patched_paths()
    cpp = {name: path.read_text(errors="replace") for name, path in sources()}

    def must_be_rebuilt(name, reason):
        if name not in ours and name not in HARMLESS:
            findings.append(f"{name} is not rebuilt, but {reason}")

    # Sources and headers.
    for name in patched:
        original, now = TREE / ".overlay-orig" / name, TREE / name
        if name.endswith((".cpp", ".c")) and any(name.startswith(f + "/") for f in LINKED):
            must_be_rebuilt(name, "the overlay changes it")
        if name.endswith(".h"):
            marker = APPENDED.get(name)
            old = [l for l in original.read_text().splitlines() if not marker or marker not in l]
            new = iter(now.read_text().splitlines())
            if not all(any(line == other for other in new) for line in old):
                findings.append(f"{name}: the overlay changes or moves stock lines")
            for path, text in cpp.items():
                if marker and re.search(rf"\b{marker}\b", text):
                    must_be_rebuilt(path, f"it uses {marker}")

    # Tables.
    headers = {str(p.relative_to(TREE)): p.read_text(errors="replace")
               for folder in ("llvm/include", "clang/include", "clang/lib", "lld/ELF")
               for p in (TREE / folder).rglob("*.h")}
    td = {Path(p).name for p in patched if p.endswith(".td")}
    tables = list(changed_tables(td))
    for header, old, new in tables:
        if not (STOCK / "include" / header).exists():
            continue
        marker = END_MARKERS.get(header)
        if marker:
            strip = lambda lines: [l for l in lines if marker not in l]
            if strip(old) != strip(new):
                findings.append(f"{header}: more than {marker} differs; something is renumbered")
            users = {p for p, text in cpp.items() if re.search(rf"\b{marker}\b", text)}
            reason = f"it uses {marker}"
        else:
            before, after = sections(old), sections(new)
            differing = [c for c in {**before, **after} if before.get(c) != after.get(c)]
            users = includers(header, {**cpp, **headers}, differing)
            reason = f"it sees the changed {header}"
        for path in users:
            must_be_rebuilt(path, reason)

    # Switches over architectures.
    for path, text in cpp.items():
        if path in ours or "Triple::" not in text:
            continue
        for line in switches_without_default(text) if path not in HARMLESS else ():
            findings.append(f"{path}:{line}: a prebuilt switch over architectures has no default")

    # Libraries.
    targets = subprocess.run([STOCK / "bin/llvm-config", "--targets-built"], text=True,
                             capture_output=True).stdout.split()
    linked = set(re.findall(r"/lib(LLVM\w+)\.a", (NINJA / "build.ninja").read_text()))
    for library in sorted(linked):
        for target in targets:
            if re.fullmatch(rf"LLVM{target}(CodeGen|Desc|Info|AsmParser|Disassembler|Utils|"
                            "TargetMCA|Analysis)", library):
                findings.append(f"lib{library}.a of another target is linked")

    for finding in sorted(set(findings)):
        print(finding)
    if findings:
        raise Failure(f"{len(set(findings))} places where rebuilt and prebuilt code disagree")
    say(f"{len(tables)} changed tables, {len(patched)} patched files, {len(cpp)} stock sources: "
        "rebuilt and prebuilt code agree")


if __name__ == "__main__":
    sys.exit(main(check))
