// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scale of a fully connected layer's sums. TFLite's kernel has it as a double and rounds twice:
// the product of a sum and the scale to a double, that to the nearest integer, halves away from
// zero. All of it here is integer arithmetic, the same on any host and on the NPU.

#ifndef NPU_SCALE_H
#define NPU_SCALE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// significand * 2^-right, the significand 2^52..2^53-1, or 0 * 2^0.
typedef struct npu_scale {
  uint64_t significand;
  int32_t right;
} npu_scale;

// Takes a double (8 bytes in the order of the machine) apart; 0 if it is negative, not a number, or
// 2^limit and more. What is too small to be normalized counts as 0.
int npu_scale_from(const void *value, int32_t limit, npu_scale *scale);

// What TFLite makes of a sum of up to 53 bits, modulo 2^32, which it cannot exceed by definition:
// there the conversion from double has no defined result.
int32_t npu_scale_sum(npu_scale scale, int64_t sum);

// The multiplier and shift of TFLite's QuantizeMultiplier: multiplier * 2^(shift - 31) is next to
// the scale. Scales below 2^least, least >= -53, give 0.
void npu_scale_multiplier(npu_scale scale, int32_t least, int32_t *multiplier, int32_t *shift);

// A multiplier and a shift that give what npu_scale_sum gives, up to results of +-largest (at most
// 510; beyond them, results beyond), for every sum of 32 bits; 0 if there is none. No product with
// a sum is half an integer there, so that any rounding to the nearest is the right one, but
// it must be one rounding.
int npu_scale_exact_multiplier(npu_scale scale, int32_t largest, int32_t *multiplier,
                               int32_t *shift);

#ifdef __cplusplus
}
#endif

#endif // NPU_SCALE_H
