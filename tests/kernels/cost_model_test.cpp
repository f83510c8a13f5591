// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model of convolutions and matrix products (kernels/src/conv_cost.c) against the RTL: the layers of the
// benchmarks are run as scripts/npu bench runs them, and what the model expects may be off by 3 %. A sample of short
// layers; all with the environment variable NPU_TEST_ALL.

#include "work_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace npu::test {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 0.03;
const fs::path kRoot = NPU_SOURCE_DIR, kBin = kRoot / "build" / "bin";

struct Program {
  const char *name;
  std::vector<const char *> generated; // layers for npu-kgen
  std::vector<int> sample;             // indices of the layers that run by default
};

std::string shell(const std::string &command) {
  const fs::path log = workFolder() / "log.txt";
  const int status = std::system(("(" + command + ") > " + log.string() + " 2>&1").c_str());
  std::ifstream file(log);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(status, 0) << command << "\n" << text;
  return text;
}

fs::path compile(const Program &program) {
  const fs::path folder = workFolder(), bench = kRoot / "kernels" / "bench", elf = folder / (std::string(program.name) + ".elf");
  std::string sources = (bench / (std::string(program.name) + ".c")).string();
  for (const char *layer : program.generated) {
    shell((kBin / "npu-kgen").string() + " " + (bench / layer).string() + ".json -o " + folder.string());
    sources += " " + (folder / layer).string() + ".c";
  }
  shell((kRoot / "build" / "toolchain" / "bin" / "clang").string() + " --target=npu -O2 -I" + folder.string() + " -I" +
        bench.string() + " -Wl,--gc-sections,--defsym=vfprintf=__i_vfprintf,--defsym=__stack_size=8192 " + sources +
        " -lnpukernels -o " + elf.string());
  return elf;
}

// Checks each line 'BENCH name=NAME cycles=N ... predicted=N ok=1'; how many there are.
int checkLines(const std::string &output) {
  int count = 0;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const auto number = [&](const std::string &field) {
      const size_t at = line.find(" " + field + "=");
      return at == std::string::npos ? 0 : std::strtod(line.c_str() + at + field.size() + 2, nullptr);
    };
    if (line.rfind("BENCH ", 0) != 0)
      continue;
    ++count;
    const double cycles = number("cycles"), predicted = number("predicted");
    const size_t name = line.find("name=") + 5;
    const std::string layer = line.substr(name, line.find(' ', name) - name);
    EXPECT_EQ(number("ok"), 1) << layer << " gives wrong bytes";
    EXPECT_LE(std::abs(predicted - cycles), kTolerance * cycles)
        << layer << ": predicted " << predicted << ", measured " << cycles << " cycles";
  }
  return count;
}

void expectPredicted(const Program &program) {
  const fs::path elf = compile(program);
  ASSERT_TRUE(fs::exists(elf));
  const std::string run = (kBin / "npu-rtl").string() + " --no-lockstep --max-cycles 200000000 " + elf.string();
  if (std::getenv("NPU_TEST_ALL") != nullptr) {
    EXPECT_GT(checkLines(shell(run)), 0);
    return;
  }
  for (const int layer : program.sample)
    EXPECT_EQ(checkLines(shell(run + " " + std::to_string(layer))), 1);
}

TEST(CostModel, Int8ConvolutionsOnRtl) { expectPredicted({"conv_int8", {}, {1, 9, 23, 24, 30}}); }
TEST(CostModel, Int4ConvolutionsOnRtl) { expectPredicted({"conv_int4", {}, {7, 8}}); }
TEST(CostModel, MatrixProductsOnRtl) {
  expectPredicted({"matmul_dram", {"matmul_256", "matmul_512"}, {0}});
}

} // namespace
} // namespace npu::test
