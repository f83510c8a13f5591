// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target's macros: those of rv32im with ilp32, and the machine's geometry.

// RUN: %clang -dM -E -x c /dev/null | FileCheck %s
// RUN: %clang -dM -E -x c /dev/null | FileCheck --check-prefix=NOT %s
// RUN: %python %S/Inputs/geometry.py %root/isa-spec/platform.json > %t.check
// RUN: %clang -dM -E -x c /dev/null | FileCheck %t.check
// RUN: %clang -fsyntax-only -std=c11 %s

// CHECK-DAG: #define __CHAR_UNSIGNED__ 1
// CHECK-DAG: #define __ELF__ 1
// CHECK-DAG: #define __npu__ 1
// CHECK-DAG: #define __riscv 1
// CHECK-DAG: #define __riscv_cmodel_medlow 1
// CHECK-DAG: #define __riscv_div 1
// CHECK-DAG: #define __riscv_float_abi_soft 1
// CHECK-DAG: #define __riscv_i 2001000
// CHECK-DAG: #define __riscv_m 2000000
// CHECK-DAG: #define __riscv_mul 1
// CHECK-DAG: #define __riscv_muldiv 1
// CHECK-DAG: #define __riscv_xlen 32
// CHECK-DAG: #define __riscv_zicsr 2000000
// CHECK-DAG: #define __riscv_zifencei 2000000

// NOT-NOT: __riscv_flen
// NOT-NOT: __riscv_atomic
// NOT-NOT: __riscv_compressed
// NOT-NOT: __riscv_vector

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define SAME(a, b) _Generic((a)0, b: 1, default: 0)
_Static_assert(SAME(size_t, unsigned int) && SAME(ptrdiff_t, int), "pointer-sized types");
_Static_assert(SAME(intptr_t, int) && SAME(int64_t, long long), "exact-width types");
_Static_assert(SAME(wchar_t, int) && (char)-1 > 0, "character types");
_Static_assert(sizeof(long) == 4 && sizeof(void *) == 4, "ilp32");
_Static_assert(sizeof(long double) == 16 && _Alignof(long double) == 16 && __LDBL_MANT_DIG__ == 113,
               "quad-precision long double");
_Static_assert(_Alignof(long long) == 8 && _Alignof(double) == 8, "eight-byte alignment");
_Static_assert(_Alignof(max_align_t) == 16, "stack alignment");
_Static_assert(sizeof(va_list) == 4, "a va_list is a pointer");
