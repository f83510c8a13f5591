// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One Verilated design for each memory configuration.

#pragma once

#include "machine.h"

namespace npu::rtl {

std::unique_ptr<Machine> createDefault(const MachineConfig &config, DramTiming timing,
                                       const std::string &waveFile);
std::unique_ptr<Machine> createLarge(const MachineConfig &config, DramTiming timing,
                                     const std::string &waveFile);

} // namespace npu::rtl
