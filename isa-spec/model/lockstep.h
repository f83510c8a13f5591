// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks an implementation against the model, instruction by instruction as they retire, and
// what asynchronous operations wrote when a wait, poll or fence orders it.

#pragma once

#include "elf_image.h"
#include "model.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace npu {

// The possible states of one nstatus bit and its fault register. When an operation completes is
// up to the implementation, so between issue and wait there may be several.
class StatusTracker {
public:
  struct State {
    bool bit;
    uint32_t fault;
    size_t happened; // events of this tracker that have taken place
    bool operator==(const State &) const = default;
  };

  // otherFault: an address that may be reported instead.
  void addEvent(uint32_t ticketNumber, uint32_t fault, std::optional<uint32_t> otherFault = {});
  // The operation sets the bit several times: each descriptor of a chain may.
  void addRepeatedEvent(uint32_t ticketNumber);
  // All events of tickets up to this number have taken place.
  void completeUpTo(uint32_t ticketNumber);
  void clear();
  bool mayBe(bool bit) const;
  bool faultMayBe(uint32_t fault) const;
  // Drops the states that an observation rules out; call only if the value may be.
  void observe(bool bit);
  void observeFault(uint32_t fault);
  std::string faultCandidates() const;

private:
  struct Event {
    uint32_t ticketNumber, fault;
    std::optional<uint32_t> otherFault;
    bool repeats = false;
  };
  std::vector<State> reachable() const;

  std::vector<State> states_{{false, 0, 0}};
  std::vector<Event> events_;
};

// What a vector instruction wrote: a vector register, or a scalar one (word 0). Results come in
// program order, each some cycles behind the retirement of its instruction.
struct VectorResult {
  bool toX = false;
  uint8_t reg = 0;
  std::array<uint32_t, kVectorBytes / 4> value{};
};

class Lockstep {
public:
  // Reads memory of the implementation; false when the range is not inside one region.
  using ReadMemory = std::function<bool(uint32_t address, uint8_t *out, size_t bytes)>;

  Lockstep(const MachineConfig &config, ReadMemory readMemory);

  // Puts the program into the model's memory and sets its pc. The harness does the same on its side.
  void load(const ElfImage &image);

  // One event of the implementation, in program order. False at the first mismatch, after which
  // report() is set and no further event may be given.
  bool check(const RetireEvent &event);

  // The next result of the vector unit. The retirement of a vector instruction itself has no
  // register: v.red* and v.extract* retire with rd = 0.
  bool vectorResult(const VectorResult &result);

  // The external interrupt has this level from this cycle on.
  void setExternalInterrupt(bool level, uint64_t cycle);
  // The bus answers accesses to these bytes of DRAM with an error, from the start.
  void failDram(ByteRange range) { model_.failDram(range); }

  // At the end of the program. If quiescent, that is if the implementation has no operation
  // outstanding, compares what all operations wrote and then ITCM and TCM as a whole.
  bool finish(bool quiescent);

  // The debug host did this to the implementation (semihosting).
  void hostWroteRegister(unsigned number, uint32_t value);
  void hostWroteCsr(unsigned number, uint32_t value); // as CSRRW writes it
  bool hostWroteMemory(uint32_t address, const void *bytes, size_t size);
  // The core halted at the ebreak at pc and the host lets it go on at resumePc.
  bool hostResumed(uint32_t pc, uint32_t resumePc);

  const std::string &report() const { return report_; }
  uint64_t checked() const { return checked_; } // events without a mismatch
  Model &model() { return model_; }
  const Model &model() const { return model_; }

private:
  struct Outstanding {
    uint32_t number; // of the ticket
    std::vector<ByteRange> written, unspecified;
    uint32_t pc;

    bool writes(uint32_t address) const;
    bool leavesUnspecified(uint32_t address) const;
  };

  // These return what is wrong, or an empty string.
  std::string takeInterrupt(const RetireEvent &event);
  std::string checkOverdue();
  std::string followVolatile(const RetireEvent &event);
  std::string followCsrRead(unsigned number, uint32_t value);
  std::string followStatus(uint32_t value);
  std::string followPending(uint32_t value);
  std::string followPoll(uint32_t ticket, uint32_t value);
  std::string followCounter(uint64_t model, bool highHalf, uint32_t value, uint64_t &adopted);
  std::string compare(const RetireEvent &actual, const RetireEvent &expected) const;
  std::string synchronise(const RetireEvent &event, uint32_t source);
  void clearStatus(uint32_t ones); // what writing them to nstatus does
  std::string completeTicket(uint32_t ticket);
  std::string completeUpTo(unsigned unit, uint32_t number);
  // younger: operations behind it that are complete, too.
  std::string compareWritten(const Outstanding &operation, unsigned unit,
                             std::span<const Outstanding> younger) const;
  template <typename Skip> void adopt(const std::vector<ByteRange> &ranges, Skip skip);
  void expectVector(RetireEvent &expected);
  std::string compareVectorStores();
  std::string compareRegion(const Region &region) const;
  // Calls differs(address, actual, expected) for bytes that differ until it returns true; true
  // also if the implementation's memory cannot be read.
  template <typename Differs> bool compareBytes(const ByteRange &range, Differs differs) const;

  bool externalMayBe(bool level) const;
  uint32_t certainlyPending() const;
  bool ticketMustBeComplete(uint32_t ticket) const;
  bool writtenByOutstanding(uint32_t address) const;
  void adoptIssued();
  bool conclude(const std::string &problem, const RetireEvent &event);

  Model model_;
  ReadMemory readMemory_;
  std::vector<IssuedOperation> issuedLog_;
  std::array<std::deque<Outstanding>, kUnits> outstanding_;
  std::array<uint32_t, kUnits> synced_{}; // tickets known to be complete
  std::array<StatusTracker, 4> errors_;
  std::array<StatusTracker, 2> done_;
  struct ExpectedVector {
    VectorResult result;
    RetireEvent event;
  };
  std::deque<ExpectedVector> expectedVectors_;
  std::vector<ByteRange> vectorStores_; // not compared yet
  std::deque<RetireEvent> history_;
  std::string report_;
  uint64_t checked_ = 0;
  std::array<bool, 2> unknownCycle_{}; // halves of mcycle that the next read tells
  bool external_ = false;
  uint64_t externalChanged_ = 0, now_ = 0; // cycles
  unsigned overdue_ = 0; // instructions retired while an interrupt was certain to be due
};

} // namespace npu
