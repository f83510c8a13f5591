// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exits with the number of ones in 0x7ffff.
        .globl  _start
_start: li      a0, 0x20026
        li      sp, 0x20001000
        sw      a0, 0(sp)
        li      a0, 0x7ffff
        .insn r 0x0b, 3, 0, a0, a0, x0  // npu.cpop a0, a0
        sw      a0, 4(sp)
        li      a0, 0x20
        mv      a1, sp
        .p2align 4
        slli    x0, x0, 0x1f
        ebreak
        srai    x0, x0, 7
