# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a description of the instruction set must fulfil before anything is
generated from it."""

import re

from isa import EXTENSIONS, IsaError

# The major opcodes that belong to Xnpu; all others belong to RISC-V.
CUSTOM_OPCODES = {0x0B, 0x2B, 0x5B, 0x7B}
ACCESS_KINDS = {"rw", "warl0", "ro", "none"}


def check_instruction(inst):
    for attribute in ("semantics", "description", "extension", "sched"):
        if not getattr(inst, attribute):
            raise IsaError(f"{inst.name}: no {attribute}")
    if inst.extension not in EXTENSIONS:
        raise IsaError(f"{inst.name}: unknown extension {inst.extension!r}")
    if inst.mask & 3 != 3 or inst.match & 3 != 3:
        raise IsaError(f"{inst.name}: the low two bits of a 32-bit encoding are 11")
    is_custom = inst.match & 0x7F in CUSTOM_OPCODES
    if is_custom != inst.extension.startswith("Xnpu"):
        raise IsaError(f"{inst.name}: opcode 0x{inst.match & 0x7F:02x} does not belong to "
                       f"extension {inst.extension}")
    names = inst.field_names()
    for operand in re.findall(r"[a-z]\w*", inst.operands):
        if operand not in names:
            raise IsaError(f"{inst.name}: operand {operand} is not encoded")


def check_isa(isa):
    for inst in isa.instructions:
        check_instruction(inst)
    for index, one in enumerate(isa.instructions):
        for other in isa.instructions[index + 1:]:
            if (one.match ^ other.match) & one.mask & other.mask == 0:
                raise IsaError(f"{one.name} and {other.name} overlap: both match "
                               f"0x{one.match | other.match:08x}")
            if one.mnemonic == other.mnemonic:
                raise IsaError(f"{one.name} and {other.name} share the mnemonic {one.mnemonic}")
    numbers, names = {}, set()
    for csr in isa.csrs:
        if csr.access not in ACCESS_KINDS:
            raise IsaError(f"CSR {csr.name}: unknown access {csr.access!r}")
        if csr.access != "none" and (csr.number >> 10 == 3) != (csr.access == "ro"):
            raise IsaError(f"CSR {csr.name}: number 0x{csr.number:03x} contradicts access "
                           f"{csr.access}")
        if csr.access != "none" and not csr.description:
            raise IsaError(f"CSR {csr.name}: no description")
        if csr.number in numbers:
            raise IsaError(f"CSRs {numbers[csr.number]} and {csr.name} share number "
                           f"0x{csr.number:03x}")
        if csr.name in names:
            raise IsaError(f"CSR {csr.name} is defined twice")
        numbers[csr.number] = csr.name
        names.add(csr.name)


def builtin_name(inst):
    """npu.wait -> wait, mac.run -> mac_run: the part after int_npu_ and
    __builtin_npu_."""
    return inst.mnemonic.removeprefix("npu.").replace(".", "_")


# Vector instructions that C's operators and elementwise builtins say on vectors.
OPERATORS = {"add", "sub", "sadd", "saddu", "ssub", "ssubu", "min", "minu", "max", "maxu", "and",
             "or", "xor", "not", "abs", "sll", "srl", "sra", "mul", "macc", "nmsac", "seq", "sne",
             "slt", "sltu", "sle", "sleu", "ld", "st"}


def is_operator(inst):
    """Whether C has the vector instruction without a builtin. A scalar form (.x)
    is the vector form with a broadcast operand."""
    if not inst.extension.startswith("XnpuVec"):
        return False
    return inst.mnemonic.endswith(".x") or inst.mnemonic.split(".")[1] in OPERATORS


def check_builtins(isa, intrinsics, builtins, manual):
    """Every Xnpu instruction is reachable from C: by an operator or by an LLVM
    intrinsic (of the names in intrinsics) and a Clang builtin (of builtins) that bear
    its name. The manual's chapter on intrinsics names it."""
    for inst in isa.instructions:
        if not inst.extension.startswith("Xnpu"):
            continue
        name = builtin_name(inst)
        if not is_operator(inst):
            if f"npu_{name}" not in intrinsics:
                raise IsaError(f"{inst.name}: no {name} in IntrinsicsNPU.td")
            if name not in builtins:
                raise IsaError(f"{inst.name}: no {name} in BuiltinsNPU.td")
        is_vector = inst.extension.startswith("XnpuVec")
        name = inst.mnemonic.split(".")[1] if is_vector else f"__builtin_npu_{name}"
        if not re.search(rf"\b{name}\b", manual):
            raise IsaError(f"{inst.name}: chapter 7 of the manual does not name {name}")


# Which latency of platform.json a scheduling class has to state.
TIMING_OF_CLASS = {
    "WriteIALU": "alu_latency", "WriteIMul": "mul_latency", "WriteIDiv": "div_latency",
    "WriteLoad": "load_latency", "WriteCSR": "csr_latency", "WriteNpuIssue": "npu_issue_latency",
    "WriteVAlu": "valu_latency", "WriteVMul": "vmul_latency", "WriteVRequant": "vrequant_latency",
    "WriteVPerm": "vperm_latency", "WriteVReduce": "vreduce_latency",
    "WriteVLoad": "vload_latency",
}


def check_timing(dump, platform):
    """The compiler's scheduling model states the latencies of platform.json."""
    timing = platform["timing"]
    latencies = {dump[name]["WriteType"]["def"]: dump[name]["Latency"]
                 for name in dump["!instanceof"].get("WriteRes", [])}
    for write, key in TIMING_OF_CLASS.items():
        if latencies.get(write) != timing[key]:
            raise IsaError(f"{write}: the scheduling model says latency {latencies.get(write)}, "
                           f"platform.json says {key} = {timing[key]}")
    penalty = dump["NPUSchedModel"]["MispredictPenalty"]
    if penalty != timing["taken_branch_penalty"]:
        raise IsaError(f"NPUSchedModel: MispredictPenalty is {penalty}, platform.json says "
                       f"taken_branch_penalty = {timing['taken_branch_penalty']}")
