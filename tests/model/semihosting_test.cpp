// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "semihosting.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace npu::test {
namespace {

class FakeTarget : public SemihostTarget {
public:
  uint32_t readRegister(unsigned number) override { return registers[number]; }
  void writeRegister(unsigned number, uint32_t value) override { registers[number] = value; }
  bool readMemory(uint32_t address, void *out, size_t bytes) override {
    if (address > memory.size() || bytes > memory.size() - address)
      return false;
    std::memcpy(out, memory.data() + address, bytes);
    return true;
  }
  bool writeMemory(uint32_t address, const void *in, size_t bytes) override {
    if (address > memory.size() || bytes > memory.size() - address)
      return false;
    std::memcpy(memory.data() + address, in, bytes);
    return true;
  }
  uint64_t cycles() override { return 0x1'2345'6789; }

  std::array<uint32_t, 32> registers{};
  std::array<uint8_t, 4096> memory{};
};

class SemihostingTest : public testing::Test {
protected:
  static constexpr uint32_t kBlock = 0x100, kText = 0x200, kBuffer = 0x400;

  SemihostingTest() {
    char pattern[] = "/tmp/npu-semihosting-XXXXXX";
    folder = mkdtemp(pattern);
  }
  ~SemihostingTest() override { std::filesystem::remove_all(folder); }

  uint32_t call(uint32_t operation, std::initializer_list<uint32_t> parameters = {}) {
    uint32_t at = kBlock;
    for (uint32_t parameter : parameters) {
      target.writeMemory(at, &parameter, 4);
      at += 4;
    }
    target.registers[10] = operation;
    target.registers[11] = kBlock;
    alive = host.call(target);
    return target.registers[10];
  }
  uint32_t put(uint32_t address, const std::string &text) {
    target.writeMemory(address, text.c_str(), text.size() + 1);
    return static_cast<uint32_t>(text.size());
  }
  uint32_t open(const std::string &path, uint32_t mode) {
    const uint32_t length = put(kText, path);
    return call(0x01, {kText, mode, length});
  }
  std::string text(uint32_t address, size_t size) const {
    return {reinterpret_cast<const char *>(target.memory.data()) + address, size};
  }

