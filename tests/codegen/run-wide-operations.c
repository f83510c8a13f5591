// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the run-time library of a 32-bit machine does not have: conversions between
// floating point and more than 64 bits, distances of wide funnel shifts, and vectors
// whose elements are no whole bytes in memory.
// RUN: split-file %s %t
// RUN: %cc -O0 -c -x ir %t/operations.ll -o %t/o0.o
// RUN: %cc -O2 -c -x ir %t/operations.ll -o %t/o2.o
// RUN: %cc -O1 %t/main.c %t/o0.o -o %t/o0.elf
// RUN: %cc -O1 %t/main.c %t/o2.o -o %t/o2.elf
// RUN: %iss %t/o0.elf
// RUN: %iss %t/o2.elf

//--- main.c
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef unsigned _BitInt(128) u128;
typedef _BitInt(128) i128;
typedef unsigned char u8;

void saturate_f64(i128 *, double);
void saturate_u_f32(u128 *, float);
void saturate_f128(i128 *, const long double *);
float signed_to_float(const i128 *);
double unsigned_to_double(const u128 *);
void signed_to_quad(long double *, const i128 *);
void rotate_96(void *, const void *, const void *);
void shift_right_65(void *, const void *, const void *, const void *);
void store_lanes_65x9(void *, int, int);
int load_lane_65x9(const void *, int);
int count_mask_65(const void *, int);
void lanes_5(u8 *, uint64_t, uint64_t);
void copy_3x65(void *, const void *, const void *, int);

static int failures;
static void check(int holds, int line) {
  if (!holds) {
    printf("line %d\n", line);
    ++failures;
  }
}
#define CHECK(...) check((__VA_ARGS__), __LINE__)

