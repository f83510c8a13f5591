// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lockstep.h"

#include "generated/npu_platform.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace npu {

namespace {

constexpr size_t kHistory = 16;
// More operations than any queue holds: an event older than this many has taken place.
constexpr size_t kMaxPendingEvents = 64;
// Retired vector instructions whose results may be outstanding.
constexpr size_t kMaxVectorResults = 16;
constexpr unsigned kMatrix = 2, kNoUnit = 3;
constexpr uint32_t kErrorBits = 0xf, kDoneShift = 8;
constexpr uint32_t kMip16 = 1u << kDmaInterrupt, kMip17 = 1u << kErrorInterrupt;
constexpr uint32_t kMipExternal = 1u << kExternalInterrupt;
constexpr uint32_t kMipTimer = 1u << kTimerInterrupt, kMipSoftware = 1u << kSoftwareInterrupt;

__attribute__((format(printf, 1, 2))) std::string format(const char *pattern, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

bool isCsr(Insn insn) { return insn >= Insn::CSRRW && insn <= Insn::CSRRCI; }
bool isImmediateCsr(Insn insn) { return insn >= Insn::CSRRWI && insn <= Insn::CSRRCI; }

bool contains(const std::vector<ByteRange> &ranges, uint32_t address) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const ByteRange &range) {
    return address - range.begin < range.size;
  });
}

std::string describe(const RetireEvent &event) {
  switch (event.kind) {
  case RetireEvent::Kind::Interrupt:
    return format("interrupt %u at pc 0x%08x", event.cause, event.pc);
  case RetireEvent::Kind::Trap:
    return format("trap %u (%s), mtval 0x%08x at pc 0x%08x", event.cause,
                  causeName(event.cause).data(), event.tval, event.pc);
  default:
    break;
  }
  std::string text = format("0x%08x  %08x  %-32s", event.pc, event.insn,
                            disassemble(event.insn, event.pc).c_str());
  if (event.rd != 0)
    text += format(" %s = 0x%08x", registerName(event.rd).data(), event.rdValue);
  if (event.memReadMask != 0)
    text += format(" read [0x%08x] mask %x", event.memAddress, event.memReadMask);
  if (event.memWriteMask != 0)
    text += format(" write [0x%08x] mask %x = 0x%x", event.memAddress, event.memWriteMask,
                   event.memWriteData);
  return text;
}

} // namespace

// --- StatusTracker ---

std::vector<StatusTracker::State> StatusTracker::reachable() const {
  std::vector<State> all;
  const auto add = [&](const State &state) {
    if (std::find(all.begin(), all.end(), state) == all.end())
      all.push_back(state);
  };
  for (const State &state : states_)
    add(state);
  for (size_t i = 0; i < all.size(); ++i) {
    State state = all[i];
    if (state.happened == events_.size())
      continue;
    const Event &event = events_[state.happened++];
    const bool first = !state.bit;
    state.bit = true;
    if (event.repeats) // once more, but not for the last time
      add({true, state.fault, state.happened - 1});
    if (first)
      state.fault = event.fault;
    add(state);
    if (first && event.otherFault) {
      state.fault = *event.otherFault;
      add(state);
    }
  }
  return all;
}

void StatusTracker::addEvent(uint32_t ticketNumber, uint32_t fault,
                             std::optional<uint32_t> otherFault) {
  events_.push_back({ticketNumber, fault, otherFault});
  if (events_.size() > kMaxPendingEvents)
    completeUpTo(events_.front().ticketNumber);
}

void StatusTracker::addRepeatedEvent(uint32_t ticketNumber) {
  addEvent(ticketNumber, 0);
  events_.back().repeats = true;
}

void StatusTracker::completeUpTo(uint32_t ticketNumber) {
  const auto firstPending =
      std::find_if_not(events_.begin(), events_.end(), [&](const Event &event) {
        return ticketNotAfter(event.ticketNumber, ticketNumber);
      });
  const size_t complete = static_cast<size_t>(firstPending - events_.begin());
  if (complete == 0)
    return;
  std::vector<State> states = reachable();
  std::erase_if(states, [&](const State &state) { return state.happened < complete; });
  for (State &state : states)
    state.happened -= complete;
  events_.erase(events_.begin(), firstPending);
  states_ = std::move(states);
}

