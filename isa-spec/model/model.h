// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The golden model of the machine, written from the manual. An asynchronous operation takes
// effect at once when its instruction executes, which is one of the orders that the manual
// allows; a program without races cannot tell. One instruction takes one cycle.

#pragma once

#include "dma.h"
#include "isa.h"
#include "matrix.h"
#include "memory.h"
#include "vector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace npu {

enum class Cause : uint32_t {
  FetchMisaligned = 0,
  FetchFault = 1,
  Illegal = 2,
  Breakpoint = 3,
  LoadMisaligned = 4,
  LoadFault = 5,
  StoreMisaligned = 6,
  StoreFault = 7,
  Ecall = 11,
};

// Interrupt numbers: the bit in mip and mie, and mcause without bit 31.
enum InterruptNumber : uint32_t {
  kSoftwareInterrupt = 3,
  kTimerInterrupt = 7,
  kExternalInterrupt = 11,
  kDmaInterrupt = 16,
  kErrorInterrupt = 17,
};

// mcause in words.
std::string_view causeName(uint32_t mcause);

// What one instruction did. The model reports it, and so does the RTL for the lockstep check.
struct RetireEvent {
  enum class Kind : uint8_t {
    Retire,    // the instruction at pc retired
    Trap,      // the instruction at pc trapped (exception); nothing else of it took effect
    Interrupt, // an interrupt was taken; pc is what mepc receives; insn is ignored
  };
  Kind kind = Kind::Retire;
  uint32_t pc = 0;
  uint32_t insn = 0; // ignored for a trap on fetch

  uint32_t cause = 0; // mcause without bit 31
  uint32_t tval = 0;

  uint8_t rd = 0; // register written; 0 = none
  uint32_t rdValue = 0;

  // The access of a load or store: the address that it computed, and one mask bit a byte from
  // there (1, 3 or 15); 0 = none. memWriteData holds the stored bytes from bit 0 up.
  uint32_t memAddress = 0;
  uint8_t memReadMask = 0;
  uint8_t memWriteMask = 0;
  uint32_t memWriteData = 0;

  // Bytes that a vector load or store accessed, in ranges in the order of the lanes.
  std::vector<ByteRange> vectorReads, vectorWrites;
  // Bytes that are unspecified, because the bus answered a vector store with an error.
  std::vector<ByteRange> unspecified;

  uint64_t cycle = 0; // for reports only
};

enum class StopReason {
  StepLimit,     // maxSteps executed
  Semihost,      // pc is at the ebreak of a semihosting call
  ToHost,        // the program stored an odd word to tohost (toHostValue)
  UnhandledTrap, // a trap's handler cannot be fetched
  Asleep,        // wfi with nothing that could ever wake the core
  Race,          // of a host that checks: what was executed races (race_checker.h)
  Breakpoint,    // pc is at a breakpoint
  Trap,          // an exception other than ecall was taken (stopAtTraps)
};

// An Xnpu operation that was issued, in the order of issue.
struct IssuedOperation {
  uint32_t ticket = 0;
  uint32_t pc = 0;
  unsigned errorBit = 0;         // of nstatus: 0..3
  std::optional<uint32_t> fault; // address, when it ends with an error
  std::optional<uint32_t> otherFault;  // that may be reported in its place
  std::vector<ByteRange> unspecified;  // bytes that it leaves so
  unsigned doneSignals = 0;      // how often it sets its DMA channel's done bit
  AccessLog accesses;
};

constexpr unsigned kUnits = 3; // of a ticket: DMA 0, DMA 1, matrix
constexpr uint32_t kTicketMask = (1u << 30) - 1;

// a <= b for numbers of tickets, which wrap.
constexpr bool ticketNotAfter(uint32_t a, uint32_t b) {
  return ((b - a) & kTicketMask) < (kTicketMask + 1) / 2;
}

class Model {
public:
  explicit Model(const MachineConfig &config);
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  // Executes at most maxSteps instructions (retired or trapped).
  StopReason run(uint64_t maxSteps);
  // Executes one instruction, or takes one interrupt if one is due, and says what it did. There
  // is no event when it stops at a semihosting call or sleeps.
  std::optional<StopReason> step(RetireEvent &event);

