// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The default report of each cause, a handler of the program's own, and a trap in the handler.
//
// RUN: %cc -O1 -Wall -Werror %s -o %t.elf
// RUN: sh -c '%iss %t.elf load 2>&1; echo status $?' | FileCheck --check-prefixes=LOAD,END %s
// RUN: sh -c '%rtl %t.elf load 2>&1; echo status $?' | FileCheck --check-prefixes=LOAD,END %s
// RUN: sh -c '%iss %t.elf misaligned 2>&1; echo status $?' | FileCheck --check-prefixes=MISALIGNED,END %s
// RUN: sh -c '%iss %t.elf illegal 2>&1; echo status $?' | FileCheck --check-prefixes=ILLEGAL,END %s
// RUN: sh -c '%rtl %t.elf illegal 2>&1; echo status $?' | FileCheck --check-prefixes=ILLEGAL,END %s
// RUN: sh -c '%iss %t.elf jump 2>&1; echo status $?' | FileCheck --check-prefixes=JUMP,END %s
// RUN: sh -c '%iss %t.elf ebreak 2>&1; echo status $?' | FileCheck --check-prefixes=EBREAK,END %s
// RUN: sh -c '%rtl %t.elf ebreak 2>&1; echo status $?' | FileCheck --check-prefixes=EBREAK,END %s
// RUN: sh -c '%iss %t.elf ecall 2>&1; echo status $?' | FileCheck --check-prefixes=ECALL,END %s
// RUN: sh -c '%iss %t.elf overflow 2>&1; echo status $?' | FileCheck --check-prefixes=OVERFLOW,END %s
// RUN: sh -c '%rtl %t.elf overflow 2>&1; echo status $?' | FileCheck --check-prefixes=OVERFLOW,END %s
// RUN: %cc -O1 -DOWN_HANDLER %s -o %t.own.elf
// RUN: sh -c '%iss %t.own.elf illegal 2>&1; echo status $?' | FileCheck --check-prefix=OWN %s
// RUN: sh -c '%rtl %t.own.elf illegal 2>&1; echo status $?' | FileCheck --check-prefix=OWN %s
// RUN: %cc -O1 -DBAD_HANDLER %s -o %t.bad.elf
// RUN: sh -c '%iss %t.bad.elf illegal 2>&1; echo status $?' | FileCheck --check-prefix=BAD %s

#include <npu/trap.h>
#include <stdio.h>
#include <string.h>

#ifdef OWN_HANDLER
static volatile int handled;

void npu_exception_handler(npu_trap_frame *frame) {
  handled = (int)frame->cause;
  frame->x[10 - 1] = 99; // a0
  frame->pc += 4;
}
#endif

#ifdef BAD_HANDLER
void npu_exception_handler(npu_trap_frame *frame) { frame->pc = *(volatile uint32_t *)0x30000000; }
#endif

static int recurse(volatile int *above) {
  volatile int here[64];
  here[0] = *above + 1;
  if (here[0] < 0)
    return 0;
  return recurse(here) + here[0];
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  volatile int zero = 0;
  if (strcmp(what, "load") == 0)
    return *(volatile int *)0x30000004;
  if (strcmp(what, "misaligned") == 0)
    *(volatile short *)0x20000fff = 1;
  if (strcmp(what, "illegal") == 0) {
    register int a0 __asm__("a0") = 1;
    __asm__ volatile(".word 0xffffffff" : "+r"(a0));
#ifdef OWN_HANDLER
    printf("went on with %d after cause %d\n", a0, handled);
#endif
  }
  if (strcmp(what, "jump") == 0)
    ((void (*)(void))(uintptr_t)zero)();
  if (strcmp(what, "ebreak") == 0)
    __asm__ volatile("ebreak");
  if (strcmp(what, "ecall") == 0)
    __asm__ volatile("ecall");
  if (strcmp(what, "overflow") == 0)
    return recurse(&zero);
  return 0;
}

// LOAD: trap: load access fault
// LOAD-NEXT: mcause 0x00000005 mepc 0x1000{{[0-9a-f]+}} mtval 0x30000004
// LOAD-NEXT: ra 0x1000{{[0-9a-f]+}} sp 0x2000
// LOAD: t6 0x

// MISALIGNED: trap: misaligned store
// MISALIGNED-NEXT: mcause 0x00000006 mepc 0x1000{{[0-9a-f]+}} mtval 0x20000fff

// ILLEGAL: trap: illegal instruction
// ILLEGAL-NEXT: mcause 0x00000002 mepc 0x1000{{[0-9a-f]+}} mtval 0xffffffff

// JUMP: trap: instruction access fault
// JUMP-NEXT: mcause 0x00000001 mepc 0x00000000 mtval 0x00000000

// EBREAK: trap: breakpoint

// ECALL: trap: environment call
// ECALL-NEXT: mcause 0x0000000b mepc 0x1000{{[0-9a-f]+}} mtval 0x00000000

// OVERFLOW: trap: store access fault (stack overflow)
// OVERFLOW-NEXT: mcause 0x00000007 mepc 0x1000{{[0-9a-f]+}} mtval 0x1fff

// END: status 70

// OWN: went on with 99 after cause 2
// OWN: status 0

// BAD: status 70
