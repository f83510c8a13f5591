// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short program in ITCM for a model under test.

#pragma once

#include "assembler.h"
#include "generated/npu_platform.h"
#include "model.h"

#include <gtest/gtest.h>

namespace npu::test {

inline const MachineConfig &defaultConfig() { return *MachineConfig::find("default"); }
inline unsigned number(Csr csr) { return static_cast<unsigned>(csr); }

class Program {
public:
  Program() : model(defaultConfig()), code(NPU_RESET_PC) {}

  // Executes the code written so far, one step for each of its instructions.
  void run() { run(code.words().size()); }
  void run(uint64_t steps) {
    load();
    model.run(steps);
  }
  void load() { model.writeMemory(code.base(), code.words().data(), code.words().size() * 4); }

  uint32_t csr(Csr name) const { return model.readCsr(number(name)); }
  uint32_t word(uint32_t address) const {
    uint32_t value = 0xdeadbeef;
    EXPECT_TRUE(model.readMemory(address, &value, 4)) << std::hex << address;
    return value;
  }
  void setWord(uint32_t address, uint32_t value) {
    ASSERT_TRUE(model.writeMemory(address, &value, 4)) << std::hex << address;
  }

  Model model;
  fuzz::Section code;
};

} // namespace npu::test
