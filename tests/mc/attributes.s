# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every object says that it is for the NPU: psABI machine and soft float, the
# Xnpu bit of e_flags, stack alignment and ISA string. .attribute overrides the
# string, completed with versions.
#
# RUN: llvm-mc -triple=npu -filetype=obj %s -o %t.o
# RUN: llvm-readobj -h -A %t.o | FileCheck %s --check-prefixes=CHECK,DEFAULT
# RUN: llvm-mc -triple=npu -filetype=obj --defsym OVERRIDE=1 %s -o %t.override.o
# RUN: llvm-readobj -h -A %t.override.o | FileCheck %s --check-prefixes=CHECK,OVERRIDE
# RUN: llvm-mc -triple=npu --defsym OVERRIDE=1 %s | FileCheck %s --check-prefix=ASM

# CHECK: Class: 32-bit
# CHECK: Machine: EM_RISCV
# CHECK: Flags [ (0x1000000)
# CHECK: TagName: stack_align
# CHECK-NEXT: Description: Stack alignment is 16-bytes
# DEFAULT: Value: rv32i2p1_m2p0_zicsr2p0_zifencei2p0_xnpu1p0
# OVERRIDE: Value: rv32i2p1_m2p0_zicsr2p0

  nop
# ASM: .option push
# ASM-NEXT: .option norelax
# ASM-NEXT: .option pop
.option push
.option norelax
.option pop
.option arch, +m
.option arch, rv32im_zicsr
.ifdef OVERRIDE
# ASM-NEXT: .attribute 4, 16
.attribute stack_align, 16
# ASM-NEXT: .attribute 5, "rv32i2p1_m2p0_zicsr2p0"
.attribute arch, "rv32im_zicsr2p0"
.endif
