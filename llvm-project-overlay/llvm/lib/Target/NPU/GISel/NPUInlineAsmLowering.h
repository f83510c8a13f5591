// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInlineAsmLowering.h - inline assembly operands -------*- C++ -*-===//
//
// The whole lowering of inline assembly: the generic one knows neither operands of
// several registers nor asm goto, and stops with an internal error where a user
// deserves a message with a place in the source.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPUINLINEASMLOWERING_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPUINLINEASMLOWERING_H

#include "llvm/CodeGen/GlobalISel/InlineAsmLowering.h"

namespace llvm {

class NPUTargetLowering;

class NPUInlineAsmLowering : public InlineAsmLowering {
public:
  explicit NPUInlineAsmLowering(const NPUTargetLowering &TLI);

  // Call is an asm statement or the landing pad of an asm goto, which copies the
  // results of the statement at the start of a label's block.
  bool lowerInlineAsm(MachineIRBuilder &B, const CallBase &Call,
                      std::function<ArrayRef<Register>(const Value &Val)>
                          GetOrCreateVRegs) const override;
};

} // namespace llvm

#endif
