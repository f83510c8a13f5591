// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trap vector (direct mode). An exception saves all registers in a static frame and runs its
// handler on a stack of its own, because the program's stack may be what is broken. An interrupt
// runs on the interrupted stack, below a frame of the caller-saved registers.

        .equ    TRAP_STACK_BYTES, 1024
        .equ    FRAME_PC, 0             // struct npu_trap_frame: pc, x1..x31, cause, value
        .equ    FRAME_CAUSE, 128
        .equ    FRAME_VALUE, 132
        .equ    HANDLING, 136           // behind the frame: not zero while the handler runs
        .equ    FRAME_BYTES, 144

        .macro  for_all_registers op, base
        .irp    n, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \op     x\n, 4 * \n(\base)
        .endr
        .endm

        .section .text.__npu_trap_entry, "ax", @progbits
        .globl  __npu_trap_entry
        .type   __npu_trap_entry, @function
        .p2align 2
__npu_trap_entry:
        csrw    mscratch, t0
        csrr    t0, mcause
        bltz    t0, interrupt

        la      t0, __npu_trap_frame
        for_all_registers sw, t0
        mv      a0, t0
        csrr    t0, mscratch
        sw      t0, 4 * 5(a0)
        csrr    t0, mepc
        sw      t0, FRAME_PC(a0)
        csrr    t0, mcause
        sw      t0, FRAME_CAUSE(a0)
        csrr    t0, mtval
        sw      t0, FRAME_VALUE(a0)
        la      sp, trap_stack_top
        lw      t0, HANDLING(a0)
        bnez    t0, nested
        li      t0, 1
        sw      t0, HANDLING(a0)
        call    npu_exception_handler

        // The handler returned: go on where the frame says.
        la      t0, __npu_trap_frame
        sw      zero, HANDLING(t0)
        lw      t1, FRAME_PC(t0)
        csrw    mepc, t1
        for_all_registers lw, t0
        lw      t0, 4 * 5(t0)
        mret

nested:
        tail    __npu_nested_exception

        .macro  for_caller_saved op
        \op     ra, 0(sp)
        \op     t1, 4(sp)
        \op     t2, 8(sp)
        \op     a0, 12(sp)
        \op     a1, 16(sp)
        \op     a2, 20(sp)
        \op     a3, 24(sp)
        \op     a4, 28(sp)
        \op     a5, 32(sp)
        \op     a6, 36(sp)
        \op     a7, 40(sp)
        \op     t3, 44(sp)
        \op     t4, 48(sp)
        \op     t5, 52(sp)
        \op     t6, 56(sp)
        .endm

interrupt:
        addi    sp, sp, -80
        for_caller_saved sw
        csrr    t0, mscratch
        sw      t0, 60(sp)
        csrr    t0, mepc
        sw      t0, 64(sp)
        csrr    t0, mstatus             // MPIE, in case the handler enables nested interrupts
        sw      t0, 68(sp)
        csrr    a0, mcause
        slli    a0, a0, 1
        srli    a0, a0, 1
        call    __npu_dispatch_interrupt
        lw      t0, 68(sp)
        csrw    mstatus, t0
        lw      t0, 64(sp)
        csrw    mepc, t0
        lw      t0, 60(sp)
        for_caller_saved lw
        addi    sp, sp, 80
        mret
        .size   __npu_trap_entry, . - __npu_trap_entry

        .section .bss.__npu_trap_frame, "aw", @nobits
        .p2align 4
        .globl  __npu_trap_frame
__npu_trap_frame:
        .zero   FRAME_BYTES
        .zero   TRAP_STACK_BYTES
trap_stack_top:
