// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "instruction_coverage.h"

#include "generated/npu_platform.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <vector>

namespace npu {

namespace {

// --- Instructions by what they are ---

// Makers of register values, whose results come after different times.
enum Kind : uint8_t { kNobody, kAlu, kLoad, kMultiply, kDivide, kCsr, kTicket, kFromVector,
                      kVectorAlu, kVectorMultiply, kRequantize, kPermute, kVectorLoad, kAccumulator,
                      kKinds };
constexpr const char *kKindNames[kKinds] = {"",         "alu",      "load",       "multiplication",
                                            "division", "csr",      "ticket",     "vector",
                                            "v.alu",    "v.mul",    "v.requant",  "v.permute",
                                            "v.load",   "v.accrd"};
constexpr Kind kScalarKinds[] = {kAlu, kLoad, kMultiply, kDivide, kCsr, kTicket, kFromVector};
constexpr Kind kVectorKinds[] = {kVectorAlu, kVectorMultiply, kRequantize, kPermute, kVectorLoad,
                                 kAccumulator};
constexpr uint64_t kNear = 4; // no result comes later

bool in(Insn insn, Insn first, Insn last) { return insn >= first && insn <= last; }
bool isCsr(Insn insn) { return in(insn, Insn::CSRRW, Insn::CSRRCI); }
bool isLoad(Insn insn) { return in(insn, Insn::LB, Insn::LHU); }
bool isStore(Insn insn) { return in(insn, Insn::SB, Insn::SW); }
bool isMatrix(Insn insn) { return in(insn, Insn::MAC_LDW, Insn::MAC_DW); }

bool isVectorMemory(Insn insn) {
  const uint32_t word = info(insn).match;
  return (word & 0x7f) == 0x5b && (word >> 12 & 7) != 7;
}

Kind makes(Insn insn) {
  const uint32_t word = info(insn).match;
  const unsigned funct3 = word >> 12 & 7;
  if (isVector(word)) {
    if (info(insn).writesRd)
      return kFromVector;
    switch (word & 0x7f) {
    case 0x2b: return funct3 == 2 || funct3 == 3 ? kVectorMultiply : kVectorAlu;
    case 0x7b: return funct3 <= 1 ? kRequantize : kPermute;
    default: break;
    }
    if (isVectorMemory(insn))
      return kVectorLoad;
    if (insn == Insn::V_ACCRD)
      return kAccumulator;
    return in(insn, Insn::V_INSERT_B, Insn::V_INSERT_W) ? kPermute : kVectorAlu;
  }
  if (isLoad(insn))
    return kLoad;
  if (in(insn, Insn::MUL, Insn::MULHU))
    return kMultiply;
  if (in(insn, Insn::DIV, Insn::REMU))
    return kDivide;
  if (isCsr(insn))
    return kCsr;
  return isMatrix(insn) || insn == Insn::DMA_START ? kTicket : kAlu;
}

// Bytes of an element: the last letter of a mnemonic like v.add.h or v.add.h.x.
unsigned elementBytes(std::string_view mnemonic) {
  if (mnemonic.ends_with(".x"))
    mnemonic.remove_suffix(2);
  return mnemonic.ends_with(".w") ? 4 : mnemonic.ends_with(".h") ? 2 : 1;
}

// --- Classes of operands ---

enum class Operand : uint8_t { None, Value, Vector, Address, VectorAddress, Ticket, Pixels };

const std::vector<const char *> &classes(Operand operand) {
  static const std::vector<const char *> kClasses[] = {
      {"any"},
      {"0", "1", "-1", "min", "max", "positive", "negative"},
      {"zero", "all ones", "holds the minimum", "other"},
      {"ITCM", "TCM", "DRAM", "CLINT", "misaligned", "nowhere"},
      {"ITCM", "TCM in 16 words", "TCM in 17 words", "DRAM", "leaves its region", "nothing"},
      {"DMA 0", "DMA 1", "matrix", "no unit"},
      {"0", "1", "some", "all", "reserved"}};
  return kClasses[static_cast<size_t>(operand)];
}

// The operands of an instruction by slot: rs1 or vs1, rs2 or vs2, vd where it is read.
using Slots = std::array<Operand, 3>;

Slots slotsOf(Insn insn) {
  const InsnInfo &i = info(insn);
  Slots slots{Operand::None, Operand::None, Operand::None};
  if (i.readsRs1)
    slots[0] = isLoad(insn) || isStore(insn) ? Operand::Address
               : isVectorMemory(insn)        ? Operand::VectorAddress
               : insn == Insn::NPU_WAIT || insn == Insn::NPU_POLL ? Operand::Ticket
               : isMatrix(insn) || insn == Insn::DMA_START || insn == Insn::JALR ||
                       insn == Insn::V_ACCRD
                   ? Operand::None // where they are and what they hold is the operation's matter
                   : Operand::Value;
  if (i.readsRs2)
    slots[1] = isMatrix(insn) ? Operand::Pixels
               : insn == Insn::V_ACCWR ? Operand::None : Operand::Value;
  if (i.readsVs1)
    slots[0] = Operand::Vector;
  if (i.readsVs2)
    slots[1] = Operand::Vector;
  if (i.readsVd)
    slots[2] = Operand::Vector;
  return slots;
}

unsigned valueClass(uint32_t value) {
  switch (value) {
  case 0: return 0;
  case 1: return 1;
  case ~0u: return 2;
  case 0x80000000: return 3;
  case 0x7fffffff: return 4;
  default: return value >> 31 ? 6 : 5;
  }
}

unsigned vectorClass(const VectorValue &value, unsigned bytes) {
  const auto all = [&](uint8_t byte) {
    return std::all_of(value.begin(), value.end(), [&](uint8_t b) { return b == byte; });
  };
  if (all(0))
    return 0;
  if (all(0xff))
    return 1;
  for (size_t at = 0; at < value.size(); at += bytes) {
    bool minimum = value[at + bytes - 1] == 0x80;
    for (size_t i = 0; i + 1 < bytes; ++i)
      minimum = minimum && value[at + i] == 0;
    if (minimum)
      return 2;
  }
  return 3;
}

unsigned addressClass(uint32_t address, uint32_t bytes, const Memory &memory) {
  if (address % bytes != 0)
    return 4;
  if (memory.itcm.contains(address))
    return 0;
  if (memory.tcm.contains(address))
    return 1;
  if (memory.dram.contains(address))
    return 2;
  return address - NPU_MMIO_CLINT_BASE < NPU_MMIO_CLINT_SIZE ? 3 : 5;
}

unsigned vectorAddressClass(const RetireEvent &event, const Model &model) {
  if (event.kind == RetireEvent::Kind::Trap)
    return 4;
  const auto access = model.vectorAccess(event.insn);
  if (!access || access->lanes == 0)
    return 5;
  const uint32_t a = access->laneAddress(static_cast<unsigned>(std::countr_zero(access->lanes)));
  const uint32_t b = access->laneAddress(63 - static_cast<unsigned>(std::countl_zero(access->lanes)));
  const uint32_t begin = std::min(a, b), last = std::max(a, b) + access->memorySize - 1;
  if (model.memory().itcm.contains(begin))
    return 0;
  if (!model.memory().tcm.contains(begin))
    return 3;
  return last / 4 - begin / 4 >= 16 ? 2 : 1;
}

// Whether an operand of this class can be: all accesses of bytes are aligned, v.ld and v.st always
// access something, and what is narrower in memory than in the register never reaches a 17th word.
bool possible(Insn insn, Operand operand, unsigned c) {
  const uint32_t word = info(insn).match;
  const unsigned funct3 = word >> 12 & 7;
  if (operand == Operand::Address)
    return !(c == 4 && (funct3 & 3) == 0);
  if (operand == Operand::VectorAddress)
    return !(c == 5 && funct3 <= 1) && !(c == 2 && funct3 >= 2 && funct3 != 4 && word >> 25 >= 4);
  return true;
}

// Pixels of an operation, or rows of weights.
unsigned pixelClass(Insn insn, uint32_t rs2) {
  const bool weights = insn == Insn::MAC_LDW;
  const uint32_t count = weights ? rs2 & 63 : rs2 >> 8 & 511;
  const uint32_t most = weights ? (rs2 >> 8 & 1 ? 32 : 16) : 256;
  const uint32_t reserved = weights                     ? ~0x13fu
                            : insn == Insn::MAC_DRAIN   ? 0xff000000
                            : insn == Insn::MAC_DW      ? 0x98000000
                                                        : 0x80000000;
  if ((rs2 & reserved) != 0 || count > most)
    return 4;
  return count == 0 ? 0 : count == 1 ? 1 : count == most ? 3 : 2;
}

// --- Hazards: 0 none, 1 first instruction of a new path, then two for each kind of maker: right
// behind it, or near. The new path is that of a jump, a taken branch, a trap or an interrupt. ---

constexpr unsigned kNoHazard = 0, kNewPath = 1;
constexpr unsigned hazardBehind(Kind kind, bool next) { return 2 * kind + (next ? 0 : 1); }

std::vector<unsigned> hazardsOf(Insn insn) {
  const InsnInfo &i = info(insn);
  std::vector<unsigned> hazards{kNoHazard, kNewPath};
  const auto add = [&](Kind kind) {
    hazards.push_back(hazardBehind(kind, true));
    hazards.push_back(hazardBehind(kind, false));
  };
  if (i.readsRs1 || i.readsRs2)
    for (const Kind kind : kScalarKinds)
      add(kind);
  if (i.readsVs1 || i.readsVs2 || i.readsVd)
    for (const Kind kind : kVectorKinds)
      add(kind);
  return hazards;
}

std::string hazardName(unsigned hazard) {
  if (hazard == kNoHazard)
    return "none";
  if (hazard == kNewPath)
    return "new path";
  return std::string(hazard % 2 == 0 ? "behind " : "near ") + kKindNames[hazard / 2];
}

} // namespace

InstructionCoverage::InstructionCoverage() {
  static constexpr const char *kSlotNames[] = {"first", "second", "third"};
  for (unsigned n = 1; n < static_cast<unsigned>(Insn::kCount); ++n) {
    const Insn insn = static_cast<Insn>(n);
    const Slots slots = slotsOf(insn);
    for (unsigned slot = 0; slot < slots.size(); ++slot) {
      // An instruction without operands has one class in its first slot.
      const bool bare = slot == 0 && slots == Slots{};
      if (slots[slot] == Operand::None && !bare)
        continue;
      const auto &names = classes(slots[slot]);
      for (unsigned c = 0; c < names.size(); ++c)
        for (const unsigned hazard : possible(insn, slots[slot], c) ? hazardsOf(insn)
                                                                    : std::vector<unsigned>{})
          bins_[{n, slot, c, hazard}].name = std::string(info(insn).mnemonic) + '\t' +
                                             (bare ? "none" : kSlotNames[slot]) + '\t' + names[c] +
                                             '\t' + hazardName(hazard);
    }
  }
}

unsigned InstructionCoverage::hazardOf(Insn insn, uint32_t word, bool newPath) const {
  const InsnInfo &i = info(insn);
  const Producer *closest = nullptr;
  const auto look = [&](const Producer &producer) {
    if (producer.kind != kNobody && now_ - producer.at <= kNear &&
        (!closest || producer.at > closest->at))
      closest = &producer;
  };
  if (i.readsRs1)
    look(scalar_[rs1Field(word)]);
  if (i.readsRs2)
    look(scalar_[rs2Field(word)]);
  // v.st has its register in the rs2 field, the other stores in the rd field.
  if (i.readsVs1)
    look(vector_[rs1Field(word)]);
  if (i.readsVs2)
    look(vector_[rs2Field(word)]);
  if (i.readsVd)
    look(vector_[rdField(word)]);
  if (closest)
    return hazardBehind(static_cast<Kind>(closest->kind), now_ - closest->at == 1);
  return newPath ? kNewPath : kNoHazard;
}

void InstructionCoverage::produced(Insn insn, const RetireEvent &event) {
  const unsigned rd = rdField(event.insn);
  if (info(insn).writesRd && rd != 0)
    scalar_[rd] = {makes(insn), now_};
  if (info(insn).writesVd)
    vector_[rd] = {makes(insn), now_};
}

void InstructionCoverage::observe(const RetireEvent &event, const Model &before) {
  using EventKind = RetireEvent::Kind;
  const Insn insn = decode(event.insn);
  const bool newPath = event.pc != nextPc_;
  nextPc_ = event.pc + 4;
  if (event.kind == EventKind::Interrupt || insn == Insn::ILLEGAL ||
      (event.kind == EventKind::Trap && event.cause == static_cast<uint32_t>(Cause::FetchFault))) {
    nextPc_ = 0; // what comes is the handler
    ++now_;
    return;
  }
  const InsnInfo &i = info(insn);
  const Slots slots = slotsOf(insn);
  const uint32_t x1 = before.reg(rs1Field(event.insn)), x2 = before.reg(rs2Field(event.insn));
  const unsigned hazard = hazardOf(insn, event.insn, newPath);
  const auto classOf = [&](unsigned slot) -> unsigned {
    switch (slots[slot]) {
    case Operand::None: return 0;
    case Operand::Value: return valueClass(slot == 0 ? x1 : x2);
    case Operand::Vector: {
      const unsigned field = slot == 0   ? rs1Field(event.insn)
                             : slot == 1 ? rs2Field(event.insn)
                                         : rdField(event.insn);
      return vectorClass(before.vectorReg(field), elementBytes(i.mnemonic));
    }
    case Operand::Address: {
      const uint32_t bytes = 1u << (event.insn >> 12 & 3);
      return addressClass(x1 + static_cast<uint32_t>(immediate(event.insn, i.format)), bytes,
                          before.memory());
    }
    case Operand::VectorAddress: return vectorAddressClass(event, before);
    case Operand::Ticket: return x1 & 3;
    case Operand::Pixels: return pixelClass(insn, x2);
    }
    return 0;
  };
  for (unsigned slot = 0; slot < slots.size(); ++slot)
    if (const auto bin = bins_.find({static_cast<unsigned>(insn), slot, classOf(slot), hazard});
        bin != bins_.end())
      ++bin->second.count;
  if (event.kind == EventKind::Retire)
    produced(insn, event);
  ++now_;
}

bool InstructionCoverage::add(const std::string &path) {
  std::ifstream in(path);
  std::map<std::string, Bin *> byName;
  for (auto &[key, bin] : bins_)
    byName[bin.name] = &bin;
  for (std::string line; std::getline(in, line);) {
    const size_t tab = line.rfind('\t');
    const auto found = tab == std::string::npos ? byName.end() : byName.find(line.substr(0, tab));
    if (found == byName.end())
      return false;
    found->second->count += std::stoull(line.substr(tab + 1));
  }
  return true;
}

bool InstructionCoverage::write(const std::string &path) const {
  std::ofstream out(path);
  for (const auto &[key, bin] : bins_)
    out << bin.name << '\t' << bin.count << '\n';
  return static_cast<bool>(out.flush());
}

} // namespace npu
