// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "race_checker.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>

namespace npu {

namespace {

constexpr unsigned kNoUnit = 3;
// By the error bit of nstatus: operations of one agent are in issue order.
constexpr const char *kAgents[] = {"DMA channel 0", "DMA channel 1", "the array (mac.ldw, mac.run, mac.dw)",
                                   "the drain (mac.ldq, mac.drain)"};

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

// The first byte that is in both.
std::optional<uint32_t> common(const std::vector<ByteRange> &a, const std::vector<ByteRange> &b) {
  for (const ByteRange &x : a)
    for (const ByteRange &y : b) {
      const uint32_t begin = std::max(x.begin, y.begin);
      if (begin - x.begin < x.size && begin - y.begin < y.size)
        return begin;
    }
  return {};
}

template <typename Hull> Hull hullOf(const std::vector<ByteRange> &ranges) {
  Hull hull;
  for (const ByteRange &range : ranges) {
    hull.begin = std::min(hull.begin, range.begin);
    hull.end = std::max(hull.end, range.begin + range.size);
  }
  return hull;
}

template <typename Hull> bool meet(const Hull &a, const Hull &b) {
  return a.begin < b.end && b.begin < a.end;
}

std::string describe(const IssuedOperation &operation) {
  return std::string("an operation of ") + kAgents[operation.errorBit] + " (ticket " +
         hex(operation.ticket) + ", issued at pc " + hex(operation.pc) + ")";
}

} // namespace

RaceChecker::RaceChecker(Model &model) : model_(model) { model.logOperations(issued_); }

bool RaceChecker::check(const RetireEvent &event, uint32_t source) {
  if (event.kind != RetireEvent::Kind::Retire)
    return true;
  bool clean = true;
  switch (const Insn insn = decode(event.insn)) {
  case Insn::NPU_POLL:
    if (event.rdValue != 1 || event.rd == 0)
      break;
    [[fallthrough]];
  case Insn::NPU_WAIT:
    if (const unsigned unit = source & 3; unit != kNoUnit)
      complete(unit, model_.awaited(unit, source >> 2));
    break;
  case Insn::NPU_FENCE:
    for (unsigned unit = 0; unit < kUnits; ++unit)
      if (rs2Field(event.insn) >> unit & 1)
        complete(unit, model_.issued(unit));
    break;
  case Insn::V_ACCRD:
  case Insn::V_ACCWR:
    clean = checkRow(event, insn);
    break;
  default:
    break;
  }
  clean = clean && checkCore(event);
  for (IssuedOperation &operation : issued_) {
    Outstanding newer{std::move(operation), {}, {}};
    newer.reads = hullOf<Hull>(newer.operation.accesses.reads);
    newer.writes = hullOf<Hull>(newer.operation.accesses.writes);
    clean = clean && checkInPlace(newer.operation) && checkOperation(newer);
    outstanding_.push_back(std::move(newer));
  }
  issued_.clear();
  return clean;
}

void RaceChecker::complete(unsigned unit, uint32_t number) {
  std::erase_if(outstanding_, [&](const Outstanding &older) {
    return (older.operation.ticket & 3) == unit &&
           ticketNotAfter(older.operation.ticket >> 2, number);
  });
}

bool RaceChecker::checkCore(const RetireEvent &event) {
  if (outstanding_.empty())
    return true;
  const unsigned mask = event.memReadMask | event.memWriteMask;
  const bool store = event.memWriteMask != 0 || !event.vectorWrites.empty();
  std::vector<ByteRange> access = store ? event.vectorWrites : event.vectorReads;
  if (mask != 0)
    access.push_back({event.memAddress, static_cast<uint32_t>(std::popcount(mask))});
  if (access.empty())
    return true;
  const auto hull = hullOf<Hull>(access);
  // Made for a race only: this runs at every load and store.
  const auto raceAt = [&](uint32_t address, const Outstanding &older) {
    return race("byte " + hex(address),
                std::string("the ") + (store ? "store" : "load") + " at pc " + hex(event.pc) + " (" +
                    disassemble(event.insn, event.pc) + ")",
                older);
  };
  for (const Outstanding &older : outstanding_) {
    const AccessLog &log = older.operation.accesses;
    if (meet(hull, older.writes))
      if (const auto address = common(access, log.writes))
        return raceAt(*address, older);
    if (store && meet(hull, older.reads))
      if (const auto address = common(access, log.reads))
        return raceAt(*address, older);
  }
  return true;
}

// v.accrd and v.accwr against runs and drains.
bool RaceChecker::checkRow(const RetireEvent &event, Insn insn) {
  const bool writes = insn == Insn::V_ACCWR;
  const uint32_t row =
      model_.reg(writes ? rs2Field(event.insn) : rs1Field(event.insn)) % MatrixUnit::kAccRows;
  const std::vector<ByteRange> mine{{row, 1}};
  for (const Outstanding &older : outstanding_) {
    const AccessLog &log = older.operation.accesses;
    if (common(mine, log.rowWrites) || (writes && common(mine, log.rowReads)))
      return race("accumulator row " + std::to_string(row),
                  "the access at pc " + hex(event.pc) + " (" + disassemble(event.insn, event.pc) + ")",
                  older);
  }
  return true;
}

bool RaceChecker::checkOperation(const Outstanding &newer) {
  const AccessLog &mine = newer.operation.accesses;
  for (const Outstanding &older : outstanding_) {
    if (older.operation.errorBit == newer.operation.errorBit)
      continue;
    const AccessLog &theirs = older.operation.accesses;
    std::optional<uint32_t> address;
    if (meet(newer.reads, older.writes))
      address = common(mine.reads, theirs.writes);
    if (!address && meet(newer.writes, older.writes))
      address = common(mine.writes, theirs.writes);
    if (!address && meet(newer.writes, older.reads))
      address = common(mine.writes, theirs.reads);
    if (address)
      return race("byte " + hex(*address), describe(newer.operation), older);
  }
  return true;
}

// A descriptor whose sources and destinations overlap (chapter 5).
bool RaceChecker::checkInPlace(const IssuedOperation &operation) {
  if (!operation.accesses.inPlace)
    return true;
  if (report_.empty())
    report_ = "race at byte " + hex(*operation.accesses.inPlace) + ": " + describe(operation) +
              " has a descriptor that reads it and writes it";
  return false;
}

bool RaceChecker::race(const std::string &place, const std::string &access,
                       const Outstanding &with) {
  if (report_.empty())
    report_ = "race at " + place + ": " + access + " against " +
              describe(with.operation) + ", which nothing has waited for";
  return false;
}

} // namespace npu
