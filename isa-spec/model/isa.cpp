// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isa.h"

#include <array>
#include <cstdio>

namespace npu {

namespace {

constexpr unsigned NPU_READS_RS1 = 1, NPU_READS_RS2 = 2, NPU_WRITES_RD = 4, NPU_READS_VS1 = 8,
                   NPU_READS_VS2 = 16, NPU_READS_VD = 32, NPU_WRITES_VD = 64;

constexpr InsnInfo makeInfo(std::string_view mnemonic, std::string_view operands, uint32_t mask,
                            uint32_t match, Format format, unsigned flags) {
  return {mnemonic, operands, mask, match, format, (flags & NPU_READS_RS1) != 0,
          (flags & NPU_READS_RS2) != 0, (flags & NPU_WRITES_RD) != 0,
          (flags & NPU_READS_VS1) != 0, (flags & NPU_READS_VS2) != 0,
          (flags & NPU_READS_VD) != 0,  (flags & NPU_WRITES_VD) != 0};
}

constexpr InsnInfo kInfo[] = {
    makeInfo("illegal", "", 0, 0, Format::R, 0),
#define NPU_INSN(name, mnemonic, operands, mask, match, format, flags)                             \
  makeInfo(mnemonic, operands, mask, match, Format::format, flags),
#include "generated/npu_isa.inc"
};

struct CsrEntry {
  std::string_view name;
  unsigned number;
};
constexpr CsrEntry kCsrs[] = {
#define NPU_CSR(name, number, access) {#name, number},
#include "generated/npu_isa.inc"
};

constexpr uint32_t bits(uint32_t value, unsigned high, unsigned low) {
  return value >> low & ((1u << (high - low + 1)) - 1);
}

bool isShiftImmediate(Insn insn) {
  return insn == Insn::SLLI || insn == Insn::SRLI || insn == Insn::SRAI;
}

// Puts an operand's text in place of its name in the table's operand string.
void substitute(std::string &text, std::string_view name, std::string_view value) {
  if (size_t at = text.find(name); at != std::string::npos)
    text.replace(at, name.size(), value);
}

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", value);
  return text;
}

} // namespace

const InsnInfo &info(Insn insn) { return kInfo[static_cast<unsigned>(insn)]; }

Insn decode(uint32_t w) {
#include "generated/npu_isa_decoder.inc"
  return Insn::ILLEGAL;
}

int32_t immediate(uint32_t word, Format format) {
  const int32_t sign = static_cast<int32_t>(word) >> 31;
  switch (format) {
  case Format::R:
    return 0;
  case Format::I:
    return static_cast<int32_t>(word) >> 20;
  case Format::S:
    return static_cast<int32_t>(word & 0xfe000000) >> 20 | static_cast<int32_t>(bits(word, 11, 7));
  case Format::B:
    return static_cast<int32_t>(static_cast<uint32_t>(sign) << 12 | bits(word, 7, 7) << 11 |
                                bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1);
  case Format::U:
    return static_cast<int32_t>(word & 0xfffff000);
  case Format::J:
    return static_cast<int32_t>(static_cast<uint32_t>(sign) << 20 | bits(word, 19, 12) << 12 |
                                bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1);
  }
  return 0;
}

uint32_t encode(Insn insn, const Operands &operands) {
  const InsnInfo &i = info(insn);
  const uint32_t imm = static_cast<uint32_t>(operands.imm);
  const uint32_t rd = operands.rd << 7, rs1 = operands.rs1 << 15, rs2 = operands.rs2 << 20;
  uint32_t fields = 0;
  switch (i.format) {
  case Format::R:
    fields = rd | rs1 | rs2;
    break;
  case Format::I:
    fields = rd | rs1 | (isShiftImmediate(insn) ? (imm & 31) << 20 : imm << 20);
    break;
  case Format::S:
    fields = rs1 | rs2 | bits(imm, 11, 5) << 25 | bits(imm, 4, 0) << 7;
    break;
  case Format::B:
    fields = rs1 | rs2 | bits(imm, 12, 12) << 31 | bits(imm, 10, 5) << 25 | bits(imm, 4, 1) << 8 |
             bits(imm, 11, 11) << 7;
    break;
  case Format::U:
    fields = rd | (imm & 0xfffff000);
    break;
  case Format::J:
    fields = rd | bits(imm, 20, 20) << 31 | bits(imm, 10, 1) << 21 | bits(imm, 11, 11) << 20 |
             bits(imm, 19, 12) << 12;
    break;
  }
  return (fields & ~i.mask) | i.match;
}

std::string_view csrName(unsigned number) {
  for (const CsrEntry &entry : kCsrs)
    if (entry.number == number)
      return entry.name;
  return {};
}

std::string_view registerName(unsigned number) {
  static constexpr std::array<std::string_view, 32> kNames = {
      "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
      "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
      "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  return kNames[number];
}

std::string disassemble(uint32_t word, uint32_t pc) {
  const Insn insn = decode(word);
  if (insn == Insn::ILLEGAL)
    return ".word " + hex(word);
  const InsnInfo &i = info(insn);
  const int32_t imm = immediate(word, i.format);
  std::string text(i.operands);
  const auto vectorName = [](unsigned number) { return "v" + std::to_string(number); };
  substitute(text, "vd", vectorName(rdField(word)));
  substitute(text, "vs1", vectorName(rs1Field(word)));
  substitute(text, "vs2", vectorName(rs2Field(word)));
  substitute(text, "vs3", vectorName(rdField(word)));
  substitute(text, "rd", registerName(rdField(word)));
  substitute(text, "rs1", registerName(rs1Field(word)));
  substitute(text, "uimm5", std::to_string(rs1Field(word)));
  substitute(text, "shamt", std::to_string(rs2Field(word)));
  // These name a number in the rs2 field.
  substitute(text, "mask", std::to_string(rs2Field(word)));
  if (insn == Insn::DMA_START)
    substitute(text, "ch", std::to_string(rs2Field(word)));
  substitute(text, "rs2", registerName(rs2Field(word)));
  if (size_t at = text.find("csr"); at != std::string::npos) {
    const std::string_view name = csrName(csrField(word));
    text.replace(at, 3, name.empty() ? hex(csrField(word)) : std::string(name));
  }
  if (i.format == Format::B || i.format == Format::J) {
    const std::string target = hex(pc + static_cast<uint32_t>(imm));
    substitute(text, "imm12", target);
    substitute(text, "imm20", target);
  } else {
    substitute(text, "imm12", std::to_string(imm));
    substitute(text, "imm20", hex(static_cast<uint32_t>(imm) >> 12));
  }
  return text.empty() ? std::string(i.mnemonic) : std::string(i.mnemonic) + ' ' + text;
}

} // namespace npu
