// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter. Each word of a fetchable region has a decoded form beside it, filled when it
// is first executed and dropped when the word is written; handlers jump to one another directly.

#include "model.h"
#include "semihosting.h"

#include <algorithm>
#include <bit>
#include <sys/mman.h>
#include <type_traits>

namespace npu {

namespace {

// Scalar instructions have handlers of their own, by number: 0 (Insn::ILLEGAL) decodes first, and
// the vector instructions, which share one, have the highest numbers.
constexpr uint8_t kVector = 1
#define NPU_INSN(name, mnemonic, operands, mask, match, format, flags) +1
#define NPU_VECTOR_INSN(name, mnemonic, operands, mask, match, format, flags)
#include "generated/npu_isa.inc"
    ;
constexpr uint8_t kIllegalWord = kVector + 1;
constexpr uint8_t kRegionEnd = kIllegalWord + 1;
constexpr uint8_t kBreakpoint = kRegionEnd + 1;

constexpr int32_t S(uint32_t value) { return static_cast<int32_t>(value); }

bool isCsr(Insn insn) { return insn >= Insn::CSRRW && insn <= Insn::CSRRCI; }

} // namespace

Model::CodeMap::CodeMap(Region &codeRegion) : region(&codeRegion) {
  bytes = (codeRegion.size / 4 + 1) * sizeof(Op);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  ops = static_cast<Op *>(memory);
  ops[codeRegion.size / 4].code = kRegionEnd;
}

Model::CodeMap::~CodeMap() { munmap(ops, bytes); }

Model::CodeMap *Model::codeMap(uint32_t address) {
  for (CodeMap *map : {&itcmCode_, &dramCode_})
    if (map->region->contains(address))
      return map;
  return nullptr;
}

void Model::decodeOp(CodeMap &map, Op &op) {
  const uint32_t offset = static_cast<uint32_t>(&op - map.ops) * 4;
  uint32_t word;
  std::memcpy(&word, map.region->data + offset, 4);
  map.region->pageFlags[offset >> Memory::kPageShift] |= Memory::kPageDecoded;

  const Insn insn = decode(word);
  const unsigned rd = rdField(word);
  op.code = insn == Insn::ILLEGAL ? kIllegalWord
            : isVector(word)      ? kVector
                                  : static_cast<uint8_t>(insn);
  if (map.region->id == RegionId::Dram &&
      memory_.dramFails(map.region->base + offset, 4, Memory::kCacheLineBytes))
    op.code = kRegionEnd;
  op.rd = static_cast<uint8_t>(rd == 0 || !info(insn).writesRd ? kDiscard : rd);
  op.rs1 = static_cast<uint8_t>(rs1Field(word));
  op.rs2 = static_cast<uint8_t>(rs2Field(word));
  if (!breakpoints_.empty() && breakpoints_.contains(map.region->base + offset))
    op.code = kBreakpoint;
  op.imm = isCsr(insn) || isVector(word) ? S(word) : immediate(word, info(insn).format);
}

void Model::noteWrite(Region &region, uint32_t address, uint64_t bytes) {
  if (!region.fetchable() || bytes == 0)
    return;
  CodeMap &map = region.id == RegionId::Itcm ? itcmCode_ : dramCode_;
  const uint64_t begin = address - region.base, end = begin + bytes;
  constexpr uint64_t kPage = uint64_t{1} << Memory::kPageShift;
  for (uint64_t at = begin; at < end; at = (at & ~(kPage - 1)) + kPage) {
    if (!(region.pageFlags[at >> Memory::kPageShift] & Memory::kPageDecoded))
      continue;
    const uint64_t stop = std::min(end, (at & ~(kPage - 1)) + kPage);
    for (uint64_t word = at / 4; word * 4 < stop; ++word)
      map.ops[word] = Op{};
  }
}

template <typename T> bool Model::fastLoad(uint32_t address, uint32_t &value) {
  const Region *region = &memory_.tcm;
  if (!region->contains(address)) {
    region = &memory_.dram;
    if (address - region->base >= fastDram_) {
      region = &memory_.itcm;
      if (!region->contains(address))
        return false;
    }
  }
  if (address % sizeof(T) != 0)
    return false;
  T loaded;
  std::memcpy(&loaded, region->at(address), sizeof loaded);
  value = static_cast<uint32_t>(loaded);
  return true;
}

template <typename T> bool Model::fastStore(uint32_t address, uint32_t value) {
  const Region *region = &memory_.tcm;
  if (!region->contains(address)) {
    region = &memory_.dram;
    if (address - region->base >= fastDram_)
      return false;
  }
  if (address % sizeof(T) != 0 ||
      region->pageFlags[(address - region->base) >> Memory::kPageShift] != 0)
    return false;
  const T stored = static_cast<T>(value);
  std::memcpy(region->at(address), &stored, sizeof stored);
  return true;
}

template <typename T>
bool Model::loadSlow(uint32_t address, uint32_t &value, Cause &cause) {
  if (address % sizeof(T) != 0) {
    cause = Cause::LoadMisaligned;
    return false;
  }
  const uint32_t offset = address - NPU_MMIO_CLINT_BASE;
  if (offset < NPU_MMIO_CLINT_SIZE && sizeof(T) == 4) {
    value = clintLoad(offset);
    return true;
  }
  if (memory_.dram.contains(address) && !memory_.dramFails(address, sizeof(T))) {
    T loaded;
    std::memcpy(&loaded, memory_.dram.at(address), sizeof loaded);
    value = static_cast<uint32_t>(loaded);
    return true;
  }
  cause = Cause::LoadFault;
  return false;
}

template <typename T>
bool Model::storeSlow(uint32_t address, uint32_t value, Cause &cause) {
  if (address % sizeof(T) != 0) {
    cause = Cause::StoreMisaligned;
    return false;
  }
  Region *region = memory_.find(address);
  if (region && !(region->id == RegionId::Dram && memory_.dramFails(address, sizeof(T)))) {
    const T stored = static_cast<T>(value);
    std::memcpy(region->at(address), &stored, sizeof stored);
    noteWrite(*region, address, sizeof stored);
    if (toHostWatched_ && address == toHostAddress_ && value % 2 != 0)
      toHostValue_ = value;
    return true;
  }
  const uint32_t offset = address - NPU_MMIO_CLINT_BASE;
  if (offset < NPU_MMIO_CLINT_SIZE && sizeof(T) == 4) {
    clintStore(offset, value);
    return true;
  }
  cause = Cause::StoreFault;
  return false;
}

// The first byte of a vector access that is not in the region of the access's first byte, or the
// first byte itself when that is in none.
std::optional<uint32_t> Model::vectorFault(const VectorAccess &access) const {
  const auto outside = [&](uint32_t begin, uint64_t bytes) -> std::optional<uint32_t> {
    const Region *region = memory_.find(begin);
    if (!region)
      return begin;
    if (region->contains(begin, bytes))
      return {};
    return region->base + region->size;
  };
  const unsigned first = static_cast<unsigned>(std::countr_zero(access.lanes));
  const unsigned last = 63 - static_cast<unsigned>(std::countl_zero(access.lanes));
  return outside(access.laneAddress(first), uint64_t{last - first + 1} * access.memorySize);
}

// The whole access is one transfer from its first lane to its last.
bool Model::vectorMeetsBusError(const VectorAccess &access) const {
  const unsigned first = static_cast<unsigned>(std::countr_zero(access.lanes));
  const unsigned last = 63 - static_cast<unsigned>(std::countl_zero(access.lanes));
  const uint32_t address = access.laneAddress(first);
  return memory_.dramMayFail() && memory_.dram.contains(address) &&
         memory_.dramFails(address, uint64_t{last - first + 1} * access.memorySize);
}

bool Model::vectorInstruction(uint32_t word, uint32_t x1, uint32_t x2, uint32_t &scalar,
                              Cause &cause, uint32_t &tval, RetireEvent *event) {
  const auto access = vector_.access(word, x1, x2, vectorStride_);
  if (!access) {
    scalar = vector_.execute(word, x1, x2, params_.outQuant, matrix_);
    return true;
  }
  const auto trap = [&](uint32_t address) {
    cause = access->store ? Cause::StoreFault : Cause::LoadFault;
    tval = address;
    return false;
  };
  const auto busError = [&](const VectorAccess &failed) {
    for (uint64_t lanes = failed.store && event ? failed.lanes : 0; lanes != 0; lanes &= lanes - 1)
      AccessLog::append(event->unspecified,
                        failed.laneAddress(static_cast<unsigned>(std::countr_zero(lanes))),
                        failed.memorySize);
    return trap(failed.laneAddress(static_cast<unsigned>(std::countr_zero(failed.lanes))));
  };
  if (access->lanes != 0 && !access->strided) {
    if (const auto fault = vectorFault(*access))
      return trap(*fault);
    if (vectorMeetsBusError(*access))
      return busError(*access);
  }

  VectorValue loaded{};
  for (uint64_t lanes = access->lanes; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
    const uint32_t address = access->laneAddress(lane);
    VectorAccess single = *access;
    single.lanes = uint64_t{1} << lane;
    if (access->strided) {
      if (const auto fault = vectorFault(single))
        return trap(*fault);
      if (vectorMeetsBusError(single))
        return busError(single);
    }
    Region *region = memory_.find(address);
    if (access->store) {
      vector_.storeLane(*access, lane, region->at(address));
      noteWrite(*region, address, access->memorySize);
    } else {
      VectorUnit::loadLane(*access, lane, region->at(address), loaded);
    }
    if (event)
      AccessLog::append(access->store ? event->vectorWrites : event->vectorReads, address,
                        access->memorySize);
  }
  if (!access->store)
    vector_.regs[access->vector] = loaded;
  return true;
}

void Model::account(uint64_t steps, uint64_t traps) {
  steps_ += steps;
  traps_ += traps;
  mtime_ += steps;
  if (!(mcountinhibit_ & kInhibitCycle))
    mcycle_ += steps;
  if (!(mcountinhibit_ & kInhibitInstret))
    minstret_ += steps - traps;
}

// Operands of the instruction in hand.
#define RS1 x[op->rs1]
#define RS2 x[op->rs2]
#define RS1_NUMBER op->rs1
#define RS2_NUMBER op->rs2
#define IMM static_cast<uint32_t>(op->imm)
#define SHAMT op->rs2
#define PC (mapBase + static_cast<uint32_t>(op - mapOps) * 4)
#define WRITE_RD(value) x[op->rd] = static_cast<uint32_t>(value)
#define DIVISION_OVERFLOWS (RS1 == 0x80000000 && RS2 == ~0u)

// Ends of an instruction: DISPATCH enters the handler of op.
#define DISPATCH() goto *kHandlers[op->code]
#define NEXT()                                                                                     \
  do {                                                                                             \
    ++op;                                                                                          \
    if (--remaining == 0)                                                                          \
      goto leave;                                                                                  \
    DISPATCH();                                                                                    \
  } while (0)
// Leaves the loop behind this instruction, so that interrupts are looked at again.
#define NEXT_AND_LEAVE()                                                                           \
  do {                                                                                             \
    ++op;                                                                                          \
    --remaining;                                                                                   \
    goto leave;                                                                                    \
  } while (0)
#define TRAP(trapCause, trapValue)                                                                 \
  do {                                                                                             \
    cause = trapCause;                                                                             \
    tval = trapValue;                                                                              \
    goto trap;                                                                                     \
  } while (0)
// Counts what has been executed so far, before something looks at the counters.
#define COMMIT()                                                                                   \
  do {                                                                                             \
    account(budget - remaining, 0);                                                                \
    budget = remaining;                                                                            \
  } while (0)

#define JUMP(address)                                                                              \
  do {                                                                                             \
    const uint32_t to = (address);                                                                 \
    if (to - mapBase < mapSize) {                                                                  \
      op = mapOps + (to - mapBase) / 4;                                                            \
      if (--remaining == 0)                                                                        \
        goto leave;                                                                                \
      DISPATCH();                                                                                  \
    }                                                                                              \
    target = to;                                                                                   \
    goto leaveRegion;                                                                              \
  } while (0)
#define JUMP_AND_LINK(address)                                                                     \
  const uint32_t destination = (address);                                                          \
  if (destination % 4 != 0)                                                                        \
    TRAP(Cause::FetchMisaligned, destination);                                                     \
  WRITE_RD(PC + 4);                                                                                \
  JUMP(destination)
#define BRANCH_IF(condition)                                                                       \
  if (condition) {                                                                                 \
    const uint32_t destination = PC + IMM;                                                         \
    if (destination % 4 != 0)                                                                      \
      TRAP(Cause::FetchMisaligned, destination);                                                   \
    JUMP(destination);                                                                             \
  }

#define LOAD(type)                                                                                 \
  const uint32_t address = RS1 + IMM;                                                              \
  uint32_t value;                                                                                  \
  if (!fastLoad<type>(address, value)) {                                                           \
    COMMIT();                                                                                      \
    if (!loadSlow<type>(address, value, cause))                                                    \
      TRAP(cause, address);                                                                        \
  }                                                                                                \
  if constexpr (kObserve) {                                                                        \
    event->memAddress = address;                                                                   \
    event->memReadMask = (1u << sizeof(type)) - 1;                                                 \
  }                                                                                                \
  WRITE_RD(value)
#define STORE(type)                                                                                \
  const uint32_t address = RS1 + IMM, value = RS2;                                                 \
  bool simple = fastStore<type>(address, value);                                                   \
  if (!simple) {                                                                                   \
    COMMIT();                                                                                      \
    if (!storeSlow<type>(address, value, cause))                                                   \
      TRAP(cause, address);                                                                        \
  }                                                                                                \
  if constexpr (kObserve) {                                                                        \
    event->memAddress = address;                                                                   \
    event->memWriteMask = (1u << sizeof(type)) - 1;                                                \
    event->memWriteData = static_cast<type>(value);                                                \
  }                                                                                                \
  if (!simple)                                                                                     \
    NEXT_AND_LEAVE()

// A CSR instruction counts itself, because it may write the counters.
#define CSR_OP(source)                                                                             \
  uint32_t old;                                                                                    \
  COMMIT();                                                                                        \
  if (!csrInstruction(IMM, source, old))                                                           \
    TRAP(Cause::Illegal, IMM);                                                                     \
  WRITE_RD(old);                                                                                   \
  ++op;                                                                                            \
  budget = --remaining;                                                                            \
  goto leave
#define SEMIHOST_OR(otherwise)                                                                     \
  if (stopAtSemihostCalls && isSemihostCall(PC)) {                                                 \
    stop = StopReason::Semihost;                                                                   \
    goto leave;                                                                                    \
  }                                                                                                \
  otherwise
#define RETURN_FROM_TRAP()                                                                         \
  mstatus_ = (mstatus_ & kMpie ? kMie : 0) | kMpie;                                                \
  target = mepc_;                                                                                  \
  goto leaveRegion
#define WAIT_FOR_INTERRUPT()                                                                       \
  COMMIT();                                                                                        \
  if (!sleep()) {                                                                                  \
    stop = StopReason::Asleep;                                                                     \
    goto leave;                                                                                    \
  }                                                                                                \
  NEXT_AND_LEAVE()
#define ISSUE(ticket)                                                                              \
  WRITE_RD(ticket);                                                                                \
  NEXT_AND_LEAVE()

#define EXEC(name, ...)                                                                            \
  on_##name : {                                                                                    \
    __VA_ARGS__;                                                                                   \
  }                                                                                                \
  NEXT();

