// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInlineAsmLowering.cpp - inline assembly operands ---------------===//

#include "NPUInlineAsmLowering.h"
#include "NPUISelLowering.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/MachineOperand.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

NPUInlineAsmLowering::NPUInlineAsmLowering(const NPUTargetLowering &TLI)
    : InlineAsmLowering(&TLI) {}

// A symbol, possibly with a constant offset.
static bool lowerSymbol(Value *Val, std::vector<MachineOperand> &Ops,
                        const DataLayout &DL) {
  if (auto *BA = dyn_cast<BlockAddress>(Val)) {
    Ops.push_back(MachineOperand::CreateBA(BA, /*Offset=*/0));
    return true;
  }
  if (!Val->getType()->isPointerTy())
    return false;
  APInt Offset(DL.getIndexTypeSizeInBits(Val->getType()), 0);
  const Value *Base = Val->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  const auto *GV = dyn_cast<GlobalValue>(Base);
  if (!GV)
    return false;
  Ops.push_back(MachineOperand::CreateGA(GV, Offset.getSExtValue()));
  return true;
}

bool NPUInlineAsmLowering::lowerAsmOperandForConstraint(
    Value *Val, StringRef Constraint, std::vector<MachineOperand> &Ops,
    MachineIRBuilder &B) const {
  if (Constraint.size() != 1)
    return false;

  auto LowerImmediate = [&](bool (*Fits)(int64_t), const char *Range) {
    auto *CI = dyn_cast<ConstantInt>(Val);
    if (!CI || CI->getBitWidth() > 64 || !Fits(CI->getSExtValue())) {
      // Reported here: a plain failure would stop with an internal error.
      Val->getContext().emitError("operand of inline assembly constraint '" +
                                  Constraint + "' must be " + Range);
      Ops.push_back(MachineOperand::CreateImm(0));
      return true;
    }
    Ops.push_back(MachineOperand::CreateImm(CI->getSExtValue()));
    return true;
  };

  switch (Constraint[0]) {
  case 'I':
    return LowerImmediate([](int64_t V) { return isInt<12>(V); },
                          "an integer constant from -2048 to 2047");
  case 'J':
    return LowerImmediate([](int64_t V) { return V == 0; }, "0");
  case 'K':
    return LowerImmediate([](int64_t V) { return isUInt<5>(V); },
                          "an integer constant from 0 to 31");
  case 's':
  case 'S':
    return lowerSymbol(Val, Ops, B.getDataLayout());
  case 'i':
    if (lowerSymbol(Val, Ops, B.getDataLayout()))
      return true;
    if (isa<ConstantPointerNull>(Val)) {
      Ops.push_back(MachineOperand::CreateImm(0));
      return true;
    }
    break;
  }
  return InlineAsmLowering::lowerAsmOperandForConstraint(Val, Constraint, Ops,
                                                         B);
}
