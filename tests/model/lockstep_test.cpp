// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checker against a second model that plays the implementation, correct and with faults.

#include "lockstep.h"

#include "generator.h"
#include "program.h"

#include <functional>

namespace npu::test {
namespace {

using Kind = RetireEvent::Kind;

class LockstepTest : public testing::Test {
protected:
  LockstepTest()
      : checker(defaultConfig(), [this](uint32_t address, uint8_t *out, size_t bytes) {
          return dut.model.readMemory(address, out, bytes);
        }) {}

  void start() {
    dut.load();
    ElfImage image;
    image.entry = NPU_RESET_PC;
    const auto *bytes = reinterpret_cast<const uint8_t *>(dut.code.words().data());
    image.segments.push_back(
        {NPU_RESET_PC, {bytes, bytes + dut.code.words().size() * 4}});
    checker.load(image);
  }
  // Runs the implementation for some steps; tamper may change what it reports.
  bool steps(unsigned count, const std::function<void(RetireEvent &)> &tamper = {}) {
    for (unsigned n = 0; n < count; ++n) {
      RetireEvent event;
      dut.model.step(event);
      if (tamper)
        tamper(event);
      if (!checker.check(event))
        return false;
    }
    return true;
  }
  bool allSteps(const std::function<void(RetireEvent &)> &tamper = {}) {
    start();
    return steps(static_cast<unsigned>(dut.code.words().size()), tamper);
  }
  void setBoth(unsigned reg, uint32_t value) {
    dut.model.setReg(reg, value);
    checker.hostWroteRegister(reg, value);
  }
  void writeBoth(uint32_t address, const void *bytes, size_t size) {
    dut.model.writeMemory(address, bytes, size);
    checker.hostWroteMemory(address, bytes, size);
  }
  void expectReport(const char *what) const {
    EXPECT_NE(checker.report().find(what), std::string::npos) << checker.report();
  }

