// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
// bench-flags: -Wl,--gc-sections,--enable-non-contiguous-regions,--defsym=vfprintf=__i_vfprintf
//
// Convolutions of int16 activations and int8 weights from and to DRAM, dense and depthwise:
// conv_int16/..., depthwise_int16/... (fully connected ones are in fully_connected.c), and
// transposed int8 convolutions, transpose_conv_int8/HxWxC-N_KHxKWsSTRIDE. A multiplication of 16
// bits is two passes of the array: peak= is half of the usual one. Some outputs are checked against
// plain C.

#include "bench.h"

#include <npu/conv_s16.h>
#include <npu/transpose_conv.h>

enum {
  SCRATCH = 64 << 10,
  TENSOR = 256 << 10,
  CHANNELS = 64,
  FILTER = 9 * 32 * 64,
  PACKED = 40 << 10,
  SHIFT = 9
};
enum kind { DENSE, DEPTHWISE, TRANSPOSED };

static NPU_DRAM_BSS _Alignas(64) int8_t input[TENSOR], output[TENSOR];
static NPU_DRAM_BSS _Alignas(64) uint8_t packed[PACKED];
static int8_t filter[FILTER];
static int32_t multiplier[CHANNELS], shift[CHANNELS];
static _Alignas(64) uint8_t scratch[SCRATCH];

typedef struct layer {
  enum kind kind;
  int32_t h, w, c, n, kernel, stride; // padding: all windows but those of stride 2 are centred
} layer;

static const layer layers[] = {
    {DENSE, 28, 28, 64, 32, 1, 1},      {DENSE, 14, 14, 32, 64, 3, 1},
    {DEPTHWISE, 28, 28, 64, 64, 3, 1},  {DEPTHWISE, 28, 28, 64, 64, 3, 2},
    {TRANSPOSED, 14, 14, 64, 32, 2, 2}, {TRANSPOSED, 14, 14, 64, 32, 3, 2},
};
static const char *const names[] = {"conv_int16", "depthwise_int16", "transpose_conv_int8"};

typedef struct shapes {
  npu_dims in, taps, out;
  npu_conv_params conv;
  npu_dw_conv_params depthwise;
  npu_transpose_conv_params transposed;
} shapes;

static shapes shapes_of(const layer *l) {
  const int32_t pad = l->kind == TRANSPOSED ? 0 : l->kernel / 2;
  const npu_tile stride = {l->stride, l->stride}, padding = {pad, pad}, one = {1, 1};
  shapes s = {
      .in = {1, l->h, l->w, l->c},
      .taps = {l->kind == DEPTHWISE ? 1 : l->n, l->kernel, l->kernel, l->c},
      .out = {1, (l->h + l->stride - 1) / l->stride, (l->w + l->stride - 1) / l->stride, l->n}};
  if (l->kind == TRANSPOSED) {
    s.out.h = l->h * l->stride;
    s.out.w = l->w * l->stride;
  }
  s.conv = (npu_conv_params){.stride = stride,
                             .padding = padding,
                             .dilation = one,
                             .activation_min = INT16_MIN,
                             .activation_max = INT16_MAX};
  s.depthwise = (npu_dw_conv_params){.channel_multiplier = 1,
                                     .stride = stride,
                                     .padding = padding,
                                     .dilation = one,
                                     .activation_min = INT16_MIN,
                                     .activation_max = INT16_MAX};
  s.transposed = (npu_transpose_conv_params){.input_offset = 3,
                                             .stride = stride,
                                             .padding = padding,
                                             .activation_min = -128,
                                             .activation_max = 127};
  return s;
}

static __attribute__((noinline)) npu_status measured_call(const layer *l, const shapes *s) {
  const npu_context context = {scratch, SCRATCH};
  switch (l->kind) {
  case DENSE:
    return npu_conv_s16(&context, &s->conv, &s->in, (const int16_t *)input, &s->taps, packed,
                        &s->out, (int16_t *)output);
  case DEPTHWISE:
    return npu_depthwise_conv_s16(&context, &s->depthwise, &s->in, (const int16_t *)input, &s->taps,
                                  packed, &s->out, (int16_t *)output);
  default:
    return npu_transpose_conv_s8(&context, &s->transposed, &s->in, input, &s->taps, packed, &s->out,
                                 output);
  }
}

