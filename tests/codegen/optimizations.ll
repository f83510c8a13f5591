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

; One constant serves a condition and its opposite; to load it again is cheaper than
; to save a register for it.
; CHECK-LABEL: shared_limit:
; CHECK: li [[LIMIT:a[0-9]+]], 15
; CHECK-NEXT: bltu a0, [[LIMIT]]
; CHECK: call f
; CHECK-NEXT: lw
; CHECK-NEXT: li [[LIMIT]], 15
; CHECK: bltu a1, [[LIMIT]]
define void @shared_limit(i32 %x, i32 %y) {
  %c = icmp ugt i32 %x, 14
  br i1 %c, label %one, label %two
one:
  call void @f()
  br label %two
two:
  %d = icmp ult i32 %y, 15
  br i1 %d, label %out, label %three
three:
  call void @f()
  br label %out
out:
  ret void
}

; The sign as a number, as a mask, and of a narrow value.
; CHECK-LABEL: sign_number:
; CHECK: srli a0, a0, 31
; CHECK-NEXT: ret
define i32 @sign_number(i32 %x) {
  %c = icmp slt i32 %x, 0
  %r = zext i1 %c to i32
  ret i32 %r
}
; CHECK-LABEL: sign_mask:
; CHECK: slli a0, a0, 24
; CHECK-NEXT: srai a0, a0, 31
; CHECK-NEXT: andi a0, a0, 27
; CHECK-NEXT: ret
define i32 @sign_mask(i8 %x) {
  %c = icmp slt i8 %x, 0
  %r = select i1 %c, i32 27, i32 0
  ret i32 %r
}
; CHECK-LABEL: halve:
; CHECK: srli a1, a0, 31
; CHECK-NEXT: add a0, a0, a1
; CHECK-NEXT: srai a0, a0, 1
; CHECK-NEXT: ret
define i32 @halve(i32 %x) {
  %r = sdiv i32 %x, 2
  ret i32 %r
}

; A step that a condition decides is a sum; a bit is a condition by itself.
; CHECK-LABEL: conditional_step:
; CHECK: slt a1, a1, a2
; CHECK-NEXT: add a0, a0, a1
; CHECK-NEXT: ret
define i32 @conditional_step(i32 %x, i32 %a, i32 %b) {
  %c = icmp slt i32 %a, %b
  %n = add i32 %x, 1
  %r = select i1 %c, i32 %n, i32 %x
  ret i32 %r
}
; CHECK-LABEL: conditional_step_back:
; CHECK: slt a1, a2, a1
; CHECK-NEXT: sub a0, a0, a1
; CHECK-NEXT: ret
define i32 @conditional_step_back(i32 %x, i32 %a, i32 %b) {
  %c = icmp sle i32 %a, %b
  %n = add i32 %x, -1
  %r = select i1 %c, i32 %x, i32 %n
  ret i32 %r
}
; CHECK-LABEL: bit_selects:
; CHECK-NOT: b{{eq|ne}}
; CHECK: ret
define i32 @bit_selects(i32 %x, i32 %y) {
  %b = and i32 %x, 1
  %c = icmp eq i32 %b, 0
  %r = select i1 %c, i32 0, i32 %y
  ret i32 %r
}

; A value that is only copied between unaligned places stays in parts.
; CHECK-LABEL: unaligned_copy:
; CHECK: lhu [[A:a[0-9]+]], 0(a1)
; CHECK-NEXT: lhu [[B:a[0-9]+]], 2(a1)
; CHECK-NEXT: sh [[A]], 0(a0)
; CHECK-NEXT: sh [[B]], 2(a0)
; CHECK-NEXT: ret
define void @unaligned_copy(ptr %to, ptr %from) {
  %x = load i32, ptr %from, align 2
  store i32 %x, ptr %to, align 2
  ret void
}

; Objects on the stack are aligned when that lets words be moved.
; CHECK-LABEL: fill_bytes:
; CHECK: sw zero, 4(sp)
; CHECK-NEXT: sw zero, 8(sp)
; CHECK-NOT: sb
; CHECK: call g
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
define void @fill_bytes() {
  %a = alloca [8 x i8], align 1
  call void @llvm.memset.p0.i32(ptr align 1 %a, i8 0, i32 8, i1 false)
  call void @g(ptr %a)
  ret void
}

; A distance below 32 needs no case distinction in a double word.
; CHECK-LABEL: short_shift:
; CHECK-NOT: b{{eqz|nez|ltz|gez|ltu|geu}}
; CHECK: ret
define i64 @short_shift(i64 %x, i64 %n) {
  %d = and i64 %n, 31
  %r = shl i64 %x, %d
  ret i64 %r
}

; CHECK-LABEL: times_minus_one:
; CHECK: neg a0, a0
; CHECK-NEXT: ret
define i32 @times_minus_one(i32 %x) {
  %r = mul i32 %x, -1
  ret i32 %r
}

; A constant to an unaligned place is a constant for each byte.
; CHECK-LABEL: unaligned_constant:
; CHECK-NOT: {{lui|srli|slli}}
; CHECK-COUNT-2: li a
; CHECK-NOT: li a
; CHECK: sb zero, 2(a0)
; CHECK: ret
define void @unaligned_constant(ptr %p) {
  store i32 u0x12005656, ptr %p, align 1
  ret void
}

; What each byte's store does not read is not cleared.
; CHECK-LABEL: unaligned_word:
; CHECK-NOT: slli
; CHECK-COUNT-3: srli
; CHECK-NOT: {{slli|srli}}
; CHECK: ret
define void @unaligned_word(ptr %p, i32 %x) {
  store i32 %x, ptr %p, align 1
  ret void
}
