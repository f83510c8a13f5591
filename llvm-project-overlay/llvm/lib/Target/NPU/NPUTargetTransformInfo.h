// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetTransformInfo.h - costs for the optimizer ------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUTARGETTRANSFORMINFO_H
#define LLVM_LIB_TARGET_NPU_NPUTARGETTRANSFORMINFO_H

#include "NPUSubtarget.h"
#include "NPUTargetMachine.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/BasicTTIImpl.h"

namespace llvm {

class NPUTTIImpl final : public BasicTTIImplBase<NPUTTIImpl> {
  using BaseT = BasicTTIImplBase<NPUTTIImpl>;
  using TTI = TargetTransformInfo;
  friend BaseT;

  const NPUSubtarget *ST;
  const NPUTargetLowering *TLI;

  const NPUSubtarget *getST() const { return ST; }
  const NPUTargetLowering *getTLI() const { return TLI; }

public:
  explicit NPUTTIImpl(const NPUTargetMachine *TM, const Function &F)
      : BaseT(TM, F.getDataLayout()), ST(TM->getSubtargetImpl(F)),
        TLI(ST->getTargetLowering()) {}

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
    // x0, sp, gp and tp are not for values; class 1 holds vectors.
    return ClassID == 0 ? 28 : 0;
  }

  TypeSize
  getRegisterBitWidth(TTI::RegisterKind Kind) const override {
    return TypeSize::getFixed(Kind == TTI::RGK_Scalar ? 32 : 0);
  }
};

} // namespace llvm

#endif