  uint32_t pc() const { return pc_; }
  void setPc(uint32_t pc) { pc_ = pc; }
  uint32_t reg(unsigned number) const { return regs_[number]; }
  void setReg(unsigned number, uint32_t value) {
    if (number != 0)
      regs_[number] = value;
  }
  const VectorValue &vectorReg(unsigned number) const { return vector_.regs[number]; }
  void setVectorReg(unsigned number, const VectorValue &value) { vector_.regs[number] = value; }
  // What the vector instruction would access now, if it accesses memory.
  std::optional<VectorAccess> vectorAccess(uint32_t word) const {
    return vector_.access(word, reg(rs1Field(word)), reg(rs2Field(word)), vectorStride_);
  }
  Memory &memory() { return memory_; }
  const Memory &memory() const { return memory_; }
  // Writes memory on behalf of the host; keeps decoded instructions coherent.
  bool writeMemory(uint32_t address, const void *in, size_t bytes);
  bool readMemory(uint32_t address, void *out, size_t bytes) const {
    return memory_.read(address, out, bytes);
  }

  // The bus answers accesses to these bytes of DRAM with an error; for code, before it executes.
  void failDram(ByteRange range);
  void setExternalInterrupt(bool level) { externalInterrupt_ = level; }

  // A CSR as an instruction reads it (0 when there is none of that number), and the effect of
  // writing it.
  uint32_t readCsr(unsigned number) const;
  void writeCsr(unsigned number, uint32_t value);

  uint64_t steps() const { return steps_; }     // retired and trapped instructions
  uint64_t retired() const { return steps_ - traps_; }
  uint64_t macs() const { return matrix_.macs(); }
  uint64_t dramReadBytes() const { return dramReadBytes_; } // by DMA
  uint64_t dramWriteBytes() const { return dramWriteBytes_; }
  // Number of the unit's last ticket, and of the last one that a wait for a number waits for.
  uint32_t issued(unsigned unit) const { return issued_[unit]; }
  uint32_t awaited(unsigned unit, uint32_t number) const {
    return ticketNotAfter(number, issued_[unit]) ? number : issued_[unit];
  }
  uint32_t toHostValue() const { return toHostValue_; }
  bool fetchable(uint32_t address) { return codeMap(address) != nullptr; }

  // Behaviour that a host may choose.
  bool stopAtSemihostCalls = false;
  bool stopAtUnhandledTraps = false;
  bool stopAtTraps = false;
  // The program does not see breakpoints: they are in the decoded instructions.
  void setBreakpoint(uint32_t pc, bool present);
  void watchToHost(uint32_t address);
  // Appends each operation that is issued, with its accesses.
  void logOperations(std::vector<IssuedOperation> &log) { issuedLog_ = &log; }

  // --- For the lockstep checker, which decides when asynchronous things happen. ---

  // Interrupts are taken only by takeInterrupt(), and operations do not set nstatus.
  void followHost() { followsHost_ = true; }
  void takeInterrupt(uint32_t cause);
  uint64_t cycle() const { return mcycle_; }
  uint64_t time() const { return mtime_; }
  void setCycle(uint64_t value) { mcycle_ = value; }
  void setTime(uint64_t value) { mtime_ = value; }
  bool softwareInterruptPending() const { return msip_ != 0; }
  bool timerInterruptPending() const { return mtime_ >= mtimecmp_; }
  void setStatusBits(uint32_t value) { nstatus_ = value; }
  void setFault(unsigned unit, uint32_t value) { nfault_[unit] = value; }
  void setPollResult(uint32_t value) { pollResult_ = value; }
  void setPendingView(uint32_t value) { pendingView_ = value; }
  // Bytes whose value is not known until they are adopted, because of an error of the bus.
  void setUnspecified(std::vector<ByteRange> ranges) { unspecified_ = std::move(ranges); }

  // A readable dump of the registers and trap CSRs.
  std::string describeState() const;

private:
  static constexpr uint8_t kDiscard = 32; // index in regs_ for results that x0 discards
  static constexpr uint32_t kMie = 1u << 3, kMpie = 1u << 7, kMppMachine = 3u << 11;
  static constexpr uint32_t kInhibitCycle = 1, kInhibitInstret = 4;

