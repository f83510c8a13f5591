# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# llvm-objdump recognises an NPU object by its e_flags, without any option; shows
# branch and call targets as addresses and symbols; and prints words that are no
# instruction as unknown, and data as data.
#
# RUN: llvm-mc -triple=npu -filetype=obj %s -o %t.o
# RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s
# RUN: llvm-objdump -d --no-show-raw-insn -M no-aliases -M numeric %t.o | FileCheck --check-prefix=PLAIN %s
# RUN: llvm-objdump -dr --no-show-raw-insn %t.o | FileCheck --check-prefix=RELOC %s

# CHECK: file format elf32-littleriscv
# CHECK-LABEL: <start>:
start:
# CHECK-NEXT: 0: li a0, -0x1
# PLAIN: 0: addi x10, x0, -0x1
  li a0, -1
# CHECK-NEXT: 4: mac.run t0, a0, a1
# PLAIN-NEXT: 4: mac.run x5, x10, x11
  mac.run t0, a0, a1
# CHECK-NEXT: 8: npu.wait t0
  npu.wait t0
# CHECK-NEXT: c: csrw nrowlen, a0
  csrw nrowlen, a0
# CHECK-NEXT: 10: beqz a0, 0x0 <start>
  beqz a0, start
# CHECK-NEXT: 14: j 0x30 <local>
  j local
# A call through a register whose value the preceding auipc tells.
# CHECK-NEXT: 18: auipc ra, 0x0
# CHECK-NEXT: 1c: jalr 0x18(ra) <local>
  call local
# CHECK-NEXT: 20: auipc ra, 0x0
# RELOC: R_RISCV_CALL_PLT extern
  call extern
# CHECK: 28: <unknown>
  .insn 0x0000700b
# CHECK-NEXT: 2c: 00 00 00 00 .word 0x00000000
  .word 0
# CHECK-LABEL: <local>:
local:
# CHECK-NEXT: ret
  ret
# The address of an access whose base the preceding instructions tell.
# CHECK: lui a1, 0x20000
# CHECK-NEXT: addi a1, a1, 0x10
# CHECK-NEXT: lw a2, 0x8(a1) # 0x20000018
  lui a1, 0x20000
  addi a1, a1, 16
  lw a2, 8(a1)
