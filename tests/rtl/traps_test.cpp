// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions with their cause and mtval, and interrupts that hit every cycle of programs
// with long-latency instructions.

#include "program.h"

#include <array>

namespace npu::rtl::test {
namespace {

TEST(Traps, EveryExceptionIsPrecise) {
  Section code = startWithHandler();
  unsigned expected = 0;
  const auto trap = [&](auto emit) {
    code.li(a0, 77);
    emit();
    ++expected;
    code.i(Insn::ADDI, a3, a0, 0); // the destination kept its value
  };
  code.li(s0, kData);
  code.li(s1, NPU_DRAM_BASE);
  for (const Insn insn : {Insn::LH, Insn::LHU, Insn::LW})
    for (const unsigned base : {s0, s1})
      trap([&] { code.i(insn, a0, base, 1); });
  for (const Insn insn : {Insn::SH, Insn::SW})
    for (const unsigned base : {s0, s1})
      trap([&] { code.store(insn, a0, base, 3); });
  // Outside every region, one word beyond each, and CLINT accesses that are not words.
  for (const uint32_t address :
       {0u, 0x0FFFFFFCu, NPU_ITCM_BASE + NPU_DEFAULT_ITCM_SIZE,
        NPU_TCM_BASE + NPU_DEFAULT_TCM_SIZE, NPU_DRAM_BASE - 4u,
        NPU_DRAM_BASE + NPU_DEFAULT_DRAM_SIZE, 0xFFFFFFFCu}) {
    code.li(s2, address);
    trap([&] { code.i(Insn::LW, a0, s2, 0); });
    trap([&] { code.store(Insn::SW, a0, s2, 0); });
  }
  code.li(s2, NPU_MMIO_CLINT_BASE);
  trap([&] { code.i(Insn::LB, a0, s2, 0); });
  trap([&] { code.store(Insn::SH, a0, s2, 0); });
  code.i(Insn::LW, a1, s2, 16); // an unlisted register reads as zero
  // Misalignment comes before the access fault.
  code.li(s2, 0x00000002);
  trap([&] { code.i(Insn::LW, a0, s2, 0); });
  // Illegal instructions.
  for (const uint32_t word : {0u, 0xFFFFFFFFu, 0x0000006Bu, 0x00000073u | 0x7u << 7,
                              0x02B50533u | 1u << 31, 0x0400000Bu | 1u << 7})
    trap([&] { code.word(word); });
  // CSRs: none of that number, read-only.
  trap([&] { code.emit(Insn::CSRRS, {a0, zero, 0, 0x306}); });
  trap([&] { code.emit(Insn::CSRRW, {a0, zero, 0, 0xF14}); });
  trap([&] { code.emit(Insn::CSRRSI, {a0, 1, 0, 0xC00}); });
  code.emit(Insn::CSRRS, {a1, zero, 0, 0xF14});
  code.emit(Insn::CSRRCI, {a1, 0, 0, 0xC82});
  trap([&] { code.emit(Insn::ECALL); });
  trap([&] { code.emit(Insn::EBREAK); });
  // Jumps and taken branches to where no instruction can be; a branch not taken is harmless.
  code.li(s2, NPU_ITCM_BASE + 2);
  trap([&] { code.emit(Insn::JALR, {a0, s2, 0, 0}); });
  trap([&] { code.jal(a0, 6); });
  trap([&] { code.branch(Insn::BEQ, zero, zero, -6); });
  code.branch(Insn::BNE, zero, zero, -6);
  exitWithRegister(code, s10);
  expectStatus(code, static_cast<int>(expected));
}

TEST(Traps, FetchFaults) {
  // The handler returns behind the jump.
  Section handler(kHandler);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.csr(Insn::CSRRS, s11, Csr::mcause, zero);
  handler.csr(Insn::CSRRS, s11, Csr::mtval, zero);
  handler.csr(Insn::CSRRW, zero, Csr::mepc, ra);
  handler.emit(Insn::MRET);
  Section code = startWithHandler();
  unsigned expected = 0;
  for (const uint32_t target : {0u, NPU_TCM_BASE, NPU_MMIO_CLINT_BASE, 0x50000000u,
                                NPU_DRAM_BASE - 4u, NPU_DRAM_BASE + NPU_DEFAULT_DRAM_SIZE}) {
    code.li(a0, target);
    code.emit(Insn::JALR, {ra, a0, 0, 0});
    ++expected;
  }
  exitWithRegister(code, s10);
  const RunResult result = run({{code, handler}, {}, code.base()});
  EXPECT_EQ(result.simulation.status, static_cast<int>(expected)) << result.simulation.report;
}

TEST(Traps, CsrReadsAndWrites) {
  Section code = startWithHandler();
  constexpr uint32_t kValues[] = {0xFFFFFFFF, 0x00000000, 0xA5A5A5A5};
  for (const Csr number :
       {Csr::mie, Csr::mscratch, Csr::mepc, Csr::mcause, Csr::mtval, Csr::mip, Csr::misa,
        Csr::mstatush, Csr::nrowlen, Csr::nrowstride, Csr::nxcount, Csr::nxstride, Csr::nystride,
        Csr::noxstride, Csr::noystride, Csr::noquant, Csr::nstatus, Csr::nfault0, Csr::nfault3,
        Csr::mhpmcounter3, Csr::mhpmevent31}) {
    for (const uint32_t value : kValues) {
      code.li(a1, value);
      code.csr(Insn::CSRRW, a0, number, a1);
      code.csr(Insn::CSRRS, a0, number, zero);
      code.csr(Insn::CSRRC, a0, number, a1);
      code.csr(Insn::CSRRS, a0, number, a1);
      code.csr(Insn::CSRRCI, a0, number, 5);
      code.csr(Insn::CSRRSI, a0, number, 10);
      code.csr(Insn::CSRRWI, a0, number, 21);
      code.csr(Insn::CSRRS, a0, number, zero);
    }
    code.csr(Insn::CSRRW, zero, Csr::mie, zero);
  }
  for (const Csr number : {Csr::mvendorid, Csr::marchid, Csr::mimpid, Csr::mhartid,
                           Csr::mconfigptr, Csr::ninfo, Csr::ntcmsize, Csr::nitcmsize})
    code.csr(Insn::CSRRS, a0, number, zero);
  // mstatus and mtvec, which must be sound again afterwards.
  code.li(a1, 0xFFFFFFF7);
  code.csr(Insn::CSRRW, a0, Csr::mstatus, a1);
  code.csr(Insn::CSRRW, a0, Csr::mstatus, zero);
  code.li(a1, 0xFFFFFFFF);
  code.csr(Insn::CSRRW, a0, Csr::mtvec, a1);
  code.csr(Insn::CSRRW, a0, Csr::mtvec, t0);
  exitWith(code, 0);
  expectStatus(code, 0);
}

TEST(Traps, CountersCountAndWritesWin) {
  Section code = startWithHandler();
  code.csr(Insn::CSRRS, a0, Csr::minstret, zero);
  code.csr(Insn::CSRRS, a1, Csr::minstret, zero);
  code.r(Insn::SUB, a2, a1, a0);                 // 1
  code.emit(Insn::ECALL);                        // does not retire
  code.csr(Insn::CSRRW, zero, Csr::minstret, zero);
  code.csr(Insn::CSRRS, a3, Csr::minstret, zero); // 0
  code.csr(Insn::CSRRS, a4, Csr::minstret, zero); // 1
  code.csr(Insn::CSRRSI, zero, Csr::mcountinhibit, 4);
  code.csr(Insn::CSRRS, a5, Csr::minstret, zero); // 3: its own inhibit still counted
  code.csr(Insn::CSRRS, a6, Csr::minstret, zero); // 3
  code.csr(Insn::CSRRW, zero, Csr::mcountinhibit, zero);
  code.li(a7, 0xFFFFFFFF);
  code.csr(Insn::CSRRW, zero, Csr::minstret, a7);
  code.csr(Insn::CSRRS, s0, Csr::minstreth, zero); // 0
  code.csr(Insn::CSRRS, s1, Csr::minstreth, zero); // 1
  code.li(a0, 0);
  for (const unsigned number : {a2, a3, a4, a5, a6, s0, s1})
    code.r(Insn::ADD, a0, a0, number);
  exitWithRegister(code, a0);
  expectStatus(code, 1 + 0 + 1 + 3 + 3 + 0 + 1);
}

// A loop of instructions of every latency; the timer strikes after `delay` cycles of it.
Section interrupted(uint32_t delay, bool vectored) {
  Section code(NPU_ITCM_BASE);
  code.li(t0, kHandler | (vectored ? 1u : 0u));
  code.csr(Insn::CSRRW, zero, Csr::mtvec, t0);
  code.li(s10, 0);
  code.li(s0, kData);
  code.li(s1, NPU_DRAM_BASE + 0x200);
  code.li(s2, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  code.li(s3, 1000);
  code.li(s4, 7);
  code.csr(Insn::CSRRWI, zero, Csr::mie, 0);
  code.li(a0, 1u << 7);
  code.csr(Insn::CSRRS, zero, Csr::mie, a0);
  code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8);
  code.li(s5, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
  code.i(Insn::LW, a1, s5, 0);
  code.store(Insn::SW, zero, s2, 4);
  code.i(Insn::ADDI, a1, a1, static_cast<int32_t>(delay));
  code.store(Insn::SW, a1, s2, 0);
  const uint32_t loop = code.pc();
  code.r(Insn::DIV, a2, s3, s4);
  code.i(Insn::LW, a3, s0, 0);
  code.i(Insn::ADDI, a3, a3, 1);
  code.store(Insn::SW, a3, s0, 0);
  code.i(Insn::LW, a4, s1, 0);
  code.i(Insn::ADDI, a4, a4, 1);
  code.store(Insn::SW, a4, s1, 0);
  code.r(Insn::MUL, a5, a3, a4);
  code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
  code.r(Insn::ADD, a6, a5, a2);
  code.jal(ra, 8);
  code.i(Insn::ADDI, a7, a7, 1);
  code.branch(Insn::BEQ, s10, zero, static_cast<int32_t>(loop - code.pc()));
  exitWithRegister(code, s10);
  return code;
}

Program interruptProgram(uint32_t delay, bool vectored) {
  Section handler(vectored ? kHandler + 4 * 7 : kHandler);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.csr(Insn::CSRRS, s11, Csr::mcause, zero);
  handler.csr(Insn::CSRRS, s11, Csr::mepc, zero);
  handler.csr(Insn::CSRRS, s11, Csr::mstatus, zero);
  handler.li(s11, 0xFFFFFFFF);
  handler.store(Insn::SW, s11, s2, 4); // no more
  handler.csr(Insn::CSRRS, s11, Csr::mip, zero);
  // Accesses to DRAM, which would meet the answer of one that was given up.
  handler.i(Insn::LW, s11, s1, 64);
  handler.store(Insn::SW, s10, s1, 64);
  handler.emit(Insn::MRET);
  return {{interrupted(delay, vectored), handler},
          {{NPU_DRAM_BASE + 0x240, {1, 2, 3, 4}}},
          NPU_ITCM_BASE};
}

TEST(Interrupts, TimerInEveryCycleOfALoop) {
  for (uint32_t delay = 0; delay < 190; ++delay) {
    const RunResult result = run(interruptProgram(delay, delay % 2 == 1));
    ASSERT_EQ(result.simulation.outcome, Outcome::Exited)
        << "delay " << delay << ": " << result.simulation.report;
    ASSERT_EQ(result.simulation.status, 1) << "delay " << delay;
  }
}

// The external interrupt, 1, 2, ... cycles behind its last handler: the loop's iterations take
// other numbers of cycles, so that every cycle of every instruction is met.
TEST(Interrupts, ExternalInEveryCycleOfALoop) {
  constexpr int kInterrupts = 400;
  Section handler(kHandler);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.csr(Insn::CSRRS, s11, Csr::mcause, zero);
  handler.csr(Insn::CSRRS, s11, Csr::mepc, zero);
  handler.csr(Insn::CSRRS, s11, Csr::mip, zero);
  handler.i(Insn::LW, s11, s1, 64);
  handler.store(Insn::SW, s10, s1, 64);
  handler.emit(Insn::MRET);
  for (const uint32_t longest : {53u, 97u}) {
    Section code = startWithHandler();
    code.li(s0, kData);
    code.li(s1, NPU_DRAM_BASE + 0x200);
    code.li(s3, 1000);
    code.li(s4, kInterrupts);
    code.li(a0, 1u << 11);
    code.csr(Insn::CSRRS, zero, Csr::mie, a0);
    code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8);
    const uint32_t loop = code.pc();
    code.r(Insn::DIV, a2, s3, s4);
    code.i(Insn::V_LD, 1, s0, 3);
    code.r(Insn::V_ADD_B, 1, 1, 1);
    code.store(Insn::V_ST, 1, s1, 5); // DRAM
    code.emit(Insn::V_REDSUM_B, {a3, 1, 0, 0});
    code.i(Insn::ADDI, a3, a3, 1);
    code.i(Insn::LW, a4, s1, 0);
    code.r(Insn::MUL, a5, a3, a4);
    code.store(Insn::SW, a5, s0, 0);
    code.csr(Insn::CSRRS, a6, Csr::mip, zero);
    code.emit(Insn::WFI);
    code.branch(Insn::BLT, s10, s4, static_cast<int32_t>(loop - code.pc()));
    code.csr(Insn::CSRRCI, zero, Csr::mstatus, 8);
    code.r(Insn::SLT, a0, s10, s4);
    exitWithRegister(code, a0);
    RunOptions options;
    options.externalInterrupts = longest;
    options.maxCycles = 2'000'000;
    const RunResult result = run({{code, handler}, {}, code.base()}, options);
    ASSERT_EQ(result.simulation.outcome, Outcome::Exited) << result.simulation.report;
    EXPECT_EQ(result.simulation.status, 0);
  }
}

TEST(Interrupts, WfiWakesUpWithInterruptsOffAndOn) {
  for (const bool enabled : {false, true}) {
    Section code = startWithHandler();
    code.li(s2, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
    code.li(a0, 1u << 7);
    code.csr(Insn::CSRRS, zero, Csr::mie, a0);
    code.csr(Insn::CSRRWI, zero, Csr::mstatus, enabled ? 8 : 0);
    code.li(a1, 500);
    code.store(Insn::SW, zero, s2, 4);
    code.store(Insn::SW, a1, s2, 0);
    code.emit(Insn::WFI);
    code.i(Insn::ADDI, a2, zero, 3);
    if (!enabled) {
      exitWithRegister(code, a2);
      expectStatus(code, 3);
      continue;
    }
    // The handler finds mepc behind the wfi and ends the program there.
    Section handler(kHandler);
    handler.csr(Insn::CSRRS, a3, Csr::mepc, zero);
    handler.li(a4, code.pc() - 4);
    handler.r(Insn::SUB, a3, a3, a4);
    exitWithRegister(handler, a3);
    const RunResult result = run({{code, handler}, {}, code.base()});
    EXPECT_EQ(result.simulation.outcome, Outcome::Exited) << result.simulation.report;
    EXPECT_EQ(result.simulation.status, 0);
    EXPECT_GE(result.cycles, 500u);
  }
}

TEST(Traps, TimeCanBeWritten) {
  Section code = startWithHandler();
  code.li(s2, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
  code.li(a0, 0x12345);
  code.i(Insn::ADDI, a1, zero, 77);
  code.store(Insn::SW, a0, s2, 0);
  code.i(Insn::LW, a2, s2, 0);
  code.store(Insn::SW, a1, s2, 4);
  code.i(Insn::LW, a3, s2, 4);
  code.csr(Insn::CSRRS, a4, Csr::timeh, zero);
  code.csr(Insn::CSRRS, a5, Csr::time, zero);
  code.r(Insn::SUB, a2, a2, a0); // cycles since
  code.r(Insn::SUB, a5, a5, a0);
  code.i(Insn::SLTIU, a2, a2, 10);
  code.i(Insn::SLTIU, a5, a5, 20);
  code.r(Insn::ADD, a0, a3, a4);
  code.r(Insn::ADD, a0, a0, a2);
  code.r(Insn::ADD, a0, a0, a5);
  exitWithRegister(code, a0);
  expectStatus(code, 2 * 77 + 2);
}

TEST(Interrupts, SoftwareBeforeTimer) {
  Section code = startWithHandler();
  code.li(s2, NPU_MMIO_CLINT_BASE);
  code.li(s3, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  code.store(Insn::SW, zero, s3, 4);
  code.store(Insn::SW, zero, s3, 0);
  code.i(Insn::ADDI, a0, zero, 1);
  code.store(Insn::SW, a0, s2, 0);
  code.i(Insn::ADDI, a0, zero, 1 << 3 | 1 << 7);
  code.csr(Insn::CSRRS, zero, Csr::mie, a0);
  code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8);
  code.i(Insn::ADDI, a1, zero, 1);
  Section handler(kHandler);
  handler.csr(Insn::CSRRS, a3, Csr::mcause, zero);
  handler.i(Insn::ANDI, a3, a3, 31);
  exitWithRegister(handler, a3);
  const RunResult result = run({{code, handler}, {}, code.base()});
  EXPECT_EQ(result.simulation.status, 3) << result.simulation.report;
}

} // namespace
} // namespace npu::rtl::test
