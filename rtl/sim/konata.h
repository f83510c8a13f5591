// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipeline log for the viewer Konata (format Kanata 0004): each instruction that was fetched, with
// the cycles of its stages F (fetch), D (decode), X (execute, waiting included) and W (write-back),
// and whether it retired or was dropped.

#pragma once

#include "observation.h"

#include <cstdio>
#include <deque>
#include <optional>

namespace npu::rtl {

class KonataLog final : public Observer {
public:
  // Instructions that are logged; the file says where it ends early.
  static constexpr uint64_t kMaxInstructions = 200'000;

  // The file stays the caller's.
  explicit KonataLog(std::FILE *file, uint64_t maxInstructions = kMaxInstructions);

  void cycle(uint64_t now, const Observation &seen, const RetireEvent *event) override;
  void finish();

private:
  struct Fetched {
    uint64_t id;
    uint32_t pc;
  };

  void advance(uint64_t cycle);
  void stage(uint64_t id, const char *name);
  void leave(uint64_t id, bool retired);
  void onEvent(const RetireEvent &event);

  std::FILE *file_;
  const uint64_t maxInstructions_;
  uint64_t ids_ = 0, retired_ = 0, cycle_ = 0;
  bool full_ = false;

  std::deque<Fetched> fetched_;        // not yet in execute, oldest first
  bool inDecode_ = false;              // the oldest of them
  std::optional<Fetched> execute_, entering_;
  std::optional<uint64_t> writeBack_;
};

} // namespace npu::rtl
