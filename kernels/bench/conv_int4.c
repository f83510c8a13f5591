// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels -Wl,--defsym=__stack_size=8192
//
// Convolutions with int4 weights, from and to DRAM (conv_layers.h): two weights a cell of the array
// and cycle, so that the peak is 512 MAC a cycle.

#include "conv_layers.h"

static const layer_shape layers[] = {
    {56, 56, 64, 64, 3, 1},    {28, 28, 128, 128, 3, 1},  {14, 14, 256, 256, 3, 1},
    {56, 56, 64, 256, 1, 1},   {56, 56, 256, 64, 1, 1},   {28, 28, 512, 128, 1, 1},
    {14, 14, 256, 1024, 1, 1}, {14, 14, 1024, 256, 1, 1}, {28, 28, 33, 47, 3, 1}, // odd channels
};

int main(int argc, char **argv) {
  return measure_layers("conv_int4", layers, sizeof layers / sizeof *layers, 4, argc, argv);
}
