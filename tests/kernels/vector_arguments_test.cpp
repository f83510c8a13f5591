// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators refuse what is out of range with a status, and stop when a transfer fails; the programs
// are in Inputs.

#include "environment.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace npu::test {
namespace {

// Compiles the program of Inputs and runs it, on the model if nothing else is said.
void expectNoFailure(const std::string &name, const std::string &more = "",
                     const std::string &arguments = "",
                     const std::string &simulator = "npu-iss --check-races") {
  const std::filesystem::path root = NPU_SOURCE_DIR;
  const std::filesystem::path program =
      root / "build/tests/kernels" / (name + "_" + std::to_string(getpid()) + ".elf");
  std::filesystem::create_directories(program.parent_path());
  const std::string compile = (root / "build/toolchain/bin/clang").string() +
                              " --target=npu -O2 -Wall -Wextra -Werror " +
                              (root / "tests/kernels/Inputs" / (name + ".c")).string() + more +
                              " -T npu-large.ld -lnpukernels -o " + program.string();
  ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
  const std::string run = (root / "build/bin" / simulator).string() +
                          " --config large --max-cycles 4000000000 " + program.string() + arguments;
  EXPECT_EQ(std::system(run.c_str()), 0) << run;
  std::filesystem::remove(program);
}

TEST(VectorOperators, RefuseArguments) {
  expectNoFailure("vector_arguments");
}

TEST(Operators, StopSoonAfterATransferThatFails) {
  expectNoFailure("transfer_errors");
}

// Random layers that stream by planes; a few of them on the RTL.
TEST(DepthwiseStream, GivesTheBytesOfPlainLoops) {
  const int count = caseCount(60, 600);
  const std::string seed = " " + std::to_string(firstSeed()) + " ";
  expectNoFailure("depthwise_stream", "", seed + std::to_string(count) + " 1");
  expectNoFailure("depthwise_stream", "", seed + std::to_string(std::max(count / 15, 1)) + " 37",
                  "npu-rtl");
}

// Random calls, valid ones and damaged ones.
TEST(Operators, EndEveryCallWithAStatusAndTouchOnlyTheirOutput) {
  const std::string inputs = std::string(" ") + NPU_SOURCE_DIR + "/tests/kernels/Inputs/";
  expectNoFailure("fuzz_arguments", inputs + "fuzz_layers.c" + inputs + "fuzz_vectors.c",
                  " " + std::to_string(firstSeed()) + " " + std::to_string(caseCount(20, 400)));
}

} // namespace
} // namespace npu::test
