// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector unit inside the machine, in lockstep: accesses at every alignment in every memory,
// faults, bus errors, interrupts in each cycle, results that scalar instructions and the debug
// host read, accumulator rows, and the cycles of chapter 9.

#include "program.h"

namespace npu::rtl::test {
namespace {

constexpr unsigned kLanes = NPU_VECTOR_BYTES;

// v0..v7 with contents that differ in every byte.
void fillVectors(Section &code) {
  code.emit(Insn::V_ID_B, {.rd = 0});
  for (unsigned n = 1; n < 8; ++n) {
    code.li(t0, 0x01234567u * n);
    code.r(Insn::V_MUL_W_X, n, n - 1, t0);
    code.r(Insn::V_ADD_B, n, n, 0);
  }
}

// Loads and stores of every kind around address, which is in t1.
void accesses(Section &code) {
  code.store(Insn::V_ST, 3, t1, 0);
  code.i(Insn::V_LD, 8, t1, 0);
  code.i(Insn::V_LD, 9, t1, 1);
  code.i(Insn::V_LD, 10, t1, -3);
  for (int n : {0, 1, 5, 31, 63, 64, 200}) {
    code.i(Insn::ADDI, t2, zero, n);
    code.r(Insn::V_STL_B, 4, t1, t2);
    code.r(Insn::V_LDL_B, 11, t1, t2);
    code.r(Insn::V_LDL_BW, 12, t1, t2);
    code.r(Insn::V_STL_WHS, 5, t1, t2);
    code.r(Insn::V_LDL_HWU, 13, t1, t2);
  }
  code.r(Insn::V_STM_H, 6, t1, 2);
  code.r(Insn::V_LDM_H, 14, t1, 3);
  code.r(Insn::V_LDM_BH, 15, t1, 1);
  code.r(Insn::V_STM_WBU, 7, t1, 4);
  for (int stride : {-5, 0, 1, 6}) {
    code.i(Insn::ADDI, t2, zero, stride);
    code.csr(Insn::CSRRW, zero, Csr::nvstride, t2);
    code.i(Insn::ADDI, t2, zero, 7);
    code.r(Insn::V_STS_W, 2, t1, t2);
    code.r(Insn::V_LDS_H, 16, t1, t2);
    code.r(Insn::V_STS_H, 3, t1, s10); // no lanes
    code.r(Insn::V_LDS_B, 18, t1, s10);
    code.r(Insn::V_LDS_B, 17, t1, t2);
  }
  code.r(Insn::V_XOR, 8, 8, 9);
  code.i(Insn::LW, t2, s0, 0); // a scalar access behind the vector ones
}

TEST(Vector, EveryAlignmentInEveryMemory) {
  // In DRAM bytes 32.. of the loop lie on a boundary of 4 KiB.
  for (uint32_t base : {kData, NPU_DRAM_BASE + 0x2fe0, NPU_ITCM_BASE + 0xF000}) {
    Section code = startWithHandler();
    fillVectors(code);
    code.li(s0, base & ~63u);
    code.li(t1, base);
    code.i(Insn::ADDI, s1, t1, 64);
    const uint32_t loop = code.pc();
    accesses(code);
    code.i(Insn::ADDI, t1, t1, 1);
    code.branch(Insn::BNE, t1, s1, static_cast<int32_t>(loop - code.pc()));
    exitWithRegister(code, s10); // no traps; zero all the time
    expectStatus(code, 0, {.maxCycles = 2'000'000});
  }
}

TEST(Vector, FaultsAtTheEndsOfRegions) {
  for (uint32_t end : {NPU_TCM_BASE, NPU_TCM_BASE + NPU_DEFAULT_TCM_SIZE,
                       NPU_ITCM_BASE + NPU_DEFAULT_ITCM_SIZE, NPU_DRAM_BASE,
                       NPU_DRAM_BASE + NPU_DEFAULT_DRAM_SIZE, 0u}) {
    Section code = startWithHandler();
    fillVectors(code);
    code.li(t1, end - 66);
    code.li(s1, end + 2);
    code.i(Insn::ADDI, t2, zero, 3);
    code.csr(Insn::CSRRW, zero, Csr::nvstride, t2);
    const uint32_t loop = code.pc();
    code.i(Insn::V_LD, 3, t1, 0);
    code.store(Insn::V_ST, 4, t1, 0);
    code.i(Insn::ADDI, t2, zero, 9);
    code.r(Insn::V_LDL_BH, 5, t1, t2);
    code.r(Insn::V_STL_H, 6, t1, t2);
    code.r(Insn::V_LDM_W, 7, t1, 2);
    code.r(Insn::V_STM_B, 1, t1, 2);
    code.r(Insn::V_LDS_W, 6, t1, zero);
    code.r(Insn::V_STS_H, 2, t1, t2);
    code.i(Insn::ADDI, t1, t1, 1);
    code.branch(Insn::BNE, t1, s1, static_cast<int32_t>(loop - code.pc()));
    code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
    exitWith(code, 0);
    expectStatus(code, 0, {.maxCycles = 2'000'000});
  }
}

Section interrupted(uint32_t delay) {
  Section code = startWithHandler();
  fillVectors(code);
  code.li(s0, kData + 3);
  code.li(s1, NPU_DRAM_BASE + 0xff0 + 5);
  code.li(s2, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  code.i(Insn::ADDI, a0, zero, 9);
  code.csr(Insn::CSRRW, zero, Csr::nvstride, a0);
  code.li(a0, 1u << 7);
  code.csr(Insn::CSRRS, zero, Csr::mie, a0);
  code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8);
  code.li(s5, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
  code.i(Insn::LW, a1, s5, 0);
  code.store(Insn::SW, zero, s2, 4);
  code.i(Insn::ADDI, a1, a1, static_cast<int32_t>(delay));
  code.store(Insn::SW, a1, s2, 0);
  const uint32_t loop = code.pc();
  code.i(Insn::V_LD, 8, s0, 0);
  code.r(Insn::V_DOT_B, 9, 8, 1);
  code.r(Insn::V_RQ, 9, 2, 3);
  code.r(Insn::V_REDSUM_W, a2, 9, 0);
  code.i(Insn::ADDI, a3, a2, 1);
  code.store(Insn::V_ST, 9, s0, 0);
  code.i(Insn::ADDI, a4, zero, 5);
  code.r(Insn::V_STS_H, 9, s0, a4);
  code.r(Insn::V_ACCWR, 0, 9, a4);
  code.r(Insn::V_ACCRD, 10, a4, 0);
  code.i(Insn::V_LD, 11, s1, 0);
  code.r(Insn::V_ADD_B, 11, 11, 10);
  code.store(Insn::V_ST, 11, s1, 0);
  code.r(Insn::V_LDS_B, 12, s1, a4);
  code.r(Insn::V_ZIPLO_B, 13, 12, 11);
  code.branch(Insn::BEQ, s10, zero, static_cast<int32_t>(loop - code.pc()));
  code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
  exitWithRegister(code, s10);
  return code;
}

TEST(Vector, InterruptInEveryCycleOfALoop) {
  Section handler(kHandler);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.csr(Insn::CSRRS, s11, Csr::mepc, zero);
  handler.li(s11, 0xFFFFFFFF);
  handler.store(Insn::SW, s11, s2, 4); // no more
  handler.i(Insn::LW, s11, s1, 63);    // meets the answer of an access that was given up
  handler.i(Insn::V_LD, 20, s0, 64);
  handler.r(Insn::V_REDXOR_B, s11, 20, 0);
  handler.emit(Insn::MRET);
  const uint32_t period = 1000; // more than two rounds
  for (uint32_t delay = 0; delay < period; delay += delay < 100 || delay > 600 ? 1 : 3) {
    const RunResult result = run({{interrupted(delay), handler}, {}, NPU_ITCM_BASE});
    ASSERT_EQ(result.simulation.outcome, Outcome::Exited)
        << "delay " << delay << ": " << result.simulation.report;
    ASSERT_EQ(result.simulation.status, 1) << "delay " << delay;
  }
}

TEST(Vector, HostSeesResultsThatWereOnTheirWay) {
  // a1, which the host reads at the ebreak, comes from an extraction two instructions before.
  Section code = startWithHandler();
  code.li(t5, kExitBlock);
  code.li(t6, 0x20026); // ADP_Stopped_ApplicationExit
  code.store(Insn::SW, t6, t5, 0);
  code.i(Insn::ADDI, a0, zero, 42);
  code.store(Insn::SW, a0, t5, 4);
  code.r(Insn::V_BCAST_W, 1, t5, 0);
  code.i(Insn::ADDI, a0, zero, 0x20);
  code.r(Insn::V_EXTRACT_W, a1, 1, zero);
  code.word(Semihosting::kEntryWord);
  code.emit(Insn::EBREAK);
  code.word(Semihosting::kExitWord);
  expectStatus(code, 42);
}

TEST(Vector, AccumulatorRowsBesideTheArray) {
  // The array works in the other half of the accumulators meanwhile.
  Section code = startWithHandler();
  fillVectors(code);
  code.li(s0, kData);
  for (int n = 0; n < 8; ++n)
    code.store(Insn::V_ST, static_cast<unsigned>(n), s0, 64 * n);
  code.i(Insn::ADDI, a0, zero, 16);
  code.csr(Insn::CSRRW, zero, Csr::nxstride, a0);
  code.r(Insn::MAC_LDW, a1, s0, a0);
  code.li(a2, 128 | 100u << 8 | 16u << 17 | 1u << 30); // rows 128.., 100 pixels, K = 16, swap
  code.r(Insn::MAC_RUN, a1, s0, a2);
  for (int n = 0; n < 24; ++n) {
    code.i(Insn::ADDI, a3, zero, n);
    code.r(Insn::V_ACCWR, 0, static_cast<unsigned>(n % 8), a3);
    code.r(Insn::V_ACCRD, 10, a3, 0);
    code.r(Insn::V_ADD_W, 11, 11, 10);
  }
  code.r(Insn::NPU_WAIT, zero, a1, zero);
  for (int n = 0; n < 100; n += 9) {
    code.i(Insn::ADDI, a3, zero, 128 + n);
    code.r(Insn::V_ACCRD, static_cast<unsigned>(12 + n % 8), a3, 0);
  }
  exitWith(code, 0);
  expectStatus(code, 0);
}

TEST(Vector, BusErrorsTrapAtTheFirstByte) {
  // Bus errors are not part of the model: this runs without it.
  for (const bool store : {false, true}) {
    Section code = startWithHandler();
    code.li(s0, NPU_DRAM_BASE + 0x100);
    store ? code.store(Insn::V_ST, 1, s0, 3) : code.i(Insn::V_LD, 1, s0, 3);
    code.csr(Insn::CSRRS, a2, Csr::mtval, zero);
    code.csr(Insn::CSRRS, a3, Csr::mcause, zero);
    code.i(Insn::V_LD, 1, s0, 64); // the next access is not disturbed
    code.r(Insn::SUB, a2, a2, s0);
    code.i(Insn::SLLI, a3, a3, 4);
    code.r(Insn::ADD, a2, a2, a3);
    exitWithRegister(code, a2);
    expectStatus(code, (store ? 7 : 5) * 16 + 3,
                 {.busErrors = {{{NPU_DRAM_BASE + 0x120, 16}, kAxiSlaveError}}});
  }
}

struct Case {
  const char *name;
  uint32_t cycles; // from the first instruction of the sequence to the one behind it
  std::function<void(Section &)> emit;
};

void use(Section &c, unsigned reg) { c.r(Insn::V_OR, 31, reg, reg); }

const Case kCases[] = {
    {"alu_chain", 3 * NPU_TIMING_VALU_LATENCY,
     [](Section &c) {
       c.r(Insn::V_ADD_B, 8, 1, 2);
       c.r(Insn::V_ADD_H, 8, 8, 2);
       c.r(Insn::V_ADD_W, 8, 8, 2);
     }},
    {"mul_use", NPU_TIMING_VMUL_LATENCY + 1,
     [](Section &c) { c.r(Insn::V_MUL_B, 8, 1, 2); use(c, 8); }},
    {"mul_pipelined", 3,
     [](Section &c) {
       c.r(Insn::V_MUL_B, 8, 1, 2);
       c.r(Insn::V_MUL_B, 9, 1, 2);
       c.r(Insn::V_MUL_B, 10, 1, 2);
     }},
    {"dot_chain", 2 + NPU_TIMING_VMUL_LATENCY + 1,
     [](Section &c) {
       for (int n = 0; n < 3; ++n)
         c.r(Insn::V_DOT_B, 8, 1, 2);
       use(c, 8);
     }},
    {"accumulate_to_permuted", NPU_TIMING_VPERM_LATENCY + NPU_TIMING_VMUL_LATENCY + 1,
     [](Section &c) { c.r(Insn::V_PERM, 8, 1, 2); c.r(Insn::V_MACC_B, 8, 1, 2); use(c, 8); }},
    {"mixed_without_stall", 6,
     [](Section &c) {
       c.r(Insn::V_RQ, 8, 1, 2);
       c.r(Insn::V_MUL_B, 9, 1, 2);
       c.r(Insn::V_ZIPLO_B, 10, 1, 2);
       c.r(Insn::V_ADD_B, 11, 1, 2);
       c.i(Insn::V_LD, 12, s0, 0);
       c.r(Insn::V_ADD_B, 13, 1, 2);
     }},
    {"requantize_use", NPU_TIMING_VREQUANT_LATENCY + 1,
     [](Section &c) { c.r(Insn::V_MBQM, 8, 1, 2); use(c, 8); }},
    {"permute_use", NPU_TIMING_VPERM_LATENCY + 1,
     [](Section &c) { c.r(Insn::V_PERM, 8, 1, 2); use(c, 8); }},
    {"reduce_use", NPU_TIMING_VREDUCE_LATENCY + 1,
     [](Section &c) { c.r(Insn::V_REDMAX_B, a2, 1, 0); c.i(Insn::ADDI, a2, a2, 1); }},
    {"extract_use", NPU_TIMING_VREDUCE_LATENCY + 1,
     [](Section &c) { c.r(Insn::V_EXTRACT_B, a2, 1, zero); c.i(Insn::ADDI, a2, a2, 1); }},
    {"reduce_overwritten", 4,
     [](Section &c) { c.r(Insn::V_REDMAX_B, a2, 1, 0); c.i(Insn::ADDI, a2, zero, 1); }},
    {"load_use", NPU_TIMING_VLOAD_LATENCY + 1,
     [](Section &c) { c.i(Insn::V_LD, 8, s0, 0); use(c, 8); }},
    {"load_aligned_to_words", NPU_TIMING_VLOAD_LATENCY + 1,
     [](Section &c) { c.i(Insn::V_LD, 8, s0, 20); use(c, 8); }},
    {"load_odd", 1 + NPU_TIMING_VLOAD_LATENCY + 1,
     [](Section &c) { c.i(Insn::V_LD, 8, s0, 21); use(c, 8); }},
    {"load_odd_but_short", NPU_TIMING_VLOAD_LATENCY + 1,
     [](Section &c) { c.r(Insn::V_LDL_BH, 8, s1, zero); use(c, 8); }},
    {"loads", 3,
     [](Section &c) {
       for (int n = 0; n < 3; ++n)
         c.i(Insn::V_LD, 8, s0, 64 * n);
     }},
    {"stores", 3,
     [](Section &c) {
       for (int n = 0; n < 3; ++n)
         c.store(Insn::V_ST, 1, s0, 64 * n);
     }},
    {"store_odd", 2, [](Section &c) { c.store(Insn::V_ST, 1, s1, 0); }},
    {"store_of_alu_result", 2,
     [](Section &c) { c.r(Insn::V_ADD_B, 8, 1, 2); c.store(Insn::V_ST, 8, s0, 0); }},
    {"strided_load", 16, [](Section &c) { c.r(Insn::V_LDS_W, 8, s1, zero); }},
    {"strided_store", kLanes, [](Section &c) { c.r(Insn::V_STS_B, 1, s1, zero); }},
    {"itcm_load", 1 + 16 + 1, [](Section &c) { c.i(Insn::V_LD, 8, s2, 0); }},
    {"itcm_store", 1 + 16, [](Section &c) { c.store(Insn::V_ST, 1, s2, 0); }},
    {"no_lanes", 1, [](Section &c) { c.r(Insn::V_LDL_B, 8, s2, s3); }},
};

class VectorTiming : public ::testing::TestWithParam<Case> {};

TEST_P(VectorTiming, AsInTheManual) {
  Section code = startWithHandler();
  fillVectors(code);
  code.li(s0, kData);
  code.li(s1, kData + 3);
  code.li(s2, NPU_ITCM_BASE + 0xF000);
  code.li(s3, 0);
  for (int n = 0; n < 4; ++n)
    code.i(Insn::ADDI, zero, zero, 0); // results of the set-up are written
  code.csr(Insn::CSRRS, a0, Csr::mcycle, zero);
  GetParam().emit(code);
  code.csr(Insn::CSRRS, a1, Csr::mcycle, zero);
  code.r(Insn::SUB, a1, a1, a0);
  code.i(Insn::ADDI, a1, a1, -1); // the first read itself
  exitWithRegister(code, a1);
  expectStatus(code, static_cast<int>(GetParam().cycles));
}

INSTANTIATE_TEST_SUITE_P(All, VectorTiming, ::testing::ValuesIn(kCases),
                         [](const auto &test) { return std::string(test.param.name); });

} // namespace
} // namespace npu::rtl::test
