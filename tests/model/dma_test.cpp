// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DMA descriptors (chapter 5), and what Xnpu instructions report: tickets, nstatus, nfault.

#include "program.h"

#include <algorithm>
#include <numeric>

namespace npu::test {
namespace {

constexpr uint32_t kTcm = NPU_TCM_BASE, kDram = NPU_DRAM_BASE;
constexpr uint32_t kDescriptor = kTcm + 0x1000;

struct Descriptor {
  uint32_t src = 0, dst = 0, len = 0;
  uint32_t reps1 = 1, srcStride1 = 0, dstStride1 = 0;
  uint32_t reps2 = 1, srcStride2 = 0, dstStride2 = 0;
  uint32_t flags = 0, next = 0;
  uint32_t reserved[5] = {};
};

class DmaTest : public testing::Test {
protected:
  DmaTest() {
    std::iota(memory.tcm.data, memory.tcm.data + 0x1000, uint8_t{1});
    std::iota(memory.dram.data, memory.dram.data + 0x1000, uint8_t{101});
  }
  DmaResult start(const Descriptor &d, uint32_t at = kDescriptor) {
    std::memcpy(memory.tcm.at(at), &d, sizeof d);
    return runDmaChain(memory, at, {}, log);
  }
  uint8_t at(uint32_t address) { return *memory.find(address)->at(address); }

