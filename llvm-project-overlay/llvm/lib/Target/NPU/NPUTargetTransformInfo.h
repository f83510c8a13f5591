// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetTransformInfo.h - costs for the optimizer ------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUTARGETTRANSFORMINFO_H
#define LLVM_LIB_TARGET_NPU_NPUTARGETTRANSFORMINFO_H

#include "NPUSubtarget.h"
#include "NPUTargetMachine.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/BasicTTIImpl.h"
#include "llvm/IR/IntrinsicInst.h"

namespace llvm {

class NPUTTIImpl final : public BasicTTIImplBase<NPUTTIImpl> {
  using BaseT = BasicTTIImplBase<NPUTTIImpl>;
  using TTI = TargetTransformInfo;
  friend BaseT;

  const NPUSubtarget *ST;
  const NPUTargetLowering *TLI;
  const bool IsSmall;

  const NPUSubtarget *getST() const { return ST; }
  const NPUTargetLowering *getTLI() const { return TLI; }

public:
  explicit NPUTTIImpl(const NPUTargetMachine *TM, const Function &F)
      : BaseT(TM, F.getDataLayout()), ST(TM->getSubtargetImpl(F)),
        TLI(ST->getTargetLowering()), IsSmall(F.hasOptSize()) {}

  TTI::PopcntSupportKind getPopcntSupport(unsigned) const override {
    return TTI::PSK_Software;
  }

  InstructionCost getIntImmCost(const APInt &Imm, Type *Ty,
                                TTI::TargetCostKind CostKind) const override;
  InstructionCost getIntImmCostInst(unsigned Opcode, unsigned Idx,
                                    const APInt &Imm, Type *Ty,
                                    TTI::TargetCostKind CostKind,
                                    Instruction *Inst = nullptr) const override;
  InstructionCost
  getIntImmCostIntrin(Intrinsic::ID IID, unsigned Idx, const APInt &Imm,
                      Type *Ty, TTI::TargetCostKind CostKind) const override;

  InstructionCost getArithmeticInstrCost(
      unsigned Opcode, Type *Ty, TTI::TargetCostKind CostKind,
      TTI::OperandValueInfo Op1Info = {TTI::OK_AnyValue, TTI::OP_None},
      TTI::OperandValueInfo Op2Info = {TTI::OK_AnyValue, TTI::OP_None},
      ArrayRef<const Value *> Args = {},
      const Instruction *CxtI = nullptr) const override;

  InstructionCost
  getIntrinsicInstrCost(const IntrinsicCostAttributes &ICA,
                        TTI::TargetCostKind CostKind) const override;

  bool isLSRCostLess(const TTI::LSRCost &C1,
                     const TTI::LSRCost &C2) const override;

  // An address is a LUI and an ADDI.
  unsigned getGISelRematGlobalCost() const override { return 2; }

  void getUnrollingPreferences(Loop *L, ScalarEvolution &SE,
                               TTI::UnrollingPreferences &UP,
                               OptimizationRemarkEmitter *ORE) const override;

  unsigned getNumberOfRegisters(unsigned ClassID) const override {
    // x0, sp, gp and tp are not for values; class 1 holds vectors, which take more code
    // than they save where size counts.
    return ClassID == 0 ? 28 : IsSmall ? 0 : 32;
  }

  TypeSize
  getRegisterBitWidth(TTI::RegisterKind Kind) const override {
    return TypeSize::getFixed(Kind == TTI::RGK_Scalar              ? 32
                              : Kind == TTI::RGK_FixedWidthVector ? 512
                                                                  : 0);
  }

