// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUVectorCosts.cpp - costs of vector operations -------------------===//
//
// For the loop and SLP vectorizers: a vector of 16, 32 or 64 lanes is a register, and
// an operation on it an instruction. Longer vectors take several; everything else is
// taken apart, at the costs that scalars have.
//
//===----------------------------------------------------------------------===//

#include "GISel/NPUVectorTypes.h"
#include "NPUTargetTransformInfo.h"
#include "NPUVectorIdioms.h"
#include "llvm/Transforms/Vectorize/LoopVectorizationLegality.h"

using namespace llvm;

// Results that go from the vector unit to a scalar register arrive late.
static constexpr unsigned ToScalarCost = 4;
// The index needs a register, and each insertion waits for the one before it. A vector
// that is put together so takes a lot of code: it has to pay.
static constexpr unsigned ExtractCost = ToScalarCost + 4;
static constexpr unsigned InsertCost = 6;

// The number of registers that a vector fills, if it lives in such.
std::optional<unsigned> NPUTTIImpl::getVectorRegisters(const Type *Ty) const {
  const auto *VecTy = dyn_cast<FixedVectorType>(Ty);
  if (!VecTy || !VecTy->getElementType()->isIntegerTy())
    return std::nullopt;
  unsigned Lanes = VecTy->getNumElements(), Bits = VecTy->getScalarSizeInBits();
  if (!isPowerOf2_32(Lanes) || Lanes < 16 ||
      !(Bits == 1 || NPUVector::isElementSize(Bits)))
    return std::nullopt;
  return std::max(1u, Lanes * Bits / NPUVector::RegisterBits);
}

// A vector that no registers hold is its elements: the vectorizers need not try.
unsigned NPUTTIImpl::getNumberOfParts(Type *Ty) const {
  if (const auto *VecTy = dyn_cast<FixedVectorType>(Ty))
    return getVectorRegisters(Ty).value_or(VecTy->getNumElements());
  return BaseT::getNumberOfParts(Ty);
}

// An operation that there is only for single elements: each is taken out, and its result
// is put in.
InstructionCost NPUTTIImpl::getElementwiseCost(Type *Ty, InstructionCost OfElement,
                                               unsigned Operands) const {
  return (OfElement + Operands * ExtractCost + InsertCost) *
         cast<FixedVectorType>(Ty)->getNumElements();
}

std::optional<InstructionCost>
NPUTTIImpl::getVectorArithmeticCost(unsigned Opcode, Type *Ty,
                                    TTI::TargetCostKind CostKind,
                                    TTI::OperandValueInfo Divisor) const {
  auto Registers = getVectorRegisters(Ty);
  if (!Registers)
    return std::nullopt;
  switch (Opcode) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem: {
    if (!Divisor.isConstant())
      return getElementwiseCost(
          Ty, getArithmeticInstrCost(Opcode, Ty->getScalarType(), CostKind), 2);
    // Shifts, or a product's high half and its corrections.
    bool IsSigned = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
    bool IsRemainder = Opcode == Instruction::SRem || Opcode == Instruction::URem;
    if (Divisor.isPowerOf2())
      return *Registers * (!IsSigned ? 1 : IsRemainder ? 6 : 4);
    return *Registers * (IsRemainder ? 10 : 7);
  }
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return *Registers;
  default:
    return std::nullopt;
  }
}

InstructionCost NPUTTIImpl::getCastInstrCost(unsigned Opcode, Type *Dst,
                                             Type *Src,
                                             TTI::CastContextHint CCH,
                                             TTI::TargetCostKind CostKind,
                                             const Instruction *I) const {
  auto From = getVectorRegisters(Src), To = getVectorRegisters(Dst);
  if (!From || !To)
    return BaseT::getCastInstrCost(Opcode, Dst, Src, CCH, CostKind, I);
  switch (Opcode) {
  case Instruction::Trunc:
    // The low bits stay where they are, or several registers become one.
    return *From == 1 ? 0 : *From - *To;
  case Instruction::ZExt:
  case Instruction::SExt: {
    bool IsMask = Src->getScalarSizeInBits() == 1;
    if (*To > 1)
      return *To * (Opcode == Instruction::SExt && !IsMask ? 3 : 1);
    // A load extends by itself.
    if (CCH == TTI::CastContextHint::Normal || CCH == TTI::CastContextHint::Masked)
      return 0;
    return Opcode == Instruction::ZExt ? 1 : IsMask ? 0 : 2;
  }
  case Instruction::BitCast:
    return 0;
  default:
    return BaseT::getCastInstrCost(Opcode, Dst, Src, CCH, CostKind, I);
  }
}

