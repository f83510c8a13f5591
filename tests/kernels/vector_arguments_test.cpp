// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector and layout operators refuse what is out of range with a status; Inputs/vector_arguments.c has the table.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace npu::test {
namespace {

TEST(VectorOperators, RefuseArguments) {
  const std::filesystem::path root = NPU_SOURCE_DIR;
  const std::filesystem::path program =
      root / "build/tests/kernels" / ("vector_arguments_" + std::to_string(getpid()) + ".elf");
  std::filesystem::create_directories(program.parent_path());
  const std::string compile = (root / "build/toolchain/bin/clang").string() + " --target=npu -O2 -Wall -Wextra -Werror " +
                              (root / "tests/kernels/Inputs/vector_arguments.c").string() +
                              " -T npu-large.ld -lnpukernels -o " + program.string();
  ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
  const std::string run = (root / "build/bin/npu-iss").string() +
                          " --config large --check-races --max-cycles 10000000 " + program.string();
  EXPECT_EQ(std::system(run.c_str()), 0) << run;
  std::filesystem::remove(program);
}

} // namespace
} // namespace npu::test
