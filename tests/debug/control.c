// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gdb controls a program on both simulators: breakpoints, steps, stack, data, watchpoints, exit.
//
// RUN: %cc -O0 -g %s -o %t.0.elf
// RUN: %gdb_session %s %t.0.elf %iss_bin > %t.0.iss
// RUN: FileCheck %s --check-prefixes=CHECK,O0 --input-file=%t.0.iss
// RUN: %gdb_session %s %t.0.elf %rtl_bin > %t.0.rtl
// RUN: FileCheck %s --check-prefixes=CHECK,O0 --input-file=%t.0.rtl
// RUN: %cc -Og -g %s -o %t.g.elf
// RUN: %gdb_session %s %t.g.elf %iss_bin | FileCheck %s
// RUN: %gdb_session %s %t.g.elf %rtl_bin --no-lockstep | FileCheck %s

#include <stdio.h>

#define NOINLINE __attribute__((noinline))

typedef struct {
  short x, y;
  const char *name;
  struct {
    unsigned low : 5, high : 11;
    double weight;
  } inner;
} point;

int table[4] = {10, 20, 30, 40};
volatile int counter;
static point corner = {3, -4, "corner", {17, 1000, 2.5}};

NOINLINE int leaf(int value) {
  counter += value; // in leaf
  return value + 1;
}

NOINLINE int factorial(int n) {
  if (n <= 1)
    return leaf(n) + n - 1;
  return n * factorial(n - 1);
}

NOINLINE int use(const point *p, int scale) {
  int local = p->x * scale; // in use
  local += leaf(local);
  return local + p->y;
}

int main(int argc, char **argv) {
  int sum = 0; // start
  sum += factorial(4);
  sum += use(&corner, argc);
  table[2] = sum;
  printf("sum %d, table %d %d\n", sum, table[1], table[2]);
  return counter;
}

// GDB: break main
// GDB: continue
// CHECK: >>> continue
// O0: Breakpoint 1, main (argc=1, argv=0x{{.*}})
// GDB: print argv[0]
// O0: >>> print
// O0-NEXT: = 0x{{.*}} "{{.*}}control.c.tmp.{{[0g]}}.elf"
// GDB: tbreak factorial
// GDB: continue
// CHECK: >>> continue
// CHECK: factorial (n=4)
// GDB: break leaf if value == 1
// GDB: continue
// CHECK: >>> continue
// CHECK: Breakpoint 3, leaf (value=1)
// GDB: backtrace
// CHECK: >>> backtrace
// CHECK-NEXT: #0 leaf (value=1)
// CHECK-NEXT: #1 {{.*}} in factorial (n=1)
// CHECK-NEXT: #2 {{.*}} in factorial (n=2)
// CHECK-NEXT: #3 {{.*}} in factorial (n=3)
// CHECK-NEXT: #4 {{.*}} in factorial (n=4)
// CHECK-NEXT: #5 {{.*}} in main (argc={{.*}})
// GDB: next
// O0: >>> next
// O0: return value + 1;
// GDB: finish
// CHECK: >>> finish
// CHECK: factorial (n=1)
// CHECK: Value returned is {{.*}} = 2
// GDB: up 2
// GDB: print n
// CHECK: >>> print n
// CHECK-NEXT: = 3
// GDB: tbreak use
// GDB: continue
// CHECK: >>> continue
// CHECK: use (p=0x{{[0-9a-f]+}} <corner>, scale=1)
// GDB: print *p
// CHECK: >>> print *p
// CHECK-NEXT: = {x = 3, y = -4, name = 0x{{[0-9a-f]+}} "corner", inner = {low = 17, high = 1000, weight = 2.5}}
// GDB: print scale * 2 + p->inner.high
// CHECK: >>> print scale
// CHECK-NEXT: = 1002
// GDB: step
// GDB: print local
// O0: >>> print local
// O0-NEXT: = 3
// GDB: info locals
// O0: >>> info locals
// O0-NEXT: local = 3
// GDB: print leaf(41)
// CHECK: >>> print leaf(41)
// CHECK-NEXT: = 42
// GDB: set var table[1] = 77
// GDB: set var corner.y = 6
// GDB: x/4dw table
// CHECK: >>> x/4dw
// CHECK-NEXT: <table>: 10 77 30 40
// GDB: watch counter
// GDB: continue
// CHECK: >>> continue
// CHECK: Hardware watchpoint 5: counter
// CHECK: Old value = 42
// CHECK-NEXT: New value = 45
// CHECK-NEXT: {{.*}}leaf (value=3)
// GDB: delete 5
// GDB: rwatch table[1]
// GDB: continue
// CHECK: >>> continue
// CHECK: Hardware read watchpoint 6: table[1]
// CHECK: Value = 77
// CHECK: main (
// GDB: delete
// GDB: info registers pc sp ra
// CHECK: >>> info registers
// CHECK-NEXT: pc 0x{{[0-9a-f]+}} {{.*}}<main+
// CHECK-NEXT: sp 0x20
// CHECK-NEXT: ra 0x{{.*}}<main+
// GDB: continue
// CHECK: >>> continue
// CHECK: exited with code 055
// CHECK: --- simulator
// CHECK-NEXT: sum 61, table 77 61
// CHECK-NEXT: status 45
