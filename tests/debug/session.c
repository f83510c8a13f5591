// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C, detaching, an unhandled trap, bounds, and command lines that are wrong.
//
// RUN: split-file %s %t
// RUN: %cc -O1 -g %t/spin.c -o %t/spin.elf
// RUN: %gdb_session --interrupt-at spinning %t/spin.c %t/spin.elf %iss_bin | FileCheck %t/spin.c
// RUN: %gdb_session --interrupt-at spinning %t/spin.c %t/spin.elf %rtl_bin | FileCheck %t/spin.c
// RUN: %cc -O1 -g %t/sleep.c -o %t/sleep.elf
// RUN: %gdb_session --interrupt-at sleeping %t/sleep.c %t/sleep.elf %rtl_bin | FileCheck %t/sleep.c
// RUN: %cc -O1 -g %t/fatal.c -o %t/fatal.elf
// RUN: %gdb_session %t/fatal.c %t/fatal.elf %iss_bin | FileCheck %t/fatal.c
// RUN: %gdb_session %t/fatal.c %t/fatal.elf %rtl_bin | FileCheck %t/fatal.c
// RUN: %gdb_session %t/bound.c %t/spin.elf %iss_bin --max-cycles 100000 | FileCheck %t/bound.c
// RUN: %gdb_session %t/bound.c %t/spin.elf %rtl_bin --max-cycles 100000 | FileCheck %t/bound.c
//
// RUN: not %iss_bin --gdb 65536 %t/spin.elf 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not %rtl_bin --gdb x %t/spin.elf 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: npu-{{iss|rtl}}: --gdb {{65536|x}}: not a port number in 0..65535
// RUN: %python %S/Inputs/busy_port.py %iss_bin %t/spin.elf | FileCheck %s --check-prefix=BUSY
// BUSY: npu-iss: --gdb [[PORT:[0-9]+]]: cannot listen on 127.0.0.1:[[PORT]]: Address already in use
// BUSY: status 2

//--- spin.c
#include <stdio.h>
volatile int go_on = 1, rounds;
int main(void) {
  puts("spinning");
  while (go_on)
    ++rounds;
  puts("done");
  return 3;
}
// GDB: continue
// CHECK: >>> continue
// CHECK: Program received signal SIGINT, Interrupt.
// CHECK-NEXT: main ()
// GDB: print rounds > 0
// CHECK: >>> print
// CHECK-NEXT: = 1
// GDB: set var go_on = 0
// GDB: detach
// CHECK: --- simulator
// CHECK-NEXT: spinning
// CHECK-NEXT: done
// CHECK-NEXT: status 3

//--- sleep.c
// Ctrl-C while the core waits.
#include <stdio.h>
int main(void) {
  puts("sleeping");
  __asm__ volatile("csrw mie, %0\n\twfi" ::"r"(1 << 7));
  return 0;
}
// GDB: continue
// CHECK: >>> continue
// CHECK: Program received signal SIGINT, Interrupt.
// GDB: x/i $pc
// CHECK: >>> x/i $pc
// CHECK-NEXT: wfi
// GDB: kill

//--- fatal.c
// There is no handler: the program ends, but its last state can be seen.
int main(void) {
  __asm__ volatile("csrw mtvec, zero");
  *(volatile int *)0x44 = 1; // here
  return 0;
}
// GDB: continue
// CHECK: >>> continue
// CHECK: unhandled trap: store access fault at pc
// CHECK: Program received signal SIGSEGV, Segmentation fault.
// CHECK: main ()
// GDB: continue
// CHECK: >>> continue
// CHECK: Program terminated with signal SIGSEGV
// CHECK: status 125

//--- bound.c
// GDB: continue
// CHECK: >>> continue
// CHECK: stopped after 100000 {{cycles|instructions}}
// CHECK: Program received signal SIGABRT
// GDB: continue
// CHECK: exited with code 0174
// CHECK: status 124
