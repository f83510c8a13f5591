// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ilp32 calling convention as Clang lowers it: what is extended, coerced to words,
// and passed or returned by reference.

// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -x c++ -DCXX -O1 -S -emit-llvm -o - %s | FileCheck --check-prefix=CXX %s

#ifdef __cplusplus
extern "C" {
#else
#define bool _Bool
#endif

// CHECK: target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"
// CHECK: target triple = "npu-unknown-unknown-elf"

// CHECK-LABEL: zeroext i8 @narrow(i8 noundef zeroext %{{.*}}, i8 noundef signext %{{.*}}, i16 noundef signext %{{.*}}, i16 noundef zeroext %{{.*}}, i1 noundef zeroext %{{.*}})
char narrow(char c, signed char s, short h, unsigned short u, bool b) {
  return c + s + h + u + b;
}

// CHECK-LABEL: i64 @wide(i32 noundef %{{.*}}, i64 noundef returned %{{.*}}, float noundef %{{.*}}, double noundef %{{.*}})
long long wide(int i, long long l, float f, double d) { return l; }

// CHECK-LABEL: void @quad(ptr {{.*}}sret(fp128) align 16{{.*}}, ptr {{.*}})
long double quad(long double l) { return l; }

enum small { A, B };
// CHECK-LABEL: i32 @enumeration(i32 noundef returned %{{.*}})
enum small enumeration(enum small e) { return e; }

// CHECK-LABEL: signext i17 @bit_precise(i17 noundef returned signext %{{.*}}, i40 noundef signext %{{.*}}, i32 noundef signext %{{.*}}, ptr {{.*}})
// CHECK-LABEL: zeroext i33 @bit_precise_result(i64 noundef signext %{{.*}})
#ifndef __cplusplus
_BitInt(17) bit_precise(_BitInt(17) a, _BitInt(40) b, _BitInt(32) c, _BitInt(100) d) { return a; }
unsigned _BitInt(33) bit_precise_result(_BitInt(64) a) { return a; }
#endif

struct bytes3 { char b[3]; };
// CHECK-LABEL: i32 @one_word(i32 {{.*}})
struct bytes3 one_word(struct bytes3 s) { return s; }

struct two { int a, b; };
// CHECK-LABEL: [2 x i32] @two_words([2 x i32] returned %{{.*}})
struct two two_words(struct two s) { return s; }

struct aligned { long long a; };
// CHECK-LABEL: i64 @aligned_words(i64 returned %{{.*}})
struct aligned aligned_words(struct aligned s) { return s; }

struct floats { float re, im; };
// CHECK-LABEL: [2 x i32] @soft_floats([2 x i32] returned %{{.*}})
struct floats soft_floats(struct floats s) { return s; }

struct three { int a, b, c; };
// CHECK-LABEL: void @three_words(ptr {{.*}}sret(%struct.three) align 4{{.*}} %{{.*}}, ptr {{.*}} %{{.*}})
// CHECK-NOT: byval
struct three three_words(struct three s) { return s; }

// CHECK-LABEL: [2 x i32] @complex_float([2 x i32] noundef returned %{{.*}}, ptr {{.*}} %{{.*}})
_Complex float complex_float(_Complex float c, _Complex double d) { return c; }

typedef char vector4 __attribute__((vector_size(4)));
typedef int vector16 __attribute__((vector_size(16)));
// CHECK-LABEL: i32 @vectors(i32 {{.*}}, ptr {{.*}})
vector4 vectors(vector4 v, vector16 w) { return v; }

struct empty {};
// CHECK-LABEL: i32 @empty_record(i32 noundef returned %{{.*}})
// CXX-LABEL: i32 @empty_record(i32 {{.*}}, i32 noundef returned %{{.*}})
int empty_record(struct empty e, int i) { return i; }

// A variadic argument of eight bytes is aligned in memory; wider ones are pointers.
// CHECK-LABEL: i64 @variadic(i32 noundef %{{.*}}, ...)
// CHECK: [[UP:%.*]] = getelementptr inbounds{{.*}} i8, ptr %{{.*}}, i32 7
// CHECK: call {{.*}}@llvm.ptrmask.p0.i32(ptr{{.*}} [[UP]], i32 -8)
long long variadic(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  long long sum = __builtin_va_arg(list, long long);
  // CHECK: [[BIG:%.*]] = load ptr, ptr
  // CHECK: getelementptr inbounds{{.*}} i8, ptr [[BIG]], i32 8
  sum += __builtin_va_arg(list, struct three).c;
  __builtin_va_end(list);
  return sum;
}

#ifdef CXX
struct nontrivial {
  int a;
  ~nontrivial();
};
// CXX-LABEL: i32 @nontrivial_record(ptr {{.*}})
int nontrivial_record(nontrivial n) { return n.a; }
}
#endif
