// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfo.cpp - what passes ask about instructions -------------===//

#include "NPUInstrInfo.h"
#include "MCTargetDesc/NPUBaseInfo.h"
#include "MCTargetDesc/NPUMatInt.h"
#include "NPUMachineFunctionInfo.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterScavenging.h"
#include "llvm/MC/MCInstBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

#define GET_INSTRINFO_CTOR_DTOR
#include "NPUGenInstrInfo.inc"

NPUInstrInfo::NPUInstrInfo(const NPUSubtarget &STI)
    : NPUGenInstrInfo(STI, RegInfo, NPU::ADJCALLSTACKDOWN,
                      NPU::ADJCALLSTACKUP) {}

MCInst NPUInstrInfo::getNop() const {
  return MCInstBuilder(NPU::ADDI).addReg(NPU::X0).addReg(NPU::X0).addImm(0);
}

//===----------------------------------------------------------------------===//
// Copies, spills, constants
//===----------------------------------------------------------------------===//

void NPUInstrInfo::copyPhysReg(MachineBasicBlock &MBB,
                               MachineBasicBlock::iterator I,
                               const DebugLoc &DL, Register DestReg,
                               Register SrcReg, bool KillSrc, bool,
                               bool) const {
  if (NPU::VRRegClass.contains(DestReg, SrcReg)) {
    BuildMI(MBB, I, DL, get(NPU::V_OR), DestReg)
        .addReg(SrcReg)
        .addReg(SrcReg, getKillRegState(KillSrc));
    return;
  }
  BuildMI(MBB, I, DL, get(NPU::ADDI), DestReg)
      .addReg(SrcReg, getKillRegState(KillSrc))
      .addImm(0);
}

static MachineMemOperand *getSlotOperand(MachineFunction &MF, int FrameIndex,
                                         MachineMemOperand::Flags Flags) {
  MachineFrameInfo &MFI = MF.getFrameInfo();
  return MF.getMachineMemOperand(
      MachinePointerInfo::getFixedStack(MF, FrameIndex), Flags,
      MFI.getObjectSize(FrameIndex), MFI.getObjectAlign(FrameIndex));
}

static DebugLoc getDebugLocAt(MachineBasicBlock &MBB,
                              MachineBasicBlock::iterator I,
                              MachineInstr::MIFlag Flags) {
  // Prologue and epilogue code belongs to no source line.
  return I == MBB.end() || Flags != MachineInstr::NoFlags ? DebugLoc()
                                                          : I->getDebugLoc();
}

void NPUInstrInfo::storeRegToStackSlot(
    MachineBasicBlock &MBB, MachineBasicBlock::iterator I, Register SrcReg,
    bool IsKill, int FrameIndex, const TargetRegisterClass *RC, Register,
    MachineInstr::MIFlag Flags) const {
  BuildMI(MBB, I, getDebugLocAt(MBB, I, Flags),
          get(NPU::VRRegClass.hasSubClassEq(RC) ? NPU::V_ST : NPU::SW))
      .addReg(SrcReg, getKillRegState(IsKill))
      .addFrameIndex(FrameIndex)
      .addImm(0)
      .addMemOperand(getSlotOperand(*MBB.getParent(), FrameIndex,
                                    MachineMemOperand::MOStore))
      .setMIFlag(Flags);
}

void NPUInstrInfo::loadRegFromStackSlot(
    MachineBasicBlock &MBB, MachineBasicBlock::iterator I, Register DestReg,
    int FrameIndex, const TargetRegisterClass *RC, Register, unsigned,
    MachineInstr::MIFlag Flags) const {
  BuildMI(MBB, I, getDebugLocAt(MBB, I, Flags),
          get(NPU::VRRegClass.hasSubClassEq(RC) ? NPU::V_LD : NPU::LW), DestReg)
      .addFrameIndex(FrameIndex)
      .addImm(0)
      .addMemOperand(getSlotOperand(*MBB.getParent(), FrameIndex,
                                    MachineMemOperand::MOLoad))
      .setMIFlag(Flags);
}

// The register of a plain access to a whole stack slot.
static Register getSlotAccess(const MachineInstr &MI, int &FrameIndex) {
  if (!MI.getOperand(1).isFI() || !MI.getOperand(2).isImm() ||
      MI.getOperand(2).getImm() != 0)
    return Register();
  FrameIndex = MI.getOperand(1).getIndex();
  return MI.getOperand(0).getReg();
}

