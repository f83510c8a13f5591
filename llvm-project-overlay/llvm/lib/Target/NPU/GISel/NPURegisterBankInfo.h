// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPURegisterBankInfo.h - the one register bank -----------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPUREGISTERBANKINFO_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPUREGISTERBANKINFO_H

#include "llvm/CodeGen/RegisterBankInfo.h"

#define GET_REGBANK_DECLARATIONS
#include "NPUGenRegisterBank.inc"

namespace llvm {

class NPUGenRegisterBankInfo : public RegisterBankInfo {
protected:
#define GET_TARGET_REGBANK_CLASS
#include "NPUGenRegisterBank.inc"
};

class NPURegisterBankInfo final : public NPUGenRegisterBankInfo {
public:
  NPURegisterBankInfo() = default;

  const InstructionMapping &
  getInstrMapping(const MachineInstr &MI) const override;

  const RegisterBank &getRegBankFromRegClass(const TargetRegisterClass &RC,
                                             LLT Ty) const override;
};

} // namespace llvm

#endif