  Program dut;
  Lockstep checker;
};

TEST_F(LockstepTest, EachFieldOfAnEventIsCompared) {
  const struct {
    const char *message;
    std::function<void(RetireEvent &)> tamper;
  } kCases[] = {
      {"pc: 0x10000010, expected 0x1000000c", [](RetireEvent &e) { e.pc += 4; }},
      {"instruction word", [](RetireEvent &e) { e.insn ^= 1u << 20; }},
      {"bytes stored (mask)", [](RetireEvent &e) { e.memWriteMask = 3; }},
      {"memory address", [](RetireEvent &e) { e.memAddress += 4; }},
      {"stored value: 0x00000001", [](RetireEvent &e) { e.memWriteData ^= 1; }},
      {"register written", [](RetireEvent &e) { e.rd = 3; }},
      {"expected: 0x1000000c", [](RetireEvent &e) { e.kind = Kind::Trap, e.cause = 7; }},
  };
  for (const auto &c : kCases) {
    Program program;
    Lockstep fresh(defaultConfig(), [](uint32_t, uint8_t *, size_t) { return true; });
    fuzz::Section &code = program.code;
    code.li(5, NPU_TCM_BASE + 0x10);
    code.i(Insn::LW, 6, 5, 0);
    code.store(Insn::SW, 6, 5, 4);
    program.load();
    fresh.hostWroteMemory(code.base(), code.words().data(), code.words().size() * 4);
    RetireEvent event;
    for (unsigned n = 0; n < 3; ++n) {
      program.model.step(event);
      ASSERT_TRUE(fresh.check(event)) << fresh.report();
    }
    program.model.step(event);
    c.tamper(event);
    EXPECT_FALSE(fresh.check(event));
    EXPECT_NE(fresh.report().find(c.message), std::string::npos) << fresh.report();
    EXPECT_FALSE(fresh.check(event)); // no way on
  }
}

TEST_F(LockstepTest, WrongResultIsReportedWithHistoryAndRegisters) {
  dut.code.i(Insn::ADDI, 10, 0, 5);
  dut.code.i(Insn::ADDI, 11, 10, 1);
  EXPECT_FALSE(allSteps([](RetireEvent &e) { e.rdValue += e.rd == 11; }));
  expectReport("a1: 0x00000007, expected 0x00000006");
  expectReport("at 0x10000004  00150593  addi a1, a0, 1");
  expectReport("0x10000000  00500513  addi a0, zero, 5");
  expectReport("a0   0x00000005");
}

TEST_F(LockstepTest, TrapCauseAndValue) {
  for (bool cause : {true, false}) {
    Program program;
    Lockstep fresh(defaultConfig(), [](uint32_t, uint8_t *, size_t) { return true; });
    program.code.word(0);
    program.load();
    RetireEvent event;
    program.model.step(event);
    (cause ? event.cause : event.tval) ^= 1;
    EXPECT_FALSE(fresh.check(event));
    EXPECT_NE(fresh.report().find(cause ? "mcause" : "mtval"), std::string::npos);
  }
}

// The low half of the implementation's counter has wrapped, that of the model is about to.
TEST_F(LockstepTest, AWrapBetweenTheHalvesOfACounter) {
  for (const Csr csr : {Csr::mcycleh, Csr::mcycle, Csr::mcycleh, Csr::mcycle})
    dut.code.csr(Insn::CSRRS, 5, csr, 0);
  start();
  dut.model.setCycle(0xfffffff0);
  ASSERT_TRUE(steps(1)) << checker.report();
  dut.model.setCycle(0x100000010);
  EXPECT_TRUE(steps(3)) << checker.report();
}

// An external interrupt that is taken, read and missed: the level may be seen late.
TEST_F(LockstepTest, ExternalInterrupt) {
  constexpr uint32_t kExternal = 1u << kExternalInterrupt;
  for (const bool level : {false, true}) {
    Program program;
    Lockstep fresh(defaultConfig(), [](uint32_t, uint8_t *, size_t) { return true; });
    program.code.csr(Insn::CSRRS, 5, Csr::mip, 0);
    program.code.csr(Insn::CSRRS, 5, Csr::mip, 0);
    program.load();
    fresh.hostWroteMemory(program.code.base(), program.code.words().data(), 8);
    fresh.setExternalInterrupt(level, 10);
    RetireEvent event;
    event.pc = NPU_RESET_PC;
    event.insn = program.code.words()[0];
    event.rd = 5;
    event.cycle = 12;
    event.rdValue = level ? 0 : kExternal; // the level before, which may still be seen
    EXPECT_EQ(fresh.check(event), level) << fresh.report();
    if (!level)
      continue;
    event.pc += 4;
    event.cycle = 40;
    EXPECT_FALSE(fresh.check(event));
    EXPECT_NE(fresh.report().find("the external interrupt is 1"), std::string::npos);
  }
}

// Where two rows of a chain meet an error response, either may be the one that is reported.
TEST(StatusTracker, KnowsTwoFaultsOfOneOperation) {
  StatusTracker tracker;
  tracker.addEvent(1, 0x100, 0x200);
  tracker.addEvent(2, 0x300);
  EXPECT_TRUE(tracker.faultMayBe(0x200) && tracker.faultMayBe(0x100) && tracker.faultMayBe(0));
  tracker.completeUpTo(2);
  EXPECT_TRUE(tracker.faultMayBe(0x200) && tracker.faultMayBe(0x100));
  EXPECT_FALSE(tracker.faultMayBe(0) || tracker.faultMayBe(0x300));
  tracker.observeFault(0x200);
  EXPECT_FALSE(tracker.faultMayBe(0x100));
}

TEST_F(LockstepTest, CountersAreFollowedForwardOnly) {
  dut.code.csr(Insn::CSRRS, 5, Csr::mcycle, 0);
  dut.code.csr(Insn::CSRRS, 6, Csr::mcycle, 0);
  dut.code.r(Insn::SUB, 7, 6, 5);
  start();
  dut.model.setCycle(1000);
  ASSERT_TRUE(steps(1)) << checker.report();
  dut.model.setCycle(1500);
  ASSERT_TRUE(steps(2)) << checker.report();
  EXPECT_EQ(checker.model().reg(7), 500u);

  Program program;
  Lockstep fresh(defaultConfig(), [](uint32_t, uint8_t *, size_t) { return true; });
  fuzz::Section &code = program.code;
  for (unsigned n = 0; n < 10; ++n)
    code.emit(Insn::ADDI);
  code.csr(Insn::CSRRS, 5, Csr::cycle, 0);
  program.load();
  fresh.hostWroteMemory(code.base(), code.words().data(), code.words().size() * 4);
  RetireEvent event;
  for (unsigned n = 0; n < 10; ++n) {
    program.model.step(event);
    ASSERT_TRUE(fresh.check(event));
  }
  program.model.setCycle(3);
  program.model.step(event);
  EXPECT_FALSE(fresh.check(event));
}

TEST_F(LockstepTest, InterruptsMustBeEnabledAndPossible) {
  start();
  RetireEvent interrupt;
  interrupt.kind = Kind::Interrupt;
  interrupt.pc = NPU_RESET_PC;
  interrupt.cause = kSoftwareInterrupt;
  Lockstep disabled(defaultConfig(), nullptr);
  EXPECT_FALSE(disabled.check(interrupt));
  EXPECT_NE(disabled.report().find("not enabled"), std::string::npos);
  checker.model().writeCsr(number(Csr::mie), 1u << kSoftwareInterrupt);
  checker.model().writeCsr(number(Csr::mstatus), 8);
  EXPECT_FALSE(checker.check(interrupt));
  expectReport("cannot be pending");
}

TEST_F(LockstepTest, AnInterruptThatIsNotTakenIsFound) {
  setBoth(5, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MSIP);
  setBoth(6, 1u << kSoftwareInterrupt);
  dut.code.csr(Insn::CSRRW, 0, Csr::mie, 6);
  dut.code.csr(Insn::CSRRSI, 0, Csr::mstatus, 8);
  dut.code.store(Insn::SW, 6, 5, 0); // bit 0 is clear: nothing pending
  for (unsigned n = 0; n < 40; ++n)
    dut.code.emit(Insn::ADDI);
  setBoth(7, 1);
  dut.code.store(Insn::SW, 7, 5, 0);
  for (unsigned n = 0; n < 40; ++n)
    dut.code.emit(Insn::ADDI);
  dut.model.followHost(); // an implementation that never interrupts
  EXPECT_FALSE(allSteps());
  expectReport("(mip & mie has 0x00008) was not taken for 32 instructions");
}

// --- Asynchronous operations ---

class AsyncTest : public LockstepTest {
protected:
  static constexpr uint32_t kDescriptor = NPU_TCM_BASE + 0x100, kOut = NPU_TCM_BASE + 0x8000;

