// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the vector and layout operators refuse, and with which status. Prints a line for each call that returns
// something else; the exit status is 0 if there is none.

#include <npu/activation.h>
#include <npu/depthwise_conv.h>
#include <npu/elementwise.h>
#include <npu/fully_connected.h>
#include <npu/fused.h>
#include <npu/layout.h>
#include <npu/matmul.h>
#include <npu/placement.h>
#include <npu/quantize.h>
#include <npu/reduce.h>
#include <npu/softmax.h>
#include <npu_platform.h>

#include <stdio.h>

static _Alignas(16) uint8_t scratch[4096];
static _Alignas(16) int8_t tcm[4096];
static NPU_DRAM_BSS _Alignas(16) int8_t dram[4096];
static _Alignas(16) uint8_t table[2048];

static const npu_context good = {scratch, sizeof scratch};
static const npu_context none = {0, 0}, small = {scratch, 32}, misaligned = {scratch + 4, 1024};
static const npu_context in_dram = {dram, sizeof dram};
// Not memory, and a tensor that runs out of it.
static int8_t *const nowhere = (int8_t *)0x40000000;
static int8_t *const end_of_dram = (int8_t *)(NPU_DRAM_BASE + NPU_LARGE_DRAM_SIZE - 8192);

static int failures;

static void expect(const char *what, int line, npu_status got, npu_status want) {
  if (got != want) {
    printf("line %d: %s: %d, must be %d\n", line, what, got, want);
    ++failures;
  }
}
#define EXPECT(want, call) expect(#call, __LINE__, call, want)

static const npu_dims d64 = {1, 1, 1, 64}, d32 = {1, 1, 1, 32}, d1 = {1, 1, 1, 1}, zero = {1, 0, 1, 64},
                      negative = {1, 1, -1, 64}, huge = {65536, 65536, 1, 1};

static npu_add_params add_params(void) {
  const npu_add_params p = {0, 0, 0, 1 << 30, 1 << 30, 1 << 30, 0, 0, -18, -128, 127};
  return p;
}

static void elementwise(void) {
  npu_add_params p = add_params();
#define ADD(context, a, x, b, y, o, z) npu_add_s8(&context, &p, &a, x, &b, y, &o, z)
  EXPECT(NPU_OK, ADD(none, d64, tcm, d64, tcm, d64, tcm + 64));
  EXPECT(NPU_OK, ADD(good, d64, dram, d1, dram, d64, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, d32, tcm, d64, tcm, d64, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, d64, tcm, d64, tcm, d32, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, d1, tcm, d1, tcm, d64, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, zero, tcm, zero, tcm, zero, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, negative, tcm, negative, tcm, negative, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, huge, tcm, huge, tcm, huge, tcm));
  EXPECT(NPU_ERROR_BUFFER, ADD(none, d64, dram, d64, tcm, d64, tcm));
  EXPECT(NPU_ERROR_BUFFER, ADD(small, d64, dram, d64, tcm, d64, tcm));
  EXPECT(NPU_ERROR_BUFFER, ADD(misaligned, d64, dram, d64, tcm, d64, tcm));
  EXPECT(NPU_ERROR_BUFFER, ADD(in_dram, d64, dram, d64, tcm, d64, tcm));
  EXPECT(NPU_ERROR_BUFFER, ADD(none, d64, tcm, d1, tcm, d64, tcm));
  EXPECT(NPU_ERROR_TRANSFER, ADD(good, d64, nowhere, d64, tcm, d64, tcm));
  EXPECT(NPU_ERROR_TRANSFER, ADD(good, d64, tcm, d1, nowhere, d64, tcm));
  EXPECT(NPU_ERROR_TRANSFER, ADD(good, d64, tcm, d64, tcm, d64, nowhere));
  p.input1_offset = 129;
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, d64, tcm, d64, tcm, d64, tcm));
  p = add_params();
  p.output_shift = 1;
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, d64, tcm, d64, tcm, d64, tcm));
  p = add_params();
  p.activation_max = -129;
  EXPECT(NPU_ERROR_ARGUMENT, ADD(good, d64, tcm, d64, tcm, d64, tcm));
  const npu_mul_params m = {0, 0, 0, -1, 0, -128, 127};
  EXPECT(NPU_ERROR_ARGUMENT, npu_mul_s8(&good, &m, &d64, tcm, &d64, tcm, &d64, tcm));
}