template <bool kObserve>
std::optional<StopReason> Model::execute(uint64_t budget, RetireEvent *event) {
  static const void *const kHandlers[] = {
      &&on_undecoded,
#define NPU_INSN(name, mnemonic, operands, mask, match, format, flags) &&on_##name,
#define NPU_VECTOR_INSN(name, mnemonic, operands, mask, match, format, flags)
#include "generated/npu_isa.inc"
      &&on_vector,
      &&on_illegal_word,
      &&on_region_end,
      &&on_breakpoint,
  };

  std::optional<StopReason> stop;
  uint64_t remaining = budget;
  uint32_t *const x = regs_;
  uint32_t target = 0, tval = 0;
  Cause cause{};

  CodeMap *map = codeMap(pc_);
  if (!map) {
    if (breakpoints_.contains(pc_))
      return StopReason::Breakpoint;
    account(1, 1);
    return trapAt(pc_, Cause::FetchFault, pc_, event);
  }
  const uint32_t mapBase = map->region->base, mapSize = map->region->size;
  Op *const mapOps = map->ops;
  Op *op = mapOps + (pc_ - mapBase) / 4;
  DISPATCH();

#include "exec_i.inc"
#include "exec_m.inc"
#include "exec_system.inc"
#include "exec_xnpu.inc"

on_undecoded:
  decodeOp(*map, *op);
  DISPATCH();

on_vector: {
  uint32_t scalar = 0;
  if (!vectorInstruction(IMM, RS1, RS2, scalar, cause, tval, event))
    goto trap;
  WRITE_RD(scalar); // x0's stand-in where there is none
}
  NEXT();

on_illegal_word:
  TRAP(Cause::Illegal, fetchWord(PC));

// Execution ran past the last word of the region, or the bus answers with an error.
on_region_end:
  TRAP(Cause::FetchFault, PC);

on_breakpoint:
  stop = StopReason::Breakpoint;
  goto leave;

trap:
  account(budget - remaining + 1, 1);
  return trapAt(PC, cause, tval, event);

leaveRegion:
  --remaining;
  account(budget - remaining, 0);
  pc_ = target;
  return {};

leave:
  account(budget - remaining, 0);
  pc_ = PC;
  return stop;
}

