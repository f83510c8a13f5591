// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// depthwise_stream SEED COUNT STEP: random depthwise layers from DRAM to DRAM that stream by planes, with as much
// scratch memory as it happens, against plain loops: every STEP-th output byte, and the bytes around output and
// scratch buffer, which stay as they are. Every fourth layer runs before with a tensor whose end lies beyond DRAM: the
// transfer fails in the middle, the status says so, and the layer's next run is right. Prints a line for each failure.

#include <npu/cycles.h>
#include <npu/depthwise_plan.h>
#include <npu/dma.h>
#include <npu/placement.h>
#include <npu_platform.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TENSOR = 64 << 10, SCRATCH = 64 << 10, GUARD = 16, MARK = 0x5a, MOST_MACS = 300000 };

static NPU_DRAM_BSS _Alignas(64) int8_t input_in_dram[TENSOR + 64], output_in_dram[TENSOR + 64 + 2 * GUARD];
static NPU_DRAM_BSS _Alignas(64) uint8_t packed_in_dram[8 << 10];
static _Alignas(64) int8_t input[TENSOR], output[TENSOR + 2 * GUARD], filter[16 * 256];
static _Alignas(64) uint8_t packed[8 << 10], scratch[SCRATCH + GUARD];
static int32_t multiplier[256], shift[256], bias[256];
static int planned, in_pieces, failures;

static uint32_t state;

