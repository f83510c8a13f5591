// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interrupt attribute of RISC-V marks trap handlers.

// RUN: %clang -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -fsyntax-only -DERRORS -Xclang -verify %s

// CHECK: define dso_local void @handler() #[[H:[0-9]+]]
// CHECK: define dso_local void @machine() #[[H]]
// CHECK: attributes #[[H]] = {{.*}}"interrupt"="machine"
__attribute__((interrupt)) void handler(void) {}
__attribute__((interrupt("machine"))) void machine(void) {}

#ifdef ERRORS
__attribute__((interrupt)) void with_parameter(int x) {} // expected-warning {{'interrupt' attribute only applies to functions that have no parameters}}
__attribute__((interrupt)) int with_result(void) { return 0; } // expected-warning {{'interrupt' attribute only applies to functions that have a 'void' return type}}
__attribute__((interrupt("fast"))) void unknown(void) {} // expected-warning {{'interrupt' attribute argument not supported: "fast"}}
#endif
