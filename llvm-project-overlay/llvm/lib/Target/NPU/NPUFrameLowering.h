// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUFrameLowering.h - stack frames -----------------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUFRAMELOWERING_H
#define LLVM_LIB_TARGET_NPU_NPUFRAMELOWERING_H

#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "llvm/CodeGen/TargetFrameLowering.h"

namespace llvm {

class NPUFrameLowering : public TargetFrameLowering {
public:
  static constexpr MCPhysReg StackPointer = NPU::X2;
  static constexpr MCPhysReg FramePointer = NPU::X8;
  // Locals are found from it when the stack pointer moves and the frame pointer
  // is at an unknown distance because the frame was realigned.
  static constexpr MCPhysReg BasePointer = NPU::X9;

  NPUFrameLowering()
      : TargetFrameLowering(StackGrowsDown, /*StackAlignment=*/Align(16),
                            /*LocalAreaOffset=*/0,
                            /*TransientStackAlignment=*/Align(16)) {}

  bool hasBP(const MachineFunction &MF) const;
  bool hasReservedCallFrame(const MachineFunction &MF) const override;

  void emitPrologue(MachineFunction &MF, MachineBasicBlock &MBB) const override;
  void emitEpilogue(MachineFunction &MF, MachineBasicBlock &MBB) const override;
  void resetCFIToInitialState(MachineBasicBlock &MBB) const override;

  void determineCalleeSaves(MachineFunction &MF, BitVector &SavedRegs,
                            RegScavenger *RS) const override;
  bool spillCalleeSavedRegisters(MachineBasicBlock &MBB,
                                 MachineBasicBlock::iterator I,
                                 ArrayRef<CalleeSavedInfo> CSI,
                                 const TargetRegisterInfo *TRI) const override;
  bool restoreCalleeSavedRegisters(MachineBasicBlock &MBB,
                                   MachineBasicBlock::iterator I,
                                   MutableArrayRef<CalleeSavedInfo> CSI,
                                   const TargetRegisterInfo *TRI) const override;
  void processFunctionBeforeFrameFinalized(MachineFunction &MF,
                                           RegScavenger *RS) const override;
  MachineBasicBlock::iterator
  eliminateCallFramePseudoInstr(MachineFunction &MF, MachineBasicBlock &MBB,
                                MachineBasicBlock::iterator I) const override;
  StackOffset getFrameIndexReference(const MachineFunction &MF, int FI,
                                     Register &FrameReg) const override;
  bool enableShrinkWrapping(const MachineFunction &MF) const override;

protected:
  bool hasFPImpl(const MachineFunction &MF) const override;

private:
  // Moves the stack pointer. CFA, if any, is built into behind each instruction
  // that does; it holds the distance to the CFA before.
  void moveStackPointer(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                        const DebugLoc &DL, int64_t Amount,
                        MachineInstr::MIFlag Flag,
                        std::optional<int64_t> CFAOffset) const;

  // Bytes that the first step of the prologue allocates, when one step is not
  // enough to keep the saved registers within reach; 0 for a single step.
  uint64_t getFirstStep(const MachineFunction &MF) const;
};

} // namespace llvm

#endif