std::optional<StopReason> Model::trapAt(uint32_t pc, Cause cause, uint32_t tval,
                                        RetireEvent *event) {
  if (event) {
    event->kind = RetireEvent::Kind::Trap;
    event->cause = static_cast<uint32_t>(cause);
    event->tval = tval;
  }
  enterTrap(static_cast<uint32_t>(cause), false, pc, tval);
  if (stopAtUnhandledTraps && !codeMap(pc_))
    return StopReason::UnhandledTrap;
  if (stopAtTraps && cause != Cause::Ecall)
    return StopReason::Trap;
  return {};
}

void Model::setBreakpoint(uint32_t pc, bool present) {
  if (present)
    breakpoints_.insert(pc);
  else
    breakpoints_.erase(pc);
  if (Region *region = memory_.find(pc))
    noteWrite(*region, pc, 4);
}

StopReason Model::run(uint64_t maxSteps) {
  const uint64_t end = maxSteps > UINT64_MAX - steps_ ? UINT64_MAX : steps_ + maxSteps;
  while (steps_ < end) {
    if (const auto due = dueInterrupt()) {
      takeInterrupt(*due);
      if (stopAtUnhandledTraps && !codeMap(pc_))
        return StopReason::UnhandledTrap;
    }
    if (const auto stop = execute<false>(std::min(end - steps_, stepsToTimer()), nullptr))
      return *stop;
    if (toHostValue_ != 0)
      return StopReason::ToHost;
  }
  return StopReason::StepLimit;
}

std::optional<StopReason> Model::step(RetireEvent &event) {
  event = {};
  event.pc = pc_;
  event.cycle = steps_;
  if (const auto due = dueInterrupt()) {
    event.kind = RetireEvent::Kind::Interrupt;
    event.cause = *due;
    takeInterrupt(*due);
    if (stopAtUnhandledTraps && !codeMap(pc_))
      return StopReason::UnhandledTrap;
    return {};
  }
  event.insn = codeMap(pc_) ? fetchWord(pc_) : 0;
  const auto stop = execute<true>(1, &event);
  if (event.kind == RetireEvent::Kind::Retire && info(decode(event.insn)).writesRd) {
    event.rd = static_cast<uint8_t>(rdField(event.insn));
    event.rdValue = regs_[event.rd];
  }
  if (!stop && toHostValue_ != 0)
    return StopReason::ToHost;
  return stop;
}

} // namespace npu
