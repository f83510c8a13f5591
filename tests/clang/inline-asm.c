// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of inline assembly.

// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -fsyntax-only -DERRORS -Xclang -verify %s

// CHECK-LABEL: @constraints(
// CHECK: call i32 asm "add $0, $1, $2", "=r,r,I"(i32 %{{.*}}, i32 -2048)
// CHECK: call void asm sideeffect "# $0", "J"(i32 0)
// CHECK: call void asm sideeffect "csrwi 0x800, $0", "K"(i32 31)
// CHECK: call i32 asm "lw $0, $1", "=r,*A"(ptr elementtype(i32) %{{.*}})
// CHECK: call void asm sideeffect "sw $1, $0", "=*m,r,~{memory}"(ptr elementtype(i32) %{{.*}}, i32 %{{.*}})
// CHECK: call i32 asm sideeffect "mv $0, a5", "={x10},~{x15}"()
int constraints(int x, int *p) {
  int r;
  __asm__("add %0, %1, %2" : "=r"(r) : "r"(x), "I"(-2048));
  __asm__ volatile("# %0" : : "J"(0));
  __asm__ volatile("csrwi 0x800, %0" : : "K"(31));
  int loaded;
  __asm__("lw %0, %1" : "=r"(loaded) : "A"(*p));
  __asm__ volatile("sw %1, %0" : "=m"(*p) : "r"(r) : "memory");
  register int a0 __asm__("a0");
  __asm__ volatile("mv %0, a5" : "=r"(a0) : : "a5");
  return r + loaded + a0;
}

#ifdef ERRORS
void errors(int x) {
  __asm__ volatile("" : : "I"(2048)); // expected-error {{value '2048' out of range for constraint 'I'}}
  __asm__ volatile("" : : "J"(1));    // expected-error {{value '1' out of range for constraint 'J'}}
  __asm__ volatile("" : : "K"(32));   // expected-error {{value '32' out of range for constraint 'K'}}
  __asm__ volatile("" : : "f"(x));    // expected-error {{invalid input constraint 'f' in asm}}
  __asm__ volatile("" : : : "x32");   // expected-error {{unknown register name 'x32' in asm}}
}
#endif
