// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where variables are that the code generator could lose: values of two registers, parameters on
// the stack, addresses of stack objects, and variables that a call reads and writes in memory.
//
// RUN: %cc -O2 -g -c %s -o %t.o
// RUN: llvm-dwarfdump --name=wide %t.o | FileCheck %s --check-prefix=WIDE
// RUN: llvm-dwarfdump --name=ninth %t.o | FileCheck %s --check-prefix=NINTH
// RUN: llvm-dwarfdump --name=address %t.o | FileCheck %s --check-prefix=ADDRESS
// RUN: llvm-dwarfdump --name=shared %t.o | FileCheck %s --check-prefix=SHARED

void use(int *);
int leaf(int);

// WIDE: DW_AT_location
// WIDE: DW_OP_reg{{.*}}DW_OP_piece 0x4, DW_OP_reg{{.*}}DW_OP_piece 0x4
long long sum(const int *a, int n) {
  long long wide = 0;
  for (int i = 0; i < n; i++)
    wide += leaf(a[i]);
  return wide;
}

// Behind eight in registers.
// NINTH: DW_AT_location
// NINTH: DW_OP_breg2 X2+32)
int many(int a, int b, int c, int d, int e, int f, int g, int h, int ninth) {
  return leaf(a + b + c + d) + leaf(e + f + g + h) + leaf(ninth);
}

// ADDRESS: DW_AT_location
// ADDRESS: DW_OP_stack_value
int pointer(void) {
  int array[4] = {1, 2, 3, 4};
  int *address = array;
  use(address);
  return array[3];
}

// SHARED: DW_AT_location {{.*}}DW_OP_fbreg
int in_memory(int n) {
  int shared = leaf(n);
  use(&shared);
  return shared;
}
