; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Stack frames: 16-byte alignment, frames beyond the reach of an immediate,
; variable-size objects behind a frame pointer, over-aligned objects, interrupt
; handlers.
;
; RUN: llc -mtriple=npu -O2 < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 -verify-machineinstrs < %s > /dev/null

declare void @use(ptr)

define void @small() {
; CHECK-LABEL: small:
; CHECK: addi sp, sp, -16
; CHECK: .cfi_def_cfa_offset 16
; CHECK: sw ra, 12(sp)
; CHECK: lw ra, 12(sp)
; CHECK: addi sp, sp, 16
; CHECK: ret
  %x = alloca i32
  call void @use(ptr %x)
  ret void
}

define void @large() {
; CHECK-LABEL: large:
; The first step leaves the saved registers within reach.
; CHECK: addi sp, sp, -2032
; CHECK: sw ra, 2028(sp)
; CHECK: lui [[R:[a-z0-9]+]],
; CHECK: add sp, sp, [[R]]
; CHECK: call use
; CHECK: add sp, sp,
; CHECK: lw ra, 2028(sp)
; CHECK: addi sp, sp, 2032
; CHECK: ret
  %x = alloca [100000 x i8]
  call void @use(ptr %x)
  ret void
}

define void @variable(i32 %n) {
; CHECK-LABEL: variable:
; CHECK: addi s0, sp, 16
; CHECK: sub a0, sp, {{[a-z0-9]+}}
; CHECK: mv sp, a0
; CHECK: addi sp, s0, -16
; CHECK: ret
  %x = alloca i8, i32 %n
  call void @use(ptr %x)
  ret void
}

define void @overaligned() {
; CHECK-LABEL: overaligned:
; CHECK: andi sp, sp, -64
; CHECK: call use
; CHECK: ret
  %x = alloca i32, align 64
  call void @use(ptr %x)
  ret void
}

; Every register that the handler or its callees may change is saved.
define void @handler() "interrupt"="machine" {
; CHECK-LABEL: handler:
; CHECK-DAG: sw ra,
; CHECK-DAG: sw a0,
; CHECK-DAG: sw t6,
; CHECK: call use
; CHECK: mret
  call void @use(ptr null)
  ret void
}
