// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales of fully connected layers (npu/scale.h). Portable: any host.

#include "npu/scale.h"

#include <string.h>

enum {
  FRACTION = 52, // bits of a double's significand behind the first one
  BIAS = 1023,
  SPARE = 22,       // bits of a significand of 53 that a multiplier of 31 leaves out
  MOST_RESULT = 510 // of bytes and a zero point
};

int npu_scale_from(const void *value, int32_t limit, npu_scale *scale) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  const int32_t exponent = (int32_t)(bits >> FRACTION); // of a negative number at least 2048
  *scale = (npu_scale){0, 0};
  if (exponent == 0)
    return 1;
  *scale = (npu_scale){(bits & (((uint64_t)1 << FRACTION) - 1)) | (uint64_t)1 << FRACTION,
                       BIAS + FRACTION - exponent};
  return exponent < BIAS + limit;
}

// 2^64 high + low
typedef struct wide {
  uint64_t high, low;
} wide;

static wide product(uint64_t a, uint64_t b) {
  const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  const uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)cross;
  return (wide){a1 * b1 + (cross >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

int32_t npu_scale_sum(npu_scale scale, int64_t sum) {
  const uint64_t size = sum < 0 ? -(uint64_t)sum : (uint64_t)sum;
  wide p = product(size, scale.significand);
  // To 53 bits, ties to even: the bits that leave at the right, and whether any before them did.
  int32_t right = scale.right, rest = 0;
  uint64_t q = p.low, last = 0;
  for (; p.high != 0 || p.low >> (FRACTION + 1) != 0; --right) {
    rest |= last != 0;
    last = p.low & 1;
    p.low = p.low >> 1 | p.high << 63;
    p.high >>= 1;
    q = p.low;
  }
  q += last & ((uint64_t)rest | (q & 1));
  // To an integer, halves up.
  if (right <= 0)
    q = right > -32 ? q << -right : 0;
  else
    q = right <= FRACTION + 2 ? ((q >> (right - 1)) + 1) >> 1 : 0;
  return (int32_t)(uint32_t)(sum < 0 ? -q : q);
}

void npu_scale_multiplier(npu_scale scale, int32_t least, int32_t *multiplier, int32_t *shift) {
  const uint64_t rounded = (scale.significand + (1 << (SPARE - 1))) >> SPARE;
  *multiplier = *shift = 0;
  if (scale.significand == 0 || scale.right > FRACTION - least)
    return;
  *shift = FRACTION + 1 - scale.right;
  *multiplier = (int32_t)rounded;
  if (rounded >> 31 != 0) {
    *multiplier = 1 << 30;
    ++*shift;
  }
}

// 2^exponent = quotient * significand + rest
static uint64_t divide_power(int32_t exponent, uint64_t significand, uint64_t *rest) {
  uint64_t quotient = 0, left = (uint64_t)1 << (exponent < FRACTION ? exponent : FRACTION);
  for (int32_t bit = FRACTION;; ++bit) {
    quotient <<= 1;
    if (left >= significand) {
      left -= significand;
      ++quotient;
    }
    if (bit >= exponent)
      break;
    left <<= 1;
  }
  *rest = left;
  return quotient;
}

// Whether significand + error in the place of the significand gives the same results. Result k
// begins at the first sum `t` whose product, rounded to a double, reaches k - 1/2: one that misses
// it by no more than half a unit in its last place does, too. Numbers are in units of 2^-right;
// over: t * significand - (k - 1/2) * 2^right.
static int same_results(npu_scale scale, int32_t largest, int64_t error) {
  const int64_t z = (int64_t)scale.significand;
  uint64_t rest;
  const int64_t step = (int64_t)divide_power(scale.right, scale.significand, &rest);
  const int64_t step_rest = (int64_t)rest;
  int64_t t = (int64_t)divide_power(scale.right - 1, scale.significand, &rest),
          over = -(int64_t)rest;
  int32_t unit = scale.right - FRACTION - 3; // logarithm of what a product may miss
  for (int32_t k = 1; k <= largest; ++k) {
    const int64_t slack = unit >= 0 ? (int64_t)1 << unit : 0;
    if (over < -slack) {
      ++t;
      over += z;
    } else if (over >= z - slack) { // the slack has grown
      --t;
      over -= z;
    }
    if (over + t * error <= 0 || over - z + (t - 1) * error >= 0)
      return 0;
    if (t > (int64_t)1 << 31)
      break;
    if (k == 1)
      unit += 2; // below a power of two doubles lie twice as close
    else if ((k & (k - 1)) == 0)
      ++unit;
    t += step;
    over -= step_rest;
  }
  return 1;
}

int npu_scale_exact_multiplier(npu_scale scale, int32_t largest, int32_t *multiplier,
                               int32_t *shift) {
  const int64_t grid = 1 << SPARE, z = (int64_t)scale.significand;
  npu_scale_multiplier(scale, -32, multiplier, shift);
  if (*multiplier == 0) // no sum is scaled to a half
    return 1;
  if (scale.right < 1 || largest > MOST_RESULT)
    return 0;
  // The nearest multiplier, and the nearest on the other side: what lies farther away is not
  // better.
  const int64_t nearest = ((z + grid / 2) & -grid) - z;
  int64_t error = nearest;
  if (!same_results(scale, largest, error)) {
    error = nearest > 0 ? nearest - grid : nearest + grid;
    if (!same_results(scale, largest, error)) {
      if (nearest != 0)
        return 0;
      error = -grid;
      if (!same_results(scale, largest, error))
        return 0;
    }
  }
  const int64_t m = (z + error) >> SPARE;
  *shift = FRACTION + 1 - scale.right + (int32_t)(m >> 31);
  *multiplier = m >> 31 != 0 ? 1 << 30 : (int32_t)m;
  return 1;
}
