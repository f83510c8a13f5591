// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of golden cases (Inputs/golden) and the programs that run them on the NPU (Inputs/runner).

#ifndef NPU_TESTS_GOLDEN_H
#define NPU_TESTS_GOLDEN_H

#include <filesystem>
#include <string>
#include <vector>

namespace npu::test {

enum class Simulator { Iss, RtlLockstep, Rtl };

// Why golden values cannot be made here, or "".
std::string goldenMissing();

// Runs a shell command; what it printed, if it failed.
std::string goldenShell(const std::string &command);

// Runs Inputs/golden/SCRIPT with the interpreter that has TFLite; what it printed, if it failed.
std::string makeGolden(const std::string &script, const std::string &arguments);

// The program of a family, compiled once; `error` gets the compiler's output.
std::filesystem::path goldenRunner(const std::string &family, std::string &error);

struct GoldenRun {
  int passed = 0;                    // runs, up to two a case: operands in DRAM and in TCM
  std::vector<std::string> failures; // lines of the runner; or why it ended early
};

// place: "dram", "tcm", or "" for both.
GoldenRun runGolden(const std::string &family, const std::filesystem::path &cases, Simulator simulator,
                    const std::string &place = "");

} // namespace npu::test

#endif // NPU_TESTS_GOLDEN_H
