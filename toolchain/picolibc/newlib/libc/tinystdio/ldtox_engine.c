// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hexadecimal digits of a 128-bit long double for %La, in a third of the size of picolibc's.

#define _NEED_IO_LONG_DOUBLE

#include "ldbits.h"

#define EXPONENT_BIAS (__LDBL_MAX_EXP__ - 1)
/* Digits behind the point. */
#define DIGITS ((__LDBL_MANT_DIG__ - 1) / 4)

/* The number of digits behind the point: prec, or as many as there are when prec is negative. */
int
__ldtox_engine(long double x, struct dtoa *dtoa, int prec, unsigned char case_convert)
{
    struct ldbits bits;
    if (!ldbits_unpack(x, dtoa, &bits))
        return 0;
    _u128 mantissa = bits.mantissa;
    dtoa->exp = _u128_is_zero(mantissa) ? 0 : bits.exponent - EXPONENT_BIAS;

    char *digits = dtoa->digits;
    int last = 0;
    for (int i = 0; i <= DIGITS; i++) {
        digits[i] = (mantissa.hi >> 48) & 15;
        mantissa = _u128_lshift(mantissa, 4);
        if (digits[i])
            last = i;
    }
    if (prec < 0)
        prec = last;
    else if (prec >= DIGITS)
        prec = DIGITS;
    else {
        int next = digits[prec + 1];
        bool up = next > 8 || (next == 8 && (last > prec + 1 || digits[prec] % 2));
        /* The first digit is 0 or 1 and takes any carry. */
        for (int i = prec; up; i--) {
            digits[i] = (digits[i] + 1) % 16;
            up = !digits[i];
        }
    }
    for (int i = 0; i <= prec; i++)
        digits[i] += digits[i] < 10 ? '0' : 'a' - 10 - case_convert;
    return prec;
}
