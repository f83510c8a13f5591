// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// m10 * 10^e10 as a 128-bit long double for scanf and strtold, instead of picolibc's: correctly
// rounded, and without the soft-float library.

#include "stdio_private.h"

#include <stdint.h>
#include <string.h>

#define MANTISSA_BITS 112
/* Exponents of the lowest bit of the smallest and the largest mantissa. */
#define LOWEST_EXPONENT (2 - __LDBL_MAX_EXP__ - MANTISSA_BITS)
#define HIGHEST_EXPONENT (__LDBL_MAX_EXP__ - 1 - MANTISSA_BITS)
/* m10 has at most 39 digits: below and above these powers it is 0 and infinity. */
#define POWER_MIN (__LDBL_MIN_10_EXP__ - 75)
#define POWER_MAX (__LDBL_MAX_10_EXP__ + 1)
/* Bits in front of m10 that a division by 10^n uses up, rounded up: 10 < 2^(10/3). Those of the
 * quotient that are left exceed a mantissa. */
#define SPARE_HALVES(n) (((n) * 10 / 3 + MANTISSA_BITS) / 16 + 2)
/* The largest product has m10 times 10^POWER_MAX. */
#define HALVES (SPARE_HALVES(-POWER_MIN) + 9)

static int
trim(const uint16_t *half, int top)
{
    while (top && !half[top - 1])
        top--;
    return top;
}

/* Bit 0 of the result is the number's bit 'from', which may be below it. */
static _u128
extract(const uint16_t *half, int top, int from)
{
    _u128 bits = _u128_zero;
    for (int i = MANTISSA_BITS; i >= 0; i--) {
        int bit = from + i;
        bits = _u128_lshift(bits, 1);
        if (bit >= 0 && bit < 16 * top)
            bits.lo |= half[bit / 16] >> (bit % 16) & 1;
    }
    return bits;
}

static bool
any_below(const uint16_t *half, int bit)
{
    for (int i = 0; i < bit / 16; i++)
        if (half[i])
            return true;
    return half[bit / 16] & ((1u << (bit % 16)) - 1);
}

long double
__atold_engine(_u128 m10, int e10)
{
    static const uint16_t power[] = { 1, 10, 100, 1000, 10000 };
    if (_u128_is_zero(m10) || e10 < POWER_MIN)
        return 0;
    if (e10 > POWER_MAX)
        return __builtin_infl();

    /* The number is an integer of halfwords times 2^exponent, and less than one unit more. */
    uint16_t half[HALVES];
    int spare = e10 < 0 ? SPARE_HALVES(-e10) : 0, top = spare + 8, exponent = -16 * spare;
    uint64_t words[2] = { m10.lo, m10.hi };
    memset(half, 0, 2 * spare);
    for (int i = 0; i < 8; i++)
        half[spare + i] = words[i / 4] >> (16 * (i % 4));
    top = trim(half, top);

    bool more = false;
    for (int left = e10 < 0 ? -e10 : e10; left > 0; left -= 4) {
        uint32_t factor = power[left < 4 ? left : 4], carry = 0;
        if (e10 < 0) {
            for (int i = top - 1; i >= 0; i--) {
                carry = carry << 16 | half[i];
                half[i] = carry / factor;
                carry %= factor;
            }
            more |= carry != 0;
        } else {
            for (int i = 0; i < top; i++) {
                carry += half[i] * factor;
                half[i] = carry;
                carry >>= 16;
            }
            if (carry)
                half[top++] = carry;
        }
        top = trim(half, top);
    }

    /* The mantissa begins at the highest bit, or where those of subnormal numbers do. */
    int from = 16 * top - __builtin_clz((uint32_t) half[top - 1] << 16) - 1 - MANTISSA_BITS;
    if (from + exponent < LOWEST_EXPONENT)
        from = LOWEST_EXPONENT - exponent;
    exponent += from;
    _u128 bits = extract(half, top, from);
    if (from > 0 && from <= 16 * top) {
        bool up = half[(from - 1) / 16] >> ((from - 1) % 16) & 1;
        if (up && (more || (bits.lo & 1) || any_below(half, from - 1)))
            bits = _u128_plus_64(bits, 1); /* may carry into the next power of two */
    }
    if (bits.hi >> 49) {
        bits = _u128_rshift(bits, 1);
        exponent++;
    }
    if (exponent > HIGHEST_EXPONENT)
        return __builtin_infl();
    /* The mantissa's highest bit, if it is there, adds one to the exponent. */
    bits.hi += (uint64_t) (exponent - LOWEST_EXPONENT) << 48;
    return aslongdouble(bits);
}
