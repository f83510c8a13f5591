// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each builtin becomes the intrinsic of its name, and the header's helpers fold.

// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -fsyntax-only -std=c99 -pedantic-errors -Weverything -Wno-unsafe-buffer-usage -Werror -include npu_intrinsics.h -x c /dev/null
// RUN: %clang -fsyntax-only -std=c++17 -Wall -Wextra -Werror -include npu_intrinsics.h -x c++ /dev/null

#include <npu_intrinsics.h>

// CHECK-LABEL: @matrix(
// CHECK: call i32 @llvm.xnpu.mac.ldw(ptr %{{.*}}, i32 16)
// CHECK: call i32 @llvm.xnpu.mac.run(ptr %{{.*}}, i32 1688211461)
// CHECK: call i32 @llvm.xnpu.mac.dw(ptr %{{.*}}, i32 1623590407)
// CHECK: call void @llvm.xnpu.csr.write(i32 2056, i32 758)
// CHECK: call void @llvm.xnpu.csr.write(i32 2058, i32 -48)
// CHECK: call i32 @llvm.xnpu.mac.ldq(ptr %{{.*}})
// CHECK: call i32 @llvm.xnpu.mac.drain(ptr %{{.*}}, i32 6299648)
// CHECK: ret i32
unsigned matrix(const void *w, const void *a, void *o) {
  unsigned t = npu_mac_ldw(w, 16);
  t += npu_mac_run(a, npu_mac_run_ctl(5, 16, 16, 9, NPU_MAC_ACC | NPU_MAC_SWAP));
  t += npu_mac_dw(a, npu_mac_dw_ctl(7, 6, 3, 3, NPU_MAC_ACC | NPU_MAC_SWAP));
  npu_csr_write(NPU_CSR_NPAD, npu_pad(-10, 2));
  npu_csr_write(NPU_CSR_NPOS, npu_position(-48, -1));
  t += npu_mac_ldq(w);
  return t + npu_mac_drain(o, npu_mac_drain_ctl(0, 32, 16, NPU_MAC_RAW));
}

// CHECK-LABEL: @others(
// CHECK: call i32 @llvm.xnpu.dma.start(ptr %{{.*}}, i32 1)
// CHECK: call void @llvm.xnpu.wait(i32
// CHECK: call i32 @llvm.xnpu.poll(i32
// CHECK: call void @llvm.xnpu.fence(i32 7)
// CHECK: call i32 @llvm.xnpu.csr.read(i32 2064)
// CHECK: call void @llvm.xnpu.csr.write(i32 2055, i32 8356095)
unsigned others(const void *d) {
  npu_ticket_t t = npu_dma_start(d, 1);
  npu_wait(t);
  unsigned r = npu_poll(t);
  npu_fence(NPU_UNIT_ALL);
  r += npu_csr_read(NPU_CSR_NSTATUS);
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(-1, -128, 127));
  return r;
}

// The unit writes memory behind the compiler's back: loads stay on their side of a wait.
// CHECK-LABEL: @ordered(
// CHECK: store i32 1, ptr %{{.*}}
// CHECK: call i32 @llvm.xnpu.dma.start(ptr {{.*}}, i32 0)
// CHECK: call void @llvm.xnpu.wait(
// CHECK: load i32, ptr %{{.*}}
int ordered(int *p) {
  *p = 1;
  npu_wait(npu_dma_start(p, 0));
  return *p;
}