void StatusTracker::clear() {
  std::vector<State> cleared;
  for (State state : reachable()) {
    state.bit = false;
    if (std::find(cleared.begin(), cleared.end(), state) == cleared.end())
      cleared.push_back(state);
  }
  states_ = std::move(cleared);
}

bool StatusTracker::mayBe(bool bit) const {
  const auto states = reachable();
  return std::any_of(states.begin(), states.end(), [&](const State &s) { return s.bit == bit; });
}

bool StatusTracker::faultMayBe(uint32_t fault) const {
  const auto states = reachable();
  return std::any_of(states.begin(), states.end(),
                     [&](const State &s) { return s.fault == fault; });
}

void StatusTracker::observe(bool bit) {
  states_ = reachable();
  std::erase_if(states_, [&](const State &state) { return state.bit != bit; });
}

void StatusTracker::observeFault(uint32_t fault) {
  states_ = reachable();
  std::erase_if(states_, [&](const State &state) { return state.fault != fault; });
}

std::string StatusTracker::faultCandidates() const {
  std::vector<uint32_t> faults;
  for (const State &state : reachable())
    if (std::find(faults.begin(), faults.end(), state.fault) == faults.end())
      faults.push_back(state.fault);
  std::string text;
  for (uint32_t fault : faults)
    text += format("%s0x%08x", text.empty() ? "" : " or ", fault);
  return text;
}

// --- Lockstep ---

Lockstep::Lockstep(const MachineConfig &config, ReadMemory readMemory)
    : model_(config), readMemory_(std::move(readMemory)) {
  model_.followHost();
  model_.logOperations(issuedLog_);
}

void Lockstep::load(const ElfImage &image) {
  for (const ElfImage::Segment &segment : image.segments)
    model_.writeMemory(segment.address, segment.bytes.data(), segment.bytes.size());
  model_.setPc(image.entry);
}

bool Lockstep::check(const RetireEvent &event) {
  if (!report_.empty())
    return false;
  now_ = event.cycle;
  if (event.kind == RetireEvent::Kind::Interrupt)
    return conclude(takeInterrupt(event), event);

  // What the instruction is going to read of its source register, which it may overwrite.
  const Insn insn = decode(event.insn);
  const uint32_t source =
      isImmediateCsr(insn) ? rs1Field(event.insn) : model_.reg(rs1Field(event.insn));

  std::string problem;
  if (event.kind == RetireEvent::Kind::Retire)
    problem = followVolatile(event);
  RetireEvent expected;
  model_.step(expected);
  adopt(expected.unspecified, [this](uint32_t address) { return writtenByOutstanding(address); });
  expectVector(expected);
  // A difference in what the instruction is explains more than one in what it read.
  if (const std::string difference = compare(event, expected); !difference.empty())
    problem = problem.empty() || expected.insn != event.insn ? difference : problem;
  adoptIssued();
  if (problem.empty() && event.kind == RetireEvent::Kind::Retire)
    problem = synchronise(event, source);
  if (problem.empty() && expectedVectors_.size() > kMaxVectorResults)
    problem = format("%zu results of the vector unit are missing, the first of the instruction at "
                     "pc 0x%08x",
                     expectedVectors_.size(), expectedVectors_.front().event.pc);
  if (problem.empty())
    problem = checkOverdue();
  return conclude(problem, event);
}