  Memory memory{defaultConfig()};
  AccessLog log;
};

TEST_F(DmaTest, EveryPairOfMemoriesAndAlignments) {
  for (uint32_t src : {kTcm, kDram})
    for (uint32_t dst : {kTcm + 0x8000, kDram + 0x8000})
      for (uint32_t shift = 0; shift < 5; ++shift)
        for (uint32_t len : {1u, 3u, 4u, 17u, 64u}) {
          EXPECT_FALSE(start({.src = src + shift, .dst = dst + 2 * shift, .len = len}).fault);
          for (uint32_t i = 0; i < len; ++i)
            EXPECT_EQ(at(dst + 2 * shift + i), at(src + shift + i));
        }
}

TEST_F(DmaTest, ThreeDimensionsAndNegativeStrides) {
  const Descriptor d{.src = kTcm + 0x100, .dst = kDram + 0x4000, .len = 3,
                     .reps1 = 4, .srcStride1 = -5u, .dstStride1 = 7,
                     .reps2 = 2, .srcStride2 = 40, .dstStride2 = 100};
  const DmaResult result = start(d);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.dramWriteBytes, 24u);
  EXPECT_EQ(result.dramReadBytes, 0u);
  for (uint32_t r2 = 0; r2 < 2; ++r2)
    for (uint32_t r1 = 0; r1 < 4; ++r1)
      for (uint32_t i = 0; i < 3; ++i)
        EXPECT_EQ(at(d.dst + 7 * r1 + 100 * r2 + i), at(d.src - 5 * r1 + 40 * r2 + i));
  EXPECT_EQ(at(d.dst + 3), 0);
}

TEST_F(DmaTest, FillUsesTheLowByteAndNoSource) {
  EXPECT_FALSE(start({.src = 0xffffff5a, .dst = kTcm + 0x8001, .len = 10, .flags = 1}).fault);
  EXPECT_EQ(at(kTcm + 0x8000), 0);
  EXPECT_EQ(at(kTcm + 0x8001), 0x5a);
  EXPECT_EQ(at(kTcm + 0x800a), 0x5a);
  EXPECT_EQ(at(kTcm + 0x800b), 0);
  ASSERT_EQ(log.writes.size(), 1u);
  EXPECT_EQ(log.writes[0].size, 10u);
}

TEST_F(DmaTest, NothingToMoveChecksNoAddress) {
  for (const Descriptor &d : {Descriptor{.src = 0, .dst = 0, .len = 0},
                              Descriptor{.src = 0, .dst = 0, .len = 4, .reps1 = 0},
                              Descriptor{.src = 0, .dst = 0, .len = 4, .reps2 = 0}}) {
    EXPECT_FALSE(start(d).fault);
    EXPECT_TRUE(log.writes.empty());
  }
}

TEST_F(DmaTest, FaultAddresses) {
  const uint32_t tcmEnd = kTcm + NPU_DEFAULT_TCM_SIZE, dramEnd = kDram + NPU_DEFAULT_DRAM_SIZE;
  const Descriptor good{.src = kTcm, .dst = kDram, .len = 8};
  const auto with = [&](auto &&change) {
    Descriptor d = good;
    change(d);
    return start(d).fault;
  };
  using D = Descriptor &;
  EXPECT_EQ(with([](D d) { d.flags = 4; }), kDescriptor);
  EXPECT_EQ(with([](D d) { d.reserved[0] = 1; }), kDescriptor);
  EXPECT_EQ(with([](D d) { d.reserved[4] = 1u << 31; }), kDescriptor);
  EXPECT_EQ(with([](D d) { d.len = 1 << 24; }), kDescriptor);
  EXPECT_EQ(with([](D d) { d.reps1 = 65536; }), kDescriptor);
  EXPECT_EQ(with([](D d) { d.reps2 = 65536; }), kDescriptor);
  EXPECT_EQ(with([](D d) { d.src = 0; }), 0u);
  EXPECT_EQ(with([](D d) { d.src = NPU_ITCM_BASE; }), NPU_ITCM_BASE);
  EXPECT_EQ(with([&](D d) { d.src = tcmEnd - 7; }), tcmEnd - 7);
  EXPECT_EQ(with([&](D d) { d.src = tcmEnd - 8; }), std::nullopt);
  EXPECT_EQ(with([&](D d) { d.dst = dramEnd - 7; }), dramEnd - 7);
  EXPECT_EQ(with([](D d) { d.dst = NPU_MMIO_CLINT_BASE; }), NPU_MMIO_CLINT_BASE);
  EXPECT_EQ(with([](D d) { d.src = 0, d.dst = 4; }), 0u); // the source is checked first
  EXPECT_EQ(with([](D d) { d.src = 0, d.flags = 4; }), kDescriptor);
  EXPECT_EQ(runDmaChain(memory, kDescriptor + 2, {}, log).fault, kDescriptor + 2);
  EXPECT_EQ(runDmaChain(memory, tcmEnd - 60, {}, log).fault, tcmEnd - 60);
  EXPECT_EQ(runDmaChain(memory, kDram, {}, log).fault, kDram);
}

TEST_F(DmaTest, RowsBeforeTheFailingOneAreComplete) {
  const uint32_t end = kTcm + NPU_DEFAULT_TCM_SIZE;
  const DmaResult result = start({.src = kDram, .dst = end - 20, .len = 8, .reps1 = 3,
                                  .srcStride1 = 8, .dstStride1 = 8, .flags = 2});
  EXPECT_EQ(result.fault, end - 4);
  EXPECT_EQ(result.doneSignals, 0u);
  EXPECT_EQ(at(end - 5), at(kDram + 15));
  EXPECT_EQ(at(end - 4), 0);
}

TEST_F(DmaTest, ChainsRunInOrderAndStopAtAnError) {
  const Descriptor second{.src = 7, .dst = kTcm + 0x8000, .len = 4, .flags = 1, .next = 0x40};
  std::memcpy(memory.tcm.at(kDescriptor + 64), &second, sizeof second);
  const DmaResult result = start({.src = kTcm, .dst = kTcm + 0x8000, .len = 8, .flags = 2,
                                  .next = kDescriptor + 64});
  EXPECT_EQ(result.fault, 0x40u); // the third descriptor is not in TCM
  EXPECT_EQ(result.doneSignals, 1u);
  EXPECT_EQ(at(kTcm + 0x8003), 7);
  EXPECT_EQ(at(kTcm + 0x8004), at(kTcm + 4));
}

TEST_F(DmaTest, AChainThatLoopsEnds) {
  EXPECT_EQ(start({.next = kDescriptor}).fault, kDescriptor);
}

// --- Through instructions ---

TEST(Xnpu, TicketsCountPerUnit) {
  Program p;
  p.model.setReg(5, kTcm);
  p.code.r(Insn::MAC_LDW, 10, 5, 0);
  p.code.r(Insn::MAC_LDQ, 11, 5, 0);
  p.code.r(Insn::DMA_START, 12, 5, 0);
  p.code.r(Insn::DMA_START, 13, 5, 1);
  p.code.r(Insn::DMA_START, 14, 5, 1);
  p.code.r(Insn::MAC_RUN, 15, 5, 0);
  p.code.r(Insn::NPU_POLL, 16, 15, 0);
  p.code.r(Insn::NPU_WAIT, 0, 14, 0);
  p.code.r(Insn::NPU_FENCE, 0, 0, 31);
  p.run();
  EXPECT_EQ(p.model.reg(10), 1u << 2 | 2);
  EXPECT_EQ(p.model.reg(11), 2u << 2 | 2);
  EXPECT_EQ(p.model.reg(12), 1u << 2 | 0);
  EXPECT_EQ(p.model.reg(13), 1u << 2 | 1);
  EXPECT_EQ(p.model.reg(14), 2u << 2 | 1);
  EXPECT_EQ(p.model.reg(15), 3u << 2 | 2);
  EXPECT_EQ(p.model.reg(16), 1u);
  EXPECT_EQ(p.model.pc(), p.code.pc());
}

TEST(Xnpu, StatusKeepsTheFirstFaultUntilCleared) {
  Program p;
  p.model.setReg(5, 0x1001);
  p.model.setReg(6, 0x2002);
  p.model.setReg(7, 1u << 31);
  p.code.r(Insn::DMA_START, 0, 5, 1);
  p.code.r(Insn::DMA_START, 0, 6, 1);
  p.code.r(Insn::MAC_RUN, 0, 6, 7);
  p.code.csr(Insn::CSRRS, 10, Csr::nstatus, 0);
  p.code.csr(Insn::CSRRS, 11, Csr::nfault1, 0);
  p.code.csr(Insn::CSRRS, 12, Csr::nfault2, 0);
  p.code.csr(Insn::CSRRCI, 0, Csr::nstatus, 31); // reads only
  p.code.csr(Insn::CSRRSI, 13, Csr::nstatus, 2); // clears bit 1
  p.code.csr(Insn::CSRRS, 14, Csr::nstatus, 0);
  p.code.r(Insn::DMA_START, 0, 6, 1);
  p.code.csr(Insn::CSRRS, 15, Csr::nfault1, 0);
  p.code.csr(Insn::CSRRW, 0, Csr::nstatus, 7); // of these bits the status has none
  p.code.csr(Insn::CSRRS, 16, Csr::nstatus, 0);
  p.run();
  EXPECT_EQ(p.model.reg(10), 6u);
  EXPECT_EQ(p.model.reg(11), 0x1001u);
  EXPECT_EQ(p.model.reg(12), 0x2002u);
  EXPECT_EQ(p.model.reg(13), 6u);
  EXPECT_EQ(p.model.reg(14), 4u);
  EXPECT_EQ(p.model.reg(15), 0x2002u);
  EXPECT_EQ(p.model.reg(16), 6u);
}

TEST(Xnpu, DmaDoneInterrupts) {
  Program p;
  const Descriptor d{.flags = 2};
  p.model.writeMemory(kDescriptor, &d, sizeof d);
  p.model.writeCsr(number(Csr::mtvec), NPU_ITCM_BASE + 0x100);
  p.model.writeCsr(number(Csr::mie), 1u << kDmaInterrupt);
  p.model.writeCsr(number(Csr::mstatus), 8);
  p.model.setReg(5, kDescriptor);
  p.code.r(Insn::DMA_START, 10, 5, 1);
  p.setWord(NPU_ITCM_BASE + 0x100, encode(Insn::CSRRS, {11, 0, 0, 0x810}));
  p.run(2);
  EXPECT_EQ(p.model.reg(11), 1u << 9);
  EXPECT_EQ(p.csr(Csr::mcause), 0x80000000 | kDmaInterrupt);
  EXPECT_EQ(p.csr(Csr::mepc), p.code.pc());
}

} // namespace
} // namespace npu::test
