// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCallLowering.h - the calling convention --------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPUCALLLOWERING_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPUCALLLOWERING_H

#include "llvm/CodeGen/CallingConvLower.h"
#include "llvm/CodeGen/GlobalISel/CallLowering.h"

namespace llvm {

class NPUTargetLowering;

class NPUCallLowering : public CallLowering {
public:
  explicit NPUCallLowering(const NPUTargetLowering &TLI);

  bool canLowerReturn(MachineFunction &MF, CallingConv::ID CC,
                      SmallVectorImpl<BaseArgInfo> &Outs,
                      bool IsVarArg) const override;
  bool lowerReturn(MachineIRBuilder &B, const Value *Val,
                   ArrayRef<Register> VRegs,
                   FunctionLoweringInfo &FLI) const override;
  bool lowerFormalArguments(MachineIRBuilder &B, const Function &F,
                            ArrayRef<ArrayRef<Register>> VRegs,
                            FunctionLoweringInfo &FLI) const override;
  bool lowerCall(MachineIRBuilder &B, CallLoweringInfo &Info) const override;

private:
  void receiveVarArgs(MachineIRBuilder &B, IncomingValueHandler &Handler,
                      CCState &CCInfo) const;
  void demoteReturn(MachineIRBuilder &B, CallLoweringInfo &Info) const;
  bool prepareArguments(MachineIRBuilder &B, const CallLoweringInfo &Info,
                        SmallVectorImpl<ArgInfo> &Args) const;
  bool canTailCall(MachineIRBuilder &B, const CallLoweringInfo &Info,
                   ArrayRef<ArgInfo> Args) const;
  bool lowerTailCall(MachineIRBuilder &B, CallLoweringInfo &Info,
                     SmallVectorImpl<ArgInfo> &Args) const;
};

} // namespace llvm

#endif
