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
} header;

enum { FILE_BYTES = 4 << 20, SCRATCH_BYTES = 80 << 10, GUARD_BYTES = 64, GUARD = 0x55 };

static NPU_DRAM_BSS _Alignas(16) uint8_t file[FILE_BYTES];
static NPU_DRAM_BSS _Alignas(16) uint8_t packed[1 << 20];
static NPU_DRAM_BSS int8_t output[4 << 20];
static _Alignas(16) uint8_t scratch[SCRATCH_BYTES];
#ifdef GENERATED
static NPU_DRAM_BSS int8_t general[1 << 20];
#endif

static uint32_t volume(npu_dims d) { return (uint32_t)(d.n * d.h * d.w * d.c); }

static int fail(const char *what, int status) {
  printf("conv_layer: %s: %d\n", what, status);
  return 1;
}

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
  const uint32_t channels = (uint32_t)h.filter.n;
  const int32_t *multiplier = (const int32_t *)(file + sizeof(header));
  const int32_t *shift = multiplier + channels;
  const int32_t *bias = shift + channels;
  const int8_t *filter = (const int8_t *)(bias + channels);
  const int8_t *input = filter + volume(h.filter);

  memset(output + volume(h.output), GUARD, GUARD_BYTES);
#ifdef GENERATED
  (void)multiplier;
  (void)shift;
  int status = layer_pack(filter, bias, packed);
  if (status != NPU_OK)
    return fail("pack", status);
  const npu_context context = {scratch, LAYER_SCRATCH_BYTES};
  npu_conv_problem problem = {.input = h.input,
                              .filter = h.filter,
                              .output = h.output,
                              .params = h.params,
                              .weight_bits = 8,
                              .scratch_bytes = LAYER_SCRATCH_BYTES};
  problem.params.groups = h.params.groups > 1 ? h.params.groups : 1;
  const npu_generated_conv *const found = npu_find_generated_conv(&problem);
  if (found == 0 || found->run != layer)
    return fail("the library does not find the generated kernel", found != 0);
  status = npu_conv_s8(&context, &h.params, &h.input, input, &h.filter, packed, &h.output, output);
  if (status != NPU_OK)
    return fail("library", status);
  // The same constants with a plan made here, then the kernel itself.
  npu_conv_plan plan;
  npu_conv_problem own = problem;
  own.scratch_bytes = sizeof scratch;
  const npu_context whole = {scratch, sizeof scratch};
  status = npu_conv_plan_make(&plan, &own);
  if (status == NPU_OK)
    status = npu_conv_run(&plan, &own, &whole, input, packed, general);
  if (status != NPU_OK)
    return fail("general kernel", status);
  if (memcmp(general, output, volume(h.output)) != 0)
    return fail("general and generated kernel differ", 0);
  memset(output, GUARD, volume(h.output));
  status = layer(&context, input, packed, output);
#else
  const npu_per_channel_quant quant = {multiplier, shift};
  int status = npu_conv_s8_pack(&h.params, &quant, &h.filter, filter, bias, packed);
  if (status != NPU_OK)
    return fail("pack", status);
  const uint32_t smallest =
      npu_conv_s8_get_buffer_size(&h.params, &h.input, &h.filter, &h.output);
  const npu_context context = {scratch, h.scratch != 0 ? h.scratch : smallest};
  if (context.size > sizeof scratch)
    return fail("scratch bytes", (int)context.size);
  status = npu_conv_s8(&context, &h.params, &h.input, input, &h.filter, packed, &h.output, output);
#endif
  if (status != NPU_OK)
    return fail("kernel", status);
  for (uint32_t i = 0; i < GUARD_BYTES; ++i)
    if (output[volume(h.output) + i] != GUARD)
      return fail("byte written behind the output", (int)i);

  const int out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  bytes = 0;
  for (ssize_t count; out >= 0 && bytes < volume(h.output) &&
                      (count = write(out, output + bytes, volume(h.output) - bytes)) > 0;)
    bytes += (size_t)count;
  if (bytes < volume(h.output) || close(out) != 0)
    return fail("output file", out);
  return 0;
}
