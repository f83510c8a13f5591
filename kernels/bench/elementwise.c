// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
//
// Vector operators. A line each with the operands in DRAM, and one, NAME_tcm/..., with them in the scratchpad:
//   BENCH name=NAME/ELEMENTS cycles=C macs=0 dram_bytes=B bus_bytes=B bus_width=16 ok=0|1
// bus_bytes are those read, the busier direction of the bus: their share of its bandwidth stands for the
// utilization. ok compares with plain C.

#include <npu/activation.h>
#include <npu/cycles.h>
#include <npu/elementwise.h>
#include <npu/placement.h>
#include <stdio.h>
#include <string.h>

enum { N = 8192, LARGE = 65536, CHANNELS = 32 };

static _Alignas(64) int8_t a[N], b[N], out[N];
static _Alignas(64) NPU_DRAM_BSS int8_t dram_a[LARGE], dram_b[LARGE], dram_out[LARGE];
static _Alignas(16) uint8_t buffer[32768];
static const npu_context context = {buffer, sizeof buffer};

static const npu_add_params add_params = {.input1_offset = 3,
                                          .input2_offset = -7,
                                          .output_offset = 5,
                                          .input1_multiplier = 1 << 30,
                                          .input2_multiplier = 1431655765,
                                          .input2_shift = -1,
                                          .output_multiplier = 1717986918,
                                          .output_shift = -18,
                                          .activation_min = -128,
                                          .activation_max = 127};
static const npu_mul_params mul_params = {3, -7, 5, 1717986918, -7, -128, 127};

static int32_t requantize(int32_t x, int32_t multiplier, int32_t shift) {
  const int64_t product = (int64_t)x * multiplier;
  const int32_t high = (int32_t)((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / (1LL << 31));
  const int32_t mask = (int32_t)((1u << -shift) - 1), rest = high & mask;
  return (high >> -shift) + (rest > (mask >> 1) + (high < 0));
}

static int8_t clamp(int32_t x) { return (int8_t)(x < -128 ? -128 : x > 127 ? 127 : x); }

static int8_t add_reference(int32_t x, int32_t y) {
  const npu_add_params *p = &add_params;
  const int32_t sum =
      requantize((x + p->input1_offset) * (1 << 20), p->input1_multiplier, p->input1_shift) +
      requantize((y + p->input2_offset) * (1 << 20), p->input2_multiplier, p->input2_shift);
  return clamp(requantize(sum, p->output_multiplier, p->output_shift) + p->output_offset);
}

static int8_t mul_reference(int32_t x, int32_t y) {
  const npu_mul_params *p = &mul_params;
  return clamp(requantize((x + p->input1_offset) * (y + p->input2_offset), p->output_multiplier,
                          p->output_shift) +
               p->output_offset);
}

static int8_t maximum_reference(int32_t x, int32_t y) { return (int8_t)(x > y ? x : y); }

static npu_status add(const npu_dims *d, const int8_t *x, const npu_dims *e, const int8_t *y, int8_t *z) {
  return npu_add_s8(&context, &add_params, d, x, e, y, d, z);
}

static npu_status mul(const npu_dims *d, const int8_t *x, const npu_dims *e, const int8_t *y, int8_t *z) {
  return npu_mul_s8(&context, &mul_params, d, x, e, y, d, z);
}

static npu_status maximum(const npu_dims *d, const int8_t *x, const npu_dims *e, const int8_t *y,
                          int8_t *z) {
  return npu_maximum_s8(&context, d, x, e, y, d, z);
}

typedef struct binary {
  const char *name;
  npu_status (*run)(const npu_dims *, const int8_t *, const npu_dims *, const int8_t *, int8_t *);
  int8_t (*reference)(int32_t, int32_t);
} binary;

static const binary binaries[] = {
    {"add_int8", add, add_reference}, {"mul_int8", mul, mul_reference}, {"maximum_int8", maximum, maximum_reference}};

// read: bytes from DRAM; as many as there are elements go back.
static void report(const char *name, const char *place, const char *form, uint32_t n, uint32_t cycles,
                   uint32_t read, int ok) {
  printf("BENCH name=%s%s/%s%lu cycles=%lu macs=0 dram_bytes=%lu bus_bytes=%lu bus_width=16 ok=%d\n", name,
         place, form, (unsigned long)n, (unsigned long)cycles, (unsigned long)(read != 0 ? read + n : 0),
         (unsigned long)read, ok);
}

// `channels` elements of the second operand for each of the first, or as many as it has.
static int measure(const binary *op, int in_dram, uint32_t n, uint32_t channels) {
  const npu_dims dims = {1, 1, (int32_t)(n / channels), (int32_t)channels};
  const npu_dims second = {1, 1, channels == n ? dims.w : 1, (int32_t)channels};
  const int8_t *x = in_dram ? dram_a : a, *y = in_dram ? dram_b : b;
  int8_t *z = in_dram ? dram_out : out;
  const uint32_t start = npu_cycles32();
  int ok = op->run(&dims, x, &second, y, z) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;
  for (uint32_t i = 0; i < n; i += n > N ? 37 : 1)
    ok &= z[i] == op->reference(x[i], y[channels == n ? i : i % channels]);
  report(op->name, in_dram ? "" : "_tcm", channels == n ? "" : "channels", n, cycles,
         in_dram ? n + channels : 0, ok);
  return ok;
}

// Any activation is a table of 256 bytes.
static int measure_activation(int in_dram, uint32_t n) {
  static int8_t table[NPU_ACTIVATION_TABLE_BYTES];
  const npu_leaky_relu_params params = {5, -9, 1717986918, 1, 1717986918, -2};
  int ok = npu_leaky_relu_s8_table(&params, table) == NPU_OK;
  const int8_t *x = in_dram ? dram_a : a;
  int8_t *z = in_dram ? dram_out : out;
  const uint32_t start = npu_cycles32();
  ok &= npu_activation_s8(&context, table, n, x, z) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;
  for (uint32_t i = 0; i < n; i += n > N ? 37 : 1)
    ok &= z[i] == table[(uint8_t)x[i]];
  report("activation_int8", in_dram ? "" : "_tcm", "", n, cycles, in_dram ? n : 0, ok);
  return ok;
}

int main(void) {
  uint32_t state = 1;
  for (uint32_t i = 0; i < LARGE; ++i) {
    state = state * 1664525 + 1013904223;
    dram_a[i] = (int8_t)(state >> 24);
    dram_b[i] = (int8_t)(state >> 16);
  }
  memcpy(a, dram_a, N);
  memcpy(b, dram_b, N);
  int ok = 1;
  for (uint32_t i = 0; i < sizeof binaries / sizeof *binaries; ++i) {
    ok &= measure(&binaries[i], 0, N, N);
    ok &= measure(&binaries[i], 0, N, CHANNELS);
    ok &= measure(&binaries[i], 1, N, N);
    ok &= measure(&binaries[i], 1, LARGE, LARGE);
    ok &= measure(&binaries[i], 1, LARGE, CHANNELS);
  }
  ok &= measure_activation(0, N);
  ok &= measure_activation(1, N);
  ok &= measure_activation(1, LARGE);
  return !ok;
}
