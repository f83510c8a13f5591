// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Demo: a 3 x 3 convolution with sixteen filters over a photograph in DRAM.
//
//   photo_demo.elf hand|generated INPUT OUTPUT
//
// INPUT holds int8 [240, 320, 3], OUTPUT gets int8 [240, 320, 16]. The first argument picks the
// library's kernel or the one that npu-kgen emitted for this layer. Prints the kernel's cycles.

#include "photo_conv.h"
#include "photo_filters.h"

#include <fcntl.h>
#include <npu/conv.h>
#include <npu/cycles.h>
#include <npu/placement.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static NPU_DRAM_BSS int8_t input[PHOTO_H * PHOTO_W * PHOTO_C];
static NPU_DRAM_BSS int8_t output[PHOTO_H * PHOTO_W * PHOTO_FILTERS];
static _Alignas(16) uint8_t packed[PHOTO_CONV_PACKED_BYTES];
// What photo_layer.json allows; the generated kernel may need less.
static _Alignas(16) uint8_t scratch[92 << 10];
_Static_assert(sizeof scratch >= PHOTO_CONV_SCRATCH_BYTES, "of the generated kernel");

// Transfers straight between the file and DRAM: stdio would copy every byte with the core. A call
// may move less than it is asked for.
static int read_file(const char *name, int8_t *to, size_t bytes) {
  const int file = open(name, O_RDONLY);
  ssize_t count;
  size_t done = 0;
  while (file >= 0 && done < bytes && (count = read(file, to + done, bytes - done)) > 0)
    done += (size_t)count;
  if (file >= 0)
    close(file);
  if (done < bytes)
    fprintf(stderr, "photo_demo: %s: cannot read %u bytes\n", name, (unsigned)bytes);
  return done == bytes;
}

static int write_file(const char *name, const int8_t *from, size_t bytes) {
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ssize_t count;
  size_t done = 0;
  while (file >= 0 && done < bytes && (count = write(file, from + done, bytes - done)) > 0)
    done += (size_t)count;
  const int ok = done == bytes && close(file) == 0;
  if (!ok)
    fprintf(stderr, "photo_demo: %s: cannot write %u bytes\n", name, (unsigned)bytes);
  return ok;
}

int main(int argc, char **argv) {
  const int hand = argc == 4 && strcmp(argv[1], "hand") == 0;
  const int generated = argc == 4 && strcmp(argv[1], "generated") == 0;
  if (!hand && !generated) {
    fprintf(stderr, "usage: photo_demo.elf hand|generated INPUT OUTPUT\n");
    return 2;
  }
  if (!read_file(argv[2], input, sizeof input))
    return 1;
  if (photo_conv_pack(&photo_filters[0][0][0][0], photo_bias, packed) != NPU_OK)
    return 1;

  const npu_context context = {scratch, sizeof scratch};
  const uint64_t start = npu_cycles();
  const npu_status status =
      hand ? npu_conv_s8(&context, &photo_params, &photo_input_dims, input, &photo_filter_dims,
                         packed, &photo_output_dims, output)
           : photo_conv(&context, input, packed, output);
  const uint64_t cycles = npu_cycles() - start;
  if (status != NPU_OK) {
    fprintf(stderr, "photo_demo: the %s kernel failed with status %d\n", argv[1], status);
    return 1;
  }
  const uint32_t macs = PHOTO_H * PHOTO_W * PHOTO_FILTERS * 3 * 3 * PHOTO_C;
  printf("kernel=%s cycles=%llu macs=%lu\n", argv[1], (unsigned long long)cycles,
         (unsigned long)macs);
  return write_file(argv[3], output, sizeof output) ? 0 : 1;
}
