// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of quantize and dequantize. Plain C that runs on the host as well.

#include "npu/quantize.h"

#include "requantize.h"

#include <math.h>
#include <string.h>

enum {
  ENTRIES = 256,
  MANTISSA_BITS = 24,
};

static void put_planes(uint8_t *planes, int32_t entry, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int byte = 0; byte < 4; ++byte)
    planes[ENTRIES * byte + entry] = (uint8_t)(bits >> 8 * byte);
}

static int scale_valid(float scale, int32_t zero_point) {
  return scale >= 0x1p-100f && scale <= 0x1p100f && npu_in_range(zero_point, -128, 127);
}

npu_status npu_quantize_s8_table(float scale, int32_t zero_point, void *table) {
  if (!scale_valid(scale, zero_point))
    return NPU_ERROR_ARGUMENT;
  int exponent;
  const uint32_t mantissa = (uint32_t)ldexpf(frexpf(scale, &exponent), MANTISSA_BITS);
  const uint32_t head[4] = {(uint32_t)(((1ULL << 55) - 1) / mantissa),
                            (uint32_t)(exponent - MANTISSA_BITS), (uint32_t)zero_point, 0};
  memcpy(table, head, sizeof head);
  uint8_t *const planes = (uint8_t *)table + sizeof head;
  for (int32_t k = 0; k < ENTRIES; ++k) {
    const float steps = (float)(k + 1);
    // Near half a step, then to the exact border: the quotient is rounded to float first.
    float x = (float)(((double)k + 0.5) * (double)scale);
    while (roundf(x / scale) >= steps)
      x = nextafterf(x, 0);
    while (roundf(x / scale) < steps)
      x = nextafterf(x, INFINITY);
    put_planes(planes, k, x);
  }
  return NPU_OK;
}

npu_status npu_dequantize_s8_table(float scale, int32_t zero_point, void *table) {
  if (!scale_valid(scale, zero_point))
    return NPU_ERROR_ARGUMENT;
  for (int32_t q = -128; q < 128; ++q)
    put_planes(table, (uint8_t)q, (float)((double)scale * (double)(q - zero_point)));
  return NPU_OK;
}
