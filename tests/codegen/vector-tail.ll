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

; A pointer of the last active lane follows from the count; of any lane, from the first.
; IR-LABEL: @live_out(
; IR-NOT: insertelement
; IR-NOT: cttz
; IR: exit:
; IR: [[ACTIVE:%.*]] = sub i32 %n, {{%.*}}
; IR: [[LAST:%.*]] = sub i32 [[ACTIVE]], 1
; IR: [[DISTANCE:%.*]] = mul i32 [[LAST]], 4
; IR: getelementptr i8, ptr {{%.*}}, i32 [[DISTANCE]]
; IR-NOT: extractelement
; IR: ret ptr
define ptr @live_out(ptr %a, i32 %n) {
entry:
  %round = add i32 %n, 15
  %end = and i32 %round, -16
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %mask = call <16 x i1> @llvm.get.active.lane.mask.v16i1.i32(i32 %i, i32 %n)
  %p = getelementptr i32, ptr %a, i32 %i
  %p0 = getelementptr i8, ptr %p, i32 4
  %v0 = insertelement <16 x ptr> poison, ptr %p0, i32 0
  %p1 = getelementptr i8, ptr %p, i32 8
  %v1 = insertelement <16 x ptr> %v0, ptr %p1, i32 1
  %p2 = getelementptr i8, ptr %p, i32 12
  %v2 = insertelement <16 x ptr> %v1, ptr %p2, i32 2
  %p3 = getelementptr i8, ptr %p, i32 16
  %v3 = insertelement <16 x ptr> %v2, ptr %p3, i32 3
  %p4 = getelementptr i8, ptr %p, i32 20
  %v4 = insertelement <16 x ptr> %v3, ptr %p4, i32 4
  %p5 = getelementptr i8, ptr %p, i32 24
  %v5 = insertelement <16 x ptr> %v4, ptr %p5, i32 5
  %p6 = getelementptr i8, ptr %p, i32 28
  %v6 = insertelement <16 x ptr> %v5, ptr %p6, i32 6
  %p7 = getelementptr i8, ptr %p, i32 32
  %v7 = insertelement <16 x ptr> %v6, ptr %p7, i32 7
  %p8 = getelementptr i8, ptr %p, i32 36
  %v8 = insertelement <16 x ptr> %v7, ptr %p8, i32 8
  %p9 = getelementptr i8, ptr %p, i32 40
  %v9 = insertelement <16 x ptr> %v8, ptr %p9, i32 9
  %p10 = getelementptr i8, ptr %p, i32 44
  %v10 = insertelement <16 x ptr> %v9, ptr %p10, i32 10
  %p11 = getelementptr i8, ptr %p, i32 48
  %v11 = insertelement <16 x ptr> %v10, ptr %p11, i32 11
  %p12 = getelementptr i8, ptr %p, i32 52
  %v12 = insertelement <16 x ptr> %v11, ptr %p12, i32 12
  %p13 = getelementptr i8, ptr %p, i32 56
  %v13 = insertelement <16 x ptr> %v12, ptr %p13, i32 13
  %p14 = getelementptr i8, ptr %p, i32 60
  %v14 = insertelement <16 x ptr> %v13, ptr %p14, i32 14
  %p15 = getelementptr i8, ptr %p, i32 64
  %v15 = insertelement <16 x ptr> %v14, ptr %p15, i32 15
  call void @llvm.masked.store.v16i32.p0(<16 x i32> zeroinitializer, ptr align 4 %p, <16 x i1> %mask)
  %next = add i32 %i, 16
  %done = icmp eq i32 %next, %end
  br i1 %done, label %exit, label %body
exit:
  %inactive = xor <16 x i1> %mask, splat (i1 true)
  %active = call i32 @llvm.experimental.cttz.elts.i32.v16i1(<16 x i1> %inactive, i1 false)
  %last = sub i32 %active, 1
  %r = extractelement <16 x ptr> %v15, i32 %last
  ret ptr %r
}

; Distances that differ.
; IR-LABEL: @uneven(
; IR: extractelement
define i32 @uneven(i32 %x, i32 %i) {
  %a = insertelement <2 x i32> poison, i32 %x, i32 0
  %y = mul i32 %x, 3
  %b = insertelement <2 x i32> %a, i32 %y, i32 1
  %r = extractelement <2 x i32> %b, i32 %i
  ret i32 %r
}
