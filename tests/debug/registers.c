// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers that gdb sees: CSRs of the standard and of the NPU, vector registers and the variables
// in them; what it writes, the program reads.
//
// RUN: %cc -O1 -g %s -o %t.elf
// RUN: %gdb_session %s %t.elf %iss_bin | FileCheck %s
// RUN: %gdb_session %s %t.elf %rtl_bin | FileCheck %s

#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE void stop(int *p) { __asm__ volatile("" ::"r"(p) : "memory"); }
typedef int vector __attribute__((vector_size(64)));
NOINLINE void look(vector sum) { __asm__ volatile("" ::"vr"(sum) : "memory"); }

int main(void) {
  int scratch, length, words[2] = {1, 2};
  __asm__ volatile("csrw mscratch, %0\n\tcsrw nrowlen, %0" ::"r"(0x1234));
  stop(words);
  __asm__ volatile("csrr %0, mscratch\n\tcsrr %1, nrowlen" : "=r"(scratch), "=r"(length));
  look((vector){1, 2, words[0]});
  printf("mscratch %x nrowlen %x words %d %d\n", scratch, length, words[0], words[1]);
  return 0;
}

// GDB: break stop
// GDB: continue
// GDB: info registers mscratch nrowlen
// CHECK: >>> info registers
// CHECK-NEXT: mscratch 0x1234
// CHECK-NEXT: nrowlen 0x1234
// GDB: info registers npu
// CHECK: >>> info registers npu
// CHECK: nrowlen 0x1234
// CHECK: nstatus 0x0
// CHECK: ntcmsize 0x20000 131072
// GDB: print $v7.i8[0]
// CHECK: >>> print
// CHECK-NEXT: = 0
// GDB: set var $v7.i32[3] = 0x01020304
// GDB: print/x $v7.i16[7]
// CHECK: >>> print/x
// CHECK-NEXT: = 0x102
// GDB: print $v7.i8[12]
// CHECK: >>> print
// CHECK-NEXT: = 4
// GDB: set var $mscratch = 0xabcd
// GDB: set var $nrowlen = 0x10077
// GDB: print/x $nrowlen
// CHECK: >>> print/x
// CHECK-NEXT: = 0x77
// GDB: set var $a0[1] = 5
// GDB: set var *(int *)$a0 = 9
// GDB: print $zero
// CHECK: >>> print $zero
// CHECK-NEXT: = 0
// GDB: print *(int *)0x100
// CHECK: >>> print *(int *)0x100
// CHECK-NEXT: Cannot access memory at address 0x100
// GDB: monitor cycles
// CHECK: >>> monitor cycles
// CHECK-NEXT: {{[0-9]+}} cycles
// GDB: break look
// GDB: continue
// GDB: print sum
// CHECK: >>> print sum
// CHECK-NEXT: = {1, 2, 9, 0 <repeats 13 times>}
// GDB: set var sum[2] = 7
// GDB: print $v8.i32
// CHECK: >>> print $v8.i32
// CHECK-NEXT: = {1, 2, 7, 0 <repeats 13 times>}
// GDB: kill
// CHECK: --- simulator
// CHECK: status 0
