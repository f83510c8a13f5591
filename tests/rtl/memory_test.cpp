// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code in DRAM, code that changes, and how runs end that do not end by themselves.

#include "program.h"

namespace npu::rtl::test {
namespace {

constexpr uint32_t kDramCode = NPU_DRAM_BASE + 0x10000;
constexpr uint32_t kCacheBytes = 4096;

TEST(DramCode, RunsAndCaches) {
  Section code = startWithHandler(kDramCode);
  code.li(a0, 0);
  code.li(a1, 100);
  const uint32_t loop = code.pc();
  for (int n = 0; n < 20; ++n)
    code.i(Insn::ADDI, a0, a0, 1);
  code.i(Insn::ADDI, a1, a1, -1);
  code.branch(Insn::BNE, a1, zero, static_cast<int32_t>(loop - code.pc()));
  code.i(Insn::ANDI, a0, a0, 127);
  exitWithRegister(code, a0);
  const RunResult result = expectStatus(code, 2000 & 127);
  // Some lines of 60 cycles each; afterwards the loop runs as from ITCM.
  EXPECT_LT(result.cycles, 100u * (22 + 2) + 12 * 70);
}

TEST(DramCode, LinesThatShareAPlaceInTheCache) {
  // Two functions a cache size apart call each other's line out.
  Section far(kDramCode + kCacheBytes);
  far.i(Insn::ADDI, a0, a0, 3);
  far.emit(Insn::JALR, {zero, ra, 0, 0});
  Section near(kDramCode);
  near.i(Insn::ADDI, a0, a0, 1);
  near.emit(Insn::JALR, {zero, ra, 0, 0});
  Section code = startWithHandler();
  code.li(a0, 0);
  code.li(s0, kDramCode);
  code.li(s1, kDramCode + kCacheBytes);
  for (int n = 0; n < 10; ++n) {
    code.emit(Insn::JALR, {ra, s0, 0, 0});
    code.emit(Insn::JALR, {ra, s1, 0, 0});
  }
  exitWithRegister(code, a0);
  const RunResult result = run({{code, near, far}, {}, code.base()});
  EXPECT_EQ(result.simulation.status, 40) << result.simulation.report;
}

TEST(DramCode, StraightOutOfTheEndOfDramTraps) {
  Section code = startWithHandler();
  code.li(s0, NPU_DRAM_BASE + NPU_DEFAULT_DRAM_SIZE - 8);
  code.emit(Insn::JALR, {ra, s0, 0, 0});
  Section last(NPU_DRAM_BASE + NPU_DEFAULT_DRAM_SIZE - 8);
  last.i(Insn::ADDI, a0, zero, 1);
  last.i(Insn::ADDI, a0, a0, 1);
  Section handler(kHandler);
  handler.csr(Insn::CSRRS, a1, Csr::mcause, zero);
  handler.csr(Insn::CSRRS, a2, Csr::mtval, zero);
  handler.r(Insn::ADD, a0, a0, a1);
  exitWithRegister(handler, a0);
  const RunResult result = run({{code, last, handler}, {}, code.base()});
  EXPECT_EQ(result.simulation.status, 3) << result.simulation.report;
}

class ChangingCode : public ::testing::TestWithParam<uint32_t> {};

TEST_P(ChangingCode, FenceIMakesStoresVisible) {
  Section function(GetParam());
  function.i(Insn::ADDI, a0, a0, 0);
  function.emit(Insn::JALR, {zero, ra, 0, 0});
  Section code = startWithHandler();
  code.li(s0, GetParam());
  code.li(a0, 0);
  for (int32_t n = 1; n <= 6; ++n) {
    code.li(a1, encode(Insn::ADDI, {a0, a0, 0, n}));
    code.store(Insn::SW, a1, s0, 0);
    code.emit(Insn::FENCE_I);
    code.emit(Insn::JALR, {ra, s0, 0, 0});
  }
  exitWithRegister(code, a0);
  const RunResult result = run({{code, function}, {}, code.base()});
  EXPECT_EQ(result.simulation.status, 21) << result.simulation.report;
}

TEST_P(ChangingCode, TheInstructionBehindFenceI) {
  // The store replaces what the pipeline has already fetched.
  if (GetParam() < NPU_DRAM_BASE) {
    Section code = startWithHandler();
    code.li(a1, encode(Insn::ADDI, {a0, zero, 0, 9}));
    code.emit(Insn::AUIPC, {s0, 0, 0, 0});
    code.store(Insn::SW, a1, s0, 12);
    code.emit(Insn::FENCE_I);
    code.i(Insn::ADDI, a0, zero, 1);
    exitWithRegister(code, a0);
    expectStatus(code, 9);
  }
}

INSTANTIATE_TEST_SUITE_P(Regions, ChangingCode,
                         ::testing::Values(NPU_ITCM_BASE + 0x4000, kDramCode),
                         [](const auto &test) {
                           return std::string(test.param < NPU_DRAM_BASE ? "itcm" : "dram");
                         });

TEST(Bounds, CycleBoundTellsThePc) {
  Section code = startWithHandler();
  const uint32_t loop = code.pc();
  code.jal(zero, 0);
  RunOptions options;
  options.maxCycles = 500;
  const RunResult result = run({{code}, {}, code.base()}, options);
  EXPECT_EQ(result.simulation.outcome, Outcome::CycleBound);
  char pc[16];
  std::snprintf(pc, sizeof pc, "0x%08x", loop);
  EXPECT_NE(result.simulation.report.find(pc), std::string::npos) << result.simulation.report;
  EXPECT_EQ(result.cycles, 500u);
}

TEST(Bounds, HangTellsWhatItWaitsFor) {
  Section code = startWithHandler();
  code.li(s0, NPU_DRAM_BASE);
  code.i(Insn::LW, a0, s0, 0);
  RunOptions options;
  options.maxCycles = 0;
  options.dram.readLatency = 3 * Simulation::kHangCycles;
  const RunResult result = run({{code}, {}, code.base()}, options);
  EXPECT_EQ(result.simulation.outcome, Outcome::Hang);
  EXPECT_NE(result.simulation.report.find("DRAM access"), std::string::npos)
      << result.simulation.report;
}

TEST(Bounds, TrapWithoutHandler) {
  Section code(NPU_ITCM_BASE);
  code.word(0xFFFFFFFF);
  const RunResult result = run({{code}, {}, code.base()});
  EXPECT_EQ(result.simulation.outcome, Outcome::Trap);
  EXPECT_NE(result.simulation.report.find("0xffffffff"), std::string::npos)
      << result.simulation.report;
}

} // namespace
} // namespace npu::rtl::test
