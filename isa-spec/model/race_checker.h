// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds races (chapter 3 of the manual, rule 6) in a program that runs on the model: accesses to
// the same byte or accumulator row, at least one a write, that no wait, poll or fence has ordered. The model executes
// operations at once and so hides them.

#pragma once

#include "model.h"

#include <string>
#include <vector>

namespace npu {

class RaceChecker {
public:
  explicit RaceChecker(Model &model);

  // Looks at what the model has just executed; source is the value that its rs1 had before. False
  // at the first race, which report() then describes.
  bool check(const RetireEvent &event, uint32_t source);

  const std::string &report() const { return report_; }

private:
  struct Hull {
    uint32_t begin = UINT32_MAX, end = 0;
  };
  struct Outstanding {
    IssuedOperation operation;
    Hull reads, writes;
  };

  void complete(unsigned unit, uint32_t number);
  bool checkCore(const RetireEvent &event);
  bool checkRow(const RetireEvent &event, Insn insn);
  bool checkInPlace(const IssuedOperation &operation);
  bool checkOperation(const Outstanding &newer);
  bool race(const std::string &place, const std::string &access, const Outstanding &with);

  Model &model_;
  std::vector<IssuedOperation> issued_;
  std::vector<Outstanding> outstanding_;
  std::string report_;
};

} // namespace npu
