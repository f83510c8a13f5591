// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPURegisterBankInfo.cpp - the one register bank -------------------===//

#include "NPURegisterBankInfo.h"
#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterBank.h"

#define GET_TARGET_REGBANK_IMPL
#include "NPUGenRegisterBank.inc"

using namespace llvm;

// A word in the only bank there is.
static const RegisterBankInfo::PartialMapping WordPart(0, 32,
                                                       NPU::GPRBRegBank);
static const RegisterBankInfo::ValueMapping Word(&WordPart, 1);

const RegisterBank &
NPURegisterBankInfo::getRegBankFromRegClass(const TargetRegisterClass &,
                                            LLT) const {
  return NPU::GPRBRegBank;
}

const RegisterBankInfo::InstructionMapping &
NPURegisterBankInfo::getInstrMapping(const MachineInstr &MI) const {
  // Copies and phis know their bank from the registers they connect.
  const InstructionMapping &Mapping = getInstrMappingImpl(MI);
  if (Mapping.isValid())
    return Mapping;

  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  SmallVector<const ValueMapping *, 8> Operands(MI.getNumOperands());
  for (const auto &[Index, MO] : enumerate(MI.operands())) {
    if (!MO.isReg() || !MO.getReg() || !MRI.getType(MO.getReg()).isValid())
      continue;
    assert(MRI.getType(MO.getReg()).getSizeInBits() <= 32 &&
           "the legalizer left a value wider than a register");
    Operands[Index] = &Word;
  }
  return getInstructionMapping(DefaultMappingID, /*Cost=*/1,
                               getOperandsMapping(Operands),
                               MI.getNumOperands());
}
