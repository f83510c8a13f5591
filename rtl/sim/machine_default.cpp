// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_configs.h"
#include "verilated_machine.h"

#include <Vnpu_default.h>
#include <Vnpu_default___024root.h>

namespace npu::rtl {

std::unique_ptr<Machine> createDefault(const MachineConfig &config, DramTiming timing,
                                       const std::string &waveFile) {
  return std::make_unique<VerilatedMachine<Vnpu_default>>(config, timing, waveFile);
}

} // namespace npu::rtl
