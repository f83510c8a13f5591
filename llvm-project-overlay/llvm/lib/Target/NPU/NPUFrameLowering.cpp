// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUFrameLowering.cpp - stack frames -------------------------------===//
//
// A frame, from high to low addresses:
//
//   | arguments of this function on the stack       |
//   |-----------------------------------------------| <- CFA, sp at entry
//   | variadic arguments that came in registers     |
//   |-----------------------------------------------| <- frame pointer
//   | saved registers: ra, s0, ...                  |
//   |-----------------------------------------------|
//   | padding when the locals are over-aligned      |
//   |-----------------------------------------------|
//   | locals and spill slots                        |
//   |-----------------------------------------------| <- base pointer
//   | variable-sized objects                        |
//   |-----------------------------------------------|
//   | arguments of calls, unless pushed at the call |
//   |-----------------------------------------------| <- sp
//
// When the whole frame is beyond the reach of a 12-bit offset, the prologue
// allocates it in two steps and saves the registers after the first.
//
//===----------------------------------------------------------------------===//

#include "NPUFrameLowering.h"
#include "NPUMachineFunctionInfo.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/CFIInstBuilder.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterScavenging.h"
#include "llvm/MC/MCDwarf.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

bool NPUFrameLowering::hasFPImpl(const MachineFunction &MF) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  return MF.getTarget().Options.DisableFramePointerElim(MF) ||
         MF.getSubtarget().getRegisterInfo()->hasStackRealignment(MF) ||
         MFI.hasVarSizedObjects() || MFI.isFrameAddressTaken();
}

bool NPUFrameLowering::hasBP(const MachineFunction &MF) const {
  return MF.getFrameInfo().hasVarSizedObjects() &&
         MF.getSubtarget().getRegisterInfo()->hasStackRealignment(MF);
}

bool NPUFrameLowering::hasReservedCallFrame(const MachineFunction &MF) const {
  return !MF.getFrameInfo().hasVarSizedObjects();
}

bool NPUFrameLowering::enableShrinkWrapping(const MachineFunction &MF) const {
  return !MF.getFunction().hasOptNone();
}

uint64_t NPUFrameLowering::getFirstStep(const MachineFunction &MF) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  if (isInt<12>(MFI.getStackSize()) || MFI.getCalleeSavedInfo().empty())
    return 0;
  return 2048 - getStackAlign().value();
}

//===----------------------------------------------------------------------===//
// Prologue and epilogue
//===----------------------------------------------------------------------===//

void NPUFrameLowering::emitPrologue(MachineFunction &MF,
                                    MachineBasicBlock &MBB) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  const NPUSubtarget &STI = MF.getSubtarget<NPUSubtarget>();
  const NPURegisterInfo &TRI = *STI.getRegisterInfo();
  const NPUInstrInfo &TII = *STI.getInstrInfo();
  const auto *FuncInfo = MF.getInfo<NPUMachineFunctionInfo>();
  constexpr auto Flag = MachineInstr::FrameSetup;
  DebugLoc DL;

  uint64_t StackSize = MFI.getStackSize();
  if (StackSize == 0)
    return;
  NPURegisterInfo::checkNotReserved(MF, StackPointer,
                                    "the function needs a stack frame", DL);
  if (hasFP(MF))
    NPURegisterInfo::checkNotReserved(
        MF, FramePointer, "the function needs it as the frame pointer", DL);
  if (hasBP(MF))
    NPURegisterInfo::checkNotReserved(
        MF, BasePointer, "the function needs it as the base pointer", DL);
  uint64_t FirstStep = getFirstStep(MF);
  uint64_t SaveSize = FirstStep ? FirstStep : StackSize;
  bool NeedsCFI = MF.needsFrameMoves();

  MachineBasicBlock::iterator I = MBB.begin();
  CFIInstBuilder CFI(MBB, I, Flag);
  moveStackPointer(MBB, I, DL, -int64_t(SaveSize), Flag,
                   NeedsCFI ? std::optional<int64_t>(0) : std::nullopt);

  // The stores are in place, one instruction each.
  const std::vector<CalleeSavedInfo> &CSI = MFI.getCalleeSavedInfo();
  std::advance(I, CSI.size());
  CFI.setInsertPoint(I);
  if (NeedsCFI)
    for (const CalleeSavedInfo &Saved : CSI)
      CFI.buildOffset(Saved.getReg(), MFI.getObjectOffset(Saved.getFrameIdx()));

  if (hasFP(MF)) {
    unsigned VarArgs = FuncInfo->getVarArgsSaveSize();
    TRI.adjustReg(MBB, I, DL, FramePointer, StackPointer, SaveSize - VarArgs,
                  Flag);
    if (NeedsCFI)
      CFI.buildDefCFA(FramePointer, VarArgs);
  }

  if (FirstStep) {
    moveStackPointer(MBB, I, DL, -int64_t(StackSize - FirstStep), Flag,
                     NeedsCFI && !hasFP(MF) ? std::optional<int64_t>(FirstStep)
                                            : std::nullopt);
  }

  if (TRI.hasStackRealignment(MF)) {
    Align Alignment = MFI.getMaxAlign();
    if (isInt<12>(-int64_t(Alignment.value()))) {
      BuildMI(MBB, I, DL, TII.get(NPU::ANDI), StackPointer)
          .addReg(StackPointer)
          .addImm(-int64_t(Alignment.value()))
          .setMIFlag(Flag);
    } else {
      Register Scratch =
          MF.getRegInfo().createVirtualRegister(&NPU::GPRRegClass);
      BuildMI(MBB, I, DL, TII.get(NPU::SRLI), Scratch)
          .addReg(StackPointer)
          .addImm(Log2(Alignment))
          .setMIFlag(Flag);
      BuildMI(MBB, I, DL, TII.get(NPU::SLLI), StackPointer)
          .addReg(Scratch, RegState::Kill)
          .addImm(Log2(Alignment))
          .setMIFlag(Flag);
    }
    if (hasBP(MF))
      TRI.adjustReg(MBB, I, DL, BasePointer, StackPointer, 0, Flag);
  }
}

