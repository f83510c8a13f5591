// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one program on the Verilated NPU: semihosting, tohost, lockstep check, trace, bounds,
// debugger.

#pragma once

#include "debug_machine.h"
#include "elf_image.h"
#include "instruction_coverage.h"
#include "interrupt_source.h"
#include "konata.h"
#include "lockstep.h"
#include "machine.h"
#include "perfetto.h"
#include "semihosting.h"
#include "statistics.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace npu {
class GdbServer;
}

namespace npu::rtl {

struct SimulationOptions {
  DramTiming dram;
  bool lockstep = true;
  uint32_t externalInterrupts = 0; // longest distance, see interrupt_source.h; 0: none
  struct BusError {
    ByteRange range;
    AxiResponse response;
  };
  std::vector<BusError> busErrors{}; // of DRAM
  uint64_t maxCycles = 0;    // 0: no bound
  std::FILE *trace = nullptr; // one line for each event
  std::string waveFile{};
  InstructionCoverage *coverage = nullptr; // with lockstep
  std::FILE *perfetto = nullptr, *konata = nullptr;
  std::optional<uint32_t> statsFunction{}; // address of the function to count each call of
};

enum class Outcome {
  Exited,    // status is the program's
  Trap,      // a trap whose handler cannot be fetched
  Mismatch,  // the lockstep check failed
  CycleBound,
  Hang,
};

struct SimulationResult {
  Outcome outcome;
  int status = 0;
  std::string report; // why it did not exit; one or more whole lines

  int exitStatus() const; // of the simulator
};

class Simulation final : private DebugMachine {
public:
  // Without progress of the core or a unit for so long, it hangs. A core that sleeps may have
  // a timer to wait for.
  static constexpr uint64_t kHangCycles = 1'000'000, kSleepCycles = 100'000'000;

  // arguments[0] is the program's name.
  Simulation(const MachineConfig &config, SimulationOptions options, const ElfImage &image,
             std::vector<std::string> arguments);

  SimulationResult runToEnd();
  // The same under the control of a debugger. Stopping, stepping and reading registers or memory
  // stop the clock of the machine and so leave its timing as it is; see haltCore() for the rest.
  SimulationResult debug(GdbServer &server);

  Machine &machine() { return *machine_; }
  const Lockstep *lockstep() const { return lockstep_.get(); }
  // Completes the files of --perfetto and --konata; no cycle may follow.
  void finishTraces();
  // One JSON object, for --stats.
  std::string statistics(int exitStatus) const;

private:
  void driveInterrupt();
  std::optional<SimulationResult> tick(); // one cycle with all that follows from it
  std::optional<SimulationResult> onEvent(const RetireEvent &event);
  std::optional<SimulationResult> onHalt();
  bool takeVectorResults(); // false at a mismatch
  SimulationResult finish(SimulationResult result);
  std::string describeRegisters() const;
  SimulationResult mismatch() const { return {Outcome::Mismatch, 0, lockstep_->report()}; }

  uint32_t readRegister(unsigned number) override;
  void writeRegister(unsigned number, uint32_t value) override;
  bool readMemory(uint32_t address, void *out, size_t bytes) override;
  bool writeMemory(uint32_t address, const void *in, size_t bytes) override;
  uint64_t cycles() override;

  uint32_t pc() override;
  void setPc(uint32_t pc) override;
  uint32_t readCsr(unsigned number) override;
  void writeCsr(unsigned number, uint32_t value) override;
  VectorValue readVector(unsigned number) override;
  void writeVector(unsigned number, const VectorValue &value) override;
  void setBreakpoint(uint32_t pc, bool present) override;
  DebugStop step(std::optional<RetireEvent> &event) override;
  DebugStop run() override;
  DebugStop settle() override;

  void haltCore();
  void resumeCore();
  DebugStop stopFor(SimulationResult &&result);
  std::optional<DebugStop> debugTick();

  const SimulationOptions options_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Lockstep> lockstep_;
  std::unique_ptr<PerfettoTrace> perfetto_;
  std::unique_ptr<KonataLog> konata_;
  std::optional<CallStatistics> calls_;
  InterruptSource interrupts_;
  Semihosting semihosting_;
  std::optional<uint32_t> toHost_;
  std::optional<RetireEvent> trapping_; // the last event, if it entered a handler
  std::array<uint32_t, 32> registers_{};  // as retired
  std::array<VectorValue, 32> vectors_{}; // as written
  uint64_t lastProgress_ = 0;             // cycle
  uint64_t vectorUntil_ = 0;              // cycle by which all vector results are written

  // For the debugger.
  std::optional<RetireEvent> happened_;       // in the last cycle, also a semihosting call
  std::optional<SimulationResult> result_;    // how the run has ended
  std::optional<uint32_t> resumePc_;          // the debugger has halted the core
  bool codeChanged_ = false;                  // while halted
  std::unordered_set<uint32_t> breakpoints_;
};

} // namespace npu::rtl
