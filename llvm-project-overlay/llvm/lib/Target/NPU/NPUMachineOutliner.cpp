// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMachineOutliner.cpp - repeated code into functions -------------===//
//
// The hooks of the machine outliner. A repeated sequence becomes a function in
// one of three ways:
//
//   Tail     it ends in a return or tail call: a jump replaces it;
//   Thunk    it ends in a call, which becomes a tail call of the new function:
//            a call through ra replaces it;
//   Subroutine  anything else: a call through t0 replaces it.
//
// What the instructions of prologues and epilogues say about the frame is said
// again behind the call that replaces them, so that unwind information holds
// wherever code is left behind. The new function is a frame of its own, which the
// stack pointer's way through it describes: from the start for one that is called,
// from the end, where the frame is gone, for one that is jumped to.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NPUBaseInfo.h"
#include "NPUInstrInfo.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/CFIInstBuilder.h"
#include "llvm/CodeGen/LiveRegUnits.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineOutliner.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
enum OutlineKind : unsigned { Tail, Thunk, Subroutine };
} // namespace

static constexpr MCPhysReg ReturnAddress = NPU::X1;
static constexpr MCPhysReg SubroutineLink = NPU::X5;
static constexpr MCPhysReg FarJumpScratch = NPU::X6;
static constexpr MCPhysReg StackPointer = NPUFrameLowering::StackPointer;
static constexpr MCPhysReg FramePointer = NPUFrameLowering::FramePointer;
// A call that the linker has shortened, and a return.
static constexpr unsigned CallBytes = 4, ReturnBytes = 4;

bool NPUInstrInfo::shouldOutlineFromFunctionByDefault(
    MachineFunction &MF) const {
  return MF.getFunction().hasMinSize();
}

bool NPUInstrInfo::isFunctionSafeToOutlineFrom(
    MachineFunction &MF, bool OutlineFromLinkOnceODRs) const {
  const Function &F = MF.getFunction();
  // The linker may discard it; its section says where its code must lie; a
  // handler's registers belong to somebody else.
  return (!F.hasLinkOnceODRLinkage() || OutlineFromLinkOnceODRs) &&
         !F.hasSection() && !F.hasFnAttribute("interrupt") &&
         !F.hasFnAttribute(Attribute::Naked);
}

static bool touches(const MachineInstr &MI, MCPhysReg Reg,
                    const TargetRegisterInfo *TRI) {
  return !MI.isDebugInstr() &&
         (MI.readsRegister(Reg, TRI) || MI.modifiesRegister(Reg, TRI));
}

// Moves the stack pointer by a constant, or to one from the frame pointer.
static bool movesStackPointer(const MachineInstr &MI) {
  return MI.getOpcode() == NPU::ADDI && MI.getOperand(2).isImm() &&
         MI.getOperand(0).getReg() == StackPointer &&
         (MI.getOperand(1).getReg() == StackPointer ||
          MI.getOperand(1).getReg() == FramePointer);
}

outliner::InstrType
NPUInstrInfo::getOutliningTypeImpl(const MachineModuleInfo &,
                                   MachineBasicBlock::iterator &I,
                                   unsigned) const {
  const MachineInstr &MI = *I;
  if (MI.isCFIInstruction())
    return outliner::InstrType::Invisible;
  if (MI.isReturn())
    return outliner::InstrType::LegalTerminator;
  if (MI.isTerminator())
    return outliner::InstrType::Illegal;
  if (MI.isCall()) {
    bool CanBecomeTail =
        MI.getOpcode() == NPU::PseudoCALL ||
        (MI.getOpcode() == NPU::PseudoCALLIndirect &&
         NPU::GPRTCRegClass.contains(MI.getOperand(0).getReg()));
    return CanBecomeTail ? outliner::InstrType::LegalTerminator
                         : outliner::InstrType::Illegal;
  }
  return outliner::InstrType::Legal;
}

