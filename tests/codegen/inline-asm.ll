; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Constraints and modifiers of inline assembly.
;
; RUN: llc -mtriple=npu -O2 < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 -verify-machineinstrs < %s > /dev/null

@object = global i32 0

define i32 @registers(i32 %a, i32 %b) {
; CHECK-LABEL: registers:
; CHECK: add {{[a-z0-9]+}}, a0, a1
  %r = call i32 asm "add $0, $1, $2", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}
define i32 @tied(i32 %a) {
; CHECK-LABEL: tied:
; CHECK: addi a0, a0, 1
  %r = call i32 asm "addi $0, $0, 1", "=r,0"(i32 %a)
  ret i32 %r
}
define i32 @fixed(i32 %a) {
; CHECK-LABEL: fixed:
; CHECK: mv t0, a0
; CHECK: frob t0
; CHECK: mv a0, t0
  %r = call i32 asm sideeffect "# frob t0", "={x5},{x5}"(i32 %a)
  ret i32 %r
}
define void @immediates() {
; CHECK-LABEL: immediates:
; CHECK: # -2048 0 31 70000
  call void asm sideeffect "# $0 $1 $2 $3", "I,J,K,i"(i32 -2048, i32 0, i32 31, i32 70000)
  ret void
}
define i32 @memory(ptr %p) {
; CHECK-LABEL: memory:
; CHECK: lw {{[a-z0-9]+}}, 0(a0)
  %r = call i32 asm "lw $0, $1", "=r,*m"(ptr elementtype(i32) %p)
  ret i32 %r
}
define void @memory_out(i32 %v) {
; CHECK-LABEL: memory_out:
; CHECK: sw a0, 0({{[a-z0-9]+}})
  call void asm sideeffect "sw $1, $0", "=*m,r"(ptr elementtype(i32) @object, i32 %v)
  ret void
}
define void @symbol() {
; CHECK-LABEL: symbol:
; CHECK: .word object
  call void asm sideeffect ".word $0", "s"(ptr @object)
  ret void
}
; z prints the zero register for 0, i completes a mnemonic.
define i32 @modifiers(i32 %a) {
; CHECK-LABEL: modifiers:
; CHECK-DAG: addi {{[a-z0-9]+}}, a{{[01]}}, 5
; CHECK-DAG: sw zero, 0({{[a-z0-9]+}})
  %r = call i32 asm "add${2:i} $0, $1, $2", "=r,r,i"(i32 %a, i32 5)
  call void asm sideeffect "sw ${0:z}, 0($1)", "J,r"(i32 0, i32 %a)
  ret i32 %r
}
define void @clobbers() {
; CHECK-LABEL: clobbers:
; CHECK: sw s1,
; CHECK: lw s1,
  call void asm sideeffect "nop", "~{s1},~{memory}"()
  ret void
}
; A wide value takes several registers, the named one and those behind it.
define i64 @wide(i64 %a) {
; CHECK-LABEL: wide:
; CHECK: addi {{a[0-7]}}, {{a[0-7]}}, 1
; CHECK: # a0
  %x = call i64 asm "addi $0, $0, 1", "=r,0"(i64 %a)
  %r = call i64 asm sideeffect "# $0", "={x10},0"(i64 %x)
  ret i64 %r
}
; The upper half of x is in a1, so what clobbers a1 shows that it counts.
define i32 @wide_named(i32 %a, i64 %b) {
; CHECK-LABEL: wide_named:
; CHECK-DAG: mv t0, a1
; CHECK-DAG: mv t1, a2
; CHECK: # t0
; CHECK: mv a0, t1
  %x = call i64 asm sideeffect "# $0", "={x5},0"(i64 %b)
  %h = lshr i64 %x, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
define i32 @symbol_offset() {
; CHECK-LABEL: symbol_offset:
; CHECK: .word object+8
  call void asm sideeffect ".word $0", "S"(ptr getelementptr (i8, ptr @object, i32 8))
  ret i32 0
}
; A value goes to memory of its own; any register will do for anything.
define i32 @value_in_memory(i32 %a) {
; CHECK-LABEL: value_in_memory:
; CHECK: sw a0, [[SLOT:[0-9]+]](sp)
; CHECK: addi [[BASE:[a-z0-9]+]], sp, [[SLOT]]
; CHECK: lw {{[a-z0-9]+}}, 0([[BASE]])
  %r = call i32 asm "lw $0, $1", "=r,m"(i32 %a)
  ret i32 %r
}
define i32 @anything(i32 %a) {
; CHECK-LABEL: anything:
; CHECK: # {{[a-z0-9]+}} a0 7 object
  %r = call i32 asm "# $0 $1 $2 $3", "=r,X,X,X"(i32 %a, i32 7, ptr @object)
  ret i32 %r
}
define i32 @compressed(i32 %a) {
; CHECK-LABEL: compressed:
; CHECK: # {{(a[0-5]|s[01])}} {{(a[0-5]|s[01])}}
  %r = call i32 asm "# $0 $1", "=^cr,^cr"(i32 %a)
  ret i32 %r
}
; asm goto: the results are there on both ways.
define i32 @jump(i32 %a) {
; CHECK-LABEL: jump:
; CHECK: beqz [[R:[a-z0-9]+]], [[LABEL:.LBB[0-9_]+]]
; CHECK: addi a0, {{[a-z0-9]+}}, 3
; CHECK: [[LABEL]]:
; CHECK: addi a0, {{[a-z0-9]+}}, 5
  %r = callbr i32 asm "beqz $0, ${2:l}", "=r,0,!i"(i32 %a) to label %next [label %label]
next:
  %s = add i32 %r, 3
  ret i32 %s
label:
  %t = add i32 %r, 5
  ret i32 %t
}
define i16 @jump_narrow(i16 %a) {
; CHECK-LABEL: jump_narrow:
; CHECK: j [[LABEL:.LBB[0-9_]+]]
; CHECK: [[LABEL]]:
  %r = callbr i16 asm sideeffect "j ${2:l}", "={x10},0,!i"(i16 %a) to label %next [label %label]
next:
  ret i16 0
label:
  ret i16 %r
}
; One block is the label and what follows.
define i32 @jump_same(i32 %a) {
; CHECK-LABEL: jump_same:
; CHECK: beqz a0, [[LABEL:.LBB[0-9_]+]]
; CHECK: [[LABEL]]:
  callbr void asm sideeffect "beqz $0, ${1:l}", "r,!i"(i32 %a) to label %both [label %both]
both:
  ret i32 1
}
; An even register and its neighbour; each pair is another one, and none that is named.
define i64 @pairs(i64 %a, i64 %b) {
; CHECK-LABEL: pairs:
; CHECK: # frob a{{[0246]}} a{{[0246]}} t3
  %r = call i64 asm sideeffect "# frob $0 $1 t3", "=R,R,~{x28}"(i64 %a)
  %s = call i64 asm sideeffect "# frob $0", "=^cR,0"(i64 %b)
; CHECK: # frob a{{[024]$}}
  %t = add i64 %r, %s
  ret i64 %t
}

; X takes what there is: a vector in its own registers.
define void @anything_at_all(i32 %a, <16 x i32> %v) {
; CHECK-LABEL: anything_at_all:
; CHECK: # a0 v8 5
  call void asm sideeffect "# $0 $1 $2", "X,X,X"(i32 %a, <16 x i32> %v, i32 5)
  ret void
}
