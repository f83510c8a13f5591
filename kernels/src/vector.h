// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that the vector kernels share: blocks of 64 elements as bytes, halfwords or words.

#ifndef NPU_SRC_VECTOR_H
#define NPU_SRC_VECTOR_H

#include <npu_intrinsics.h>
#include <stdint.h>

enum { NPU_BLOCK = 64 }; // bytes of a vector

#define NPU_VECTOR_INLINE static inline __attribute__((always_inline))

// 64 elements in order.
typedef struct npu_halves {
  npu_int16x32_t lo, hi;
} npu_halves;

typedef struct npu_words {
  npu_int32x16_t q[4];
} npu_words;

NPU_VECTOR_INLINE npu_words npu_widen(npu_halves h) {
  return (npu_words){{npu_v_extlo(h.lo), npu_v_exthi(h.lo), npu_v_extlo(h.hi), npu_v_exthi(h.hi)}};
}

// h * factor, a 16-bit number.
NPU_VECTOR_INLINE npu_words npu_widen_mul(npu_halves h, int32_t factor) {
  const npu_int16x32_t f = npu_v_bcast_h(factor);
  return (npu_words){
      {npu_v_wmullo(h.lo, f), npu_v_wmulhi(h.lo, f), npu_v_wmullo(h.hi, f), npu_v_wmulhi(h.hi, f)}};
}

// The low byte of words that fit a signed one.
NPU_VECTOR_INLINE npu_int8x64_t npu_narrow(npu_words w) {
  return npu_v_pack(npu_v_pack(w.q[0], w.q[1]), npu_v_pack(w.q[2], w.q[3]));
}

// Requantized with the zero point and clamp of NPU_CSR_NOQUANT.
NPU_VECTOR_INLINE npu_int8x64_t npu_requantize_block(npu_words w, int32_t multiplier,
                                                     int32_t shift) {
  for (int i = 0; i < 4; ++i)
    w.q[i] = npu_v_rq(w.q[i], multiplier, shift);
  return npu_narrow(w);
}

#endif // NPU_SRC_VECTOR_H
