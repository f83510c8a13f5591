// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
// bench-run: -- first
// bench-run: -- dense
// bench-run: -- pointwise
// bench-run: -- strided
//
// int8 convolutions from and to DRAM, one layer a run so that the simulator's DRAM bytes are that layer's:
//   BENCH name=conv_int8/LAYER cycles=C macs=M dram_bytes=stats-N ok=0|1
// where C counts the whole call and N are the bytes that setting up and checking move. One output byte in
// 97 is checked against plain C.

#include <npu/conv.h>
#include <npu/cycles.h>
#include <npu/dma.h>
#include <npu/placement.h>
#include <stdio.h>
#include <string.h>

typedef struct layer {
  const char *name;
  npu_dims input, filter, output;
  npu_tile stride, padding;
} layer;

static const layer layers[] = {
    {"first", {1, 96, 96, 3}, {16, 3, 3, 3}, {1, 96, 96, 16}, {1, 1}, {1, 1}},
    {"dense", {1, 32, 32, 32}, {32, 3, 3, 32}, {1, 32, 32, 32}, {1, 1}, {1, 1}},
    {"pointwise", {1, 24, 24, 64}, {64, 1, 1, 64}, {1, 24, 24, 64}, {1, 1}, {0, 0}},
    {"strided", {1, 48, 48, 16}, {32, 3, 3, 16}, {1, 24, 24, 32}, {2, 2}, {0, 0}},
};

enum { INPUT = 36 << 10, OUTPUT = 160 << 10, FILTER = 10 << 10, SCRATCH = 40 << 10, CHANNELS = 64 };

static NPU_DRAM_BSS _Alignas(16) int8_t input_in_dram[INPUT];
static NPU_DRAM_BSS _Alignas(16) int8_t output[OUTPUT];
static _Alignas(16) int8_t input[INPUT];
static int8_t filter[FILTER];
static _Alignas(16) uint8_t packed[FILTER];
static _Alignas(16) uint8_t scratch[SCRATCH];
static int32_t multiplier[CHANNELS], shift[CHANNELS], bias[CHANNELS];

static uint32_t random_word(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// Input zero point 0, multiplier 2^30 and shift -6: the result is the sum / 2, rounded, / 64, rounded.
static int8_t expected(const layer *l, int32_t y, int32_t x, int32_t co) {
  int32_t sum = bias[co];
  for (int32_t ky = 0; ky < l->filter.h; ++ky)
    for (int32_t kx = 0; kx < l->filter.w; ++kx) {
      const int32_t iy = y * l->stride.h + ky - l->padding.h;
      const int32_t ix = x * l->stride.w + kx - l->padding.w;
      if (iy < 0 || iy >= l->input.h || ix < 0 || ix >= l->input.w)
        continue;
      for (int32_t ci = 0; ci < l->input.c; ++ci)
        sum += input[(iy * l->input.w + ix) * l->input.c + ci] *
               filter[((co * l->filter.h + ky) * l->filter.w + kx) * l->input.c + ci];
    }
  const int32_t half = (sum + 1) >> 1;
  const int32_t scaled = (half >> 6) + ((half & 63) > (half < 0 ? 32 : 31));
  return (int8_t)(scaled < -128 ? -128 : scaled > 127 ? 127 : scaled);
}

// Fetches the output piece by piece into the scratch buffer, by DMA.
static int matches(const layer *l) {
  const int32_t bytes = l->output.h * l->output.w * l->output.c;
  for (int32_t first = 0, next = 0; first < bytes; first += SCRATCH) {
    const int32_t end = bytes - first < SCRATCH ? bytes : first + SCRATCH;
    if (npu_dma_copy(scratch, output + first, (size_t)(end - first)) != 0)
      return 0;
    for (; next < end; next += 97) {
      const int32_t pixel = next / l->output.c;
      if ((int8_t)scratch[next - first] != expected(l, pixel / l->output.w, pixel % l->output.w,
                                                    next % l->output.c))
        return 0;
    }
  }
  return 1;
}

static int measure(const layer *l) {
  const int32_t weights = l->filter.n * l->filter.h * l->filter.w * l->filter.c;
  const npu_conv_params params = {.stride = l->stride,
                                  .padding = l->padding,
                                  .dilation = {1, 1},
                                  .activation_min = -128,
                                  .activation_max = 127};
  const npu_per_channel_quant quant = {multiplier, shift};
  for (int32_t i = 0; i < l->filter.n; ++i) {
    multiplier[i] = 1 << 30;
    shift[i] = -6;
    bias[i] = (int32_t)(random_word() % 8192) - 4096;
  }
  for (int32_t i = 0; i < weights; ++i)
    filter[i] = (int8_t)random_word();
  uint32_t *words = (uint32_t *)input;
  const int32_t input_bytes = l->input.h * l->input.w * l->input.c;
  for (int32_t i = 0; i < input_bytes / 4; ++i)
    words[i] = random_word();
  int ok = npu_dma_copy(input_in_dram, input, (size_t)input_bytes) == 0;
  ok &= npu_conv_s8_get_packed_size(&l->filter, &params) <= sizeof packed &&
        npu_conv_s8_pack(&params, &quant, &l->filter, filter, bias, packed) == NPU_OK;

  const npu_context context = {scratch, sizeof scratch};
  const uint32_t start = npu_cycles32();
  ok &= npu_conv_s8(&context, &params, &l->input, input_in_dram, &l->filter, packed, &l->output,
                    output) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;
  ok &= matches(l);
  const uint32_t macs = (uint32_t)(l->output.h * l->output.w * weights);
  const int32_t around = input_bytes + l->output.h * l->output.w * l->output.c;
  printf("BENCH name=conv_int8/%s cycles=%lu macs=%lu dram_bytes=stats-%ld ok=%d\n", l->name,
         (unsigned long)cycles, (unsigned long)macs, (long)around, ok);
  return ok;
}

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
    if (argc == 2 && strcmp(argv[1], layers[i].name) == 0)
      return !measure(&layers[i]);
  fprintf(stderr, "usage: conv_int8.elf first|dense|pointwise|strided\n");
  return 2;
}
