// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decimal digits of a 128-bit long double for printf, instead of picolibc's: correctly rounded, and
// without the soft-float library, which made every program with printf 16 KiB larger.

#define _NEED_IO_LONG_DOUBLE

#include "ldbits.h"

#include <stdint.h>
#include <string.h>

#define MANTISSA_BITS 112
/* Exponent of the lowest bit of a mantissa whose exponent field is 1. */
#define LOWEST_EXPONENT (2 - __LDBL_MAX_EXP__ - MANTISSA_BITS)
/* Halfwords that hold the longest fraction, or the longest integer with its mantissa's shift. */
#define HALVES ((-LOWEST_EXPONENT + 15) / 16 + 8)

#define GROUP_DIGITS 4
#define GROUP 10000
/* Groups of an integer that matter: the first may have one digit, 34 and one to round are wanted. */
#define GROUPS 16
#define WANTED (LDTOA_MAX_DIG + 1)

/* A fixed-point number: halfwords 0 to point - 1 are the fraction. */
struct number {
    uint16_t half[HALVES];
    int point, top;
};

static void
load(struct number *n, _u128 mantissa, int exponent)
{
    /* The lowest bit of the mantissa is bit 'shift' of the number. */
    n->point = exponent < 0 ? (15 - exponent) / 16 : 0;
    int shift = exponent + 16 * n->point;
    memset(n->half, 0, sizeof n->half);
    uint64_t words[2] = { mantissa.lo, mantissa.hi };
    for (int i = 0; i < 8; i++) {
        uint32_t bits = (uint32_t) (uint16_t) (words[i / 4] >> (16 * (i % 4))) << (shift % 16);
        n->half[shift / 16 + i] |= bits;
        n->half[shift / 16 + i + 1] |= bits >> 16;
    }
    n->top = shift / 16 + 9;
}

/* Take the lowest group of digits off the integer. */
static unsigned
lowest_group(struct number *n)
{
    uint32_t rest = 0;
    for (int i = n->top - 1; i >= n->point; i--) {
        rest = rest << 16 | n->half[i];
        n->half[i] = rest / GROUP;
        rest %= GROUP;
    }
    return rest;
}

/* Take the next group of digits off the fraction. */
static unsigned
next_group(struct number *n)
{
    uint32_t carry = 0;
    for (int i = 0; i < n->point; i++) {
        carry += (uint32_t) n->half[i] * GROUP;
        n->half[i] = carry;
        carry >>= 16;
    }
    return carry;
}

static void
put_group(char *digits, unsigned group)
{
    for (int i = GROUP_DIGITS - 1; i >= 0; i--) {
        digits[i] = '0' + group % 10;
        group /= 10;
    }
}

static bool
any(const struct number *n, int from, int to)
{
    for (int i = from; i < to; i++)
        if (n->half[i])
            return true;
    return false;
}

/* Round the digits to count of them; whether the exponent grows by one. */
static bool
round_digits(char *digits, int count, bool more)
{
    int next = digits[count];
    for (int i = count + 1; !more && i < WANTED; i++)
        more = digits[i] != '0';
    bool odd = count && digits[count - 1] % 2;
    if (next < '5' || (next == '5' && !more && !odd))
        return false;
    int i = count - 1;
    while (i >= 0 && digits[i] == '9')
        digits[i--] = '0';
    if (i >= 0)
        digits[i]++;
    else
        digits[0] = '1';
    return i < 0;
}

int
__ldtoa_engine(long double x, struct dtoa *dtoa, int max_digits, bool fmode, int max_decimals)
{
    struct ldbits bits;
    if (!ldbits_unpack(x, dtoa, &bits))
        return 0;
    if (_u128_is_zero(bits.mantissa)) {
        dtoa->flags |= DTOA_ZERO;
        dtoa->digits[0] = '0';
        dtoa->exp = 0;
        return 1;
    }

    struct number n;
    load(&n, bits.mantissa, LOWEST_EXPONENT + bits.exponent - 1);

    /* The integer's groups come from the lowest up: the last ones stay. */
    uint16_t group[GROUPS];
    int groups = 0;
    bool more = false;
    while (n.top > n.point && !n.half[n.top - 1])
        n.top--;
    while (n.top > n.point) {
        if (groups >= GROUPS)
            more |= group[groups % GROUPS] != 0;
        group[groups++ % GROUPS] = lowest_group(&n);
        while (n.top > n.point && !n.half[n.top - 1])
            n.top--;
    }
    char buffer[GROUPS * GROUP_DIGITS];
    int count = 0, decimal = groups * GROUP_DIGITS - 1;
    for (int i = groups - 1; i >= 0 && i >= groups - GROUPS; i--, count += GROUP_DIGITS)
        put_group(buffer + count, group[i % GROUPS]);
    /* Groups of zeros in front of the fraction's first digit only move the point. */
    while (count < WANTED + GROUP_DIGITS) {
        unsigned next = next_group(&n);
        if (count || next) {
            put_group(buffer + count, next);
            count += GROUP_DIGITS;
        } else
            decimal -= GROUP_DIGITS;
    }
    more |= any(&n, 0, n.point);

    char *digits = buffer;
    for (; *digits == '0'; digits++)
        decimal--;
    for (const char *digit = digits + WANTED; !more && digit < buffer + count; digit++)
        more = *digit != '0';

    if (fmode) {
        int limit = max_decimals + decimal + 1;
        if (max_decimals < 0 && limit < 1)
            limit = 1;
        if (limit < 0) { /* less than half of the last decimal */
            dtoa->exp = decimal;
            return 0;
        }
        if (max_digits > limit)
            max_digits = limit;
    }
    if (round_digits(digits, max_digits, more)) {
        decimal++;
        if (!max_digits)
            max_digits = 1;
    }
    memcpy(dtoa->digits, digits, max_digits);
    dtoa->exp = decimal;
    return max_digits;
}
