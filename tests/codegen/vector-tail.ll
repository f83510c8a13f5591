; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; A loop with a folded tail becomes one of full vectors and one masked iteration; masked accesses
; are instructions.
;
; RUN: opt -mtriple=npu -passes=npu-vector-tail -S < %s | FileCheck --check-prefix=IR %s
; RUN: opt -mtriple=npu -passes='npu-vector-tail,instcombine' < %s | llc -mtriple=npu -verify-machineinstrs | FileCheck %s

; The minimum ignores the lanes behind the end, whatever the memory there holds.
; IR-LABEL: @minimum(
; IR: [[FULL:%.*]] = and i32 %n, -16
; IR: br i1 {{.*}}, label %[[END:.*]], label %body
; IR: body:
; IR-NOT: get.active.lane.mask.v16i1.i32(i32 %i, i32 %n), <16 x
; IR: call <16 x i32> @llvm.masked.load.v16i32.p0(ptr align 4 %p, <16 x i1> splat (i1 true)
; IR: icmp eq i32 %next, [[FULL]]
; IR: [[END]]:
; IR: phi <16 x i1> [ poison, %entry ], [ splat (i1 true), %body ]
; IR: icmp eq i32 [[FULL]], %n
; IR: body.tail:
; IR: call <16 x i1> @llvm.get.active.lane.mask
; CHECK-LABEL: minimum:
; CHECK: v.ld [[V:v[0-9]+]]
; CHECK: v.min.w
; CHECK: bne
; CHECK: v.lanes.w
; CHECK: v.ldm.w
; CHECK: v.min.w
; CHECK: v.sel
; CHECK: v.redmin.w
define i32 @minimum(ptr %a, i32 %n) {
entry:
  %round = add i32 %n, 15
  %end = and i32 %round, -16
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %best = phi <16 x i32> [ splat (i32 2147483647), %entry ], [ %min, %body ]
  %mask = call <16 x i1> @llvm.get.active.lane.mask.v16i1.i32(i32 %i, i32 %n)
  %p = getelementptr i32, ptr %a, i32 %i
  %v = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr align 4 %p, <16 x i1> %mask, <16 x i32> poison)
  %min = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %v, <16 x i32> %best)
  %next = add i32 %i, 16
  %done = icmp eq i32 %next, %end
  br i1 %done, label %exit, label %body
exit:
  %result = select <16 x i1> %mask, <16 x i32> %min, <16 x i32> %best
  %r = call i32 @llvm.vector.reduce.smin.v16i32(<16 x i32> %result)
  ret i32 %r
}

; Another end than the count's.
; IR-LABEL: @other_end(
; IR-NOT: body.tail
; IR: ret void
define void @other_end(ptr %a, i32 %n, i32 %end) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %mask = call <64 x i1> @llvm.get.active.lane.mask.v64i1.i32(i32 %i, i32 %n)
  %p = getelementptr i8, ptr %a, i32 %i
  call void @llvm.masked.store.v64i8.p0(<64 x i8> zeroinitializer, ptr align 1 %p, <64 x i1> %mask)
  %next = add i32 %i, 64
  %done = icmp eq i32 %next, %end
  br i1 %done, label %exit, label %body
exit:
  ret void
}

; Narrow elements in memory; the other lanes' value; extensions by the load.
; CHECK-LABEL: narrow:
; CHECK: v.slt.w [[M:v[0-9]+]], v8, v9
; CHECK: v.ldm.bw [[A:v[0-9]+]], a0, [[M]]
; CHECK: v.ldm.hwu
; CHECK-NOT: v.sel
; CHECK: v.stm.w {{v[0-9]+}}, a2, [[M]]
; CHECK: v.stm.wb {{v[0-9]+}}, a3, [[M]]
define void @narrow(ptr %a, ptr %b, ptr %c, ptr %d, <16 x i32> %x, <16 x i32> %y) {
  %m = icmp slt <16 x i32> %x, %y
  %bytes = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %a, <16 x i1> %m, <16 x i8> zeroinitializer)
  %halves = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr align 2 %b, <16 x i1> %m, <16 x i16> poison)
  %e = sext <16 x i8> %bytes to <16 x i32>
  %f = zext <16 x i16> %halves to <16 x i32>
  %s = add <16 x i32> %e, %f
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %s, ptr align 4 %c, <16 x i1> %m)
  %t = trunc <16 x i32> %x to <16 x i8>
  call void @llvm.masked.store.v16i8.p0(<16 x i8> %t, ptr align 1 %d, <16 x i1> %m)
  ret void
}

; CHECK-LABEL: others:
; CHECK: v.ldm.h [[L:v[0-9]+]], a0, [[M:v[0-9]+]]
; CHECK: v.sel [[M]], [[L]], v8
define <32 x i16> @others(ptr %a, <32 x i16> %x) {
  %m = icmp slt <32 x i16> %x, zeroinitializer
  %v = call <32 x i16> @llvm.masked.load.v32i16.p0(ptr align 2 %a, <32 x i1> %m, <32 x i16> %x)
  ret <32 x i16> %v
}