// The constants, packed in the scratchpad; their bytes, or 0.
static uint32_t pack(const layer *l, const shapes *s) {
  const npu_per_channel_quant quant = {multiplier, shift};
  npu_status status;
  uint32_t bytes;
  if (l->kind == DENSE) {
    bytes = npu_conv_s16_get_packed_size(&s->taps, &s->conv);
    status = npu_conv_s16_pack(&s->conv, &quant, &s->taps, filter, 0, scratch);
  } else if (l->kind == DEPTHWISE) {
    bytes = npu_depthwise_conv_s16_get_packed_size(&s->depthwise, &s->taps);
    status = npu_depthwise_conv_s16_pack(&s->depthwise, &quant, &s->taps, filter, 0, scratch);
  } else {
    bytes = npu_transpose_conv_s8_get_packed_size(&s->transposed, &s->taps);
    status = npu_transpose_conv_s8_pack(&s->transposed, &quant, &s->taps, filter, 0, scratch);
  }
  return status == NPU_OK && bytes <= PACKED && npu_dma_copy(packed, scratch, bytes) == 0 ? bytes
                                                                                          : 0;
}

static int32_t pixel(const layer *l, int32_t y, int32_t x, int32_t c) {
  const int32_t i = (y * l->w + x) * l->c + c;
  return l->kind == TRANSPOSED ? input[i] + 3 : ((const int16_t *)input)[i];
}

static int32_t expected(const layer *l, int32_t y, int32_t x, int32_t n) {
  const int32_t pad = l->kind == TRANSPOSED ? 0 : l->kernel / 2;
  int64_t sum = 0;
  for (int32_t ky = 0; ky < l->kernel; ++ky)
    for (int32_t kx = 0; kx < l->kernel; ++kx) {
      int32_t iy = y * l->stride + ky - pad, ix = x * l->stride + kx - pad;
      if (l->kind == TRANSPOSED) {
        if ((y - ky) % l->stride != 0 || (x - kx) % l->stride != 0)
          continue;
        iy = (y - ky) / l->stride;
        ix = (x - kx) / l->stride;
      }
      if (iy < 0 || iy >= l->h || ix < 0 || ix >= l->w)
        continue;
      const int32_t tap = ky * l->kernel + kx;
      if (l->kind == DEPTHWISE)
        sum += (int64_t)pixel(l, iy, ix, n) * filter[tap * l->c + n];
      else
        for (int32_t c = 0; c < l->c; ++c)
          sum +=
              (int64_t)pixel(l, iy, ix, c) * filter[(n * l->kernel * l->kernel + tap) * l->c + c];
    }
  if (l->kind == TRANSPOSED)
    return bench_requantize((int32_t)sum, SHIFT);
  const int64_t scaled = (sum + (1 << SHIFT)) >> (SHIFT + 1);
  return scaled < INT16_MIN ? INT16_MIN : scaled > INT16_MAX ? INT16_MAX : (int32_t)scaled;
}

static int measure(const layer *l) {
  const shapes s = shapes_of(l);
  const int32_t size = l->kind == TRANSPOSED ? 1 : 2, weights = l->kernel * l->kernel * l->c;
  const int32_t outputs = s.out.h * s.out.w * s.out.c;
  const uint32_t in_bytes = (uint32_t)(l->h * l->w * l->c * size),
                 out_bytes = (uint32_t)(outputs * size);
  for (int32_t i = 0; i < (l->kind == DEPTHWISE ? weights : weights * l->n); ++i)
    filter[i] = (int8_t)random_word();
  for (int32_t i = 0; i < CHANNELS; ++i) {
    multiplier[i] = 1 << 30;
    shift[i] = -SHIFT;
  }
  const uint32_t constants = pack(l, &s);
  bench_fill(input, in_bytes, UINT32_MAX, scratch);
  const uint32_t start = npu_cycles32();
  int ok = constants != 0 && measured_call(l, &s) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;
  for (int32_t i = 5; i < outputs; i += 2203) {
    const int32_t got = size == 2 ? ((const int16_t *)output)[i] : output[i];
    ok &= got == expected(l, i / s.out.c / s.out.w, i / s.out.c % s.out.w, i % s.out.c);
  }
  // Each input pixel meets each weight of a transposed convolution once.
  const int32_t macs = l->kind == TRANSPOSED
                           ? l->h * l->w * weights * l->n
                           : outputs * (l->kind == DEPTHWISE ? weights / l->c : weights);
  bench_line(cycles, (uint32_t)macs, "%s/%ldx%ldx%ld-%ld_%ldx%lds%ld", names[l->kind], (long)l->h,
             (long)l->w, (long)l->c, (long)l->n, (long)l->kernel, (long)l->kernel, (long)l->stride);
  bench_field("read", in_bytes + constants);
  bench_field("write", out_bytes);
  if (l->kind != TRANSPOSED)
    bench_field("peak", l->kind == DENSE ? 128 : 72);
  return bench_end(ok);
}

int main(void) {
  int ok = 1;
  for (int i = 0; i < (int)(sizeof layers / sizeof *layers); ++i)
    ok &= measure(&layers[i]);
  return !ok;
}
