// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every scalar instruction on corner values, and every pair of producer and consumer at
// every distance, in lockstep with the golden model.

#include "program.h"

#include <array>

namespace npu::rtl::test {
namespace {

constexpr std::array<uint32_t, 12> kCorners = {
    0, 1, 2, 31, 32, 0x7F, 0x80, 0xFFFF8000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678};

class RegisterInstruction : public ::testing::TestWithParam<Insn> {};

TEST_P(RegisterInstruction, CornerValues) {
  Section code = startWithHandler();
  for (const uint32_t a : kCorners) {
    for (const uint32_t b : kCorners) {
      code.li(a1, a);
      code.li(a2, b);
      code.r(GetParam(), a0, a1, a2);
      code.r(GetParam(), a1, a1, a1);
    }
  }
  exitWith(code, 0);
  expectStatus(code, 0);
}

INSTANTIATE_TEST_SUITE_P(All, RegisterInstruction,
                         ::testing::Values(Insn::ADD, Insn::SUB, Insn::SLL, Insn::SLT, Insn::SLTU,
                                           Insn::XOR, Insn::SRL, Insn::SRA, Insn::OR, Insn::AND,
                                           Insn::MUL, Insn::MULH, Insn::MULHSU, Insn::MULHU,
                                           Insn::DIV, Insn::DIVU, Insn::REM, Insn::REMU),
                         [](const auto &test) { return std::string(npu::info(test.param).mnemonic); });

TEST(Instructions, Immediates) {
  Section code = startWithHandler();
  for (const uint32_t a : kCorners) {
    code.li(a1, a);
    for (const int32_t imm : {0, 1, -1, 2047, -2048, 0x555})
      for (const Insn insn :
           {Insn::ADDI, Insn::SLTI, Insn::SLTIU, Insn::XORI, Insn::ORI, Insn::ANDI})
        code.i(insn, a0, a1, imm);
    for (const int32_t amount : {0, 1, 15, 31})
      for (const Insn insn : {Insn::SLLI, Insn::SRLI, Insn::SRAI})
        code.i(insn, a0, a1, amount);
  }
  for (const int32_t imm : {0, 0x1000, INT32_MIN, -0x1000}) {
    code.emit(Insn::LUI, {a0, 0, 0, imm});
    code.emit(Insn::AUIPC, {a0, 0, 0, imm});
  }
  code.i(Insn::ADDI, zero, a1, 1);
  exitWith(code, 0);
  expectStatus(code, 0);
}

TEST(Instructions, Branches) {
  Section code = startWithHandler();
  code.li(s0, 0);
  for (const uint32_t a : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
    for (const uint32_t b : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
      code.li(a1, a);
      code.li(a2, b);
      for (const Insn insn :
           {Insn::BEQ, Insn::BNE, Insn::BLT, Insn::BGE, Insn::BLTU, Insn::BGEU}) {
        code.branch(insn, a1, a2, 12);
        code.i(Insn::ADDI, s0, s0, 1);
        code.i(Insn::ADDI, s0, s0, 2);
        code.i(Insn::ADDI, s0, s0, 4);
      }
    }
  }
  // Backwards, and calls.
  code.li(a1, 5);
  code.i(Insn::ADDI, a1, a1, -1);
  code.branch(Insn::BNE, a1, zero, -4);
  code.jal(ra, 12);
  code.jal(zero, 12);
  code.i(Insn::ADDI, s0, s0, 100);
  code.emit(Insn::JALR, {zero, ra, 0, 0});
  exitWith(code, 0);
  expectStatus(code, 0);
}

class MemoryRegion : public ::testing::TestWithParam<uint32_t> {};

TEST_P(MemoryRegion, LoadsAndStores) {
  Section code = startWithHandler();
  code.li(a1, GetParam());
  for (const uint32_t value : {0x80FF7F01u, 0x00000000u, 0xFEDCBA98u}) {
    code.li(a2, value);
    code.store(Insn::SW, a2, a1, 0);
    code.store(Insn::SW, a2, a1, 4);
    for (int32_t offset = 0; offset < 4; ++offset) {
      code.i(Insn::LB, a0, a1, offset);
      code.i(Insn::LBU, a3, a1, offset);
      code.store(Insn::SB, a0, a1, 4 + offset);
      code.i(Insn::LW, a4, a1, 4);
    }
    for (int32_t offset = 0; offset < 4; offset += 2) {
      code.i(Insn::LH, a0, a1, offset);
      code.i(Insn::LHU, a3, a1, offset);
      code.store(Insn::SH, a2, a1, 6 - offset);
      code.i(Insn::LW, a4, a1, 4);
    }
  }
  exitWith(code, 0);
  expectStatus(code, 0);
}

INSTANTIATE_TEST_SUITE_P(All, MemoryRegion,
                         ::testing::Values(NPU_ITCM_BASE + 0xF000u, kData, NPU_TCM_BASE + 0x1FFF0u,
                                           NPU_DRAM_BASE + 0x40u, NPU_DRAM_BASE + 0x7FFFFF0u),
                         [](const auto &test) {
                           char name[16];
                           std::snprintf(name, sizeof name, "x%08x", test.param);
                           return std::string(name);
                         });

// Writers of a0 with different latencies, and readers of a0 through every operand path.
struct Step {
  const char *name;
  std::function<void(Section &)> emit;
};

const std::array<Step, 9> kProducers = {{
    {"alu", [](Section &c) { c.i(Insn::ADDI, a0, a0, 4); }},
    {"lui", [](Section &c) { c.emit(Insn::LUI, {a0, 0, 0, static_cast<int32_t>(kData)}); }},
    {"load", [](Section &c) { c.i(Insn::LW, a0, s0, 0); }},
    {"dramload", [](Section &c) { c.i(Insn::LW, a0, s1, 0); }},
    {"itcmload", [](Section &c) { c.i(Insn::LW, a0, s2, 0); }},
    {"mul", [](Section &c) { c.r(Insn::MUL, a0, s3, s4); }},
    {"div", [](Section &c) { c.r(Insn::DIVU, a0, s5, s6); }},
    {"csr", [](Section &c) { c.csr(Insn::CSRRW, a0, Csr::mscratch, s0); }},
    {"jal", [](Section &c) { c.jal(a0, 4); }},
}};

const std::array<Step, 14> kConsumers = {{
    {"rs1", [](Section &c) { c.r(Insn::ADD, a1, a0, s0); }},
    {"rs2", [](Section &c) { c.r(Insn::SUB, a1, s0, a0); }},
    {"both", [](Section &c) { c.r(Insn::XOR, a1, a0, a0); }},
    {"self", [](Section &c) { c.i(Insn::ADDI, a0, a0, 1); }},
    {"loadaddress", [](Section &c) { c.i(Insn::ANDI, a2, a0, 0x7C); c.r(Insn::ADD, a2, a2, s0);
                                     c.i(Insn::LW, a1, a2, 0); }},
    {"storedata", [](Section &c) { c.store(Insn::SW, a0, s0, 8); c.i(Insn::LW, a1, s0, 8); }},
    {"dramstoredata", [](Section &c) { c.store(Insn::SH, a0, s1, 8); }},
    {"branch1", [](Section &c) { c.branch(Insn::BLTU, a0, s0, 8); c.i(Insn::ADDI, a1, a1, 1); }},
    {"branch2", [](Section &c) { c.branch(Insn::BGE, s0, a0, 8); c.i(Insn::ADDI, a1, a1, 1); }},
    {"mul", [](Section &c) { c.r(Insn::MULHU, a1, a0, a0); }},
    {"div", [](Section &c) { c.r(Insn::REM, a1, a0, s4); }},
    {"csr", [](Section &c) { c.csr(Insn::CSRRS, a1, Csr::mscratch, a0); }},
    {"overwrite", [](Section &c) { c.i(Insn::ADDI, a0, s0, 3); c.i(Insn::ADDI, a1, a0, 0); }},
    {"unused", [](Section &c) { c.i(Insn::ADDI, a1, s0, 1); c.r(Insn::ADD, a1, a0, a1); }},
}};

class Hazard : public ::testing::TestWithParam<size_t> {};

TEST_P(Hazard, EveryConsumerAtEveryDistance) {
  Section code = startWithHandler();
  code.li(s0, kData);
  code.li(s1, NPU_DRAM_BASE + 0x100);
  code.li(s2, NPU_ITCM_BASE + 0xF000);
  code.li(s3, 0x12345);
  code.li(s4, 0x1001);
  code.li(s5, 0x40000000);
  code.li(s6, 3);
  code.li(a0, 7);
  code.li(s7, kData + 0x40);
  for (const unsigned base : {s0, s1, s2})
    code.store(Insn::SW, s7, base, 0);
  for (const Step &consumer : kConsumers) {
    for (unsigned distance = 0; distance < 4; ++distance) {
      kProducers[GetParam()].emit(code);
      for (unsigned i = 0; i < distance; ++i)
        code.i(Insn::ADDI, t1, t1, 1);
      consumer.emit(code);
    }
  }
  exitWith(code, 0);
  expectStatus(code, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Hazard, ::testing::Range(size_t{0}, kProducers.size()),
                         [](const auto &test) {
                           return std::string("after_") + kProducers[test.param].name;
                         });

TEST(Instructions, TwoProducersTheYoungerWins) {
  Section code = startWithHandler();
  code.li(s0, kData);
  code.li(a1, 1000);
  code.store(Insn::SW, a1, s0, 0);
  code.i(Insn::LW, a0, s0, 0);
  code.i(Insn::ADDI, a0, zero, 5);   // younger, in execute while the load writes back
  code.i(Insn::ADDI, a0, a0, 2);
  exitWithRegister(code, a0);
  expectStatus(code, 7);
}

} // namespace
} // namespace npu::rtl::test
