// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMatInt.h - constants into registers ------------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUMATINT_H
#define LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUMATINT_H

#include "MCTargetDesc/NPUBaseInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace llvm::NPUMatInt {

// One step: LUI rd, Imm, or ADDI rd, rs, Imm where rs is x0 in the first step
// and rd afterwards.
struct Inst {
  unsigned Opcode;
  int32_t Imm;
};

using InstSeq = SmallVector<Inst, 2>;

// The shortest sequence that loads a 32-bit value.
inline InstSeq generateInstSeq(int32_t Value) {
  if (isInt<12>(Value))
    return {{NPU::ADDI, Value}};
  InstSeq Seq = {{NPU::LUI, int32_t(NPU::getHi20(Value) & 0xfffff)}};
  if (int32_t Lo = NPU::getLo12(Value))
    Seq.push_back({NPU::ADDI, Lo});
  return Seq;
}

} // namespace llvm::NPUMatInt

#endif
