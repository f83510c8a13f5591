// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are wider than what array and requantizer work on: products rounded once, and int16
// activations, which go through the array as two planes of bytes:
//
//   x = 256 high + low', low' = low byte - 128, so that sum w x = 256 sum w high + sum w low' + 128
//   sum w

#ifndef NPU_SRC_WIDE_H
#define NPU_SRC_WIDE_H

#include "vector.h"
#include "wide_table.h"

// Keeps two shifts and an or from becoming a funnel shift, for which there is no vector
// instruction.
NPU_VECTOR_INLINE npu_uint32x16_t npu_apart(npu_uint32x16_t x) {
  __asm__("" : "+vr"(x));
  return x;
}

// (2^32 high + low + 2^(total - 1)) >> total, whose result has 32 bits; total is 1..62 in each
// lane.
NPU_VECTOR_INLINE npu_int32x16_t npu_shift_rounded(npu_int32x16_t high, npu_uint32x16_t low,
                                                   npu_int32x16_t total) {
  // The rounding bit in the high word.
  const npu_int32x16_t far = npu_v_srr(high, total - 32);
  if (npu_v_redmin(total) > 32)
    return far;
  // In the low word, whose carry goes to the high one.
  const npu_uint32x16_t right = (npu_uint32x16_t)total, one = (npu_uint32x16_t)npu_v_bcast_w(1);
  const npu_uint32x16_t rounded = low + (one << ((right - 1) & 31));
  const npu_uint32x16_t carried = (npu_uint32x16_t)high - (npu_uint32x16_t)(rounded < low);
  const npu_uint32x16_t shifted =
      (carried << ((32 - right) & 31)) | npu_apart(rounded >> (right & 31));
  const npu_int32x16_t near =
      npu_v_sel(total == 32, (npu_int32x16_t)carried, (npu_int32x16_t)shifted);
  return npu_v_sel(total > 32, far, near);
}

// x * m * 2^(shift - 31) rounded once, halves away from zero: up, of one less where it is negative.
// shift -31..30.
NPU_VECTOR_INLINE npu_int32x16_t npu_requantize_once(npu_int32x16_t x, npu_int32x16_t m,
                                                     npu_int32x16_t shift) {
  const npu_int32x16_t high = npu_v_mulh(x, m), low = x * m, less = high >> 31;
  return npu_shift_rounded(high + (less & (low == 0)), (npu_uint32x16_t)(low + less), 31 - shift);
}

// 2^16 (2^32 high + low) + rest
typedef struct npu_wide {
  npu_int32x16_t high;
  npu_uint32x16_t low, rest;
} npu_wide;

// The sum 256 high + low + bias of up to 48 bits, times m >= 0.
NPU_VECTOR_INLINE npu_wide npu_wide_product(npu_int32x16_t high, npu_int32x16_t low,
                                            npu_int32x16_t bias_low, npu_int32x16_t bias_high,
                                            npu_int32x16_t m) {
  // 2^16 top + bottom, 0 <= bottom < 2^16.
  const npu_int32x16_t sum = ((high & 255) << 8) + (low & 0xFFFF) + bias_low;
  const npu_int32x16_t top = (high >> 8) + (low >> 16) + bias_high + (sum >> 16);
  const npu_uint32x16_t bottom = (npu_uint32x16_t)(sum & 0xFFFF), factor = (npu_uint32x16_t)m;
  const npu_uint32x16_t small = bottom * factor, large = npu_v_mulh(bottom, factor);
  const npu_uint32x16_t first = (npu_uint32x16_t)(top * m);
  npu_wide w;
  w.low = first + ((large << 16) | npu_apart(small >> 16));
  w.high = npu_v_mulh(top, m) - (npu_int32x16_t)(w.low < first);
  w.rest = small & 0xFFFF;
  return w;
}

