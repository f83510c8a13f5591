// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of instructions by operand and hazard: what a short program does, and only that.

#include "instruction_coverage.h"

#include "program.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

namespace npu::test {
namespace {

class CoverageTest : public testing::Test {
protected:
  // Tests of one program run side by side: each process has its own file.
  CoverageTest()
      : file(testing::TempDir() + "npu-coverage-test-" + std::to_string(getpid()) + ".tsv") {}
  ~CoverageTest() override { std::filesystem::remove(file); }

  // The bins that this program hits, as they are written.
  std::set<std::string> hits(Program &program) {
    InstructionCoverage coverage;
    EXPECT_TRUE(coverage.add(file));
    program.load();
    for (size_t n = 0; n < program.code.words().size(); ++n) {
      uint32_t word = 0;
      program.model.readMemory(program.model.pc(), &word, sizeof word);
      RetireEvent event;
      // The checker's model has not executed yet what the event tells.
      Program before;
      for (unsigned reg = 1; reg < 32; ++reg)
        before.model.setReg(reg, program.model.reg(reg));
      for (unsigned reg = 0; reg < 32; ++reg)
        before.model.setVectorReg(reg, program.model.vectorReg(reg));
      program.model.step(event);
      coverage.observe(event, before.model);
    }
    EXPECT_TRUE(coverage.write(file));
    std::set<std::string> names;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      if (!line.ends_with("\t0"))
        names.insert(line);
    return names;
  }

  std::string file;
};

TEST_F(CoverageTest, OperandsAndHazards) {
  Program p;
  p.model.setReg(5, NPU_TCM_BASE + 2);
  p.model.setReg(6, 0x80000000);
  p.code.i(Insn::LB, 7, 5, 0);           // 0 there
  p.code.r(Insn::ADD, 8, 6, 7);
  p.code.r(Insn::V_ADD_B, 1, 2, 2);
  p.code.emit(Insn::V_BCAST_B, {3, 8, 0, 0});
  p.code.r(Insn::V_AND, 1, 1, 3);
  p.code.i(Insn::V_LD, 1, 5, 0);         // from an odd half word: reaches the 17th word
  EXPECT_EQ(hits(p), (std::set<std::string>{
                         "lb\tfirst\tTCM\tnew path\t1",
                         "add\tfirst\tmin\tbehind load\t1",
                         "add\tsecond\t0\tbehind load\t1",
                         "v.add.b\tfirst\tzero\tnone\t1",
                         "v.add.b\tsecond\tzero\tnone\t1",
                         "v.bcast.b\tfirst\tmin\tnear alu\t1",
                         "v.and\tfirst\tzero\tbehind v.alu\t1",
                         "v.and\tsecond\tzero\tbehind v.alu\t1",
                         "v.ld\tfirst\tTCM in 17 words\tnone\t1"}));
}

TEST_F(CoverageTest, CountsAddUpAndOtherFilesAreRefused) {
  for (const char *count : {"1", "2"}) {
    Program p;
    p.code.i(Insn::ADDI, 5, 0, 1);
    EXPECT_EQ(hits(p), std::set<std::string>{std::string("addi\tfirst\t0\tnew path\t") + count});
  }
  std::ofstream(file) << "add\tfirst\t0\tno such hazard\t1\n";
  EXPECT_FALSE(InstructionCoverage{}.add(file));
}

} // namespace
} // namespace npu::test