void Lockstep::expectVector(RetireEvent &expected) {
  vectorStores_.insert(vectorStores_.end(), expected.vectorWrites.begin(),
                       expected.vectorWrites.end());
  if (expected.kind != RetireEvent::Kind::Retire || !isVector(expected.insn))
    return;
  ExpectedVector vector;
  if (info(decode(expected.insn)).writesVd) {
    vector.result.reg = static_cast<uint8_t>(rdField(expected.insn));
    std::memcpy(vector.result.value.data(), model_.vectorReg(vector.result.reg).data(),
                kVectorBytes);
  } else if (expected.rd != 0) {
    vector.result.toX = true;
    vector.result.reg = expected.rd;
    vector.result.value[0] = expected.rdValue;
    expected.rd = 0;
    expected.rdValue = 0;
  } else {
    return;
  }
  vector.event = expected;
  expectedVectors_.push_back(std::move(vector));
}

bool Lockstep::vectorResult(const VectorResult &result) {
  if (!report_.empty())
    return false;
  const auto name = [](const VectorResult &r) {
    return r.toX ? std::string(registerName(r.reg)) : format("v%u", r.reg);
  };
  if (expectedVectors_.empty())
    return conclude("the vector unit wrote " + name(result) +
                        ", but no retired instruction is to write a register",
                    RetireEvent{});
  const ExpectedVector expected = std::move(expectedVectors_.front());
  expectedVectors_.pop_front();
  if (result.toX != expected.result.toX || result.reg != expected.result.reg)
    return conclude("the vector unit wrote " + name(result) + ", expected " +
                        name(expected.result),
                    expected.event);
  const size_t words = result.toX ? 1 : result.value.size();
  for (size_t i = 0; i < words; ++i)
    if (result.value[i] != expected.result.value[i])
      return conclude(format("%s, word %zu: 0x%08x, expected 0x%08x", name(result).c_str(), i,
                             result.value[i], expected.result.value[i]),
                      expected.event);
  return true;
}

bool Lockstep::finish(bool quiescent) {
  std::string problem;
  if (quiescent && !expectedVectors_.empty())
    problem = format("no result of the vector instruction at pc 0x%08x",
                     expectedVectors_.front().event.pc);
  if (quiescent && problem.empty())
    problem = compareVectorStores();
  for (unsigned unit = 0; quiescent && unit < kUnits && problem.empty(); ++unit)
    problem = completeUpTo(unit, model_.issued(unit));
  for (const Region *region : {&model_.memory().itcm, &model_.memory().tcm})
    if (quiescent && problem.empty())
      problem = compareRegion(*region);
  RetireEvent end;
  end.pc = model_.pc();
  return report_.empty() && (problem.empty() || conclude(problem, end));
}

void Lockstep::hostWroteRegister(unsigned number, uint32_t value) { model_.setReg(number, value); }

void Lockstep::hostWroteCsr(unsigned number, uint32_t value) {
  if (static_cast<Csr>(number) == Csr::nstatus)
    clearStatus(value);
  model_.writeCsr(number, value);
}

bool Lockstep::hostWroteMemory(uint32_t address, const void *bytes, size_t size) {
  return model_.writeMemory(address, bytes, size);
}

bool Lockstep::hostResumed(uint32_t pc, uint32_t resumePc) {
  RetireEvent halt;
  halt.pc = pc;
  model_.readMemory(pc, &halt.insn, sizeof halt.insn);
  if (pc != model_.pc())
    return conclude(format("the core halted at pc 0x%08x, the model is at 0x%08x", pc,
                           model_.pc()),
                    halt);
  model_.setPc(resumePc);
  return true;
}

