// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions stop the program as signals do, the stack leads through trap handlers, and gdb can
// let signals pass. A step over an instruction at which an interrupt is due ends behind it.
//
// RUN: %cc -O1 -g %S/Inputs/traps.c -o %t.elf
// RUN: %gdb_session %s %t.elf %iss_bin | FileCheck %s
// RUN: %gdb_session %s %t.elf %rtl_bin | FileCheck %s

// GDB: continue
// CHECK: >>> continue
// CHECK: Program received signal SIGBUS, Bus error.
// GDB: backtrace 3
// CHECK: >>> backtrace
// CHECK-NEXT: #0 <signal handler called>
// CHECK-NEXT: #1 {{.*}} in work (n={{.*}})
// GDB: handle SIGBUS nostop noprint pass
// GDB: break leaf if exceptions == 2 && n == 6
// GDB: continue
// CHECK: >>> continue
// CHECK: leaf (n=6)
// GDB: backtrace
// CHECK: >>> backtrace
// CHECK: #1 {{.*}} in on_exception (frame={{.*}})
// CHECK: <signal handler called>
// CHECK-NEXT: {{.*}}work (n=
// CHECK-NEXT: {{.*}} in work (n=
// CHECK: main ()
// GDB: delete
// GDB: break npu_timer_interrupt_handler
// GDB: continue
// GDB: backtrace
// CHECK: >>> backtrace
// CHECK: #0 npu_timer_interrupt_handler ()
// CHECK: <signal handler called>
// CHECK: main ()
// GDB: delete
// GDB: break compiled_handler
// GDB: continue
// GDB: backtrace
// CHECK: >>> backtrace
// CHECK-NEXT: #0 <signal handler called>
// CHECK: main ()
// GDB: finish
// CHECK: >>> finish
// CHECK: main ()
// GDB: continue
// CHECK: exited normally
