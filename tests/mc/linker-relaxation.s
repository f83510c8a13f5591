# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Calls may be shortened by the linker, so whatever spans one stays a relocation:
# branches, distances, padding, steps of the line table and of unwind information.
# What spans none is resolved, and .option norelax switches it off.
#
# RUN: llvm-mc -triple=npu -filetype=obj -g %s -o %t.o
# RUN: llvm-readelf -r --wide %t.o | FileCheck %s
# RUN: ld.lld --defsym=extern=0x11000 -Ttext=0x10000 %t.o -o %t
# RUN: llvm-objdump -d --no-show-raw-insn %t | FileCheck --check-prefix=LINKED %s
# RUN: llvm-dwarfdump --verify %t
# RUN: llvm-dwarfdump --debug-line %t | FileCheck --check-prefix=LINES %s
# RUN: llvm-dwarfdump --debug-frame %t | FileCheck --check-prefix=UNWIND %s
# RUN: llvm-readelf -x .data %t | FileCheck --check-prefix=DATA %s

  .cfi_sections .debug_frame
  .type start, @function
start:
# LINKED-LABEL: <start>:
  .cfi_startproc
# LINKED-NEXT: 10000: beqz a0, 0x10008
# CHECK-LABEL: '.rela.text'
# CHECK-NOT: R_RISCV_BRANCH
  beqz a0, 1f
  addi sp, sp, -16
  .cfi_def_cfa_offset 16
1:
# LINKED-NEXT: addi
# LINKED-NEXT: 10008: jal 0x11000
# CHECK: 00000008 {{.*}} R_RISCV_CALL_PLT {{.*}} extern + 0
# CHECK-NEXT: 00000008 {{.*}} R_RISCV_RELAX
  call extern
# LINKED-NEXT: 1000c: bnez a0, 0x10000 <start>
# CHECK-NEXT: 00000010 {{.*}} R_RISCV_BRANCH {{.*}} start + 0
  bnez a0, start
# LINKED-NEXT: 10010: auipc
# LINKED-NEXT: 10014: jalr
# CHECK-NEXT: 00000014 {{.*}} R_RISCV_CALL_PLT {{.*}} extern + 0
# CHECK-NOT: R_RISCV_RELAX
  .option push
  .option norelax
  call extern
  .option pop
  addi sp, sp, 16
  .cfi_def_cfa_offset 0
# CHECK: R_RISCV_ALIGN {{.*}}c
# LINKED: 10018: addi
# LINKED-NEXT: 1001c: nop
# LINKED-NEXT: 10020: j 0x11000
  .p2align 4
# CHECK: {{.*}} R_RISCV_CALL_PLT {{.*}} extern + 0
# CHECK-NEXT: {{.*}} R_RISCV_RELAX
  tail extern
end:
  .cfi_endproc
  .size start, end - start

# LINES: 0x0000000000010000
# LINES-NEXT: 0x0000000000010004
# LINES-NEXT: 0x0000000000010008
# LINES-NEXT: 0x000000000001000c
# LINES-NEXT: 0x0000000000010010
# LINES: 0x0000000000010024 {{.*}} end_sequence

# UNWIND: DW_CFA_advance_loc: 8 to 0x10008
# UNWIND: DW_CFA_advance_loc: 20 to 0x1001c

  .data
# CHECK-LABEL: '.rela.data'
# CHECK: R_RISCV_ADD16 {{.*}} end + 0
# CHECK-NEXT: R_RISCV_SUB16 {{.*}} start + 0
# DATA: 2400aa24
  .half end - start
  .byte 0xaa
# CHECK-NEXT: R_RISCV_SET_ULEB128 {{.*}} end + 0
# CHECK-NEXT: R_RISCV_SUB_ULEB128 {{.*}} start + 0
  .uleb128 end - start
