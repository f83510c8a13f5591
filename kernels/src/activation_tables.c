// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of the int8 activations. Plain C that runs on the host as well.

#include "npu/activation.h"

#include "requantize.h"

#include <math.h>

static int offsets_valid(int32_t input_offset, int32_t output_offset) {
  return npu_in_range(input_offset, -127, 128) && npu_in_range(output_offset, -128, 127);
}

npu_status npu_relu_s8_table(const npu_relu_params *params, int8_t *table) {
  if (!offsets_valid(params->input_offset, params->output_offset) || params->multiplier < 0 ||
      !npu_in_range(params->shift, -31, 31) || !npu_in_range(params->activation_min, -128, 127) ||
      !npu_in_range(params->activation_max, params->activation_min, 127))
    return NPU_ERROR_ARGUMENT;
  for (int32_t x = -128; x < 128; ++x) {
    const int32_t scaled = npu_mbqm(x + params->input_offset, params->multiplier, params->shift);
    table[(uint8_t)x] = (int8_t)npu_clamp(scaled + params->output_offset, params->activation_min,
                                          params->activation_max);
  }
  return NPU_OK;
}

npu_status npu_leaky_relu_s8_table(const npu_leaky_relu_params *params, int8_t *table) {
  if (!offsets_valid(params->input_offset, params->output_offset) ||
      params->identity_multiplier < 0 || params->alpha_multiplier == INT32_MIN ||
      !npu_in_range(params->identity_shift, -31, 31) || !npu_in_range(params->alpha_shift, -31, 31))
    return NPU_ERROR_ARGUMENT;
  const int32_t alpha = params->alpha_multiplier;
  for (int32_t x = -128; x < 128; ++x) {
    const int32_t value = x + params->input_offset;
    int32_t scaled;
    if (value >= 0)
      scaled = npu_mbqm(value, params->identity_multiplier, params->identity_shift);
    else if (alpha >= 0)
      scaled = npu_mbqm(value, alpha, params->alpha_shift);
    else
      scaled = -npu_mbqm(value, -alpha, params->alpha_shift);
    table[(uint8_t)x] = (int8_t)npu_clamp(scaled + params->output_offset, -128, 127);
  }
  return NPU_OK;
}

static int16_t shift_left_16(int16_t value, int32_t amount) {
  const int64_t shifted = value * (1LL << amount);
  return (int16_t)(shifted < INT16_MIN ? INT16_MIN : shifted > INT16_MAX ? INT16_MAX : shifted);
}

npu_status npu_hard_swish_s8_table(const npu_hard_swish_params *params, int8_t *table) {
  if (!offsets_valid(params->input_offset, params->output_offset) ||
      !npu_in_range(params->output_multiplier, 0, INT16_MAX) ||
      !npu_in_range(params->reluish_multiplier, 0, INT16_MAX) ||
      !npu_in_range(params->output_shift, -15, 0) || !npu_in_range(params->reluish_shift, -15, 31))
    return NPU_ERROR_ARGUMENT;
  const int32_t exponent = params->reluish_shift;
  for (int32_t x = -128; x < 128; ++x) {
    const int16_t value = (int16_t)((x + params->input_offset) * (1 << 7));
    // x on the output's scale, not shifted yet.
    const int16_t identity = npu_srdhm16(value, (int16_t)params->output_multiplier);
    // x / 3, saturated to -1..1; the last left shift behind the multiplication saturates correctly.
    int16_t gate = exponent > 0 ? shift_left_16(value, exponent - 1) : value;
    gate = npu_srdhm16(gate, (int16_t)params->reluish_multiplier);
    if (exponent > 0)
      gate = shift_left_16(gate, 1);
    else
      gate = (int16_t)npu_rdivpot(gate, -exponent);
    gate = (int16_t)((gate + (1 << 15)) >> 1); // 0..1
    // A doubling high product that rounds towards zero; gate is not negative, so it cannot
    // overflow.
    const int16_t product = (int16_t)(gate * identity / (1 << 15));
    const int32_t out = npu_rdivpot(product, -params->output_shift) + params->output_offset;
    table[(uint8_t)x] = (int8_t)npu_clamp(out, -128, 127);
  }
  return NPU_OK;
}

// LUTPopulate<int8_t>: everything in single precision, but for the function itself.
static npu_status fill(double (*function)(double), float input_scale, int32_t input_zero_point,
                       float output_scale, int32_t output_zero_point, int8_t *table) {
  if (!(input_scale > 0) || !(output_scale > 0) || !npu_in_range(input_zero_point, -128, 127) ||
      !npu_in_range(output_zero_point, -128, 127))
    return NPU_ERROR_ARGUMENT;
  const float inverse = 1 / output_scale;
  for (int32_t x = -128; x < 128; ++x) {
    const float value = input_scale * (float)(x - input_zero_point);
    const float result = (float)function((double)value);
    const float scaled = roundf(result * inverse) + (float)output_zero_point;
    table[(uint8_t)x] = (int8_t)(scaled < -128 ? -128 : scaled > 127 ? 127 : scaled);
  }
  return NPU_OK;
}

// The intermediate results of TFLite's expression are floats.
static double logistic(double x) {
  return 1.0f / (1.0f + (float)exp(-x));
}

npu_status npu_logistic_s8_table(float input_scale, int32_t input_zero_point, float output_scale,
                                 int32_t output_zero_point, int8_t *table) {
  return fill(logistic, input_scale, input_zero_point, output_scale, output_zero_point, table);
}

npu_status npu_tanh_s8_table(float input_scale, int32_t input_zero_point, float output_scale,
                             int32_t output_zero_point, int8_t *table) {
  return fill(tanh, input_scale, input_zero_point, output_scale, output_zero_point, table);
}
