# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A conditional branch that does not reach its label becomes the inverted branch
# over a jal; one that reaches it stays.
#
# RUN: llvm-mc -triple=npu -filetype=obj %s -o %t.o
# RUN: llvm-objcopy -O binary -j .text.fits %t.o %t.fits
# RUN: od -An -v -tx4 -w4 %t.fits | FileCheck --check-prefix=FITS %s
# RUN: llvm-objcopy -O binary -j .text.beyond %t.o %t.beyond
# RUN: od -An -v -tx4 -w4 %t.beyond | FileCheck --check-prefix=BEYOND %s
# RUN: llvm-objcopy -O binary -j .text.conditions %t.o %t.conditions
# RUN: od -An -v -tx4 -w4 %t.conditions | FileCheck --check-prefix=CONDITIONS %s

  .section .text.fits, "ax"
# FITS: 7eb50fe3
start:
  beq a0, a1, end             # +4094
  .space 4090
end:
  .space 2
# FITS: 80b51063
  bne a0, a1, start           # -4096

  .section .text.beyond, "ax"
# BEYOND: 00b51463
# BEYOND-NEXT: 0000106f
first:
  beq a0, a1, last            # +4096 without, +4100 with the jal
  .space 4092
last:
# BEYOND: 00b50463
# BEYOND-NEXT: ff9fe06f
  bne a0, a1, first           # -4100, and -4 for the jal

  .section .text.conditions, "ax"
# CONDITIONS: 00b55463
# CONDITIONS-NEXT: 02c0106f
  blt a0, a1, far
# CONDITIONS-NEXT: 00b54463
# CONDITIONS-NEXT: 0240106f
  bge a0, a1, far
# CONDITIONS-NEXT: 00b57463
# CONDITIONS-NEXT: 01c0106f
  bltu a0, a1, far
# CONDITIONS-NEXT: 00b56463
# CONDITIONS-NEXT: 0140106f
  bgeu a0, a1, far
# CONDITIONS-NEXT: 00051463
# CONDITIONS-NEXT: 00c0106f
  beqz a0, far
# CONDITIONS-NEXT: 00b55463
# CONDITIONS-NEXT: 0040106f
  bgt a1, a0, far
  .space 4096
far:
