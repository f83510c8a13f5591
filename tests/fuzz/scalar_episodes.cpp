// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Episodes of the scalar core: arithmetic, memory, control flow, traps, CSRs and interrupts.

#include "generator.h"

#include "generated/npu_platform.h"

namespace npu::fuzz {

namespace {

constexpr Insn kRegister[] = {Insn::ADD, Insn::SUB, Insn::SLL,  Insn::SLT,    Insn::SLTU,
                              Insn::XOR, Insn::SRL, Insn::SRA,  Insn::OR,     Insn::AND,
                              Insn::MUL, Insn::MULH, Insn::MULHSU, Insn::MULHU};
constexpr Insn kDivide[] = {Insn::DIV, Insn::DIVU, Insn::REM, Insn::REMU};
constexpr Insn kImmediate[] = {Insn::ADDI, Insn::SLTI, Insn::SLTIU, Insn::XORI,
                               Insn::ORI,  Insn::ANDI};
constexpr Insn kShift[] = {Insn::SLLI, Insn::SRLI, Insn::SRAI};
constexpr Insn kBranch[] = {Insn::BEQ, Insn::BNE, Insn::BLT, Insn::BGE, Insn::BLTU, Insn::BGEU};
constexpr Insn kCsrOps[] = {Insn::CSRRW,  Insn::CSRRS,  Insn::CSRRC,
                            Insn::CSRRWI, Insn::CSRRSI, Insn::CSRRCI};
struct Access {
  Insn insn;
  int32_t size;
};
constexpr Access kLoads[] = {{Insn::LB, 1}, {Insn::LBU, 1}, {Insn::LH, 2},
                             {Insn::LHU, 2}, {Insn::LW, 4}};
constexpr Access kStores[] = {{Insn::SB, 1}, {Insn::SH, 2}, {Insn::SW, 4}};

constexpr Csr kAllCsrs[] = {
#define NPU_CSR(name, number, access) Csr::name,
#include "generated/npu_isa.inc"
};

} // namespace

void Generator::computation() {
  for (unsigned n = 1 + random_.below(12); n > 0; --n) {
    Section &s = code();
    const unsigned rd = anyReg(), rs1 = anyReg(), rs2 = anyReg();
    switch (random_.below(12)) {
    case 0: s.li(rd, anyValue()); break;
    case 1: s.r(random_.pick(kDivide), rd, rs1, rs2); break;
    case 2: s.emit(Insn::LUI, {rd, 0, 0, static_cast<int32_t>(anyValue() << 12)}); break;
    case 3: s.emit(Insn::AUIPC, {rd, 0, 0, static_cast<int32_t>(anyValue() << 12)}); break;
    case 4: case 5:
      s.i(random_.pick(kImmediate), rd, rs1, random_.between(-2048, 2047));
      break;
    case 6: s.i(random_.pick(kShift), rd, rs1, random_.between(0, 31)); break;
    case 7:
      s.emit(random_.oneIn(2) ? Insn::FENCE : Insn::FENCE_I,
             {0, 0, 0, static_cast<int32_t>(random_.below(256))});
      break;
    default: s.r(random_.pick(kRegister), rd, rs1, rs2); break;
    }
  }
}

// Moves a value through one of those whose results come at different times, so that what uses it
// next has to wait, or nearly.
void Generator::passThrough(unsigned reg, unsigned scratch) {
  Section &s = code();
  switch (random_.below(6)) {
  case 0: {
    const int32_t offset = random_.between(-512, 511) * 4;
    s.store(Insn::SW, reg, kTcmPointer, offset);
    s.i(Insn::LW, reg, kTcmPointer, offset);
    break;
  }
  case 1:
    s.i(Insn::ADDI, scratch, 0, 1);
    s.r(Insn::MUL, reg, reg, scratch);
    break;
  case 2:
    s.i(Insn::ADDI, scratch, 0, 1);
    s.r(Insn::DIVU, reg, reg, scratch);
    break;
  case 3: // a CSR of which nothing else depends that the generator has to know
    s.csr(Insn::CSRRW, 0, Csr::npystep, reg);
    s.csr(Insn::CSRRS, reg, Csr::npystep, 0);
    params_[static_cast<size_t>(Csr::npystep) - static_cast<size_t>(Csr::nrowlen)].reset();
    break;
  case 4: {
    const unsigned vector = vectorReg();
    s.emit(Insn::V_BCAST_W, {vector, reg, 0, 0});
    s.emit(Insn::V_EXTRACT_W, {reg, vector, 0, 0});
    break;
  }
  default:
    s.i(Insn::ADDI, reg, reg, 0);
    break;
  }
  for (unsigned n = random_.oneIn(2) ? random_.below(4) : 0; n > 0; --n)
    s.r(random_.pick(kRegister), anyReg(), anyReg(), anyReg());
}

// The pointer, or a copy of it that was just made.
unsigned Generator::pointerFor(unsigned pointer, unsigned copy, unsigned scratch) {
  if (!random_.oneIn(4))
    return pointer;
  code().i(Insn::ADDI, copy, pointer, 0);
  passThrough(copy, scratch);
  return copy;
}

void Generator::scratchAccess() {
  static constexpr unsigned kPointers[] = {kTcmPointer, kTcmPointer, kTcmPointer, kDramPointer,
                                           kItcmPointer};
  // Close together, so that loads meet the stores before them.
  const unsigned pointer = random_.pick(kPointers);
  const int32_t window = random_.between(-500, 480) * 4;
  for (unsigned n = 1 + random_.below(6); n > 0; --n) {
    const bool load = random_.oneIn(2);
    const Access &access = load ? random_.pick(kLoads) : random_.pick(kStores);
    const int32_t offset = window + random_.between(0, 16 / access.size - 1) * access.size;
    const unsigned base = pointerFor(pointer, kTemp0, kTemp1);
    if (load)
      code().i(access.insn, anyReg(), base, offset);
    else
      code().store(access.insn, anyReg(), base, offset);
  }
}

void Generator::csrRead() {
  static constexpr Insn kReads[] = {Insn::CSRRS, Insn::CSRRC, Insn::CSRRSI, Insn::CSRRCI};
  code().csr(random_.pick(kReads), anyReg(), random_.pick(kAllCsrs), 0);
}

void Generator::simpleInstruction() {
  switch (random_.below(8)) {
  case 0: scratchAccess(); break;
  case 1: csrRead(); break;
  case 2: vectorComputation(); break;
  case 3: vectorScratch(); break;
  default: computation(); break;
  }
}

// A conditional forward branch over instructions that need not execute.
void Generator::skip() {
  Section &s = code();
  if (random_.oneIn(3)) // a result that the branch has to wait for
    s.i(Insn::LW, anyReg(), kTcmPointer, random_.between(-512, 511) * 4);
  const uint32_t at = s.pc();
  s.branch(random_.pick(kBranch), anyReg(), anyReg(), 0);
  for (unsigned n = random_.below(4); n > 0; --n)
    simpleInstruction();
  s.retarget(at, s.pc());
}

void Generator::loop() {
  // The body sees the same state in each iteration: nothing is outstanding where it begins.
  const bool asynchronous = random_.oneIn(3);
  const uint32_t iterations = 1 + random_.below(asynchronous ? 4 : 12);
  const std::array<uint32_t, 3> before = issued_;
  if (asynchronous) {
    fence(7);
    params_.fill({});
  }
  inLoop_ = true;
  code().li(kCounter, iterations);
  const uint32_t top = code().pc();
  for (unsigned n = 1 + random_.below(4); n > 0; --n)
    simpleInstruction();
  if (asynchronous) {
    for (unsigned n = 1 + random_.below(3); n > 0; --n)
      random_.oneIn(2) ? xnpuOperation() : dma();
    fence(7);
    for (unsigned unit = 0; unit < issued_.size(); ++unit)
      issued_[unit] += (iterations - 1) * (issued_[unit] - before[unit]);
    hazards_ = {};
  }
  Section &s = code();
  s.i(Insn::ADDI, kCounter, kCounter, -1);
  const int32_t back = static_cast<int32_t>(top - s.pc());
  if (back >= -4096) {
    s.branch(Insn::BNE, kCounter, 0, back);
  } else {
    s.branch(Insn::BEQ, kCounter, 0, 8);
    s.jal(0, back - 4);
  }
  inLoop_ = false;
}

// Forward jumps of each kind over words that are not executed.
void Generator::jump() {
  Section &s = code();
  const int32_t words = 1 + random_.between(0, 5);
  if (random_.oneIn(2)) {
    s.jal(anyReg(), 4 * words);
  } else {
    const uint32_t target = s.pc() + 8 + 4 * static_cast<uint32_t>(words - 1);
    s.emit(Insn::AUIPC, {kTemp0, 0, 0, 0});
    // Bit 0 of the sum is ignored.
    s.i(Insn::JALR, random_.oneIn(4) ? kTemp0 : anyReg(), kTemp0,
        static_cast<int32_t>(target - (s.pc() - 4)) + random_.between(0, 1));
  }
  for (int32_t n = 1; n < words; ++n)
    s.word(random_.bits());
}

void Generator::badAccess() {
  Section &s = code();
  static const uint32_t kBad[] = {0,
                                  0x100,
                                  NPU_MMIO_CLINT_BASE - 4,
                                  NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_SIZE,
                                  NPU_ITCM_BASE - 4,
                                  NPU_TCM_BASE - 4,
                                  NPU_DRAM_BASE - 4,
                                  0xfffffffc};
  const bool load = random_.oneIn(2);
  const Access &access = load ? random_.pick(kLoads) : random_.pick(kStores);
  unsigned pointer = kTcmPointer;
  int32_t offset = random_.between(-512, 510) * 4 + random_.between(1, 3);
  if (random_.oneIn(2)) {
    const uint32_t ends[] = {NPU_ITCM_BASE + config_.itcmSize, layout_.tcmEnd, layout_.dramEnd,
                             random_.pick(kBad)};
    pointer = kTemp0;
    s.li(kTemp0, random_.pick(ends));
    offset = random_.between(0, 3);
  } else if (random_.oneIn(3)) { // no narrow accesses to MMIO
    pointer = kTemp0;
    s.li(kTemp0, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
    offset = random_.between(0, 3);
    if (access.size == 4) // a legal one would change the time
      offset |= 1;
  }
  // The next instruction may use the result that does not come.
  const unsigned rd = anyReg();
  if (load)
    s.i(access.insn, rd, pointer, offset);
  else
    s.store(access.insn, rd, pointer, offset);
  s.r(random_.pick(kRegister), anyReg(), rd, anyReg());
}

void Generator::badJump() {
  Section &s = code();
  switch (random_.below(3)) {
  case 0: // misaligned target: traps only if taken
    s.branch(random_.pick(kBranch), anyReg(), anyReg(), 4 * random_.between(-8, 8) + 2);
    break;
  case 1:
    s.jal(anyReg(), 4 * random_.between(-8, 8) + 2);
    break;
  default: { // nothing can be fetched there; the handler goes on at the recovery address
    static const uint32_t kTargets[] = {0, NPU_TCM_BASE, NPU_TCM_BASE + 0x1000,
                                        NPU_MMIO_CLINT_BASE, 0x70000000, 0xfffffffc};
    const uint32_t ends[] = {NPU_ITCM_BASE + config_.itcmSize, layout_.dramEnd,
                             random_.pick(kTargets)};
    s.li(kTemp0, random_.pick(ends));
    s.emit(Insn::AUIPC, {kRecovery, 0, 0, 0});
    s.i(Insn::ADDI, kRecovery, kRecovery, 12);
    s.i(Insn::JALR, anyReg(), kTemp0, 0);
    break;
  }
  }
}

void Generator::illegal() {
  Section &s = code();
  switch (random_.below(4)) {
  case 0: { // a CSR that is not there, or a write to one that cannot be written
    uint32_t number;
    do
      number = random_.below(4096);
    while (!csrName(number).empty());
    s.emit(random_.pick(kCsrOps), {anyReg(), anyReg(), 0, static_cast<int32_t>(number)});
    break;
  }
  case 1: {
    static constexpr Csr kReadOnly[] = {Csr::mhartid, Csr::cycle, Csr::instreth, Csr::ninfo};
    s.csr(random_.pick(kCsrOps), anyReg(), random_.pick(kReadOnly), anyReg(false));
    break;
  }
  case 2: { // one bit away from an Xnpu instruction
    static constexpr Insn kXnpu[] = {Insn::NPU_WAIT, Insn::NPU_POLL, Insn::NPU_FENCE,
                                     Insn::DMA_START, Insn::MAC_LDQ};
    uint32_t word;
    do
      word = encode(random_.pick(kXnpu), {anyReg(), anyReg(), 0, 0}) ^ 1u << random_.below(32);
    while (decode(word) != Insn::ILLEGAL);
    s.word(word);
    break;
  }
  default: {
    uint32_t word;
    do
      word = random_.bits();
    while (decode(word) != Insn::ILLEGAL);
    s.word(word);
    break;
  }
  }
}

void Generator::environmentCall() {
  code().emit(random_.oneIn(2) ? Insn::ECALL : Insn::EBREAK);
}

void Generator::csrWrite() {
  static constexpr Csr kFree[] = {Csr::mepc,   Csr::mcause,       Csr::mtval, Csr::misa,
                                  Csr::mip,    Csr::mhpmcounter3, Csr::mhpmevent31,
                                  Csr::mstatush, Csr::nfault0,    Csr::nfault3};
  code().emit(random_.pick(kCsrOps),
              {anyReg(), anyReg(), 0, static_cast<int32_t>(random_.pick(kFree))});
}

void Generator::counters() {
  static constexpr Csr kCounters[] = {Csr::mcycle, Csr::mcycleh, Csr::minstret, Csr::minstreth,
                                      Csr::mcountinhibit};
  static constexpr Csr kViews[] = {Csr::minstret, Csr::minstreth, Csr::instret, Csr::mcycle,
                                   Csr::cycle, Csr::time};
  code().emit(random_.pick(kCsrOps),
              {anyReg(), anyReg(), 0, static_cast<int32_t>(random_.pick(kCounters))});
  for (unsigned n = random_.below(4); n > 0; --n) {
    if (random_.oneIn(2))
      computation();
    code().csr(Insn::CSRRS, anyReg(), random_.pick(kViews), 0);
  }
}

void Generator::interrupts() {
  Section &s = code();
  switch (random_.below(5)) {
  case 0:
    s.li(kTemp0, anyValue() | (random_.oneIn(2) ? 1u << 7 : 0) | (random_.oneIn(3) ? 3u << 16 : 0) |
                      (random_.oneIn(2) ? 1u << 11 : 0));
    s.csr(random_.oneIn(2) ? Insn::CSRRS : Insn::CSRRC, anyReg(), Csr::mie, kTemp0);
    break;
  case 1: // raise a software interrupt
    s.li(kTemp0, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MSIP);
    s.li(kTemp1, 1);
    s.store(Insn::SW, kTemp1, kTemp0, 0);
    break;
  case 2: // direct or vectored
    s.csr(random_.oneIn(2) ? Insn::CSRRSI : Insn::CSRRCI, anyReg(), Csr::mtvec, 1);
    break;
  case 3: // soon
    s.li(kTemp0, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
    s.i(Insn::LW, kTemp1, kTemp0, 0);
    s.i(Insn::ADDI, kTemp1, kTemp1, random_.between(0, 200));
    s.li(kTemp0, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
    s.store(Insn::SW, kTemp1, kTemp0, 0);
    s.csr(Insn::CSRRSI, anyReg(), Csr::mstatus, 8);
    break;
  default:
    s.csr(random_.oneIn(3) ? Insn::CSRRCI : Insn::CSRRSI, anyReg(), Csr::mstatus, 8);
    break;
  }
}

// wfi with the timer armed: the handler keeps it armed.
void Generator::sleep() {
  Section &s = code();
  s.li(kTemp0, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
  s.i(Insn::LW, kTemp1, kTemp0, 0);
  s.i(Insn::ADDI, kTemp1, kTemp1, random_.between(0, 300));
  s.li(kTemp0, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  s.store(Insn::SW, kTemp1, kTemp0, 0);
  s.li(kTemp0, 0x80);
  s.csr(Insn::CSRRS, 0, Csr::mie, kTemp0);
  s.emit(Insn::WFI);
}

void Generator::returnFromTrap() {
  Section &s = code();
  // mepc must survive until mret, so no interrupt in between.
  s.csr(Insn::CSRRCI, anyReg(), Csr::mstatus, 8);
  s.emit(Insn::AUIPC, {kTemp0, 0, 0, 0});
  s.i(Insn::ADDI, kTemp0, kTemp0, 16 + random_.between(0, 3)); // bits 1:0 are not kept
  s.csr(Insn::CSRRW, 0, Csr::mepc, kTemp0);
  s.emit(Insn::MRET);
}

void Generator::clint() {
  static constexpr uint32_t kOffsets[] = {NPU_MMIO_CLINT_MSIP, NPU_MMIO_CLINT_MTIME,
                                          NPU_MMIO_CLINT_MTIME + 4, NPU_MMIO_CLINT_MTIMECMP + 4,
                                          4, 0x8000, NPU_MMIO_CLINT_SIZE - 4};
  Section &s = code();
  s.li(kTemp0, NPU_MMIO_CLINT_BASE + random_.pick(kOffsets));
  s.i(Insn::LW, anyReg(), kTemp0, 0);
  s.li(kTemp0, NPU_MMIO_CLINT_BASE + 0x8000); // unlisted: ignored
  s.store(Insn::SW, anyReg(), kTemp0, 0);
}

// Stores a new instruction over the one ahead, and executes it after fence.i.
void Generator::selfModify() {
  Section &s = code();
  const unsigned rd = anyReg();
  const uint32_t replacement = random_.oneIn(2)
                                   ? encode(random_.pick(kRegister), {rd, anyReg(), anyReg(), 0})
                                   : encode(random_.pick(kImmediate),
                                            {rd, anyReg(), 0, random_.between(-2048, 2047)});
  const unsigned between = random_.below(4);
  s.li(kTemp1, replacement);
  s.emit(Insn::AUIPC, {kTemp0, 0, 0, 0});
  s.store(Insn::SW, kTemp1, kTemp0, static_cast<int32_t>(12 + 4 * between));
  s.emit(Insn::FENCE_I);
  for (unsigned n = 0; n < between; ++n)
    s.r(random_.pick(kRegister), anyReg(), anyReg(), anyReg());
  s.word(random_.bits() & ~0x7fu); // an illegal instruction, if it were executed
}

} // namespace npu::fuzz
