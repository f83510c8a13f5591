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
