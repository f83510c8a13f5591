// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trap vector (direct mode). An exception saves all registers in a static frame (its vectors in
// DRAM, as they are needed only where a handler returns) and runs its handler on a stack of its
// own, because the program's stack may be what is broken. An interrupt runs on the interrupted
// stack, below a frame of the caller-saved registers, to which all vector registers belong: the
// handler and whatever it calls may be vectorized.

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

        .equ    VECTOR_BYTES, 64
        .macro  for_all_vectors op, base
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \op     v\n, VECTOR_BYTES * \n(\base)
        .endr
        .endm

        // Unwinding. The interrupted program goes on at mepc; x1 is one of its registers like the
        // others. DWARF numbers CSRs from 4096 on.
#define DWARF_MSCRATCH 4928 /* 4096 + 0x340 */
#define DWARF_MEPC 4929     /* 4096 + 0x341 */
        .equ    DW_CFA_def_cfa_expression, 0x0f
        .equ    DW_CFA_expression, 0x10
        .equ    DW_OP_breg0, 0x70
        .equ    DW_OP_deref, 0x06

        // Register n of the interrupted program is in memory at base + offset.
        .macro  cfi_saved_at n, base, offset
        .cfi_escape DW_CFA_expression, \n, 3, DW_OP_breg0 + \base, ((\offset) & 0x7f) | 0x80, ((\offset) >> 7) & 0x7f
        .endm

        // All of them are in the static frame, which is at register number base + offset.
        .macro  cfi_static_frame base, offset
        .cfi_escape DW_CFA_def_cfa_expression, 4, DW_OP_breg0 + \base, ((\offset + 8) & 0x7f) | 0x80, ((\offset + 8) >> 7) & 0x7f, DW_OP_deref
        .irp    n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        cfi_saved_at \n, \base, (\offset + 4 * \n)
        .endr
        .cfi_escape DW_CFA_expression, (DWARF_MEPC & 0x7f) | 0x80, DWARF_MEPC >> 7, 3, DW_OP_breg0 + \base, ((\offset) & 0x7f) | 0x80, ((\offset) >> 7) & 0x7f
        .endm

        .cfi_sections .debug_frame
        .section .text.__npu_trap_entry, "ax", @progbits
        .globl  __npu_trap_entry
        .type   __npu_trap_entry, @function
        .p2align 2
__npu_trap_entry:
        .cfi_startproc
        .cfi_signal_frame
        .cfi_return_column DWARF_MEPC
        csrw    mscratch, t0
        .cfi_register t0, DWARF_MSCRATCH
        .cfi_remember_state
        csrr    t0, mcause
        bltz    t0, interrupt

        la      t0, __npu_trap_frame
        for_all_registers sw, t0
        mv      a0, t0
        cfi_saved_at 10, 10, (4 * 10)
        csrr    t0, mscratch
        sw      t0, 4 * 5(a0)
        csrr    t0, mepc
        sw      t0, FRAME_PC(a0)
        csrr    t0, mcause
        sw      t0, FRAME_CAUSE(a0)
        csrr    t0, mtval
        sw      t0, FRAME_VALUE(a0)
        cfi_static_frame 10, 0
        la      sp, trap_stack_top
        cfi_static_frame 2, -(FRAME_BYTES + TRAP_STACK_BYTES)
        .cfi_remember_state
        lw      t0, HANDLING(a0)
        bnez    t0, nested
        li      t0, 1
        sw      t0, HANDLING(a0)
        la      t0, trap_vectors
        for_all_vectors v.st, t0
        call    npu_exception_handler

        // The handler returned: go on where the frame says.
        la      t0, trap_vectors
        for_all_vectors v.ld, t0
        la      t0, __npu_trap_frame
        cfi_static_frame 5, 0
        sw      zero, HANDLING(t0)
        lw      t1, FRAME_PC(t0)
        csrw    mepc, t1
        for_all_registers lw, t0
        lw      t0, 4 * 5(t0)
        .cfi_def_cfa sp, 0
        .irp    n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        .cfi_restore \n
        .endr
        .cfi_restore DWARF_MEPC
        mret

nested:
        .cfi_restore_state
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
        .cfi_restore_state
        addi    sp, sp, -80
        .cfi_def_cfa_offset 80
        for_caller_saved sw
        csrr    t0, mscratch
        sw      t0, 60(sp)
        csrr    t0, mepc
        sw      t0, 64(sp)
        .cfi_rel_offset ra, 0
        .cfi_rel_offset t1, 4
        .cfi_rel_offset t2, 8
        .cfi_rel_offset a0, 12
        .cfi_rel_offset a1, 16
        .cfi_rel_offset a2, 20
        .cfi_rel_offset a3, 24
        .cfi_rel_offset a4, 28
        .cfi_rel_offset a5, 32
        .cfi_rel_offset a6, 36
        .cfi_rel_offset a7, 40
        .cfi_rel_offset t3, 44
        .cfi_rel_offset t4, 48
        .cfi_rel_offset t5, 52
        .cfi_rel_offset t6, 56
        .cfi_rel_offset t0, 60
        .cfi_rel_offset DWARF_MEPC, 64
        csrr    t0, mstatus             // MPIE, in case the handler enables nested interrupts
        sw      t0, 68(sp)
        addi    sp, sp, -32 * VECTOR_BYTES
        .cfi_adjust_cfa_offset 32 * VECTOR_BYTES
        for_all_vectors v.st, sp
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        .cfi_rel_offset v\n, VECTOR_BYTES * \n
        .endr
        csrr    a0, mcause
        slli    a0, a0, 1
        srli    a0, a0, 1
        call    __npu_dispatch_interrupt
        for_all_vectors v.ld, sp
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        .cfi_restore v\n
        .endr
        .rept   2
        addi    sp, sp, 16 * VECTOR_BYTES
        .cfi_adjust_cfa_offset -16 * VECTOR_BYTES
        .endr
        lw      t0, 68(sp)
        csrw    mstatus, t0
        lw      t0, 64(sp)
        csrw    mepc, t0
        lw      t0, 60(sp)
        for_caller_saved lw
        addi    sp, sp, 80
        .cfi_def_cfa_offset 0
        .irp    reg, ra, t0, t1, t2, a0, a1, a2, a3, a4, a5, a6, a7, t3, t4, t5, t6, DWARF_MEPC
        .cfi_restore \reg
        .endr
        mret
        .cfi_endproc
        .size   __npu_trap_entry, . - __npu_trap_entry

        .section .bss.__npu_trap_frame, "aw", @nobits
        .p2align 4
        .globl  __npu_trap_frame
__npu_trap_frame:
        .zero   FRAME_BYTES
        .zero   TRAP_STACK_BYTES
trap_stack_top:

        .section .bss.dram.__npu_trap_vectors, "aw", @nobits
        .p2align 6
trap_vectors:
        .zero   32 * VECTOR_BYTES
