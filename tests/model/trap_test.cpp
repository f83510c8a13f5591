// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traps, CSRs, interrupts and the CLINT (chapter 2 of the manual).

#include "program.h"

namespace npu::test {
namespace {

constexpr uint32_t kHandler = NPU_ITCM_BASE + 0x400;

struct TrapCase {
  const char *what;
  uint32_t word; // x5 holds address
  uint32_t address;
  uint32_t cause, tval;
};

TEST(Traps, CauseValueAndPc) {
  const uint32_t tcmEnd = NPU_TCM_BASE + NPU_DEFAULT_TCM_SIZE;
  const TrapCase kCases[] = {
      {"misaligned jal", encode(Insn::JAL, {1, 0, 0, 6}), 0, 0, NPU_RESET_PC + 6},
      {"misaligned jalr", encode(Insn::JALR, {1, 5, 0, 0}), 0x10000003, 0, 0x10000002},
      {"misaligned taken branch", encode(Insn::BEQ, {0, 0, 0, 10}), 0, 0, NPU_RESET_PC + 10},
      {"all zeros", 0, 0, 2, 0},
      {"all ones", 0xffffffff, 0, 2, 0xffffffff},
      {"unknown CSR", encode(Insn::CSRRS, {1, 0, 0, 0x5c0}), 0, 2,
       encode(Insn::CSRRS, {1, 0, 0, 0x5c0})},
      {"write to a read-only CSR", encode(Insn::CSRRW, {0, 0, 0, 0xf14}), 0, 2,
       encode(Insn::CSRRW, {0, 0, 0, 0xf14})},
      {"set bits of a read-only CSR", encode(Insn::CSRRSI, {0, 1, 0, 0xc00}), 0, 2,
       encode(Insn::CSRRSI, {0, 1, 0, 0xc00})},
      {"ebreak", encode(Insn::EBREAK, {}), 0, 3, NPU_RESET_PC},
      {"misaligned lh", encode(Insn::LH, {1, 5, 0, 0}), NPU_TCM_BASE + 1, 4, NPU_TCM_BASE + 1},
      {"misaligned lw nowhere", encode(Insn::LW, {1, 5, 0, 0}), 2, 4, 2},
      {"lb nowhere", encode(Insn::LB, {1, 5, 0, 0}), 0x70000000, 5, 0x70000000},
      {"lw behind TCM", encode(Insn::LW, {1, 5, 0, 0}), tcmEnd, 5, tcmEnd},
      {"lb of the CLINT", encode(Insn::LBU, {1, 5, 0, 0}), NPU_MMIO_CLINT_BASE, 5,
       NPU_MMIO_CLINT_BASE},
      {"misaligned sw", encode(Insn::SW, {0, 5, 1, 0}), NPU_TCM_BASE + 2, 6, NPU_TCM_BASE + 2},
      {"sb nowhere", encode(Insn::SB, {0, 5, 1, 0}), 0, 7, 0},
      {"sh to the CLINT", encode(Insn::SH, {0, 5, 1, 0}), NPU_MMIO_CLINT_BASE, 7,
       NPU_MMIO_CLINT_BASE},
      {"ecall", encode(Insn::ECALL, {}), 0, 11, 0},
  };
  for (const TrapCase &c : kCases) {
    Program p;
    p.model.writeCsr(number(Csr::mtvec), kHandler);
    p.model.writeCsr(number(Csr::mstatus), 8);
    p.model.setReg(1, 0x1234);
    p.model.setReg(5, c.address);
    p.code.word(c.word);
    p.run();
    EXPECT_EQ(p.csr(Csr::mcause), c.cause) << c.what;
    EXPECT_EQ(p.csr(Csr::mtval), c.tval) << c.what;
    EXPECT_EQ(p.csr(Csr::mepc), NPU_RESET_PC) << c.what;
    EXPECT_EQ(p.model.pc(), kHandler) << c.what;
    EXPECT_EQ(p.csr(Csr::mstatus), 0x1880u) << c.what; // MIE went to MPIE
    EXPECT_EQ(p.model.reg(1), 0x1234u) << c.what;
    EXPECT_EQ(p.csr(Csr::minstret), 0u) << c.what;
  }
}

TEST(Traps, FetchFaultIsAtTheTarget) {
  for (uint32_t target : {0u, NPU_TCM_BASE, NPU_MMIO_CLINT_BASE, 0xfffffffcu}) {
    Program p;
    p.model.writeCsr(number(Csr::mtvec), kHandler);
    p.model.setReg(5, target);
    p.code.i(Insn::JALR, 1, 5, 0);
    p.run(2);
    EXPECT_EQ(p.csr(Csr::mcause), 1u);
    EXPECT_EQ(p.csr(Csr::mtval), target);
    EXPECT_EQ(p.csr(Csr::mepc), target);
    EXPECT_EQ(p.model.reg(1), NPU_RESET_PC + 4); // the jump itself retired
  }
}

TEST(Traps, FallingOffTheEndOfARegionIsAFetchFault) {
  Program p;
  const uint32_t end = NPU_ITCM_BASE + NPU_DEFAULT_ITCM_SIZE;
  p.model.writeCsr(number(Csr::mtvec), kHandler);
  p.setWord(end - 4, encode(Insn::ADDI, {}));
  p.model.setPc(end - 4);
  p.model.run(2);
  EXPECT_EQ(p.csr(Csr::mcause), 1u);
  EXPECT_EQ(p.csr(Csr::mepc), end);
}

TEST(Traps, MretRestoresTheInterruptEnable) {
  for (uint32_t mpie : {0u, 0x80u}) {
    Program p;
    p.model.writeCsr(number(Csr::mstatus), mpie);
    p.model.writeCsr(number(Csr::mepc), NPU_RESET_PC + 0x43);
    p.code.emit(Insn::MRET);
    p.run();
    EXPECT_EQ(p.model.pc(), NPU_RESET_PC + 0x40);
    EXPECT_EQ(p.csr(Csr::mstatus), 0x1880u | (mpie ? 8 : 0));
  }
}

TEST(Traps, AnUnfetchableHandlerStopsTheRun) {
  Program p;
  p.model.stopAtUnhandledTraps = true;
  p.code.word(0);
  p.load();
  EXPECT_EQ(p.model.run(100), StopReason::UnhandledTrap);
  EXPECT_EQ(p.csr(Csr::mepc), NPU_RESET_PC);
  EXPECT_NE(p.model.describeState().find("mcause 0x00000002"), std::string::npos);
}

TEST(Csrs, WritableBits) {
  const struct {
    Csr csr;
    uint32_t zeros, ones; // read back after writing each
  } kCases[] = {
      {Csr::mstatus, 0x1800, 0x1888},
      {Csr::misa, 0x40001100, 0x40001100},
      {Csr::mie, 0, 0x00030888},
      {Csr::mtvec, 0, 0xfffffffd},
      {Csr::mstatush, 0, 0},
      {Csr::mscratch, 0, 0xffffffff},
      {Csr::mepc, 0, 0xfffffffc},
      {Csr::mcause, 0, 0x8000001f},
      {Csr::mtval, 0, 0xffffffff},
      {Csr::mip, 0, 0},
      {Csr::mhpmcounter3, 0, 0},
      {Csr::nrowlen, 0, 0xffff},
      {Csr::nrowstride, 0, 0xffffffff},
      {Csr::nxcount, 0, 0xffff},
      {Csr::nxstride, 0, 0xffffffff},
      {Csr::nystride, 0, 0xffffffff},
      {Csr::noxstride, 0, 0xffffffff},
      {Csr::noystride, 0, 0xffffffff},
      {Csr::noquant, 0, 0x00ffffff},
      {Csr::nfault0, 0, 0},
      {Csr::nstatus, 0, 0},
      {Csr::mcountinhibit, 0, 5},
  };
  for (const auto &c : kCases) {
    for (uint32_t value : {0u, ~0u}) {
      Program p;
      p.model.setReg(5, value);
      p.code.csr(Insn::CSRRW, 6, c.csr, 5);
      p.code.csr(Insn::CSRRS, 7, c.csr, 0);
      p.run();
      EXPECT_EQ(p.model.reg(7), value ? c.ones : c.zeros) << csrName(number(c.csr));
    }
  }
}

TEST(Csrs, Constants) {
  Program p;
  EXPECT_EQ(p.csr(Csr::ninfo), 0x20881010u); // version 2, 64 bytes, 2^8 rows, 16 x 16
  EXPECT_EQ(p.csr(Csr::ntcmsize), NPU_DEFAULT_TCM_SIZE);
  EXPECT_EQ(p.csr(Csr::nitcmsize), NPU_DEFAULT_ITCM_SIZE);
  EXPECT_EQ(p.csr(Csr::mimpid), NPU_ISA_VERSION);
  EXPECT_EQ(p.csr(Csr::mhartid), 0u);
}

TEST(Csrs, SetAndClear) {
  Program p;
  p.model.writeCsr(number(Csr::mscratch), 0xf0f0);
  p.model.setReg(5, 0xff);
  p.code.csr(Insn::CSRRS, 6, Csr::mscratch, 5);
  p.code.csr(Insn::CSRRC, 7, Csr::mscratch, 5);
  p.code.csr(Insn::CSRRWI, 8, Csr::mscratch, 17);
  p.code.csr(Insn::CSRRSI, 9, Csr::mscratch, 2);
  p.code.csr(Insn::CSRRCI, 10, Csr::mscratch, 16);
  p.code.csr(Insn::CSRRCI, 11, Csr::mscratch, 0);
  p.run();
  EXPECT_EQ(p.model.reg(6), 0xf0f0u);
  EXPECT_EQ(p.model.reg(7), 0xf0ffu);
  EXPECT_EQ(p.model.reg(8), 0xf000u);
  EXPECT_EQ(p.model.reg(9), 17u);
  EXPECT_EQ(p.model.reg(10), 19u);
  EXPECT_EQ(p.model.reg(11), 3u);
}

TEST(Csrs, InstretReadsBeforeAndWritesWin) {
  Program p;
  p.model.setReg(5, 100);
  p.code.csr(Insn::CSRRS, 6, Csr::minstret, 0);
  p.code.emit(Insn::ADDI);
  p.code.csr(Insn::CSRRS, 7, Csr::instret, 0);
  p.code.csr(Insn::CSRRW, 8, Csr::minstret, 5);
  p.code.csr(Insn::CSRRS, 9, Csr::minstret, 0);
  p.run();
  EXPECT_EQ(p.model.reg(6), 0u);
  EXPECT_EQ(p.model.reg(7), 2u);
  EXPECT_EQ(p.model.reg(8), 3u);
  EXPECT_EQ(p.model.reg(9), 100u);
}

TEST(Csrs, InhibitedCountersStand) {
  Program p;
  p.code.csr(Insn::CSRRWI, 0, Csr::mcountinhibit, 5);
  p.code.emit(Insn::ADDI);
  p.code.csr(Insn::CSRRS, 6, Csr::minstret, 0);
  p.code.csr(Insn::CSRRS, 7, Csr::mcycle, 0);
  p.code.csr(Insn::CSRRS, 8, Csr::time, 0);
  p.run();
  EXPECT_EQ(p.model.reg(6), 1u); // the inhibiting instruction itself
  EXPECT_EQ(p.model.reg(7), 1u);
  EXPECT_EQ(p.model.reg(8), 4u);
}

// --- Interrupts ---

void enable(Program &p, uint32_t mie) {
  p.model.writeCsr(number(Csr::mtvec), kHandler);
  p.model.writeCsr(number(Csr::mie), mie);
  p.model.writeCsr(number(Csr::mstatus), 8);
}

TEST(Interrupts, TimerIsTakenWhenTimeIsReached) {
  Program p;
  enable(p, 1u << kTimerInterrupt);
  p.model.setReg(5, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  p.model.setReg(6, 10);
  p.code.store(Insn::SW, 6, 5, 0);
  p.code.store(Insn::SW, 0, 5, 4);
  p.code.jal(0, 0);
  p.run(10);
  EXPECT_EQ(p.model.pc(), NPU_RESET_PC + 8);
  p.setWord(kHandler, encode(Insn::ADDI, {7, 0, 0, 1}));
  p.model.run(1);
  EXPECT_EQ(p.model.reg(7), 1u);
  EXPECT_EQ(p.csr(Csr::mcause), 0x80000007u);
  EXPECT_EQ(p.csr(Csr::mepc), NPU_RESET_PC + 8);
  EXPECT_EQ(p.csr(Csr::mtval), 0u);
}

TEST(Interrupts, VectorsAndPriority) {
  Program p;
  enable(p, 0x30088);
  p.model.writeCsr(number(Csr::mtvec), kHandler | 1);
  p.model.setReg(5, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MSIP);
  p.model.setReg(6, 1);
  p.model.setReg(7, 3); // not a descriptor: an error of DMA 0
  p.model.writeCsr(number(Csr::mstatus), 0);
  p.code.store(Insn::SW, 6, 5, 0);
  p.code.r(Insn::DMA_START, 8, 7, 0);
  p.code.csr(Insn::CSRRS, 9, Csr::mip, 0);
  p.code.csr(Insn::CSRRSI, 0, Csr::mstatus, 8);
  p.setWord(kHandler + 4 * kErrorInterrupt, encode(Insn::CSRRWI, {0, 1, 0, 0x810}));
  p.setWord(kHandler + 4 * kErrorInterrupt + 4, encode(Insn::CSRRSI, {0, 8, 0, 0x300}));
  p.setWord(kHandler + 4 * kSoftwareInterrupt, encode(Insn::ADDI, {10, 0, 0, 5}));
  p.run(7);
  EXPECT_EQ(p.model.reg(9), 1u << kErrorInterrupt | 1u << kSoftwareInterrupt);
  EXPECT_EQ(p.model.reg(10), 5u); // after the error, which came first
  EXPECT_EQ(p.csr(Csr::mcause), 0x80000003u);
}

TEST(Interrupts, WfiSkipsToTheTimer) {
  Program p;
  p.model.writeCsr(number(Csr::mie), 1u << kTimerInterrupt); // mstatus.MIE stays 0
  p.model.setReg(5, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  p.model.setReg(6, 1000000);
  p.code.store(Insn::SW, 6, 5, 0);
  p.code.store(Insn::SW, 0, 5, 4);
  p.code.emit(Insn::WFI);
  p.code.csr(Insn::CSRRS, 7, Csr::time, 0);
  p.code.csr(Insn::CSRRS, 8, Csr::minstret, 0);
  p.run();
  EXPECT_EQ(p.model.reg(7), 1000000u);
  EXPECT_EQ(p.model.reg(8), 4u);
}

TEST(Interrupts, WfiThatNothingCanEndIsReported) {
  Program p;
  p.code.emit(Insn::WFI);
  p.load();
  EXPECT_EQ(p.model.run(100), StopReason::Asleep);
  EXPECT_EQ(p.model.pc(), NPU_RESET_PC);
}

TEST(Clint, RegistersAndHoles) {
  Program p;
  const uint32_t base = NPU_MMIO_CLINT_BASE;
  p.model.setReg(5, base);
  p.model.setReg(6, base + NPU_MMIO_CLINT_MTIMECMP);
  p.model.setReg(7, ~0u);
  p.code.store(Insn::SW, 7, 5, 0);
  p.code.i(Insn::LW, 10, 5, 0);
  p.code.store(Insn::SW, 7, 5, 8);
  p.code.i(Insn::LW, 11, 5, 8);
  p.code.i(Insn::LW, 12, 6, 4); // mtimecmp resets to all ones
  p.code.store(Insn::SW, 5, 6, 4);
  p.code.i(Insn::LW, 13, 6, 4);
  p.run();
  EXPECT_EQ(p.model.reg(10), 1u);
  EXPECT_EQ(p.model.reg(11), 0u);
  EXPECT_EQ(p.model.reg(12), ~0u);
  EXPECT_EQ(p.model.reg(13), base);
}

TEST(ToHost, AnOddValueEndsTheRun) {
  Program p;
  p.model.watchToHost(NPU_TCM_BASE + 0x100);
  p.model.setReg(5, NPU_TCM_BASE + 0x100);
  p.model.setReg(6, 4);
  p.model.setReg(7, 7);
  p.code.store(Insn::SW, 6, 5, 0);
  p.code.store(Insn::SW, 7, 5, 4);
  p.code.store(Insn::SW, 7, 5, 0);
  p.code.jal(0, 0);
  p.load();
  EXPECT_EQ(p.model.run(100), StopReason::ToHost);
  EXPECT_EQ(p.model.toHostValue(), 7u);
  EXPECT_EQ(p.model.steps(), 3u);
}

} // namespace
} // namespace npu::test
