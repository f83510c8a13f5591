// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfo.h - what passes ask about instructions -----*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUINSTRINFO_H
#define LLVM_LIB_TARGET_NPU_NPUINSTRINFO_H

#include "NPURegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

#define GET_INSTRINFO_HEADER
#include "NPUGenInstrInfo.inc"

namespace llvm {

class NPUSubtarget;

class NPUInstrInfo : public NPUGenInstrInfo {
  const NPURegisterInfo RegInfo;

public:
  explicit NPUInstrInfo(const NPUSubtarget &STI);

  const NPURegisterInfo &getRegisterInfo() const { return RegInfo; }

  MCInst getNop() const override;

  // Copies, spills, constants.
  void copyPhysReg(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                   const DebugLoc &DL, Register DestReg, Register SrcReg,
                   bool KillSrc, bool RenamableDest = false,
                   bool RenamableSrc = false) const override;
  void storeRegToStackSlot(
      MachineBasicBlock &MBB, MachineBasicBlock::iterator I, Register SrcReg,
      bool IsKill, int FrameIndex, const TargetRegisterClass *RC, Register VReg,
      MachineInstr::MIFlag Flags = MachineInstr::NoFlags) const override;
  void loadRegFromStackSlot(
      MachineBasicBlock &MBB, MachineBasicBlock::iterator I, Register DestReg,
      int FrameIndex, const TargetRegisterClass *RC, Register VReg,
      unsigned SubReg = 0,
      MachineInstr::MIFlag Flags = MachineInstr::NoFlags) const override;
  Register isLoadFromStackSlot(const MachineInstr &MI,
                               int &FrameIndex) const override;
  Register isStoreToStackSlot(const MachineInstr &MI,
                              int &FrameIndex) const override;
  void movImm(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
              const DebugLoc &DL, Register DestReg, int32_t Value,
              MachineInstr::MIFlag Flag = MachineInstr::NoFlags) const;
  bool expandPostRAPseudo(MachineInstr &MI) const override;

  // Branches. A condition is the branch opcode and its two registers.
  bool analyzeBranch(MachineBasicBlock &MBB, MachineBasicBlock *&TBB,
                     MachineBasicBlock *&FBB,
                     SmallVectorImpl<MachineOperand> &Cond,
                     bool AllowModify) const override;
  unsigned removeBranch(MachineBasicBlock &MBB,
                        int *BytesRemoved = nullptr) const override;
  unsigned insertBranch(MachineBasicBlock &MBB, MachineBasicBlock *TBB,
                        MachineBasicBlock *FBB, ArrayRef<MachineOperand> Cond,
                        const DebugLoc &DL,
                        int *BytesAdded = nullptr) const override;
  bool reverseBranchCondition(
      SmallVectorImpl<MachineOperand> &Cond) const override;
  MachineBasicBlock *getBranchDestBlock(const MachineInstr &MI) const override;
  bool isBranchOffsetInRange(unsigned BranchOpc,
                             int64_t BrOffset) const override;
  void insertIndirectBranch(MachineBasicBlock &MBB,
                            MachineBasicBlock &NewDestBB,
                            MachineBasicBlock &RestoreBB, const DebugLoc &DL,
                            int64_t BrOffset,
                            RegScavenger *RS) const override;
  unsigned getInstSizeInBytes(const MachineInstr &MI) const override;

  // Properties.
  bool isSchedulingBoundary(const MachineInstr &MI,
                            const MachineBasicBlock *MBB,
                            const MachineFunction &MF) const override;
  bool isAsCheapAsAMove(const MachineInstr &MI) const override;
  std::optional<DestSourcePair>
  isCopyInstrImpl(const MachineInstr &MI) const override;
  std::optional<RegImmPair> isAddImmediate(const MachineInstr &MI,
                                           Register Reg) const override;
  bool getMemOperandsWithOffsetWidth(
      const MachineInstr &MI, SmallVectorImpl<const MachineOperand *> &BaseOps,
      int64_t &Offset, bool &OffsetIsScalable, LocationSize &Width,
      const TargetRegisterInfo *TRI) const override;
  bool areMemAccessesTriviallyDisjoint(const MachineInstr &MIa,
                                       const MachineInstr &MIb) const override;
  bool verifyInstruction(const MachineInstr &MI,
                         StringRef &ErrInfo) const override;

  // Outlining of repeated code (NPUMachineOutliner.cpp).
  bool shouldOutlineFromFunctionByDefault(MachineFunction &MF) const override;
  bool isFunctionSafeToOutlineFrom(MachineFunction &MF,
                                   bool OutlineFromLinkOnceODRs) const override;
  outliner::InstrType getOutliningTypeImpl(const MachineModuleInfo &MMI,
                                           MachineBasicBlock::iterator &I,
                                           unsigned Flags) const override;
  std::optional<std::unique_ptr<outliner::OutlinedFunction>>
  getOutliningCandidateInfo(const MachineModuleInfo &MMI,
                            std::vector<outliner::Candidate> &Candidates,
                            unsigned MinRepeats) const override;
  void buildOutlinedFrame(MachineBasicBlock &MBB, MachineFunction &MF,
                          const outliner::OutlinedFunction &OF) const override;
  MachineBasicBlock::iterator
  insertOutlinedCall(Module &M, MachineBasicBlock &MBB,
                     MachineBasicBlock::iterator &I, MachineFunction &MF,
                     outliner::Candidate &C) const override;

  std::pair<unsigned, unsigned>
  decomposeMachineOperandsTargetFlags(unsigned TF) const override;
  ArrayRef<std::pair<unsigned, const char *>>
  getSerializableDirectMachineOperandTargetFlags() const override;
};

namespace NPU {

// The branch with the opposite outcome.
unsigned getInvertedBranch(unsigned Opcode);

} // namespace NPU

} // namespace llvm

#endif
