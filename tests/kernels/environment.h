// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What 'npu test' asks of random tests: the first seed (NPU_TEST_SEED), how many cases (NPU_TEST_COUNT), more of them
// (NPU_TEST_ALL).

#pragma once

#include <cstdlib>

namespace npu::test {

// The variable's value, or `otherwise`.
inline int environmentNumber(const char *variable, int otherwise) {
  const char *text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

inline int firstSeed(int otherwise = 1) { return environmentNumber("NPU_TEST_SEED", otherwise); }

inline bool allCases() { return std::getenv("NPU_TEST_ALL") != nullptr; }

// A number of random cases, another one with --all.
inline int caseCount(int usual, int all) { return environmentNumber("NPU_TEST_COUNT", allCases() ? all : usual); }

} // namespace npu::test
