// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
//
// Operators on the vector unit; NAME/... with the operands in DRAM, NAME_tcm/... in the scratchpad.
// ok compares with plain C.

#include "add_params.h"
#include "vector_bench.h"

#include <npu/activation.h>
#include <npu/elementwise.h>

enum { CHANNELS = 32 };

static const npu_mul_params mul_params = {3, -7, 5, 1717986918, -7, -128, 127};

static int8_t add_one(int32_t x, int32_t y) {
  const npu_add_params *p = &add_params;
  const int32_t sum =
      bench_mbqm((x + p->input1_offset) * (1 << 20), p->input1_multiplier, p->input1_shift) +
      bench_mbqm((y + p->input2_offset) * (1 << 20), p->input2_multiplier, p->input2_shift);
  return bench_clamp(bench_mbqm(sum, p->output_multiplier, p->output_shift) + p->output_offset);
}

static int8_t mul_one(int32_t x, int32_t y) {
  const npu_mul_params *p = &mul_params;
  return bench_clamp(bench_mbqm((x + p->input1_offset) * (y + p->input2_offset),
                                p->output_multiplier, p->output_shift) +
                     p->output_offset);
}

static int8_t maximum_one(int32_t x, int32_t y) {
  return (int8_t)(x > y ? x : y);
}

// Two inputs; the second one has `channels` elements, or 0: as many as the first.
typedef struct binary {
  int8_t (*one)(int32_t, int32_t);
  uint32_t channels;
} binary;

static npu_status run_binary(const operands *o, uint32_t n, const void *arguments) {
  const binary *b = arguments;
  const int32_t c = (int32_t)(b->channels != 0 ? b->channels : n);
  const npu_dims dims = {1, 1, (int32_t)n / c, c}, second = {1, 1, 1, c};
  if (b->one == add_one)
    return npu_add_s8(&context, &add_params, &dims, o->x, &second, o->y, &dims, o->z);
  if (b->one == mul_one)
    return npu_mul_s8(&context, &mul_params, &dims, o->x, &second, o->y, &dims, o->z);
  return npu_maximum_s8(&context, &dims, o->x, &second, o->y, &dims, o->z);
}

static int check_binary(const operands *o, uint32_t n, const void *arguments) {
  const binary *b = arguments;
  for (uint32_t i = 0; i < n; i += CHECK_STEP)
    if (o->z[i] != b->one(o->x[i], o->y[b->channels != 0 ? i % b->channels : i]))
      return 0;
  return 1;
}

static npu_status run_activation(const operands *o, uint32_t n, const void *table) {
  return npu_activation_s8(&context, table, n, o->x, o->z);
}

static int check_activation(const operands *o, uint32_t n, const void *table) {
  for (uint32_t i = 0; i < n; i += CHECK_STEP)
    if (o->z[i] != ((const int8_t *)table)[(uint8_t)o->x[i]])
      return 0;
  return 1;
}

int main(void) {
  static _Alignas(16) int8_t table[NPU_ACTIVATION_TABLE_BYTES];
  fill_operands();
  int ok = 1;
  static const struct {
    const char *name;
    int8_t (*one)(int32_t, int32_t);
  } binaries[] = {{"add_int8", add_one}, {"mul_int8", mul_one}, {"maximum_int8", maximum_one}};
  for (uint32_t i = 0; i < sizeof binaries / sizeof *binaries; ++i)
    for (int place = 0; place < 2; ++place) {
      const operands *o = &places[place];
      const binary same = {binaries[i].one, 0}, channels = {binaries[i].one, CHANNELS};
      ok &= measure(binaries[i].name, "", run_binary, check_binary, o, SMALL, &same, 2 * SMALL,
                    SMALL);
      if (o->bytes != SMALL)
        ok &= measure(binaries[i].name, "", run_binary, check_binary, o, o->bytes, &same, 2 * LARGE,
                      LARGE);
      ok &= measure(binaries[i].name, "channels", run_binary, check_binary, o, o->bytes, &channels,
                    LARGE + CHANNELS, LARGE);
    }
  const npu_leaky_relu_params leaky = {5, -9, 1717986918, 1, 1717986918, -2};
  ok &= npu_leaky_relu_s8_table(&leaky, table) == NPU_OK;
  for (int place = 0; place < 2; ++place) {
    const operands *o = &places[place];
    ok &= measure("activation_int8", "", run_activation, check_activation, o, o->bytes, table,
                  LARGE, LARGE);
  }
  return !ok;
}
