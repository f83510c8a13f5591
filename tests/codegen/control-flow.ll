; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Branches, jump tables, addresses of symbols and branches out of reach.
;
; RUN: llc -mtriple=npu -O2 < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 -verify-machineinstrs < %s > /dev/null
; RUN: llc -mtriple=npu -O2 -filetype=obj < %s -o %t.o
; RUN: llvm-objdump -d %t.o | FileCheck --check-prefix=FAR %s

@object = global [16 x i32] zeroinitializer

declare void @a()
declare void @b()

; The comparison is part of the branch.
define void @branch(i32 %x, i32 %y) {
; CHECK-LABEL: branch:
; CHECK-NOT: slt
; CHECK: b{{(ge|lt)}}u {{a0, a1|a1, a0}},
  %c = icmp ult i32 %x, %y
  br i1 %c, label %then, label %else
then:
  tail call void @a()
  ret void
else:
  tail call void @b()
  ret void
}

define i32 @address(i32 %i) {
; CHECK-LABEL: address:
; The object's alignment keeps the offset from carrying into the upper part.
; CHECK: lui [[HI:[a-z0-9]+]], %hi(object)
; CHECK: lw a0, %lo(object+8)([[HI]])
  %p = getelementptr [16 x i32], ptr @object, i32 0, i32 2
  %r = load i32, ptr %p
  ret i32 %r
}

@words = external global [16 x i32], align 4

define i32 @address_that_may_carry() {
; CHECK-LABEL: address_that_may_carry:
; CHECK: lui [[HI:[a-z0-9]+]], %hi(words+8)
; CHECK: lw a0, %lo(words+8)([[HI]])
  %p = getelementptr [16 x i32], ptr @words, i32 0, i32 2
  %r = load i32, ptr %p
  ret i32 %r
}

define void @table(i32 %x) {
; CHECK-LABEL: table:
; CHECK: %hi(.LJTI[[N:[0-9_]+]])
; CHECK: %lo(.LJTI[[N]])
; CHECK: jr
; CHECK: .LJTI[[N]]:
; CHECK-NEXT: .word .LBB
  switch i32 %x, label %out [
    i32 0, label %l0
    i32 1, label %l1
    i32 2, label %l2
    i32 3, label %l3
    i32 4, label %l4
    i32 5, label %l5
  ]
l0:
  call void asm sideeffect "# case 0", ""()
  br label %out
l1:
  call void asm sideeffect "# case 1", ""()
  br label %out
l2:
  call void asm sideeffect "# case 2", ""()
  br label %out
l3:
  call void asm sideeffect "# case 3", ""()
  br label %out
l4:
  call void asm sideeffect "# case 4", ""()
  br label %out
l5:
  tail call void @a()
  br label %out
out:
  ret void
}

; A conditional branch over more than 4 KiB is inverted around a jump.
define void @far(i32 %x) {
; FAR-LABEL: <far>:
; FAR: {{beqz|bnez}} a0
; FAR-NEXT: j
  %c = icmp eq i32 %x, 0
  br i1 %c, label %out, label %body
body:
  call void asm sideeffect ".space 8192", ""()
  br label %out
out:
  ret void
}