std::string Lockstep::takeInterrupt(const RetireEvent &event) {
  if (event.pc != model_.pc())
    return format("interrupt %u with mepc 0x%08x, the model is at 0x%08x", event.cause, event.pc,
                  model_.pc());
  const uint32_t mstatus = model_.readCsr(static_cast<unsigned>(Csr::mstatus));
  const uint32_t mie = model_.readCsr(static_cast<unsigned>(Csr::mie));
  if (!(mstatus >> 3 & 1) || !(mie >> event.cause & 1))
    return format("interrupt %u, which is not enabled (mstatus 0x%08x, mie 0x%08x)", event.cause,
                  mstatus, mie);
  const auto maySet = [](const StatusTracker &tracker) { return tracker.mayBe(true); };
  bool possible = false;
  switch (event.cause) {
  case kSoftwareInterrupt:
    possible = model_.softwareInterruptPending();
    break;
  case kTimerInterrupt:
    possible = true; // when mtime passes mtimecmp is the implementation's clock
    break;
  case kExternalInterrupt:
    possible = externalMayBe(true);
    break;
  case kDmaInterrupt:
    possible = std::any_of(done_.begin(), done_.end(), maySet);
    break;
  case kErrorInterrupt:
    possible = std::any_of(errors_.begin(), errors_.end(), maySet);
    break;
  default:
    break;
  }
  if (!possible)
    return format("interrupt %u (%s), which cannot be pending", event.cause,
                  causeName(event.cause | 0x80000000).data());
  model_.takeInterrupt(event.cause);
  overdue_ = 0;
  return {};
}

void Lockstep::setExternalInterrupt(bool level, uint64_t cycle) {
  if (level == external_)
    return;
  external_ = level;
  externalChanged_ = cycle;
}

// What the core may have seen when the last event came about.
bool Lockstep::externalMayBe(bool level) const {
  constexpr uint64_t kOnItsWay = 4; // cycles from the input to an event
  return level == external_ || now_ <= externalChanged_ + kOnItsWay;
}

// Interrupt bits that are pending whatever the implementation's timing is.
uint32_t Lockstep::certainlyPending() const {
  const auto mustBeSet = [](const StatusTracker &tracker) { return !tracker.mayBe(false); };
  return (model_.softwareInterruptPending() ? kMipSoftware : 0) |
         (model_.timerInterruptPending() ? kMipTimer : 0) |
         (externalMayBe(false) ? 0 : kMipExternal) |
         (std::any_of(done_.begin(), done_.end(), mustBeSet) ? kMip16 : 0) |
         (std::any_of(errors_.begin(), errors_.end(), mustBeSet) ? kMip17 : 0);
}

std::string Lockstep::checkOverdue() {
  constexpr unsigned kPatience = 32; // instructions
  const uint32_t enabled = model_.readCsr(static_cast<unsigned>(Csr::mstatus)) >> 3 & 1
                               ? model_.readCsr(static_cast<unsigned>(Csr::mie))
                               : 0;
  const uint32_t due = enabled == 0 ? 0 : enabled & certainlyPending();
  overdue_ = due == 0 ? 0 : overdue_ + 1;
  if (overdue_ <= kPatience)
    return {};
  return format("an enabled interrupt (mip & mie has 0x%05x) was not taken for %u instructions",
                due, kPatience);
}

// --- Values that depend on time: taken from the implementation where they are possible ---

