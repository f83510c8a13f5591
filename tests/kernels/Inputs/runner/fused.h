// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runners of fused convolutions share.

#ifndef FUSED_H
#define FUSED_H

#include "params.h"
#include "runner.h"

#include <npu/fused.h>

enum { RESIDUAL = 5 };

// The convolution's constants, packed; null if that fails.
static inline void *pack(const test_case *c, const npu_conv_params *params, const npu_dims *filter) {
  const npu_per_channel_quant quant = {test_data(c, 3), test_data(c, 4)};
  void *packed = test_memory(npu_conv_s8_get_packed_size(filter, params));
  return npu_conv_s8_pack(params, &quant, filter, test_data(c, 1), test_data(c, 2), packed) == NPU_OK ? packed : 0;
}

#endif // FUSED_H
