// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of a program: memory layout, trap handler, start, end, and the choice of episodes.

#include "generator.h"

#include "semihosting.h"

#include "generated/npu_platform.h"

#include <cstring>

namespace npu::fuzz {

namespace {

constexpr uint32_t kDramArenaSize = 0x10000;
constexpr int32_t kTimerPeriod = 1500; // cycles; several times the handler's length

std::vector<uint8_t> bytesOf(const std::vector<uint32_t> &words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

} // namespace

Layout::Layout(const MachineConfig &config)
    : itcmData(NPU_ITCM_BASE + config.itcmSize - 0x1000), tcmScratch(NPU_TCM_BASE),
      handlerSave(NPU_TCM_BASE + 0x1000), descriptors(NPU_TCM_BASE + 0x2000),
      descriptorsEnd(NPU_TCM_BASE + 0xa000), arena(descriptorsEnd),
      tcmEnd(NPU_TCM_BASE + config.tcmSize), dramCode(NPU_DRAM_BASE),
      dramDmaCode(NPU_DRAM_BASE + 0x100000), dramScratch(NPU_DRAM_BASE + 0x200000),
      dramArena(NPU_DRAM_BASE + 0x300000), dramArenaEnd(dramArena + kDramArenaSize),
      dramEnd(NPU_DRAM_BASE + config.dramSize) {}

Generator::Generator(uint64_t seed, const MachineConfig &config, unsigned instructions)
    : random_(seed), config_(config), layout_(config), target_(instructions),
      itcm_(NPU_ITCM_BASE), dram_(layout_.dramCode), code_(&itcm_),
      tcmImage_(layout_.tcmEnd - layout_.descriptors), nextDescriptor_(layout_.descriptors) {
  params_.fill(0);
}

unsigned Generator::anyReg(bool allowZero) {
  if (allowZero && random_.oneIn(12))
    return 0;
  const unsigned n = random_.below(23);
  return n < 20 ? n + 1 : n + 9; // x1..x20, x29..x31
}

uint32_t Generator::anyValue() {
  static constexpr uint32_t kCorners[] = {0,          1,          2,          ~0u,
                                          ~1u,        0x7fffffff, 0x80000000, 0x80000001,
                                          0x7ffffffe, 0xffff,     0x10000,    0xffff8000,
                                          31,         32,         0x55555555, 0xaaaaaaaa};
  switch (random_.below(3)) {
  case 0: return random_.pick(kCorners);
  case 1: return static_cast<uint32_t>(random_.between(-4096, 4095));
  default: return random_.bits();
  }
}

// The vector table, then the handler. It leaves every register as it was.
void Generator::handler() {
  constexpr unsigned kSave = 31, kA = 30, kB = 29;
  Section &s = itcm_;
  const uint32_t entry = s.pc();
  s.jal(0, 0); // to the program
  vectorTable_ = s.pc();
  constexpr unsigned kVectors = 18;
  for (unsigned n = 0; n < kVectors; ++n)
    s.jal(0, 4 * static_cast<int32_t>(kVectors - n));

  s.csr(Insn::CSRRW, kSave, Csr::mscratch, kSave);
  s.store(Insn::SW, kA, kSave, 0);
  s.store(Insn::SW, kB, kSave, 4);
  s.csr(Insn::CSRRS, kA, Csr::mcause, 0);
  const uint32_t toInterrupt = s.pc();
  s.branch(Insn::BLT, kA, 0, 0);

  // Exceptions continue behind the instruction; a fetch fault at the recovery address.
  s.i(Insn::ADDI, kB, kRecovery, 0);
  s.i(Insn::ADDI, kA, kA, -1);
  s.branch(Insn::BEQ, kA, 0, 12);
  s.csr(Insn::CSRRS, kB, Csr::mepc, 0);
  s.i(Insn::ADDI, kB, kB, 4);
  s.csr(Insn::CSRRW, 0, Csr::mepc, kB);
  const uint32_t toExit = s.pc();
  s.jal(0, 0);

  s.retarget(toInterrupt, s.pc());
  s.i(Insn::ANDI, kA, kA, 31);
  std::vector<uint32_t> exits{toExit};
  const auto onCause = [&](uint32_t cause, auto &&body) {
    s.i(Insn::ADDI, kB, 0, static_cast<int32_t>(cause));
    const uint32_t next = s.pc();
    s.branch(Insn::BNE, kA, kB, 0);
    body();
    exits.push_back(s.pc());
    s.jal(0, 0);
    s.retarget(next, s.pc());
  };
  onCause(7, [&] { // timer
    s.li(kB, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
    s.i(Insn::LW, kA, kB, 0);
    s.i(Insn::ADDI, kA, kA, kTimerPeriod);
    s.li(kB, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
    s.store(Insn::SW, kA, kB, 0);
  });
  onCause(3, [&] { // software
    s.li(kB, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MSIP);
    s.store(Insn::SW, 0, kB, 0);
  });
  onCause(11, [] {}); // external: whoever raises it sees that it was taken
  onCause(16, [&] { // DMA done
    s.li(kB, 0x300);
    s.csr(Insn::CSRRW, 0, Csr::nstatus, kB);
  });
  s.csr(Insn::CSRRWI, 0, Csr::nstatus, 15); // error

  for (uint32_t exit : exits)
    s.retarget(exit, s.pc());
  s.i(Insn::LW, kA, kSave, 0);
  s.i(Insn::LW, kB, kSave, 4);
  s.csr(Insn::CSRRW, kSave, Csr::mscratch, kSave);
  s.emit(Insn::MRET);
  s.retarget(entry, s.pc());
}

void Generator::prologue() {
  Section &s = code();
  s.li(kTemp0, vectorTable_);
  s.csr(Insn::CSRRW, 0, Csr::mtvec, kTemp0);
  s.li(kTemp0, layout_.handlerSave);
  s.csr(Insn::CSRRW, 0, Csr::mscratch, kTemp0);
  // Time stays below 2^32, so the upper half of mtimecmp is zero from here on.
  s.li(kTemp0, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  s.li(kTemp1, 3000);
  s.store(Insn::SW, kTemp1, kTemp0, 0);
  s.store(Insn::SW, 0, kTemp0, 4);
  // The pointers are in the middle of their 4 KiB, within reach of every 12-bit offset.
  s.li(kItcmPointer, layout_.itcmData + 0x800);
  s.li(kTcmPointer, layout_.tcmScratch + 0x800);
  s.li(kDramPointer, layout_.dramScratch + 0x800);
  s.li(kTemp0, layout_.arena);
  for (unsigned reg = 0; reg < 32; ++reg)
    s.i(Insn::V_LD, reg, kTemp0, static_cast<int32_t>(61 * reg));
  for (unsigned reg = 1; reg < 32; ++reg)
    if (reg < kItcmPointer || reg > kTemp2)
      s.li(reg, anyValue());
}

void Generator::epilogue() {
  if (code_ != &itcm_)
    moveToOtherSection();
  Section &s = code();
  fence(7);
  s.csr(Insn::CSRRCI, 0, Csr::mstatus, 8);
  // What only loads and drains would have shown is put where lockstep looks.
  macDrain(/*wholeUnit=*/true);
  fence(7);
  copyOutDram();
  s.li(10, 0x18);    // SYS_EXIT
  s.li(11, 0x20026); // ADP_Stopped_ApplicationExit
  s.word(Semihosting::kEntryWord);
  s.emit(Insn::EBREAK);
  s.word(Semihosting::kExitWord);
  s.jal(0, 0);
}

void Generator::moveToOtherSection() {
  Section &from = code();
  Section &to = code_ == &itcm_ ? dram_ : itcm_;
  from.li(kTemp0, to.pc());
  from.i(Insn::JALR, anyReg(), kTemp0, static_cast<int32_t>(random_.below(2)));
  code_ = &to;
}

void Generator::episode() {
  using Episode = void (Generator::*)();
  struct Choice {
    unsigned weight;
    Episode make;
  };
  static const Choice kChoices[] = {
      {30, &Generator::computation},      {14, &Generator::scratchAccess},
      {10, &Generator::skip},             {4, &Generator::loop},
      {6, &Generator::jump},              {3, &Generator::badAccess},
      {2, &Generator::badJump},           {2, &Generator::illegal},
      {1, &Generator::environmentCall},   {4, &Generator::csrRead},
      {4, &Generator::csrWrite},          {2, &Generator::counters},
      {4, &Generator::interrupts},        {1, &Generator::sleep},
      {1, &Generator::returnFromTrap},    {2, &Generator::clint},
      {2, &Generator::selfModify},        {1, &Generator::moveToOtherSection},
      {6, &Generator::matrixPipeline},    {12, &Generator::xnpuOperation},
      {8, &Generator::dma},               {2, &Generator::storm},
      {1, &Generator::dmaCode},
      {6, &Generator::arenaAccess},       {5, &Generator::synchronise},
      {3, &Generator::statusAccess},      {24, &Generator::vectorComputation},
      {12, &Generator::vectorScratch},    {4, &Generator::vectorArena},
      {3, &Generator::accumulatorRow},    {2, &Generator::badVectorAccess},
      {30, &Generator::resultAndUse},
  };
  unsigned total = 0;
  for (const Choice &choice : kChoices)
    total += choice.weight;
  unsigned at = random_.below(total);
  for (const Choice &choice : kChoices) {
    if (at < choice.weight) {
      (this->*choice.make)();
      return;
    }
    at -= choice.weight;
  }
}

Program Generator::generate() {
  for (uint8_t &byte : tcmImage_)
    byte = static_cast<uint8_t>(random_.bits());
  std::memset(tcmImage_.data(), 0, layout_.descriptorsEnd - layout_.descriptors);
  handler();
  prologue();
  const size_t itcmRoom = (layout_.itcmData - NPU_ITCM_BASE) / 4 - 1500;
  while (itcm_.words().size() + dram_.words().size() < target_ &&
         itcm_.words().size() < itcmRoom)
    episode();
  epilogue();

  std::vector<Data> pieces{{itcm_.base(), bytesOf(itcm_.words())},
                           {layout_.descriptors, tcmImage_}};
  if (!dram_.words().empty())
    pieces.push_back({dram_.base(), bytesOf(dram_.words())});
  Data arena{layout_.dramArena, std::vector<uint8_t>(kDramArenaSize)};
  for (uint8_t &byte : arena.bytes)
    byte = static_cast<uint8_t>(random_.bits());
  pieces.push_back(std::move(arena));
  return {makeElf(NPU_RESET_PC, pieces), {itcm_, dram_}};
}

} // namespace npu::fuzz
