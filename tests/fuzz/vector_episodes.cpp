// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Episodes of the vector unit: arithmetic, memory, accumulator rows and faults.

#include "generator.h"

#include "generated/npu_platform.h"
#include "vector.h"

namespace npu::fuzz {

namespace {

struct Groups {
  std::vector<Insn> computations; // registers only
  std::vector<Insn> lengths;      // rs1 and a length, or a mask
  std::vector<Insn> strided;
};

bool isStrided(Insn insn) {
  return (insn >= Insn::V_LDS_B && insn <= Insn::V_LDS_W) ||
         (insn >= Insn::V_STS_B && insn <= Insn::V_STS_W);
}

const Groups &groups() {
  static const Groups kGroups = [] {
    Groups g;
    for (unsigned n = 1; n < static_cast<unsigned>(Insn::kCount); ++n) {
      const Insn insn = static_cast<Insn>(n);
      const uint32_t word = info(insn).match;
      if (!isVector(word) || insn == Insn::V_ACCRD || insn == Insn::V_ACCWR ||
          insn == Insn::V_LD || insn == Insn::V_ST)
        continue;
      const bool accesses = VectorUnit{}.access(word, 0, 0, 0).has_value();
      (!accesses ? g.computations : isStrided(insn) ? g.strided : g.lengths).push_back(insn);
    }
    return g;
  }();
  return kGroups;
}

} // namespace

Insn Generator::pickFrom(const std::vector<Insn> &insns) {
  return insns[random_.below(static_cast<uint32_t>(insns.size()))];
}

// Few registers, so that results meet their uses.
unsigned Generator::vectorReg() { return random_.oneIn(4) ? random_.below(32) : random_.below(6); }

// A random instruction of these; fields that are scalar registers get scalar numbers.
void Generator::vectorInstruction(Insn insn, unsigned base) {
  const InsnInfo &i = info(insn);
  Operands operands;
  operands.rd = i.writesRd ? anyReg() : i.writesVd || i.readsVd ? vectorReg() : 0;
  operands.rs1 = base != 0 ? base : i.readsRs1 ? anyReg() : i.readsVs1 ? vectorReg() : 0;
  operands.rs2 = i.readsRs2 ? anyReg() : i.readsVs2 ? vectorReg() : 0;
  code().emit(insn, operands);
}

void Generator::vectorComputation() {
  for (unsigned n = 1 + random_.below(12); n > 0; --n) {
    if (random_.oneIn(8))
      code().r(Insn::ADD, anyReg(), anyReg(), anyReg()); // a scalar user of v.red*, or between
    vectorInstruction(pickFrom(groups().computations));
  }
}

// Loads and stores in the scratch zones, which are 4 KiB around their pointers.
void Generator::vectorScratch() {
  static constexpr unsigned kPointers[] = {kTcmPointer, kTcmPointer, kTcmPointer, kTcmPointer,
                                           kDramPointer, kItcmPointer};
  Section &s = code();
  const unsigned pointer = random_.pick(kPointers);
  const int32_t window = random_.between(-2048, 1800); // room for 64 bytes and 8 of scatter
  for (unsigned n = 1 + random_.below(6); n > 0; --n) {
    const int32_t offset = window + (random_.oneIn(2) ? 0 : random_.between(0, 8));
    switch (random_.below(5)) {
    case 0: s.i(Insn::V_LD, vectorReg(), pointer, offset); break;
    case 1: s.store(Insn::V_ST, vectorReg(), pointer, offset); break;
    case 2: {
      if (!random_.oneIn(3))
        break;
      // 64 lanes at most, and no more than 28 bytes from one to the next.
      s.i(Insn::ADDI, kTemp0, 0, random_.between(-28, 28));
      s.csr(Insn::CSRRW, 0, Csr::nvstride, kTemp0);
      vectorInstruction(pickFrom(groups().strided), pointer);
      break;
    }
    default:
      s.i(Insn::ADDI, kTemp0, pointer, offset);
      if (random_.oneIn(2)) // a length below the number of lanes
        s.i(Insn::ANDI, 1 + random_.below(20), anyReg(), 63);
      vectorInstruction(pickFrom(groups().lengths), kTemp0);
      break;
    }
    if (random_.oneIn(4))
      vectorInstruction(pickFrom(groups().computations));
    if (random_.oneIn(6)) // scalar and vector accesses meet
      random_.oneIn(2) ? s.i(Insn::LBU, anyReg(), pointer, offset)
                       : s.store(Insn::SB, anyReg(), pointer, offset);
  }
}

// Vectors where the matrix unit and DMA work.
void Generator::vectorArena() {
  const uint32_t address =
      random_.oneIn(2) ? layout_.arena + random_.below(layout_.tcmEnd - layout_.arena - 64)
                       : layout_.dramArena +
                             random_.below(layout_.dramArenaEnd - layout_.dramArena - 64);
  const bool stores = random_.oneIn(2);
  Footprint footprint;
  (stores ? footprint.writes : footprint.reads).push_back({address, address + 64});
  order(Agent::Core, footprint);
  Section &s = code();
  s.li(kTemp0, address);
  if (stores)
    s.store(Insn::V_ST, vectorReg(), kTemp0, 0);
  else
    s.i(Insn::V_LD, vectorReg(), kTemp0, 0);
}

// Accumulator rows, when no matrix operation is running.
void Generator::accumulatorRow() {
  fence(4);
  for (unsigned n = 1 + random_.below(4); n > 0; --n)
    vectorInstruction(random_.oneIn(2) ? Insn::V_ACCRD : Insn::V_ACCWR);
}

// Accesses that leave a region or start outside all of them.
void Generator::badVectorAccess() {
  Section &s = code();
  const uint32_t ends[] = {NPU_ITCM_BASE + config_.itcmSize, layout_.dramEnd, NPU_TCM_BASE,
                           NPU_MMIO_CLINT_BASE + 0x4000, 0, 0xffffffe0};
  s.li(kTemp0, random_.pick(ends) - random_.below(80));
  s.i(Insn::ADDI, kTemp1, 0, random_.between(-9, 9));
  s.csr(Insn::CSRRW, 0, Csr::nvstride, kTemp1);
  switch (random_.below(4)) {
  case 0: s.i(Insn::V_LD, vectorReg(), kTemp0, 0); break;
  case 1: s.store(Insn::V_ST, vectorReg(), kTemp0, 0); break;
  case 2: vectorInstruction(pickFrom(groups().strided), kTemp0); break;
  default: vectorInstruction(pickFrom(groups().lengths), kTemp0); break;
  }
  vectorInstruction(pickFrom(groups().computations));
}

} // namespace npu::fuzz