InstructionCost NPUTTIImpl::getCmpSelInstrCost(
    unsigned Opcode, Type *ValTy, Type *CondTy, CmpInst::Predicate Predicate,
    TTI::TargetCostKind CostKind, TTI::OperandValueInfo Op1Info,
    TTI::OperandValueInfo Op2Info, const Instruction *I) const {
  if (Opcode == Instruction::ICmp || Opcode == Instruction::Select)
    if (auto Registers = getVectorRegisters(ValTy))
      return *Registers;
  return BaseT::getCmpSelInstrCost(Opcode, ValTy, CondTy, Predicate, CostKind,
                                   Op1Info, Op2Info, I);
}

InstructionCost NPUTTIImpl::getMemoryOpCost(unsigned Opcode, Type *Src,
                                            Align Alignment,
                                            unsigned AddressSpace,
                                            TTI::TargetCostKind CostKind,
                                            TTI::OperandValueInfo OpInfo,
                                            const Instruction *I) const {
  if (auto Registers = getVectorRegisters(Src);
      Registers && Src->getScalarSizeInBits() != 1)
    return *Registers;
  return BaseT::getMemoryOpCost(Opcode, Src, Alignment, AddressSpace, CostKind,
                                OpInfo, I);
}

bool NPUTTIImpl::isMaskable(const Type *Ty) const {
  unsigned Bits = Ty->getScalarSizeInBits();
  return Ty->getScalarType()->isIntegerTy() && NPUVector::isElementSize(Bits) &&
         (!Ty->isVectorTy() || getVectorRegisters(Ty) == 1);
}

InstructionCost
NPUTTIImpl::getAddressComputationCost(Type *PtrTy, ScalarEvolution *SE, const SCEV *Ptr,
                                      TTI::TargetCostKind CostKind) const {
  if (PtrTy->isVectorTy() && !Ptr)
    return ToScalarCost + 1;
  return BaseT::getAddressComputationCost(PtrTy, SE, Ptr, CostKind);
}

InstructionCost
NPUTTIImpl::getMemIntrinsicInstrCost(const MemIntrinsicCostAttributes &MICA,
                                     TTI::TargetCostKind CostKind) const {
  if ((MICA.getID() == Intrinsic::masked_load ||
       MICA.getID() == Intrinsic::masked_store) &&
      isMaskable(MICA.getDataType()))
    return 1;
  if (MICA.getID() == Intrinsic::masked_gather &&
      isLegalMaskedGather(MICA.getDataType(), MICA.getAlignment())) {
    // Four lookups, each of which waits for the one before it.
    if (MICA.getPointer() &&
        NPUVector::matchTableEntry(const_cast<Value *>(MICA.getPointer()), DL))
      return 8;
    return 10 * cast<FixedVectorType>(MICA.getDataType())->getNumElements();
  }
  return BaseT::getMemIntrinsicInstrCost(MICA, CostKind);
}

// One masked iteration is cheaper than a scalar loop for the rest, wherever the loop's
// accesses are to lanes side by side: these are the ones that take a mask.
bool NPUTTIImpl::preferPredicateOverEpilogue(TailFoldingInfo *TFI) const {
  for (const BasicBlock *BB : TFI->LVL->getLoop()->blocks())
    for (const Instruction &I : *BB)
      if (const Value *Pointer = getLoadStorePointerOperand(&I)) {
        Type *Ty = getLoadStoreType(&I);
        auto *P = const_cast<Value *>(Pointer);
        if (isa<LoadInst>(I) && NPUVector::matchTableEntry(P, DL))
          continue;
        if (!isMaskable(Ty) || TFI->LVL->isConsecutivePtr(Ty, P) != 1)
          return false;
      }
  return true;
}