  FakeTarget target;
  Semihosting host{{"prog.elf", "first", "second"}};
  std::string folder;
  bool alive = true;
};

TEST_F(SemihostingTest, WritesReadsSeeksAndMeasuresAFile) {
  const std::string path = folder + "/data";
  const uint32_t out = open(path, 4); // "w"
  ASSERT_NE(out, ~0u);
  put(kBuffer, "hello world");
  EXPECT_EQ(call(0x05, {out, kBuffer, 11}), 0u);
  EXPECT_EQ(call(0x02, {out}), 0u);
  EXPECT_EQ(call(0x02, {out}), ~0u); // closed already

  const uint32_t in = open(path, 0);
  EXPECT_EQ(call(0x0c, {in}), 11u);
  EXPECT_EQ(call(0x0a, {in, 6}), 0u);
  EXPECT_EQ(call(0x06, {in, kBuffer + 0x100, 100}), 95u); // not read
  EXPECT_EQ(text(kBuffer + 0x100, 5), "world");
  EXPECT_EQ(call(0x06, {in, kBuffer, 100}), 100u); // end of file
  EXPECT_EQ(call(0x09, {in}), 0u);                 // not a terminal
  EXPECT_EQ(call(0x02, {in}), 0u);

  const uint32_t append = open(path, 8);
  put(kBuffer, "!");
  EXPECT_EQ(call(0x05, {append, kBuffer, 1}), 0u);
  EXPECT_EQ(call(0x02, {append}), 0u);
  EXPECT_EQ(std::filesystem::file_size(path), 12u);
}

TEST_F(SemihostingTest, TellsItsExtensions) {
  const uint32_t features = open(":semihosting-features", 0);
  EXPECT_EQ(call(0x0c, {features}), 5u);
  EXPECT_EQ(call(0x06, {features, kBuffer, 5}), 0u);
  EXPECT_EQ(text(kBuffer, 5), "SHFB\x03"); // the long exit, stderr apart from stdout
  EXPECT_EQ(call(0x02, {features}), 0u);
}

TEST_F(SemihostingTest, RemoveAndRename) {
  const std::string from = folder + "/a", to = folder + "/b";
  std::ofstream(from) << "x";
  const uint32_t fromLength = put(kText, from), toLength = put(kBuffer, to);
  EXPECT_EQ(call(0x0f, {kText, fromLength, kBuffer, toLength}), 0u);
  EXPECT_TRUE(std::filesystem::exists(to));
  EXPECT_EQ(call(0x0e, {kBuffer, toLength}), 0u);
  EXPECT_FALSE(std::filesystem::exists(to));
  EXPECT_EQ(call(0x0e, {kBuffer, toLength}), ~0u);
  EXPECT_EQ(call(0x13), static_cast<uint32_t>(ENOENT));
}

TEST_F(SemihostingTest, FailuresSayWhy) {
  EXPECT_EQ(open(folder + "/absent", 0), ~0u);
  EXPECT_EQ(call(0x13), static_cast<uint32_t>(ENOENT));
  EXPECT_EQ(open(folder + "/x", 12), ~0u);
  EXPECT_EQ(call(0x13), static_cast<uint32_t>(EINVAL));
  EXPECT_EQ(call(0x06, {77, kBuffer, 1}), ~0u);
  EXPECT_EQ(call(0x13), static_cast<uint32_t>(EBADF));
  EXPECT_EQ(call(0x01, {0xfffffff0, 0, 4}), ~0u); // a name outside memory
  EXPECT_EQ(call(0x13), static_cast<uint32_t>(EFAULT));
  EXPECT_EQ(call(0x12, {kText, 2}), ~0u); // SYS_SYSTEM is refused
  EXPECT_EQ(call(0x13), static_cast<uint32_t>(ENOSYS));
  EXPECT_EQ(call(0x99), ~0u);
  EXPECT_EQ(call(0x08, {~0u}), 1u);
  EXPECT_EQ(call(0x08, {0}), 0u);
  EXPECT_TRUE(alive);
}

TEST_F(SemihostingTest, ConsoleStreamsByMode) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const uint32_t out = open(":tt", 4), err = open(":tt", 8);
  put(kBuffer, "to both");
  EXPECT_EQ(call(0x05, {out, kBuffer, 2}), 0u);
  EXPECT_EQ(call(0x05, {err, kBuffer + 3, 4}), 0u);
  put(kBlock, "zero ended");
  target.registers[10] = 0x04;
  target.registers[11] = kBlock;
  host.call(target);
  target.registers[10] = 0x03;
  host.call(target);
  EXPECT_EQ(call(0x02, {out}), 0u); // the host's stream stays open
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "tozero endedz");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "both");
}

TEST_F(SemihostingTest, CommandLineAndClock) {
  EXPECT_EQ(call(0x15, {kBuffer, 64}), 0u);
  EXPECT_EQ(text(kBuffer, 22), std::string("prog.elf first second\0", 22));
  uint32_t length;
  target.readMemory(kBlock + 4, &length, 4);
  EXPECT_EQ(length, 21u);
  EXPECT_EQ(call(0x15, {kBuffer, 21}), ~0u); // no room for the zero
  EXPECT_EQ(call(0x30), 0u);
  uint64_t ticks;
  target.readMemory(kBlock, &ticks, 8);
  EXPECT_EQ(ticks, 0x1'2345'6789u);
  EXPECT_EQ(call(0x31), Semihosting::kTickFrequency);
  EXPECT_EQ(call(0x10), 0x1'2345'6789u / (Semihosting::kTickFrequency / 100));
}

TEST_F(SemihostingTest, ExitStatus) {
  call(0x20, {0x20026, 42});
  EXPECT_FALSE(alive);
  EXPECT_EQ(host.exitStatus(), 42);
  call(0x20, {0x20023, 0});
  EXPECT_EQ(host.exitStatus(), 1); // not a normal end
  target.registers[10] = 0x18;
  target.registers[11] = 0x20026;
  EXPECT_FALSE(host.call(target));
  EXPECT_EQ(host.exitStatus(), 0);
}

TEST_F(SemihostingTest, TheCallSequenceIsRecognised) {
  const uint32_t words[] = {Semihosting::kEntryWord, 0x00100073, Semihosting::kExitWord};
  target.writeMemory(0x800, words, sizeof words);
  EXPECT_TRUE(Semihosting::isCall(target, 0x804));
  target.writeMemory(0x808, words, 4);
  EXPECT_FALSE(Semihosting::isCall(target, 0x804));
  EXPECT_FALSE(Semihosting::isCall(target, 0));
}

} // namespace
} // namespace npu::test
