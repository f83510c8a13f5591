# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every instruction of the machine: assembled, disassembled, printed without
# aliases, and assembled again to the same bytes. tests/mc/every-instruction.test
# fails when an instruction is missing here.
#
# RUN: llvm-mc -triple=npu -M no-aliases -show-encoding %s | FileCheck %s
# RUN: llvm-mc -triple=npu -filetype=obj %s -o %t.o
# RUN: llvm-objcopy -O binary -j .text %t.o %t.bin
# RUN: od -An -v -tx1 -w4 %t.bin | sed 's/ / 0x/g' > %t.hex
# RUN: llvm-mc -triple=npu -M no-aliases -disassemble %t.hex -o %t.s
# RUN: llvm-mc -triple=npu -filetype=obj %t.s -o %t.again.o
# RUN: llvm-objcopy -O binary -j .text %t.again.o %t.again.bin
# RUN: cmp %t.bin %t.again.bin

# CHECK: lui a0, 0 # encoding: [0x37,0x05,0x00,0x00]
lui a0, 0
# CHECK: lui t6, 1048575 # encoding: [0xb7,0xff,0xff,0xff]
lui t6, 1048575
# CHECK: auipc gp, 74565 # encoding: [0x97,0x51,0x34,0x12]
auipc gp, 0x12345
# CHECK: jal zero, -2 # encoding: [0x6f,0xf0,0xff,0xff]
jal zero, -2
# CHECK: jal ra, 1048574 # encoding: [0xef,0xf0,0xff,0x7f]
jal ra, 1048574
# CHECK: jal t0, -1048576 # encoding: [0xef,0x02,0x00,0x80]
jal t0, -1048576
# CHECK: jal ra, 2048 # encoding: [0xef,0x00,0x10,0x00]
jal ra, 2048
# CHECK: jalr ra, -2048(sp) # encoding: [0xe7,0x00,0x01,0x80]
jalr ra, -2048(sp)
# CHECK: jalr zero, 2047(t6) # encoding: [0x67,0x80,0xff,0x7f]
jalr x0, 2047(x31)

# CHECK: beq s1, s0, 102 # encoding: [0x63,0x83,0x84,0x06]
beq s1, s0, 102
# CHECK: bne a4, a5, -4096 # encoding: [0x63,0x10,0xf7,0x80]
bne a4, a5, -4096
# CHECK: blt sp, gp, 4094 # encoding: [0xe3,0x4f,0x31,0x7e]
blt sp, gp, 4094
# CHECK: bge s2, ra, -224 # encoding: [0xe3,0x50,0x19,0xf2]
bge s2, ra, -224
# CHECK: bltu zero, t6, 2048 # encoding: [0xe3,0x60,0xf0,0x01]
bltu zero, t6, 2048
# CHECK: bgeu s8, sp, -2 # encoding: [0xe3,0x7f,0x2c,0xfe]
bgeu s8, sp, -2

# CHECK: lb s3, 4(ra) # encoding: [0x83,0x89,0x40,0x00]
lb s3, 4(ra)
# CHECK: lh t1, -2048(zero) # encoding: [0x03,0x13,0x00,0x80]
lh t1, -2048(zero)
# CHECK: lw a0, 97(sp) # encoding: [0x03,0x25,0x11,0x06]
lw a0, 97(sp)
# CHECK: lbu s5, 2047(s6) # encoding: [0x83,0x4a,0xfb,0x7f]
lbu s5, 2047(s6)
# CHECK: lhu t3, -1(t3) # encoding: [0x03,0x5e,0xfe,0xff]
lhu t3, -1(t3)
# CHECK: sb a0, 2047(a2) # encoding: [0xa3,0x0f,0xa6,0x7e]
sb a0, 2047(a2)
# CHECK: sh t3, -2048(t5) # encoding: [0x23,0x10,0xcf,0x81]
sh t3, -2048(t5)
# CHECK: sw ra, 999(zero) # encoding: [0xa3,0x23,0x10,0x3e]
sw ra, 999(zero)

# CHECK: addi ra, sp, 2 # encoding: [0x93,0x00,0x21,0x00]
addi ra, sp, 2
# CHECK: slti a0, a2, -20 # encoding: [0x13,0x25,0xc6,0xfe]
slti a0, a2, -20
# CHECK: sltiu s2, s3, 80 # encoding: [0x13,0xb9,0x09,0x05]
sltiu s2, s3, 0x50
# CHECK: xori tp, t1, -99 # encoding: [0x13,0x42,0xd3,0xf9]
xori tp, t1, -99
# CHECK: ori a0, a1, -2048 # encoding: [0x13,0xe5,0x05,0x80]
ori a0, a1, -2048
# CHECK: andi ra, sp, 2047 # encoding: [0x93,0x70,0xf1,0x7f]
andi ra, sp, 2047
# CHECK: slli t3, t3, 31 # encoding: [0x13,0x1e,0xfe,0x01]
slli t3, t3, 31
# CHECK: srli a0, a4, 0 # encoding: [0x13,0x55,0x07,0x00]
srli a0, a4, 0
# CHECK: srai a2, sp, 15 # encoding: [0x13,0x56,0xf1,0x40]
srai a2, sp, 15
# CHECK: add ra, zero, zero # encoding: [0xb3,0x00,0x00,0x00]
add ra, zero, zero
# CHECK: sub t0, t2, t1 # encoding: [0xb3,0x82,0x63,0x40]
sub t0, t2, t1
# CHECK: sll a5, a4, a3 # encoding: [0xb3,0x17,0xd7,0x00]
sll a5, a4, a3
# CHECK: slt s0, s0, s0 # encoding: [0x33,0x24,0x84,0x00]
slt s0, s0, s0
# CHECK: sltu gp, a0, a1 # encoding: [0xb3,0x31,0xb5,0x00]
sltu gp, a0, a1
# CHECK: xor s2, s2, s8 # encoding: [0x33,0x49,0x89,0x01]
xor s2, s2, s8
# CHECK: srl a0, s0, t0 # encoding: [0x33,0x55,0x54,0x00]
srl a0, s0, t0
# CHECK: sra t0, s2, zero # encoding: [0xb3,0x52,0x09,0x40]
sra t0, s2, zero
# CHECK: or s10, t1, ra # encoding: [0x33,0x6d,0x13,0x00]
or s10, t1, ra
# CHECK: and a0, s2, s3 # encoding: [0x33,0x75,0x39,0x01]
and a0, s2, s3

