// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fstack-usage tells the stack that each function takes; the stack protector notices an array that
// was overrun, and ends the program.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fstack-usage -c %s -o usage.o
// RUN: FileCheck --check-prefix=USAGE %s < usage.su
// USAGE-DAG: leaf {{0|16}} static
// USAGE-DAG: buffer {{1[0-9][0-9]}} static
// USAGE-DAG: dynamic {{[1-9][0-9]*}} dynamic
//
// RUN: %clang -O1 -fstack-protector-strong %s -o guarded.elf
// RUN: %root/build/bin/npu-iss guarded.elf | FileCheck --check-prefix=FINE %s
// FINE: 9
// RUN: not %root/build/bin/npu-iss guarded.elf overrun 2>&1 | FileCheck --check-prefix=SMASHED %s
// SMASHED: stack smashing detected
// RUN: %clang -O1 -fstack-protector-strong -S %s -o - | FileCheck --check-prefix=CODE %s
// CODE-LABEL: leaf:
// CODE-NOT: __stack_chk
// CODE-LABEL: buffer:
// CODE-COUNT-2: lw {{.*}}%lo(__stack_chk_guard)
// CODE-NOT: __stack_chk_guard
// CODE: __stack_chk_fail
//
// The guard in the thread's block, at a place that the program names.
// RUN: %clang -O1 -fstack-protector-strong -mstack-protector-guard=tls -mstack-protector-guard-reg=tp \
// RUN:   -mstack-protector-guard-offset=24 -S %s -o - | FileCheck --check-prefix=THREAD --implicit-check-not=__stack_chk_guard %s
// THREAD-LABEL: buffer:
// THREAD-COUNT-2: lw {{.*}}24(tp)
// THREAD-NOT: (tp)
// THREAD: __stack_chk_fail
// RUN: %clang -O1 -Werror -fstack-protector-strong -mstack-protector-guard=global -S %s -o - | FileCheck --check-prefix=CODE %s
// RUN: not %clang -fstack-protector -mstack-protector-guard=tls -S %s -o /dev/null 2>&1 | FileCheck --check-prefix=OFFSET %s
// OFFSET: error: '-mstack-protector-guard=tls' is used without '-mstack-protector-guard-offset'
// RUN: not %clang -fstack-protector -mstack-protector-guard-reg=gp -S %s -o /dev/null 2>&1 | FileCheck --check-prefix=REGISTER %s
// REGISTER: error: invalid value 'gp' in 'mstack-protector-guard-reg=', expected one of: tp

#include <alloca.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

NOINLINE int leaf(int x) { return x * 3; }

NOINLINE int buffer(const char *text, int length) {
  char copy[100];
  memcpy(copy, text, length);
  return leaf(copy[length & 63]);
}

NOINLINE int dynamic(int n) {
  char *bytes = alloca(n);
  memset(bytes, n, n);
  return leaf(bytes[n / 2]);
}

static const char zeros[200] = {[3] = 1};

int main(int count, char **arguments) {
  const int sum = buffer(zeros, count > 1 ? 160 : 3 + 0 * dynamic(5)) + dynamic(3);
  printf("%d\n", sum);
  return 0;
}
