// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Episodes of the vector unit: arithmetic, memory, accumulator rows and faults.

#include "generator.h"

#include "generated/npu_platform.h"
#include "vector.h"

#include <utility>

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

bool isStore(Insn insn) { return insn >= Insn::SB && insn <= Insn::SW; }

bool isVectorAccess(Insn insn) {
  const uint32_t word = info(insn).match;
  return isVector(word) && VectorUnit{}.access(word, 0, 0, 0).has_value();
}

// Instructions that may have any value in their registers, the address of an access aside.
bool mayUse(Insn insn) {
  const InsnInfo &i = info(insn);
  const uint32_t word = i.match;
  if (isVector(word))
    return insn != Insn::V_ACCRD && insn != Insn::V_ACCWR && insn != Insn::V_LD && !isStrided(insn) &&
           (i.readsRs1 || i.readsRs2 || i.readsVs1 || i.readsVs2 || i.readsVd);
  const bool arithmetic = (insn >= Insn::ADDI && insn <= Insn::ANDI) ||
                          (insn >= Insn::ADD && insn <= Insn::AND) ||
                          (insn >= Insn::MUL && insn <= Insn::REMU);
  return arithmetic || isStore(insn) || (insn >= Insn::BEQ && insn <= Insn::BGEU) ||
         insn == Insn::CSRRW || insn == Insn::CSRRS || insn == Insn::CSRRC;
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
    case 0: s.i(Insn::V_LD, vectorReg(), pointerFor(pointer, kTemp0, kTemp1), offset); break;
    case 1: s.store(Insn::V_ST, vectorReg(), pointerFor(pointer, kTemp0, kTemp1), offset); break;
    case 2: {
      if (!random_.oneIn(3))
        break;
      // 64 lanes at most, and no more than 28 bytes from one to the next.
      s.i(Insn::ADDI, kTemp0, 0, random_.between(-28, 28));
      s.csr(Insn::CSRRW, 0, Csr::nvstride, kTemp0);
      vectorInstruction(pickFrom(groups().strided), pointerFor(pointer, kTemp0, kTemp1));
      break;
    }
    default:
      s.i(Insn::ADDI, kTemp0, pointer, offset);
      if (random_.oneIn(4))
        passThrough(kTemp0, kTemp1);
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

// A register that was just made, by a maker whose results come at a time of their own, from a value
// at the edges.
unsigned Generator::scalarPair() {
  Section &s = code();
  const unsigned reg = anyReg(/*allowZero=*/false);
  s.li(reg, anyValue());
  if (!random_.oneIn(7)) {
    passThrough(reg, kTemp0);
    return reg;
  }
  s.li(kTemp0, layout_.arena); // a ticket: of no row of weights
  s.r(Insn::MAC_LDW, reg, kTemp0, 0);
  shadowInt4_ = false;
  hazards_.issued(Agent::Array, ++issued_[unitOf(Agent::Array)], {});
  return reg;
}

unsigned Generator::vectorPair() {
  Section &s = code();
  const unsigned reg = vectorReg();
  static constexpr Insn kBroadcasts[] = {Insn::V_BCAST_B, Insn::V_BCAST_H, Insn::V_BCAST_W};
  static constexpr uint32_t kEdges[] = {0, ~0u, 0x80, 0x8000, 0x80000000, 0x7fffffff};
  s.li(kTemp0, random_.oneIn(4) ? anyValue() : random_.pick(kEdges));
  s.emit(random_.pick(kBroadcasts), {reg, kTemp0, 0, 0});
  switch (random_.below(7)) {
  case 0: s.r(Insn::V_OR, reg, reg, reg); break;
  case 1:
    s.i(Insn::ADDI, kTemp0, 0, 1);
    s.r(Insn::V_MUL_W_X, reg, reg, kTemp0);
    break;
  case 2: // as it is, if it has no large values
    s.li(kTemp0, 1u << 30);
    s.i(Insn::ADDI, kTemp1, 0, 1);
    s.r(Insn::V_MBQM_X, reg, kTemp0, kTemp1);
    break;
  case 3: s.r(Insn::V_SLIDEDN, reg, reg, 0); break;
  case 4: {
    const int32_t offset = random_.between(-2048, 1980);
    s.store(Insn::V_ST, reg, kTcmPointer, offset);
    s.i(Insn::V_LD, reg, kTcmPointer, offset);
    break;
  }
  case 5:
    fence(4);
    s.i(Insn::ADDI, kTemp0, 0, random_.between(0, 255));
    s.emit(Insn::V_ACCWR, {0, reg, kTemp0, 0});
    s.emit(Insn::V_ACCRD, {reg, kTemp0, 0, 0});
    break;
  default: vectorInstruction(pickFrom(groups().computations)); break;
  }
  return reg;
}

// A result and what uses it right behind or soon; every user has the same chance.
void Generator::resultAndUse() {
  Section &s = code();
  Insn user;
  do
    user = static_cast<Insn>(1 + random_.below(static_cast<uint32_t>(Insn::kCount) - 1));
  while (!mayUse(user));
  const InsnInfo &i = info(user);
  const bool scalars = i.readsRs1 || i.readsRs2, vectors = i.readsVs1 || i.readsVs2 || i.readsVd;
  if (user == Insn::CSRRW || user == Insn::CSRRS || user == Insn::CSRRC) {
    s.csr(user, anyReg(), Csr::nvstride, scalarPair());
    return;
  }
  const bool access = isStore(user) || isVectorAccess(user); // whose first register is an address
  Operands operands;
  operands.rd = i.writesRd ? anyReg() : i.writesVd || i.readsVd ? vectorReg() : 0;
  operands.rs1 = i.readsRs1 ? anyReg() : i.readsVs1 ? vectorReg() : 0;
  operands.rs2 = i.readsRs2 ? anyReg() : i.readsVs2 ? vectorReg() : 0;
  operands.imm = i.format == Format::B ? 4 : random_.between(0, 31);
  if (i.format == Format::S) // as far as the zone goes
    operands.imm = random_.between(-512, 480) * 4;
  const bool scalar = access && !i.readsRs2 ? false : scalars && (!vectors || random_.oneIn(2));
  const bool edge = random_.oneIn(2); // the other operand, too
  if (scalar) {
    if (edge && i.readsRs1 && i.readsRs2) {
      operands.rs1 = anyReg(false);
      s.li(operands.rs1, anyValue());
    }
    const unsigned reg = scalarPair();
    const bool first = i.readsRs1 && !access && (!i.readsRs2 || random_.oneIn(2));
    if (first && edge && i.readsRs2)
      operands.rs2 = std::exchange(operands.rs1, reg);
    else
      (first ? operands.rs1 : operands.rs2) = reg;
  } else {
    const unsigned reg = vectorPair();
    unsigned *const slots[] = {i.readsVs1 ? &operands.rs1 : nullptr,
                               i.readsVs2 ? &operands.rs2 : nullptr,
                               i.readsVd ? &operands.rd : nullptr};
    unsigned *slot;
    do
      slot = random_.pick(slots);
    while (!slot);
    *slot = reg;
  }
  if (access)
    operands.rs1 = kTcmPointer;
  if (random_.oneIn(10)) { // first of a new path
    s.jal(0, 8);
    s.word(random_.bits());
  }
  for (unsigned n = random_.oneIn(3) ? 1 + random_.below(2) : 0; n > 0; --n)
    s.i(Insn::ADDI, 0, 0, 0);
  s.emit(user, operands);
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
