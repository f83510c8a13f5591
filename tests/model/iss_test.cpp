// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-iss from the outside: statuses, streams, options and the lines it prints.

#include "assembler.h"
#include "generated/npu_platform.h"
#include "semihosting.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace npu::test {
namespace {

struct Outcome {
  int status;
  std::string out, err;
};

class IssTest : public testing::Test {
protected:
  IssTest() {
    char pattern[] = "/tmp/npu-iss-test-XXXXXX";
    folder = mkdtemp(pattern);
  }
  ~IssTest() override { std::filesystem::remove_all(folder); }

  static std::string slurp(const std::string &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  Outcome iss(const std::string &arguments, const std::string &input = "") {
    std::ofstream(folder + "/in") << input;
    const std::string command = limits + NPU_ISS + ' ' + arguments + " <" + folder +
                                "/in >" + folder + "/out 2>" + folder + "/err";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), slurp(folder + "/out"), slurp(folder + "/err")};
  }
  std::string program(const std::vector<fuzz::Data> &data = {}) {
    std::vector<fuzz::Data> pieces = data;
    const auto *bytes = reinterpret_cast<const uint8_t *>(code.words().data());
    pieces.push_back({code.base(), {bytes, bytes + code.words().size() * 4}});
    const auto elf = fuzz::makeElf(code.base(), pieces);
    std::ofstream(folder + "/p.elf", std::ios::binary)
        .write(reinterpret_cast<const char *>(elf.data()), static_cast<std::streamsize>(elf.size()));
    return folder + "/p.elf";
  }
  void semihost(uint32_t operation, uint32_t parameter) {
    code.li(10, operation);
    code.li(11, parameter);
    code.word(Semihosting::kEntryWord);
    code.emit(Insn::EBREAK);
    code.word(Semihosting::kExitWord);
  }
  static fuzz::Data words(uint32_t address, const std::vector<uint32_t> &values) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(values.data());
    return {address, {bytes, bytes + values.size() * 4}};
  }

  std::string folder, limits; // limits: shell commands before the simulator
  fuzz::Section code{NPU_RESET_PC};
};

TEST_F(IssTest, PassesStatusAndStreamsThrough) {
  semihost(0x07, 0); // SYS_READC
  code.li(5, NPU_TCM_BASE);
  code.store(Insn::SB, 10, 5, 0);
  semihost(0x03, NPU_TCM_BASE); // SYS_WRITEC
  semihost(0x20, NPU_TCM_BASE + 16);
  const std::string elf = program({words(NPU_TCM_BASE + 16, {0x20026, 77})});
  const Outcome result = iss(elf, "Q");
  EXPECT_EQ(result.status, 77);
  EXPECT_EQ(result.out, "Q");
  EXPECT_EQ(result.err, "");
}

TEST_F(IssTest, ArgumentsBehindTheProgramAreItsOwn) {
  semihost(0x15, NPU_TCM_BASE);
  semihost(0x04, NPU_TCM_BASE + 0x100);
  semihost(0x18, 0x20026);
  const std::string elf = program({words(NPU_TCM_BASE, {NPU_TCM_BASE + 0x100, 200})});
  const Outcome result = iss("--max-cycles 1000 " + elf + " --trace x");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, elf + " --trace x");
}

TEST_F(IssTest, BoundOfAnEndlessLoop) {
  code.emit(Insn::ADDI);
  code.jal(0, 0);
  const Outcome result = iss("--max-cycles 1000 " + program());
  EXPECT_EQ(result.status, 124);
  EXPECT_NE(result.err.find("stopped after 1000 instructions at pc 0x10000004"), std::string::npos)
      << result.err;
}

TEST_F(IssTest, UnhandledTrapReport) {
  code.i(Insn::LW, 10, 0, 16);
  const Outcome result = iss(program());
  EXPECT_EQ(result.status, 125);
  EXPECT_NE(result.err.find("unhandled trap: load access fault at pc 0x10000000 (lw a0, 16(zero)), "
                            "mtval 0x00000010; no trap handler at mtvec 0x00000000"),
            std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("sp   0x00000000"), std::string::npos) << result.err;
}

TEST_F(IssTest, SleepWithoutEnd) {
  code.emit(Insn::WFI);
  const Outcome result = iss(program());
  EXPECT_EQ(result.status, 124);
  EXPECT_NE(result.err.find("wfi at pc 0x10000000 waits for ever"), std::string::npos);
}

TEST_F(IssTest, StatisticsAndTrace) {
  code.li(5, 3);
  code.r(Insn::MAC_RUN, 6, 0, 5);
  semihost(0x18, 0x20026);
  const Outcome result = iss("--stats " + folder + "/s --trace " + folder + "/t " + program());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(slurp(folder + "/s"),
            "{\"sim\":\"iss\",\"config\":\"default\",\"instret\":6,\"macs\":0,"
            "\"dram_read_bytes\":0,\"dram_write_bytes\":0,\"exit\":0}\n");
  EXPECT_NE(slurp(folder + "/t").find("addi t0, zero, 3"), std::string::npos);
  EXPECT_NE(slurp(folder + "/t").find("mac.run t1, zero, t0"), std::string::npos);
}

TEST_F(IssTest, AnIncompleteTraceIsReported) {
  for (unsigned i = 0; i < 100; ++i)
    code.i(Insn::ADDI, 5, 5, 1);
  semihost(0x18, 0x20026);
  // A limit of 512 bytes stands for a full disk.
  limits = "trap '' XFSZ; ulimit -f 1; ";
  const std::string trace = folder + "/trace";
  const Outcome result = iss("--trace " + trace + ' ' + program());
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "npu-iss: cannot write all of " + trace + ": File too large\n");
}

TEST_F(IssTest, RacesAreFoundOnRequest) {
  code.li(5, NPU_TCM_BASE);
  code.r(Insn::DMA_START, 6, 5, 0);
  code.store(Insn::SW, 0, 5, 0); // the descriptor
  semihost(0x18, 0x20026);
  const std::string elf = program();
  EXPECT_EQ(iss(elf).status, 0);
  const Outcome result = iss("--check-races " + elf);
  EXPECT_EQ(result.status, 125);
  EXPECT_NE(result.err.find("race at byte 0x20000000"), std::string::npos) << result.err;
}

TEST_F(IssTest, BadCommandLinesAreOneLine) {
  code.jal(0, 0);
  const std::string elf = program();
  const struct {
    std::string arguments, message;
  } kCases[] = {
      {"", "no program given"},
      {"--unknown " + elf, "'--unknown'"},
      {"--max-cycles ten " + elf, "--max-cycles ten: a positive number is needed"},
      {"--max-cycles 0 " + elf, "--max-cycles 0"},
      {"--config huge " + elf, "--config huge: the configurations are default and large"},
      {"/nonexistent.elf", "/nonexistent.elf: No such file or directory"},
      {"/etc/passwd", "/etc/passwd: not an ELF file"},
      {"--trace /nonexistent/t " + elf, "cannot write /nonexistent/t: No such file or directory"},
  };
  for (const auto &c : kCases) {
    const Outcome result = iss(c.arguments);
    EXPECT_EQ(result.status, 2) << c.arguments;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << c.arguments << ": " << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  }
}

} // namespace
} // namespace npu::test
