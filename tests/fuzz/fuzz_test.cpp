// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the random programs promise: the same bytes for the same seed, every instruction and every
// cause of a trap somewhere, and an end with status 0 (here on the model; on the RTL in lockstep
// by 'npu test fuzz').

#include "elf_image.h"
#include "generator.h"
#include "model.h"
#include "semihosting.h"

#include <gtest/gtest.h>

#include <set>

namespace npu::fuzz {
namespace {

constexpr unsigned kInstructions = 3000;

ElfImage load(const Program &program, const MachineConfig &config) {
  std::string error;
  const auto image = ElfImage::parse("random", program.contents(), config, error);
  EXPECT_TRUE(image) << error;
  return image.value_or(ElfImage{});
}

class FuzzTest : public testing::TestWithParam<const char *> {
protected:
  const MachineConfig &config = *MachineConfig::find(GetParam());
};

TEST_P(FuzzTest, TheSeedDecidesEveryByte) {
  const auto bytes = [&](uint64_t seed) {
    return Generator(seed, config, kInstructions).generate().elf;
  };
  EXPECT_EQ(bytes(5), bytes(5));
  EXPECT_NE(bytes(5), bytes(6));
}

TEST_P(FuzzTest, ProgramsEndAndReachEverything) {
  std::set<Insn> executed;
  std::set<uint32_t> traps, interrupts;
  uint64_t steps = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const ElfImage image = load(Generator(seed, config, kInstructions).generate(), config);
    Model model(config);
    model.stopAtSemihostCalls = model.stopAtUnhandledTraps = true;
    for (const ElfImage::Segment &segment : image.segments)
      model.writeMemory(segment.address, segment.bytes.data(), segment.bytes.size());
    model.setPc(image.entry);
    std::optional<StopReason> stop;
    for (uint64_t n = 0; n < 1'000'000 && !stop; ++n) {
      RetireEvent event;
      model.setExternalInterrupt(n % 1000 == 0);
      stop = model.step(event);
      if (stop == StopReason::Semihost) // the ebreak has not been executed
        break;
      switch (event.kind) {
      case RetireEvent::Kind::Retire: executed.insert(decode(event.insn)); break;
      case RetireEvent::Kind::Trap: traps.insert(event.cause); break;
      case RetireEvent::Kind::Interrupt: interrupts.insert(event.cause); break;
      }
    }
    ASSERT_EQ(stop, StopReason::Semihost) << "seed " << seed << '\n' << model.describeState();
    EXPECT_EQ(model.reg(10), 0x18u) << "seed " << seed; // SYS_EXIT
    EXPECT_EQ(model.reg(11), 0x20026u) << "seed " << seed;
    steps += model.steps();
  }
  EXPECT_GT(steps, 60u * kInstructions);
  for (unsigned n = 1; n < static_cast<unsigned>(Insn::kCount); ++n) {
    const Insn insn = static_cast<Insn>(n);
    const bool retires = insn != Insn::ECALL && insn != Insn::EBREAK;
    EXPECT_EQ(executed.contains(insn), retires) << info(insn).mnemonic;
  }
  EXPECT_EQ(traps, (std::set<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 11}));
  EXPECT_EQ(interrupts, (std::set<uint32_t>{kSoftwareInterrupt, kTimerInterrupt, kExternalInterrupt,
                                            kDmaInterrupt, kErrorInterrupt}));
}

INSTANTIATE_TEST_SUITE_P(Configs, FuzzTest, testing::Values("default", "large"));

TEST(HazardTracker, SaysWhatToWaitFor) {
  HazardTracker t;
  t.issued(Agent::Dma0, 1, {{{100, 200}}, {{300, 400}}});
  t.issued(Agent::Drain, 1, {{}, {{500, 600}}});
  EXPECT_EQ(t.unitsToWaitFor(Agent::Core, {{{100, 200}}, {}}), 0u);      // both read
  EXPECT_EQ(t.unitsToWaitFor(Agent::Core, {{}, {{199, 200}}}), 1u);      // write after read
  EXPECT_EQ(t.unitsToWaitFor(Agent::Core, {{{399, 700}}, {}}), 5u);      // read after write
  EXPECT_EQ(t.unitsToWaitFor(Agent::Dma0, {{}, {{300, 400}}}), 0u);      // ordered in the channel
  EXPECT_EQ(t.unitsToWaitFor(Agent::Array, {{{550, 551}}, {}}), 4u);     // array against drain
  EXPECT_EQ(t.unitsToWaitFor(Agent::Dma1, {{{200, 300}}, {{400, 500}}}), 0u);
  t.completed(2, 1);
  EXPECT_EQ(t.unitsToWaitFor(Agent::Core, {{{500, 600}}, {}}), 0u);
  t.completed(0, 1);
  EXPECT_TRUE(t.idle());
}

} // namespace
} // namespace npu::fuzz
