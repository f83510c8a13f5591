; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; psABI ilp32: where arguments and results live.
;
; RUN: llc -mtriple=npu -O2 < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 -verify-machineinstrs < %s > /dev/null

declare void @take(i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare void @variadic(i32, ...)
declare i64 @wide(i32, i64)

; A double word takes any two consecutive registers.
define i64 @pair(i32 %a, i64 %b) {
; CHECK-LABEL: pair:
; CHECK: add a0, a0, a1
; CHECK: mv a1, a2
; CHECK: ret
  %low = trunc i64 %b to i32
  %sum = add i32 %a, %low
  %high = and i64 %b, -4294967296
  %wide = zext i32 %sum to i64
  %r = or i64 %high, %wide
  ret i64 %r
}

; One half in a7, the other on the stack.
define i32 @split(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i64 %v) {
; CHECK-LABEL: split:
; CHECK: lw [[HIGH:[a-z0-9]+]], 0(sp)
; CHECK: add a0, a7, [[HIGH]]
  %low = trunc i64 %v to i32
  %shifted = lshr i64 %v, 32
  %high = trunc i64 %shifted to i32
  %r = add i32 %low, %high
  ret i32 %r
}

; A double word in memory is aligned to eight bytes.
define i32 @aligned(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7, i32 %8, i64 %v) {
; CHECK-LABEL: aligned:
; CHECK: lw a0, 8(sp)
  %r = trunc i64 %v to i32
  ret i32 %r
}

define void @ninth() {
; CHECK-LABEL: ninth:
; CHECK: li [[NINE:[a-z0-9]+]], 9
; CHECK: sw [[NINE]], 0(sp)
; CHECK: call take
  call void @take(i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9)
  ret void
}

; A variadic double word starts at an even register.
define void @variadic_pair(i64 %v) {
; CHECK-LABEL: variadic_pair:
; CHECK-DAG: mv a2, a0
; CHECK-DAG: mv a3, a1
; CHECK-DAG: li a0, 1
; CHECK: {{call|tail}} variadic
  call void (i32, ...) @variadic(i32 1, i64 %v)
  ret void
}

; With a7 alone left it goes to the stack as a whole.
define void @variadic_pair_in_memory(i64 %v) {
; CHECK-LABEL: variadic_pair_in_memory:
; CHECK-DAG: sw {{[a-z0-9]+}}, 0(sp)
; CHECK-DAG: sw {{[a-z0-9]+}}, 4(sp)
; CHECK: call variadic
  call void (i32, ...) @variadic(i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i64 %v)
  ret void
}

; Wider than two registers: the callee gets a reference.
define i32 @by_reference(i32 %0, fp128 %q) {
; CHECK-LABEL: by_reference:
; CHECK: lw a0, 0(a1)
  %bits = bitcast fp128 %q to i128
  %r = trunc i128 %bits to i32
  ret i32 %r
}

; A wide result is written through a hidden first argument.
define [4 x i32] @hidden_result(i32 %v) {
; CHECK-LABEL: hidden_result:
; CHECK-DAG: sw a1, 0(a0)
; CHECK-DAG: sw a1, 12(a0)
; CHECK: ret
  %a = insertvalue [4 x i32] zeroinitializer, i32 %v, 0
  %b = insertvalue [4 x i32] %a, i32 %v, 3
  ret [4 x i32] %b
}

; Soft float: doubles travel like double words.
define double @soft(double %x, double %y) {
; CHECK-LABEL: soft:
; CHECK: {{call|tail}} __adddf3
  %r = fadd double %x, %y
  ret double %r
}

; A call in tail position is a jump.
define i64 @tail_call(i32 %a, i64 %b) {
; CHECK-LABEL: tail_call:
; CHECK: tail wide
  %r = tail call i64 @wide(i32 %a, i64 %b)
  ret i64 %r
}

define i32 @indirect(ptr %f, i32 %x) {
; CHECK-LABEL: indirect:
; CHECK: jalr {{[a-z0-9]+}}
  %r = call i32 %f(i32 %x)
  %s = add i32 %r, 1
  ret i32 %s
}

; The callee stores unnamed register arguments below the stack arguments.
define i32 @variadic_callee(i32 %n, ...) {
; CHECK-LABEL: variadic_callee:
; CHECK-DAG: sw a1,
; CHECK-DAG: sw a7,
; CHECK: ret
  %list = alloca ptr
  call void @llvm.va_start(ptr %list)
  %r = va_arg ptr %list, i32
  call void @llvm.va_end(ptr %list)
  ret i32 %r
}

declare void @llvm.va_start(ptr)
declare void @llvm.va_end(ptr)

; A variadic function that only passes its arguments on keeps the registers of the
; variable part for the call and stores none.
define i32 @variadic_thunk(ptr %f, ptr %target, ...) {
; CHECK-LABEL: variadic_thunk:
; CHECK-NOT: sw
; CHECK: jr a1
  %r = musttail call i32 (ptr, ptr, ...) %target(ptr %f, ptr %target, ...)
  ret i32 %r
}
define i32 @variadic_busy_thunk(ptr %f, ...) {
; CHECK-LABEL: variadic_busy_thunk:
; CHECK: mv [[A7:s[0-9]+]], a7
; CHECK: call hook
; CHECK: mv a7, [[A7]]
; CHECK: tail variadic_callee_of_pointer
  call void @hook()
  %r = musttail call i32 (ptr, ...) @variadic_callee_of_pointer(ptr %f, ...)
  ret i32 %r
}
declare void @hook()
declare i32 @variadic_callee_of_pointer(ptr, ...)
