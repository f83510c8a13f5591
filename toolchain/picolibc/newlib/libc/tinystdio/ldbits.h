// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 128-bit long double taken apart, for the two engines that print it.

#ifndef NPU_LDBITS_H
#define NPU_LDBITS_H

#include "dtoa.h"

#define EXPONENT_MAX 0x7fff

struct ldbits {
    _u128 mantissa; /* the implicit bit is bit 112 */
    int exponent;   /* the field; 1 for subnormal numbers and zero, whose implicit bit is 0 */
};

/* Fills in the flags, too. false: x is an infinity or not a number, and the flags say all of it. */
static inline bool
ldbits_unpack(long double x, struct dtoa *dtoa, struct ldbits *bits)
{
    _u128 mantissa = asuintld(x);
    int exponent = (mantissa.hi >> 48) & EXPONENT_MAX;
    mantissa.hi &= 0xffffffffffff;

    dtoa->flags = signbit(x) ? DTOA_MINUS : 0;
    if (exponent == EXPONENT_MAX) {
        dtoa->flags |= _u128_is_zero(mantissa) ? DTOA_INF : DTOA_NAN;
        return false;
    }
    if (exponent)
        mantissa.hi |= 1ull << 48;
    else
        exponent = 1;
    *bits = (struct ldbits) { mantissa, exponent };
    return true;
}

#endif
