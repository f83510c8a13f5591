// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table of the softmax kernel. Plain C that runs on the host as well.

#include "npu/softmax.h"

#include "requantize.h"

enum {
  ENTRIES = 256,
  INPUT_FRACTION = 26, // the argument of exp: 5 integer bits
  SUM_SHIFT = 12,      // the sum: 12 integer bits
  SUM_BYTES = 3,
};

// exp(x) for x in -1/4..0 (below 0), 31 fraction bits: Taylor's series around -1/8 to the fourth
// power.
static int32_t exp_small(int32_t a) {
  const int32_t exp_of_minus_eighth = 1895147668, third = 715827883;
  const int32_t x = a + (1 << 28);
  const int32_t x2 = npu_srdhm(x, x);
  const int32_t x3 = npu_srdhm(x2, x);
  const int32_t x4 = npu_srdhm(x2, x2);
  const int32_t sum = npu_srdhm(npu_rdivpot(x4, 2) + x3, third) + x2; // x^2 + x^3/3 + x^4/12
  return exp_of_minus_eighth + npu_srdhm(exp_of_minus_eighth, x + npu_rdivpot(sum, 1));
}

// exp(a), a <= 0 with 26 fraction bits: a quarter's remainder, then factors exp(-2^k).
static int32_t exp_of(int32_t a) {
  static const int32_t factors[] = {1672461947, 1302514674, 790015084, 290630308,
                                    39332535,   720401,     242};
  const int32_t quarter = 1 << (INPUT_FRACTION - 2);
  if (a == 0)
    return INT32_MAX;
  const int32_t small = (a & (quarter - 1)) - quarter;
  const int32_t rest = small - a;
  int32_t result = exp_small(small * (1 << 5));
  for (int k = 0; k < 7; ++k)
    if (rest & quarter << k)
      result = npu_srdhm(result, factors[k]);
  return result;
}

npu_status npu_softmax_s8_table(const npu_softmax_params *params, void *table) {
  if (params->multiplier < 0 || !npu_in_range(params->shift, 0, 31) || params->diff_min > 0)
    return NPU_ERROR_ARGUMENT;
  int32_t *const exps = table;
  uint8_t *const sums = (uint8_t *)table + ENTRIES * sizeof *exps;
  for (int32_t i = 0; i < ENTRIES; ++i) {
    const int32_t value =
        -i >= params->diff_min ? exp_of(npu_mbqm(-i, params->multiplier, params->shift)) : 0;
    exps[i] = value;
    const int32_t sum = npu_rdivpot(value, SUM_SHIFT);
    for (int byte = 0; byte < SUM_BYTES; ++byte)
      sums[ENTRIES * byte + i] = (uint8_t)(sum >> 8 * byte);
  }
  return NPU_OK;
}
