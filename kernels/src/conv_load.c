// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's copy of npu/conv_loads.h.

#include "npu/conv_loads.h"
