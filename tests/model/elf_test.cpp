// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executables that must be refused, each with one line that names the file and the rule.

#include "assembler.h"
#include "elf_image.h"
#include "generated/npu_platform.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>

namespace npu::test {
namespace {

using Bytes = std::vector<uint8_t>;

// Offsets in ELF32 structures.
constexpr size_t kClass = 4, kData = 5, kType = 16, kMachine = 18, kEntry = 24, kShOffset = 32,
                 kFlags = 36, kPhNum = 44, kShEntSize = 46, kShNum = 48, kPhdr = 52;
constexpr size_t kPOffset = 4, kPFileSize = 16, kPMemSize = 20;

void put32(Bytes &bytes, size_t at, uint32_t value) { std::memcpy(&bytes[at], &value, 4); }

class ElfTest : public testing::Test {
protected:
  Bytes good = fuzz::makeElf(NPU_ITCM_BASE, {{NPU_ITCM_BASE, Bytes(64, 0x13)},
                                             {NPU_DRAM_BASE, Bytes{1, 2, 3, 4, 5}}});
  // Several processes may run parts of this test at the same time.
  std::string path = testing::TempDir() + "npu-elf-test-" + std::to_string(getpid()) + ".elf";

  std::string load(const Bytes &bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    std::string error;
    image = ElfImage::load(path, *MachineConfig::find("default"), error);
    std::remove(path.c_str());
    EXPECT_EQ(image.has_value(), error.empty());
    return error;
  }

  std::optional<ElfImage> image;
};

TEST_F(ElfTest, GoodOne) {
  EXPECT_EQ(load(good), "");
  ASSERT_EQ(image->segments.size(), 2u);
  EXPECT_EQ(image->segments[1].address, NPU_DRAM_BASE);
  EXPECT_EQ(image->segments[1].bytes, (Bytes{1, 2, 3, 4, 5}));
  EXPECT_EQ(image->entry, NPU_ITCM_BASE);
  EXPECT_FALSE(image->symbol("tohost"));
}

TEST_F(ElfTest, ZeroFilledTail) {
  put32(good, kPhdr + 32 + kPMemSize, 9);
  EXPECT_EQ(load(good), "");
  EXPECT_EQ(image->segments[1].bytes, (Bytes{1, 2, 3, 4, 5, 0, 0, 0, 0}));
}

TEST_F(ElfTest, Refusals) {
  const struct {
    const char *what;
    std::function<void(Bytes &)> damage;
    const char *message;
  } kCases[] = {
      {"magic", [](Bytes &b) { b[1] = 'F'; }, "not an ELF file"},
      {"empty", [](Bytes &b) { b.clear(); }, "not an ELF file"},
      {"64-bit", [](Bytes &b) { b[kClass] = 2; }, "class 2 is not 32-bit"},
      {"big endian", [](Bytes &b) { b[kData] = 2; }, "byte order 2 is not little endian"},
      {"x86", [](Bytes &b) { b[kMachine] = 3; }, "machine 3 is not RISC-V"},
      {"object file", [](Bytes &b) { b[kType] = 1; }, "type 1 is not an executable"},
      {"compressed code", [](Bytes &b) { b[kFlags] = 1; }, "compressed instructions"},
      {"hard float", [](Bytes &b) { b[kFlags] = 4; }, "hard-float"},
      {"odd entry", [](Bytes &b) { b[kEntry] = 2; }, "not a multiple of 4"},
      {"entry in TCM", [](Bytes &b) { put32(b, kEntry, NPU_TCM_BASE); }, "entry 0x20000000"},
      {"cut in the header", [](Bytes &b) { b.resize(40); }, "truncated"},
      {"cut in the segments", [](Bytes &b) { b.resize(b.size() - 3); }, "truncated: the segment"},
      {"headers cut", [](Bytes &b) { b.resize(80); }, "truncated"},
      {"section headers cut",
       [](Bytes &b) {
         put32(b, kShOffset, static_cast<uint32_t>(b.size()));
         b[kShEntSize] = 40;
         b[kShNum] = 2;
         b.resize(b.size() + 79);
       },
       "truncated: section"},
      {"no segment", [](Bytes &b) { b[kPhNum] = 0; }, "nothing to load"},
      {"outside", [](Bytes &b) { put32(b, kPhdr + 8, 0x1000), put32(b, kPhdr + 12, 0x1000); },
       "0x00001000 of 64 bytes is not inside one memory of the configuration 'default'"},
      {"over the end",
       [](Bytes &b) { put32(b, kPhdr + kPMemSize, NPU_DEFAULT_ITCM_SIZE + 1); },
       "is not inside one memory"},
      {"overlap",
       [](Bytes &b) {
         put32(b, kPhdr + 32 + 8, NPU_ITCM_BASE + 60);
         put32(b, kPhdr + 32 + 12, NPU_ITCM_BASE + 60);
       },
       "overlap"},
      {"file larger than memory", [](Bytes &b) { put32(b, kPhdr + kPMemSize, 10); },
       "64 bytes in the file but 10 in memory"},
      {"offset wraps", [](Bytes &b) { put32(b, kPhdr + kPOffset, 0xfffffff0); }, "truncated"},
      {"huge", [](Bytes &b) { put32(b, kPhdr + kPFileSize, 0xfffffff0); }, "truncated"},
  };
  for (const auto &c : kCases) {
    Bytes bytes = good;
    c.damage(bytes);
    const std::string error = load(bytes);
    EXPECT_NE(error.find(c.message), std::string::npos) << c.what << ": " << error;
    EXPECT_EQ(error.find(path), 0u) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST_F(ElfTest, EveryTruncationIsRefused) {
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(load(Bytes(good.begin(), good.begin() + static_cast<long>(size))), "") << size;
}

TEST_F(ElfTest, MissingFile) {
  std::string error;
  EXPECT_FALSE(ElfImage::load("/nonexistent/x.elf", *MachineConfig::find("default"), error));
  EXPECT_EQ(error, "/nonexistent/x.elf: No such file or directory");
  EXPECT_FALSE(ElfImage::load("/dev/zero", *MachineConfig::find("default"), error));
  EXPECT_EQ(error, "/dev/zero: not a regular file");
}

} // namespace
} // namespace npu::test
