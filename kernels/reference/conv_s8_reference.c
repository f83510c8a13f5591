// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conv_s8_reference.h"

#include <stddef.h>

static int32_t saturating_rounding_doubling_high_mul(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN)
    return INT32_MAX;
  const int64_t product = (int64_t)a * b;
  const int64_t nudge = product >= 0 ? (1 << 30) : 1 - (1 << 30);
  return (int32_t)((product + nudge) / ((int64_t)1 << 31));
}

static int32_t rounding_divide_by_power_of_two(int32_t value, int32_t exponent) {
  const int32_t mask = (int32_t)(((int64_t)1 << exponent) - 1);
  const int32_t remainder = value & mask;
  const int32_t threshold = (mask >> 1) + (value < 0);
  return (value >> exponent) + (remainder > threshold);
}

int32_t npu_reference_requantize(int32_t value, int32_t multiplier, int32_t shift) {
  const int32_t left = shift > 0 ? shift : 0;
  const int32_t right = shift > 0 ? 0 : -shift;
  const int32_t shifted = (int32_t)((uint32_t)value << left);
  return rounding_divide_by_power_of_two(saturating_rounding_doubling_high_mul(shifted, multiplier),
                                         right);
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
  const int32_t above = value < low ? low : value;
  return above > high ? high : above;
}

void npu_reference_conv_s8(const npu_conv_params *params, const npu_per_channel_quant *quant,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const int8_t *filter, const int32_t *bias,
                           const npu_dims *output_dims, int8_t *output) {
  const int32_t groups = params->groups > 1 ? params->groups : 1;
  for (int32_t n = 0; n < output_dims->n; ++n)
    for (int32_t y = 0; y < output_dims->h; ++y)
      for (int32_t x = 0; x < output_dims->w; ++x)
        for (int32_t co = 0; co < output_dims->c; ++co) {
          uint32_t acc = bias != NULL ? (uint32_t)bias[co] : 0;
          for (int32_t ky = 0; ky < filter_dims->h; ++ky)
            for (int32_t kx = 0; kx < filter_dims->w; ++kx) {
              const int32_t iy = y * params->stride.h + ky * params->dilation.h - params->padding.h;
              const int32_t ix = x * params->stride.w + kx * params->dilation.w - params->padding.w;
              if (iy < 0 || iy >= input_dims->h || ix < 0 || ix >= input_dims->w)
                continue;
              const int8_t *pixel =
                  input + ((size_t)(n * input_dims->h + iy) * input_dims->w + ix) * input_dims->c +
                  co / (output_dims->c / groups) * filter_dims->c;
              const int8_t *taps =
                  filter +
                  ((size_t)(co * filter_dims->h + ky) * filter_dims->w + kx) * filter_dims->c;
              for (int32_t ci = 0; ci < filter_dims->c; ++ci)
                acc += (uint32_t)((pixel[ci] + params->input_offset) * taps[ci]);
            }
          const int32_t scaled =
              npu_reference_requantize((int32_t)acc, quant->multiplier[co], quant->shift[co]);
          *output++ = (int8_t)clamp((int32_t)((uint32_t)scaled + (uint32_t)params->output_offset),
                                    params->activation_min, params->activation_max);
        }
}
