// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large layers of which one operand lies where no memory is: the operator gives NPU_ERROR_TRANSFER well before the
// layer's end, all units are idle then, and the next call works. Prints a line for each that does not.

#include <npu/cycles.h>
#include <npu/nn.h>
#include <npu/placement.h>

#include <stdio.h>

enum { BYTES = 1 << 20, SCRATCH = 48 << 10 };

static _Alignas(64) uint8_t scratch[SCRATCH];
static NPU_DRAM_BSS _Alignas(64) int8_t inputs[BYTES], seconds[BYTES], outputs[BYTES];
static int8_t *const nowhere = (int8_t *)0x40000000;
static const npu_context context = {scratch, SCRATCH};

static const npu_dims image = {1, 64, 64, 64}, square = {64, 3, 3, 64}, window = {1, 3, 3, 64}, half = {1, 32, 32, 64};
static const npu_dims taps = {1, 2, 2, 1};
static const npu_conv_params conv = {
    .stride = {1, 1}, .padding = {1, 1}, .dilation = {1, 1}, .activation_min = -128, .activation_max = 127, .groups = 1};
static const npu_pool_params pool = {.stride = {2, 2}, .activation_min = -128, .activation_max = 127};
static const npu_add_params add = {0, 0, 0, 1 << 30, 1 << 30, 1 << 30, 0, 0, -18, -128, 127};

// Each runs one operator; `second` is its packed weights or second input.
typedef npu_status run_layer(const int8_t *in, const int8_t *second, int8_t *out);

static npu_status run_conv(const int8_t *in, const int8_t *second, int8_t *out) {
  return npu_conv_s8(&context, &conv, &image, in, &square, second, &image, out);
}
static npu_status run_conv_pool(const int8_t *in, const int8_t *second, int8_t *out) {
  return npu_conv_max_pool_s8(&context, &conv, &image, in, &square, second, &image, &pool, &taps, &half, out);
}
static npu_status run_conv_add(const int8_t *in, const int8_t *second, int8_t *out) {
  return npu_conv_add_s8(&context, &conv, &image, in, &square, inputs, &add, second, &image, out);
}
static npu_status run_conv_s16(const int8_t *in, const int8_t *second, int8_t *out) {
  static const npu_dims small = {1, 40, 40, 32}, weights = {32, 3, 3, 32};
  npu_conv_params wide = conv;
  wide.activation_min = -32768;
  wide.activation_max = 32767;
  return npu_conv_s16(&context, &wide, &small, (const int16_t *)in, &weights, second, &small, (int16_t *)out);
}
static npu_status run_depthwise(const int8_t *in, const int8_t *second, int8_t *out) {
  static const npu_dw_conv_params params = {.stride = {1, 1}, .padding = {1, 1}, .dilation = {1, 1},
                                            .activation_min = -128, .activation_max = 127, .channel_multiplier = 1};
  return npu_depthwise_conv_s8(&context, &params, &image, in, &window, second, &image, out);
}
static npu_status run_transpose_conv(const int8_t *in, const int8_t *second, int8_t *out) {
  static const npu_transpose_conv_params params = {
      .stride = {2, 2}, .activation_min = -128, .activation_max = 127};
  return npu_transpose_conv_s8(&context, &params, &half, in, &(npu_dims){64, 2, 2, 64}, second, &image, out);
}
static npu_status run_fully_connected(const int8_t *in, const int8_t *second, int8_t *out) {
  static const npu_fc_params params = {.activation_min = -128, .activation_max = 127};
  return npu_fully_connected_s8(&context, &params, &(npu_dims){64, 1, 1, 1024}, in, &(npu_dims){512, 1, 1, 1024}, second,
                                out);
}
static npu_status run_batch_matmul(const int8_t *in, const int8_t *second, int8_t *out) {
  static const npu_dims d = {4, 8, 96, 96};
  static const npu_bmm_params params = {.multiplier = 1 << 30, .shift = -9, .activation_min = -128, .activation_max = 127};
  return npu_batch_matmul_s8(&context, &params, &d, in, &d, second, &d, out);
}
static npu_status run_add(const int8_t *in, const int8_t *second, int8_t *out) {
  return npu_add_s8(&context, &add, &image, in, &image, second, &image, out);
}
static npu_status run_pool(const int8_t *in, const int8_t *second, int8_t *out) {
  (void)second;
  return npu_max_pool_s8(&context, &pool, &image, in, &taps, &half, out);
}

static const struct {
  const char *name;
  run_layer *run;
  int second; // whether it has this operand
} layers[] = {
    {"conv_s8", run_conv, 1},           {"conv_max_pool_s8", run_conv_pool, 1}, {"conv_add_s8", run_conv_add, 1},
    {"conv_s16", run_conv_s16, 1},      {"depthwise_conv_s8", run_depthwise, 1}, {"transpose_conv_s8", run_transpose_conv, 1},
    {"fully_connected_s8", run_fully_connected, 1}, {"batch_matmul_s8", run_batch_matmul, 1},
    {"add_s8", run_add, 1},             {"max_pool_s8", run_pool, 0},
};

int main(void) {
  int failures = 0;
  for (uint32_t i = 0; i < sizeof layers / sizeof *layers; ++i) {
    run_layer *const run = layers[i].run;
    uint64_t start = npu_cycles();
    const npu_status whole = run(inputs, seconds, outputs);
    const uint64_t good = npu_cycles() - start;
    if (whole != NPU_OK) {
      printf("%s: status %d with operands in memory\n", layers[i].name, (int)whole);
      ++failures;
    }
    for (int which = 0; which < 3; ++which) {
      static const char *const operands[] = {"input", "second operand", "output"};
      if (which == 1 && !layers[i].second)
        continue;
      start = npu_cycles();
      const npu_status status = run(which == 0 ? nowhere : inputs, which == 1 ? nowhere : seconds, which == 2 ? nowhere : outputs);
      const uint64_t bad = npu_cycles() - start;
      start = npu_cycles();
      npu_fence(NPU_UNIT_DMA0 | NPU_UNIT_DMA1 | NPU_UNIT_MATRIX);
      const int busy = npu_cycles() - start > 50;
      if (status != NPU_ERROR_TRANSFER || 2 * bad > good || busy != 0) {
        printf("%s, %s nowhere: status %d behind %lu of %lu cycles, %s\n", layers[i].name, operands[which],
               (int)status, (unsigned long)bad, (unsigned long)good,
               busy ? "units at work" : "");
        ++failures;
      }
    }
  }
  return failures != 0;
}
