// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quantization of the benchmarks' additions: scales of both inputs and zero points that differ.

#ifndef ADD_PARAMS_H
#define ADD_PARAMS_H

#include <npu/elementwise.h>

static const npu_add_params add_params = {.input1_offset = 3,
                                          .input2_offset = -7,
                                          .output_offset = 5,
                                          .input1_multiplier = 1 << 30,
                                          .input2_multiplier = 1431655765,
                                          .input2_shift = -1,
                                          .output_multiplier = 1717986918,
                                          .output_shift = -18,
                                          .activation_min = -128,
                                          .activation_max = 127};

#endif // ADD_PARAMS_H
