// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs for the RTL, assembled in memory and run in lockstep with the golden model.

#pragma once

#include "assembler.h"
#include "simulation.h"

#include "generated/npu_platform.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace npu::rtl::test {

using fuzz::Section;

enum Register : unsigned {
  zero = 0, ra = 1, sp = 2, gp = 3, tp = 4, t0 = 5, t1 = 6, t2 = 7, s0 = 8, s1 = 9, a0 = 10,
  a1 = 11, a2 = 12, a3 = 13, a4 = 14, a5 = 15, a6 = 16, a7 = 17, s2 = 18, s3 = 19, s4 = 20,
  s5 = 21, s6 = 22, s7 = 23, s8 = 24, s9 = 25, s10 = 26, s11 = 27, t3 = 28, t4 = 29, t5 = 30,
  t6 = 31
};

// Where the programs keep data, and the parameters of the call that ends them.
constexpr uint32_t kData = NPU_TCM_BASE + 0x1000;
constexpr uint32_t kExitBlock = NPU_TCM_BASE;
constexpr uint32_t kHandler = NPU_ITCM_BASE + 0x8000;

// Ends the program with the status in a register: semihosting's SYS_EXIT_EXTENDED.
inline void exitWithRegister(Section &code, unsigned number) {
  code.li(t5, kExitBlock);
  code.store(Insn::SW, number, t5, 4);
  code.li(t6, 0x20026); // ADP_Stopped_ApplicationExit
  code.store(Insn::SW, t6, t5, 0);
  code.i(Insn::ADDI, a1, t5, 0);
  code.i(Insn::ADDI, a0, zero, 0x20);
  code.word(Semihosting::kEntryWord);
  code.emit(Insn::EBREAK);
  code.word(Semihosting::kExitWord);
}

inline void exitWith(Section &code, uint32_t status) {
  code.li(a0, status);
  exitWithRegister(code, a0);
}

// A trap handler that steps over the instruction that trapped, after reading the trap CSRs so
// that the model compares them; s10 counts the traps. Interrupts return to where they were.
inline Section countingHandler() {
  Section code(kHandler);
  code.i(Insn::ADDI, s10, s10, 1);
  code.csr(Insn::CSRRS, s11, Csr::mtval, zero);
  code.csr(Insn::CSRRS, s11, Csr::mstatus, zero);
  code.csr(Insn::CSRRS, s11, Csr::mcause, zero);
  code.branch(Insn::BLT, s11, zero, 16);
  code.csr(Insn::CSRRS, s11, Csr::mepc, zero);
  code.i(Insn::ADDI, s11, s11, 4);
  code.csr(Insn::CSRRW, zero, Csr::mepc, s11);
  code.emit(Insn::MRET);
  return code;
}

struct Program {
  std::vector<Section> sections;
  std::vector<fuzz::Data> data;
  uint32_t entry = NPU_ITCM_BASE;

  ElfImage image() const {
    ElfImage result;
    result.entry = entry;
    for (const Section &section : sections) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(section.words().data());
      result.segments.push_back(
          {section.base(), {bytes, bytes + section.words().size() * sizeof(uint32_t)}});
    }
    for (const fuzz::Data &piece : data)
      result.segments.push_back({piece.address, piece.bytes});
    return result;
  }
};

struct RunOptions {
  DramTiming dram{NPU_DRAM_MODEL_READ_LATENCY, NPU_DRAM_MODEL_BYTES_PER_CYCLE};
  bool lockstep = true;
  uint64_t maxCycles = 200'000;
  const char *config = "default";
  uint32_t externalInterrupts = 0;
  std::vector<SimulationOptions::BusError> busErrors{};
  std::function<void(Machine &)> prepare = [](Machine &) {};
};

struct RunResult {
  SimulationResult simulation;
  Counters counters;
  uint64_t cycles;
};

inline RunResult run(const Program &program, const RunOptions &options = {}) {
  Simulation simulation(*MachineConfig::find(options.config),
                        {.dram = options.dram, .lockstep = options.lockstep,
                         .externalInterrupts = options.externalInterrupts,
                         .busErrors = options.busErrors, .maxCycles = options.maxCycles},
                        program.image(), {"test"});
  options.prepare(simulation.machine());
  SimulationResult result = simulation.runToEnd();
  return {std::move(result), simulation.machine().counters(), simulation.machine().cycles()};
}

// Runs code at the start of ITCM with the counting handler and expects the exit status.
inline RunResult expectStatus(const Section &code, int status, const RunOptions &options = {}) {
  const RunResult result = run({{code, countingHandler()}, {}, code.base()}, options);
  EXPECT_EQ(result.simulation.outcome, Outcome::Exited) << result.simulation.report;
  EXPECT_EQ(result.simulation.status, status) << result.simulation.report;
  return result;
}

// Code that begins with the trap vector set and s10 (traps) zero.
inline Section startWithHandler(uint32_t base = NPU_ITCM_BASE) {
  Section code(base);
  code.li(t0, kHandler);
  code.csr(Insn::CSRRW, zero, Csr::mtvec, t0);
  code.li(s10, 0);
  return code;
}

} // namespace npu::rtl::test
