# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The psABI's mapping symbols tell code from data in sections of code, also for stock disassemblers.
# A section of data has none; .insn is code, whatever its word.
#
# RUN: llvm-mc -triple=npu -filetype=obj %s -o %t.o
# RUN: llvm-readelf -s %t.o | FileCheck --implicit-check-not='$' %s
# RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck --check-prefix=CODE %s
# RUN: llvm-mc -triple=npu %s | llvm-mc -triple=npu -filetype=obj -o %t.again.o && cmp %t.o %t.again.o

# CHECK-DAG: 00000000 0 NOTYPE LOCAL DEFAULT 2 $x
# CHECK-DAG: 00000004 0 NOTYPE LOCAL DEFAULT 2 $d
# CHECK-DAG: 0000000c 0 NOTYPE LOCAL DEFAULT 2 $x
# CHECK-DAG: 00000014 0 NOTYPE LOCAL DEFAULT 2 $d
# CHECK-DAG: 00000018 0 NOTYPE LOCAL DEFAULT 2 $x
# CHECK-DAG: 00000000 0 NOTYPE LOCAL DEFAULT {{[0-9]+}} $d
# CODE: nop
# CODE-NEXT: .word 0x00000013
# CODE-NEXT: .word 0x00000013
# CODE-NEXT: addi a0, a0, 0x1
# CODE-NEXT: mv zero, a0
# CODE-NEXT: .word 0x00000000
# CODE-NEXT: ret
  .text
  nop
  .word 0x13
  .section .rodata
  .word 5
  .text
  .word 0x13
  addi a0, a0, 1
  .insn 0x00050013
  .zero 4
  ret

  .section .text.other, "ax", @progbits
  .byte 1, 2, 3, 4
