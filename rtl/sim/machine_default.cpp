// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_configs.h"
#include "verilated_machine.h"

#include <Vnpu_default.h>
#include <Vnpu_default___024root.h>
#ifdef NPU_COVERAGE
#include <Vnpu_default__Syms.h>
#endif

namespace npu::rtl {

std::unique_ptr<Machine> createDefault(const MachineConfig &config, DramTiming timing,
                                       const std::string &waveFile) {
#ifdef NPU_COVERAGE
  using DefaultMachine = VerilatedMachine<Vnpu_default, Coverage<Vnpu_default>>;
#else
  using DefaultMachine = VerilatedMachine<Vnpu_default>;
#endif
  return std::make_unique<DefaultMachine>(config, timing, waveFile);
}

} // namespace npu::rtl
