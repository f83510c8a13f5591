; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Operations that the generic legalizer does not know for a machine of this kind.
;
; RUN: llc -mtriple=npu -O2 -verify-machineinstrs < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 -verify-machineinstrs < %s > /dev/null

; The range of a switch on 64 bits is checked on all of them.
define i32 @switch64(i64 %x) {
; CHECK-LABEL: switch64:
; CHECK: addi [[LOW:[a-z0-9]+]], a0, 16
; CHECK: {{b[a-z]+}} {{[a-z0-9]+}}, {{.*}}.LBB
; CHECK: .LJTI
  switch i64 %x, label %other [
    i64 -16, label %a
    i64 -15, label %b
    i64 -14, label %c
    i64 -13, label %a
    i64 -12, label %d
    i64 -11, label %b
    i64 -10, label %e
  ]
a:
  ret i32 17
b:
  %m = call i32 @callee()
  ret i32 %m
c:
  ret i32 99
d:
  ret i32 -5
e:
  call void @llvm.trap()
  unreachable
other:
  ret i32 0
}
declare i32 @callee()

; CHECK-LABEL: split_exponent:
; CHECK: call frexp
; CHECK: lw a2, {{[0-9]+}}(sp)
define { double, i32 } @split_exponent(double %x) {
  %r = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  ret { double, i32 } %r
}
; CHECK-LABEL: canonical:
; CHECK: {{call|tail}} __muldf3
define double @canonical(double %x) {
  %r = call double @llvm.canonicalize.f64(double %x)
  ret double %r
}
; CHECK-LABEL: rounding:
; CHECK: li a0, 1
define i32 @rounding() {
  %r = call i32 @llvm.get.rounding()
  ret i32 %r
}
; CHECK-LABEL: set_inline:
; CHECK-NOT: call
; CHECK-COUNT-7: sb
; CHECK: ret
define void @set_inline(ptr %p, i8 %v) {
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 %v, i64 7, i1 false)
  ret void
}
; CHECK-LABEL: frame_of_caller:
; CHECK: addi a0, sp, 16
define ptr @frame_of_caller() {
  %a = alloca i32
  store volatile i32 1, ptr %a
  %r = call ptr @llvm.eh.dwarf.cfa(i32 0)
  ret ptr %r
}
; Every saved register is in the frame.
; CHECK-LABEL: all_saved:
; CHECK-DAG: sw s0,
; CHECK-DAG: sw s11,
; CHECK-DAG: sw ra,
define void @all_saved() {
  call void @llvm.eh.unwind.init()
  ret void
}
