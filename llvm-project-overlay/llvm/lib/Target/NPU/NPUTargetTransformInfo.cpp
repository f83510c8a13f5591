// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetTransformInfo.cpp - costs for the optimizer --------------===//

#include "NPUTargetTransformInfo.h"
#include "MCTargetDesc/NPUMatInt.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

InstructionCost NPUTTIImpl::getIntImmCost(const APInt &Imm, Type *Ty,
                                          TTI::TargetCostKind) const {
  assert(Ty->isIntegerTy() && "only integers have immediates");
  // x0 is free. Wide constants are split into words, which are cheap one by one:
  // hoisting the whole would hide that.
  if (Imm.isZero() || Imm.getBitWidth() > 32)
    return TTI::TCC_Free;
  return NPUMatInt::generateInstSeq(Imm.sextOrTrunc(32).getSExtValue()).size();
}

InstructionCost NPUTTIImpl::getIntImmCostInst(unsigned Opcode, unsigned Idx,
                                              const APInt &Imm, Type *Ty,
                                              TTI::TargetCostKind CostKind,
                                              Instruction *Inst) const {
  bool FitsOperand = Imm.getBitWidth() <= 32 && Imm.isSignedIntN(12);
  switch (Opcode) {
  // Offsets become part of the address.
  case Instruction::GetElementPtr:
    return TTI::TCC_Free;
  case Instruction::And:
    // Masks of low or high bits are two shifts.
    if (Imm.isMask() || Imm.isNegatedPowerOf2())
      return TTI::TCC_Free;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::ICmp:
    if (FitsOperand)
      return TTI::TCC_Free;
    break;
  case Instruction::Sub:
    if (Idx == 1 && Imm.getBitWidth() <= 32 && (-Imm).isSignedIntN(12))
      return TTI::TCC_Free;
    break;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    if (Idx == 1)
      return TTI::TCC_Free;
    break;
  // Division by a constant becomes a multiplication only while the constant
  // is visible.
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    if (Idx == 1)
      return TTI::TCC_Free;
    break;
  case Instruction::Mul:
    if (Imm.isPowerOf2() || Imm.isNegatedPowerOf2())
      return TTI::TCC_Free;
    break;
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::PHI:
  case Instruction::Call:
  case Instruction::Select:
  case Instruction::Ret:
    break;
  default:
    return TTI::TCC_Free;
  }
  return getIntImmCost(Imm, Ty, CostKind);
}

InstructionCost NPUTTIImpl::getIntImmCostIntrin(Intrinsic::ID, unsigned,
                                                const APInt &, Type *,
                                                TTI::TargetCostKind) const {
  return TTI::TCC_Free;
}

InstructionCost NPUTTIImpl::getArithmeticInstrCost(
    unsigned Opcode, Type *Ty, TTI::TargetCostKind CostKind,
    TTI::OperandValueInfo Op1Info, TTI::OperandValueInfo Op2Info,
    ArrayRef<const Value *> Args, const Instruction *CxtI) const {
  if (auto Cost = getVectorArithmeticCost(Opcode, Ty, CostKind, Op2Info))
    return *Cost;
  int ISDOpcode = TLI->InstructionOpcodeToISD(Opcode);
  bool IsDivision = ISDOpcode == ISD::SDIV || ISDOpcode == ISD::UDIV ||
                    ISDOpcode == ISD::SREM || ISDOpcode == ISD::UREM;
  if (IsDivision && Ty->isIntegerTy() && !Op2Info.isConstant() &&
      CostKind != TTI::TCK_CodeSize)
    return Ty->getIntegerBitWidth() <= 32 ? 34 : 150;
  return BaseT::getArithmeticInstrCost(Opcode, Ty, CostKind, Op1Info, Op2Info,
                                       Args, CxtI);
}

// There are no instructions that count bits, rotate, swap bytes, saturate, or take
// a minimum: without this the loop optimizer turns cheap loops into them.
InstructionCost
NPUTTIImpl::getIntrinsicInstrCost(const IntrinsicCostAttributes &ICA,
                                  TTI::TargetCostKind CostKind) const {
  if (auto Cost = getVectorIntrinsicCost(ICA, CostKind))
    return *Cost;
  Type *Ty = ICA.getReturnType();
  if (Ty->isIntegerTy()) {
    unsigned Words = divideCeil(Ty->getIntegerBitWidth(), 32);
    switch (ICA.getID()) {
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::ctpop:
    case Intrinsic::bitreverse:
      return 12 * Words;
    case Intrinsic::bswap:
      return 9 * Words;
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      return 3 * Words;
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::abs:
      return 3 * Words;
    default:
      break;
    }
  }
  return BaseT::getIntrinsicInstrCost(ICA, CostKind);
}

// What counts is how many instructions a loop executes; registers are plenty.
bool NPUTTIImpl::isLSRCostLess(const TTI::LSRCost &C1,
                               const TTI::LSRCost &C2) const {
  return std::tie(C1.Insns, C1.NumRegs, C1.AddRecCost, C1.NumIVMuls,
                  C1.NumBaseAdds, C1.ScaleCost, C1.ImmCost, C1.SetupCost) <
         std::tie(C2.Insns, C2.NumRegs, C2.AddRecCost, C2.NumIVMuls,
                  C2.NumBaseAdds, C2.ScaleCost, C2.ImmCost, C2.SetupCost);
}

void NPUTTIImpl::getUnrollingPreferences(Loop *L, ScalarEvolution &SE,
                                         TTI::UnrollingPreferences &UP,
                                         OptimizationRemarkEmitter *ORE) const {
  // A taken branch costs as much as three instructions, so unrolling pays for
  // small bodies; code memory is small, so it stops early.
  UP.Partial = true;
  UP.Runtime = true;
  UP.UnrollRemainder = false;
  UP.OptSizeThreshold = 0;
  UP.PartialOptSizeThreshold = 0;
  UP.PartialThreshold = 60;
  UP.DefaultUnrollRuntimeCount = 4;
  UP.MaxCount = 4;

  for (BasicBlock *BB : L->blocks())
    for (Instruction &I : *BB)
      if (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) {
        UP.Partial = UP.Runtime = false;
        return;
      }
}
