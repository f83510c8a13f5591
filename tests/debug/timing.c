// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debugger leaves no trace in the timing of the RTL: breakpoints, steps, watchpoints and reads
// of registers and memory cost no cycle.
//
// RUN: %cc -O1 -g %S/control.c -o %t.elf
// RUN: not %rtl_bin --stats %t.plain %t.elf
// RUN: %gdb_session %s %t.elf %rtl_bin --stats %t.debugged | FileCheck %s
// RUN: diff %t.plain %t.debugged

// GDB: break factorial
// GDB: continue
// GDB: info registers pc sp ra a0
// GDB: backtrace
// GDB: x/8wx $sp
// GDB: step
// GDB: step
// GDB: next
// GDB: delete
// GDB: watch counter
// GDB: continue
// CHECK: Hardware watchpoint 2: counter
// CHECK: New value = 1
// GDB: finish
// GDB: stepi 3
// GDB: delete
// GDB: continue
// CHECK: exited with code 04
