; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; A mask is all ones or all zeros in each element of a register, wherever it comes from.
;
; RUN: llc -mtriple=npu -verify-machineinstrs < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 -verify-machineinstrs < %s -o /dev/null

; Only the lowest bit counts.
; CHECK-LABEL: truncated:
; CHECK: v.and.w.x
; CHECK: v.sne.w.x
; CHECK: v.sel
define <16 x i32> @truncated(<16 x i32> %x, <16 x i32> %a, <16 x i32> %b) {
  %m = trunc <16 x i32> %x to <16 x i1>
  %r = select <16 x i1> %m, <16 x i32> %a, <16 x i32> %b
  ret <16 x i32> %r
}

; CHECK-LABEL: inverted:
; CHECK: v.not
define <16 x i32> @inverted(<16 x i32> %x, <16 x i32> %a) {
  %m = icmp slt <16 x i32> %x, %a
  %c = call <16 x i1> @keep(<16 x i1> %m)
  %s = sext <16 x i1> %m to <16 x i32>
  %n = xor <16 x i32> %s, splat (i32 -1)
  ret <16 x i32> %n
}
declare <16 x i1> @keep(<16 x i1>)

; CHECK-LABEL: from_scalar:
; CHECK: neg {{[a-z0-9]+}}, {{[a-z0-9]+}}
; CHECK: v.bcast.b
; CHECK: v.sel
define <64 x i8> @from_scalar(i1 %c, <64 x i8> %a, <64 x i8> %b) {
  %i = insertelement <64 x i1> poison, i1 %c, i32 0
  %m = shufflevector <64 x i1> %i, <64 x i1> poison, <64 x i32> zeroinitializer
  %n = xor <64 x i1> %m, splat (i1 true)
  %r = select <64 x i1> %n, <64 x i8> %a, <64 x i8> %b
  ret <64 x i8> %r
}

; CHECK-LABEL: any:
; CHECK: v.slt.w
; CHECK-NEXT: v.redor.w
define i1 @any(<16 x i32> %x, <16 x i32> %a) {
  %m = icmp slt <16 x i32> %x, %a
  %b = bitcast <16 x i1> %m to i16
  %r = icmp ne i16 %b, 0
  ret i1 %r
}

; CHECK-LABEL: all:
; CHECK: v.slt.b
; CHECK-NEXT: v.redand.b
define i1 @all(<64 x i8> %x, <64 x i8> %a) {
  %m = icmp slt <64 x i8> %x, %a
  %r = call i1 @llvm.vector.reduce.and.v64i1(<64 x i1> %m)
  ret i1 %r
}

; Parts keep their sign.
; CHECK-LABEL: parts:
; CHECK: v.slt.b
; CHECK-DAG: v.sxq0.b
; CHECK-DAG: v.sxq3.b
define <64 x i32> @parts(<64 x i8> %x, <64 x i8> %y, <64 x i32> %a, <64 x i32> %b) {
  %m = icmp slt <64 x i8> %x, %y
  %r = select <64 x i1> %m, <64 x i32> %a, <64 x i32> %b
  ret <64 x i32> %r
}

; As a number in memory.
; CHECK-LABEL: in_memory:
; CHECK: sh
define void @in_memory(ptr %p, <16 x i32> %a, <16 x i32> %b) {
  %m = icmp slt <16 x i32> %b, %a
  store <16 x i1> %m, ptr %p
  ret void
}

; A partial sum that no instruction does.
; CHECK-LABEL: partial_sum:
; CHECK: v.add.w
; CHECK: v.add.w
define <16 x i32> @partial_sum(<16 x i32> %acc, <32 x i32> %x) {
  %r = call <16 x i32> @llvm.vector.partial.reduce.add.v16i32.v32i32(<16 x i32> %acc, <32 x i32> %x)
  ret <16 x i32> %r
}

; What a masked store needs is extended before it.
; CHECK-LABEL: store_comparison:
; CHECK: v.sne.w.x [[C:v[0-9]+]], {{v[0-9]+}}, zero
; CHECK: v.and.w.x [[C:v[0-9]+]], [[C]], {{a[0-9]+|t[0-9]+}}
; CHECK: v.stm.wh [[C]], a0, {{v[0-9]+}}
define void @store_comparison(ptr %p, <16 x i32> %a, <16 x i32> %b) {
  %mask = icmp slt <16 x i32> %a, %b
  %differs = icmp ne <16 x i32> %a, zeroinitializer
  %value = zext <16 x i1> %differs to <16 x i16>
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %value, ptr align 2 %p, <16 x i1> %mask)
  ret void
}
