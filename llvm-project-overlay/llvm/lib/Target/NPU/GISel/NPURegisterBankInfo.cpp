// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPURegisterBankInfo.cpp - scalars and vectors --------------------===//

#include "NPURegisterBankInfo.h"
#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterBank.h"

#define GET_TARGET_REGBANK_IMPL
#include "NPUGenRegisterBank.inc"

using namespace llvm;

// A word, or a vector register.
static const RegisterBankInfo::PartialMapping WordPart(0, 32,
                                                       NPU::GPRBRegBank);
static const RegisterBankInfo::ValueMapping Word(&WordPart, 1);
static const RegisterBankInfo::PartialMapping VectorPart(0, 512,
                                                         NPU::VRBRegBank);
static const RegisterBankInfo::ValueMapping Vector(&VectorPart, 1);

const RegisterBank &
NPURegisterBankInfo::getRegBankFromRegClass(const TargetRegisterClass &RC,
                                            LLT) const {
  return NPU::VRRegClass.hasSubClassEq(&RC) ? NPU::VRBRegBank
                                            : NPU::GPRBRegBank;
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
    LLT Ty = MRI.getType(MO.getReg());
    assert(Ty.getSizeInBits() <= (Ty.isVector() ? 512 : 32) &&
           "the legalizer left a value wider than a register");
    Operands[Index] = Ty.isVector() ? &Vector : &Word;
  }
  return getInstructionMapping(DefaultMappingID, /*Cost=*/1,
                               getOperandsMapping(Operands),
                               MI.getNumOperands());
}
