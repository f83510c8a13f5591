# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instruction set as the generator sees it: TableGen records in, plain
instructions and CSRs out."""

import dataclasses


class IsaError(Exception):
    """A description that breaks a rule; the text names the record."""


@dataclasses.dataclass
class Instruction:
    name: str           # record name, MAC_RUN
    mnemonic: str       # mac.run
    operands: str       # assembler operands, "rd, rs1, rs2"
    extension: str
    format: str         # R, I, S, B, U or J
    sched: str          # scheduling class, WriteIALU
    semantics: str
    description: str
    match: int          # values of the fixed bits
    mask: int           # the bits that a decoder compares
    fixed: int          # the bits that the assembler writes (superset of mask)
    fields: list        # (name, high bit, low bit, low bit in the field), high first
    accumulates: bool   # the destination vector is also a source

    def field_names(self):
        return {field[0] for field in self.fields}

    def vector_accesses(self):
        """The vector registers among the fields: vs1, vs2, vd (as a source; the
        register that a store takes from the rd field counts here) and wvd (as the
        destination)."""
        names = self.field_names()
        accesses = names & {"vs1", "vs2"}
        if self.accumulates or "vs3" in names:
            accesses.add("vd")
        if "vd" in names:
            accesses.add("wvd")
        return accesses

    def immediate(self):
        """Which immediate of the word the instruction uses."""
        names = self.field_names()
        if "shamt" in names:
            return "Shamt"
        if "uimm5" in names:
            return "Z"
        if names & {"imm12", "imm20"}:
            return self.format
        return "None"


@dataclasses.dataclass
class Csr:
    name: str
    number: int
    access: str         # rw, warl0, ro or none
    description: str


@dataclasses.dataclass
class Isa:
    instructions: list  # sorted by extension, then encoding
    csrs: list          # sorted by number


EXTENSIONS = ["I", "M", "Zicsr", "Zifencei", "Machine", "XnpuSync", "XnpuDma", "XnpuMac",
              "XnpuVecArith", "XnpuVecMem", "XnpuVecPerm"]


def number(bits):
    """An int from TableGen's list of bits, which starts with bit 0."""
    return sum(1 << i for i, bit in enumerate(bits) if bit == 1)


def fields_of(name, bits):
    """Runs of bits that come from the same operand, highest first."""
    fields = []
    for position in range(31, -1, -1):
        bit = bits[position]
        if not isinstance(bit, dict):
            continue
        if bit.get("kind") == "varbit":
            variable, index = bit["var"], bit["index"]
        elif bit.get("kind") == "var":
            variable, index = bit["var"], 0
        else:
            raise IsaError(f"{name}: bit {position} of Inst is neither a constant nor an operand")
        if fields:
            last = fields[-1]
            if last[0] == variable and last[2] == position + 1 and last[3] == index + 1:
                fields[-1] = (variable, last[1], position, index)
                continue
        fields.append((variable, position, position, index))
    return fields


def instruction_from(record):
    name = record["!name"]
    bits = record["Inst"]
    if any(bit is None for bit in bits):
        raise IsaError(f"{name}: bit {bits.index(None)} of Inst is not set")
    fixed = sum(1 << i for i, bit in enumerate(bits) if bit in (0, 1))
    match = number(bits)
    ignored = number(record["Ignored"])
    operands = record["AsmString"].partition("\t")[2]
    for char in "${}":
        operands = operands.replace(char, "")
    sched = [write["def"] for write in record["SchedRW"] or []]
    return Instruction(
        name=name, mnemonic=record["Mnemonic"], operands=operands,
        extension=record["Extension"], format=record["Format"]["def"].replace("Format", ""),
        sched=sched[0] if sched else "", semantics=record["Semantics"],
        description=record["Description"], match=match & ~ignored, mask=fixed & ~ignored,
        fixed=fixed, fields=fields_of(name, bits),
        accumulates=any(arg[1] == "vd_in" for arg in record["InOperandList"]["args"]))


def load_isa(dump):
    """Instructions of the machine and CSRs from the dump of NPU.td. Pseudo
    instructions, assembler-only records and special cases of another record
    are not instructions of the machine."""
    instructions = []
    for name in dump["!instanceof"]["NPUInst"]:
        record = dump[name]
        if record["isPseudo"] or record["isCodeGenOnly"] or record["isAsmParserOnly"]:
            continue
        if record["CaseOf"]:
            if dump.get(record["CaseOf"]) is None:
                raise IsaError(f"{name}: CaseOf names {record['CaseOf']}, which does not exist")
            continue
        instructions.append(instruction_from(record))

    def order(inst):
        extension = inst.extension
        rank = EXTENSIONS.index(extension) if extension in EXTENSIONS else len(EXTENSIONS)
        return (rank, inst.match & 0x7F, inst.match >> 12 & 7, inst.match, inst.name)

    csrs = [Csr(dump[name]["Name"], number(dump[name]["Encoding"]), dump[name]["Access"],
                dump[name]["Description"]) for name in dump["!instanceof"]["SysReg"]]
    return Isa(sorted(instructions, key=order), sorted(csrs, key=lambda csr: csr.number))