  // One decoded instruction; all zero means not decoded yet.
  struct Op {
    uint8_t code, rd, rs1, rs2;
    int32_t imm;
  };
  // Decoded instructions of a fetchable region, one for each word and one behind the end.
  struct CodeMap {
    explicit CodeMap(Region &codeRegion);
    ~CodeMap();
    CodeMap(const CodeMap &) = delete;
    CodeMap &operator=(const CodeMap &) = delete;
    Region *region;
    Op *ops;
    size_t bytes;
  };

  // The region that an instruction at this address is fetched from, or null.
  CodeMap *codeMap(uint32_t address);
  uint32_t fetchWord(uint32_t pc);
  void decodeOp(CodeMap &map, Op &op);
  // Drops decoded instructions that a write replaced.
  void noteWrite(Region &region, uint32_t address, uint64_t bytes);

  // Executes up to budget instructions, fewer when something happens that may change which
  // interrupt is due.
  template <bool kObserve>
  std::optional<StopReason> execute(uint64_t budget, RetireEvent *event);
  std::optional<StopReason> trapAt(uint32_t pc, Cause cause, uint32_t tval, RetireEvent *event);
  void account(uint64_t steps, uint64_t traps);

  // The common accesses; false when there is more to do, and nothing has been done.
  template <typename T> bool fastLoad(uint32_t address, uint32_t &value);
  template <typename T> bool fastStore(uint32_t address, uint32_t value);
  // All others; false with the cause of the trap.
  template <typename T> bool loadSlow(uint32_t address, uint32_t &value, Cause &cause);
  template <typename T> bool storeSlow(uint32_t address, uint32_t value, Cause &cause);
  // A vector instruction; false with the cause and address of the trap.
  bool vectorInstruction(uint32_t word, uint32_t x1, uint32_t x2, uint32_t &scalar, Cause &cause,
                         uint32_t &tval, RetireEvent *event);
  std::optional<uint32_t> vectorFault(const VectorAccess &access) const;
  bool vectorMeetsBusError(const VectorAccess &access) const;
  uint32_t clintLoad(uint32_t offset) const;
  void clintStore(uint32_t offset, uint32_t value);

  // Performs and counts a CSR instruction; false if it is illegal.
  bool csrInstruction(uint32_t word, uint32_t source, uint32_t &old);
  void enterTrap(uint32_t cause, bool interrupt, uint32_t epc, uint32_t tval);
  uint32_t pendingInterrupts() const;
  std::optional<uint32_t> dueInterrupt() const;
  uint64_t stepsToTimer() const;
  bool sleep(); // wfi; false if nothing can end it
  bool isSemihostCall(uint32_t pc);

  uint32_t issueDma(uint32_t pc, uint32_t descriptor, unsigned channel);
  uint32_t issueMatrix(Insn insn, uint32_t pc, uint32_t rs1, uint32_t rs2);
  uint32_t issue(IssuedOperation &&operation, unsigned unit);

  Memory memory_;
  CodeMap itcmCode_, dramCode_;
  MatrixUnit matrix_;
  VectorUnit vector_;

  uint32_t pc_;
  uint32_t regs_[33] = {}; // x0..x31 and kDiscard

  uint64_t steps_ = 0, traps_ = 0;
  uint64_t mcycle_ = 0, minstret_ = 0, mtime_ = 0, mtimecmp_ = ~uint64_t{0};
  uint32_t msip_ = 0;
  uint32_t mstatus_ = 0 /* MIE and MPIE */, mie_ = 0, mtvec_ = 0, mcountinhibit_ = 0;
  uint32_t mscratch_ = 0, mepc_ = 0, mcause_ = 0, mtval_ = 0;
  MatrixParams params_;
  uint32_t vectorStride_ = 0;
  uint32_t nstatus_ = 0, nfault_[4] = {};
  uint32_t issued_[kUnits] = {};

  uint32_t fastDram_; // bytes of DRAM that the common accesses may use
  bool externalInterrupt_ = false;
  std::vector<ByteRange> unspecified_;
  uint64_t dramReadBytes_ = 0, dramWriteBytes_ = 0;
  uint32_t toHostAddress_ = 0, toHostValue_ = 0;
  bool toHostWatched_ = false;
  std::unordered_set<uint32_t> breakpoints_;

  std::vector<IssuedOperation> *issuedLog_ = nullptr;
  bool followsHost_ = false;
  uint32_t pollResult_ = 1, pendingView_ = 0;
};

} // namespace npu