  // NPUVectorCosts.cpp
  unsigned getRegUsageForType(Type *Ty) const override {
    return getVectorRegisters(Ty).value_or(BaseT::getRegUsageForType(Ty));
  }
  unsigned getNumberOfParts(Type *Ty) const override;
  unsigned getMinVectorRegisterBitWidth() const override { return 512; }
  unsigned getMaxInterleaveFactor(ElementCount VF) const override {
    return VF.isScalar() ? 1 : 2;
  }
  InstructionCost
  getCastInstrCost(unsigned Opcode, Type *Dst, Type *Src,
                   TTI::CastContextHint CCH, TTI::TargetCostKind CostKind,
                   const Instruction *I = nullptr) const override;
  InstructionCost getCmpSelInstrCost(
      unsigned Opcode, Type *ValTy, Type *CondTy, CmpInst::Predicate Predicate,
      TTI::TargetCostKind CostKind,
      TTI::OperandValueInfo Op1Info = {TTI::OK_AnyValue, TTI::OP_None},
      TTI::OperandValueInfo Op2Info = {TTI::OK_AnyValue, TTI::OP_None},
      const Instruction *I = nullptr) const override;
  InstructionCost
  getMemoryOpCost(unsigned Opcode, Type *Src, Align Alignment,
                  unsigned AddressSpace, TTI::TargetCostKind CostKind,
                  TTI::OperandValueInfo OpInfo = {TTI::OK_AnyValue, TTI::OP_None},
                  const Instruction *I = nullptr) const override;
  // By scalar type the vectorizer asks whether there is a vector for it.
  bool isLegalMaskedLoad(Type *Ty, Align, unsigned,
                         TTI::MaskKind) const override {
    return isMaskable(Ty);
  }
  bool isLegalMaskedStore(Type *Ty, Align, unsigned,
                          TTI::MaskKind) const override {
    return isMaskable(Ty);
  }
  // An address that is neither invariant nor an induction comes from a vector.
  InstructionCost getAddressComputationCost(Type *PtrTy, ScalarEvolution *SE,
                                            const SCEV *Ptr,
                                            TTI::TargetCostKind CostKind) const override;
  // Gathers are lookups in tables of bytes, where the cost says so; no other becomes one.
  bool isLegalMaskedGather(Type *Ty, Align) const override {
    return Ty->getScalarType()->isIntegerTy(8) && getVectorRegisters(Ty) == 1;
  }
  bool forceScalarizeMaskedGather(VectorType *, Align) const override {
    return true;
  }
  InstructionCost
  getMemIntrinsicInstrCost(const MemIntrinsicCostAttributes &MICA,
                           TTI::TargetCostKind CostKind) const override;
  bool preferPredicateOverEpilogue(TailFoldingInfo *TFI) const override;
  TailFoldingStyle
  getPreferredTailFoldingStyle(bool IVUpdateMayOverflow) const override {
    return TailFoldingStyle::Data;
  }
  using BaseT::getVectorInstrCost;
  InstructionCost getVectorInstrCost(unsigned Opcode, Type *Val,
                                     TTI::TargetCostKind CostKind,
                                     unsigned Index, const Value *Op0,
                                     const Value *Op1) const override;
  InstructionCost
  getShuffleCost(TTI::ShuffleKind Kind, VectorType *DstTy, VectorType *SrcTy,
                 ArrayRef<int> Mask, TTI::TargetCostKind CostKind, int Index,
                 VectorType *SubTp, ArrayRef<const Value *> Args = {},
                 const Instruction *CxtI = nullptr) const override;
  // The accumulator has a quarter or half of the lanes: they decide the vector length.
  bool shouldMaximizeVectorBandwidth(TTI::RegisterKind Kind) const override {
    return Kind == TTI::RGK_FixedWidthVector;
  }
  InstructionCost getPartialReductionCost(
      unsigned Opcode, Type *InputTypeA, Type *InputTypeB, Type *AccumType,
      ElementCount VF, TTI::PartialReductionExtendKind OpAExtend,
      TTI::PartialReductionExtendKind OpBExtend, std::optional<unsigned> BinOp,
      TTI::TargetCostKind CostKind) const override;
  // There is an instruction for each but the product.
  bool shouldExpandReduction(const IntrinsicInst *II) const override {
    return II->getIntrinsicID() == Intrinsic::vector_reduce_mul ||
           !getVectorRegisters(II->getArgOperand(0)->getType());
  }
  InstructionCost
  getArithmeticReductionCost(unsigned Opcode, VectorType *Ty,
                             std::optional<FastMathFlags> FMF,
                             TTI::TargetCostKind CostKind) const override;
  InstructionCost
  getMinMaxReductionCost(Intrinsic::ID IID, VectorType *Ty, FastMathFlags FMF,
                         TTI::TargetCostKind CostKind) const override;

private:
  std::optional<unsigned> getVectorRegisters(const Type *Ty) const;
  bool isMaskable(const Type *Ty) const;
  InstructionCost getElementwiseCost(Type *Ty, InstructionCost OfElement,
                                     unsigned Operands) const;
  std::optional<InstructionCost>
  getVectorArithmeticCost(unsigned Opcode, Type *Ty, TTI::TargetCostKind CostKind,
                          TTI::OperandValueInfo Divisor) const;
  std::optional<InstructionCost>
  getVectorIntrinsicCost(const IntrinsicCostAttributes &ICA,
                         TTI::TargetCostKind CostKind) const;
};

} // namespace llvm

#endif