void NPUFrameLowering::emitEpilogue(MachineFunction &MF,
                                    MachineBasicBlock &MBB) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  const NPURegisterInfo &TRI =
      *MF.getSubtarget<NPUSubtarget>().getRegisterInfo();
  const auto *FuncInfo = MF.getInfo<NPUMachineFunctionInfo>();
  constexpr auto Flag = MachineInstr::FrameDestroy;

  uint64_t StackSize = MFI.getStackSize();
  if (StackSize == 0)
    return;
  uint64_t FirstStep = getFirstStep(MF);
  uint64_t SaveSize = FirstStep ? FirstStep : StackSize;
  bool NeedsCFI = MF.needsFrameMoves();

  MachineBasicBlock::iterator End = MBB.getFirstTerminator();
  DebugLoc DL = End != MBB.end() ? End->getDebugLoc() : DebugLoc();
  const std::vector<CalleeSavedInfo> &CSI = MFI.getCalleeSavedInfo();
  MachineBasicBlock::iterator Reloads = std::prev(End, CSI.size());
  CFIInstBuilder CFI(MBB, Reloads, Flag);

  // Back to where the stack pointer was when the registers were saved.
  if (TRI.hasStackRealignment(MF) || MFI.hasVarSizedObjects())
    TRI.adjustReg(MBB, Reloads, DL, StackPointer, FramePointer,
                  -int64_t(SaveSize - FuncInfo->getVarArgsSaveSize()), Flag);
  else if (FirstStep)
    moveStackPointer(MBB, Reloads, DL, StackSize - FirstStep, Flag,
                     NeedsCFI && !hasFP(MF) ? std::optional<int64_t>(StackSize)
                                            : std::nullopt);
  if (NeedsCFI && hasFP(MF))
    CFI.buildDefCFA(StackPointer, SaveSize);

  CFI.setInsertPoint(End);
  if (NeedsCFI)
    for (const CalleeSavedInfo &Saved : CSI)
      CFI.buildRestore(Saved.getReg());
  moveStackPointer(MBB, End, DL, SaveSize, Flag,
                   NeedsCFI ? std::optional<int64_t>(SaveSize) : std::nullopt);
}

// For a block without a frame behind one that has it, as shrink wrapping leaves them.
void NPUFrameLowering::resetCFIToInitialState(MachineBasicBlock &MBB) const {
  CFIInstBuilder CFI(MBB, MBB.begin(), MachineInstr::NoFlags);
  CFI.buildDefCFA(StackPointer, 0);
  for (const CalleeSavedInfo &Saved :
       MBB.getParent()->getFrameInfo().getCalleeSavedInfo())
    CFI.buildRestore(Saved.getReg());
}

void NPUFrameLowering::moveStackPointer(MachineBasicBlock &MBB,
                                        MachineBasicBlock::iterator I,
                                        const DebugLoc &DL, int64_t Amount,
                                        MachineInstr::MIFlag Flag,
                                        std::optional<int64_t> CFAOffset) const {
  const NPURegisterInfo &TRI =
      *MBB.getParent()->getSubtarget<NPUSubtarget>().getRegisterInfo();
  if (std::optional<int64_t> Step = NPURegisterInfo::getFirstOfTwoSteps(Amount)) {
    moveStackPointer(MBB, I, DL, *Step, Flag, CFAOffset);
    if (CFAOffset)
      *CFAOffset -= *Step;
    Amount -= *Step;
  }
  TRI.adjustReg(MBB, I, DL, StackPointer, StackPointer, Amount, Flag);
  if (CFAOffset)
    CFIInstBuilder(MBB, I, Flag).buildDefCFAOffset(*CFAOffset - Amount);
}

