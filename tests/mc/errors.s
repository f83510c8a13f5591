# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Bad operands are refused with the range or the set that was expected, and the
# caret points at them.
#
# RUN: not llvm-mc -triple=npu -filetype=obj %s -o %t.o 2>&1 | FileCheck --strict-whitespace %s

# CHECK: :[[#@LINE+3]]:14: error: operand must be an expression with %lo, %pcrel_lo or %tprel_lo, or an integer in the range [-2048, 2047]
# CHECK-NEXT:addi a0, a1, 2048
# CHECK-NEXT:             ^
addi a0, a1, 2048
# CHECK: :[[#@LINE+1]]:14: error: operand must be {{.*}} range [-2048, 2047]
addi a0, a1, -2049
# CHECK: :[[#@LINE+1]]:14: error: operand must be {{.*}} range [-2048, 2047]
addi a0, a1, extern
# CHECK: :[[#@LINE+1]]:14: error: operand must be {{.*}} range [-2048, 2047]
addi a0, a1, %hi(extern)
# CHECK: :[[#@LINE+1]]:8: error: operand must be {{.*}} range [-2048, 2047]
lw a0, 4096(a1)
# CHECK: :[[#@LINE+1]]:8: error: operand must be {{.*}} range [-2048, 2047]
sw a0, -2049(a1)
# CHECK: :[[#@LINE+1]]:14: error: operand must be an integer in the range [0, 31]
slli a0, a0, 32
# CHECK: :[[#@LINE+1]]:14: error: operand must be an integer in the range [0, 31]
srai a0, a0, -1
# CHECK: :[[#@LINE+1]]:9: error: operand must be an expression with %hi or %tprel_hi, or an integer in the range [0, 1048575]
lui a0, 1048576
# CHECK: :[[#@LINE+1]]:9: error: operand must be an expression with %hi or %tprel_hi, or an integer in the range [0, 1048575]
lui a0, %lo(extern)
# CHECK: :[[#@LINE+1]]:11: error: operand must be an expression with %pcrel_hi or %got_pcrel_hi, or an integer in the range [0, 1048575]
auipc a0, -1
# CHECK: :[[#@LINE+1]]:13: error: operand must be a label or an even integer in the range [-4096, 4094]
beq a0, a1, 4096
# CHECK: :[[#@LINE+1]]:13: error: operand must be a label or an even integer in the range [-4096, 4094]
bne a0, a1, 3
# CHECK: :[[#@LINE+1]]:9: error: operand must be a label or an even integer in the range [-1048576, 1048574]
jal ra, 1048576
# CHECK: :[[#@LINE+1]]:8: error: operand must be an expression with %lo, %pcrel_lo or %tprel_lo, or an integer that 32 bits can hold
li a0, 0x100000000
# CHECK: :[[#@LINE+1]]:8: error: operand must be an expression with %lo, %pcrel_lo or %tprel_lo, or an integer that 32 bits can hold
li a0, -2147483649

# CHECK: :[[#@LINE+3]]:10: error: unknown CSR name 'mstatsu'
# CHECK-NEXT:csrr a0, mstatsu
# CHECK-NEXT:         ^
csrr a0, mstatsu
# CHECK: :[[#@LINE+1]]:6: error: CSR number must be in the range [0, 4095]
csrw 4096, a0
# CHECK: :[[#@LINE+1]]:16: error: operand must be an integer in the range [0, 31]
csrwi mstatus, 32
# CHECK: :[[#@LINE+1]]:7: error: expected letters of 'iorw' in this order, or 0
fence wr, rw
# CHECK: :[[#@LINE+1]]:10: error: expected letters of 'iorw' in this order, or 0
fence r, 3

# CHECK: :[[#@LINE+1]]:19: error: operand must be an integer in the range [0, 1]
dma.start a0, a1, 2
# CHECK: :[[#@LINE+1]]:11: error: operand must be an integer in the range [0, 31]
npu.fence 32
# CHECK: :[[#@LINE+1]]:17: error: invalid operand for instruction
mac.run a0, a1, 5
# CHECK: :[[#@LINE+1]]:1: error: too few operands for instruction
mac.ldw a0, a1
# CHECK: :[[#@LINE+1]]:17: error: invalid operand for instruction
mac.ldq a0, a1, a2

# CHECK: :[[#@LINE+1]]:1: error: unrecognized instruction mnemonic, did you mean: mac.run?
mac.rum a0, a1, a2
# CHECK: :[[#@LINE+1]]:1: error: unrecognized instruction mnemonic
fadd.s fa0, fa1, fa2
# CHECK: :[[#@LINE+1]]:9: error: invalid operand for instruction
add a0, x32, a1
# CHECK: :[[#@LINE+1]]:15: error: unknown relocation specifier '%highest'
addi a0, a0, %highest(extern)
# CHECK: :[[#@LINE+1]]:13: error: %tprel_add is for an add of the thread pointer tp
add a0, a0, a1, %tprel_add(extern)
# CHECK: :[[#@LINE+1]]:1: error: the address needs a register other than x0
lw x0, extern
# CHECK: :[[#@LINE+1]]:8: error: unexpected token after the operands
ret a0 a1

# CHECK: :[[#@LINE+3]]:9: error: the NPU does not execute compressed instructions
# CHECK-NEXT:.option rvc
# CHECK-NEXT:        ^
.option rvc
# CHECK: :[[#@LINE+1]]:9: error: .option pop without .option push
.option pop
# CHECK: :[[#@LINE+1]]:9: error: unknown option 'fast': expected push, pop, arch, pic, nopic, rvc, norvc, relax or norelax
.option fast
# CHECK: :[[#@LINE+1]]:15: error: the NPU lacks extension 'c'
.option arch, +c
# CHECK: :[[#@LINE+1]]:15: error: the NPU lacks extension 'a'
.option arch, rv32ima
# CHECK: :[[#@LINE+1]]:18: error: the NPU lacks extension 'f'
.attribute arch, "rv32i2p1_m2p0_f2p2"
# CHECK: :[[#@LINE+1]]:18: error: the NPU executes rv32im_zicsr_zifencei_xnpu, not 'rv64i'
.attribute arch, "rv64i"
# CHECK: :[[#@LINE+1]]:12: error: unknown attribute 'stack'
.attribute stack, 16
# CHECK: :[[#@LINE+1]]:25: error: expected a number
.attribute stack_align, "16"
# CHECK: :[[#@LINE+1]]:7: error: an instruction word has 32 bits and ends in the bits 11
.insn 0x00000001
# CHECK: :[[#@LINE+1]]:7: error: instructions of the NPU have 4 bytes
.insn 2, 0x0001
# CHECK: :[[#@LINE+1]]:7: error: unknown instruction format 'cr'
.insn cr 2, 8, a0, a1
# CHECK: :[[#@LINE+1]]:9: error: operand must be an integer in the range [0, 127]
.insn r 128, 0, 0, a0, a1, a2
