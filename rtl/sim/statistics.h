// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of a run, and of each call of one function, for --stats.

#pragma once

#include "machine.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace npu::rtl {

// What was counted from reset to one moment, or between two moments.
struct Snapshot {
  uint64_t cycles = 0;
  Counters counters;
  uint64_t dramRead = 0, dramWritten = 0; // bytes
  std::array<uint64_t, 2> channelRead{}, channelWritten{};

  static Snapshot of(const Machine &machine);
  Snapshot operator-(const Snapshot &earlier) const;
};

// Counts each call of a function from the retirement of its first instruction to that of the
// instruction it returns to. A call inside a call belongs to the outer one.
class CallStatistics {
public:
  explicit CallStatistics(uint32_t function) : function_(function) {}

  // After each instruction that retired; registers as retired.
  void onRetire(const Machine &machine, uint32_t pc, const std::array<uint32_t, 32> &registers);

  const std::vector<Snapshot> &calls() const { return calls_; }

private:
  struct Call {
    Snapshot before;
    uint32_t returnsTo, stack;
  };

  const uint32_t function_;
  std::optional<Call> open_;
  std::vector<Snapshot> calls_;
};

// One JSON object; `calls` null without --stats-function.
std::string statisticsJson(const Machine &machine, int exitStatus, const CallStatistics *calls);

} // namespace npu::rtl
