// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isa.h"

#include <gtest/gtest.h>

namespace npu {
namespace {

TEST(Isa, EveryInstructionDecodesToItself) {
  for (unsigned n = 1; n < static_cast<unsigned>(Insn::kCount); ++n) {
    const Insn insn = static_cast<Insn>(n);
    EXPECT_EQ(decode(info(insn).match), insn) << info(insn).mnemonic;
    const uint32_t fields = encode(insn, {31, 30, 1, 0x5a5});
    EXPECT_EQ(decode(fields), insn) << info(insn).mnemonic;
  }
}

TEST(Isa, ImmediatesRoundTrip) {
  for (int32_t imm : {0, 2, -2, 1024, -4096, 4094, 0x7fe, -2048}) {
    EXPECT_EQ(immediate(encode(Insn::BEQ, {0, 1, 2, imm}), Format::B), imm);
    EXPECT_EQ(immediate(encode(Insn::JAL, {1, 0, 0, imm}), Format::J), imm);
  }
  for (int32_t imm : {-(1 << 20), (1 << 20) - 2, 0x55554})
    EXPECT_EQ(immediate(encode(Insn::JAL, {1, 0, 0, imm}), Format::J), imm);
  for (int32_t imm : {-2048, -1, 0, 1, 31, 2047}) {
    EXPECT_EQ(immediate(encode(Insn::ADDI, {1, 2, 0, imm}), Format::I), imm);
    EXPECT_EQ(immediate(encode(Insn::SW, {0, 1, 2, imm}), Format::S), imm);
  }
}

TEST(Isa, DisassemblyReadsLikeTheManual) {
  const struct {
    uint32_t word;
    const char *text;
  } kCases[] = {
      {encode(Insn::ADDI, {10, 2, 0, -16}), "addi a0, sp, -16"},
      {encode(Insn::LW, {10, 2, 0, 8}), "lw a0, 8(sp)"},
      {encode(Insn::SB, {0, 5, 6, -1}), "sb t1, -1(t0)"},
      {encode(Insn::BNE, {0, 10, 11, -4}), "bne a0, a1, 0xffc"},
      {encode(Insn::LUI, {5, 0, 0, 0x12345000}), "lui t0, 0x12345"},
      {encode(Insn::CSRRW, {0, 5, 0, 0x300}), "csrrw zero, mstatus, t0"},
      {encode(Insn::CSRRSI, {0, 8, 0, 0x300}), "csrrsi zero, mstatus, 8"},
      {encode(Insn::DMA_START, {10, 11, 1, 0}), "dma.start a0, a1, 1"},
      {encode(Insn::NPU_FENCE, {0, 0, 7, 0}), "npu.fence 7"},
      {encode(Insn::MAC_RUN, {10, 11, 12, 0}), "mac.run a0, a1, a2"},
      {encode(Insn::SRAI, {1, 1, 0, 7}), "srai ra, ra, 7"},
      {encode(Insn::EBREAK, {}), "ebreak"},
      {0, ".word 0x0"},
  };
  for (const auto &c : kCases)
    EXPECT_EQ(disassemble(c.word, 0x1000), c.text);
}

TEST(Isa, NeighboursOfXnpuAreIllegal) {
  const uint32_t kIllegal[] = {
      encode(Insn::NPU_WAIT, {0, 1, 0, 0}) | 1u << 7,       // rd of npu.wait
      encode(Insn::NPU_POLL, {1, 1, 0, 0}) | 1u << 20,      // rs2 of npu.poll
      encode(Insn::NPU_FENCE, {0, 0, 7, 0}) | 1u << 15,     // rs1 of npu.fence
      encode(Insn::DMA_START, {1, 1, 0, 0}) | 2u << 20,     // channel 2
      encode(Insn::MAC_LDQ, {1, 1, 0, 0}) | 1u << 20,       // rs2 of mac.ldq
      encode(Insn::MAC_LDW, {1, 1, 1, 0}) | 5u << 25,       // behind mac.dw
      0x0000300b,
      encode(Insn::V_ADD_B, {1, 2, 3, 0}) | 3u << 25,       // width 3
      encode(Insn::V_RSUB_B_X, {1, 2, 3, 0}) & ~(7u << 12), // rsub has no vector form
      encode(Insn::V_AND, {1, 2, 3, 0}) | 1u << 25,         // logic has no width
      encode(Insn::V_NOT, {1, 2, 0, 0}) | 1u << 25,
      encode(Insn::V_SXQ0_B, {1, 2, 0, 0}) | 1u << 25,
      encode(Insn::V_WMULLO_H, {1, 2, 3, 0}) + (1u << 25),  // nothing is wider than words
      encode(Insn::V_LDL_B, {1, 2, 3, 0}) | 3u << 25,
      encode(Insn::V_STL_B, {1, 2, 3, 0}) | 15u << 25,
      encode(Insn::V_BCAST_B, {1, 2, 0, 0}) | 1u << 20,     // rs2 of v.bcast
      encode(Insn::V_ACCWR, {0, 2, 3, 0}) | 1u << 7,
      encode(Insn::V_REDSUM_B, {1, 2, 0, 0}) | 9u << 27,
      encode(Insn::V_ALIGN, {1, 2, 3, 0}) | 1u << 25,
      0x0000507b, 0x0000607b, 0x0000707b,                   // custom-3 funct3 5..7
  };
  for (uint32_t word : kIllegal)
    EXPECT_EQ(decode(word), Insn::ILLEGAL) << std::hex << word;
}

} // namespace
} // namespace npu
