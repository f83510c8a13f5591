// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trace of a run for ui.perfetto.dev or chrome://tracing (Trace Event Format, JSON): one row for
// each activity of the machine, with slices that do not overlap in a row and are written in the
// order of their ends. A microsecond of the viewer is a cycle.

#pragma once

#include "elf_image.h"
#include "observation.h"

#include <array>
#include <cstdio>
#include <deque>
#include <map>
#include <string>

namespace npu::rtl {

class PerfettoTrace final : public Observer {
public:
  // Slices that are kept; the trace says so where it ends early.
  static constexpr uint64_t kMaxSlices = 500'000;
  // Shorter stalls are not shown: they are in the counters, and would bury the long ones.
  static constexpr uint64_t kShortestStall = 4;

  // The file stays the caller's.
  PerfettoTrace(std::FILE *file, const ElfImage &image, uint64_t maxSlices = kMaxSlices);

  void cycle(uint64_t now, const Observation &seen, const RetireEvent *event) override;
  // Ends the slices that are open and the file.
  void finish();

private:
  enum Row : unsigned { kFunction, kStall, kVector, kRuns, kLoads, kDrains, kDma0, kDma1, kRows };
  struct Slice {
    bool open = false;
    uint64_t begin = 0;
    std::string name, arguments; // members of a JSON object, or empty
  };
  struct Operation { // of a DMA channel, that is not complete
    uint32_t pc;
    uint64_t issued;
  };

  void begin(Row row, uint64_t now, std::string name, std::string arguments = {});
  void end(Row row, uint64_t now);
  void slice(Row row, uint64_t from, uint64_t to, const std::string &name,
             const std::string &arguments);
  void onEvent(const RetireEvent &event);
  void enterFunction(uint32_t pc, uint64_t now);

  std::FILE *file_;
  const uint64_t maxSlices_;
  uint64_t slices_ = 0, now_ = 0;
  std::optional<uint64_t> truncated_; // cycle of the first slice left out
  std::array<Slice, kRows> rows_;

  std::map<uint32_t, std::string> functions_; // by their first address
  uint32_t functionBegin_ = 1, functionEnd_ = 0;
  Stall stall_ = Stall::None;
  uint64_t stallBegin_ = 0;
  unsigned pixels_ = 0, stored_ = 0;
  uint64_t lastVector_ = 0;
  std::array<std::deque<Operation>, 2> operations_;
  std::array<uint64_t, 2> lastDone_{};
  std::array<uint8_t, kUnits> done_{};
};

} // namespace npu::rtl
