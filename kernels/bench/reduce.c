// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
//
// Softmax, mean over h and w, argmax: NAME/... with the operands in DRAM, NAME_tcm/... in the
// scratchpad.

#include "vector_bench.h"

#include <npu/reduce.h>
#include <npu/softmax.h>

enum { ROW = 1000 };

static npu_status run_softmax(const operands *o, uint32_t n, const void *table) {
  const int32_t depth = n < ROW ? (int32_t)n : ROW;
  return npu_softmax_s8(&context, table, (int32_t)n / depth, depth, o->x, o->z);
}

// A row's outputs add up to about 1.
static int check_softmax(const operands *o, uint32_t n, const void *table) {
  (void)table;
  const uint32_t depth = n < ROW ? n : ROW;
  int32_t sum = 0;
  for (uint32_t i = 0; i < depth; ++i)
    sum += o->z[i] + 128;
  return sum > 128 && sum < 384;
}

static npu_status run_softmax_wide(const operands *o, uint32_t n, const void *table) {
  return npu_softmax_s8_s16(&context, table, (int32_t)n / ROW, ROW, o->x, (int16_t *)o->z);
}

static int check_softmax_wide(const operands *o, uint32_t n, const void *table) {
  (void)n, (void)table;
  int32_t sum = 0;
  for (uint32_t i = 0; i < ROW; ++i)
    sum += ((const int16_t *)o->z)[i] + 32768;
  return sum > 65536 - ROW && sum < 65536 + ROW;
}

// The mean over h and w of [1, h, w, c].
static npu_status run_mean(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  const npu_reduce_params params = {0, 0, 1 << 30, 1, {0, 1, 1, 0}};
  const npu_dims dims = {1, 1, (int32_t)n / 64, 64};
  return npu_mean_s8(&context, &params, &dims, o->x, o->z);
}

// Of a few channels: to within rounding.
static int check_mean(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  for (uint32_t c = 0; c < 64; c += CHECK_STEP) {
    int32_t sum = 0;
    for (uint32_t i = c; i < n; i += 64)
      sum += o->x[i];
    const int32_t half = (int32_t)n / 128,
                  mean = (sum + (sum < 0 ? -half : half)) / ((int32_t)n / 64);
    if (o->z[c] < mean - 1 || o->z[c] > mean + 1)
      return 0;
  }
  return 1;
}

static npu_status run_argmax(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  const npu_arg_dims dims = {1, (int32_t)n, 1};
  return npu_argmax_s8(&context, &dims, o->x, (int32_t *)o->z);
}

static int check_argmax(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  uint32_t best = 0;
  for (uint32_t i = 1; i < n; ++i)
    if (o->x[i] > o->x[best])
      best = i;
  return *(const uint32_t *)o->z == best;
}

int main(void) {
  static _Alignas(16) uint8_t table[NPU_SOFTMAX_TABLE_BYTES];
  const npu_softmax_params softmax = {1717986918, 23, -248};
  fill_operands();
  int ok = npu_softmax_s8_table(&softmax, table) == NPU_OK;
  for (int place = 0; place < 2; ++place) {
    const operands *o = &places[place];
    const uint32_t n = o->bytes, rows = n / ROW * ROW;
    ok &= measure("softmax_int8", "", run_softmax, check_softmax, o, 10, table, 10, 10);
    ok &= measure("softmax_int8", "", run_softmax, check_softmax, o, ROW, table, ROW, ROW);
    ok &= measure("softmax_int8", "", run_softmax, check_softmax, o, rows, table, rows, rows);
    const uint32_t half = n / 2 / ROW * ROW; // the output has two bytes
    ok &= measure("softmax_int8_int16", "", run_softmax_wide, check_softmax_wide, o, half, table,
                  half, 2 * half);
    ok &= measure("mean_int8", "", run_mean, check_mean, o, n, 0, n, 64);
    ok &= measure("argmax_int8", "", run_argmax, check_argmax, o, ROW, 0, ROW, 4);
  }
  return !ok;
}
