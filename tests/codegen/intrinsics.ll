; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Each Xnpu intrinsic is one instruction, and stays in order with memory.
;
; RUN: llc -mtriple=npu -O2 < %s | FileCheck %s
; RUN: llc -mtriple=npu -O0 < %s | FileCheck --check-prefix=O0 %s

@flag = global i32 0

define i32 @matrix(ptr %w, ptr %a, ptr %q, ptr %o, i32 %c) {
; CHECK-LABEL: matrix:
; CHECK: mac.ldw {{[a-z0-9]+}}, a0, a4
; CHECK: mac.run {{[a-z0-9]+}}, a1, a4
; CHECK: mac.dw {{[a-z0-9]+}}, a1, a4
; CHECK: mac.ldq {{[a-z0-9]+}}, a2
; CHECK: mac.drain a0, a3, a4
; O0-LABEL: matrix:
; O0: mac.ldw
; O0: mac.run
; O0: mac.dw
; O0: mac.ldq
; O0: mac.drain
  %1 = call i32 @llvm.xnpu.mac.ldw(ptr %w, i32 %c)
  %2 = call i32 @llvm.xnpu.mac.run(ptr %a, i32 %c)
  %3 = call i32 @llvm.xnpu.mac.dw(ptr %a, i32 %c)
  %4 = call i32 @llvm.xnpu.mac.ldq(ptr %q)
  %5 = call i32 @llvm.xnpu.mac.drain(ptr %o, i32 %c)
  ret i32 %5
}

define void @ordered(ptr %d) {
; CHECK-LABEL: ordered:
; CHECK: sw {{.*}}%lo(flag)
; CHECK: dma.start [[T:[a-z0-9]+]], a0, 1
; CHECK: npu.wait [[T]]
; CHECK: sw {{.*}}%lo(flag)
; CHECK: npu.fence 7
  store i32 1, ptr @flag
  %t = call i32 @llvm.xnpu.dma.start(ptr %d, i32 1)
  call void @llvm.xnpu.wait(i32 %t)
  store i32 2, ptr @flag
  call void @llvm.xnpu.fence(i32 7)
  ret void
}

define i32 @poll(i32 %t) {
; CHECK-LABEL: poll:
; CHECK: npu.poll a0, a0
  %r = call i32 @llvm.xnpu.poll(i32 %t)
  ret i32 %r
}

define i32 @csr(i32 %v) {
; CHECK-LABEL: csr:
; CHECK: csrw nrowlen, a0
; CHECK: csrr a0, nstatus
  call void @llvm.xnpu.csr.write(i32 2048, i32 %v)
  %r = call i32 @llvm.xnpu.csr.read(i32 2064)
  ret i32 %r
}

declare i32 @llvm.xnpu.mac.ldw(ptr, i32)
declare i32 @llvm.xnpu.mac.run(ptr, i32)
declare i32 @llvm.xnpu.mac.dw(ptr, i32)
declare i32 @llvm.xnpu.mac.ldq(ptr)
declare i32 @llvm.xnpu.mac.drain(ptr, i32)
declare i32 @llvm.xnpu.dma.start(ptr, i32 immarg)
declare void @llvm.xnpu.wait(i32)
declare i32 @llvm.xnpu.poll(i32)
declare void @llvm.xnpu.fence(i32 immarg)
declare i32 @llvm.xnpu.csr.read(i32 immarg)
declare void @llvm.xnpu.csr.write(i32 immarg, i32)
