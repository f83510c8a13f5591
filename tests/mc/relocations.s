# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which relocation each modifier and directive leaves behind, and that what the
# assembler can resolve leaves none.
#
# RUN: llvm-mc -triple=npu -filetype=obj -mattr=-relax %s -o %t.o
# RUN: llvm-readelf -r --wide %t.o | FileCheck %s
# RUN: llvm-objcopy -O binary -j .text.local %t.o %t.local
# RUN: od -An -v -tx4 -w4 %t.local | FileCheck --check-prefix=LOCAL %s

  .section .text.extern, "ax"
# CHECK-LABEL: '.rela.text.extern'
# CHECK: 00000000 {{.*}} R_RISCV_HI20 {{.*}} extern + 4
lui a0, %hi(extern + 4)
# CHECK-NEXT: 00000004 {{.*}} R_RISCV_LO12_I {{.*}} extern + 4
addi a0, a0, %lo(extern + 4)
# CHECK-NEXT: 00000008 {{.*}} R_RISCV_LO12_S {{.*}} extern + 0
sw a0, %lo(extern)(a0)
# The second part of a pair names the label of the first.
# CHECK-NEXT: 0000000c {{.*}} R_RISCV_PCREL_HI20 {{.*}} extern + 8
1: auipc a0, %pcrel_hi(extern + 8)
# CHECK-NEXT: 00000010 {{.*}} R_RISCV_PCREL_LO12_I {{.*}} .Ltmp0 + 0
lw a1, %pcrel_lo(1b)(a0)
# CHECK-NEXT: 00000014 {{.*}} R_RISCV_PCREL_LO12_S {{.*}} .Ltmp0 + 0
sw a1, %pcrel_lo(1b)(a0)
# CHECK-NEXT: 00000018 {{.*}} R_RISCV_GOT_HI20 {{.*}} extern + 0
# CHECK-NEXT: 0000001c {{.*}} R_RISCV_PCREL_LO12_I {{.*}} .Lpcrel_hi0 + 0
lga a0, extern
# CHECK-NEXT: 00000020 {{.*}} R_RISCV_TPREL_HI20 {{.*}} thread + 0
lui a5, %tprel_hi(thread)
# CHECK-NEXT: 00000024 {{.*}} R_RISCV_TPREL_ADD {{.*}} thread + 0
add a5, a5, tp, %tprel_add(thread)
# CHECK-NEXT: 00000028 {{.*}} R_RISCV_TPREL_LO12_I {{.*}} thread + 0
lw a0, %tprel_lo(thread)(a5)
# CHECK-NEXT: 0000002c {{.*}} R_RISCV_TPREL_LO12_S {{.*}} thread + 0
sw a0, %tprel_lo(thread)(a5)
# CHECK-NEXT: 00000030 {{.*}} R_RISCV_CALL_PLT {{.*}} extern + 0
call extern
# CHECK-NEXT: 00000038 {{.*}} R_RISCV_CALL_PLT {{.*}} extern + 0
tail extern
# CHECK-NEXT: 00000040 {{.*}} R_RISCV_JAL {{.*}} extern + 0
jal extern
# A branch to an unknown place takes the long form.
# CHECK-NEXT: 00000048 {{.*}} R_RISCV_JAL {{.*}} extern + 0
beq a0, a1, extern
# CHECK-NEXT: 0000004c {{.*}} R_RISCV_BRANCH {{.*}} extern + 0
.reloc ., R_RISCV_BRANCH, extern
bne a0, a1, 0
# CHECK-NOT: R_RISCV

  .data
# CHECK-LABEL: '.rela.data'
# CHECK: 00000000 {{.*}} R_RISCV_32 {{.*}} extern + 1
.word extern + 1
# CHECK-NEXT: 00000004 {{.*}} R_RISCV_64 {{.*}} extern + 0
.dword extern
# CHECK-NEXT: 0000000c {{.*}} R_RISCV_32_PCREL {{.*}} extern + 0
.word extern - .
# CHECK-NEXT: 00000010 {{.*}} R_RISCV_ADD32 {{.*}} extern + 0
# CHECK-NEXT: 00000010 {{.*}} R_RISCV_SUB32 {{.*}} .text.local + 0
.word extern - local
# CHECK-NEXT: 00000014 {{.*}} R_RISCV_ADD16 {{.*}} extern + 0
# CHECK-NEXT: 00000014 {{.*}} R_RISCV_SUB16 {{.*}} .text.local + 0
.half extern - local
# Known once the other section is laid out.
.byte end - local
.uleb128 end - local
# CHECK-NOT: R_RISCV

  .section .text.local, "ax"
# CHECK-NOT: .rela.text.local
local:
# LOCAL: 00000317
# LOCAL-NEXT: 02030313
lla t1, end
# LOCAL-NEXT: 00000097
# LOCAL-NEXT: 018080e7
call end
# LOCAL-NEXT: 0100006f
j end
# LOCAL-NEXT: 00050463
beqz a0, 1f
# LOCAL-NEXT: 02050513
addi a0, a0, end - local
# LOCAL-NEXT: fe5ff06f
1: j local
end:
