// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one program on the golden model: semihosting, tohost, bounds, trace, race check, debugger.

#pragma once

#include "debug_machine.h"
#include "elf_image.h"
#include "model.h"
#include "race_checker.h"
#include "semihosting.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace npu {

class GdbServer;

class IssSimulation final : private DebugMachine {
public:
  struct Options {
    uint64_t maxSteps = UINT64_MAX;
    bool checkRaces = false;
    std::FILE *trace = nullptr; // one line for each instruction
  };
  // How the run ended: the simulator's exit status, and why the program did not end by itself in
  // one or more whole lines.
  struct Result {
    int status = 0;
    std::string report{};
  };

  // arguments[0] is the program's name.
  IssSimulation(const MachineConfig &config, const ElfImage &image, const Options &options,
                std::vector<std::string> arguments);

  Result runToEnd();
  // The same under the control of a debugger.
  Result debug(GdbServer &server);

  const Model &model() const { return model_; }

private:
  StopReason advance(uint64_t steps);
  std::optional<StopReason> observedStep(RetireEvent &event);
  // What follows from a stop; nothing when the run goes on.
  std::optional<DebugStop> handle(StopReason stop);
  DebugStop trapReport() const;

  uint32_t readRegister(unsigned number) override { return model_.reg(number); }
  void writeRegister(unsigned number, uint32_t value) override { model_.setReg(number, value); }
  bool readMemory(uint32_t address, void *out, size_t bytes) override {
    return model_.readMemory(address, out, bytes);
  }
  bool writeMemory(uint32_t address, const void *in, size_t bytes) override {
    return model_.writeMemory(address, in, bytes);
  }
  uint64_t cycles() override { return model_.steps(); }

  uint32_t pc() override { return model_.pc(); }
  void setPc(uint32_t pc) override { model_.setPc(pc); }
  uint32_t readCsr(unsigned number) override { return model_.readCsr(number); }
  void writeCsr(unsigned number, uint32_t value) override { model_.writeCsr(number, value); }
  VectorValue readVector(unsigned number) override { return model_.vectorReg(number); }
  void writeVector(unsigned number, const VectorValue &value) override {
    model_.setVectorReg(number, value);
  }
  void setBreakpoint(uint32_t pc, bool present) override;
  DebugStop step(std::optional<RetireEvent> &event) override;
  DebugStop run() override;
  DebugStop settle() override { return {}; }

  Model model_;
  Semihosting semihosting_;
  const Options options_;
  std::optional<RaceChecker> races_;
  std::optional<RetireEvent> called_; // the ebreak of a semihosting call that was just served
  std::unordered_set<uint32_t> breakpoints_;
};

} // namespace npu
