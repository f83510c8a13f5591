// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debug port: halt before EBREAK or any instruction, registers, CSRs and memory in the halt, and
// ways out of it.

#include "program.h"

namespace npu::rtl::test {
namespace {

class Debug : public ::testing::Test {
protected:
  void start(const Section &code) {
    machine->haltOnEbreak(true);
    machine->reset(code.base());
    machine->writeMemory(code.base(), code.words().data(), code.words().size() * 4);
    runToHalt();
  }

  void runToHalt() {
    for (unsigned n = 0; n < 1000 && !machine->halted(); ++n)
      machine->cycle();
    ASSERT_TRUE(machine->halted());
  }

  // Runs until an instruction at pc retires or traps.
  RetireEvent runTo(uint32_t pc) {
    for (unsigned n = 0; n < 1000; ++n) {
      machine->cycle();
      if (machine->retired() && machine->event().pc == pc)
        return machine->event();
    }
    ADD_FAILURE() << "pc not reached";
    return {};
  }

  std::unique_ptr<Machine> machine =
      Machine::create(*MachineConfig::find("default"), {20, 16}, "");
};

TEST_F(Debug, RegistersOfTheHaltedCore) {
  Section code(NPU_ITCM_BASE);
  for (unsigned number = 1; number < 32; ++number)
    code.i(Insn::ADDI, number, zero, static_cast<int32_t>(number * 3));
  const uint32_t ebreak = code.pc();
  code.emit(Insn::EBREAK);
  code.r(Insn::ADD, a2, a0, a1);
  start(code);
  EXPECT_EQ(machine->pc(), ebreak);
  EXPECT_EQ(machine->counters().retired, 31u); // not the ebreak
  for (unsigned number = 0; number < 32; ++number)
    EXPECT_EQ(machine->readRegister(number), number * 3) << "x" << number;
  machine->writeRegister(a0, 1000);
  machine->writeRegister(zero, 5);
  EXPECT_EQ(machine->readRegister(a0), 1000u);
  EXPECT_EQ(machine->readRegister(zero), 0u);
  machine->resume(ebreak + 4);
  EXPECT_EQ(runTo(ebreak + 4).rdValue, 1000u + a1 * 3);
}

TEST_F(Debug, MemoryThroughTheCore) {
  Section code(NPU_ITCM_BASE);
  code.emit(Insn::EBREAK);
  start(code);
  for (const uint32_t base : {NPU_ITCM_BASE + 0x800u, kData, NPU_DRAM_BASE + 0x10u}) {
    EXPECT_TRUE(machine->writeThroughCore(base, 4, 0x44332211));
    EXPECT_TRUE(machine->writeThroughCore(base + 1, 1, 0xAA));
    uint32_t value = 0;
    EXPECT_TRUE(machine->readThroughCore(base, 4, value));
    EXPECT_EQ(value, 0x4433AA11u);
    EXPECT_TRUE(machine->readThroughCore(base + 2, 2, value));
    EXPECT_EQ(value & 0xFFFF, 0x4433u);
    uint32_t direct = 0;
    EXPECT_TRUE(machine->readMemory(base, &direct, 4));
    EXPECT_EQ(direct, 0x4433AA11u);
  }
  uint32_t value;
  EXPECT_FALSE(machine->readThroughCore(0x100, 4, value));
  EXPECT_FALSE(machine->writeThroughCore(kData + 2, 4, 0));
  EXPECT_TRUE(machine->halted());
}

TEST_F(Debug, ResumeWithTrapIsABreakpoint) {
  Section code = startWithHandler();
  const uint32_t ebreak = code.pc();
  code.emit(Insn::EBREAK);
  start(code);
  machine->resumeWithTrap();
  ASSERT_TRUE(machine->retired());
  EXPECT_EQ(machine->event().kind, RetireEvent::Kind::Trap);
  EXPECT_EQ(machine->event().cause, static_cast<uint32_t>(Cause::Breakpoint));
  EXPECT_EQ(machine->event().tval, ebreak);
  EXPECT_FALSE(machine->halted());
}

TEST_F(Debug, ResumeElsewhere) {
  Section code(NPU_ITCM_BASE);
  code.emit(Insn::EBREAK);
  code.i(Insn::ADDI, a0, zero, 1);
  code.i(Insn::ADDI, a0, a0, 2);
  code.emit(Insn::EBREAK);
  start(code);
  machine->resume(code.base() + 8);
  runToHalt();
  EXPECT_EQ(machine->readRegister(a0), 2u);
}

TEST_F(Debug, HaltInFrontOfAnInstruction) {
  // Long ones among them: whatever is in execute has had no effect yet.
  Section code(NPU_ITCM_BASE);
  code.i(Insn::ADDI, a0, zero, 40);
  code.i(Insn::ADDI, a1, zero, 3);
  code.r(Insn::DIV, a2, a0, a1);
  code.r(Insn::MUL, a3, a0, a1);
  code.i(Insn::ADDI, a0, a0, 2);
  code.emit(Insn::ECALL); // traps to address 0, which cannot be fetched
  machine->reset(code.base());
  machine->writeMemory(code.base(), code.words().data(), code.words().size() * 4);
  const uint32_t expected[][4] = {
      {0, 0, 0, 0}, {40, 0, 0, 0}, {40, 3, 0, 0}, {40, 3, 13, 0}, {40, 3, 13, 120},
      {42, 3, 13, 120}};
  for (unsigned n = 0; n < 6; ++n) {
    for (unsigned cycle = 0; cycle < 100 && !machine->atInstruction(); ++cycle)
      machine->cycle();
    machine->halt();
    ASSERT_TRUE(machine->halted());
    ASSERT_EQ(machine->pc(), code.base() + 4 * n);
    for (unsigned number = 0; number < 4; ++number)
      EXPECT_EQ(machine->readRegister(a0 + number), expected[n][number]) << n;
    EXPECT_EQ(machine->counters().retired, n);
    machine->resume(machine->pc());
    if (n == 5)
      break;
    runTo(code.base() + 4 * n);
  }
  EXPECT_EQ(runTo(code.base() + 20).cause, static_cast<uint32_t>(Cause::Ecall));
}

TEST_F(Debug, CsrsOfTheHaltedCore) {
  Section code(NPU_ITCM_BASE);
  code.emit(Insn::EBREAK);
  code.csr(Insn::CSRRS, a0, Csr::mscratch, zero);
  code.csr(Insn::CSRRS, a1, Csr::minstret, zero);
  start(code);
  const auto number = [](Csr csr) { return static_cast<unsigned>(csr); };
  machine->writeCsr(number(Csr::mscratch), 0x12345678);
  machine->writeCsr(number(Csr::nrowlen), 0x1ffff);
  machine->writeCsr(number(Csr::ninfo), 0);
  EXPECT_EQ(machine->readCsr(number(Csr::mscratch)), 0x12345678u);
  EXPECT_EQ(machine->readCsr(number(Csr::nrowlen)), 0xffffu);
  EXPECT_EQ(machine->readCsr(number(Csr::ninfo)) & 0xff, unsigned{NPU_MAC_ROWS});
  EXPECT_EQ(machine->readCsr(number(Csr::minstret)), 0u); // an access retires nothing
  EXPECT_EQ(machine->readRegister(a0), 0u);
  machine->resume(code.base() + 4);
  EXPECT_EQ(runTo(code.base() + 4).rdValue, 0x12345678u);
  EXPECT_EQ(runTo(code.base() + 8).rdValue, 1u);
}

// Code in DRAM that the host replaces: what was fetched and cached before must not run.
TEST_F(Debug, ResumeFetchesChangedCode) {
  Section code(NPU_DRAM_BASE);
  code.i(Insn::ADDI, a0, zero, 1);
  code.emit(Insn::EBREAK);
  code.i(Insn::ADDI, a0, zero, 2);
  start(code);
  Section changed(NPU_DRAM_BASE);
  changed.i(Insn::ADDI, a0, zero, 5);
  machine->writeMemory(code.base(), changed.words().data(), 4);
  machine->resume(code.base(), true);
  EXPECT_EQ(runTo(code.base()).rdValue, 5u);
}

TEST_F(Debug, MemoryContentsFromOutside) {
  std::vector<uint8_t> bytes(300), back(300);
  for (size_t n = 0; n < bytes.size(); ++n)
    bytes[n] = static_cast<uint8_t>(n * 7);
  for (const uint32_t base : {NPU_ITCM_BASE + 1, NPU_TCM_BASE + 3, NPU_DRAM_BASE + 5}) {
    EXPECT_TRUE(machine->writeMemory(base, bytes.data(), bytes.size()));
    EXPECT_TRUE(machine->readMemory(base, back.data(), back.size()));
    EXPECT_EQ(back, bytes);
  }
  EXPECT_FALSE(machine->readMemory(NPU_TCM_BASE + NPU_DEFAULT_TCM_SIZE - 1, back.data(), 2));
  EXPECT_FALSE(machine->writeMemory(0, bytes.data(), 1));
}

} // namespace
} // namespace npu::rtl::test
