// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of npu_vector.h choose the instruction by the type of their operands, in C and in
// C++; a broadcast operand is the scalar of the .x form.

// RUN: %clang -O1 -S -mllvm -verify-machineinstrs -o - %s | FileCheck %s
// RUN: %clang -O1 -S -x c++ -o - %s | FileCheck %s
// RUN: %clang -fsyntax-only -std=c99 -pedantic-errors -Weverything -Wno-unsafe-buffer-usage -Werror -include npu_vector.h -x c /dev/null
// RUN: %clang -fsyntax-only -std=c++17 -Wall -Wextra -Werror -include npu_vector.h -x c++ /dev/null

#include <npu_intrinsics.h>

#ifdef __cplusplus
extern "C" {
#endif

// CHECK-LABEL: by_type:
// CHECK: v.avg.b v8, v8, v9
// CHECK: v.avgu.h {{v[0-9]+}}, v10, v11
// CHECK: v.srar.w
void by_type(npu_int8x64_t a, npu_int8x64_t b, npu_uint16x32_t c, npu_uint16x32_t d,
             npu_int32x16_t e, npu_int32x16_t f, void *to) {
  npu_v_st_b(npu_v_avg(a, b), to);
  npu_v_st_h((npu_int16x32_t)npu_v_avg(c, d), (char *)to + 64);
  npu_v_st_w(npu_v_srr(e, f), (char *)to + 128);
}

// CHECK-LABEL: scalar_operands:
// CHECK: v.dmulh.w.x v8, v8, a0
// CHECK: v.rdpot.w.x v8, v8, a1
// CHECK: v.mbqm.x v8, a0, a1
// CHECK: v.rq.x v8, a0, a1
npu_int32x16_t scalar_operands(npu_int32x16_t x, int multiplier, int shift) {
  x = npu_v_dmulh(x, npu_v_bcast_w(multiplier));
  x = npu_v_rdpot(x, npu_v_bcast_w(shift));
  x = npu_v_requant(x, multiplier, shift);
  return npu_v_rq(x, multiplier, shift);
}

// Products of unsigned and signed bytes have an instruction, too.
// CHECK-LABEL: dots:
// CHECK: v.dot.b
// CHECK: v.dotu.b
// CHECK: v.dotus.b
npu_int32x16_t dots(npu_int32x16_t d, npu_int8x64_t a, npu_uint8x64_t u) {
  return npu_v_dot(npu_v_dot(npu_v_dot(d, a, a), u, u), u, a);
}

// The tail of a loop by length. The stride of the rows stands in a CSR.
// CHECK-LABEL: tail:
// CHECK: v.ldl.bw v8, a0, a2
// CHECK: v.stl.wbs v8, a1, a2
// CHECK: csrw nvstride, a2
// CHECK: v.lds.h
void tail(const signed char *from, signed char *to, unsigned n) {
  npu_v_stl_wbs(npu_v_ldl_bw(from, n), to, n);
  npu_csr_write(NPU_CSR_NVSTRIDE, n);
  npu_v_st_h(npu_v_lds_h(from, 16), to);
}

// A length of zero is not x0, which stands for all lanes.
// CHECK-LABEL: nothing:
// CHECK: li [[N:[a-z0-9]+]], 0
// CHECK: v.stl.b v8, a0, [[N]]
void nothing(npu_int8x64_t a, void *to) { npu_v_stl_b(a, to, 0); }

// CHECK-LABEL: table:
// CHECK: v.perm
// CHECK: v.lut1
// CHECK: v.lut2
// CHECK: v.lut3
npu_int8x64_t table(npu_uint8x64_t index, const npu_int8x64_t *entries) {
  return npu_v_lookup(index, entries);
}

// CHECK-LABEL: select:
// CHECK: v.slt.w [[M:v[0-9]+]], v8, v9
// CHECK: v.sel [[M]], v9, v8
npu_int32x16_t select(npu_int32x16_t a, npu_int32x16_t b) { return npu_v_sel(a < b, b, a); }

#ifdef __cplusplus
}
#endif
