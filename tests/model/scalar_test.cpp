// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RV32IM: each instruction at the operands where implementations go wrong.

#include "program.h"

namespace npu::test {
namespace {

constexpr uint32_t kMin = 0x80000000, kMax = 0x7fffffff, kAll = 0xffffffff;

struct RegisterCase {
  Insn insn;
  uint32_t rs1, rs2, result;
};
const RegisterCase kRegisterCases[] = {
    {Insn::ADD, kMax, 1, kMin},           {Insn::ADD, kAll, 1, 0},
    {Insn::SUB, 0, 1, kAll},              {Insn::SUB, kMin, 1, kMax},
    {Insn::SLL, 1, 31, kMin},             {Insn::SLL, 1, 32, 1},
    {Insn::SLL, 3, 0xffffffe1, 6},        {Insn::SRL, kMin, 31, 1},
    {Insn::SRL, kMin, 63, 1},             {Insn::SRA, kMin, 31, kAll},
    {Insn::SRA, kMin, 32, kMin},          {Insn::SRA, kMax, 30, 1},
    {Insn::SLT, kMin, kMax, 1},           {Insn::SLT, kMax, kMin, 0},
    {Insn::SLT, 5, 5, 0},                 {Insn::SLTU, kMin, kMax, 0},
    {Insn::SLTU, 0, kAll, 1},             {Insn::XOR, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
    {Insn::OR, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
    {Insn::AND, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {Insn::MUL, kAll, kAll, 1},           {Insn::MUL, 0x10001, 0x10001, 0x20001},
    {Insn::MUL, kMin, kMin, 0},           {Insn::MULH, kMin, kMin, 0x40000000},
    {Insn::MULH, kAll, kAll, 0},          {Insn::MULH, kMin, 1, kAll},
    {Insn::MULHU, kAll, kAll, 0xfffffffe},{Insn::MULHU, kMin, 2, 1},
    {Insn::MULHSU, kAll, kAll, kAll},     {Insn::MULHSU, kMin, kAll, kMin},
    {Insn::MULHSU, 1, kAll, 0},           {Insn::DIV, 7, 0xfffffffe, 0xfffffffd},
    {Insn::DIV, 0xfffffff9, 2, 0xfffffffd},{Insn::DIV, 1, 0, kAll},
    {Insn::DIV, kMin, kAll, kMin},        {Insn::DIV, kMin, 1, kMin},
    {Insn::DIVU, kAll, 2, kMax},          {Insn::DIVU, 5, 0, kAll},
    {Insn::DIVU, kMin, kAll, 0},          {Insn::REM, 7, 0xfffffffe, 1},
    {Insn::REM, 0xfffffff9, 2, kAll},     {Insn::REM, 5, 0, 5},
    {Insn::REM, kMin, kAll, 0},           {Insn::REMU, kAll, 10, 5},
    {Insn::REMU, 5, 0, 5},                {Insn::REMU, kMin, kAll, kMin},
};

TEST(Scalar, RegisterOperations) {
  for (const RegisterCase &c : kRegisterCases) {
    Program p;
    p.model.setReg(5, c.rs1);
    p.model.setReg(6, c.rs2);
    p.code.r(c.insn, 7, 5, 6);
    p.code.r(c.insn, 0, 5, 6); // x0 stays zero
    p.code.r(c.insn, 5, 5, 6); // destination and source the same
    p.run();
    EXPECT_EQ(p.model.reg(7), c.result)
        << info(c.insn).mnemonic << std::hex << ' ' << c.rs1 << ", " << c.rs2;
    EXPECT_EQ(p.model.reg(0), 0u);
    EXPECT_EQ(p.model.reg(5), c.result);
  }
}

struct ImmediateCase {
  Insn insn;
  uint32_t rs1;
  int32_t imm;
  uint32_t result;
};
const ImmediateCase kImmediateCases[] = {
    {Insn::ADDI, kMax, 1, kMin},        {Insn::ADDI, 0, -2048, 0xfffff800},
    {Insn::SLTI, kMin, -1, 1},          {Insn::SLTI, 0, -1, 0},
    {Insn::SLTIU, 0, -1, 1},            {Insn::SLTIU, kAll, -1, 0},
    {Insn::SLTIU, 0, 1, 1},             {Insn::XORI, 0x5a5a, -1, 0xffffa5a5},
    {Insn::ORI, 0xf0, -256, 0xfffffff0},{Insn::ANDI, 0x12345678, -16, 0x12345670},
    {Insn::SLLI, 1, 31, kMin},          {Insn::SLLI, 7, 0, 7},
    {Insn::SRLI, kMin, 31, 1},          {Insn::SRAI, kMin, 31, kAll},
    {Insn::SRAI, kMin, 1, 0xc0000000},
};

TEST(Scalar, ImmediateOperations) {
  for (const ImmediateCase &c : kImmediateCases) {
    Program p;
    p.model.setReg(5, c.rs1);
    p.code.i(c.insn, 7, 5, c.imm);
    p.run();
    EXPECT_EQ(p.model.reg(7), c.result)
        << info(c.insn).mnemonic << std::hex << ' ' << c.rs1 << ", " << std::dec << c.imm;
  }
}

TEST(Scalar, UpperImmediates) {
  Program p;
  p.code.emit(Insn::LUI, {5, 0, 0, static_cast<int32_t>(0xfffff000)});
  p.code.emit(Insn::AUIPC, {6, 0, 0, static_cast<int32_t>(0xfffff000)});
  p.code.emit(Insn::AUIPC, {7, 0, 0, 0});
  p.run();
  EXPECT_EQ(p.model.reg(5), 0xfffff000u);
  EXPECT_EQ(p.model.reg(6), NPU_RESET_PC + 4 - 0x1000);
  EXPECT_EQ(p.model.reg(7), NPU_RESET_PC + 8);
}

TEST(Scalar, BranchesCompareAsTheirNamesSay) {
  const struct {
    Insn insn;
    uint32_t rs1, rs2;
    bool taken;
  } kCases[] = {
      {Insn::BEQ, 1, 1, true},        {Insn::BEQ, 1, 2, false},     {Insn::BNE, 1, 2, true},
      {Insn::BNE, 2, 2, false},       {Insn::BLT, kMin, 0, true},   {Insn::BLT, 0, kMin, false},
      {Insn::BLT, 3, 3, false},       {Insn::BGE, 3, 3, true},      {Insn::BGE, kMin, 0, false},
      {Insn::BLTU, 0, kMin, true},    {Insn::BLTU, kMin, 0, false}, {Insn::BGEU, kAll, 0, true},
      {Insn::BGEU, 0, 1, false},
  };
  for (const auto &c : kCases) {
    Program p;
    p.model.setReg(5, c.rs1);
    p.model.setReg(6, c.rs2);
    p.code.branch(c.insn, 5, 6, 64);
    p.run();
    EXPECT_EQ(p.model.pc(), NPU_RESET_PC + (c.taken ? 64 : 4)) << info(c.insn).mnemonic;
  }
}

TEST(Scalar, JumpsLinkAndDropBitZero) {
  Program p;
  p.model.setReg(5, NPU_RESET_PC + 0x21);
  p.code.i(Insn::JALR, 5, 5, 0); // the link goes to the register that held the target
  p.run();
  EXPECT_EQ(p.model.pc(), NPU_RESET_PC + 0x20);
  EXPECT_EQ(p.model.reg(5), NPU_RESET_PC + 4);

  Program back;
  back.code.emit(Insn::ADDI);
  back.code.jal(1, -4);
  back.run();
  EXPECT_EQ(back.model.pc(), NPU_RESET_PC);
  EXPECT_EQ(back.model.reg(1), NPU_RESET_PC + 8);
}

TEST(Scalar, LoadsExtendAndStoresKeepNeighbours) {
  for (uint32_t base : {NPU_TCM_BASE + 0x40, NPU_DRAM_BASE + 0x40, NPU_ITCM_BASE + 0x8000}) {
    Program p;
    p.setWord(base, 0x80ff7f81);
    p.model.setReg(5, base);
    p.model.setReg(6, 0x11223344);
    p.code.i(Insn::LB, 10, 5, 0);
    p.code.i(Insn::LBU, 11, 5, 0);
    p.code.i(Insn::LH, 12, 5, 2);
    p.code.i(Insn::LHU, 13, 5, 2);
    p.code.i(Insn::LW, 14, 5, 0);
    p.code.store(Insn::SB, 6, 5, 1);
    p.code.i(Insn::LW, 15, 5, 0);
    p.code.store(Insn::SH, 6, 5, 2);
    p.code.i(Insn::LW, 16, 5, 0);
    p.run();
    EXPECT_EQ(p.model.reg(10), 0xffffff81u);
    EXPECT_EQ(p.model.reg(11), 0x81u);
    EXPECT_EQ(p.model.reg(12), 0xffff80ffu);
    EXPECT_EQ(p.model.reg(13), 0x80ffu);
    EXPECT_EQ(p.model.reg(14), 0x80ff7f81u);
    EXPECT_EQ(p.model.reg(15), 0x80ff4481u);
    EXPECT_EQ(p.model.reg(16), 0x33444481u);
  }
}

TEST(Scalar, StoredCodeIsExecuted) {
  for (uint32_t base : {NPU_ITCM_BASE + 0x100, NPU_DRAM_BASE + 0xffc}) {
    Program p;
    p.setWord(base, encode(Insn::ADDI, {5, 5, 0, 1}));
    p.setWord(base + 4, encode(Insn::JALR, {0, 1, 0, 0}));
    p.model.setReg(6, base);
    p.model.setReg(7, encode(Insn::ADDI, {5, 5, 0, 100}));
    p.code.i(Insn::JALR, 1, 6, 0);
    p.code.store(Insn::SW, 7, 6, 0);
    p.code.emit(Insn::FENCE_I);
    p.code.i(Insn::JALR, 1, 6, 0);
    p.run(8);
    EXPECT_EQ(p.model.reg(5), 101u) << std::hex << base;
  }
}

TEST(Scalar, CodeWrittenByDmaAndByTheHostIsExecuted) {
  Program p;
  const uint32_t target = NPU_DRAM_BASE + 0x1000;
  p.setWord(target, encode(Insn::ADDI, {5, 5, 0, 1}));
  p.model.setPc(target);
  p.model.run(1);
  p.setWord(target, encode(Insn::ADDI, {5, 5, 0, 10}));
  p.model.setPc(target);
  p.model.run(1);
  EXPECT_EQ(p.model.reg(5), 11u);

  p.setWord(NPU_TCM_BASE, encode(Insn::ADDI, {5, 5, 0, 100}));
  const uint32_t descriptor[16] = {NPU_TCM_BASE, target, 4, 1, 0, 0, 1};
  p.model.writeMemory(NPU_TCM_BASE + 64, descriptor, sizeof descriptor);
  p.model.setReg(6, NPU_TCM_BASE + 64);
  p.code.r(Insn::DMA_START, 7, 6, 0);
  p.model.setPc(NPU_RESET_PC);
  p.run();
  p.model.setPc(target);
  p.model.run(1);
  EXPECT_EQ(p.model.reg(5), 111u);
}

} // namespace
} // namespace npu::test
