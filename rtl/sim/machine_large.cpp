// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_configs.h"
#include "verilated_machine.h"

#include <Vnpu_large.h>
#include <Vnpu_large___024root.h>

namespace npu::rtl {

std::unique_ptr<Machine> createLarge(const MachineConfig &config, DramTiming timing,
                                       const std::string &waveFile) {
  return std::make_unique<VerilatedMachine<Vnpu_large>>(config, timing, waveFile);
}

} // namespace npu::rtl