// Products as TFLite's convolutions scale them: (x * m + 2^(14 - shift)) >> (15 - shift), m of 15
// bits, shift -31..7.
NPU_VECTOR_INLINE npu_int32x16_t npu_requantize_wide(npu_wide w, npu_int32x16_t shift) {
  const npu_int32x16_t far = npu_shift_rounded(w.high, w.low, -1 - shift);
  if (npu_v_redmax(shift) <= -2)
    return far;
  // Shifts by 8..16 reach into the rest.
  const npu_uint32x16_t up = (npu_uint32x16_t)(shift + 1), total = (npu_uint32x16_t)(15 - shift);
  const npu_uint32x16_t one = (npu_uint32x16_t)npu_v_bcast_w(1);
  const npu_uint32x16_t near =
      (w.low << (up & 31)) + ((w.rest + (one << ((total - 1) & 31))) >> (total & 31));
  return npu_v_sel(shift <= -2, far, (npu_int32x16_t)near);
}

// npu_wide_product and this where m has 15 bits and no shift is above -2: fewer cases, no rest.
NPU_VECTOR_INLINE npu_int32x16_t npu_requantize_wide_right(npu_int32x16_t high, npu_int32x16_t low,
                                                           npu_int32x16_t bias_low,
                                                           npu_int32x16_t bias_high,
                                                           npu_int32x16_t m, npu_int32x16_t shift) {
  const npu_int32x16_t sum = ((high & 255) << 8) + (low & 0xFFFF) + bias_low;
  const npu_int32x16_t top = (high >> 8) + (low >> 16) + bias_high + (sum >> 16);
  const npu_uint32x16_t first = (npu_uint32x16_t)(top * m),
                        all = first + ((npu_uint32x16_t)((sum & 0xFFFF) * m) >> 16);
  const npu_uint32x16_t right = (npu_uint32x16_t)(-1 - shift);
  const npu_uint32x16_t one = (npu_uint32x16_t)npu_v_bcast_w(1);
  const npu_uint32x16_t rounded = all + (one << (right - 1));
  const npu_int32x16_t carried =
      npu_v_mulh(top, m) - (npu_int32x16_t)(all < first) - (npu_int32x16_t)(rounded < all);
  return (npu_int32x16_t)(((npu_uint32x16_t)carried << (32 - right)) | npu_apart(rounded >> right));
}

// (2^32 high + low + rest / 2^16) / 2^total rounded, halves up, and 32 bits of its fraction, cut
// off behind them; total is 1..63.
NPU_VECTOR_INLINE npu_int32x16_t npu_round_wide(npu_wide w, npu_int32x16_t total,
                                                npu_uint32x16_t *fraction) {
  const npu_uint32x16_t right = (npu_uint32x16_t)total & 31, left = (32 - right) & 31,
                        high = (npu_uint32x16_t)w.high;
  const npu_int32x16_t far = total >= 32;
  // Shifted by right; where that is 0, far is true.
  const npu_int32x16_t top = w.high >> right;
  const npu_uint32x16_t middle = npu_apart(((high << 1) << (31 - right))) | (w.low >> right),
                        bottom = (w.low << left) | npu_apart((w.rest << 16) >> right);
  const npu_uint32x16_t f =
      (npu_uint32x16_t)npu_v_sel(far, (npu_int32x16_t)middle, (npu_int32x16_t)bottom);
  *fraction = f;
  return npu_v_sel(far, top, (npu_int32x16_t)middle) + (npu_int32x16_t)(f >> 31);
}

// Splits `count` halfwords into the planes of their bytes.
NPU_VECTOR_INLINE void npu_split_bytes(const void *from, uint32_t count, int8_t *low,
                                       int8_t *high) {
  const int8_t *at = from;
  const npu_int8x64_t half = npu_v_bcast_b(-128);
  for (uint32_t left = count; left != 0;) {
    const uint32_t n = left < NPU_BLOCK ? left : NPU_BLOCK;
    const npu_int8x64_t a = npu_v_ldl_b(at, 2 * n);
    const npu_int8x64_t b = npu_v_ldl_b(at + NPU_BLOCK, n > NPU_BLOCK / 2 ? 2 * n - NPU_BLOCK : 0);
    npu_v_stl_b(npu_v_unzipe(a, b) ^ half, low, n);
    npu_v_stl_b(npu_v_unzipo(a, b), high, n);
    at += 2 * NPU_BLOCK;
    low += NPU_BLOCK;
    high += NPU_BLOCK;
    left -= n;
  }
}

#endif // NPU_SRC_WIDE_H
