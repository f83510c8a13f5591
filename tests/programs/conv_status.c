// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status codes of the operators: what is out of range, scratch buffers that do not do, tensors outside
// memory. The layer works again afterwards.
//
// RUN: %cc -O2 -Wall -Werror %s -lnpukernels -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s

#include <npu/conv.h>
#include <npu/matmul.h>
#include <npu/placement.h>
#include <stdio.h>

static const npu_dims input_dims = {1, 6, 7, 3}, filter_dims = {4, 3, 3, 3},
                      output_dims = {1, 6, 7, 4};
static const npu_conv_params good = {.stride = {1, 1},
                                     .padding = {1, 1},
                                     .dilation = {1, 1},
                                     .activation_min = -128,
                                     .activation_max = 127};
static NPU_DRAM_BSS int8_t input[6 * 7 * 3], output[6 * 7 * 4];
static int8_t filter[4 * 27];
static _Alignas(16) uint8_t near_packed[1024], scratch[8192];
static NPU_DRAM_BSS _Alignas(16) uint8_t packed[1024], far_scratch[8192];
static int32_t multiplier[4] = {1 << 30, 1 << 30, 1 << 30, 1 << 30}, shift[4];
static const npu_per_channel_quant quant = {multiplier, shift};

static int conv(void *buffer, uint32_t size, npu_conv_params params, npu_dims in, npu_dims out,
                const int8_t *from) {
  const npu_context context = {buffer, size};
  return npu_conv_s8(&context, &params, &in, from, &filter_dims, packed, &out, output);
}

static int with(npu_conv_params params) {
  return conv(scratch, sizeof scratch, params, input_dims, output_dims, input);
}

int main(void) {
  printf("packed %lu, pack %d\n",
         (unsigned long)npu_conv_s8_get_packed_size(&filter_dims, &good),
         npu_conv_s8_pack(&good, &quant, &filter_dims, filter, NULL, packed));
  // CHECK: packed 656, pack 0
  const uint32_t smallest =
      npu_conv_s8_get_buffer_size(&good, &input_dims, &filter_dims, &output_dims);
  printf("good %d, smallest %d, smaller %d\n", with(good),
         conv(scratch, smallest, good, input_dims, output_dims, input),
         conv(scratch, smallest - 1, good, input_dims, output_dims, input));
  // CHECK-NEXT: good 0, smallest 0, smaller -2
  printf("misaligned %d, in DRAM %d\n",
         conv(scratch + 4, 8000, good, input_dims, output_dims, input),
         conv(far_scratch, 8192, good, input_dims, output_dims, input));
  // CHECK-NEXT: misaligned -2, in DRAM -2

  npu_conv_params p = good;
  p.stride.h = 0;
  const int stride = with(p);
  p = good;
  p.padding.w = 256;
  const int padding = with(p);
  p = good;
  p.activation_min = 5;
  p.activation_max = 4;
  const int activation = with(p);
  p = good;
  p.input_offset = 129;
  const int offset = with(p);
  printf("stride %d, padding %d, activation %d, offset %d\n", stride, padding, activation, offset);
  // CHECK-NEXT: stride -1, padding -1, activation -1, offset -1

  npu_dims wrong = input_dims;
  wrong.c = 4;
  printf("channels %d", conv(scratch, sizeof scratch, good, wrong, output_dims, input));
  wrong = output_dims;
  wrong.h = 0;
  printf(", no lines %d", conv(scratch, sizeof scratch, good, input_dims, wrong, input));
  printf(", size %lu\n", (unsigned long)npu_conv_s8_get_buffer_size(&good, &input_dims, &filter_dims,
                                                                   &wrong));
  // CHECK-NEXT: channels -1, no lines -1, size 0
  shift[2] = 32;
  printf("shift %d\n", npu_conv_s8_pack(&good, &quant, &filter_dims, filter, NULL, packed));
  shift[2] = 0;
  // CHECK-NEXT: shift -1

  printf("input nowhere %d\n", conv(scratch, sizeof scratch, good, input_dims, output_dims,
                                    (const int8_t *)0x40000000));
  // CHECK-NEXT: input nowhere -3
  printf("good again %d\n", with(good));
  // CHECK-NEXT: good again 0

  const npu_matmul_params params = {.activation_min = -128, .activation_max = 127};
  npu_matmul_dims dims = {4, 4, 0};
  printf("matmul %d", npu_matmul_s8(&params, &dims, filter, near_packed, (int8_t *)scratch));
  dims.n = 4;
  printf(" %d", npu_matmul_s8(&params, &dims, filter, near_packed, (int8_t *)scratch));
  printf(" %d\n", npu_matmul_s8(&params, &dims, filter, near_packed, output));
  // CHECK-NEXT: matmul -1 0 -4
  return 0;
}
