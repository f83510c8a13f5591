// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector types in C: registers, calls, memory, elements, inline assembly.
//
// RUN: %cc -O2 -S -mllvm -verify-machineinstrs %s -o - | FileCheck %s
// RUN: %cc -O0 -S -mllvm -verify-machineinstrs %s -o /dev/null

typedef signed char v64 __attribute__((vector_size(64)));
typedef short v32 __attribute__((vector_size(64)));
typedef int v16 __attribute__((vector_size(64)));

// Arguments and results in registers; a scalar factor needs no vector of its own.
// CHECK-LABEL: scale:
// CHECK: v.macc.w.x v8, v9, a0
// CHECK-NEXT: ret
v16 scale(v16 a, v16 b, int x) { return a + b * x; }

// The ninth vector is a pointer to a copy.
// CHECK-LABEL: ninth:
// CHECK: v.ld v8, 0(a0)
// CHECK-NEXT: ret
v64 ninth(v64 a, v64 b, v64 c, v64 d, v64 e, v64 f, v64 g, v64 h, v64 i) { return i; }

// No vector register survives a call.
// CHECK-LABEL: across:
// CHECK: v.st v8, {{[0-9]+}}(sp)
// CHECK: {{call|jal}}
// CHECK: v.ld v8, {{[0-9]+}}(sp)
void callee(void);
v32 across(v32 a) {
  callee();
  return a;
}

// Offsets fold into the access.
// CHECK-LABEL: memory:
// CHECK: v.ld v8, 64(a0)
// CHECK: v.st v8, -64(a1)
void memory(const v64 *from, v64 *to) { to[-1] = from[1]; }

// CHECK-LABEL: elements:
// CHECK-DAG: v.extract.h
// CHECK-DAG: v.insert.h
v32 elements(v32 a, int i) {
  a[3] = a[i];
  return a;
}

// CHECK-LABEL: constants:
// CHECK-DAG: v.xor.h.x
// CHECK-DAG: v.ld
// CHECK: v.add.h
v32 constants(v32 a) {
  static const v32 k = {1, 2, 3};
  return (a ^ 7) + k;
}

// CHECK-LABEL: shuffle:
// CHECK: v.perm
// CHECK: v.lut1
v64 shuffle(v64 a, v64 b) {
  return __builtin_shufflevector(a, b, 127, 0, 126, 1, 125, 2, 124, 3, 123, 4, 122, 5, 121, 6, 120,
                                 7, 119, 8, 118, 9, 117, 10, 116, 11, 115, 12, 114, 13, 113, 14,
                                 112, 15, 111, 16, 110, 17, 109, 18, 108, 19, 107, 20, 106, 21,
                                 105, 22, 104, 23, 103, 24, 102, 25, 101, 26, 100, 27, 99, 28, 98,
                                 29, 97, 30, 96, 31);
}

// CHECK-LABEL: compare:
// CHECK: v.slt.b v{{[0-9]+}}, v9, v8
// CHECK: v.sel
v64 compare(v64 a, v64 b) { return (a > b) & 3; }

// What is known as a maximum becomes one.
// CHECK-LABEL: maximum:
// CHECK: v.max.b v8, v8, v9
// CHECK-NEXT: ret
v64 maximum(v64 a, v64 b) {
  v64 mask = a > b;
  return (a & mask) | (b & ~mask);
}

// CHECK-LABEL: intrinsics:
// CHECK: v.redmax.b
// CHECK: v.bcast.b
// CHECK: v.lut2
v64 intrinsics(v64 a, v64 table) {
  return __builtin_npu_v_lut2(__builtin_npu_v_bcast_b(__builtin_npu_v_redmax_b(a)), a, table);
}

// Any instruction through inline assembly.
// CHECK-LABEL: assembly:
// CHECK: v.mbqm v8, v9, v10
v16 assembly(v16 x, v16 multiplier, v16 shift) {
  __asm__("v.mbqm %0, %1, %2" : "+vr"(x) : "vr"(multiplier), "vr"(shift));
  return x;
}

// CHECK-LABEL: elementwise:
// CHECK: v.sadd.b
// CHECK-NEXT: v.max.b
v64 elementwise(v64 a, v64 b) {
  return __builtin_elementwise_max(__builtin_elementwise_add_sat(a, b), b);
}
// CHECK-LABEL: reduction:
// CHECK: v.redsum.w a0, v8
int reduction(v16 a) { return __builtin_reduce_add(a); }

// One instruction for what most elements have, one for each other element.
// CHECK-LABEL: mostly_zero:
// CHECK: v.bcast.w v8, zero
// CHECK-NEXT: v.insert.w v8, a0, zero
// CHECK-NEXT: ret
v16 mostly_zero(int x) { return (v16){x}; }

// CHECK-LABEL: mostly_constant:
// CHECK: v.ld v8
// CHECK: v.insert.w v8, a0
// CHECK-NOT: v.insert
// CHECK: ret
v16 mostly_constant(int x) {
  return (v16){1, 2, 3, 4, 5, 6, 7, 8, x, 10, 11, 12, 13, 14, 15, 16};
}

// Each division is one of scalars: taking the elements out and putting them in does not pay.
// CHECK-LABEL: divide:
// CHECK-NOT: v.extract
// CHECK: divu
// CHECK: ret
void divide(unsigned short *a, const unsigned char *b) {
  for (int i = 0; i < 64; i++)
    a[i] = (unsigned short)(a[i] / b[i]);
}

// Nor does it to count bits.
// CHECK-LABEL: population:
// CHECK-NOT: v.extract
// CHECK: ret
void population(unsigned *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = (unsigned)__builtin_popcount(a[i]);
}
