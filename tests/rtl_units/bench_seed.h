// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdlib>

namespace npu::test {

// Added to the seeds of the random tests: NPU_TEST_SEED=1000 runs other streams.
inline uint32_t seed_offset() {
  const char *text = std::getenv("NPU_TEST_SEED");
  return text ? uint32_t(std::strtoul(text, nullptr, 0)) : 0;
}

} // namespace npu::test
