// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruction words: decoding, fields, encoding and disassembly, all from the generated tables.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace npu {

enum class Insn : uint16_t {
  ILLEGAL, // also the value of an instruction that has not been decoded yet
#define NPU_INSN(name, mnemonic, operands, mask, match, format, flags) name,
#include "generated/npu_isa.inc"
  kCount
};

enum class Format : uint8_t { R, I, S, B, U, J };

enum class Csr : uint16_t {
#define NPU_CSR(name, number, access) name = number,
#include "generated/npu_isa.inc"
};

struct InsnInfo {
  std::string_view mnemonic;
  std::string_view operands; // as in the manual: "rd, imm12(rs1)"
  uint32_t mask;
  uint32_t match;
  Format format;
  bool readsRs1, readsRs2, writesRd;
  // Vector registers; a store reads the one in the rd field.
  bool readsVs1, readsVs2, readsVd, writesVd;
};

const InsnInfo &info(Insn insn);

Insn decode(uint32_t word);

constexpr unsigned rdField(uint32_t word) { return word >> 7 & 31; }
constexpr unsigned rs1Field(uint32_t word) { return word >> 15 & 31; }
constexpr unsigned rs2Field(uint32_t word) { return word >> 20 & 31; }
constexpr unsigned csrField(uint32_t word) { return word >> 20; }

// The immediate as the instruction uses it (branch and jump offsets in bytes, U shifted left by 12).
int32_t immediate(uint32_t word, Format format);

// Operands of an instruction to encode; fields that the format lacks are ignored. For csr
// instructions imm is the CSR number, for shifts by an immediate the amount.
struct Operands {
  unsigned rd = 0, rs1 = 0, rs2 = 0;
  int32_t imm = 0;
};
uint32_t encode(Insn insn, const Operands &operands);

// Name of a CSR, empty if the machine has none of that number.
std::string_view csrName(unsigned number);

// A vector instruction.
constexpr bool isVector(uint32_t word) {
  const uint32_t opcode = word & 0x7f;
  return opcode == 0x2b || opcode == 0x5b || opcode == 0x7b;
}

// ABI name of x0..x31.
std::string_view registerName(unsigned number);

// One line of assembly; pc resolves branch targets.
std::string disassemble(uint32_t word, uint32_t pc);

} // namespace npu
