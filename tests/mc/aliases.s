# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The disassembler and the compiler's output use the pseudo instructions of the
# assembly manual, ABI register names and CSR names; -M no-aliases and -M numeric
# turn the first two off.
#
# RUN: llvm-mc -triple=npu %s | FileCheck %s
# RUN: llvm-mc -triple=npu -M no-aliases %s | FileCheck --check-prefix=PLAIN %s
# RUN: llvm-mc -triple=npu -M numeric %s | FileCheck --check-prefix=NUMERIC %s

# CHECK: nop
# PLAIN: addi zero, zero, 0
# NUMERIC: nop
addi x0, x0, 0
# CHECK-NEXT: li s0, -1
# PLAIN-NEXT: addi s0, zero, -1
# NUMERIC-NEXT: li x8, -1
addi fp, x0, -1
# CHECK-NEXT: li a0, 0
# PLAIN-NEXT: addi a0, zero, 0
# NUMERIC-NEXT: li x10, 0
addi a0, x0, 0
# CHECK-NEXT: mv a0, sp
# PLAIN-NEXT: addi a0, sp, 0
# NUMERIC-NEXT: mv x10, x2
addi a0, sp, 0
# CHECK-NEXT: not a0, a1
xori a0, a1, -1
# CHECK-NEXT: neg a0, a1
sub a0, x0, a1
# CHECK-NEXT: seqz a0, a1
sltiu a0, a1, 1
# CHECK-NEXT: snez a0, a1
sltu a0, x0, a1
# CHECK-NEXT: sltz a0, a1
slt a0, a1, x0
# CHECK-NEXT: sgtz a0, a1
slt a0, x0, a1
# CHECK-NEXT: zext.b a0, a1
andi a0, a1, 255
# CHECK-NEXT: beqz a0, 8
beq a0, x0, 8
# CHECK-NEXT: bnez a0, 8
bne a0, x0, 8
# CHECK-NEXT: blez a0, 8
bge x0, a0, 8
# CHECK-NEXT: bgez a0, 8
bge a0, x0, 8
# CHECK-NEXT: bltz a0, 8
blt a0, x0, 8
# CHECK-NEXT: bgtz a0, 8
blt x0, a0, 8
# CHECK-NEXT: j 8
# PLAIN: jal zero, 8
jal x0, 8
# CHECK-NEXT: jal 8
# PLAIN-NEXT: jal ra, 8
jal ra, 8
# CHECK-NEXT: ret
# PLAIN-NEXT: jalr zero, 0(ra)
jalr x0, 0(ra)
# CHECK-NEXT: jr a0
jalr x0, 0(a0)
# CHECK-NEXT: jr 4(a0)
jalr x0, 4(a0)
# CHECK-NEXT: jalr a0
jalr ra, 0(a0)
# CHECK-NEXT: jalr 4(a0)
jalr ra, 4(a0)
# CHECK-NEXT: jalr t0, a0
jalr t0, 0(a0)
# CHECK-NEXT: jalr t0, 4(a0)
jalr t0, 4(a0)
# CHECK-NEXT: fence
fence iorw, iorw
# CHECK-NEXT: pause
fence w, 0
# CHECK-NEXT: csrr a0, ninfo
csrrs a0, 0xfc0, x0
# CHECK-NEXT: csrw noquant, a0
csrrw x0, 0x807, a0
# CHECK-NEXT: csrs mie, a0
csrrs x0, mie, a0
# CHECK-NEXT: csrc mie, a0
csrrc x0, mie, a0
# CHECK-NEXT: csrwi mie, 3
csrrwi x0, mie, 3
# CHECK-NEXT: csrsi mie, 3
csrrsi x0, mie, 3
# CHECK-NEXT: csrci mie, 3
csrrci x0, mie, 3
# CHECK-NEXT: rdcycle a0
csrrs a0, cycle, x0
# CHECK-NEXT: rdinstreth a0
csrrs a0, instreth, x0
# CHECK-NEXT: unimp
csrrw x0, cycle, x0