// Whether the user has reserved the register that the calls and jumps need.
static bool isReserved(const outliner::Candidate &C, OutlineKind Kind) {
  return C.getMF()->getSubtarget().isRegisterReservedByUser(
      Kind == Subroutine ? SubroutineLink : FarJumpScratch);
}

// Whether the link register of a subroutine is free from the sequence's start to
// its end, and holds nothing that is needed behind it.
static bool isLinkFree(const outliner::Candidate &C,
                       const TargetRegisterInfo &TRI) {
  auto &Sequence = const_cast<outliner::Candidate &>(C);
  for (const MachineInstr &MI : Sequence)
    if (touches(MI, SubroutineLink, &TRI))
      return false;
  MachineBasicBlock &MBB = *Sequence.getMBB();
  LiveRegUnits Live(TRI);
  Live.addLiveOuts(MBB);
  for (MachineInstr &MI : reverse(make_range(Sequence.end(), MBB.end())))
    if (!MI.isDebugInstr())
      Live.stepBackward(MI);
  return Live.available(SubroutineLink);
}

std::optional<std::unique_ptr<outliner::OutlinedFunction>>
NPUInstrInfo::getOutliningCandidateInfo(
    const MachineModuleInfo &, std::vector<outliner::Candidate> &Candidates,
    unsigned MinRepeats) const {
  // The sequences are equal: one stands for all.
  outliner::Candidate &First = Candidates.front();
  const MachineInstr &Last = First.back();
  OutlineKind Kind = Last.isReturn() ? Tail : Last.isCall() ? Thunk : Subroutine;

  unsigned Bytes = 0;
  for (const MachineInstr &MI : First) {
    if (Kind == Thunk && &MI != &Last && touches(MI, ReturnAddress, &RegInfo))
      return std::nullopt;
    // Nobody could find the caller's frame from within the new function.
    if (MI.modifiesRegister(StackPointer, &RegInfo) && &MI != &Last &&
        !(movesStackPointer(MI) &&
          (Kind == Tail || MI.getOperand(1).getReg() == StackPointer)))
      return std::nullopt;
    Bytes += MI.isCall() ? CallBytes : getInstSizeInBytes(MI);
  }
  erase_if(Candidates, [&](const outliner::Candidate &C) {
    return isReserved(C, Kind);
  });
  if (Kind == Subroutine)
    erase_if(Candidates, [&](const outliner::Candidate &C) {
      return !isLinkFree(C, RegInfo);
    });
  if (Candidates.size() < MinRepeats)
    return std::nullopt;

  for (outliner::Candidate &C : Candidates)
    C.setCallInfo(Kind, CallBytes);
  return std::make_unique<outliner::OutlinedFunction>(
      Candidates, Bytes, Kind == Subroutine ? ReturnBytes : 0, Kind);
}

// Where a prologue or epilogue saves a register: its place relative to sp.
static std::optional<int64_t> getSavePlace(const MachineInstr &MI,
                                           unsigned Opcode,
                                           MachineInstr::MIFlag Flag) {
  if (MI.getOpcode() != Opcode || !MI.getFlag(Flag) ||
      MI.getOperand(1).getReg() != StackPointer || !MI.getOperand(2).isImm())
    return std::nullopt;
  return MI.getOperand(2).getImm();
}

// Of a function that is called: at its start the frame is empty.
static void describeCalled(MachineBasicBlock &MBB) {
  int64_t Size = 0;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    CFIInstBuilder CFI(MBB, std::next(MI.getIterator()), MachineInstr::NoFlags);
    if (movesStackPointer(MI)) {
      Size -= MI.getOperand(2).getImm();
      CFI.buildDefCFAOffset(Size);
    } else if (auto Place = getSavePlace(MI, NPU::SW, MachineInstr::FrameSetup)) {
      CFI.buildOffset(MI.getOperand(0).getReg(), *Place - Size);
    }
  }
}

