// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels -Wl,--defsym=__stack_size=8192
//
// int8 convolutions from and to DRAM: the distinct shapes of ResNet-50 (stride in the 3 x 3) and
// MobileNetV1 at 56 x 56 and below, and their first layers cropped to an output of 56 x 56
// (conv_layers.h).

#include "conv_layers.h"

static const layer_shape layers[] = {
    // ResNet-50
    {112, 112, 3, 64, 7, 2}, // first
    {56, 56, 64, 64, 1, 1},
    {56, 56, 64, 64, 3, 1},
    {56, 56, 64, 256, 1, 1},
    {56, 56, 256, 64, 1, 1},
    {56, 56, 256, 128, 1, 1},
    {56, 56, 128, 128, 3, 2},
    {56, 56, 256, 512, 1, 2},
    {28, 28, 128, 512, 1, 1},
    {28, 28, 512, 128, 1, 1},
    {28, 28, 128, 128, 3, 1},
    {28, 28, 512, 256, 1, 1},
    {28, 28, 256, 256, 3, 2},
    {28, 28, 512, 1024, 1, 2},
    {14, 14, 256, 1024, 1, 1},
    {14, 14, 1024, 256, 1, 1},
    {14, 14, 256, 256, 3, 1},
    {14, 14, 1024, 512, 1, 1},
    {14, 14, 512, 512, 3, 2},
    {14, 14, 1024, 2048, 1, 2},
    {7, 7, 512, 2048, 1, 1},
    {7, 7, 2048, 512, 1, 1},
    {7, 7, 512, 512, 3, 1},
    // MobileNetV1
    {112, 112, 3, 32, 3, 2}, // first
    {56, 56, 64, 128, 1, 1},
    {56, 56, 128, 128, 1, 1},
    {28, 28, 128, 256, 1, 1},
    {28, 28, 256, 256, 1, 1},
    {14, 14, 256, 512, 1, 1},
    {14, 14, 512, 512, 1, 1},
    {7, 7, 512, 1024, 1, 1},
    {7, 7, 1024, 1024, 1, 1},
};

int main(int argc, char **argv) {
  return measure_layers("conv_int8", layers, sizeof layers / sizeof *layers, 8, argc, argv);
}
