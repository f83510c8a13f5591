// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector instructions that the vector operators use, by the names of the ISA manual, chapter 9. What C
// expresses with operators on vector types (add, shift, min, compare) has no function here.

#ifndef NPU_SRC_VECTOR_H
#define NPU_SRC_VECTOR_H

#include <npu_intrinsics.h>
#include <stdint.h>

typedef int8_t v64i8 __attribute__((vector_size(64)));
typedef int16_t v32i16 __attribute__((vector_size(64)));
typedef int32_t v16i32 __attribute__((vector_size(64)));
// The same for memory of any alignment.
typedef int8_t v64i8_any __attribute__((vector_size(64), aligned(1)));
typedef int16_t v32i16_any __attribute__((vector_size(64), aligned(2)));
typedef int32_t v16i32_any __attribute__((vector_size(64), aligned(4)));

enum { NPU_VECTOR_BYTES = 64 };

#define NPU_VECTOR_INLINE static inline __attribute__((always_inline))

// name, result, operand: result = op(operand vector, vector or scalar)
#define NPU_VECTOR_VV(name, text, result, operand)                                                 \
  NPU_VECTOR_INLINE result name(operand a, operand b) {                                            \
    result d;                                                                                      \
    __asm__(text " %0, %1, %2" : "=vr"(d) : "vr"(a), "vr"(b));                                     \
    return d;                                                                                      \
  }
#define NPU_VECTOR_VX(name, text, result, operand)                                                 \
  NPU_VECTOR_INLINE result name(operand a, int32_t b) {                                            \
    result d;                                                                                      \
    __asm__(text " %0, %1, %2" : "=vr"(d) : "vr"(a), "r"(b));                                      \
    return d;                                                                                      \
  }
// The same with the accumulator as the first operand.
#define NPU_VECTOR_DVV(name, text, result, operand)                                                \
  NPU_VECTOR_INLINE result name(result d, operand a, operand b) {                                  \
    __asm__(text " %0, %1, %2" : "+vr"(d) : "vr"(a), "vr"(b));                                     \
    return d;                                                                                      \
  }
#define NPU_VECTOR_DVX(name, text, result, operand)                                                \
  NPU_VECTOR_INLINE result name(result d, operand a, int32_t b) {                                  \
    __asm__(text " %0, %1, %2" : "+vr"(d) : "vr"(a), "r"(b));                                      \
    return d;                                                                                      \
  }
#define NPU_VECTOR_V(name, text, result, operand)                                                  \
  NPU_VECTOR_INLINE result name(operand a) {                                                       \
    result d;                                                                                      \
    __asm__(text " %0, %1" : "=vr"(d) : "vr"(a));                                                  \
    return d;                                                                                      \
  }
// Partial loads and stores of n elements.
#define NPU_VECTOR_LOAD(name, text, result, memory)                                                \
  NPU_VECTOR_INLINE result name(const memory *p, uint32_t n) {                                     \
    result d;                                                                                      \
    __asm__ volatile(text " %0, %1, %2" : "=vr"(d) : "r"(p), "r"(n) : "memory");                   \
    return d;                                                                                      \
  }
#define NPU_VECTOR_STORE(name, text, operand, memory)                                              \
  NPU_VECTOR_INLINE void name(memory *p, operand a, uint32_t n) {                                  \
    __asm__ volatile(text " %0, %1, %2" : : "vr"(a), "r"(p), "r"(n) : "memory");                   \
  }

NPU_VECTOR_VX(vec_wmullo_b, "v.wmullo.b.x", v32i16, v64i8)
NPU_VECTOR_VX(vec_wmulhi_b, "v.wmulhi.b.x", v32i16, v64i8)
NPU_VECTOR_DVX(vec_wmacclo_b, "v.wmacclo.b.x", v32i16, v64i8)
NPU_VECTOR_DVX(vec_wmacchi_b, "v.wmacchi.b.x", v32i16, v64i8)
NPU_VECTOR_VX(vec_wmullo_h, "v.wmullo.h.x", v16i32, v32i16)
NPU_VECTOR_VX(vec_wmulhi_h, "v.wmulhi.h.x", v16i32, v32i16)
NPU_VECTOR_DVX(vec_wmacclo_h, "v.wmacclo.h.x", v16i32, v32i16)
NPU_VECTOR_DVX(vec_wmacchi_h, "v.wmacchi.h.x", v16i32, v32i16)
NPU_VECTOR_VV(vec_wmullo_hh, "v.wmullo.h", v16i32, v32i16)
NPU_VECTOR_VV(vec_wmulhi_hh, "v.wmulhi.h", v16i32, v32i16)
NPU_VECTOR_VV(vec_packs_h, "v.packs.h", v32i16, v16i32)
NPU_VECTOR_VV(vec_packs_b, "v.packs.b", v64i8, v32i16)
NPU_VECTOR_VV(vec_pack_h, "v.pack.h", v32i16, v16i32)
NPU_VECTOR_VV(vec_pack_b, "v.pack.b", v64i8, v32i16)
NPU_VECTOR_V(vec_sxlo_b, "v.sxlo.b", v32i16, v64i8)
NPU_VECTOR_V(vec_sxhi_b, "v.sxhi.b", v32i16, v64i8)
NPU_VECTOR_LOAD(vec_load_b, "v.ldl.b", v64i8, int8_t)
NPU_VECTOR_STORE(vec_store_b, "v.stl.b", v64i8, int8_t)

// Full loads and stores at any address.
NPU_VECTOR_INLINE v64i8 vec_ld(const int8_t *p) { return *(const v64i8_any *)p; }
NPU_VECTOR_INLINE void vec_st(int8_t *p, v64i8 a) { *(v64i8_any *)p = a; }

// TFLite's MultiplyByQuantizedMultiplier with one multiplier and shift for all lanes.
NPU_VECTOR_INLINE v16i32 vec_mbqm(v16i32 d, int32_t multiplier, int32_t shift) {
  __asm__("v.mbqm.x %0, %1, %2" : "+vr"(d) : "r"(multiplier), "r"(shift));
  return d;
}

// The same, then zero point and clamp of NPU_CSR_NOQUANT.
NPU_VECTOR_INLINE v16i32 vec_rq(v16i32 d, int32_t multiplier, int32_t shift) {
  __asm__ volatile("v.rq.x %0, %1, %2" : "+vr"(d) : "r"(multiplier), "r"(shift));
  return d;
}

#endif // NPU_SRC_VECTOR_H
