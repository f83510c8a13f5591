// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels -Wl,--defsym=__stack_size=8192
//
// int8 matrix multiplications from and to DRAM, as npu_matmul_s8_problem puts them: BENCH name=matmul_int8/MxKxN
// (conv_layers.h).

#include "conv_layers.h"

static const layer_shape products[] = {
    {16, 16, 256, 256, 1, 1,
     {.tile_h = 8, .tile_w = 16, .first_h = 4, .slice_blocks = 1, .column_order = 1}},
    {32, 16, 512, 512, 1, 1,
     {.tile_h = 11, .tile_w = 8, .first_h = 6, .slice_blocks = 1, .chunk_segments = 2, .column_order = 1}},
};

int main(int argc, char **argv) {
  return measure_layers("matmul_int8", products, sizeof products / sizeof *products, 8, argc, argv);
}
