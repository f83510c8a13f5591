// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operator against TFLite's reference kernels, byte for byte: random shapes, parameters and
// quantization, and written cases at their ends; operands in DRAM and in TCM. Skips where there is no TFLite.
// With the environment variable NPU_TEST_SEED random cases alone: seeds S, S + 1, ..., NPU_TEST_COUNT of them.

#include "environment.h"
#include "golden.h"
#include "work_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>

namespace npu::test {
namespace {

struct Row {
  const char *family, *name;
  int cases, all, rtl;

  friend void PrintTo(const Row &row, std::ostream *out) { *out << row.name; }
};

const Row kRows[] = {
#define GOLDEN(family, operator_name, cases, all, rtl) {#family, #operator_name, cases, all, rtl},
#include "golden_operators.def"
#undef GOLDEN
};

class Golden : public testing::TestWithParam<Row> {
protected:
  void SetUp() override {
    if (const std::string why = goldenMissing(); !why.empty())
      GTEST_SKIP() << why;
  }

  static void expectSame(int count, int seed, const std::string &flags, Simulator simulator) {
    const Row &row = GetParam();
    const auto file = workFolder() / (std::string(row.name) + "_" + std::to_string(seed) + ".bin");
    ASSERT_EQ(makeGolden("golden.py", std::string(row.name) + " --count " + std::to_string(count) +
                                          " --seed " + std::to_string(seed) + flags + " -o " +
                                          file.string()),
              "");
    const GoldenRun run = runGolden(row.family, file, simulator);
    EXPECT_GE(run.passed + int(run.failures.size()), count);
    std::string text;
    for (size_t i = 0; i < run.failures.size() && i < 10; ++i)
      text += run.failures[i] + "\n";
    EXPECT_EQ(run.failures.size(), 0u) << text << run.passed << " runs passed";
    if (!HasFailure())
      std::filesystem::remove(file);
  }
};

std::string nameOf(const testing::TestParamInfo<Row> &info) { return info.param.name; }

const bool kSeeded = std::getenv("NPU_TEST_SEED") != nullptr;
const int kSeed = firstSeed();

TEST_P(Golden, SameAsTfliteOnModel) {
  const Row &row = GetParam();
  expectSame(caseCount(row.cases, row.all), kSeed, kSeeded ? "" : " --written", Simulator::Iss);
}

TEST_P(Golden, SameAsTfliteOnRtlInLockstep) {
  if (kSeeded) {
    expectSame(std::min(caseCount(GetParam().rtl, GetParam().rtl), GetParam().rtl), kSeed, " --small",
               Simulator::RtlLockstep);
    return;
  }
  const int written = allCases() ? -1 : GetParam().rtl;
  expectSame(GetParam().rtl, 100001, " --small --written " + std::to_string(written), Simulator::RtlLockstep);
}

INSTANTIATE_TEST_SUITE_P(Operators, Golden, testing::ValuesIn(kRows), nameOf);

} // namespace
} // namespace npu::test
