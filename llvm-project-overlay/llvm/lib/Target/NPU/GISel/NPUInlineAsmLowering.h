// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInlineAsmLowering.h - inline assembly operands -------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPUINLINEASMLOWERING_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPUINLINEASMLOWERING_H

#include "llvm/CodeGen/GlobalISel/InlineAsmLowering.h"

namespace llvm {

class NPUTargetLowering;

class NPUInlineAsmLowering : public InlineAsmLowering {
public:
  explicit NPUInlineAsmLowering(const NPUTargetLowering &TLI);

  bool
  lowerAsmOperandForConstraint(Value *Val, StringRef Constraint,
                               std::vector<MachineOperand> &Ops,
                               MachineIRBuilder &MIRBuilder) const override;
};

} // namespace llvm

#endif
