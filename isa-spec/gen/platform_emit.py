# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts generated from isa-spec/platform.json: machine parameters for C,
assembly, SystemVerilog and linker scripts."""

import json

from isa import IsaError
from isa_emit import LICENCE, NOTICE, upper_camel


def load_platform(path):
    try:
        platform = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise IsaError(f"{path.name}: {error}") from error
    for section in ("memory", "mmio", "reset_pc"):
        if section not in platform:
            raise IsaError(f"{path.name}: no {section}")
    bases = {}
    for config, regions in platform["memory"].items():
        spans = [(parse(r["base"]), parse(r["size"]), r["name"]) for r in regions]
        spans += [(parse(r["base"]), parse(r["size"]), n) for n, r in platform["mmio"].items()]
        spans.sort()
        for (base, size, name), (after, _, other) in zip(spans, spans[1:]):
            if base + size > after:
                raise IsaError(f"{path.name}: {name} and {other} overlap in configuration {config}")
        for base, size, name in spans:
            if base + size > 1 << 32:
                raise IsaError(f"{path.name}: {name} ends beyond 32 bits in configuration {config}")
            if bases.setdefault(name, base) != base:
                raise IsaError(f"{path.name}: base of {name} differs between configurations")
    return platform


def parse(value):
    return int(value, 16) if isinstance(value, str) else value


def parameters(node, path=()):
    """Leaves of the tree as (words, value, is an address or offset), without
    the memory map, whose sizes depend on the configuration."""
    for key, value in node.items():
        if key == "//" or (not path and key == "memory"):
            continue
        words = path + (key,)
        if isinstance(value, dict):
            yield from parameters(value, words)
        else:
            yield "_".join(words), parse(value), isinstance(value, str)


def memory_parameters(platform):
    """Bases, which all configurations share, and sizes by configuration."""
    configs = platform["memory"]
    for region in next(iter(configs.values())):
        yield f"{region['name']}_base", parse(region["base"]), True
    for config, regions in configs.items():
        for region in regions:
            yield f"{config}_{region['name']}_size", parse(region["size"]), True


def all_parameters(platform):
    yield from parameters(platform)
    yield from memory_parameters(platform)


def emit_platform_h(platform):
    out = [f"// {LICENCE}", "//", f"// {NOTICE}", "//",
           "// Machine parameters, for C, C++ and assembly. Sizes that depend on the configuration",
           "// bear its name; a program reads the actual ones from ntcmsize and nitcmsize.", "",
           "#ifndef NPU_PLATFORM_H", "#define NPU_PLATFORM_H", "",
           "#ifdef __ASSEMBLER__", "#define NPU_U32(value) value", "#else",
           "#define NPU_U32(value) value##u", "#endif", ""]
    for name, value, is_address in all_parameters(platform):
        text = f"0x{value:08x}" if is_address else str(value)
        out.append(f"#define NPU_{name.upper()} NPU_U32({text})")
    out += ["", "#endif // NPU_PLATFORM_H"]
    return "\n".join(out) + "\n"


def emit_platform_sv(platform):
    out = [f"// {LICENCE}", "//", f"// {NOTICE}", "//", "// Machine parameters.", "",
           "package npu_platform_pkg;", ""]
    for name, value, is_address in all_parameters(platform):
        kind = "logic [31:0]" if is_address else "int unsigned"
        text = f"32'h{value:08x}" if is_address else str(value)
        out.append(f"  localparam {kind} {upper_camel(name)} = {text};")
    out += ["", "endpackage : npu_platform_pkg"]
    return "\n".join(out) + "\n"


def emit_platform_ld(platform, config):
    out = [f"/* {LICENCE} */", f"/* {NOTICE} */", "",
           f"/* Memory regions of the configuration \"{config}\". */", "MEMORY", "{"]
    for region in platform["memory"][config]:
        out.append(f"  {region['name']} (rwx) : ORIGIN = 0x{parse(region['base']):08x}, "
                   f"LENGTH = 0x{parse(region['size']):08x}")
    out.append("}")
    return "\n".join(out) + "\n"