static uint32_t random_word(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
static int32_t between(int32_t low, int32_t high) { return low + (int32_t)(random_word() % (uint32_t)(high - low + 1)); }

typedef struct layer {
  npu_dw_conv_params params;
  npu_dims in, taps, out;
} layer;

static int32_t elements(const npu_dims *d) { return d->n * d->h * d->w * d->c; }

static int32_t output_extent(int32_t in, int32_t padding, int32_t window, int32_t step) {
  const int32_t room = in + 2 * padding - window;
  return room < 0 ? 0 : room / step + 1;
}

static layer random_layer(void) {
  layer l;
  do {
    const int32_t kh = between(1, 5), kw = between(1, kh == 5 ? 3 : 16 / kh < 5 ? 16 / kh : 5), c = 16 * between(1, 16);
    l.in = (npu_dims){between(1, 4) == 1 ? 2 : 1, between(1, 45), between(1, 45), c};
    l.taps = (npu_dims){1, kh, kw, c};
    l.params = (npu_dw_conv_params){.input_offset = between(-127, 128),
                                    .output_offset = between(-128, 127),
                                    .channel_multiplier = 1,
                                    .stride = {between(1, 8) == 1 ? 3 : between(1, 2), between(1, 2)},
                                    .padding = {between(0, kh - 1), between(0, kw - 1)},
                                    .dilation = {between(1, 4) == 1 ? 2 : 1, between(1, 4) == 1 ? 2 : 1},
                                    .activation_min = between(-128, -100),
                                    .activation_max = between(90, 127)};
    const npu_dw_conv_params *p = &l.params;
    l.out = (npu_dims){l.in.n, output_extent(l.in.h, p->padding.h, (kh - 1) * p->dilation.h + 1, p->stride.h),
                       output_extent(l.in.w, p->padding.w, (kw - 1) * p->dilation.w + 1, p->stride.w), c};
  } while (elements(&l.out) == 0 || elements(&l.in) > TENSOR || elements(&l.out) > TENSOR ||
           elements(&l.out) * l.taps.h * l.taps.w > MOST_MACS);
  return l;
}

// TFLite's, shifts to the right.
static int32_t requantize(int32_t sum, int32_t scale, int32_t right) {
  const int64_t product = (int64_t)sum * scale;
  const int32_t high = (int32_t)((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / (1ll << 31));
  const int32_t mask = (1 << right) - 1;
  return (high >> right) + ((high & mask) > (mask >> 1) + (high < 0));
}

static int8_t expected(const layer *l, int32_t at) {
  const npu_dw_conv_params *p = &l->params;
  const int32_t c = at % l->in.c, x = at / l->in.c % l->out.w, y = at / l->in.c / l->out.w % l->out.h;
  const int8_t *image = input + at / (l->in.c * l->out.w * l->out.h) * (l->in.h * l->in.w * l->in.c);
  int32_t sum = bias[c];
  for (int32_t ky = 0; ky < l->taps.h; ++ky)
    for (int32_t kx = 0; kx < l->taps.w; ++kx) {
      const int32_t iy = y * p->stride.h + ky * p->dilation.h - p->padding.h,
                    ix = x * p->stride.w + kx * p->dilation.w - p->padding.w;
      if (iy >= 0 && iy < l->in.h && ix >= 0 && ix < l->in.w)
        sum += (image[(iy * l->in.w + ix) * l->in.c + c] + p->input_offset) *
               filter[(ky * l->taps.w + kx) * l->in.c + c];
    }
  const int32_t value = requantize(sum, multiplier[c], -shift[c]) + p->output_offset;
  return (int8_t)(value < p->activation_min ? p->activation_min : value > p->activation_max ? p->activation_max : value);
}

static void fail(int number, const layer *l, const char *what, int32_t value) {
  ++failures;
  printf("layer %d, %ld x %ld x %ld x %ld, window %ld x %ld, stride %ld x %ld: %s %ld\n", number, (long)l->in.n,
         (long)l->in.h, (long)l->in.w, (long)l->in.c, (long)l->taps.h, (long)l->taps.w, (long)l->params.stride.h,
         (long)l->params.stride.w, what, (long)value);
}

// The status of a run with the end of input or output beyond DRAM, `bytes` of it inside.
static npu_status run_into_nothing(const npu_dw_plan *plan, const npu_context *context, const layer *l,
                                   const void *constants, int8_t *in, int8_t *out) {
  int8_t *const end = (int8_t *)(NPU_DRAM_BASE + NPU_DEFAULT_DRAM_SIZE);
  return between(0, 1) != 0 ? npu_dw_plan_run(plan, context, end - elements(&l->in) / 2, constants, out)
                            : npu_dw_plan_run(plan, context, in, constants, end - elements(&l->out) / 2);
}

static void run(int number, int32_t step) {
  const layer l = random_layer();
  const int32_t in_bytes = elements(&l.in), out_bytes = elements(&l.out), channels = l.in.c;
  for (int32_t i = 0; i < in_bytes / 4; ++i)
    ((uint32_t *)input)[i] = random_word();
  for (int32_t i = 0; i < channels * l.taps.h * l.taps.w; ++i)
    filter[i] = (int8_t)random_word();
  for (int32_t i = 0; i < channels; ++i) {
    multiplier[i] = between(1 << 30, INT32_MAX);
    shift[i] = -between(3, 9);
    bias[i] = between(-5000, 5000);
  }
  const npu_per_channel_quant quant = {multiplier, shift};
  const uint32_t packed_bytes = npu_depthwise_conv_s8_get_packed_size(&l.params, &l.taps);
  const int constants_in_tcm = between(0, 1);
  const npu_context context = {scratch, 16 * (uint32_t)between(256, SCRATCH / 16)};
  const npu_dw_problem problem = {.input = l.in,
                                  .filter = l.taps,
                                  .output = l.out,
                                  .params = l.params,
                                  .constants_in_tcm = constants_in_tcm,
                                  .scratch_bytes = context.size};
  // Half of them with a choice that the library does not make.
  const npu_dw_choice choice = {between(1, 2000), between(0, 1), between(0, 3)};
  npu_dw_plan plan;
  if (npu_dw_plan_fill(&plan, &problem, between(0, 1) ? &choice : 0) != NPU_OK)
    return; // more scratch memory is needed, or no image is that small
  ++planned;
  in_pieces += plan.lines < plan.band_h || plan.group < plan.blocks;
  if (npu_depthwise_conv_s8_pack(&l.params, &quant, &l.taps, filter, bias, packed) != NPU_OK)
    fail(number, &l, "packing fails", 0);
  int8_t *const in = input_in_dram + between(0, 63), *const out = output_in_dram + GUARD + between(0, 63);
  npu_dma_copy(packed_in_dram, packed, packed_bytes);
  npu_dma_copy(in, input, (size_t)in_bytes);
  const void *const constants = constants_in_tcm ? packed : packed_in_dram;
  if (number % 4 == 3) {
    const npu_status status = run_into_nothing(&plan, &context, &l, constants, in, out);
    if (status != NPU_ERROR_TRANSFER)
      fail(number, &l, "a tensor that leaves DRAM gives status", status);
    const uint32_t start = npu_cycles32();
    npu_fence(NPU_UNIT_DMA0 | NPU_UNIT_DMA1 | NPU_UNIT_MATRIX);
    if (npu_cycles32() - start > 50)
      fail(number, &l, "units still work behind an error, cycles", (int32_t)(npu_cycles32() - start));
  }
  npu_dma_fill(out - GUARD, MARK, (size_t)out_bytes + 2 * GUARD);
  memset(scratch + context.size, MARK, GUARD);
  const npu_status status = npu_dw_plan_run(&plan, &context, in, constants, out);
  if (status != NPU_OK)
    fail(number, &l, "status", status);
  npu_dma_copy(output, out - GUARD, (size_t)out_bytes + 2 * GUARD);
  for (int32_t i = 0; i < GUARD; ++i)
    if (output[i] != MARK || output[GUARD + out_bytes + i] != MARK || scratch[context.size + (uint32_t)i] != MARK)
      fail(number, &l, "a byte beside output or scratch buffer is written", i);
  for (int32_t i = 0; i < out_bytes; i += step)
    if (output[GUARD + i] != expected(&l, i)) {
      fail(number, &l, "the first wrong byte is", i);
      break;
    }
}

int main(int argc, char **argv) {
  const int count = argc > 2 ? atoi(argv[2]) : 1, step = argc > 3 ? atoi(argv[3]) : 1;
  state = 0x9e3779b9u * (uint32_t)(argc > 1 ? atoi(argv[1]) : 1) + 1;
  for (int i = 0; i < count; ++i)
    run(i, step);
  printf("%d of %d layers streamed, %d of them in several pieces\n", planned, count, in_pieces);
  if (count >= 20 && (2 * planned < count || 3 * in_pieces < count)) {
    printf("too few of them stream\n");
    ++failures;
  }
  return failures != 0;
}