MachineBasicBlock::iterator NPUFrameLowering::eliminateCallFramePseudoInstr(
    MachineFunction &MF, MachineBasicBlock &MBB,
    MachineBasicBlock::iterator I) const {
  int64_t Amount = I->getOperand(0).getImm();
  if (!hasReservedCallFrame(MF) && Amount != 0) {
    Amount = alignSPAdjust(Amount);
    if (I->getOpcode() == NPU::ADJCALLSTACKDOWN)
      Amount = -Amount;
    MF.getSubtarget<NPUSubtarget>().getRegisterInfo()->adjustReg(
        MBB, I, I->getDebugLoc(), StackPointer, StackPointer, Amount,
        MachineInstr::NoFlags);
  }
  return MBB.erase(I);
}

//===----------------------------------------------------------------------===//
// Saved registers
//===----------------------------------------------------------------------===//

void NPUFrameLowering::determineCalleeSaves(MachineFunction &MF,
                                            BitVector &SavedRegs,
                                            RegScavenger *RS) const {
  TargetFrameLowering::determineCalleeSaves(MF, SavedRegs, RS);
  // A frame record: return address and caller's frame pointer.
  if (hasFP(MF)) {
    SavedRegs.set(NPU::X1);
    SavedRegs.set(FramePointer);
  }
  if (hasBP(MF))
    SavedRegs.set(BasePointer);
}

bool NPUFrameLowering::spillCalleeSavedRegisters(
    MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
    ArrayRef<CalleeSavedInfo> CSI, const TargetRegisterInfo *TRI) const {
  const TargetInstrInfo &TII = *MBB.getParent()->getSubtarget().getInstrInfo();
  for (const CalleeSavedInfo &Saved : CSI) {
    MCRegister Reg = Saved.getReg();
    // A register that is also read here (the return address) stays alive.
    bool IsKill = !MBB.getParent()->getRegInfo().isLiveIn(Reg);
    MBB.addLiveIn(Reg);
    TII.storeRegToStackSlot(MBB, I, Reg, IsKill, Saved.getFrameIdx(),
                            TRI->getMinimalPhysRegClass(Reg), Register(),
                            MachineInstr::FrameSetup);
  }
  return true;
}

bool NPUFrameLowering::restoreCalleeSavedRegisters(
    MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
    MutableArrayRef<CalleeSavedInfo> CSI, const TargetRegisterInfo *TRI) const {
  const TargetInstrInfo &TII = *MBB.getParent()->getSubtarget().getInstrInfo();
  for (const CalleeSavedInfo &Saved : CSI)
    TII.loadRegFromStackSlot(MBB, I, Saved.getReg(), Saved.getFrameIdx(),
                             TRI->getMinimalPhysRegClass(Saved.getReg()),
                             Register(), 0,
                             MachineInstr::FrameDestroy);
  return true;
}

//===----------------------------------------------------------------------===//
// Frame indices
//===----------------------------------------------------------------------===//

void NPUFrameLowering::processFunctionBeforeFrameFinalized(
    MachineFunction &MF, RegScavenger *RS) const {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  auto CreateSlot = [&] {
    int FI = MFI.CreateSpillStackObject(4, Align(4));
    RS->addScavengingFrameIndex(FI);
    return FI;
  };

  // Offsets beyond 12 bits need a scratch register. The estimate does not know
  // the padding between objects, hence the margin.
  if (!isInt<11>(MFI.estimateStackSize(MF)))
    CreateSlot();

  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  uint64_t CodeSize = 0;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      CodeSize += TII.getInstSizeInBytes(MI);
  // Relaxed branches make the code larger, up to twice in the worst case.
  if (!isInt<20>(CodeSize))
    MF.getInfo<NPUMachineFunctionInfo>()->setBranchRelaxationFrameIndex(
        CreateSlot());
}

StackOffset
NPUFrameLowering::getFrameIndexReference(const MachineFunction &MF, int FI,
                                         Register &FrameReg) const {
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  const auto *FuncInfo = MF.getInfo<NPUMachineFunctionInfo>();
  int64_t Offset = MFI.getObjectOffset(FI); // from the CFA
  int64_t StackSize = MFI.getStackSize();

  const std::vector<CalleeSavedInfo> &CSI = MFI.getCalleeSavedInfo();
  if (!CSI.empty() && FI >= CSI.front().getFrameIdx() &&
      FI <= CSI.back().getFrameIdx()) {
    uint64_t FirstStep = getFirstStep(MF);
    FrameReg = StackPointer;
    return StackOffset::getFixed(Offset + (FirstStep ? FirstStep : StackSize));
  }

  if (MF.getSubtarget().getRegisterInfo()->hasStackRealignment(MF) &&
      !MFI.isFixedObjectIndex(FI)) {
    FrameReg = hasBP(MF) ? BasePointer : StackPointer;
    return StackOffset::getFixed(Offset + StackSize);
  }

  if (hasFP(MF)) {
    FrameReg = FramePointer;
    return StackOffset::getFixed(Offset + FuncInfo->getVarArgsSaveSize());
  }

  FrameReg = StackPointer;
  return StackOffset::getFixed(Offset + StackSize);
}
