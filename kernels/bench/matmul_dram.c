// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels -Wl,--defsym=__stack_size=8192
// bench-kgen: matmul_256.json matmul_512.json
//
// int8 matrix multiplications from and to DRAM by kernels of npu-kgen, the rows as pixels
// (npu_matmul_s8_problem): BENCH name=matmul_int8/MxKxN (conv_layers.h).

#define SCRATCH_BYTES (98 << 10)

#include "conv_layers.h"
#include "matmul_256.h"
#include "matmul_512.h"

static const layer_shape products[] = {
    {16, 16, 256, 256, 1, 1, matmul_256, MATMUL_256_CYCLES},
    {32, 16, 512, 512, 1, 1, matmul_512, MATMUL_512_CYCLES},
};

int main(int argc, char **argv) {
  return measure_layers("matmul_int8", products, sizeof products / sizeof *products, 8, argc, argv);
}
