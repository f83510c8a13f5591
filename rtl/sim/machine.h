// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Verilated NPU with its DRAM, clocked cycle by cycle.

#pragma once

#include "axi_dram.h"
#include "lockstep.h"
#include "memory.h"
#include "model.h"
#include "observation.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace npu::rtl {

// Sums over the cycles since reset.
struct Counters {
  std::array<uint64_t, kStalls> stalls{};
  uint64_t retired = 0;
  uint64_t macs = 0;
  uint64_t arrayBusy = 0;   // a pixel entered the array
  uint64_t matrixBusy = 0;
  uint64_t dmaBusy = 0;     // some channel
  std::array<uint64_t, 2> channelBusy{};
  uint64_t drainBusy = 0;   // a drain stored a pixel
  uint64_t dmaExposed = 0;  // some channel while the matrix unit was idle
  // Words that a requester wanted from TCM and had to ask for again.
  std::array<uint64_t, kTcmUnits> refused{};
};

class Machine {
public:
  // waveFile: where to write an FST trace; empty for none.
  static std::unique_ptr<Machine> create(const MachineConfig &config, DramTiming timing,
                                         const std::string &waveFile);
  virtual ~Machine() = default;
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  // Holds reset for some cycles; the first instruction is fetched from pc. Memories keep
  // their contents.
  virtual void reset(uint32_t pc) = 0;
  virtual void cycle() = 0;

  uint64_t cycles() const { return cycles_; } // since reset

  // What the last cycle showed.
  bool retired() const { return retired_; } // there is an event
  const RetireEvent &event() const { return event_; }
  // Results of the vector unit since clearVectorResults().
  const std::vector<VectorResult> &vectorResults() const { return vectorResults_; }
  void clearVectorResults() { vectorResults_.clear(); }
  Stall stall() const { return stall_; }
  unsigned unitsBusy() const { return unitsBusy_; }  // bit 0, 1: DMA channels; 2: matrix unit
  bool unitsActive() const { return unitsActive_; }  // some unit moved data
  virtual uint32_t pc() = 0; // of the instruction in the execute stage
  // An instruction is in the execute stage and has not begun a bus access, so that nothing of it
  // has taken effect.
  virtual bool atInstruction() = 0;

  const Counters &counters() const { return counters_; }
  // Shows every cycle from now on to the observer, which must outlive the machine's cycles.
  void addObserver(Observer &observer) { observers_.push_back(&observer); }

  // Debug host. EBREAK halts the core when the host asked for it, and halt() in front of the
  // instruction in the execute stage, of which nothing may have taken effect (atInstruction()).
  // The calls below are for the halted core, and take the cycles that the debug port takes.
  virtual void haltOnEbreak(bool on) = 0;
  virtual void halt() = 0;
  bool halted() const { return halted_; }
  virtual uint32_t readRegister(unsigned number) = 0;
  virtual void writeRegister(unsigned number, uint32_t value) = 0;
  virtual uint32_t readCsr(unsigned number) = 0;
  virtual void writeCsr(unsigned number, uint32_t value) = 0; // as CSRRW writes it
  virtual void writeVector(unsigned number, const VectorValue &value) = 0; // aside from the port
  // Memory through the core's load/store unit; false on an access fault.
  virtual bool readThroughCore(uint32_t address, unsigned bytes, uint32_t &value) = 0;
  virtual bool writeThroughCore(uint32_t address, unsigned bytes, uint32_t value) = 0;
  // flush: code in memory has changed, so instructions in the cache are stale.
  virtual void resume(uint32_t pc, bool flush = false) = 0;
  virtual void resumeWithTrap() = 0;

  virtual void setExternalInterrupt(bool level) = 0;

  // Memory contents, aside from the simulated machine and in no time. False when the range is
  // not wholly inside one region.
  bool readMemory(uint32_t address, void *out, size_t bytes);
  bool writeMemory(uint32_t address, const void *in, size_t bytes);

  // Whether there is memory to fetch an instruction from.
  bool fetchable(uint32_t address) const;

  AxiDram &dram() { return axi_; }
  const AxiDram &dram() const { return axi_; }
  const MachineConfig &config() const { return config_; }

protected:
  Machine(const MachineConfig &config, DramTiming timing);

  const MachineConfig config_;
  Region dramMemory_;
  AxiDram axi_;
  // The RAM arrays of the design: ITCM, and the TCM's banks of interleaved words.
  uint32_t *itcm_ = nullptr;
  std::array<uint32_t *, 16> tcm_{};

  void count(unsigned macs, bool arrayBusy, bool drainBusy) {
    ++counters_.stalls[static_cast<size_t>(stall_)];
    counters_.macs += macs;
    counters_.arrayBusy += arrayBusy;
    counters_.drainBusy += drainBusy;
    const bool matrix = unitsBusy_ & 4, dma = unitsBusy_ & 3;
    counters_.channelBusy[0] += unitsBusy_ & 1;
    counters_.channelBusy[1] += unitsBusy_ >> 1 & 1;
    counters_.matrixBusy += matrix;
    counters_.dmaBusy += dma;
    counters_.dmaExposed += dma && !matrix;
  }

  uint64_t cycles_ = 0;
  Counters counters_;
  RetireEvent event_;
  std::vector<VectorResult> vectorResults_;
  bool retired_ = false, halted_ = false, unitsActive_ = false;
  Stall stall_ = Stall::None;
  unsigned unitsBusy_ = 0;
  std::vector<Observer *> observers_;

private:
  // The word of the RAM that holds this ITCM or TCM address.
  uint8_t *scratchpadByte(uint32_t address);
  template <typename Copy> bool forEachByte(uint32_t address, size_t bytes, Copy copy);
};

} // namespace npu::rtl
