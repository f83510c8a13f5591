// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
//
// Quantize, dequantize, requantize: NAME/... with the operands in DRAM, NAME_tcm/... in the
// scratchpad.

#include "vector_bench.h"

#include <npu/quantize.h>

static npu_status run_quantize(const operands *o, uint32_t n, const void *table) {
  return npu_quantize_f32_s8(&context, table, n, (const float *)o->x, o->z);
}

static int check_quantize(const operands *o, uint32_t n, const void *table) {
  (void)table;
  for (uint32_t i = 0; i < n; i += CHECK_STEP) {
    const float steps = ((const float *)o->x)[i] / 0.05f;
    if (steps > -1e6f && steps < 1e6f &&
        o->z[i] != bench_clamp((int32_t)(steps + (steps < 0 ? -0.5f : 0.5f)) + 3))
      return 0;
  }
  return 1;
}

static npu_status run_dequantize(const operands *o, uint32_t n, const void *table) {
  return npu_dequantize_s8_f32(&context, table, n, o->x, (float *)o->z);
}

static int check_dequantize(const operands *o, uint32_t n, const void *table) {
  (void)table;
  for (uint32_t i = 0; i < n; i += CHECK_STEP)
    if (((const float *)o->z)[i] != (float)((double)0.05f * (o->x[i] - 3)))
      return 0;
  return 1;
}

static npu_status run_requantize(const operands *o, uint32_t n, const void *arguments) {
  return npu_requantize(&context, arguments, n, o->x, o->z);
}

static int check_requantize(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  for (uint32_t i = 0; i < n; i += CHECK_STEP)
    if (((const int16_t *)o->z)[i] != bench_mbqm(o->x[i] - 3, 1717986918, -2))
      return 0;
  return 1;
}

int main(void) {
  static _Alignas(16) uint8_t table[NPU_QUANTIZE_TABLE_BYTES];
  fill_operands();
  int ok = 1;
  for (int place = 0; place < 2; ++place) {
    const operands *o = &places[place];
    const uint32_t n = o->bytes;
    ok &= npu_quantize_s8_table(0.05f, 3, table) == NPU_OK;
    ok &= measure("quantize_float32_int8", "", run_quantize, check_quantize, o, n, table, 4 * n, n);
    ok &= npu_dequantize_s8_table(0.05f, 3, table) == NPU_OK;
    ok &= measure("dequantize_int8_float32", "", run_dequantize, check_dequantize, o, n / 4, table,
                  n / 4, n);
    const npu_requantize_params params = {NPU_S8, NPU_S16, 3, 0, 1717986918, -2};
    ok &= measure("requantize_int8_int16", "", run_requantize, check_requantize, o, n / 4, &params,
                  n / 4, n / 2);
  }
  return !ok;
}
