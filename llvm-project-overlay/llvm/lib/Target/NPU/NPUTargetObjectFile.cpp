// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetObjectFile.cpp - object file sections --------------------===//

#include "NPUTargetObjectFile.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

void NPUTargetObjectFile::Initialize(MCContext &Ctx, const TargetMachine &TM) {
  TargetLoweringObjectFileELF::Initialize(Ctx, TM);
  SupportIndirectSymViaGOTPCRel = false;
  PersonalityEncoding = dwarf::DW_EH_PE_absptr;
  LSDAEncoding = dwarf::DW_EH_PE_absptr;
  TTypeEncoding = dwarf::DW_EH_PE_absptr;
}
