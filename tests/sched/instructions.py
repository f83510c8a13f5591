# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instances of every instruction of the machine, made from the TableGen description alone, so that
a new instruction is measured as soon as it has a record."""

import pathlib
import re
import sys

from harness import COUNT, POINTERS, RESULTS, ROOT, SchedError, Step

sys.path.insert(0, str(ROOT / "isa-spec/gen"))
import npu_isa_gen  # noqa: E402
from isa import load_isa  # noqa: E402

# Not measured here: they do not go on to the next instruction by themselves.
LEFT_OUT = {"ECALL": "traps", "EBREAK": "traps", "WFI": "waits for an interrupt"}

# Operands by type, harmless in every instruction; other immediates are 0. Branches go to the next
# instruction either way.
IMMEDIATES = {"csr_sysreg": "mscratch", "fencearg": "rw", "simm13_lsb0": ".+4", "simm21_lsb0_jal": ".+4"}
REGISTERS = {"GPR": "x", "VR": "v"}
# By register file and operand name.
SAFE_REGISTERS = {"x": {"rd": RESULTS[0], "rs1": POINTERS[0], "rs2": COUNT},
                  "v": {"vs1": "v1", "vs2": "v2", "vs3": "v3", "vd": "v4"}}


def operands(record, field):
    return [(name, value["def"]) for value, name in record[field]["args"]]


def registers(names):
    return [(name, REGISTERS[kind]) for name, kind in names if kind in REGISTERS]


class Kind:
    """One instruction: how to write it down with given registers."""

    def __init__(self, instruction, record):
        self.name, self.sched = instruction.name, instruction.sched
        self.extension = instruction.extension
        self.asm = record["AsmString"].replace("\t", " ")
        self.conditional = bool(record["isBranch"] and record["isTerminator"])
        # Operations of the units access memory later, and only if their operands say so.
        accesses = bool(record["mayLoad"] or record["mayStore"])
        self.accesses_memory = accesses and self.sched != "WriteNpuIssue"
        # Whether it may have to wait for an operation of a unit.
        self.meets_units = self.extension == "XnpuSync" or bool(
            self.extension == "XnpuVecMem" and record["hasSideEffects"] and not accesses)
        self.outs = operands(record, "OutOperandList")
        self.ins = operands(record, "InOperandList")
        # An operand that the assembly does not name is the destination before the instruction.
        written = re.findall(r"\$\{?(\w+)", self.asm)
        self.accumulates = any(name not in written for name, _ in self.ins)
        self.ins = [(name, kind) for name, kind in self.ins if name in written]

    def result(self):
        """The name and register file of the result, or None."""
        return next(iter(registers(self.outs)), None)

    def sources(self):
        """Names and register files of what the instruction reads."""
        return registers(self.ins) + (registers(self.outs) if self.accumulates else [])

    def is_address(self, name):
        return name == "rs1" and self.accesses_memory

    def is_count(self):
        """Whether rs2 says how many lanes are accessed, x0 standing for all."""
        return self.accesses_memory and ("rs2", "GPR") in self.ins and ("imm12", "simm12") not in self.ins

    def depends_on_value(self, name):
        """Whether the value, not just the arrival, of the operand decides the cycles."""
        return name == "rs2" and self.sched == "WriteVStrided"

    def jumps_to_register(self):
        return self.sched == "WriteJalr"

    def step(self, label="", **given):
        """An instance; registers that are not given are those with a safe value."""
        text = self.asm
        for name, kind in self.outs + self.ins:
            if name in given:
                value = given[name]
            elif name == "rs2" and self.is_count():
                value = "zero"
            elif kind in REGISTERS:
                value = SAFE_REGISTERS[REGISTERS[kind]][name]
            else:
                value = IMMEDIATES.get(kind, "0")
            text = re.sub(rf"\$(\{{{name}\}}|{name}\b)", value, text)
        if "$" in text:
            raise SchedError(f"{self.name}: cannot fill in the operands of '{text}'")
        return Step(text, label=label)


def load(target_dir=ROOT / npu_isa_gen.TARGET_DIR):
    """Every Kind, in the order of the manual."""
    tblgen = npu_isa_gen.find_tblgen()
    include = pathlib.Path(tblgen).resolve().parents[1] / "include"
    dump = npu_isa_gen.dump_json(tblgen, include, target_dir)
    return [Kind(instruction, dump[instruction.name]) for instruction in load_isa(dump).instructions
            if instruction.name not in LEFT_OUT]