// Of a function that is jumped to: at its end the frame is empty.
static void describeJumpedTo(MachineBasicBlock &MBB) {
  MCRegister Base = StackPointer;
  int64_t Size = 0;
  SmallVector<std::pair<MCRegister, int64_t>, 8> Saved;
  for (MachineInstr &MI : make_early_inc_range(reverse(MBB))) {
    CFIInstBuilder CFI(MBB, std::next(MI.getIterator()), MachineInstr::NoFlags);
    if (movesStackPointer(MI)) {
      CFI.buildDefCFA(Base, Size);
      Base = MI.getOperand(1).getReg();
      Size += MI.getOperand(2).getImm();
    } else if (auto Place =
                   getSavePlace(MI, NPU::LW, MachineInstr::FrameDestroy)) {
      CFI.buildRestore(MI.getOperand(0).getReg());
      Saved.push_back({MI.getOperand(0).getReg(), *Place - Size});
    }
  }
  CFIInstBuilder CFI(MBB, MBB.begin(), MachineInstr::NoFlags);
  if (Base != StackPointer || Size != 0)
    CFI.buildDefCFA(Base, Size);
  for (auto [Reg, Place] : Saved)
    CFI.buildOffset(Reg, Place);
}

void NPUInstrInfo::buildOutlinedFrame(
    MachineBasicBlock &MBB, MachineFunction &MF,
    const outliner::OutlinedFunction &OF) const {
  for (MachineInstr &MI : make_early_inc_range(MBB))
    if (MI.isCFIInstruction())
      MI.eraseFromParent();
  if (MF.needsFrameMoves()) {
    if (OF.FrameConstructionID == Tail)
      describeJumpedTo(MBB);
    else
      describeCalled(MBB);
  }
  switch (OF.FrameConstructionID) {
  case Tail:
    return;
  case Thunk: {
    MachineInstr &Call = MBB.instr_back();
    bool IsDirect = Call.getOpcode() == NPU::PseudoCALL;
    BuildMI(MBB, MBB.end(), DebugLoc(),
            get(IsDirect ? NPU::PseudoTAIL : NPU::PseudoTAILIndirect))
        .add(Call.getOperand(0));
    Call.eraseFromParent();
    MBB.addLiveIn(ReturnAddress);
    return;
  }
  case Subroutine:
    MBB.addLiveIn(SubroutineLink);
    MF.getFunction().addFnAttr("npu-returns-to-t0");
    BuildMI(MBB, MBB.end(), DebugLoc(), get(NPU::PseudoBRIND))
        .addReg(SubroutineLink)
        .addImm(0);
    return;
  }
  llvm_unreachable("unknown kind of outlined function");
}

MachineBasicBlock::iterator NPUInstrInfo::insertOutlinedCall(
    Module &M, MachineBasicBlock &MBB, MachineBasicBlock::iterator &I,
    MachineFunction &MF, outliner::Candidate &C) const {
  // The caller makes what the sequence reads operands of the call; a debug value's
  // register may be undefined there.
  for (MachineInstr &MI : make_early_inc_range(C))
    if (MI.isDebugInstr())
      MI.eraseFromParent();
  MachineInstrBuilder Call;
  switch (C.CallConstructionID) {
  case Tail:
    Call = BuildMI(MF, DebugLoc(), get(NPU::PseudoTAIL));
    break;
  case Thunk:
    Call = BuildMI(MF, DebugLoc(), get(NPU::PseudoCALL));
    break;
  case Subroutine:
    Call = BuildMI(MF, DebugLoc(), get(NPU::PseudoCALLReg), SubroutineLink);
    break;
  }
  Call.addGlobalAddress(M.getNamedValue(MF.getName()), 0, NPUII::MO_CALL);
  if (C.CallConstructionID != Tail)
    for (MachineInstr &MI : C)
      if (MI.isCFIInstruction())
        MBB.insert(C.end(), MBB.getParent()->CloneMachineInstr(&MI));
  I = MBB.insert(I, Call);
  return I;
}
