// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "observation.h"

namespace npu::rtl {

const std::array<const char *, kStalls> kStallNames = {
    "none", "fetch", "icache", "load_use", "mul_use", "vector", "memory",
    "div",  "wait",  "fence",  "queue",    "wfi",     "debug"};

const std::array<const char *, kTcmUnits> kTcmUnitNames = {"vector", "activation", "drain",
                                                           "weights", "dma0", "dma1"};

} // namespace npu::rtl
