; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Selection of integer operations: immediates, comparisons, multiplication and
; division in hardware, double words by carry or by library.
;
; RUN: llc -mtriple=npu -O2 < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 -verify-machineinstrs < %s > /dev/null

define i32 @small_constant() {
; CHECK-LABEL: small_constant:
; CHECK: li a0, -2048
  ret i32 -2048
}
define i32 @upper_constant() {
; CHECK-LABEL: upper_constant:
; CHECK: lui a0, 524288
; CHECK-NEXT: ret
  ret i32 -2147483648
}
define i32 @full_constant() {
; CHECK-LABEL: full_constant:
; CHECK: lui a0, 74565
; CHECK-NEXT: addi a0, a0, 1656
  ret i32 305419896
}
define i32 @add_immediate(i32 %a) {
; CHECK-LABEL: add_immediate:
; CHECK: addi a0, a0, -5
  %r = sub i32 %a, 5
  ret i32 %r
}
define i32 @shift_immediate(i32 %a) {
; CHECK-LABEL: shift_immediate:
; CHECK: srai a0, a0, 7
  %r = ashr i32 %a, 7
  ret i32 %r
}
define i32 @less(i32 %a, i32 %b) {
; CHECK-LABEL: less:
; CHECK: slt a0, a0, a1
  %c = icmp slt i32 %a, %b
  %r = zext i1 %c to i32
  ret i32 %r
}
define i32 @equal_zero(i32 %a) {
; CHECK-LABEL: equal_zero:
; CHECK: seqz a0, a0
  %c = icmp eq i32 %a, 0
  %r = zext i1 %c to i32
  ret i32 %r
}
define i32 @multiply(i32 %a, i32 %b) {
; CHECK-LABEL: multiply:
; CHECK: mul a0, a0, a1
  %r = mul i32 %a, %b
  ret i32 %r
}
define i32 @divide(i32 %a, i32 %b) {
; CHECK-LABEL: divide:
; CHECK: divu a0, a0, a1
  %r = udiv i32 %a, %b
  ret i32 %r
}
define i32 @remainder(i32 %a, i32 %b) {
; CHECK-LABEL: remainder:
; CHECK: rem a0, a0, a1
  %r = srem i32 %a, %b
  ret i32 %r
}
define i64 @add64(i64 %a, i64 %b) {
; CHECK-LABEL: add64:
; CHECK: add
; CHECK: sltu
; CHECK: ret
  %r = add i64 %a, %b
  ret i64 %r
}
define i64 @multiply64(i64 %a, i64 %b) {
; CHECK-LABEL: multiply64:
; CHECK: mulhu
; CHECK-NOT: call
; CHECK: ret
  %r = mul i64 %a, %b
  ret i64 %r
}
define i64 @divide64(i64 %a, i64 %b) {
; CHECK-LABEL: divide64:
; CHECK: {{call|tail}} __divdi3
  %r = sdiv i64 %a, %b
  ret i64 %r
}
define i32 @high_product(i32 %a, i32 %b) {
; CHECK-LABEL: high_product:
; CHECK: mulh a0, a0, a1
; CHECK-NEXT: ret
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
define signext i8 @load_byte(ptr %p) {
; CHECK-LABEL: load_byte:
; CHECK: lb a0, 3(a0)
  %q = getelementptr i8, ptr %p, i32 3
  %r = load i8, ptr %q
  ret i8 %r
}
define zeroext i16 @load_half(ptr %p) {
; CHECK-LABEL: load_half:
; CHECK: lhu a0, 0(a0)
  %r = load i16, ptr %p
  ret i16 %r
}
; The core traps on misaligned accesses, so they are put together from bytes.
define i32 @load_unaligned(ptr %p) {
; CHECK-LABEL: load_unaligned:
; CHECK-COUNT-4: lbu
; CHECK: ret
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
define i32 @select(i32 %a, i32 %b, i32 %x, i32 %y) {
; CHECK-LABEL: select:
; There is no conditional move.
; CHECK: {{bltu|bgeu}}
; CHECK: ret
  %c = icmp ult i32 %a, %b
  %r = select i1 %c, i32 %x, i32 %y
  ret i32 %r
}
