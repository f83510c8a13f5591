// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant operands of builtins are constants in range.

// RUN: %clang -fsyntax-only -Xclang -verify %s
// RUN: not %stock/clang --target=riscv32 -fsyntax-only -I %root/llvm-project-overlay/clang/lib/Headers -include npu_intrinsics.h -x c /dev/null 2>&1 | FileCheck %s
// CHECK: npu_intrinsics.h is for --target=npu

void f(int n, const void *p) {
  __builtin_npu_fence(32);            // expected-error {{argument value 32 is outside the valid range [0, 31]}}
  __builtin_npu_fence(-1);            // expected-error {{argument value 4294967295 is outside the valid range [0, 31]}}
  __builtin_npu_fence(n);             // expected-error {{argument to '__builtin_npu_fence' must be a constant integer}}
  __builtin_npu_dma_start(p, 2);      // expected-error {{argument value 2 is outside the valid range [0, 1]}}
  __builtin_npu_dma_start(p, n);      // expected-error {{must be a constant integer}}
  __builtin_npu_csr_read(4096);       // expected-error {{argument value 4096 is outside the valid range [0, 4095]}}
  __builtin_npu_csr_write(n, 0);      // expected-error {{must be a constant integer}}
  __builtin_npu_csr_write(4096, n);   // expected-error {{outside the valid range [0, 4095]}}
  __builtin_npu_wait();               // expected-error {{too few arguments to function call}}
  __builtin_npu_mac_run(n, 0);        // expected-error {{incompatible integer to pointer conversion}}
  __builtin_npu_fence(0);
  __builtin_npu_fence(31);
  __builtin_npu_csr_write(4095, n);
}
