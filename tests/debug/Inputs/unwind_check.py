# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unwinds at every instruction that a program executed and compares with its real call stack.

  unwind_check.py PROGRAM.elf TRACE    (TRACE as --trace of a simulator writes it)

The real stack is known from the calls, returns and traps of the trace: where each call was made, and
what the stack pointer and the callee-saved registers were. At every instruction that the program's
.debug_frame covers, the three innermost frames are unwound with it and must give those values.
"""

import re
import subprocess
import sys

RA, SP, T0 = 1, 2, 5
CALLEE_SAVED = [8, 9, *range(18, 28)]
NAMES = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
         "t3 t4 t5 t6").split()
NUMBER = {name: number for number, name in enumerate(NAMES)}
CSRS = 4096  # their first DWARF number
MSCRATCH, MEPC = CSRS + 0x340, CSRS + 0x341  # mepc is where a trap handler returns to


class Row:
    """The rules of one address range: where the CFA is, and the caller's registers."""

    def __init__(self, text, return_column, signal):
        self.text, self.return_column, self.signal = text, return_column, signal
        cfa, _, rules = text.partition(": ")
        self.cfa = cfa.removeprefix("CFA=")
        self.rules = dict(rule.split("=", 1) for rule in re.split(r", (?=[A-Za-z0-9]+=)", rules) if rule)


def register(name):
    return name if name[0] == "V" else int(name.removeprefix("reg").removeprefix("X"))


def frame_rows(program):
    """[(begin, end, Row)] of every FDE, as the stock dumper interprets them."""
    text = subprocess.run(["llvm-dwarfdump", "--debug-frame", program], check=True,
                          capture_output=True, text=True).stdout
    cies, rows = {}, []
    for entry in re.split(r"\n(?=[0-9a-f]{8} [0-9a-f]{8} [0-9a-f]{8} )", text):
        if cie := re.match(r"([0-9a-f]{8}) [0-9a-f]{8} ffffffff CIE", entry):
            column = re.search(r"Return address column: (\d+)", entry)[1]
            cies[int(cie[1], 16)] = int(column), 'Augmentation:          "S' in entry
            continue
        fde = re.match(r"[0-9a-f]{8} [0-9a-f]{8} ([0-9a-f]{8}) FDE cie=\S+ pc=([0-9a-f]+)\.\.\.([0-9a-f]+)",
                       entry)
        if not fde:
            continue
        lines = re.findall(r"^  0x([0-9a-f]+): (CFA=.*)$", entry, re.M)
        begins = [int(begin, 16) for begin, _ in lines] + [int(fde[3], 16)]
        for (_, rule), begin, end in zip(lines, begins, begins[1:]):
            rows.append((begin, end, Row(rule, *cies[int(fde[1], 16)])))
    return rows


class Unwinder:
    def __init__(self, program):
        self.rows = {address: row for begin, end, row in frame_rows(program)
                     for address in range(begin, end, 4)}

    @staticmethod
    def evaluate(expression, registers, memory, cfa):
        """The value of CFA+n, Xn+n, [expression], or DW_OP_breg with an optional deref."""
        if expression.startswith("["):
            return memory.get(Unwinder.evaluate(expression[1:-1], registers, memory, cfa))
        if op := re.fullmatch(r"DW_OP_breg(\d+) X\d+([+-]\d+)(, DW_OP_deref)?", expression):
            value = (registers[int(op[1])] + int(op[2])) & 0xffffffff
            return memory.get(value) if op[3] else value
        base, offset = re.fullmatch(r"(CFA|X\d+|reg\d+)([+-]\d+)?", expression).groups()
        value = cfa if base == "CFA" else registers[register(base)]
        return (value + int(offset or 0)) & 0xffffffff

    def caller(self, row, registers, memory):
        """(return address or None for the outermost frame, the caller's registers)."""
        cfa = self.evaluate(row.cfa, registers, memory, None)
        result = dict(registers)
        for name, rule in row.rules.items():
            result[register(name)] = (None if rule == "undefined" else
                                      self.evaluate(rule, registers, memory, cfa))
        result[SP] = cfa
        return result[row.return_column], result


