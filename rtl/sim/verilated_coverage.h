// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verilator's coverage, in builds with NPU_COVERAGE: the counters of all designs of a process are
// added up, and its end writes them to the file that the environment variable NPU_COVERAGE names.

#pragma once

#include <verilated.h>
#ifdef NPU_COVERAGE
#include <verilated_cov.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

namespace npu::rtl {

struct NoCoverage {
  template <typename Design> static void collect(Design &) {}
};

#ifdef NPU_COVERAGE
template <typename Design> class Coverage {
public:
  // Takes over what a design that has come to its end has counted.
  static void collect(Design &design) {
    const auto &counters = design.rootp->vlSymsp->__Vcoverage;
    if (sum_.empty()) {
      sum_.resize(std::size(counters));
      std::atexit(write);
    }
    for (size_t i = 0; i < sum_.size(); ++i)
      sum_[i] += counters[i];
  }

private:
  static void write() {
    const char *file = std::getenv("NPU_COVERAGE");
    if (!file)
      return;
    VerilatedContext context;
    Design design(&context); // which knows the names of the counters
    for (size_t i = 0; i < sum_.size(); ++i)
      design.rootp->vlSymsp->__Vcoverage[i] = sum_[i];
    context.coveragep()->write(file);
  }

  static inline std::vector<uint32_t> sum_;
};
#endif

} // namespace npu::rtl
