// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CSRs, traps, interrupts, the CLINT and the issue of Xnpu operations.

#include "model.h"

#include "semihosting.h"

#include <bit>
#include <bitset>
#include <cstdio>

namespace npu {

namespace {

constexpr uint32_t kInterruptBits = 1u << kSoftwareInterrupt | 1u << kTimerInterrupt |
                                    1u << kExternalInterrupt | 1u << kDmaInterrupt |
                                    1u << kErrorInterrupt;
// Highest priority first.
constexpr uint32_t kPriority[] = {kErrorInterrupt, kDmaInterrupt, kExternalInterrupt,
                                  kSoftwareInterrupt, kTimerInterrupt};

constexpr uint32_t kErrorBits = 0xf, kDoneShift = 8, kDoneBits = 3u << kDoneShift;
constexpr unsigned kArrayError = 2, kDrainError = 3;
constexpr unsigned kMatrix = 2; // unit of a ticket

constexpr uint32_t kMisa = 0x40001100; // RV32IM

const std::bitset<4096> &implementedCsrs() {
  static const std::bitset<4096> set = [] {
    std::bitset<4096> bits;
#define NPU_CSR(name, number, access) bits.set(number);
#include "generated/npu_isa.inc"
    return bits;
  }();
  return set;
}

constexpr uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
constexpr uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
constexpr void setLow(uint64_t &target, uint32_t value) {
  target = (target & ~uint64_t{0xffffffff}) | value;
}
constexpr void setHigh(uint64_t &target, uint32_t value) {
  target = uint64_t{value} << 32 | low(target);
}

} // namespace

Model::Model(const MachineConfig &config)
    : memory_(config), itcmCode_(memory_.itcm), dramCode_(memory_.dram), pc_(NPU_RESET_PC),
      fastDram_(memory_.dram.size) {}

void Model::failDram(ByteRange range) {
  memory_.failDram(range);
  fastDram_ = 0;
}

bool Model::writeMemory(uint32_t address, const void *in, size_t bytes) {
  if (!memory_.write(address, in, bytes))
    return false;
  if (Region *region = memory_.find(address))
    noteWrite(*region, address, bytes);
  return true;
}

void Model::watchToHost(uint32_t address) {
  if (Region *region = memory_.find(address)) {
    region->pageFlags[(address - region->base) >> Memory::kPageShift] |= Memory::kPageWatched;
    toHostAddress_ = address;
    toHostWatched_ = true;
  }
}

uint32_t Model::fetchWord(uint32_t pc) {
  uint32_t word = 0;
  memory_.read(pc, &word, sizeof word);
  return word;
}

// --- CSRs ---

uint32_t Model::readCsr(unsigned number) const {
  switch (static_cast<Csr>(number)) {
  case Csr::mstatus: return mstatus_ | kMppMachine;
  case Csr::misa: return kMisa;
  case Csr::mie: return mie_;
  case Csr::mtvec: return mtvec_;
  case Csr::mcountinhibit: return mcountinhibit_;
  case Csr::mscratch: return mscratch_;
  case Csr::mepc: return mepc_;
  case Csr::mcause: return mcause_;
  case Csr::mtval: return mtval_;
  case Csr::mip: return followsHost_ ? pendingView_ : pendingInterrupts();
  case Csr::mcycle: case Csr::cycle: return low(mcycle_);
  case Csr::mcycleh: case Csr::cycleh: return high(mcycle_);
  case Csr::minstret: case Csr::instret: return low(minstret_);
  case Csr::minstreth: case Csr::instreth: return high(minstret_);
  case Csr::time: return low(mtime_);
  case Csr::timeh: return high(mtime_);
  case Csr::mimpid: return NPU_ISA_VERSION;
  case Csr::nrowlen: return params_.rowLen;
  case Csr::nrowstride: return params_.rowStride;
  case Csr::nxcount: return params_.xCount;
  case Csr::nxstride: return params_.xStride;
  case Csr::nystride: return params_.yStride;
  case Csr::noxstride: return params_.outXStride;
  case Csr::noystride: return params_.outYStride;
  case Csr::noquant: return params_.outQuant;
  case Csr::nvstride: return vectorStride_;
  case Csr::npad: return params_.pad;
  case Csr::nvalid: return params_.valid;
  case Csr::npos: return params_.position;
  case Csr::npxstep: return params_.xStep;
  case Csr::npystep: return params_.yStep;
  case Csr::ntapstride: return params_.tapStride;
  case Csr::nstatus: return nstatus_;
  case Csr::nfault0: return nfault_[0];
  case Csr::nfault1: return nfault_[1];
  case Csr::nfault2: return nfault_[2];
  case Csr::nfault3: return nfault_[3];
  case Csr::ninfo:
    return NPU_MAC_ROWS | NPU_MAC_COLS << 8 |
           static_cast<uint32_t>(std::countr_zero(NPU_MAC_ACC_ROWS)) << 16 |
           NPU_VECTOR_BYTES / 8 << 20 | NPU_ISA_VERSION << 28;
  case Csr::ntcmsize: return memory_.tcm.size;
  case Csr::nitcmsize: return memory_.itcm.size;
  default: return 0; // the ones that read as zero
  }
}

void Model::writeCsr(unsigned number, uint32_t value) {
  switch (static_cast<Csr>(number)) {
  case Csr::mstatus: mstatus_ = value & (kMie | kMpie); break;
  case Csr::mie: mie_ = value & kInterruptBits; break;
  case Csr::mtvec: mtvec_ = value & ~2u; break;
  case Csr::mcountinhibit: mcountinhibit_ = value & (kInhibitCycle | kInhibitInstret); break;
  case Csr::mscratch: mscratch_ = value; break;
  case Csr::mepc: mepc_ = value & ~3u; break;
  case Csr::mcause: mcause_ = value & 0x8000001f; break;
  case Csr::mtval: mtval_ = value; break;
  case Csr::mcycle: setLow(mcycle_, value); break;
  case Csr::mcycleh: setHigh(mcycle_, value); break;
  case Csr::minstret: setLow(minstret_, value); break;
  case Csr::minstreth: setHigh(minstret_, value); break;
  case Csr::nrowlen: params_.rowLen = value & 0xffff; break;
  case Csr::nrowstride: params_.rowStride = value; break;
  case Csr::nxcount: params_.xCount = value & 0xffff; break;
  case Csr::nxstride: params_.xStride = value; break;
  case Csr::nystride: params_.yStride = value; break;
  case Csr::noxstride: params_.outXStride = value; break;
  case Csr::noystride: params_.outYStride = value; break;
  case Csr::noquant: params_.outQuant = value & 0x00ffffff; break;
  case Csr::nvstride: vectorStride_ = value; break;
  case Csr::npad: params_.pad = value & 0xffff; break;
  case Csr::nvalid: params_.valid = value & 0x7fff7fff; break;
  case Csr::npos: params_.position = value; break;
  case Csr::npxstep: params_.xStep = value; break;
  case Csr::npystep: params_.yStep = value; break;
  case Csr::ntapstride: params_.tapStride = value; break;
  case Csr::nstatus: nstatus_ &= ~value; break;
  default: break; // read only, or writes are ignored
  }
}

bool Model::csrInstruction(uint32_t word, uint32_t source, uint32_t &old) {
  const unsigned number = csrField(word);
  const Insn insn = decode(word);
  const bool replaces = insn == Insn::CSRRW || insn == Insn::CSRRWI;
  const bool clears = insn == Insn::CSRRC || insn == Insn::CSRRCI;
  const bool writes = replaces || rs1Field(word) != 0;
  const bool readOnly = number >> 10 == 3;
  if (!implementedCsrs()[number] || (writes && readOnly))
    return false;

  old = readCsr(number);
  const uint64_t cycleBefore = mcycle_, instretBefore = minstret_;
  account(1, 0);
  if (!writes)
    return true;
  const auto csr = static_cast<Csr>(number);
  // A written counter does not count the instruction that writes it.
  if (csr == Csr::mcycle || csr == Csr::mcycleh)
    mcycle_ = cycleBefore;
  if (csr == Csr::minstret || csr == Csr::minstreth)
    minstret_ = instretBefore;
  if (csr == Csr::nstatus) // ones clear bits, so the operation is on rs1 and not on the CSR
    writeCsr(number, clears ? 0 : source);
  else
    writeCsr(number, replaces ? source : clears ? old & ~source : old | source);
  return true;
}

// --- Traps and interrupts ---

void Model::enterTrap(uint32_t cause, bool interrupt, uint32_t epc, uint32_t tval) {
  mepc_ = epc & ~3u;
  mcause_ = cause | (interrupt ? 0x80000000 : 0);
  mtval_ = tval;
  mstatus_ = mstatus_ & kMie ? kMpie : 0;
  const bool vectored = mtvec_ & 1;
  pc_ = (mtvec_ & ~3u) + (interrupt && vectored ? 4 * cause : 0);
}

void Model::takeInterrupt(uint32_t cause) { enterTrap(cause, true, pc_, 0); }

uint32_t Model::pendingInterrupts() const {
  return (msip_ ? 1u << kSoftwareInterrupt : 0) |
         (timerInterruptPending() ? 1u << kTimerInterrupt : 0) |
         (externalInterrupt_ ? 1u << kExternalInterrupt : 0) |
         (nstatus_ & kDoneBits ? 1u << kDmaInterrupt : 0) |
         (nstatus_ & kErrorBits ? 1u << kErrorInterrupt : 0);
}

std::optional<uint32_t> Model::dueInterrupt() const {
  if (followsHost_ || !(mstatus_ & kMie))
    return {};
  const uint32_t due = pendingInterrupts() & mie_;
  for (uint32_t cause : kPriority)
    if (due >> cause & 1)
      return cause;
  return {};
}

uint64_t Model::stepsToTimer() const {
  const bool armed = mie_ >> kTimerInterrupt & 1 && mtime_ < mtimecmp_;
  return armed ? mtimecmp_ - mtime_ : UINT64_MAX;
}

bool Model::sleep() {
  if (followsHost_ || pendingInterrupts() & mie_)
    return true;
  // Nothing else happens meanwhile, so only the timer can end it. One cycle is wfi's own.
  if (!(mie_ >> kTimerInterrupt & 1) || mtimecmp_ == UINT64_MAX)
    return false;
  const uint64_t idle = mtimecmp_ - mtime_ - 1;
  mtime_ += idle;
  if (!(mcountinhibit_ & kInhibitCycle))
    mcycle_ += idle;
  return true;
}

bool Model::isSemihostCall(uint32_t pc) {
  return fetchWord(pc - 4) == Semihosting::kEntryWord &&
         fetchWord(pc + 4) == Semihosting::kExitWord;
}

// --- CLINT ---

uint32_t Model::clintLoad(uint32_t offset) const {
  switch (offset) {
  case NPU_MMIO_CLINT_MSIP: return msip_;
  case NPU_MMIO_CLINT_MTIMECMP: return low(mtimecmp_);
  case NPU_MMIO_CLINT_MTIMECMP + 4: return high(mtimecmp_);
  case NPU_MMIO_CLINT_MTIME: return low(mtime_);
  case NPU_MMIO_CLINT_MTIME + 4: return high(mtime_);
  default: return 0;
  }
}

void Model::clintStore(uint32_t offset, uint32_t value) {
  switch (offset) {
  case NPU_MMIO_CLINT_MSIP: msip_ = value & 1; break;
  case NPU_MMIO_CLINT_MTIMECMP: setLow(mtimecmp_, value); break;
  case NPU_MMIO_CLINT_MTIMECMP + 4: setHigh(mtimecmp_, value); break;
  case NPU_MMIO_CLINT_MTIME: setLow(mtime_, value); break;
  case NPU_MMIO_CLINT_MTIME + 4: setHigh(mtime_, value); break;
  default: break;
  }
}

// --- Xnpu operations ---

uint32_t Model::issue(IssuedOperation &&operation, unsigned unit) {
  issued_[unit] = (issued_[unit] + 1) & kTicketMask;
  operation.ticket = issued_[unit] << 2 | unit;
  const uint32_t ticket = operation.ticket;
  if (!followsHost_) {
    if (operation.fault && !(nstatus_ >> operation.errorBit & 1)) {
      nstatus_ |= 1u << operation.errorBit;
      nfault_[operation.errorBit] = *operation.fault;
    }
    if (operation.doneSignals != 0)
      nstatus_ |= 1u << (kDoneShift + unit);
  }
  if (issuedLog_)
    issuedLog_->push_back(std::move(operation));
  return ticket;
}

uint32_t Model::issueDma(uint32_t pc, uint32_t descriptor, unsigned channel) {
  IssuedOperation operation;
  operation.pc = pc;
  operation.errorBit = channel;
  DmaResult result = runDmaChain(memory_, descriptor, unspecified_, operation.accesses);
  for (const ByteRange &range : operation.accesses.writes)
    noteWrite(*memory_.find(range.begin), range.begin, range.size);
  dramReadBytes_ += result.dramReadBytes;
  dramWriteBytes_ += result.dramWriteBytes;
  operation.fault = result.fault;
  operation.otherFault = result.otherFault;
  if (followsHost_)
    unspecified_.insert(unspecified_.end(), result.unspecified.begin(), result.unspecified.end());
  operation.unspecified = std::move(result.unspecified);
  operation.doneSignals = result.doneSignals;
  return issue(std::move(operation), channel);
}

uint32_t Model::issueMatrix(Insn insn, uint32_t pc, uint32_t rs1, uint32_t rs2) {
  IssuedOperation operation;
  operation.pc = pc;
  operation.errorBit = kArrayError;
  AccessLog *const log = issuedLog_ ? &operation.accesses : nullptr;
  switch (insn) {
  case Insn::MAC_LDW:
    operation.fault = matrix_.loadWeights(memory_.tcm, rs1, rs2, log);
    break;
  case Insn::MAC_RUN:
    operation.fault = matrix_.run(memory_.tcm, params_, rs1, rs2, log);
    break;
  case Insn::MAC_DW:
    operation.fault = matrix_.runDepthwise(memory_.tcm, params_, rs1, rs2, log);
    break;
  case Insn::MAC_LDQ:
    operation.errorBit = kDrainError;
    operation.fault = matrix_.loadQuant(memory_.tcm, rs1, log);
    break;
  default: // MAC_DRAIN
    operation.errorBit = kDrainError;
    operation.fault = matrix_.drain(memory_.tcm, params_, rs1, rs2, log);
    break;
  }
  return issue(std::move(operation), kMatrix);
}

// --- Reports ---

std::string_view causeName(uint32_t mcause) {
  if (mcause >> 31) {
    switch (mcause & 31) {
    case kSoftwareInterrupt: return "software interrupt";
    case kTimerInterrupt: return "timer interrupt";
    case kExternalInterrupt: return "external interrupt";
    case kDmaInterrupt: return "DMA interrupt";
    case kErrorInterrupt: return "NPU error interrupt";
    default: return "unknown interrupt";
    }
  }
  switch (static_cast<Cause>(mcause)) {
  case Cause::FetchMisaligned: return "misaligned jump target";
  case Cause::FetchFault: return "instruction fetch fault";
  case Cause::Illegal: return "illegal instruction";
  case Cause::Breakpoint: return "breakpoint";
  case Cause::LoadMisaligned: return "misaligned load";
  case Cause::LoadFault: return "load access fault";
  case Cause::StoreMisaligned: return "misaligned store";
  case Cause::StoreFault: return "store access fault";
  case Cause::Ecall: return "ecall";
  default: return "unknown cause";
  }
}

std::string Model::describeState() const {
  char line[128];
  std::snprintf(line, sizeof line, "  pc  0x%08x  mcause 0x%08x  mepc 0x%08x  mtval 0x%08x\n", pc_,
                mcause_, mepc_, mtval_);
  std::string text = line;
  std::snprintf(line, sizeof line, "  mstatus 0x%08x  mtvec 0x%08x  nstatus 0x%03x\n",
                readCsr(static_cast<unsigned>(Csr::mstatus)), mtvec_, nstatus_);
  text += line;
  for (unsigned i = 0; i < 32; ++i) {
    std::snprintf(line, sizeof line, "  %-4s 0x%08x%s", registerName(i).data(), regs_[i],
                  i % 4 == 3 ? "\n" : "");
    text += line;
  }
  return text;
}

} // namespace npu