class Frame:
    """A caller: where the callee returns to and the registers that it must leave as they are.

    Outlined code is called through t0 and changes registers in place of its caller.
    """

    def __init__(self, returns_to, registers, trap, link=RA):
        self.returns_to, self.registers, self.trap = returns_to, dict(registers), trap
        self.link = link
        self.kept = ([] if link != RA else range(1, 32) if trap else [SP, *CALLEE_SAVED])


LINE = re.compile(r" *\d+ ([0-9a-f]{8}) (?:interrupt \d+|([0-9a-f]{8}) (.*))$")
WRITE = re.compile(r"  ([a-z0-9]+)=([0-9a-f]{8})")
STORE = re.compile(r"  \[([0-9a-f]{8})\]=([0-9a-f]+)")


class Checker:
    def __init__(self, program):
        self.unwinder = Unwinder(program)
        self.registers = {number: 0 for number in range(32)}
        self.registers[MEPC] = self.registers[MSCRATCH] = 0
        self.memory = {}  # aligned words that the program stored
        self.stack = []
        self.checked = self.traps = self.deepest = 0

    def check(self, pc, line):
        self.deepest = max(self.deepest, len(self.stack))
        registers, lookup = self.registers, pc
        for frame in self.stack[:-4:-1]:
            row = self.unwinder.rows.get(lookup)
            # A function that does not return need not keep its return address for its last call.
            if not row or (registers is not self.registers and not frame.trap and "X1" not in row.rules):
                return
            returns_to, caller = self.unwinder.caller(row, registers, self.memory)
            wrong = [f"{NAMES[n]} {caller[n] or 0:#x} instead of {frame.registers[n]:#x}" for n in frame.kept
                     if caller[n] != frame.registers[n]]
            # A trap handler may have moved on to the next instruction.
            if returns_to not in ((frame.returns_to, frame.returns_to + 4) if frame.trap
                                  else (frame.returns_to,)):
                wrong.insert(0, f"return address {returns_to or 0:#x} instead of {frame.returns_to:#x}")
            if frame.trap != row.signal:
                wrong.insert(0, "the frame of a trap handler must be marked as such, and only that")
            if wrong:
                sys.exit(f"{line.strip()}\n  unwinding from {lookup:#x} with {row.text}\n  gives "
                         + ", ".join(wrong[:4]))
            self.checked += 1
            registers = caller
            lookup = returns_to if frame.trap else returns_to - 4

    def trap(self, pc):
        self.traps += 1
        self.stack.append(Frame(pc, self.registers, True))
        self.registers[MEPC] = pc

    def execute(self, pc, word, text, next_pc):
        registers = self.registers
        if "  trap " in text:
            self.trap(pc)
            return
        before = dict(registers)
        for name, value in WRITE.findall(text):
            registers[NUMBER[name]] = int(value, 16)
        for address, value in STORE.findall(text):
            address, size = int(address, 16), 1 << (word >> 12 & 3)
            shift, mask = 8 * (address & 3), (1 << 8 * size) - 1
            old = self.memory.get(address & ~3, 0)
            self.memory[address & ~3] = old & ~(mask << shift) | (int(value, 16) & mask) << shift
        opcode, rd = word & 0x7f, word >> 7 & 31
        if word & 0x7fff == 0x1073:  # csrw
            registers[CSRS + (word >> 20)] = before[word >> 15 & 31]
        elif word == 0x30200073:  # mret
            self.stack.pop()
        elif opcode in (0x6f, 0x67) and rd in (RA, T0):
            self.stack.append(Frame(pc + 4, before, False, rd))
        elif (opcode == 0x67 and rd == 0 and self.stack and next_pc == self.stack[-1].returns_to
              and word >> 15 & 31 == self.stack[-1].link
              and (registers[SP] == self.stack[-1].registers[SP] or self.stack[-1].link != RA)):
            self.stack.pop()

    def run(self, trace):
        with open(trace) as lines:
            line = next(lines, None)
            while line:
                following = next(lines, None)
                pc, word, text = LINE.match(line).groups()
                pc = int(pc, 16)
                self.check(pc, line)
                if word is None:
                    self.trap(pc)
                else:
                    next_pc = int(LINE.match(following)[1], 16) if following else None
                    self.execute(pc, int(word, 16), text, next_pc)
                line = following


def main():
    checker = Checker(sys.argv[1])
    checker.run(sys.argv[2])
    print(f"unwound {checker.checked} frames, {checker.traps} traps, {checker.deepest} frames deep")


main()
