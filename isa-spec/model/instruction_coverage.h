// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functional coverage of instruction streams: each instruction with the class of each of its
// operands and the hazard under which it executes.

#pragma once

#include "model.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace npu {

class InstructionCoverage {
public:
  InstructionCoverage();

  // What has retired or trapped; before: the model in front of it.
  void observe(const RetireEvent &event, const Model &before);

  // Adds the counts of a file that write() has written; false where it is not one.
  bool add(const std::string &path);
  // One line for each combination that can be: instruction, operand, its class, hazard, count.
  bool write(const std::string &path) const;

private:
  // Who made the value of a register, and how many instructions ago.
  struct Producer {
    uint8_t kind = 0;
    uint64_t at = 0;
  };
  struct Bin {
    std::string name; // as written
    uint64_t count = 0;
  };

  unsigned hazardOf(Insn insn, uint32_t word, bool newPath) const;
  void produced(Insn insn, const RetireEvent &event);

  // By instruction, operand, class and hazard.
  std::map<std::array<unsigned, 4>, Bin> bins_;
  std::array<Producer, 32> scalar_{}, vector_{};
  uint64_t now_ = 16; // instructions so far, past every distance
  uint32_t nextPc_ = 0;
};

} // namespace npu