// Products of four bytes or two halfwords to a word, in one instruction.
InstructionCost NPUTTIImpl::getPartialReductionCost(
    unsigned Opcode, Type *InputTypeA, Type *InputTypeB, Type *AccumType,
    ElementCount VF, TTI::PartialReductionExtendKind OpAExtend,
    TTI::PartialReductionExtendKind OpBExtend, std::optional<unsigned> BinOp,
    TTI::TargetCostKind CostKind) const {
  unsigned Bits = InputTypeA->getScalarSizeInBits();
  if (Opcode != Instruction::Add || VF.isScalable() || !AccumType->isIntegerTy(32))
    return InstructionCost::getInvalid();
  // Extended and multiplied already: sums of whole registers.
  if (OpAExtend == TTI::PR_None && Bits == 32 && !BinOp)
    return divideCeil(VF.getFixedValue() * Bits, NPUVector::RegisterBits);
  if (OpAExtend == TTI::PR_None || (Bits != 8 && Bits != 16) ||
      VF.getFixedValue() * Bits != NPUVector::RegisterBits ||
      (BinOp && (*BinOp != Instruction::Mul || OpBExtend == TTI::PR_None ||
                 InputTypeB != InputTypeA)))
    return InstructionCost::getInvalid();
  return 1;
}

InstructionCost NPUTTIImpl::getVectorInstrCost(unsigned Opcode, Type *Val,
                                               TTI::TargetCostKind CostKind,
                                               unsigned Index, const Value *Op0,
                                               const Value *Op1) const {
  if (!getVectorRegisters(Val))
    return BaseT::getVectorInstrCost(Opcode, Val, CostKind, Index, Op0, Op1);
  return Opcode == Instruction::ExtractElement ? ExtractCost : InsertCost;
}

InstructionCost NPUTTIImpl::getShuffleCost(
    TTI::ShuffleKind Kind, VectorType *DstTy, VectorType *SrcTy,
    ArrayRef<int> Mask, TTI::TargetCostKind CostKind, int Index,
    VectorType *SubTp, ArrayRef<const Value *> Args,
    const Instruction *CxtI) const {
  auto Registers = getVectorRegisters(DstTy);
  if (!Registers || SrcTy != DstTy)
    return BaseT::getShuffleCost(Kind, DstTy, SrcTy, Mask, CostKind, Index,
                                 SubTp, Args, CxtI);
  switch (Kind) {
  case TTI::SK_Broadcast:
    return *Registers;
  case TTI::SK_Reverse:
  case TTI::SK_PermuteSingleSrc:
    return *Registers * 2; // the index comes from memory
  default:
    return *Registers * 4;
  }
}

InstructionCost NPUTTIImpl::getArithmeticReductionCost(
    unsigned Opcode, VectorType *Ty, std::optional<FastMathFlags> FMF,
    TTI::TargetCostKind CostKind) const {
  auto Registers = getVectorRegisters(Ty);
  if (!Registers || Opcode == Instruction::Mul)
    return BaseT::getArithmeticReductionCost(Opcode, Ty, FMF, CostKind);
  return *Registers - 1 + ToScalarCost;
}

InstructionCost
NPUTTIImpl::getMinMaxReductionCost(Intrinsic::ID IID, VectorType *Ty,
                                   FastMathFlags FMF,
                                   TTI::TargetCostKind CostKind) const {
  auto Registers = getVectorRegisters(Ty);
  if (!Registers)
    return BaseT::getMinMaxReductionCost(IID, Ty, FMF, CostKind);
  return *Registers - 1 + ToScalarCost;
}

std::optional<InstructionCost>
NPUTTIImpl::getVectorIntrinsicCost(const IntrinsicCostAttributes &ICA,
                                   TTI::TargetCostKind CostKind) const {
  Type *Ty = ICA.getReturnType();
  if (auto Registers = getVectorRegisters(Ty))
    switch (ICA.getID()) {
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::ctpop:
    case Intrinsic::bitreverse:
    case Intrinsic::bswap: {
      IntrinsicCostAttributes OfElement(ICA.getID(), Ty->getScalarType(),
                                        {Ty->getScalarType()});
      return getElementwiseCost(Ty, getIntrinsicInstrCost(OfElement, CostKind), 1);
    }
    case Intrinsic::abs:
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::sadd_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::get_active_lane_mask:
      return *Registers;
    default:
      break;
    }
  return std::nullopt;
}
