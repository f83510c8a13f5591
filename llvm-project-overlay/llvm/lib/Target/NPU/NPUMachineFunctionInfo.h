// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMachineFunctionInfo.h - per-function state -----------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUMACHINEFUNCTIONINFO_H
#define LLVM_LIB_TARGET_NPU_NPUMACHINEFUNCTIONINFO_H

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/IR/Function.h"
#include <optional>

namespace llvm {

class NPUMachineFunctionInfo : public MachineFunctionInfo {
  // Where the first variadic argument is, and the bytes below the incoming
  // stack pointer that hold those passed in registers.
  int VarArgsFrameIndex = 0;
  unsigned VarArgsSaveSize = 0;
  // Bytes of the caller's frame that hold arguments of this function: what a
  // tail call may overwrite.
  unsigned ArgumentStackSize = 0;
  // Argument registers of the variable part and their values, for a musttail call.
  SmallVector<std::pair<MCRegister, Register>, 8> ForwardedRegisters;
  // Scratch slot of a jump that is out of JAL's reach.
  std::optional<int> BranchRelaxationFrameIndex;

public:
  NPUMachineFunctionInfo(const Function &, const TargetSubtargetInfo *) {}

  MachineFunctionInfo *
  clone(BumpPtrAllocator &Allocator, MachineFunction &DestMF,
        const DenseMap<MachineBasicBlock *, MachineBasicBlock *> &)
      const override {
    return DestMF.cloneInfo<NPUMachineFunctionInfo>(*this);
  }

  int getVarArgsFrameIndex() const { return VarArgsFrameIndex; }
  unsigned getVarArgsSaveSize() const { return VarArgsSaveSize; }
  void setVarArgs(int FrameIndex, unsigned SaveSize) {
    VarArgsFrameIndex = FrameIndex;
    VarArgsSaveSize = SaveSize;
  }

  unsigned getArgumentStackSize() const { return ArgumentStackSize; }
  void setArgumentStackSize(unsigned Size) { ArgumentStackSize = Size; }

  ArrayRef<std::pair<MCRegister, Register>> getForwardedRegisters() const {
    return ForwardedRegisters;
  }
  void addForwardedRegister(MCRegister PhysReg, Register Value) {
    ForwardedRegisters.emplace_back(PhysReg, Value);
  }

  std::optional<int> getBranchRelaxationFrameIndex() const {
    return BranchRelaxationFrameIndex;
  }
  void setBranchRelaxationFrameIndex(int FrameIndex) {
    BranchRelaxationFrameIndex = FrameIndex;
  }
};

} // namespace llvm

#endif
