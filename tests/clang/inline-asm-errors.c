// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code generator finds wrong with an asm statement is reported at its line, and
// compilation ends in an orderly way.

// RUN: not %clang -O1 -c -o /dev/null %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not %clang -O0 -g -c -o /dev/null %s 2>&1 | FileCheck --implicit-check-not=error: %s

typedef int v4 __attribute__((vector_size(16)));
struct large { int words[5]; };

// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'I' must be an integer constant from -2048 to 2047
void i(int x) { __asm__ volatile("# %0" : : "I"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'J' must be the constant 0
void j(int x) { __asm__ volatile("# %0" : : "J"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'K' must be an integer constant from 0 to 31
void k(int x) { __asm__ volatile("# %0" : : "K"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 's' must be the address of a symbol
void s(int x) { __asm__ volatile("# %0" : : "s"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'S' must be the address of a symbol
void S(int x) { __asm__ volatile("# %0" : : "S"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'n' must be an integer constant
void n(int x) { __asm__ volatile("# %0" : : "n"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'i' must be a constant
int c(int x) { int r; __asm__ volatile("# %0 %1" : "=r"(r) : "i"(x)); return r; }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: unknown memory constraint 'V'
void memory(int x) { __asm__ volatile("# %0" : : "V"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: no register can hold the input operand of constraint 'r'
void vector(v4 x) { __asm__ volatile("# %0" : : "r"(x)); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'r' cannot be taken from memory
void aggregate(struct large x) { __asm__ volatile("# %0" : : "r"(x)); }
// Nothing follows t6.
void pair(void) {
  register long long x __asm__("t6") = 1;
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: no register can hold the input operand of constraint '{x31}'
  __asm__ volatile("# %0" : : "r"(x));
}
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: invalid operand in inline asm: '# ${0:q}'
void modifier(int x) { __asm__ volatile("# %q0" : : "r"(x)); }
void many(int x) {
  // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: inline assembly requires more registers than available
  __asm__ volatile("# %0" : : "r"(x)
                   : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4",
                     "t5", "t6", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10",
                     "s11", "ra");
}
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: unrecognized instruction mnemonic
void text(void) { __asm__ volatile("frobnicate a0"); }
// CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: error: operand of constraint 'I' must be an integer
int go(int x) { __asm__ goto("# %0 %l1" : : "I"(x) : : label); return 1; label: return 2; }
