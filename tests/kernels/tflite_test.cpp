// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference and kernels against TFLite's reference kernels. Needs the interpreter with ai-edge-litert that
// the environment variable NPU_PYPI_PYTHON names; skips without it.

#include "conv_case.h"
#include "work_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace npu::test {
namespace {

// The output as bytes of the file beside the case.
std::vector<int8_t> expectedOf(const std::filesystem::path &folder, const std::string &number) {
  const std::string bytes = readBytes((folder / ("expected_" + number + ".bin")).string());
  return std::vector<int8_t>(bytes.begin(), bytes.end());
}

TEST(Tflite, SameBytes) {
  const char *interpreter = std::getenv("NPU_PYPI_PYTHON");
  if (interpreter == nullptr)
    GTEST_SKIP() << "NPU_PYPI_PYTHON names no interpreter with ai-edge-litert";
  const std::filesystem::path folder = workFolder();
  const std::string command = std::string(interpreter) + " " + NPU_SOURCE_DIR +
                              "/tests/kernels/Inputs/tflite_cases.py " + folder.string();
  ASSERT_EQ(std::system(command.c_str()), 0) << command;

  int cases = 0;
  for (;; ++cases) {
    const std::string number = std::to_string(cases);
    const std::filesystem::path file = folder / ("case_" + number + ".bin");
    if (!std::filesystem::exists(file))
      break;
    const ConvCase c = readCase(file.string());
    const std::vector<int8_t> expected = expectedOf(folder, number);
    EXPECT_EQ(reference(c), expected) << describe(c);
    const Outcome library = runLibrary(c, Simulator::Iss);
    EXPECT_EQ(library.error, "");
    EXPECT_TRUE(library.output == expected) << "library kernel, " << describe(c);
    const Outcome generated = runGenerated(c, Simulator::Iss);
    EXPECT_EQ(generated.error, "");
    EXPECT_TRUE(generated.output == expected) << "generated kernel, " << describe(c);
  }
  EXPECT_EQ(cases, 6);
}

} // namespace
} // namespace npu::test
