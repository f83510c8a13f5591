// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "race_checker.h"

#include "elf_image.h"
#include "generator.h"
#include "program.h"

namespace npu::test {
namespace {

constexpr uint32_t kDescriptor = NPU_TCM_BASE + 0x100, kOut = NPU_TCM_BASE + 0x8000;

class RaceTest : public testing::Test {
protected:
  RaceTest() : checker(program.model) {
    const uint32_t words[16] = {NPU_DRAM_BASE, kOut, 16, 1, 0, 0, 1, 0, 0, 0};
    program.model.writeMemory(kDescriptor, words, sizeof words);
    program.model.setReg(5, kDescriptor);
    program.model.setReg(6, kOut);
    program.model.setReg(7, NPU_DRAM_BASE);
    program.code.r(Insn::DMA_START, 10, 5, 0);
  }
  // Number of instructions executed without a race.
  size_t run() {
    program.load();
    for (size_t n = 0; n < program.code.words().size(); ++n) {
      RetireEvent event;
      const uint32_t source = program.model.reg(rs1Field(program.code.words()[n]));
      program.model.step(event);
      if (!checker.check(event, source))
        return n;
    }
    return program.code.words().size();
  }

  Program program;
  RaceChecker checker;
};

TEST_F(RaceTest, LoadOfWhatIsBeingWritten) {
  program.code.i(Insn::LW, 11, 7, 0); // the source may be read
  program.code.i(Insn::LW, 11, 6, 16);
  program.code.i(Insn::LW, 11, 6, 12);
  EXPECT_EQ(run(), 3u);
  EXPECT_EQ(checker.report(),
            "race at byte 0x2000800c: the load at pc 0x1000000c (lw a1, 12(t1)) against an "
            "operation of DMA channel 0 (ticket 0x00000004, issued at pc 0x10000000), which nothing "
            "has waited for");
}

TEST_F(RaceTest, StoreToASourceAndToADescriptor) {
  program.code.store(Insn::SB, 0, 5, 63);
  EXPECT_EQ(run(), 1u);
  EXPECT_NE(checker.report().find("0x2000013f: the store"), std::string::npos);
}

TEST_F(RaceTest, EachWaitOrders) {
  program.code.r(Insn::NPU_WAIT, 0, 10, 0);
  program.code.i(Insn::LW, 11, 6, 0);
  program.code.r(Insn::DMA_START, 10, 5, 0);
  program.code.r(Insn::NPU_POLL, 12, 10, 0);
  program.code.store(Insn::SW, 0, 6, 0);
  program.code.r(Insn::DMA_START, 10, 5, 0);
  program.code.r(Insn::NPU_FENCE, 0, 0, 1);
  program.code.store(Insn::SW, 0, 7, 0);
  EXPECT_EQ(run(), 9u) << checker.report();
}

TEST_F(RaceTest, TheWrongFenceDoesNotOrder) {
  program.code.r(Insn::NPU_FENCE, 0, 0, 6);
  program.code.i(Insn::LW, 11, 6, 0);
  EXPECT_EQ(run(), 2u);
}

// Runs and drains against accesses to accumulator rows: 4 pixels from row 10 on.
TEST_F(RaceTest, AccumulatorRows) {
  const struct {
    Insn operation, access;
    uint32_t row;
    bool fence, clean;
  } kCases[] = {
      {Insn::MAC_RUN, Insn::V_ACCRD, 10, false, false},
      {Insn::MAC_RUN, Insn::V_ACCRD, 256 + 13, false, false}, // modulo 256
      {Insn::MAC_RUN, Insn::V_ACCRD, 14, false, true},
      {Insn::MAC_RUN, Insn::V_ACCWR, 13, false, false},
      {Insn::MAC_RUN, Insn::V_ACCWR, 13, true, true},
      {Insn::MAC_DW, Insn::V_ACCRD, 12, false, false},
      {Insn::MAC_DRAIN, Insn::V_ACCRD, 12, false, true}, // both read
      {Insn::MAC_DRAIN, Insn::V_ACCWR, 12, false, false},
      {Insn::MAC_DRAIN, Insn::V_ACCWR, 9, false, true},
  };
  for (const auto &c : kCases) {
    Program p;
    RaceChecker rows(p.model);
    p.model.setReg(5, NPU_TCM_BASE);
    p.model.setReg(6, 10 | 4u << 8 | (c.operation == Insn::MAC_DW ? 1u << 17 | 1u << 22 : 0));
    p.model.setReg(7, c.row);
    p.code.r(c.operation, 10, 5, 6);
    if (c.fence)
      p.code.r(Insn::NPU_FENCE, 0, 0, 4);
    if (c.access == Insn::V_ACCRD)
      p.code.emit(c.access, {1, 7, 0, 0});
    else
      p.code.emit(c.access, {0, 1, 7, 0});
    p.load();
    bool clean = true;
    for (size_t n = 0; n < p.code.words().size(); ++n) {
      RetireEvent event;
      p.model.step(event);
      clean = clean && rows.check(event, 0);
    }
    EXPECT_EQ(clean, c.clean) << info(c.operation).mnemonic << ", " << info(c.access).mnemonic
                              << ' ' << c.row << ": " << rows.report();
    if (!c.clean) {
      const std::string place = "race at accumulator row " + std::to_string(c.row % 256) + ": the access";
      EXPECT_EQ(rows.report().substr(0, place.size()), place);
    }
  }
}

TEST_F(RaceTest, OperationsOfTwoUnits) {
  program.code.r(Insn::DMA_START, 11, 5, 0); // ordered in the channel
  program.code.r(Insn::MAC_LDW, 12, 7, 0);   // no row: reads nothing
  program.code.r(Insn::MAC_LDQ, 13, 6, 0);
  EXPECT_EQ(run(), 3u);
  EXPECT_NE(checker.report().find("the drain"), std::string::npos) << checker.report();
}

// Source and destination of one descriptor, by words 0 to 8.
TEST(RaceChecker, DescriptorsThatOverlapThemselves) {
  constexpr uint32_t kT = NPU_TCM_BASE + 0x4000;
  const struct {
    uint32_t words[10];
    const char *place; // null: no race
  } kCases[] = {
      {{kT, kT + 16, 16, 1, 0, 0, 1}, nullptr},
      {{kT, kT + 15, 16, 1, 0, 0, 1}, "0x2000400f"},
      {{kT, kT, 16, 1, 0, 0, 1}, nullptr}, // maps onto itself exactly
      {{kT, kT, 16, 2, 32, 32, 1}, "0x20004000"},
      {{kT, kT + 16, 16, 8, 32, 32, 1}, nullptr}, // rows between each other
      {{kT, kT + 16, 17, 8, 32, 32, 1}, "0x20004010"},
      {{kT, kT + 0x70, 16, 4, 32, uint32_t(-32), 1}, nullptr},
      {{kT, kT + 0x6f, 16, 4, 32, uint32_t(-32), 1}, "0x2000400f"},
      {{kT, kT + 0x100, 8, 2, 8, 8, 3, 0x80, 0x80}, "0x20004100"}, // its third plane
      {{kT, kT + 0x10, 16, 0, 0, 0, 1}, nullptr},
      {{0x55, kT, 64, 4, 0, 8, 1, 0, 0, 1}, nullptr}, // a constant
  };
  for (const auto &c : kCases) {
    Program p;
    RaceChecker checker(p.model);
    uint32_t words[16] = {};
    std::copy(std::begin(c.words), std::end(c.words), words);
    p.model.writeMemory(kDescriptor, words, sizeof words);
    p.model.setReg(5, kDescriptor);
    p.code.r(Insn::DMA_START, 10, 5, 0);
    p.load();
    RetireEvent event;
    p.model.step(event);
    EXPECT_EQ(checker.check(event, kDescriptor), c.place == nullptr) << &c - kCases << ": " << checker.report();
    if (c.place) {
      EXPECT_EQ(checker.report().substr(0, 23), std::string("race at byte ") + c.place);
    }
  }
}

// The generator keeps its own account of what may race; here is a second opinion.
TEST(RaceChecker, RandomProgramsAreFreeOfRaces) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const fuzz::Program random = fuzz::Generator(seed, defaultConfig(), 3000).generate();
    std::string error;
    const auto image = ElfImage::parse("random", random.contents(), defaultConfig(), error);
    ASSERT_TRUE(image) << error;
    Model model(defaultConfig());
    RaceChecker checker(model);
    for (const auto &segment : image->segments)
      model.writeMemory(segment.address, segment.bytes.data(), segment.bytes.size());
    model.setPc(image->entry);
    model.stopAtSemihostCalls = true;
    std::optional<StopReason> stop;
    while (!stop && model.steps() < 1'000'000) {
      uint32_t word = 0;
      model.readMemory(model.pc(), &word, 4);
      const uint32_t source = model.reg(rs1Field(word));
      RetireEvent event;
      stop = model.step(event);
      ASSERT_TRUE(stop || checker.check(event, source))
          << "seed " << seed << ": " << checker.report();
    }
    EXPECT_EQ(stop, StopReason::Semihost) << "seed " << seed;
  }
}

} // namespace
} // namespace npu::test
