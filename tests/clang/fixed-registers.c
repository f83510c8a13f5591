// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers that -ffixed-x reserves for the program: options, global variables in registers, single
// functions, link-time optimization, and what needs a register that is reserved.

// RUN: %clang -### -Werror -ffixed-x5 -ffixed-x27 -c %s 2>&1 | FileCheck --check-prefix=DRIVER %s
// DRIVER: "-target-feature" "+reserve-x5"
// DRIVER-SAME: "-target-feature" "+reserve-x27"
// RUN: not %clang -ffixed-x32 -c %s -o /dev/null

// RUN: %clang -O2 -ffixed-x27 -DVARIABLES -S -o - %s | FileCheck --check-prefix=VARIABLE %s
// RUN: not %clang -fsyntax-only -DVARIABLES %s 2>&1 | FileCheck --check-prefix=UNSUITABLE %s
// UNSUITABLE: error: register 's11' unsuitable for global register variables on this target

// RUN: %clang -O2 -S -o - %s | FileCheck --check-prefix=FUNCTION %s
// RUN: %clang -O2 -flto -ffixed-x7 -ffunction-sections -c %s -o %t.o
// RUN: %clang -O2 -flto -ffixed-x7 -Werror -nostdlib -r %t.o -o %t.lto.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.lto.o | FileCheck --check-prefix=LTO --implicit-check-not=t2 %s
// LTO: <pressure>:

// RUN: not %clang -O0 -ffixed-x1 -ffixed-x8 -ffixed-x10 -ffixed-x13 -DERRORS -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=ERRORS %s
// RUN: not %clang -O2 -ffixed-x2 -DERRORS -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=STACK %s
// RUN: not %clang -O2 -g -ffixed-x10 -DERRORS -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=PLACE %s

#ifdef VARIABLES
register int variable __asm__("s11");
register int global __asm__("gp");
void other(void);

// A call may change it.
int across_calls(void) {
  // VARIABLE-LABEL: across_calls:
  // VARIABLE: mv [[OLD:s[0-9]+]], s11
  // VARIABLE: call other
  // VARIABLE: add a0, s11, [[OLD]]
  int before = variable;
  other();
  return variable + before;
}
int gp_across_calls(void) {
  // VARIABLE-LABEL: gp_across_calls:
  // VARIABLE: mv [[OLD:s[0-9]+]], gp
  // VARIABLE: call other
  // VARIABLE: add a0, gp, [[OLD]]
  int before = global;
  other();
  return global + before;
}
// Neither the handler nor a function saves it.
__attribute__((interrupt)) void handler(void) {
  // VARIABLE-LABEL: handler:
  // VARIABLE-NOT: sw s11
  // VARIABLE: addi s11, s11, 1
  // VARIABLE-NOT: lw s11
  // VARIABLE: mret
  ++variable;
  other();
}
void changes(int value) {
  // VARIABLE-LABEL: changes:
  // VARIABLE-NEXT: %bb.0
  // VARIABLE-NEXT: mv s11, a0
  // VARIABLE-NEXT: ret
  variable = value;
}

#elif defined(ERRORS)
int callee(int, int, int, int);
// ERRORS: [[@LINE+7]]:5: error: register a0 is reserved, but the function takes an argument in it
// ERRORS: [[@LINE+6]]:5: error: register ra is reserved, but a call leaves its return address in it
// ERRORS: [[@LINE+5]]:5: error: register a0 is reserved, but a call passes an argument in it
// ERRORS: [[@LINE+4]]:5: error: register a3 is reserved, but a call passes an argument in it
// ERRORS: [[@LINE+3]]:5: error: register a0 is reserved, but a call returns a value in it
// ERRORS: [[@LINE+2]]:5: error: register a0 is reserved, but the function returns a value in it
// ERRORS: [[@LINE+1]]:5: error: register s0 is reserved, but the function needs it as the frame pointer
int caller(int value) {
  // PLACE: [[@LINE+1]]:10: error: register a0 is reserved, but a call passes an argument in it
  return callee(value, 2, 3, 4) + 1;
}
// ERRORS: [[@LINE+1]]:5: error: register a0 is reserved, but the function returns a value in it
int result(void) { return 1; }
// Nobody passes the unnamed arguments that would lie in a3.
// ERRORS-NOT: register a3
int variadic(int count, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, count);
  int value = __builtin_va_arg(arguments, int);
  __builtin_va_end(arguments);
  return value;
}

// STACK: error: register sp is reserved, but the function needs a stack frame

#else
typedef struct { int words[16]; } block;

// FUNCTION-LABEL: pressure:
// FUNCTION: t0
// FUNCTION: s1
int pressure(block *a, const block *b) {
  block t;
  for (int i = 0; i < 16; i++)
    t.words[i] = a->words[i] * b->words[15 - i];
  __asm__ volatile("" ::: "memory");
  int sum = 0;
  for (int i = 0; i < 16; i++)
    a->words[i] = t.words[i] ^ b->words[i] ^ (sum += t.words[15 - i]);
  for (int i = 0; i < 16; i++)
    sum = sum * 3 + t.words[i];
  return sum;
}

// Its own target attribute reserves for one function; the next is as it was.
// FUNCTION-LABEL: reserving:
// FUNCTION-NOT: {{\b(t0|t1|t2|t3|s1)\b}}
// FUNCTION: ret
__attribute__((target("reserve-x5,reserve-x6,reserve-x7,reserve-x28,reserve-x9"))) int
reserving(block *a, const block *b) {
  block t;
  for (int i = 0; i < 16; i++)
    t.words[i] = a->words[i] * b->words[15 - i];
  __asm__ volatile("" ::: "memory");
  int sum = 0;
  for (int i = 0; i < 16; i++)
    a->words[i] = t.words[i] ^ b->words[i] ^ (sum += t.words[15 - i]);
  for (int i = 0; i < 16; i++)
    sum = sum * 3 + t.words[i];
  return sum;
}

// Pairs for 64 bits step over it.
// FUNCTION-LABEL: pair:
// FUNCTION: li a2, 1
__attribute__((target("reserve-x11"))) void pair(void) {
  long long value;
  __asm__ volatile("li %0, 1" : "=R"(value));
}

// A jump out of the function would need t1: none is made, or through another register.
int callee(int);
// FUNCTION-LABEL: last_call:
// FUNCTION: call callee
__attribute__((target("reserve-x6"))) int last_call(int value) { return callee(value + 1); }
// FUNCTION-LABEL: must_jump:
// FUNCTION: addi [[TO:[at][0-9]+]], {{[at][0-9]+}}, %lo(callee)
// FUNCTION: jr [[TO]]
__attribute__((target("reserve-x6"))) int must_jump(int value) {
  [[clang::musttail]] return callee(value + 1);
}
#endif
