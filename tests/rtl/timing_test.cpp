// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles of every instruction class, against the numbers of platform.json.

#include "program.h"

namespace npu::rtl::test {
namespace {

constexpr uint32_t kAlu = NPU_TIMING_ALU_LATENCY, kLoad = NPU_TIMING_LOAD_LATENCY,
                   kMul = NPU_TIMING_MUL_LATENCY, kDiv = NPU_TIMING_DIV_LATENCY,
                   kCsr = NPU_TIMING_CSR_LATENCY, kIssue = NPU_TIMING_NPU_ISSUE_LATENCY,
                   kBranch = NPU_TIMING_TAKEN_BRANCH_PENALTY, kJump = NPU_TIMING_JUMP_PENALTY;

struct Case {
  const char *name;
  uint32_t cycles; // from the first instruction of the sequence to the one behind it
  std::function<void(Section &)> emit;
};

const Case kCases[] = {
    {"alu_chain", 4 * kAlu,
     [](Section &c) {
       for (int n = 0; n < 4; ++n)
         c.i(Insn::ADDI, a2, a2, 1);
     }},
    {"load_unused", 1, [](Section &c) { c.i(Insn::LW, a2, s0, 0); }},
    {"load_use", kLoad + kAlu,
     [](Section &c) { c.i(Insn::LW, a2, s0, 0); c.i(Insn::ADDI, a3, a2, 1); }},
    {"load_use_one_later", 1 + 1 + kAlu,
     [](Section &c) {
       c.i(Insn::LBU, a2, s0, 0);
       c.i(Insn::ADDI, a4, a4, 1);
       c.i(Insn::ADDI, a3, a2, 1);
     }},
    {"load_to_store_data", kLoad + 1,
     [](Section &c) { c.i(Insn::LW, a2, s0, 0); c.store(Insn::SW, a2, s0, 4); }},
    {"load_to_address", 2 * kLoad + kAlu,
     [](Section &c) {
       c.i(Insn::LW, a2, s1, 0);
       c.i(Insn::LW, a3, a2, 0);
       c.i(Insn::ADDI, a3, a3, 1);
     }},
    {"clint_load_use", kLoad + kAlu,
     [](Section &c) { c.i(Insn::LW, a2, s3, 0); c.i(Insn::ADDI, a3, a2, 1); }},
    {"itcm_load_use", kLoad + kAlu,
     [](Section &c) { c.i(Insn::LW, a2, s2, 0); c.i(Insn::ADDI, a3, a2, 1); }},
    // The access takes the fetch port of ITCM for a cycle.
    {"itcm_load_unused", 1 + 1 + 1,
     [](Section &c) { c.i(Insn::LW, a2, s2, 0); c.i(Insn::ADDI, a3, a4, 1); }},
    {"store_load_use", 1 + kLoad + kAlu,
     [](Section &c) {
       c.store(Insn::SW, a2, s0, 8);
       c.i(Insn::LW, a3, s0, 8);
       c.i(Insn::ADDI, a3, a3, 1);
     }},
    {"stores", 3,
     [](Section &c) {
       for (int n = 0; n < 3; ++n)
         c.store(Insn::SB, a2, s0, n);
     }},
    {"mul_use", kMul + kAlu,
     [](Section &c) { c.r(Insn::MUL, a2, s0, s1); c.i(Insn::ADDI, a3, a2, 1); }},
    {"mul_pipelined", 3,
     [](Section &c) {
       c.r(Insn::MUL, a2, s0, s1);
       c.r(Insn::MULH, a3, s0, s1);
       c.r(Insn::MULHU, a4, s0, s1);
     }},
    {"div_use", kDiv + kAlu,
     [](Section &c) { c.r(Insn::DIV, a2, s0, s1); c.i(Insn::ADDI, a3, a2, 1); }},
    {"div_by_zero", kDiv, [](Section &c) { c.r(Insn::REMU, a2, s0, zero); }},
    {"branch_not_taken", 1 + 1,
     [](Section &c) { c.branch(Insn::BNE, zero, zero, 8); c.i(Insn::ADDI, a3, a3, 1); }},
    {"branch_taken", 1 + kBranch, [](Section &c) { c.branch(Insn::BEQ, zero, zero, 4); }},
    {"branch_taken_skips", 1 + kBranch,
     [](Section &c) { c.branch(Insn::BEQ, zero, zero, 8); c.i(Insn::ADDI, a3, a3, 1); }},
    {"jal", 1 + kJump, [](Section &c) { c.jal(ra, 4); }},
    {"jalr", 1 + kJump, [](Section &c) { c.emit(Insn::JALR, {ra, s4, 0, 0}); }},
    {"csr_use", kCsr + kAlu,
     [](Section &c) { c.csr(Insn::CSRRW, a2, Csr::mscratch, s0); c.i(Insn::ADDI, a3, a2, 1); }},
    {"issue_use", kIssue + kAlu,
     [](Section &c) { c.r(Insn::MAC_RUN, a2, s0, zero); c.i(Insn::ADDI, a3, a2, 1); }},
    {"poll_use", 1 + kAlu,
     [](Section &c) { c.r(Insn::NPU_POLL, a2, zero, zero); c.i(Insn::ADDI, a3, a2, 1); }},
    {"wait_complete", 1, [](Section &c) { c.r(Insn::NPU_WAIT, zero, zero, zero); }},
    {"fence", 1, [](Section &c) { c.emit(Insn::FENCE); }},
    {"fence_i", 1 + kJump, [](Section &c) { c.emit(Insn::FENCE_I); }},
};

class Timing : public ::testing::TestWithParam<Case> {};

TEST_P(Timing, AsInPlatformJson) {
  Section code = startWithHandler();
  code.li(s0, kData);
  code.li(s1, kData + 0x40);
  code.store(Insn::SW, s0, s1, 0);
  code.li(s2, NPU_ITCM_BASE + 0xF000);
  code.li(s3, NPU_MMIO_CLINT_BASE);
  // jalr jumps behind itself: auipc, addi, the first read, jalr.
  code.emit(Insn::AUIPC, {s4, 0, 0, 0});
  code.i(Insn::ADDI, s4, s4, 16);
  code.csr(Insn::CSRRS, a0, Csr::mcycle, zero);
  GetParam().emit(code);
  code.csr(Insn::CSRRS, a1, Csr::mcycle, zero);
  code.r(Insn::SUB, a1, a1, a0);
  code.i(Insn::ADDI, a1, a1, -1); // the first read itself
  code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
  exitWithRegister(code, a1);
  expectStatus(code, static_cast<int>(GetParam().cycles));
}

INSTANTIATE_TEST_SUITE_P(All, Timing, ::testing::ValuesIn(kCases),
                         [](const auto &test) { return std::string(test.param.name); });

TEST(Timing, TrapEntryAndMret) {
  Section code = startWithHandler();
  code.csr(Insn::CSRRS, a0, Csr::mcycle, zero);
  code.emit(Insn::ECALL);
  code.csr(Insn::CSRRS, a2, Csr::mcycle, zero);
  code.r(Insn::SUB, a2, a2, a0);
  exitWithRegister(code, a2);
  Section handler(kHandler);
  handler.csr(Insn::CSRRS, a1, Csr::mepc, zero);
  handler.i(Insn::ADDI, a1, a1, 4);
  handler.csr(Insn::CSRRW, zero, Csr::mepc, a1);
  handler.emit(Insn::MRET);
  const RunResult result = run({{code, handler}, {}, code.base()});
  // The first read, ecall, three instructions, mret, and two redirects.
  EXPECT_EQ(result.simulation.status, static_cast<int>(1 + (1 + kJump) + 3 + (1 + kJump)))
      << result.simulation.report;
}

TEST(Timing, DramLatencyIsTheConfiguredOne) {
  Section code = startWithHandler();
  code.li(s0, NPU_DRAM_BASE);
  code.i(Insn::LW, a0, s0, 0);
  exitWith(code, 0);
  const RunResult fast = expectStatus(code, 0, {.dram = {20, 16}});
  const RunResult slow = expectStatus(code, 0, {.dram = {120, 16}});
  EXPECT_EQ(slow.cycles, fast.cycles + 100);
}

TEST(Timing, TheSameOnEveryRun) {
  Section code = startWithHandler();
  code.li(s0, kData);
  code.li(a1, 200);
  code.i(Insn::LW, a2, s0, 0);
  code.r(Insn::MUL, a2, a2, a1);
  code.store(Insn::SW, a2, s0, 0);
  code.i(Insn::ADDI, a1, a1, -1);
  code.branch(Insn::BNE, a1, zero, -16);
  exitWith(code, 0);
  const uint64_t cycles = expectStatus(code, 0).cycles;
  EXPECT_EQ(expectStatus(code, 0).cycles, cycles);
  EXPECT_EQ(expectStatus(code, 0, {.lockstep = false}).cycles, cycles);
}

} // namespace
} // namespace npu::rtl::test
