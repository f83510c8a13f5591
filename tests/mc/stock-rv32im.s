# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is plain RV32IM assembles to the bytes and the relocation types that the
# stock RISC-V assembler gives, pseudo instructions and relaxed branches
# included.
#
# RUN: llvm-mc -triple=npu -filetype=obj %s -o %t.npu.o
# RUN: %stock/llvm-mc -triple=riscv32 -mattr=+m,+zihintpause,-relax -filetype=obj %s -o %t.stock.o
# RUN: llvm-objcopy -O binary -j .text %t.npu.o %t.npu.bin
# RUN: llvm-objcopy -O binary -j .text %t.stock.o %t.stock.bin
# RUN: cmp %t.npu.bin %t.stock.bin
# RUN: llvm-objcopy -O binary -j .data %t.npu.o %t.npu.data
# RUN: llvm-objcopy -O binary -j .data %t.stock.o %t.stock.data
# RUN: cmp %t.npu.data %t.stock.data
# RUN: llvm-readelf -r %t.npu.o | grep R_RISCV | awk '{print $1, $3}' > %t.npu.rel
# RUN: llvm-readelf -r %t.stock.o | grep R_RISCV | awk '{print $1, $3}' > %t.stock.rel
# RUN: diff %t.npu.rel %t.stock.rel

.option norelax
.equ FIVE, 5

.macro rrr op
  \op x0, x1, x2
  \op x31, x30, x29
  \op a0, a0, a0
  \op fp, sp, gp
.endm
.irp op, add, sub, sll, slt, sltu, xor, srl, sra, or, and
  rrr \op
.endr
.irp op, mul, mulh, mulhsu, mulhu, div, divu, rem, remu
  rrr \op
.endr

.macro rri op
  \op a0, a1, 0
  \op t6, s11, -2048
  \op x0, x0, 2047
  \op t0, t1, FIVE
  \op t0, t1, -1
.endm
.irp op, addi, slti, sltiu, xori, ori, andi, add, slt, sltu, xor, or, and
  rri \op
.endr
andi a0, a0, 0xffffff80

.irp op, slli, srli, srai, sll, srl, sra
  \op a0, a1, 0
  \op t6, s11, 31
  \op t6, s11, FIVE+1
.endr

.irp op, lb, lh, lw, lbu, lhu, sb, sh, sw
  \op a0, 0(a1)
  \op a0, (a1)
  \op t6, -2048(sp)
  \op x0, 2047(x0)
  \op t3, %lo(extern)(t4)
  \op t3, %lo(extern + 4)(t4)
.endr
.irp op, lb, lh, lw, lbu, lhu
  \op a0, extern
  \op a0, local + 4
.endr
.irp op, sb, sh, sw
  \op a0, extern, t0
  \op a0, local, t0
.endr

local:
.irp op, beq, bne, blt, bge, bltu, bgeu, bgt, ble, bgtu, bleu
  \op a0, a1, local
  \op a0, a1, 1f
  \op t6, x0, 16
  \op a0, a1, extern
.endr
1:
.irp op, beqz, bnez, blez, bgez, bltz, bgtz
  \op s0, local
  \op s0, extern
  \op s0, far
  \op s0, -8
.endr
beq a0, a1, far
bgeu a0, a1, far
j local
j extern
j far
jal local
jal t0, extern
jal 8
call extern
call local
call extern@plt
call t0, extern
tail extern
tail local
jump extern, t2
jr a0
jr 8(a0)
jr a0, 8
jalr a0
jalr a0, a1
jalr a0, a1, 4
jalr -4(t0)
jalr a0, -4(t0)
jalr t0, 16
jalr (t0)
ret

nop
mv a0, a1
move a0, a1
not a0, a1
neg a0, a1
seqz a0, a1
snez a0, a1
sltz a0, a1
sgtz a0, a1
sgt a0, a1, a2
sgtu a0, a1, a2
zext.b a0, a1
fence
fence r, rw
fence iorw, 0
fence.tso
fence.i
pause
ecall
ebreak
scall
sbreak
unimp
mret
wfi

.irp value, 0, 1, -1, 2047, 2049, -2048, -2049, 4095, 4096, 0x7ffff800, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffff000, 0x12345678, -2147483648
  li a0, \value
.endr
li a0, FIVE * 3
li a0, %lo(extern)
lui a0, 0xfffff
lui a0, %hi(extern)
lui a0, %hi(extern + 0x800)
addi a0, a0, %lo(extern + 0x800)
lui a0, %hi(0x12345fff)
addi a0, a0, %lo(0x12345fff)
auipc a0, 0
la a0, extern
la a0, local
la a0, local + 2048
lla a0, extern
lga a0, extern
.option pic
la a0, extern
.option nopic
2:
auipc a0, %pcrel_hi(datum)
lw a1, %pcrel_lo(2b)(a0)
sw a1, %pcrel_lo(2b)(a0)
addi a1, a0, %pcrel_lo(2b)
lui a5, %tprel_hi(thread)
add a5, a5, tp, %tprel_add(thread)
lw a0, %tprel_lo(thread)(a5)
sw a0, %tprel_lo(thread)(a5)

csrr a0, mstatus
csrr a0, 0x7c0
csrw mepc, a0
csrw mepc, 3
csrs mie, a0
csrs mie, 31
csrc mie, a0
csrc mie, 0
csrwi mtvec, 4
csrsi mstatus, 8
csrci mstatus, 8
csrrw a0, mscratch, a1
csrrw a0, mscratch, 7
csrrs a0, mip, a1
csrrc a0, mcause, a1
csrrwi a0, mtval, 31
csrrsi a0, mcycle, 1
csrrci a0, minstret, 1
csrr a0, pmpaddr15
csrw satp, zero
csrr a0, mhpmcounter31h
csrr a0, mhpmevent3
rdcycle a0
rdtime a0
rdinstret a0
rdcycleh a0
rdtimeh a0
rdinstreth a0

.insn r 0x33, 0, 0, a0, a1, a2
.insn r 0x0b, 7, 0x7f, t6, t5, t4
.insn i 0x13, 0, a0, a1, -1
.insn i 0x03, 2, a0, 4(a1)
.insn s 0x23, 2, a0, 4(a1)
.insn b 0x63, 0, a0, a1, local
.insn sb 0x63, 1, a0, a1, local
.insn u 0x37, a0, 0xfffff
.insn j 0x6f, ra, local
.insn uj 0x6f, ra, local
.insn 0x00c58533
.insn 4, 0x00c58533

  .p2align 4
  nop
  .space 8192
far:
3:
  ret

  .data
datum:
  .word extern
  .word local
  .word far - local
  .half far - local
  .byte 3b - far
  .dword extern
  .4byte datum - local
  .uleb128 far - local