  void fillDescriptor(uint32_t at, uint32_t address, uint8_t value, uint32_t flags = 0) {
    const uint32_t words[16] = {value, address, 16, 1, 0, 0, 1, 0, 0, 1 | flags};
    writeBoth(at, words, sizeof words);
  }
};

TEST_F(AsyncTest, WrongBytesAreFoundByEachKindOfWait) {
  for (unsigned kind = 0; kind < 3; ++kind) {
    Program program;
    Lockstep fresh(defaultConfig(), [&](uint32_t address, uint8_t *out, size_t bytes) {
      return program.model.readMemory(address, out, bytes);
    });
    const uint32_t words[16] = {0x77, kOut, 16, 1, 0, 0, 1, 0, 0, 1};
    program.model.writeMemory(kDescriptor, words, sizeof words);
    fresh.hostWroteMemory(kDescriptor, words, sizeof words);
    program.model.setReg(5, kDescriptor);
    fresh.hostWroteRegister(5, kDescriptor);
    program.code.r(Insn::DMA_START, 6, 5, 1);
    program.code.emit(Insn::ADDI);
    if (kind == 0)
      program.code.r(Insn::NPU_WAIT, 0, 6, 0);
    else if (kind == 1)
      program.code.r(Insn::NPU_POLL, 7, 6, 0);
    else
      program.code.r(Insn::NPU_FENCE, 0, 0, 2);
    program.load();
    fresh.hostWroteMemory(NPU_RESET_PC, program.code.words().data(), 12);
    RetireEvent event;
    for (unsigned n = 0; n < 2; ++n) {
      program.model.step(event);
      ASSERT_TRUE(fresh.check(event)) << fresh.report();
    }
    const uint8_t wrong = 0x78;
    program.model.writeMemory(kOut + 9, &wrong, 1);
    program.model.step(event);
    EXPECT_FALSE(fresh.check(event));
    EXPECT_NE(fresh.report().find("byte 0x20008009: 0x78, expected 0x77; written by operation 1 "
                                  "of the DMA channel 1"),
              std::string::npos)
        << fresh.report();
  }
}

TEST_F(AsyncTest, BytesOfYoungerOperationsAreLeftToThem) {
  fillDescriptor(kDescriptor, kOut, 1);
  fillDescriptor(kDescriptor + 64, kOut + 8, 2);
  setBoth(5, kDescriptor);
  setBoth(6, kDescriptor + 64);
  dut.code.r(Insn::DMA_START, 10, 5, 0);
  dut.code.r(Insn::DMA_START, 11, 6, 0);
  dut.code.r(Insn::NPU_WAIT, 0, 10, 0);
  dut.code.r(Insn::NPU_WAIT, 0, 11, 0);
  start();
  ASSERT_TRUE(steps(2));
  // The second operation has not written yet: its bytes do not matter for the first wait.
  const uint8_t old[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  dut.model.writeMemory(kOut + 8, old, sizeof old);
  ASSERT_TRUE(steps(1)) << checker.report();
  EXPECT_FALSE(steps(1));
  expectReport("written by operation 2");
}

TEST_F(AsyncTest, PollMayBeZeroUntilTheTicketIsKnownToBeComplete) {
  fillDescriptor(kDescriptor, kOut, 1);
  setBoth(5, kDescriptor);
  dut.code.r(Insn::DMA_START, 10, 5, 0);
  dut.code.r(Insn::NPU_POLL, 11, 10, 0);
  dut.code.r(Insn::NPU_POLL, 12, 10, 0);
  dut.code.r(Insn::NPU_POLL, 13, 10, 0);
  start();
  ASSERT_TRUE(steps(1));
  ASSERT_TRUE(steps(1, [](RetireEvent &e) { e.rdValue = 0; })) << checker.report();
  EXPECT_EQ(checker.model().reg(11), 0u);
  ASSERT_TRUE(steps(1)) << checker.report();
  EXPECT_FALSE(steps(1, [](RetireEvent &e) { e.rdValue = 0; }));
  expectReport("returns 0, but it is complete");
}

TEST_F(AsyncTest, StatusMayChangeOnlyBetweenIssueAndWait) {
  setBoth(5, 2); // not a descriptor's address
  dut.code.r(Insn::DMA_START, 10, 5, 0);
  dut.code.csr(Insn::CSRRS, 11, Csr::nstatus, 0);
  dut.code.r(Insn::NPU_WAIT, 0, 10, 0);
  dut.code.csr(Insn::CSRRS, 12, Csr::nfault0, 0);
  dut.code.csr(Insn::CSRRS, 13, Csr::nstatus, 0);
  start();
  ASSERT_TRUE(steps(1));
  ASSERT_TRUE(steps(1, [](RetireEvent &e) { e.rdValue = 0; })) << checker.report(); // not yet
  ASSERT_TRUE(steps(1));
  ASSERT_TRUE(steps(1)) << checker.report();
  EXPECT_EQ(checker.model().reg(12), 2u);
  EXPECT_FALSE(steps(1, [](RetireEvent &e) { e.rdValue = 0; }));
  expectReport("bit 0 must be 1");
}

TEST_F(LockstepTest, TheEndComparesTheScratchpads) {
  dut.code.emit(Insn::ADDI);
  ASSERT_TRUE(allSteps());
  const uint8_t stray = 1;
  dut.model.writeMemory(NPU_TCM_BASE + 0x1234, &stray, 1);
  EXPECT_FALSE(checker.finish(true));
  expectReport("at the end, byte 0x20001234 of TCM: 0x01, expected 0x00");
}

TEST(StatusTracker, KnowsWhatMayHaveHappened) {
  StatusTracker t;
  EXPECT_FALSE(t.mayBe(true));
  t.addEvent(1, 0x100);
  t.addEvent(2, 0x200);
  EXPECT_TRUE(t.mayBe(true));
  EXPECT_TRUE(t.mayBe(false));
  EXPECT_TRUE(t.faultMayBe(0x100));
  EXPECT_FALSE(t.faultMayBe(0x200)); // the first one is kept
  t.clear(); // perhaps between the two events
  EXPECT_TRUE(t.faultMayBe(0x200));
  t.completeUpTo(2);
  EXPECT_TRUE(t.mayBe(true));
  EXPECT_TRUE(t.mayBe(false)); // both may have come before the clearing
  t.observe(true);
  EXPECT_FALSE(t.mayBe(false));
  t.clear();
  EXPECT_FALSE(t.mayBe(true));
}

// Each descriptor of a chain may set the bit anew after it has been cleared.
TEST(StatusTracker, KnowsOperationsThatSignalMoreThanOnce) {
  StatusTracker t;
  t.addRepeatedEvent(1);
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    ASSERT_TRUE(t.mayBe(true) && t.mayBe(false));
    t.observe(true);
    t.clear();
  }
  t.completeUpTo(1);
  EXPECT_TRUE(t.mayBe(true) && t.mayBe(false));
  t.clear();
  EXPECT_FALSE(t.mayBe(true));
}

// --- Vectors ---

// Takes the result of a vector instruction out of the event of a model, as an implementation
// reports it: apart and later.
std::optional<VectorResult> takeVectorResult(const Model &dut, RetireEvent &event) {
  if (event.kind != RetireEvent::Kind::Retire || !isVector(event.insn))
    return {};
  VectorResult result;
  if (info(decode(event.insn)).writesVd) {
    result.reg = static_cast<uint8_t>(rdField(event.insn));
    std::memcpy(result.value.data(), dut.vectorReg(result.reg).data(), kVectorBytes);
    return result;
  }
  if (event.rd == 0)
    return {};
  result.toX = true;
  result.reg = event.rd;
  result.value[0] = event.rdValue;
  event.rd = 0;
  event.rdValue = 0;
  return result;
}

class VectorLockstep : public testing::Test {
protected:
  // One instruction on both sides; the result goes through spoil first.
  bool step(Insn insn, const std::function<void(VectorResult &)> &spoil = {}) {
    const uint32_t word = encode(insn, {10, 2, 0, 0});
    for (Model *model : {&dut, &checker.model()}) {
      model->writeMemory(NPU_RESET_PC, &word, 4);
      model->setPc(NPU_RESET_PC);
    }
    RetireEvent event;
    dut.step(event);
    auto result = takeVectorResult(dut, event);
    if (!checker.check(event))
      return false;
    if (!result)
      return true;
    if (spoil)
      spoil(*result);
    return checker.vectorResult(*result);
  }
  Model dut{defaultConfig()};
  Lockstep checker{defaultConfig(), [this](uint32_t address, uint8_t *out, size_t bytes) {
                     return dut.readMemory(address, out, bytes);
                   }};
};

TEST_F(VectorLockstep, ResultsAgree) {
  EXPECT_TRUE(step(Insn::V_ID_B)) << checker.report();
  EXPECT_TRUE(step(Insn::V_REDSUM_B)) << checker.report();
  EXPECT_TRUE(checker.finish(true)) << checker.report();
}

TEST_F(VectorLockstep, OneWrongBitIsFound) {
  EXPECT_FALSE(step(Insn::V_ID_B, [](VectorResult &result) { result.value[15] ^= 1u << 31; }));
  EXPECT_NE(checker.report().find("v10, word 15"), std::string::npos) << checker.report();
}

TEST_F(VectorLockstep, WrongScalarIsFound) {
  EXPECT_FALSE(step(Insn::V_REDSUM_B, [](VectorResult &result) { result.value[0] += 1; }));
  EXPECT_NE(checker.report().find("a0, word 0"), std::string::npos) << checker.report();
}

TEST_F(VectorLockstep, WrongRegisterIsFound) {
  EXPECT_FALSE(step(Insn::V_ID_B, [](VectorResult &result) { result.reg = 3; }));
  EXPECT_NE(checker.report().find("wrote v3, expected v10"), std::string::npos)
      << checker.report();
}

TEST_F(VectorLockstep, ResultsThatNobodyAskedForAreFound) {
  EXPECT_FALSE(checker.vectorResult({}));
}

// --- Whole programs ---

TEST(Lockstep, RandomProgramsAgreeWithThemselves) {
  for (uint64_t seed = 1000; seed < 1040; ++seed) {
    const fuzz::Program program = fuzz::Generator(seed, defaultConfig(), 3000).generate();
    std::string error;
    const auto image = ElfImage::parse("random", program.contents(), defaultConfig(), error);
    ASSERT_TRUE(image) << error;

    Model dut(defaultConfig());
    Lockstep checker(defaultConfig(), [&](uint32_t address, uint8_t *out, size_t bytes) {
      return dut.readMemory(address, out, bytes);
    });
    checker.load(*image);
    for (const auto &segment : image->segments)
      dut.writeMemory(segment.address, segment.bytes.data(), segment.bytes.size());
    dut.setPc(image->entry);
    dut.stopAtSemihostCalls = true;
    std::optional<StopReason> stop;
    for (unsigned n = 0; n < 1000000 && !stop; ++n) {
      RetireEvent event;
      stop = dut.step(event);
      if (stop == StopReason::Semihost)
        break;
      const auto result = takeVectorResult(dut, event);
      ASSERT_TRUE(checker.check(event)) << "seed " << seed << '\n' << checker.report();
      if (result) {
        ASSERT_TRUE(checker.vectorResult(*result)) << "seed " << seed << '\n' << checker.report();
      }
    }
    EXPECT_EQ(stop, StopReason::Semihost) << "seed " << seed;
    EXPECT_TRUE(checker.finish(true)) << checker.report();
  }
}

} // namespace
} // namespace npu::test
