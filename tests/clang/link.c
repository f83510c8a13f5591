// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program links with no further flag, at every level and with LTO; -nostdlib, -T and
// --sysroot take what the driver would bring away.

// RUN: rm -rf %t && split-file %s %t && cd %t

// RUN: %clang hello.c -o O0.elf
// RUN: %clang -O2 hello.c -o O2.elf
// RUN: %clang -Oz hello.c -o Oz.elf
// RUN: %clang -O2 -flto hello.c -o lto.elf
// RUN: %clang -O2 -flto=thin hello.c -o thin.elf
// RUN: %clangxx -O2 -fno-exceptions -fno-rtti hello.cpp -o cpp.elf
// RUN: llvm-readelf -hl O2.elf | FileCheck %s
// RUN: llvm-readelf -h lto.elf | FileCheck %s --check-prefix=FLAGS
// RUN: llvm-readelf -A O2.elf | FileCheck %s --check-prefix=ATTRIBUTES
// CHECK: Class: ELF32
// CHECK: Type: EXEC
// CHECK: Machine: RISC-V
// CHECK: Flags: 0x1000000
// CHECK: LOAD
// FLAGS: Flags: 0x1000000
// ATTRIBUTES: Value: rv32i2p1_m2p0_{{.*}}xnpu1p0

// The whole program was code of the optimizer: the helper is gone.
// RUN: llvm-nm lto.elf | FileCheck %s --check-prefix=LTO
// LTO-NOT: unused_after_inlining
// LTO: T main

// RUN: %clang -nostdlib -T script.ld bare.c -o bare.elf
// RUN: llvm-readelf -hS bare.elf | FileCheck %s --check-prefix=BARE
// BARE: Entry point address: 0x80001000
// BARE: .text PROGBITS 80001000

// RUN: not %clang -nostdlib hello.c -o no.elf 2>&1 | FileCheck %s --check-prefix=NOSTDLIB
// NOSTDLIB: undefined symbol: printf

// RUN: not %clang --sysroot=%t/nowhere hello.c -o no.elf 2>&1 | FileCheck %s --check-prefix=SYSROOT
// SYSROOT: 'math.h' file not found

// Quad-precision, 64-bit and soft-float arithmetic come from the builtins.
// RUN: %clang -O1 arithmetic.c -o arithmetic.elf
// RUN: llvm-nm arithmetic.elf | FileCheck %s --check-prefix=BUILTINS
// BUILTINS-DAG: {{[Tt]}} __addtf3
// BUILTINS-DAG: {{[Tt]}} __divdi3
// BUILTINS-DAG: {{[Tt]}} __muldf3
// BUILTINS-DAG: {{[Tt]}} __divsf3

// Atomics of eight bytes and of odd sizes are functions of the builtins.
// RUN: %clang -O1 -Werror -Wno-atomic-alignment atomics.c -o atomics.elf
// RUN: llvm-nm atomics.elf | FileCheck %s --check-prefix=ATOMICS
// ATOMICS-DAG: {{[Tt]}} __atomic_fetch_add_8
// ATOMICS-DAG: {{[Tt]}} __atomic_load
// ATOMICS-NOT: __atomic_fetch_add_4

//--- hello.c
#include <math.h>
#include <stdio.h>
__attribute__((always_inline)) static inline int unused_after_inlining(int x) { return x * 3; }
int main(int argc, char **argv) {
  printf("%s: %f %lld\n", argv[0], sqrt(argc), (long long)unused_after_inlining(argc));
  return 0;
}

//--- hello.cpp
#include <stdio.h>
struct Greeter {
  Greeter() { puts("constructed"); }
  virtual void greet() { puts("hello"); }
};
static Greeter greeter;
int main() { greeter.greet(); }

//--- bare.c
void _start(void) { for (;;) ; }

//--- script.ld
ENTRY(_start)
SECTIONS { . = 0x80001000; .text : { *(.text*) } }

//--- arithmetic.c
#include <stdlib.h>
int main(int argc, char **argv) {
  long double q = atof(argv[1]);
  long long l = atoll(argv[2]);
  float f = q;
  return (int)((q + l) * 2) + (int)(l / argc) + (int)(atof(argv[1]) * argc) + (int)(f / argc);
}

//--- atomics.c
#include <stdatomic.h>
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "the compiler expands 32-bit atomics in place");
atomic_int word;
_Atomic long long two_words;
_Atomic struct { char bytes[5]; } odd, copy;
int main(void) {
  word++;
  two_words++;
  copy = odd;
  return atomic_load(&word) + (int)two_words;
}
