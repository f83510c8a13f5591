// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry point: stack, trap vector, .bss and thread-local data, then the C part of the start-up. The
// loader has placed .text, .rodata, .data and everything in DRAM (zero-filled as its program headers
// say).

        .cfi_sections .debug_frame
        .section .init, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start:
        .cfi_startproc
        .cfi_undefined ra               // outermost frame
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        la      sp, __stack_top
        la      t0, __npu_trap_entry
        csrw    mtvec, t0

        // Both ends are 16-byte aligned by the linker script.
        la      t0, __bss_start
        la      t1, __bss_end
        bgeu    t0, t1, 2f
1:      sw      zero, 0(t0)
        sw      zero, 4(t0)
        sw      zero, 8(t0)
        sw      zero, 12(t0)
        addi    t0, t0, 16
        bltu    t0, t1, 1b
2:
        // The block is in .bss; its ends are 16-byte aligned.
        la      tp, __tls_base
        la      t0, __tdata_start
        la      t1, __tdata_end
        mv      t2, tp
        bgeu    t0, t1, 4f
3:      lw      t3, 0(t0)
        sw      t3, 0(t2)
        addi    t0, t0, 4
        addi    t2, t2, 4
        bltu    t0, t1, 3b
4:
        li      fp, 0                   // outermost frame
        call    __npu_start             // does not return
        .cfi_endproc
        .size   _start, . - _start
