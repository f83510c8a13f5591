// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUBaseInfo.h - definitions shared by MC and CodeGen ----*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUBASEINFO_H
#define LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUBASEINFO_H

#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCInstrDesc.h"
#include <cstdint>

namespace llvm {

namespace NPUII {

// Instruction formats, as NPUInstrFormats.td puts them into TSFlags.
enum {
  FormatPseudo = 0,
  FormatR = 1,
  FormatI = 2,
  FormatS = 3,
  FormatB = 4,
  FormatU = 5,
  FormatJ = 6,
  FormatMask = 7,
};

inline unsigned getFormat(uint64_t TSFlags) { return TSFlags & FormatMask; }

// Target flags of machine operands that name a symbol.
enum {
  MO_None = 0,
  MO_HI,
  MO_LO,
  MO_PCREL_HI,
  MO_PCREL_LO,
  MO_GOT_HI,
  MO_TPREL_HI,
  MO_TPREL_LO,
  MO_TPREL_ADD,
  MO_CALL,
};

} // namespace NPUII

namespace NPU {

// What a %specifier(expression) takes from the value of its expression.
enum Specifier : uint16_t {
  S_None = 0,
  S_HI,
  S_LO,
  S_PCREL_HI,
  S_PCREL_LO,
  S_GOT_PCREL_HI,
  S_TPREL_HI,
  S_TPREL_LO,
  S_TPREL_ADD,
  S_CALL_PLT,
};

// The name written after '%'; S_CALL_PLT has none, it is implied by call.
StringRef getSpecifierName(uint16_t S);
// S_None for a name that is not a specifier.
Specifier parseSpecifierName(StringRef Name);

// The upper part of a 32-bit value such that adding the sign-extended lower
// twelve bits gives the value back.
inline uint32_t getHi20(uint32_t Value) { return (Value + 0x800) >> 12; }
inline int32_t getLo12(uint32_t Value) {
  return int32_t(Value << 20) >> 20;
}

} // namespace NPU

namespace NPUOp {

enum OperandType : unsigned {
  OPERAND_UIMM1 = MCOI::OPERAND_FIRST_TARGET,
  OPERAND_UIMM3,
  OPERAND_UIMM4,
  OPERAND_UIMM5,
  OPERAND_UIMM7,
  OPERAND_UIMM12,
  OPERAND_SIMM12,
  OPERAND_UIMM20,
};

} // namespace NPUOp

// The predecessor and successor sets of fence.
namespace NPUFenceField {
enum { I = 8, O = 4, R = 2, W = 1 };
} // namespace NPUFenceField

namespace NPUSysReg {

struct SysReg {
  const char *Name;
  unsigned Encoding;
};

#define GET_SysRegsList_DECL
#include "NPUGenSearchableTables.inc"

} // namespace NPUSysReg

} // namespace llvm

#endif