Register NPUInstrInfo::isLoadFromStackSlot(const MachineInstr &MI,
                                           int &FrameIndex) const {
  bool IsLoad = MI.getOpcode() == NPU::LW || MI.getOpcode() == NPU::V_LD;
  return IsLoad ? getSlotAccess(MI, FrameIndex) : Register();
}

Register NPUInstrInfo::isStoreToStackSlot(const MachineInstr &MI,
                                          int &FrameIndex) const {
  bool IsStore = MI.getOpcode() == NPU::SW || MI.getOpcode() == NPU::V_ST;
  return IsStore ? getSlotAccess(MI, FrameIndex) : Register();
}

void NPUInstrInfo::movImm(MachineBasicBlock &MBB, MachineBasicBlock::iterator I,
                          const DebugLoc &DL, Register DestReg, int32_t Value,
                          MachineInstr::MIFlag Flag) const {
  Register SrcReg = NPU::X0;
  for (const NPUMatInt::Inst &Step : NPUMatInt::generateInstSeq(Value)) {
    MachineInstrBuilder MIB = BuildMI(MBB, I, DL, get(Step.Opcode), DestReg);
    if (Step.Opcode != NPU::LUI)
      MIB.addReg(SrcReg, getKillRegState(SrcReg == DestReg));
    MIB.addImm(Step.Imm).setMIFlag(Flag);
    SrcReg = DestReg;
  }
}