std::string Lockstep::followVolatile(const RetireEvent &event) {
  if (event.rd == 0)
    return {};
  const Insn insn = decode(event.insn);
  if (isCsr(insn))
    return followCsrRead(csrField(event.insn), event.rdValue);
  if (insn == Insn::NPU_POLL)
    return followPoll(model_.reg(rs1Field(event.insn)), event.rdValue);
  const uint32_t timeOffset = event.memAddress - (NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
  if (insn == Insn::LW && (timeOffset == 0 || timeOffset == 4)) {
    uint64_t adopted;
    const std::string problem =
        followCounter(model_.time(), timeOffset == 4, event.rdValue, adopted);
    model_.setTime(adopted);
    return problem;
  }
  return {};
}

// A counter of cycles: the model counts one for an instruction, so it is never ahead. The halves
// are read one at a time, and the low one may have wrapped meanwhile.
std::string Lockstep::followCounter(uint64_t model, bool highHalf, uint32_t value,
                                    uint64_t &adopted) {
  constexpr int64_t kSlack = 4; // between executing a read or write and retiring it
  const auto ahead = [&] { return static_cast<int64_t>(adopted - model); };
  if (highHalf) {
    // Another one than the model's: the implementation has just passed 2^32 n, or is about to.
    const int32_t passed = static_cast<int32_t>(value - static_cast<uint32_t>(model >> 32));
    adopted = passed == 0 ? model : uint64_t{value} << 32 | (passed > 0 ? 0 : 0xffffffff);
  } else {
    adopted = (model & ~uint64_t{0xffffffff}) | value;
    if (ahead() < -(int64_t{1} << 31))
      adopted += uint64_t{1} << 32;
  }
  if (ahead() < -kSlack)
    return format("a cycle counter reads 0x%08x, but the model has counted 0x%" PRIx64
                  " instructions",
                  value, model);
  return {};
}

std::string Lockstep::followCsrRead(unsigned number, uint32_t value) {
  const auto csr = static_cast<Csr>(number);
  uint64_t adopted;
  std::string problem;
  switch (csr) {
  case Csr::mcycle: case Csr::cycle: case Csr::mcycleh: case Csr::cycleh: {
    const unsigned half = csr == Csr::mcycleh || csr == Csr::cycleh;
    problem = followCounter(model_.cycle(), half, value, adopted);
    if (unknownCycle_[half]) {
      unknownCycle_[half] = false;
      problem.clear();
      // Not ahead, whether the low half has wrapped before or not.
      adopted = half ? uint64_t{value} << 32 : (model_.cycle() & ~uint64_t{0xffffffff}) | value;
    }
    model_.setCycle(adopted);
    return problem;
  }
  case Csr::time: case Csr::timeh:
    problem = followCounter(model_.time(), csr == Csr::timeh, value, adopted);
    model_.setTime(adopted);
    return problem;
  case Csr::mip:
    return followPending(value);
  case Csr::nstatus:
    return followStatus(value);
  case Csr::nfault0: case Csr::nfault1: case Csr::nfault2: case Csr::nfault3: {
    const unsigned unit = number - static_cast<unsigned>(Csr::nfault0);
    if (!errors_[unit].faultMayBe(value))
      return format("nfault%u reads 0x%08x, possible: %s", unit, value,
                    errors_[unit].faultCandidates().c_str());
    errors_[unit].observeFault(value);
    model_.setFault(unit, value);
    return {};
  }
  default:
    return {};
  }
}

std::string Lockstep::followStatus(uint32_t value) {
  if (value & ~(kErrorBits | 3u << kDoneShift))
    return format("nstatus reads 0x%08x with undefined bits set", value);
  const auto follow = [&](StatusTracker &tracker, unsigned bit) -> std::string {
    const bool set = value >> bit & 1;
    if (!tracker.mayBe(set))
      return format("nstatus reads 0x%03x, but bit %u must be %u", value, bit, !set);
    tracker.observe(set);
    return {};
  };
  std::string problem;
  for (unsigned i = 0; i < errors_.size() && problem.empty(); ++i)
    problem = follow(errors_[i], i);
  for (unsigned i = 0; i < done_.size() && problem.empty(); ++i)
    problem = follow(done_[i], kDoneShift + i);
  model_.setStatusBits(value);
  return problem;
}

std::string Lockstep::followPending(uint32_t value) {
  model_.setPendingView(value);
  if (value & ~(kMip16 | kMip17 | kMipTimer | kMipSoftware | kMipExternal))
    return format("mip reads 0x%08x with undefined bits set", value);
  if (((value & kMipSoftware) != 0) != model_.softwareInterruptPending())
    return format("mip reads 0x%08x, but msip is %d", value, model_.softwareInterruptPending());

  if (!externalMayBe(value & kMipExternal))
    return format("mip reads 0x%08x, but the external interrupt is %d", value, external_);

  // The bit is the OR of its sources: 0 tells about each of them, 1 about the only candidate.
  const auto follow = [&](auto &trackers, uint32_t bit) -> std::string {
    const bool set = value & bit;
    StatusTracker *candidate = nullptr;
    unsigned candidates = 0;
    for (StatusTracker &tracker : trackers) {
      if (!set && !tracker.mayBe(false))
        return format("mip reads 0x%08x, but nstatus has a bit of its source set", value);
      if (!set)
        tracker.observe(false);
      else if (tracker.mayBe(true))
        candidate = &tracker, ++candidates;
    }
    if (set && candidates == 0)
      return format("mip reads 0x%08x, but no source of bit %s can be set", value,
                    bit == kMip16 ? "16" : "17");
    if (set && candidates == 1)
      candidate->observe(true);
    return {};
  };
  std::string problem = follow(done_, kMip16);
  return problem.empty() ? follow(errors_, kMip17) : problem;
}

std::string Lockstep::followPoll(uint32_t ticket, uint32_t value) {
  model_.setPollResult(value);
  if (value > 1)
    return format("npu.poll returns 0x%08x", value);
  if (value == 0 && ticketMustBeComplete(ticket))
    return format("npu.poll of ticket 0x%08x returns 0, but it is complete", ticket);
  return {};
}

// --- Comparison ---

std::string Lockstep::compare(const RetireEvent &actual, const RetireEvent &expected) const {
  const auto differs = [](const char *what, uint32_t got, uint32_t want) {
    return format("%s: 0x%08x, expected 0x%08x", what, got, want);
  };
  using Kind = RetireEvent::Kind;
  if (actual.pc != expected.pc)
    return differs("pc", actual.pc, expected.pc);
  const bool noWord = expected.kind == Kind::Trap &&
                      expected.cause == static_cast<uint32_t>(Cause::FetchFault);
  if (!noWord && actual.insn != expected.insn)
    return differs("instruction word", actual.insn, expected.insn);
  if (actual.kind != expected.kind)
    return "expected: " + describe(expected) + "\n  got:      " + describe(actual);
  if (actual.kind == Kind::Trap) {
    if (actual.cause != expected.cause)
      return differs("mcause", actual.cause, expected.cause);
    return actual.tval != expected.tval ? differs("mtval", actual.tval, expected.tval) : "";
  }
  if (actual.rd != expected.rd)
    return differs("register written", actual.rd, expected.rd);
  if (actual.rd != 0 && actual.rdValue != expected.rdValue)
    return differs(registerName(actual.rd).data(), actual.rdValue, expected.rdValue);
  if (actual.memReadMask != expected.memReadMask)
    return differs("bytes loaded (mask)", actual.memReadMask, expected.memReadMask);
  if (actual.memWriteMask != expected.memWriteMask)
    return differs("bytes stored (mask)", actual.memWriteMask, expected.memWriteMask);
  if ((expected.memReadMask | expected.memWriteMask) != 0 &&
      actual.memAddress != expected.memAddress)
    return differs("memory address", actual.memAddress, expected.memAddress);
  if (expected.memWriteMask != 0 && actual.memWriteData != expected.memWriteData)
    return differs("stored value", actual.memWriteData, expected.memWriteData);
  return {};
}

// --- Asynchronous operations ---

void Lockstep::adoptIssued() {
  for (IssuedOperation &operation : issuedLog_) {
    const unsigned unit = operation.ticket & 3;
    const uint32_t number = operation.ticket >> 2;
    if (operation.fault)
      errors_[operation.errorBit].addEvent(number, *operation.fault, operation.otherFault);
    if (operation.doneSignals == 1)
      done_[unit].addEvent(number, 0);
    else if (operation.doneSignals > 1)
      done_[unit].addRepeatedEvent(number);
    outstanding_[unit].push_back({number, std::move(operation.accesses.writes),
                                  std::move(operation.unspecified), operation.pc});
  }
  issuedLog_.clear();
}

bool Lockstep::ticketMustBeComplete(uint32_t ticket) const {
  const unsigned unit = ticket & 3;
  return unit == kNoUnit || ticketNotAfter(model_.awaited(unit, ticket >> 2), synced_[unit]);
}

std::string Lockstep::synchronise(const RetireEvent &event, uint32_t source) {
  const Insn insn = decode(event.insn);
  // These retire when the core's own earlier accesses are done.
  if (insn == Insn::NPU_WAIT || insn == Insn::NPU_FENCE)
    if (std::string problem = compareVectorStores(); !problem.empty())
      return problem;
  if (insn == Insn::NPU_WAIT ||
      (insn == Insn::NPU_POLL && event.rd != 0 && event.rdValue == 1))
    return completeTicket(source);
  if (insn == Insn::NPU_FENCE) {
    std::string problem;
    for (unsigned unit = 0; unit < kUnits && problem.empty(); ++unit)
      if (rs2Field(event.insn) >> unit & 1)
        problem = completeUpTo(unit, model_.issued(unit));
    return problem;
  }
  // Ones written to nstatus clear its bits; CSRRC and CSRRCI only read it.
  const bool clears = insn == Insn::CSRRW || insn == Insn::CSRRS || insn == Insn::CSRRWI ||
                      insn == Insn::CSRRSI;
  if (clears && csrField(event.insn) == static_cast<unsigned>(Csr::nstatus))
    clearStatus(source);
  // The model's counter is behind, so what follows from its value (bits set or cleared) or from
  // the moment at which the low half wraps is not known.
  const auto csr = static_cast<Csr>(csrField(event.insn));
  const bool replaces = insn == Insn::CSRRW || insn == Insn::CSRRWI;
  if (isCsr(insn) && (replaces || source != 0) &&
      (csr == Csr::mcycleh || (csr == Csr::mcycle && !replaces && event.rd == 0)))
    unknownCycle_ = {true, true};
  return {};
}

void Lockstep::clearStatus(uint32_t ones) {
  for (unsigned i = 0; i < errors_.size(); ++i)
    if (ones >> i & 1)
      errors_[i].clear();
  for (unsigned i = 0; i < done_.size(); ++i)
    if (ones >> (kDoneShift + i) & 1)
      done_[i].clear();
}

std::string Lockstep::completeTicket(uint32_t ticket) {
  const unsigned unit = ticket & 3;
  return unit == kNoUnit ? "" : completeUpTo(unit, model_.awaited(unit, ticket >> 2));
}

std::string Lockstep::completeUpTo(unsigned unit, uint32_t number) {
  if (ticketNotAfter(number, synced_[unit]))
    return {};
  synced_[unit] = number;
  if (unit == kMatrix) {
    errors_[2].completeUpTo(number);
    errors_[3].completeUpTo(number);
  } else {
    errors_[unit].completeUpTo(number);
    done_[unit].completeUpTo(number);
  }
  // All that are complete leave the queue first: then the rest is what may still be writing.
  std::vector<Outstanding> complete;
  auto &queue = outstanding_[unit];
  while (!queue.empty() && ticketNotAfter(queue.front().number, number)) {
    complete.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  std::string problem;
  bool adopts = false;
  for (auto operation = complete.begin(); operation != complete.end() && problem.empty();
       ++operation) {
    const std::span<const Outstanding> younger(operation + 1, complete.end());
    problem = compareWritten(*operation, unit, younger);
    adopts |= !operation->unspecified.empty();
    adopt(operation->unspecified, [&](uint32_t address) {
      return writtenByOutstanding(address) ||
             std::any_of(younger.begin(), younger.end(),
                         [&](const Outstanding &other) { return other.writes(address); });
    });
  }
  if (adopts) {
    std::vector<ByteRange> left;
    for (const auto &others : outstanding_)
      for (const Outstanding &operation : others)
        left.insert(left.end(), operation.unspecified.begin(), operation.unspecified.end());
    model_.setUnspecified(std::move(left));
  }
  return problem;
}

bool Lockstep::Outstanding::writes(uint32_t address) const { return contains(written, address); }

bool Lockstep::Outstanding::leavesUnspecified(uint32_t address) const {
  return contains(unspecified, address);
}

bool Lockstep::writtenByOutstanding(uint32_t address) const {
  for (const auto &queue : outstanding_)
    for (const Outstanding &operation : queue)
      if (operation.writes(address))
        return true;
  return false;
}

// The model takes over bytes that the manual leaves open.
template <typename Skip> void Lockstep::adopt(const std::vector<ByteRange> &ranges, Skip skip) {
  for (const ByteRange &range : ranges)
    compareBytes(range, [&](uint32_t address, uint8_t actual, uint8_t) {
      if (!skip(address))
        model_.writeMemory(address, &actual, 1);
      return false;
    });
}

template <typename Differs>
bool Lockstep::compareBytes(const ByteRange &range, Differs differs) const {
  constexpr uint32_t kChunk = 4096;
  std::array<uint8_t, kChunk> expected, actual;
  for (uint32_t offset = 0; offset < range.size; offset += kChunk) {
    const uint32_t address = range.begin + offset;
    const uint32_t size = std::min(kChunk, range.size - offset);
    if (!model_.readMemory(address, expected.data(), size) ||
        !readMemory_(address, actual.data(), size))
      return true;
    if (std::equal(expected.begin(), expected.begin() + size, actual.begin()))
      continue;
    for (uint32_t i = 0; i < size; ++i)
      if (expected[i] != actual[i] && differs(address + i, actual[i], expected[i]))
        return true;
  }
  return false;
}

std::string Lockstep::compareWritten(const Outstanding &operation, unsigned unit,
                                     std::span<const Outstanding> younger) const {
  static constexpr const char *kUnitNames[] = {"DMA channel 0", "DMA channel 1", "matrix unit"};
  for (const ByteRange &range : operation.written) {
    std::string problem = format("memory at 0x%08x cannot be read for comparison", range.begin);
    const auto differs = [&](uint32_t address, uint8_t actual, uint8_t expected) {
      const bool open = operation.leavesUnspecified(address) ||
                        std::any_of(younger.begin(), younger.end(), [&](const Outstanding &other) {
                          return other.leavesUnspecified(address);
                        });
      if (open || writtenByOutstanding(address))
        return false;
      problem = format("byte 0x%08x: 0x%02x, expected 0x%02x; written by operation %u of the %s "
                       "(ticket 0x%08x) that was issued at pc 0x%08x",
                       address, actual, expected, operation.number, kUnitNames[unit],
                       operation.number << 2 | unit, operation.pc);
      return true;
    };
    if (compareBytes(range, differs))
      return problem;
  }
  return {};
}

std::string Lockstep::compareVectorStores() {
  for (const ByteRange &range : vectorStores_) {
    std::string problem = format("memory at 0x%08x cannot be read for comparison", range.begin);
    const auto differs = [&](uint32_t address, uint8_t actual, uint8_t expected) {
      if (writtenByOutstanding(address))
        return false;
      problem = format("byte 0x%08x, which a vector store wrote: 0x%02x, expected 0x%02x", address,
                       actual, expected);
      return true;
    };
    if (compareBytes(range, differs))
      return problem;
  }
  vectorStores_.clear();
  return {};
}

std::string Lockstep::compareRegion(const Region &region) const {
  std::string problem = format("%s cannot be read for comparison", region.name.data());
  const auto differs = [&](uint32_t address, uint8_t actual, uint8_t expected) {
    problem = format("at the end, byte 0x%08x of %s: 0x%02x, expected 0x%02x", address,
                     region.name.data(), actual, expected);
    return true;
  };
  return compareBytes({region.base, region.size}, differs) ? problem : "";
}

bool Lockstep::conclude(const std::string &problem, const RetireEvent &event) {
  if (problem.empty()) {
    history_.push_back(event);
    if (history_.size() > kHistory)
      history_.pop_front();
    ++checked_;
    return true;
  }
  report_ = format("lockstep mismatch after %" PRIu64 " events, cycle %" PRIu64 "\n  ", checked_,
                   event.cycle);
  report_ += problem + "\n  at " + describe(event) + "\nlast events before it:\n";
  for (const RetireEvent &past : history_)
    report_ += "  " + describe(past) + '\n';
  report_ += "registers of the model after the instruction:\n" + model_.describeState();
  return false;
}

} // namespace npu
