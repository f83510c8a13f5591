// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCombines.h - combines that are written in C++ --------*- C++ -*-===//
//
// What the rules of NPUCombine.td call.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPUCOMBINES_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPUCOMBINES_H

#include "llvm/CodeGen/GlobalISel/CombinerHelper.h"

namespace llvm::NPUCombines {

// Before legalization.

// Aligns the stack objects that a copy or fill reads and writes, so that words
// can be moved.
void alignStackObjects(MachineInstr &MI);

// A value that is only copied between unaligned places: its parts need not be
// put together in between.
bool matchUnalignedCopy(MachineInstr &MI, const MachineRegisterInfo &MRI,
                        BuildFnTy &Build);

// A constant to an unaligned place: each part is a constant of its own.
bool matchUnalignedConstant(MachineInstr &MI, const MachineRegisterInfo &MRI,
                            BuildFnTy &Build);

// After legalization, on words.

// A narrow load whose upper bits nobody asked for extends the way its users do it
// themselves afterwards: a known extension is one they can leave out.
bool matchLoadExtension(const MachineInstr &MI, const MachineRegisterInfo &MRI,
                        unsigned &Opcode);
void applyLoadExtension(MachineInstr &MI, GISelChangeObserver &Observer,
                        const TargetInstrInfo &TII, unsigned Opcode);

// Comparisons, tests of the sign, and selects that need no branch.
bool matchComparison(MachineInstr &MI, const MachineRegisterInfo &MRI,
                     BuildFnTy &Build);
bool matchSignBit(MachineInstr &MI, const MachineRegisterInfo &MRI,
                  BuildFnTy &Build);
bool matchSelect(MachineInstr &MI, const MachineRegisterInfo &MRI,
                 GISelValueTracking *VT, BuildFnTy &Build);

} // namespace llvm::NPUCombines

#endif
