// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPU.h - entry points of the NPU code generator ----------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPU_H
#define LLVM_LIB_TARGET_NPU_NPU_H

#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {

class FunctionPass;
class InstructionSelector;
class NPURegisterBankInfo;
class NPUSubtarget;
class NPUTargetMachine;
class PassRegistry;

FunctionPass *createNPUDebugAssignments();
FunctionPass *createNPUDebugPreparation();
FunctionPass *createNPUDebugWideValues(bool IsLegal);
FunctionPass *createNPUO0PreLegalizerCombiner();
FunctionPass *createNPUPreLegalizerCombiner();
FunctionPass *createNPUPostLegalizerCombiner();
FunctionPass *createNPUVectorIdioms();

InstructionSelector *
createNPUInstructionSelector(const NPUTargetMachine &TM,
                             const NPUSubtarget &STI,
                             const NPURegisterBankInfo &RBI);

void initializeNPUDebugAssignmentsPass(PassRegistry &);
void initializeNPUDebugPreparationPass(PassRegistry &);
void initializeNPUDebugWideValuesPass(PassRegistry &);
void initializeNPUAsmPrinterPass(PassRegistry &);
void initializeNPUO0PreLegalizerCombinerPass(PassRegistry &);
void initializeNPUPreLegalizerCombinerPass(PassRegistry &);
void initializeNPUPostLegalizerCombinerPass(PassRegistry &);
void initializeNPUVectorIdiomsPass(PassRegistry &);

} // namespace llvm

#endif