int main(void) {
  const u128 One = 1;
  const i128 Max = (i128)(~(u128)0 >> 1), Min = -Max - 1;
  i128 S;
  u128 U;
  // Conversions to integers.
  saturate_f64(&S, 0x1.8p100), CHECK(S == (i128)(One << 100 | One << 99));
  saturate_f64(&S, -0x1.23456789abcdep80), CHECK(S == -(i128)((u128)0x123456789abcde << 28));
  saturate_f64(&S, -7.9), CHECK(S == -7);
  saturate_f64(&S, 0.99), CHECK(S == 0);
  saturate_f64(&S, 0x1p127), CHECK(S == Max);
  saturate_f64(&S, -1e300), CHECK(S == Min);
  saturate_f64(&S, __builtin_nan("")), CHECK(S == 0);
  saturate_f64(&S, 2251799813685249.5), CHECK(S == 2251799813685249);
  saturate_u_f32(&U, 0x1.fffffep127f), CHECK(U == (u128)0xffffff << 104);
  saturate_u_f32(&U, -3), CHECK(U == 0);
  saturate_u_f32(&U, __builtin_inff()), CHECK(U == ~(u128)0);
  long double Q = -0x1.23456789abcdef0123456789abcp110L;
  saturate_f128(&S, &Q);
  CHECK(S == -(i128)((u128)0x123456789abcdULL << 62 | (u128)0xef0123456789abcULL << 2));
  // Conversions to floating point; ties go to even, and a bit far below breaks them.
  S = (i128)(One << 100 | One << 76), CHECK(signed_to_float(&S) == 0x1p100f);
  S |= 1, CHECK(signed_to_float(&S) == 0x1.000002p100f);
  S = -S, CHECK(signed_to_float(&S) == -0x1.000002p100f);
  S = 0, CHECK(signed_to_float(&S) == 0);
  S = -5, CHECK(signed_to_float(&S) == -5);
  S = Min, CHECK(signed_to_float(&S) == -0x1p127f);
  U = ~(u128)0, CHECK(unsigned_to_double(&U) == 0x1p128);
  U = (One << 64) + 1, CHECK(unsigned_to_double(&U) == 0x1p64);
  U = ((u128)0x20000000000001 << 64) - 1;
  CHECK(unsigned_to_double(&U) == 0x20000000000000p64);
  S = -(i128)((u128)0x123456789abcdULL << 62 | 3), signed_to_quad(&Q, &S);
  CHECK(Q == -(0x123456789abcdp62L + 3));
  S = Max, signed_to_quad(&Q, &S), CHECK(Q == 0x1p127L);
  S = 12, signed_to_quad(&Q, &S), CHECK(Q == 12);

  // Distances of funnel shifts, modulo 96 and 65.
  u8 A[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Distance[16] = {0}, R[16], Want[16];
  for (int D = 0; D < 2000; D += 8) {
    memset(Distance, 0, 16);
    Distance[0] = D, Distance[1] = D >> 8, Distance[8] = D & 64 ? 3 : 0;
    // 2^64 is 64 modulo 96.
    int Lanes = (D + (D & 64 ? 3 * 64 : 0)) % 96 / 8;
    memset(R, 0, 16), rotate_96(R, A, Distance);
    for (int I = 0; I < 12; ++I)
      Want[(I + Lanes) % 12] = A[I];
    CHECK(!memcmp(R, Want, 12));
  }
  for (int D = 0; D < 300; D += 7) {
    u128 H = 0x123456789abcdef1, L = 0xfedcba9876543211, X = D, Y = 0, Mask = (One << 65) - 1;
    shift_right_65(&Y, &H, &L, &X);
    int N = D % 65;
    u128 Expected = N ? (L >> N | H << (65 - N)) & Mask : L;
    CHECK((Y & Mask) == Expected);
  }

  // Lane I at bit 9 * I.
  u8 Packed[80];
  for (int Index = 0; Index < 65; Index += 16) {
    memset(Packed, 0, 80), store_lanes_65x9(Packed, Index, 0x155);
    CHECK(Packed[74] == 0);
    for (int I = 0; I < 65; ++I) {
      int V = (Packed[I * 9 / 8] | Packed[I * 9 / 8 + 1] << 8) >> (I * 9 % 8) & 0x1ff;
      CHECK(V == (I == Index ? 0x155 : I < 2 ? 0x1ff - I : 0));
      CHECK(load_lane_65x9(Packed, I) == V);
    }
  }
  u8 Mask[16] = {0x81, 0, 0xff, 1, 0, 0, 0, 0x80, 1};
  int Set = 0;
  for (int I = 0; I < 65; ++I)
    Set += count_mask_65(Mask, I);
  CHECK(Set == 13);
  u8 Lane[8] = {0};
  lanes_5(Lane, 0xffffffffffffffffULL - 2, 0xffffffffffffffffULL);
  CHECK(Lane[0] == 3);
  lanes_5(Lane, 1ULL << 32, 1ULL << 33), CHECK(Lane[0] == 31);
  lanes_5(Lane, 5, 4), CHECK(Lane[0] == 0);
  u8 From[32], To[32] = {0};
  for (int I = 0; I < 32; ++I)
    From[I] = I * 37 + 5;
  u128 New = One << 64 | 0xffffffffffff0000;
  copy_3x65(To, From, &New, 1);
  for (int I = 0; I < 195; ++I) {
    int Got = To[I / 8] >> I % 8 & 1;
    CHECK(Got == (I >= 65 && I < 130 ? (int)(New >> (I - 65) & 1) : From[I / 8] >> I % 8 & 1));
  }
  return failures != 0;
}

//--- operations.ll
target triple = "npu-unknown-unknown-elf"
define void @saturate_f64(ptr %r, double %a) {
  %v = call i128 @llvm.fptosi.sat.i128.f64(double %a)
  store i128 %v, ptr %r
  ret void
}
define void @saturate_u_f32(ptr %r, float %a) {
  %v = call i128 @llvm.fptoui.sat.i128.f32(float %a)
  store i128 %v, ptr %r
  ret void
}
define void @saturate_f128(ptr %r, ptr %p) {
  %a = load fp128, ptr %p
  %v = call i128 @llvm.fptosi.sat.i128.f128(fp128 %a)
  store i128 %v, ptr %r
  ret void
}
define float @signed_to_float(ptr %p) {
  %a = load i128, ptr %p
  %v = sitofp i128 %a to float
  ret float %v
}
define double @unsigned_to_double(ptr %p) {
  %a = load i128, ptr %p
  %v = uitofp i128 %a to double
  ret double %v
}
define void @signed_to_quad(ptr %r, ptr %p) {
  %a = load i128, ptr %p
  %v = sitofp i128 %a to fp128
  store fp128 %v, ptr %r
  ret void
}
define void @rotate_96(ptr %r, ptr %p, ptr %q) {
  %a = load i96, ptr %p
  %n = load i96, ptr %q
  %v = call i96 @llvm.fshl.i96(i96 %a, i96 %a, i96 %n)
  store i96 %v, ptr %r
  ret void
}
define void @shift_right_65(ptr %r, ptr %p, ptr %q, ptr %d) {
  %a = load i65, ptr %p
  %b = load i65, ptr %q
  %n = load i65, ptr %d
  %v = call i65 @llvm.fshr.i65(i65 %a, i65 %b, i65 %n)
  store i65 %v, ptr %r
  ret void
}
define void @store_lanes_65x9(ptr %p, i32 %i, i32 %x) {
  %e = trunc i32 %x to i9
  %a = insertelement <65 x i9> zeroinitializer, i9 -1, i32 0
  %b = insertelement <65 x i9> %a, i9 -2, i32 1
  %v = insertelement <65 x i9> %b, i9 %e, i32 %i
  store <65 x i9> %v, ptr %p, align 1
  ret void
}
define i32 @load_lane_65x9(ptr %p, i32 %i) {
  %v = load <65 x i9>, ptr %p, align 1
  %e = extractelement <65 x i9> %v, i32 %i
  %r = zext i9 %e to i32
  ret i32 %r
}
define i32 @count_mask_65(ptr %p, i32 %i) {
  %v = load <65 x i1>, ptr %p
  %e = extractelement <65 x i1> %v, i32 %i
  %r = zext i1 %e to i32
  ret i32 %r
}
define void @lanes_5(ptr %p, i64 %i, i64 %n) {
  %m = call <5 x i1> @llvm.get.active.lane.mask.v5i1.i64(i64 %i, i64 %n)
  store <5 x i1> %m, ptr %p
  ret void
}
define void @copy_3x65(ptr %r, ptr %p, ptr %q, i32 %i) {
  %v = load <3 x i65>, ptr %p, align 1
  %e = load i65, ptr %q
  %w = insertelement <3 x i65> %v, i65 %e, i32 %i
  store <3 x i65> %w, ptr %r, align 1
  ret void
}
