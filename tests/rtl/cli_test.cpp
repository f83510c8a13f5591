// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-rtl as a program: exit statuses, messages, and the files that it writes.

#include "assembler.h"
#include "semihosting.h"

#include "generated/npu_platform.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace npu {
namespace {

namespace fs = std::filesystem;
using fuzz::Section;

class CommandLine : public ::testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("npu-rtl-test-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  // A program that runs the words and ends with the status.
  std::string program(const std::vector<uint32_t> &words, uint32_t status) {
    Section code(NPU_ITCM_BASE);
    for (const uint32_t word : words)
      code.word(word);
    code.li(11, NPU_TCM_BASE);
    code.li(12, 0x20026);
    code.li(13, status);
    code.store(Insn::SW, 12, 11, 0);
    code.store(Insn::SW, 13, 11, 4);
    code.i(Insn::ADDI, 10, 0, 0x20);
    code.word(Semihosting::kEntryWord);
    code.emit(Insn::EBREAK);
    code.word(Semihosting::kExitWord);
    const auto *bytes = reinterpret_cast<const uint8_t *>(code.words().data());
    return file("program.elf",
                fuzz::makeElf(code.base(), {{code.base(), {bytes, bytes + code.words().size() * 4}}}));
  }

  std::string file(const std::string &name, const std::vector<uint8_t> &bytes) {
    const fs::path path = folder / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path.string();
  }

  std::string read(const fs::path &path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  int run(const std::string &arguments) {
    const fs::path err = folder / "stderr";
    const int status = std::system(
        (NPU_SOURCE_DIR "/build/bin/npu-rtl " + arguments + " 2>" + err.string()).c_str());
    errors = read(err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // Exactly one line that says what is wrong.
  void expectOneLine(const std::string &part) {
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    EXPECT_NE(errors.find(part), std::string::npos) << errors;
  }

  fs::path folder;
  std::string errors;
};

TEST_F(CommandLine, TheProgramsStatus) {
  for (const uint32_t status : {0u, 1u, 77u, 255u})
    EXPECT_EQ(run(program({}, status)), static_cast<int>(status)) << errors;
  EXPECT_EQ(run("--config large --no-lockstep " + program({}, 5)), 5) << errors;
}

TEST_F(CommandLine, BadOptions) {
  const std::string elf = program({}, 0);
  EXPECT_EQ(run("--frobnicate " + elf), 2);
  expectOneLine("frobnicate");
  EXPECT_EQ(run("--config huge " + elf), 2);
  expectOneLine("huge");
  EXPECT_EQ(run("--max-cycles=12x " + elf), 2);
  expectOneLine("12x");
  EXPECT_EQ(run("--dram-bytes-per-cycle 17 " + elf), 2);
  expectOneLine("1..16");
  for (const char *error : {"0x80000000", "0x80000000,0", "0x20000000,16", "0x80000000,16,ok"}) {
    EXPECT_EQ(run("--dram-error " + std::string(error) + ' ' + elf), 2) << error;
    expectOneLine(error);
  }
  EXPECT_EQ(run("--stats"), 2);
  expectOneLine("npu-rtl: option '--stats' requires an argument");
  EXPECT_EQ(run(""), 2);
  expectOneLine("no program");
  EXPECT_EQ(run("--help >/dev/null"), 0);
}

TEST_F(CommandLine, BadFiles) {
  EXPECT_EQ(run((folder / "missing.elf").string()), 2);
  expectOneLine("missing.elf");
  EXPECT_EQ(run(file("text.elf", {'h', 'e', 'l', 'l', 'o', '\n'})), 2);
  expectOneLine("text.elf");
  const std::string elf = program({}, 0);
  fs::resize_file(elf, fs::file_size(elf) - 8);
  EXPECT_EQ(run(elf), 2);
  expectOneLine("program.elf");
  for (const char *option : {"--trace ", "--stats ", "--wave "}) {
    EXPECT_EQ(run(option + (folder / "none" / "x").string() + " " + program({}, 0)), 2);
    expectOneLine("none/x");
  }
  EXPECT_EQ(run("--wave /dev/full " + program({}, 0)), 2);
  expectOneLine("regular file");
  const std::string twice = (folder / "twice").string(), other = (folder / "." / "twice").string();
  for (const char *option : {" --stats ", " --wave ", " --konata "}) {
    EXPECT_EQ(run("--trace " + twice + option + other + " " + program({}, 0)), 2) << option;
    expectOneLine("another output");
  }
}

TEST_F(CommandLine, BoundAndTrap) {
  const std::string loop = program({encode(Insn::JAL, {0, 0, 0, 0})}, 0);
  EXPECT_EQ(run("--max-cycles 1000 " + loop), 124);
  expectOneLine("0x10000000");
  EXPECT_EQ(run(program({encode(Insn::ADDI, {9, 0, 0, 1234}), 0xFFFFFFFF}, 0)), 125);
  EXPECT_NE(errors.find("illegal instruction"), std::string::npos) << errors;
  EXPECT_NE(errors.find("s1   0x000004d2"), std::string::npos) << errors;
}

TEST_F(CommandLine, TraceStatisticsAndWaves) {
  const std::string elf = program({encode(Insn::ADDI, {10, 0, 0, 42})}, 3);
  const fs::path trace = folder / "trace", stats = folder / "stats.json", wave = folder / "w.fst";
  EXPECT_EQ(run("--trace " + trace.string() + " --stats " + stats.string() + " --wave " +
                wave.string() + " " + elf),
            3)
      << errors;
  EXPECT_NE(read(trace).find("10000000 02a00513 addi a0, zero, 42  a0=0000002a"),
            std::string::npos)
      << read(trace);
  const auto json = nlohmann::json::parse(read(stats));
  EXPECT_EQ(json["sim"], "rtl");
  EXPECT_EQ(json["exit"], 3);
  EXPECT_GT(json["cycles"], json["instret"]);
  const std::string lines = read(trace);
  EXPECT_EQ(json["instret"], std::count(lines.begin(), lines.end(), '\n'));
  uint64_t stalls = 0;
  for (const auto &[cause, cycles] : json["stalls"].items())
    stalls += cycles.get<uint64_t>();
  EXPECT_LE(stalls + json["instret"].get<uint64_t>(), json["cycles"].get<uint64_t>());
  EXPECT_GT(fs::file_size(wave), 1000u);
}

} // namespace
} // namespace npu