static void tables(void) {
  int8_t *const t = (int8_t *)table;
  const npu_relu_params relu = {0, 0, 1 << 30, 32, -128, 127};
  EXPECT(NPU_ERROR_ARGUMENT, npu_relu_s8_table(&relu, t));
  const npu_leaky_relu_params leaky = {0, 128, 1 << 30, 1, 1 << 30, 0};
  EXPECT(NPU_ERROR_ARGUMENT, npu_leaky_relu_s8_table(&leaky, t));
  const npu_hard_swish_params swish = {0, 0, 32768, 0, 20000, 0};
  EXPECT(NPU_ERROR_ARGUMENT, npu_hard_swish_s8_table(&swish, t));
  EXPECT(NPU_ERROR_ARGUMENT, npu_logistic_s8_table(0, 0, 1.0f / 256, -128, t));
  EXPECT(NPU_ERROR_ARGUMENT, npu_tanh_s8_table(0.1f, 128, 1.0f / 128, 0, t));
  EXPECT(NPU_ERROR_ARGUMENT, npu_activation_s8(&good, t, 0, tcm, tcm));
  EXPECT(NPU_ERROR_BUFFER, npu_activation_s8(&small, t, 64, dram, tcm));
  EXPECT(NPU_ERROR_TRANSFER, npu_activation_s8(&good, t, 64, nowhere, tcm));
  EXPECT(NPU_ERROR_TRANSFER, npu_activation_s8(&good, t, 0x7FFFFFFF, end_of_dram, end_of_dram));

  const npu_softmax_params above = {1 << 30, 20, 1}, steep = {1 << 30, 31, 0}, params = {1 << 30, 23, -200};
  EXPECT(NPU_ERROR_ARGUMENT, npu_softmax_s8_table(&above, table));
  EXPECT(NPU_OK, npu_softmax_s8_table(&steep, table));
  EXPECT(NPU_OK, npu_softmax_s8_table(&params, table));
  EXPECT(NPU_OK, npu_softmax_s8(&none, table, 2, 32, tcm, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, npu_softmax_s8(&good, table, 0, 32, tcm, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, npu_softmax_s8(&good, table, 1, 4096, tcm, tcm));
  EXPECT(NPU_ERROR_BUFFER, npu_softmax_s8(&small, table, 2, 32, dram, tcm));
  EXPECT(NPU_ERROR_BUFFER, npu_softmax_s8(&none, dram, 2, 32, tcm, tcm));
  EXPECT(NPU_ERROR_TRANSFER, npu_softmax_s8(&good, table, 2, 32, tcm, nowhere));

  EXPECT(NPU_ERROR_ARGUMENT, npu_quantize_s8_table(0, 0, table));
  EXPECT(NPU_ERROR_ARGUMENT, npu_dequantize_s8_table(1, -129, table));
  EXPECT(NPU_ERROR_ARGUMENT, npu_quantize_f32_s8(&good, table, 0, (float *)tcm, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, npu_dequantize_s8_f32(&good, table, 0x40000000, tcm, (float *)tcm));
  EXPECT(NPU_ERROR_BUFFER, npu_quantize_f32_s8(&none, table, 16, (float *)dram, tcm));
  // Tables that the core reads, and tensors that it reads element by element.
  EXPECT(NPU_ERROR_TRANSFER, npu_activation_s8(&good, 0, 64, tcm, tcm));
  EXPECT(NPU_ERROR_TRANSFER, npu_quantize_f32_s8(&good, 0, 16, (float *)tcm, tcm));
  EXPECT(NPU_ERROR_TRANSFER, npu_dequantize_s8_f32(&good, nowhere, 16, tcm, (float *)tcm));
  EXPECT(NPU_ERROR_TRANSFER, npu_softmax_s8(&good, 0, 2, 32, tcm, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, npu_quantize_f32_s8(&good, table + 1, 16, (float *)tcm, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, npu_quantize_f32_s16(&good, 1, 0, 4, (float *)(tcm + 2), (int16_t *)(tcm + 64)));
  EXPECT(NPU_ERROR_ARGUMENT, npu_quantize_f32_s16(&good, 1, 0, 4, (float *)tcm, (int16_t *)(tcm + 65)));
  EXPECT(NPU_ERROR_ARGUMENT, npu_dequantize_s16_f32(&good, 1, 0, 4, (int16_t *)(tcm + 1), (float *)(tcm + 64)));
  const npu_requantize_params pair = {NPU_S32, NPU_S32, 0, 0, 1 << 30, 1};
  EXPECT(NPU_ERROR_ARGUMENT, npu_requantize(&good, &pair, 16, tcm, tcm));
  const npu_requantize_params type = {(npu_integer)7, NPU_S8, 0, 0, 1 << 30, 1};
  EXPECT(NPU_ERROR_ARGUMENT, npu_requantize(&good, &type, 16, tcm, tcm));
}

static void reductions(void) {
  npu_reduce_params p = {0, 0, 1 << 30, 1, {0, 1, 1, 0}};
  const npu_dims dims = {1, 4, 4, 32};
  EXPECT(NPU_OK, npu_mean_s8(&good, &p, &dims, dram, dram + 1024));
  EXPECT(NPU_ERROR_BUFFER, npu_mean_s8(&small, &p, &dims, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_TRANSFER, npu_mean_s8(&good, &p, &dims, nowhere, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, npu_mean_s8(&good, &p, &zero, tcm, tcm));
  p.axes.c = 2;
  EXPECT(NPU_ERROR_ARGUMENT, npu_mean_s8(&good, &p, &dims, tcm, tcm + 1024));
  const npu_arg_dims rows = {4, 32, 1}, columns = {1, 4, 32}, none_of_them = {1, 0, 1};
  EXPECT(NPU_OK, npu_argmax_s8(&none, &rows, tcm, (int32_t *)(tcm + 1024)));
  EXPECT(NPU_ERROR_ARGUMENT, npu_argmax_s8(&good, &none_of_them, tcm, (int32_t *)(tcm + 1024)));
  EXPECT(NPU_ERROR_BUFFER, npu_argmax_s8(&small, &rows, dram, (int32_t *)tcm));
  EXPECT(NPU_ERROR_BUFFER, npu_argmin_s8(&small, &columns, dram, (int32_t *)tcm));
  EXPECT(NPU_ERROR_TRANSFER, npu_argmin_s8(&good, &columns, nowhere, (int32_t *)tcm));
}

static void layout(void) {
  const npu_dims box = {1, 4, 4, 8}, pad = {0, 1, 1, 0}, minus = {0, -1, 0, 0}, far = {0, 65536, 0, 0};
  EXPECT(NPU_OK, npu_pad_s8(&box, &pad, &pad, 3, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_pad_s8(&box, &minus, &pad, 3, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_pad_s8(&box, &pad, &far, 3, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_TRANSFER, npu_pad_s8(&box, &pad, &pad, 3, nowhere, tcm));
  EXPECT(NPU_ERROR_ARGUMENT, npu_reshape_s8(0, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_TRANSFER, npu_reshape_s8(64, tcm, nowhere));
  const npu_concat_input inputs[] = {{tcm, 3}, {tcm + 512, 5}};
  EXPECT(NPU_OK, npu_concat_s8(inputs, 2, 3, &box, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_concat_s8(inputs, 1, 3, &box, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_concat_s8(inputs, 2, 4, &box, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_concat_s8(inputs, 2, 2, &box, tcm + 1024));
  const int32_t twice[] = {0, 1, 1, 3}, beyond[] = {0, 1, 2, 4}, turned[] = {3, 2, 1, 0};
  EXPECT(NPU_OK, npu_transpose_s8(&none, &box, turned, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_transpose_s8(&good, &box, twice, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_transpose_s8(&good, &box, beyond, tcm, tcm + 1024));
  const npu_dims begin = {0, 3, 0, 0}, back = {1, -1, 1, 1}, none_stride = {1, 0, 1, 1}, out = {1, 4, 4, 8},
                 more = {1, 5, 4, 8};
  EXPECT(NPU_OK, npu_strided_slice_s8(&box, &begin, &back, &out, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_strided_slice_s8(&box, &begin, &back, &more, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_strided_slice_s8(&box, &begin, &none_stride, &out, tcm, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_strided_slice_s8(&box, &minus, &back, &d1, tcm, tcm + 1024));
  const npu_resize_params plain = {0, 0};
  const npu_dims larger = {1, 8, 8, 8}, other = {2, 8, 8, 8};
  EXPECT(NPU_OK, npu_resize_nearest_s8(&good, &plain, &box, tcm, &larger, tcm + 1024));
  EXPECT(NPU_ERROR_ARGUMENT, npu_resize_nearest_s8(&good, &plain, &box, tcm, &other, tcm + 1024));
  EXPECT(NPU_ERROR_BUFFER, npu_resize_nearest_s8(&none, &plain, &box, tcm, &larger, tcm + 1024));
  EXPECT(NPU_ERROR_TRANSFER, npu_resize_nearest_s8(&good, &plain, &box, tcm, &larger, nowhere));
}

// Convolutions of 1 x 1 over [1, 4, 4, 4] with an operator behind them.
static void fused(void) {
  npu_conv_params conv = {.stride = {1, 1}, .dilation = {1, 1}, .activation_min = -128, .activation_max = 127};
  npu_pool_params pool = {.stride = {2, 2}, .activation_min = -128, .activation_max = 127};
  npu_add_params add = add_params();
  const npu_dims in = {1, 4, 4, 4}, filter = {4, 1, 1, 4}, half = {1, 2, 2, 4}, window = {1, 2, 2, 1},
                 wide = {1, 256, 2, 1}, five = {1, 5, 4, 4};
  const uint32_t need = npu_conv_pool_s8_get_buffer_size(&conv, &in, &filter, &in, &pool, &window, &half);
  const npu_context least = {scratch, need}, less = {scratch, need / 2};
#define FUSED_ADD(context, from, with, to) \
  npu_conv_add_s8(&context, &conv, &in, from, &filter, table, &add, with, &in, to)
#define FUSED_POOL(context, taps, out, from, to) \
  npu_conv_max_pool_s8(&context, &conv, &in, from, &filter, table, &in, &pool, &taps, &out, to)
  EXPECT(NPU_OK, FUSED_ADD(good, dram, dram + 512, dram + 1024));
  EXPECT(NPU_ERROR_BUFFER, FUSED_ADD(none, dram, tcm, dram));
  EXPECT(NPU_ERROR_BUFFER, FUSED_ADD(in_dram, dram, tcm, dram));
  EXPECT(NPU_ERROR_BUFFER, FUSED_ADD(misaligned, dram, tcm, dram));
  EXPECT(NPU_ERROR_TRANSFER, FUSED_ADD(good, dram, nowhere, dram));
  EXPECT(NPU_ERROR_TRANSFER, FUSED_ADD(good, dram, dram + 512, nowhere));
  EXPECT(NPU_OK, FUSED_POOL(least, window, half, dram, dram + 512));
  EXPECT(NPU_ERROR_BUFFER, FUSED_POOL(less, window, half, dram, dram + 512));
  EXPECT(NPU_ERROR_BUFFER, FUSED_POOL(none, window, half, dram, dram + 512));
  EXPECT(NPU_ERROR_BUFFER, FUSED_POOL(in_dram, window, half, dram, dram + 512));
  EXPECT(NPU_ERROR_TRANSFER, FUSED_POOL(good, window, half, dram, nowhere));
  EXPECT(NPU_ERROR_ARGUMENT, FUSED_POOL(good, wide, half, dram, dram + 512));
  EXPECT(NPU_ERROR_ARGUMENT, FUSED_POOL(good, window, five, dram, dram + 512)); // windows behind the image
  pool.output_line = 64;
  EXPECT(NPU_ERROR_ARGUMENT, FUSED_POOL(good, window, half, dram, dram + 512));
  add.output_shift = 1;
  EXPECT(NPU_ERROR_ARGUMENT, FUSED_ADD(good, dram, tcm, dram + 1024));
  conv.stride.h = 0;
  EXPECT(NPU_ERROR_ARGUMENT, FUSED_POOL(good, window, half, dram, dram + 512));
}

// What layers with weights refuse, and sizes that do not wrap round.
static void pooling(void) {
  // Two lines, the second one beyond the memory in which the first one lies.
  npu_pool_params p = {.stride = {1, 1}, .activation_min = -128, .activation_max = 127};
  const npu_dims lines = {1, 2, 1, 16}, window = {1, 1, 1, 1};
  EXPECT(NPU_OK, npu_avg_pool_s8(&good, &p, &lines, tcm, &window, &lines, tcm + 64));
  p.input_line = 1 << 20;
  EXPECT(NPU_ERROR_TRANSFER, npu_avg_pool_s8(&good, &p, &lines, tcm, &window, &lines, tcm + 64));
  p.input_line = 0;
  p.output_line = 1 << 20;
  EXPECT(NPU_ERROR_TRANSFER, npu_max_pool_s8(&good, &p, &lines, tcm, &window, &lines, tcm + 64));
}

static void weights(void) {
  npu_conv_params conv = {.stride = {1, 1}, .dilation = {1, 1}, .activation_min = -128, .activation_max = 127};
  const npu_dims in = {1, 4, 4, 4}, filter = {4, 1, 1, 4}, other = {1, 4, 4, 8}, large = {1, 4, 4, 65536};
#define CONV(context, x, out, to) npu_conv_s8(&context, &conv, &x, dram, &filter, table, &out, to)
  EXPECT(NPU_OK, CONV(good, in, in, dram + 512));
  EXPECT(NPU_ERROR_BUFFER, CONV(none, in, in, dram + 512));
  EXPECT(NPU_ERROR_BUFFER, CONV(misaligned, in, in, dram + 512));
  EXPECT(NPU_ERROR_TRANSFER, CONV(good, in, in, nowhere));
  EXPECT(NPU_ERROR_ARGUMENT, CONV(good, in, other, dram + 512));
  EXPECT(NPU_ERROR_ARGUMENT, CONV(good, other, in, dram + 512));
  EXPECT(NPU_ERROR_ARGUMENT, CONV(good, large, in, dram + 512));
  conv.groups = 3;
  EXPECT(NPU_ERROR_ARGUMENT, CONV(good, in, in, dram + 512));
  conv.groups = 0;
  conv.input_offset = 129;
  EXPECT(NPU_ERROR_ARGUMENT, CONV(good, in, in, dram + 512));

  const int32_t multiplier[4] = {1 << 30, 1 << 30, 1 << 30, 1 << 30}, shift[4] = {0, 0, 0, -32}, fine[4] = {0};
  const npu_per_channel_quant bad = {multiplier, shift}, quant = {multiplier, fine};
  const double scale[4] = {0.5, 0.5, 0.5, 0.5}, huge_scale[4] = {0.5, 0.5, 0.5, 1 << 29}, negative[4] = {0.5, 0.5, 0.5, -0.5};
  const npu_fc_quant scales = {scale};
  const npu_matmul_dims product = {4, 4, 4}, huge_product = {1, 65535, 65535};
  EXPECT(NPU_OK, npu_matmul_s8_pack(&product, &quant, tcm, 0, table));
  EXPECT(NPU_ERROR_ARGUMENT, npu_matmul_s8_pack(&product, &bad, tcm, 0, table));
  EXPECT(NPU_ERROR_ARGUMENT, npu_matmul_s8_pack(&huge_product, &quant, tcm, 0, table));
  EXPECT(0, (npu_status)npu_matmul_s8_get_packed_size(&huge_product));
  npu_fc_params fc = {.activation_min = -128, .activation_max = 127};
  const npu_dims outputs = {4, 1, 1, 4}, row = {1, 1, 1, 4}, square = {65535, 1, 1, 65535}, long_row = {1, 1, 1, 65535};
  EXPECT(0, (npu_status)npu_fully_connected_s8_get_packed_size(&square));
  EXPECT(0, (npu_status)npu_fully_connected_s8_get_buffer_size(&long_row, &square));
  EXPECT(NPU_ERROR_ARGUMENT, npu_fully_connected_s8_pack(&fc, &scales, &square, tcm, 0, table));
  EXPECT(NPU_ERROR_ARGUMENT, npu_fully_connected_s8(&good, &fc, &long_row, dram, &square, table, dram));
  EXPECT(NPU_ERROR_ARGUMENT, npu_fully_connected_s8_pack(&fc, &(npu_fc_quant){huge_scale}, &outputs, tcm, 0, table));
  EXPECT(NPU_ERROR_ARGUMENT, npu_fully_connected_s8_pack(&fc, &(npu_fc_quant){negative}, &outputs, tcm, 0, table));
  EXPECT(NPU_OK, npu_fully_connected_s8_pack(&fc, &scales, &outputs, tcm, 0, table));
  EXPECT(NPU_OK, npu_fully_connected_s8(&good, &fc, &row, dram, &outputs, table, dram + 512));
  EXPECT(NPU_ERROR_BUFFER, npu_fully_connected_s8(&small, &fc, &row, dram, &outputs, table, dram + 512));
  EXPECT(NPU_ERROR_TRANSFER, npu_fully_connected_s8(&good, &fc, &row, nowhere, &outputs, table, dram + 512));
  EXPECT(NPU_ERROR_ARGUMENT, npu_fully_connected_s8(&good, &fc, &d32, dram, &outputs, table, dram + 512));
  fc.output_offset = 128;
  EXPECT(NPU_ERROR_ARGUMENT, npu_fully_connected_s8(&good, &fc, &row, dram, &outputs, table, dram + 512));

  npu_dw_conv_params dw = {.channel_multiplier = 1, .stride = {1, 1}, .dilation = {1, 1}, .activation_min = -128,
                           .activation_max = 127};
  const npu_dims taps = {1, 3, 3, 4}, two = {1, 2, 2, 4};
  EXPECT(NPU_OK, npu_depthwise_conv_s8(&good, &dw, &in, dram, &taps, table, &two, dram + 512));
  EXPECT(NPU_ERROR_BUFFER, npu_depthwise_conv_s8(&small, &dw, &in, dram, &taps, table, &two, dram + 512));
  EXPECT(NPU_ERROR_TRANSFER, npu_depthwise_conv_s8(&good, &dw, &in, nowhere, &taps, table, &two, dram + 512));
  EXPECT(NPU_ERROR_ARGUMENT, npu_depthwise_conv_s8(&good, &dw, &other, dram, &taps, table, &two, dram + 512));
  dw.channel_multiplier = 0;
  EXPECT(NPU_ERROR_ARGUMENT, npu_depthwise_conv_s8(&good, &dw, &in, dram, &taps, table, &two, dram + 512));
}

int main(void) {
  weights();
  elementwise();
  fused();
  pooling();
  tables();
  reductions();
  layout();
  return failures != 0;
}
