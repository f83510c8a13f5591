// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs for lockstep runs. A program is a sequence of episodes; each is correct by
// construction: it ends, leaves reserved registers alone and races with nothing. Traps and
// interrupts go to a handler at the start of the program, which skips the trapping instruction.

#pragma once

#include "assembler.h"
#include "hazards.h"
#include "memory.h"

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace npu::fuzz {

// The same numbers on every host, unlike the distributions of the standard library.
class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint32_t bits() { return static_cast<uint32_t>(engine_() >> 32); }
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(uint64_t{bits()} * bound >> 32); }
  int32_t between(int32_t low, int32_t high) { // inclusive
    return low + static_cast<int32_t>(below(static_cast<uint32_t>(high - low) + 1));
  }
  bool oneIn(uint32_t n) { return below(n) == 0; }
  template <typename T, size_t N> const T &pick(const T (&values)[N]) {
    return values[below(static_cast<uint32_t>(N))];
  }

private:
  std::mt19937_64 engine_;
};

struct Program {
  std::vector<uint8_t> elf;
  std::string_view contents() const {
    return {reinterpret_cast<const char *>(elf.data()), elf.size()};
  }
  std::vector<Section> code; // for a listing
};

// Where things are in memory; each zone is used in one way only.
struct Layout {
  explicit Layout(const MachineConfig &config);
  uint32_t itcmData;       // scalar loads and stores
  uint32_t tcmScratch;     // scalar loads and stores
  uint32_t handlerSave;    // registers of the trap handler
  uint32_t descriptors, descriptorsEnd;
  uint32_t arena, tcmEnd;  // matrix unit, DMA and scalar accesses
  uint32_t dramCode, dramDmaCode, dramScratch, dramArena, dramArenaEnd, dramEnd;
};

class Generator {
public:
  Generator(uint64_t seed, const MachineConfig &config, unsigned instructions);
  Program generate();

private:
  // Registers with a fixed role; the others hold random values.
  enum : unsigned { kItcmPointer = 21, kTcmPointer, kDramPointer, kCounter, kRecovery, kTemp0,
                    kTemp1, kTemp2 };

  // generator.cpp: frame of the program
  void handler();
  void prologue();
  void epilogue();
  void episode();
  void moveToOtherSection();
  Section &code() { return *code_; }
  unsigned anyReg(bool allowZero = true);
  uint32_t anyValue();

  // scalar_episodes.cpp: may be used where control flow skips them
  void simpleInstruction();
  void computation();
  void scratchAccess();
  void csrRead();
  void passThrough(unsigned reg, unsigned scratch);
  unsigned pointerFor(unsigned pointer, unsigned copy, unsigned scratch);
  // control flow around simple instructions
  void skip();
  void loop();
  void jump();
  // traps
  void badAccess();
  void badJump();
  void illegal();
  void environmentCall();
  // machine mode
  void csrWrite();
  void counters();
  void interrupts();
  void sleep();
  void returnFromTrap();
  void clint();
  void selfModify();

  // xnpu_episodes.cpp
  void matrixPipeline();
  void macLoadWeights();
  void macRun();
  void macDepthwise();
  void pixelParams();
  void paddingParams();
  void macLoadQuant();
  void quantTable(uint8_t *table);
  void macDrain(bool wholeUnit = false);
  void dma();
  void dmaCode();
  void copyOutDram();
  void storm();
  void arenaAccess();
  void synchronise();
  void statusAccess();
  void xnpuOperation();

  // vector_episodes.cpp; the first two may be used where control flow skips them
  void vectorComputation();
  void vectorScratch();
  void vectorArena();
  void accumulatorRow();
  void badVectorAccess();
  Insn pickFrom(const std::vector<Insn> &insns);
  unsigned vectorReg();
  unsigned scalarPair();
  unsigned vectorPair();
  void resultAndUse();
  void vectorInstruction(Insn insn, unsigned base = 0);

  uint32_t arenaAddress(uint32_t room);
  bool leavesArena(const std::vector<Interval> &intervals) const;
  void setParam(Csr csr, uint32_t value);
  uint32_t param(Csr csr) const;
  void issue(Agent agent, Insn insn, uint32_t rs1, uint32_t rs2, Footprint footprint);
  void order(Agent agent, const Footprint &footprint);
  void waitForUnits(unsigned mask);
  void fence(unsigned mask);
  struct DescriptorSlot {
    uint32_t address;
    std::array<uint32_t, 16> words;
  };
  DescriptorSlot makeDescriptor(Footprint &footprint);
  uint32_t makeChain(Footprint &footprint);

  Random random_;
  const MachineConfig &config_;
  const Layout layout_;
  const unsigned target_;
  Section itcm_, dram_;
  Section *code_;
  uint32_t vectorTable_ = 0;
  std::vector<uint8_t> tcmImage_; // from layout_.descriptors to the end of TCM
  uint32_t nextDescriptor_;

  HazardTracker hazards_;
  std::array<uint32_t, 3> issued_{};
  // NPU CSRs whose value is known; in a loop only what its body has set.
  std::array<std::optional<uint32_t>, 14> params_;
  bool inLoop_ = false;
  bool shadowInt4_ = false; // format of the weights loaded last, to make useful runs
};

} // namespace npu::fuzz
