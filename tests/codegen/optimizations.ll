; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Shorter code that selection and the combiners find.
;
; RUN: llc -mtriple=npu -O2 -verify-machineinstrs < %s | FileCheck %s

; A narrow load extends the way its users want it, and they do nothing more.
; CHECK-LABEL: compare_halfwords:
; CHECK: lh a0, 4(a0)
; CHECK-NEXT: lh a1, 4(a1)
; CHECK-NEXT: slt a0, a0, a1
; CHECK-NEXT: ret
define i32 @compare_halfwords(ptr %a, ptr %b) {
  %pa = getelementptr i8, ptr %a, i32 4
  %pb = getelementptr i8, ptr %b, i32 4
  %x = load i16, ptr %pa
  %y = load i16, ptr %pb
  %c = icmp slt i16 %x, %y
  %r = zext i1 %c to i32
  ret i32 %r
}

; CHECK-LABEL: compare_bytes:
; CHECK: lbu a0, 0(a0)
; CHECK-NEXT: lbu a1, 0(a1)
; CHECK-NEXT: sltu a0, a0, a1
; CHECK-NEXT: ret
define i32 @compare_bytes(ptr %a, ptr %b) {
  %x = load i8, ptr %a
  %y = load i8, ptr %b
  %c = icmp ult i8 %x, %y
  %r = zext i1 %c to i32
  ret i32 %r
}

; A bit that ANDI does not reach is shifted to the sign.
; CHECK-LABEL: test_bit:
; CHECK: slli a0, a0, 11
; CHECK-NEXT: b{{gez|ltz}} a0,
declare void @f()
define void @test_bit(i32 %x) {
  %b = and i32 %x, 1048576
  %c = icmp eq i32 %b, 0
  br i1 %c, label %no, label %yes
yes:
  call void @f()
  br label %no
no:
  ret void
}

; The sign bit needs no shift, and low bits use ANDI.
; CHECK-LABEL: test_sign_bit:
; CHECK: # %bb.0:
; CHECK-NEXT: b{{gez|ltz}} a0,
define void @test_sign_bit(i32 %x) {
  %b = and i32 %x, 2147483648
  %c = icmp eq i32 %b, 0
  br i1 %c, label %no, label %yes
yes:
  tail call void @f()
  br label %no
no:
  ret void
}

; Bits of a mask that are zero in the value may be set: ANDI holds it then.
; CHECK-LABEL: wide_mask:
; CHECK: srli a0, a0, 7
; CHECK-NEXT: andi a0, a0, -2
; CHECK-NEXT: ret
define i32 @wide_mask(i32 %x) {
  %s = lshr i32 %x, 7
  %r = and i32 %s, 33554430
  ret i32 %r
}

; An offset into a stack object is part of its address.
; CHECK-LABEL: address_of_element:
; CHECK: addi a0, sp, 52
; CHECK-NEXT: call g
declare void @g(ptr)
define void @address_of_element() {
  %a = alloca [16 x i32]
  %p = getelementptr i8, ptr %a, i32 40
  call void @g(ptr %p)
  ret void
}
