// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A section of generated code, and the ELF file that sections and data go into.

#pragma once

#include "isa.h"

#include <cstdint>
#include <string>
#include <vector>

namespace npu::fuzz {

class Section {
public:
  explicit Section(uint32_t base) : base_(base) {}

  uint32_t base() const { return base_; }
  uint32_t pc() const { return base_ + static_cast<uint32_t>(words_.size()) * 4; }
  const std::vector<uint32_t> &words() const { return words_; }

  void word(uint32_t value) { words_.push_back(value); }
  void emit(Insn insn, const Operands &operands = {}) { word(encode(insn, operands)); }

  void r(Insn insn, unsigned rd, unsigned rs1, unsigned rs2) { emit(insn, {rd, rs1, rs2, 0}); }
  void i(Insn insn, unsigned rd, unsigned rs1, int32_t imm) { emit(insn, {rd, rs1, 0, imm}); }
  void store(Insn insn, unsigned rs2, unsigned rs1, int32_t imm) { emit(insn, {0, rs1, rs2, imm}); }
  // offset is from this instruction.
  void branch(Insn insn, unsigned rs1, unsigned rs2, int32_t offset) {
    emit(insn, {0, rs1, rs2, offset});
  }
  void jal(unsigned rd, int32_t offset) { emit(Insn::JAL, {rd, 0, 0, offset}); }
  void csr(Insn insn, unsigned rd, Csr number, unsigned rs1) {
    emit(insn, {rd, rs1, 0, static_cast<int32_t>(number)});
  }
  // Loads a constant: one or two instructions.
  void li(unsigned rd, uint32_t value);

  // Makes the branch or jump at pc lead to target.
  void retarget(uint32_t pc, uint32_t target);

private:
  uint32_t base_;
  std::vector<uint32_t> words_;
};

struct Data {
  uint32_t address;
  std::vector<uint8_t> bytes;
};

// A 32-bit RISC-V executable of one loadable segment for each piece.
std::vector<uint8_t> makeElf(uint32_t entry, const std::vector<Data> &pieces);

} // namespace npu::fuzz