bool NPUInstrInfo::expandPostRAPseudo(MachineInstr &MI) const {
  MachineBasicBlock &MBB = *MI.getParent();
  const DebugLoc &DL = MI.getDebugLoc();
  switch (MI.getOpcode()) {
  case NPU::PseudoMovImm:
    movImm(MBB, MI, DL, MI.getOperand(0).getReg(), MI.getOperand(1).getImm());
    break;
  case NPU::PseudoMovAddr: {
    Register Reg = MI.getOperand(0).getReg();
    BuildMI(MBB, MI, DL, get(NPU::LUI), Reg).add(MI.getOperand(1));
    BuildMI(MBB, MI, DL, get(NPU::ADDI), Reg)
        .addReg(Reg, RegState::Kill)
        .add(MI.getOperand(2));
    break;
  }
  case TargetOpcode::LOAD_STACK_GUARD: {
    Register Reg = MI.getOperand(0).getReg();
    const auto *Guard =
        cast<GlobalValue>((*MI.memoperands_begin())->getValue());
    BuildMI(MBB, MI, DL, get(NPU::LUI), Reg)
        .addGlobalAddress(Guard, 0, NPUII::MO_HI);
    BuildMI(MBB, MI, DL, get(NPU::LW), Reg)
        .addReg(Reg, RegState::Kill)
        .addGlobalAddress(Guard, 0, NPUII::MO_LO)
        .cloneMemRefs(MI);
    break;
  }
  default:
    return false;
  }
  MI.eraseFromParent();
  return true;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

unsigned NPU::getInvertedBranch(unsigned Opcode) {
  switch (Opcode) {
  case NPU::BEQ:
    return NPU::BNE;
  case NPU::BNE:
    return NPU::BEQ;
  case NPU::BLT:
    return NPU::BGE;
  case NPU::BGE:
    return NPU::BLT;
  case NPU::BLTU:
    return NPU::BGEU;
  case NPU::BGEU:
    return NPU::BLTU;
  }
  llvm_unreachable("not a conditional branch");
}

static void parseCondBranch(const MachineInstr &MI, MachineBasicBlock *&Target,
                            SmallVectorImpl<MachineOperand> &Cond) {
  Target = MI.getOperand(2).getMBB();
  Cond.push_back(MachineOperand::CreateImm(MI.getOpcode()));
  Cond.push_back(MI.getOperand(0));
  Cond.push_back(MI.getOperand(1));
}

bool NPUInstrInfo::analyzeBranch(MachineBasicBlock &MBB,
                                 MachineBasicBlock *&TBB,
                                 MachineBasicBlock *&FBB,
                                 SmallVectorImpl<MachineOperand> &Cond,
                                 bool AllowModify) const {
  TBB = FBB = nullptr;
  Cond.clear();

  // Count the terminators, and find the first jump that always leaves.
  SmallVector<MachineInstr *, 3> Terminators;
  for (MachineInstr &MI : MBB.terminators()) {
    if (MI.isDebugInstr())
      continue;
    // Behind a jump nothing runs.
    if (!Terminators.empty() &&
        Terminators.back()->getOpcode() == NPU::PseudoBR) {
      if (!AllowModify)
        return true;
      while (std::next(Terminators.back()->getIterator()) != MBB.end())
        std::next(Terminators.back()->getIterator())->eraseFromParent();
      break;
    }
    Terminators.push_back(&MI);
  }

  auto IsJump = [](const MachineInstr *MI) {
    return MI->getOpcode() == NPU::PseudoBR;
  };
  // The generic opcodes before selection have other operands.
  auto IsConditional = [](const MachineInstr *MI) {
    return MI->isConditionalBranch() && !MI->isPreISelOpcode();
  };
  switch (Terminators.size()) {
  case 0:
    return false;
  case 1:
    if (IsJump(Terminators[0])) {
      TBB = Terminators[0]->getOperand(0).getMBB();
      return false;
    }
    if (IsConditional(Terminators[0])) {
      parseCondBranch(*Terminators[0], TBB, Cond);
      return false;
    }
    return true;
  case 2:
    if (IsConditional(Terminators[0]) && IsJump(Terminators[1])) {
      parseCondBranch(*Terminators[0], TBB, Cond);
      FBB = Terminators[1]->getOperand(0).getMBB();
      return false;
    }
    return true;
  default:
    return true;
  }
}

unsigned NPUInstrInfo::removeBranch(MachineBasicBlock &MBB,
                                    int *BytesRemoved) const {
  unsigned Count = 0;
  int Bytes = 0;
  while (Count != 2) {
    MachineBasicBlock::iterator I = MBB.getLastNonDebugInstr();
    if (I == MBB.end())
      break;
    bool IsJump = I->getOpcode() == NPU::PseudoBR;
    // A jump is last; a conditional branch comes before it.
    if (!(IsJump && Count == 0) && !I->isConditionalBranch())
      break;
    Bytes += getInstSizeInBytes(*I);
    I->eraseFromParent();
    ++Count;
    if (!IsJump)
      break;
  }
  if (BytesRemoved)
    *BytesRemoved = Bytes;
  return Count;
}

unsigned NPUInstrInfo::insertBranch(MachineBasicBlock &MBB,
                                    MachineBasicBlock *TBB,
                                    MachineBasicBlock *FBB,
                                    ArrayRef<MachineOperand> Cond,
                                    const DebugLoc &DL, int *BytesAdded) const {
  assert(TBB && "a fall-through needs no branch");
  assert((Cond.empty() || Cond.size() == 3) && "malformed condition");
  int Bytes = 0;
  unsigned Count = 0;
  auto Added = [&](MachineInstr &MI) {
    Bytes += getInstSizeInBytes(MI);
    ++Count;
  };
  if (!Cond.empty())
    Added(*BuildMI(&MBB, DL, get(Cond[0].getImm()))
               .add(Cond[1])
               .add(Cond[2])
               .addMBB(TBB));
  if (Cond.empty() || FBB)
    Added(*BuildMI(&MBB, DL, get(NPU::PseudoBR)).addMBB(FBB ? FBB : TBB));
  if (BytesAdded)
    *BytesAdded = Bytes;
  return Count;
}

bool NPUInstrInfo::reverseBranchCondition(
    SmallVectorImpl<MachineOperand> &Cond) const {
  Cond[0].setImm(NPU::getInvertedBranch(Cond[0].getImm()));
  return false;
}

MachineBasicBlock *
NPUInstrInfo::getBranchDestBlock(const MachineInstr &MI) const {
  assert(MI.isBranch() && !MI.isIndirectBranch() && "no branch to a block");
  return MI.getOperand(MI.getNumExplicitOperands() - 1).getMBB();
}

bool NPUInstrInfo::isBranchOffsetInRange(unsigned BranchOpc,
                                         int64_t BrOffset) const {
  switch (BranchOpc) {
  case NPU::BEQ:
  case NPU::BNE:
  case NPU::BLT:
  case NPU::BGE:
  case NPU::BLTU:
  case NPU::BGEU:
    return isInt<13>(BrOffset);
  case NPU::JAL:
  case NPU::PseudoBR:
    return isInt<21>(BrOffset);
  case NPU::PseudoJump:
    return isInt<32>(BrOffset);
  }
  llvm_unreachable("not a branch to a block");
}

void NPUInstrInfo::insertIndirectBranch(MachineBasicBlock &MBB,
                                        MachineBasicBlock &DestBB,
                                        MachineBasicBlock &RestoreBB,
                                        const DebugLoc &DL, int64_t,
                                        RegScavenger *RS) const {
  assert(RS && "a far jump needs a scratch register");
  MachineFunction *MF = MBB.getParent();
  MachineRegisterInfo &MRI = MF->getRegInfo();

  Register Scratch = MRI.createVirtualRegister(&NPU::GPRRegClass);
  MachineInstr &Jump =
      *BuildMI(MBB, MBB.end(), DL, get(NPU::PseudoJump))
           .addReg(Scratch, RegState::Define | RegState::Dead)
           .addMBB(&DestBB, NPUII::MO_CALL);

  RS->enterBasicBlockEnd(MBB);
  Register Free = RS->scavengeRegisterBackwards(
      NPU::GPRRegClass, Jump.getIterator(), /*RestoreAfter=*/false,
      /*SPAdj=*/0, /*AllowSpill=*/false);
  if (Free) {
    RS->setRegUsed(Free);
  } else {
    // Everything is live: save one register here and restore it at the target.
    unsigned Saved = NPU::X27;
    while (MRI.isReserved(Saved))
      --Saved;
    Free = Saved;
    std::optional<int> FI =
        MF->getInfo<NPUMachineFunctionInfo>()->getBranchRelaxationFrameIndex();
    if (!FI)
      reportFatalInternalError("function size was underestimated");
    storeRegToStackSlot(MBB, Jump, Free, /*IsKill=*/true, *FI,
                        &NPU::GPRRegClass, Register());
    RegInfo.eliminateFrameIndex(std::prev(Jump.getIterator()), 0, 1);
    Jump.getOperand(1).setMBB(&RestoreBB);
    loadRegFromStackSlot(RestoreBB, RestoreBB.end(), Free, *FI,
                         &NPU::GPRRegClass, Register());
    RegInfo.eliminateFrameIndex(RestoreBB.back(), 0, 1);
  }
  MRI.replaceRegWith(Scratch, Free);
  MRI.clearVirtRegs();
}

unsigned NPUInstrInfo::getInstSizeInBytes(const MachineInstr &MI) const {
  if (MI.isMetaInstruction())
    return 0;
  if (MI.isInlineAsm()) {
    const MachineFunction &MF = *MI.getMF();
    return getInlineAsmLength(MI.getOperand(0).getSymbolName(),
                              *MF.getTarget().getMCAsmInfo());
  }
  return MI.getDesc().getSize();
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

// Prologues and epilogues stay in their plain order, whether they carry information for
// unwinding, which no instruction passes, or not: the code is the same with -g. They are
// alike in many functions, too, and the outliner shares them.
bool NPUInstrInfo::isSchedulingBoundary(const MachineInstr &MI,
                                        const MachineBasicBlock *MBB,
                                        const MachineFunction &MF) const {
  return MI.getFlag(MachineInstr::FrameSetup) ||
         MI.getFlag(MachineInstr::FrameDestroy) ||
         TargetInstrInfo::isSchedulingBoundary(MI, MBB, MF);
}

bool NPUInstrInfo::isAsCheapAsAMove(const MachineInstr &MI) const {
  switch (MI.getOpcode()) {
  case NPU::ADDI:
  case NPU::ORI:
  case NPU::XORI:
    return (MI.getOperand(1).isReg() && MI.getOperand(1).getReg() == NPU::X0) ||
           (MI.getOperand(2).isImm() && MI.getOperand(2).getImm() == 0);
  }
  return MI.isAsCheapAsAMove();
}

std::optional<DestSourcePair>
NPUInstrInfo::isCopyInstrImpl(const MachineInstr &MI) const {
  if (MI.isMoveReg())
    return DestSourcePair{MI.getOperand(0), MI.getOperand(1)};
  if (MI.getOpcode() == NPU::ADDI && MI.getOperand(1).isReg() &&
      MI.getOperand(2).isImm() && MI.getOperand(2).getImm() == 0)
    return DestSourcePair{MI.getOperand(0), MI.getOperand(1)};
  return std::nullopt;
}

std::optional<RegImmPair>
NPUInstrInfo::isAddImmediate(const MachineInstr &MI, Register Reg) const {
  if (MI.getOpcode() != NPU::ADDI || MI.getOperand(0).getReg() != Reg ||
      !MI.getOperand(1).isReg() || !MI.getOperand(2).isImm())
    return std::nullopt;
  return RegImmPair{MI.getOperand(1).getReg(), MI.getOperand(2).getImm()};
}

bool NPUInstrInfo::getMemOperandsWithOffsetWidth(
    const MachineInstr &MI, SmallVectorImpl<const MachineOperand *> &BaseOps,
    int64_t &Offset, bool &OffsetIsScalable, LocationSize &Width,
    const TargetRegisterInfo *) const {
  if (!MI.mayLoadOrStore() || MI.getNumExplicitOperands() != 3 ||
      !MI.hasOneMemOperand())
    return false;
  const MachineOperand &Base = MI.getOperand(1);
  if ((!Base.isReg() && !Base.isFI()) || !MI.getOperand(2).isImm())
    return false;
  switch (NPUII::getFormat(MI.getDesc().TSFlags)) {
  case NPUII::FormatI:
  case NPUII::FormatS:
    break;
  default:
    return false;
  }
  BaseOps.push_back(&Base);
  Offset = MI.getOperand(2).getImm();
  OffsetIsScalable = false;
  Width = (*MI.memoperands_begin())->getSize();
  return true;
}

bool NPUInstrInfo::areMemAccessesTriviallyDisjoint(
    const MachineInstr &MIa, const MachineInstr &MIb) const {
  if (MIa.hasUnmodeledSideEffects() || MIb.hasUnmodeledSideEffects() ||
      MIa.hasOrderedMemoryRef() || MIb.hasOrderedMemoryRef())
    return false;
  SmallVector<const MachineOperand *, 1> BaseA, BaseB;
  int64_t OffsetA, OffsetB;
  bool Scalable;
  LocationSize WidthA = LocationSize::precise(0), WidthB = WidthA;
  if (!getMemOperandsWithOffsetWidth(MIa, BaseA, OffsetA, Scalable, WidthA,
                                     &RegInfo) ||
      !getMemOperandsWithOffsetWidth(MIb, BaseB, OffsetB, Scalable, WidthB,
                                     &RegInfo) ||
      !BaseA[0]->isIdenticalTo(*BaseB[0]))
    return false;
  LocationSize LowWidth = OffsetA < OffsetB ? WidthA : WidthB;
  return LowWidth.hasValue() &&
         std::min(OffsetA, OffsetB) + int64_t(LowWidth.getValue()) <=
             std::max(OffsetA, OffsetB);
}

bool NPUInstrInfo::verifyInstruction(const MachineInstr &MI,
                                     StringRef &ErrInfo) const {
  for (const auto &[Index, Info] : enumerate(MI.getDesc().operands())) {
    const MachineOperand &MO = MI.getOperand(Index);
    if (!MO.isImm())
      continue;
    int64_t Imm = MO.getImm();
    bool Fits = true;
    switch (Info.OperandType) {
    case NPUOp::OPERAND_UIMM1:
      Fits = isUInt<1>(Imm);
      break;
    case NPUOp::OPERAND_UIMM4:
      Fits = isUInt<4>(Imm);
      break;
    case NPUOp::OPERAND_UIMM5:
      Fits = isUInt<5>(Imm);
      break;
    case NPUOp::OPERAND_UIMM12:
      Fits = isUInt<12>(Imm);
      break;
    case NPUOp::OPERAND_SIMM12:
      Fits = isInt<12>(Imm);
      break;
    case NPUOp::OPERAND_UIMM20:
      Fits = isUInt<20>(Imm);
      break;
    }
    if (!Fits) {
      ErrInfo = "immediate does not fit its field";
      return false;
    }
  }
  return true;
}

std::pair<unsigned, unsigned>
NPUInstrInfo::decomposeMachineOperandsTargetFlags(unsigned TF) const {
  return {TF, 0};
}

ArrayRef<std::pair<unsigned, const char *>>
NPUInstrInfo::getSerializableDirectMachineOperandTargetFlags() const {
  static const std::pair<unsigned, const char *> Flags[] = {
      {NPUII::MO_HI, "npu-hi"},
      {NPUII::MO_LO, "npu-lo"},
      {NPUII::MO_PCREL_HI, "npu-pcrel-hi"},
      {NPUII::MO_PCREL_LO, "npu-pcrel-lo"},
      {NPUII::MO_GOT_HI, "npu-got-hi"},
      {NPUII::MO_TPREL_HI, "npu-tprel-hi"},
      {NPUII::MO_TPREL_LO, "npu-tprel-lo"},
      {NPUII::MO_TPREL_ADD, "npu-tprel-add"},
      {NPUII::MO_CALL, "npu-call"}};
  return Flags;
}
