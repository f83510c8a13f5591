// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one convolution whose description, constants and input come from a file (conv_case.h beside
// the tests writes it), and writes the output to another: conv_layer.elf CASE OUTPUT. With -DGENERATED
// the kernel is npu-kgen's for the same layer, named `layer`; the library has to find it and give the same bytes.

#include <npu/conv.h>
#include <npu/placement.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef GENERATED
#include "layer.h"

#include <npu/generated.h>
#endif

typedef struct header {
  npu_dims input, filter, output;
  npu_conv_params params;
  uint32_t scratch; // bytes, 0 = the smallest that the kernel takes
  int32_t weight_bits;
  uint32_t placement;                               // NPU_CONV_*_TCM
  int32_t in_pixel, in_pitch, out_pixel, out_pitch; // bytes in the scratchpad, 0 = dense
} header;

enum { FILE_BYTES = 4 << 20, SCRATCH_BYTES = 80 << 10, NEAR = 33 << 10, GUARD_BYTES = 64, GUARD = 0x55 };

static NPU_DRAM_BSS _Alignas(16) uint8_t file[FILE_BYTES];
static NPU_DRAM_BSS _Alignas(16) uint8_t packed[1 << 20];
static NPU_DRAM_BSS int8_t output[4 << 20];
static _Alignas(16) uint8_t scratch[SCRATCH_BYTES];
static _Alignas(16) uint8_t near_packed[NEAR];
static _Alignas(16) int8_t near_input[NEAR], near_output[NEAR];
#ifdef GENERATED
static NPU_DRAM_BSS int8_t general[1 << 20];
#endif

static uint32_t volume(npu_dims d) { return (uint32_t)(d.n * d.h * d.w * d.c); }

static int fail(const char *what, int status) {
  printf("conv_layer: %s: %d\n", what, status);
  return 1;
}

// Two weights a byte, in place.
static void join_nibbles(int8_t *weights, uint32_t count) {
  for (uint32_t i = 0; i < count; i += 2)
    weights[i / 2] = (int8_t)((weights[i] & 15) | (i + 1 < count ? weights[i + 1] * 16 : 0));
}

// Copies a tensor whose pixels and lines lie so many bytes apart; 0 = dense.
static void copy(int8_t *to, int32_t to_pixel, int32_t to_pitch, const int8_t *from, int32_t from_pixel,
                 int32_t from_pitch, const npu_dims *d) {
  to_pixel = to_pixel != 0 ? to_pixel : d->c;
  to_pitch = to_pitch != 0 ? to_pitch : to_pixel * d->w;
  from_pixel = from_pixel != 0 ? from_pixel : d->c;
  from_pitch = from_pitch != 0 ? from_pitch : from_pixel * d->w;
  for (int32_t y = 0; y < d->n * d->h; ++y)
    for (int32_t x = 0; x < d->w; ++x)
      memcpy(to + y * to_pitch + x * to_pixel, from + y * from_pitch + x * from_pixel, (uint32_t)d->c);
}

// Runs the layer by the library's call.
static npu_status run(const header *h, uint32_t scratch_bytes, const int8_t *input, const void *constants,
                      int8_t *to) {
  const npu_context context = {scratch, scratch_bytes};
  return h->weight_bits == 4
             ? npu_conv_s4(&context, &h->params, &h->input, input, &h->filter, constants, &h->output, to)
             : npu_conv_s8(&context, &h->params, &h->input, input, &h->filter, constants, &h->output, to);
}

#ifdef GENERATED
// The library calls the generated kernel and gives the bytes of a plan that is made here.
static int compare_with_library(const header *h, const int8_t *input, const void *constants, int8_t *to) {
  npu_conv_problem problem = {.input = h->input,
                              .filter = h->filter,
                              .output = h->output,
                              .params = h->params,
                              .weight_bits = h->weight_bits,
                              .placement = h->placement,
                              .scratch_bytes = LAYER_SCRATCH_BYTES};
  problem.params.groups = h->params.groups > 1 ? h->params.groups : 1;
  const npu_generated_conv *const found = npu_find_generated_conv(&problem);
  if (found == 0 || found->run != layer)
    return fail("the library does not find the generated kernel", found != 0);
  npu_status status = run(h, LAYER_SCRATCH_BYTES, input, constants, to);
  if (status != NPU_OK)
    return fail("library", status);
  npu_conv_plan plan;
  problem.scratch_bytes = sizeof scratch;
  const npu_context whole = {scratch, sizeof scratch};
  memcpy(general, to, volume(h->output));
  memset(to, GUARD, volume(h->output));
  status = npu_conv_plan_make(&plan, &problem);
  if (status == NPU_OK)
    status = npu_conv_run(&plan, &problem, &whole, input, constants, to);
  if (status != NPU_OK)
    return fail("general kernel", status);
  if (memcmp(general, to, volume(h->output)) != 0)
    return fail("general and generated kernel differ", 0);
  memset(to, GUARD, volume(h->output));
  return 0;
}
#endif

