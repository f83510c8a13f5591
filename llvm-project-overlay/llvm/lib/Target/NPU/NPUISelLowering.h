// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUISelLowering.h - types and operations of the NPU -----*- C++ -*-===//
//
// What target-independent passes, and the parts that GlobalISel shares with them,
// ask about types, addresses, immediates and inline assembly.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NPU_NPUISELLOWERING_H
#define LLVM_LIB_TARGET_NPU_NPUISELLOWERING_H

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/IR/Instructions.h"

namespace llvm {

class NPUSubtarget;

class NPUTargetLowering : public TargetLowering {
public:
  NPUTargetLowering(const TargetMachine &TM, const NPUSubtarget &STI);

  // Addresses and immediates.
  bool isLegalAddressingMode(const DataLayout &DL, const AddrMode &AM, Type *Ty,
                             unsigned AS,
                             Instruction *I = nullptr) const override;
  bool isLegalICmpImmediate(int64_t Imm) const override;
  bool isLegalAddImmediate(int64_t Imm) const override;
  bool isOffsetFoldingLegal(const GlobalAddressSDNode *) const override {
    return true;
  }
  bool shouldConvertConstantLoadToIntImm(const APInt &, Type *) const override {
    return true;
  }

  // Costs.
  bool isTruncateFree(Type *SrcTy, Type *DstTy) const override;
  bool isTruncateFree(EVT SrcVT, EVT DstVT) const override;
  bool isCheapToSpeculateCttz(Type *) const override { return false; }
  bool isCheapToSpeculateCtlz(Type *) const override { return false; }
  bool isIntDivCheap(EVT VT, AttributeList Attrs) const override;
  bool convertSelectOfConstantsToMath(EVT) const override { return true; }
  LLT getOptimalMemOpLLT(const MemOp &Op,
                         const AttributeList &Attrs) const override;

  // Lets a shared return be duplicated behind a call.
  bool mayBeEmittedAsTailCall(const CallInst *Call) const override {
    return Call->isTailCall();
  }

  EVT getSetCCResultType(const DataLayout &, LLVMContext &,
                         EVT VT) const override {
    return VT.isVector() ? VT.changeVectorElementTypeToInteger() : MVT::i32;
  }

  // The calling convention knows full registers; all other vectors are scalars or
  // lie in memory.
  LegalizeTypeAction getPreferredVectorAction(MVT) const override {
    return TypeSplitVector;
  }

  bool getTgtMemIntrinsic(IntrinsicInfo &Info, const CallBase &Call,
                          MachineFunction &MF,
                          unsigned ID) const override;

  // Inline assembly and named registers.
  ConstraintType getConstraintType(StringRef Constraint) const override;
  InlineAsm::ConstraintCode
  getInlineAsmMemConstraint(StringRef Constraint) const override;
  std::pair<unsigned, const TargetRegisterClass *>
  getRegForInlineAsmConstraint(const TargetRegisterInfo *TRI,
                               StringRef Constraint, MVT VT) const override;
  Register getRegisterByName(const char *Name, LLT Ty,
                             const MachineFunction &MF) const override;

  MachineBasicBlock *
  EmitInstrWithCustomInserter(MachineInstr &MI,
                              MachineBasicBlock *MBB) const override;

  // Atomic operations of up to a word. The machine has one hart in machine mode:
  // what makes a read-modify-write atomic is that no interrupt comes between.
  AtomicExpansionKind
  shouldExpandAtomicRMWInIR(AtomicRMWInst *) const override {
    return AtomicExpansionKind::CustomExpand;
  }
  AtomicExpansionKind
  shouldExpandAtomicCmpXchgInIR(AtomicCmpXchgInst *) const override {
    return AtomicExpansionKind::CustomExpand;
  }
  void emitExpandAtomicRMW(AtomicRMWInst *RMW) const override;
  void emitExpandAtomicCmpXchg(AtomicCmpXchgInst *CmpXchg) const override;

  Value *getIRStackGuard(IRBuilderBase &B) const override;

  Register getExceptionPointerRegister(const Constant *) const override;
  Register getExceptionSelectorRegister(const Constant *) const override;
};

} // namespace llvm

#endif