# CHECK: fence iorw, iorw # encoding: [0x0f,0x00,0xf0,0x0f]
fence iorw, iorw
# CHECK: fence io, rw # encoding: [0x0f,0x00,0x30,0x0c]
fence io, rw
# CHECK: fence 0, w # encoding: [0x0f,0x00,0x10,0x00]
fence 0, w
# CHECK: fence.tso # encoding: [0x0f,0x00,0x30,0x83]
fence.tso
# CHECK: fence.i # encoding: [0x0f,0x10,0x00,0x00]
fence.i
# CHECK: ecall # encoding: [0x73,0x00,0x00,0x00]
ecall
# CHECK: ebreak # encoding: [0x73,0x00,0x10,0x00]
ebreak
# CHECK: mret # encoding: [0x73,0x00,0x20,0x30]
mret
# CHECK: wfi # encoding: [0x73,0x00,0x50,0x10]
wfi

# CHECK: mul a4, ra, s0 # encoding: [0x33,0x87,0x80,0x02]
mul a4, ra, s0
# CHECK: mulh ra, zero, zero # encoding: [0xb3,0x10,0x00,0x02]
mulh ra, zero, zero
# CHECK: mulhsu t0, t2, t1 # encoding: [0xb3,0xa2,0x63,0x02]
mulhsu t0, t2, t1
# CHECK: mulhu a5, a4, a3 # encoding: [0xb3,0x37,0xd7,0x02]
mulhu a5, a4, a3
# CHECK: div s0, s0, s0 # encoding: [0x33,0x44,0x84,0x02]
div s0, s0, s0
# CHECK: divu gp, a0, a1 # encoding: [0xb3,0x51,0xb5,0x02]
divu gp, a0, a1
# CHECK: rem s2, s2, s8 # encoding: [0x33,0x69,0x89,0x03]
rem s2, s2, s8
# CHECK: remu s2, s2, s8 # encoding: [0x33,0x79,0x89,0x03]
remu x18, x18, x24

# CHECK: csrrw t0, 0xfff, t1 # encoding: [0xf3,0x12,0xf3,0xff]
csrrw t0, 0xfff, t1
# CHECK: csrrs s0, mstatus, zero # encoding: [0x73,0x24,0x00,0x30]
csrrs s0, mstatus, x0
# CHECK: csrrc sp, mcycle, ra # encoding: [0x73,0xb1,0x00,0xb0]
csrrc sp, mcycle, ra
# CHECK: csrrwi a5, nstatus, 0 # encoding: [0xf3,0x57,0x00,0x81]
csrrwi a5, nstatus, 0
# CHECK: csrrsi t2, nrowlen, 31 # encoding: [0xf3,0xe3,0x0f,0x80]
csrrsi t2, nrowlen, 31
# CHECK: csrrci t1, 0x7c0, 5 # encoding: [0x73,0xf3,0x02,0x7c]
csrrci t1, 0x7c0, 5

# CHECK: npu.wait a0 # encoding: [0x0b,0x00,0x05,0x00]
npu.wait a0
# CHECK: npu.poll t6, s1 # encoding: [0x8b,0x8f,0x04,0x02]
npu.poll t6, s1
# CHECK: npu.fence 0 # encoding: [0x0b,0x00,0x00,0x04]
npu.fence 0
# CHECK: npu.fence 31 # encoding: [0x0b,0x00,0xf0,0x05]
npu.fence 31
# CHECK: dma.start a0, a1, 0 # encoding: [0x0b,0x95,0x05,0x00]
dma.start a0, a1, 0
# CHECK: dma.start zero, t6, 1 # encoding: [0x0b,0x90,0x1f,0x00]
dma.start zero, t6, 1
# CHECK: mac.ldw a0, a1, a2 # encoding: [0x0b,0xa5,0xc5,0x00]
mac.ldw a0, a1, a2
# CHECK: mac.run t0, t1, t2 # encoding: [0x8b,0x22,0x73,0x02]
mac.run t0, t1, t2
# CHECK: mac.dw a0, s2, t6 # encoding: [0x0b,0x25,0xf9,0x09]
mac.dw a0, s2, t6
# CHECK: mac.ldq s0, s11 # encoding: [0x0b,0xa4,0x0d,0x04]
mac.ldq s0, s11
# CHECK: mac.drain t6, t5, t4 # encoding: [0x8b,0x2f,0xdf,0x07]
mac.drain t6, t5, t4