int main(int argc, char **argv) {
  if (argc != 3)
    return fail("arguments", argc);
  const int in = open(argv[1], O_RDONLY);
  size_t bytes = 0;
  for (ssize_t count; in >= 0 && (count = read(in, file + bytes, sizeof file - bytes)) > 0;)
    bytes += (size_t)count;
  if (bytes < sizeof(header))
    return fail("case file", in);

  header h;
  memcpy(&h, file, sizeof h);
  const uint32_t channels = (uint32_t)h.filter.n, tensor = volume(h.output);
  const int32_t *multiplier = (const int32_t *)(file + sizeof(header));
  const int32_t *shift = multiplier + channels;
  const int32_t *bias = shift + channels;
  int8_t *const filter = (int8_t *)(bias + channels);
  const int8_t *input = filter + volume(h.filter);
  if (h.weight_bits == 4)
    join_nibbles(filter, volume(h.filter));

#ifdef GENERATED
  (void)multiplier;
  (void)shift;
  const uint32_t packed_bytes = LAYER_PACKED_BYTES;
  npu_status status = layer_pack((void *)filter, bias, packed);
#else
  const npu_per_channel_quant quant = {multiplier, shift};
  const int nibbles = h.weight_bits == 4;
  const uint32_t packed_bytes = nibbles ? npu_conv_s4_get_packed_size(&h.filter, &h.params)
                                        : npu_conv_s8_get_packed_size(&h.filter, &h.params);
  npu_status status =
      nibbles ? npu_conv_s4_pack(&h.params, &quant, &h.filter, (const uint8_t *)filter, bias, packed)
              : npu_conv_s8_pack(&h.params, &quant, &h.filter, filter, bias, packed);
#endif
  if (status != NPU_OK)
    return fail("pack", status);

  const void *constants = packed;
  int8_t *to = output;
  if ((h.placement & NPU_CONV_INPUT_TCM) != 0) {
    copy(near_input, h.in_pixel, h.in_pitch, input, 0, 0, &h.input);
    input = near_input;
  }
  if ((h.placement & NPU_CONV_WEIGHTS_TCM) != 0 && packed_bytes <= sizeof near_packed)
    constants = memcpy(near_packed, packed, packed_bytes);
  memset(output, GUARD, tensor + GUARD_BYTES);
  memset(near_output, GUARD, sizeof near_output);
  if ((h.placement & NPU_CONV_OUTPUT_TCM) != 0)
    to = near_output;

#ifdef GENERATED
  if ((h.in_pixel | h.in_pitch | h.out_pixel | h.out_pitch) == 0 &&
      compare_with_library(&h, input, constants, to) != 0)
    return 1;
  const npu_context context = {scratch, LAYER_SCRATCH_BYTES};
  status = layer(&context, input, constants, to);
#else
  const uint32_t size = h.scratch != 0 ? h.scratch
                        : nibbles ? npu_conv_s4_get_buffer_size(&h.params, &h.input, &h.filter, &h.output)
                                  : npu_conv_s8_get_buffer_size(&h.params, &h.input, &h.filter, &h.output);
  if (size > sizeof scratch)
    return fail("scratch bytes", (int)size);
  status = run(&h, size, input, constants, to);
#endif
  if (status != NPU_OK)
    return fail("kernel", status);
  if (to == near_output) {
    copy(output, 0, 0, near_output, h.out_pixel, h.out_pitch, &h.output);
    // What lies between the pixels and behind them has not been touched.
    for (int32_t y = 0; y < h.output.n * h.output.h; ++y)
      for (int32_t x = 0; x < h.output.w; ++x) {
        const int32_t pixel = h.out_pixel != 0 ? h.out_pixel : h.output.c;
        const int32_t pitch = h.out_pitch != 0 ? h.out_pitch : pixel * h.output.w;
        memset(near_output + y * pitch + x * pixel, GUARD, (uint32_t)h.output.c);
      }
    for (uint32_t i = 0; i < sizeof near_output; ++i)
      if (near_output[i] != GUARD)
        return fail("byte written outside of the output's pixels", (int)i);
  }
  for (uint32_t i = 0; i < GUARD_BYTES; ++i)
    if (output[tensor + i] != GUARD)
      return fail("byte written behind the output", (int)i);

  const int out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  bytes = 0;
  for (ssize_t count; out >= 0 && bytes < tensor && (count = write(out, output + bytes, tensor - bytes)) > 0;)
    bytes += (size_t)count;
  if (bytes < tensor || close(out) != 0)
    return fail("output file", out);
  return 0;
}
