// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCombines.cpp - combines that are written in C++ ----------------===//

#include "NPUCombines.h"
#include "MCTargetDesc/NPUMatInt.h"
#include "llvm/CodeGen/GlobalISel/GISelChangeObserver.h"
#include "llvm/CodeGen/GlobalISel/GISelValueTracking.h"
#include "llvm/CodeGen/GlobalISel/GenericMachineInstrs.h"
#include "llvm/CodeGen/GlobalISel/MIPatternMatch.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/GlobalISel/Utils.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

using namespace llvm;
using namespace MIPatternMatch;
using namespace TargetOpcode;

static const LLT s32 = LLT::scalar(32);

//===----------------------------------------------------------------------===//
// Before legalization
//===----------------------------------------------------------------------===//

void NPUCombines::alignStackObjects(MachineInstr &MI) {
  const Align WordAlign(4);
  MachineFunction &MF = *MI.getMF();
  MachineFrameInfo &MFI = MF.getFrameInfo();
  const MachineRegisterInfo &MRI = MF.getRegInfo();

  // The memory operands are the destination's and, of a copy, the source's.
  SmallVector<MachineMemOperand *, 2> MMOs(MI.memoperands());
  bool Changed = false;
  for (auto [Index, MMO] : enumerate(MMOs)) {
    const MachineInstr *Object =
        getDefIgnoringCopies(MI.getOperand(Index).getReg(), MRI);
    if (Object->getOpcode() != G_FRAME_INDEX || MMO->getAlign() >= WordAlign)
      continue;
    int FI = Object->getOperand(1).getIndex();
    if (MFI.isFixedObjectIndex(FI) || MFI.isVariableSizedObjectIndex(FI) ||
        MFI.getObjectSize(FI) < int64_t(WordAlign.value()))
      continue;
    MFI.setObjectAlignment(FI, std::max(MFI.getObjectAlign(FI), WordAlign));
    MMO = MF.getMachineMemOperand(MMO->getPointerInfo(), MMO->getFlags(),
                                  MMO->getSize(), WordAlign, MMO->getAAInfo());
    Changed = true;
  }
  if (Changed)
    MI.setMemRefs(MF, MMOs);
}

static Register buildAddress(MachineIRBuilder &B, Register Base, unsigned Offset) {
  return Offset ? B.buildPtrAdd(B.getMRI()->getType(Base), Base,
                                B.buildConstant(s32, Offset))
                      .getReg(0)
                : Base;
}

bool NPUCombines::matchUnalignedCopy(MachineInstr &MI,
                                     const MachineRegisterInfo &MRI,
                                     BuildFnTy &Build) {
  auto &Store = cast<GStore>(MI);
  Register Value = Store.getValueReg();
  auto *Load = dyn_cast<GLoad>(MRI.getVRegDef(Value));
  LLT Ty = MRI.getType(Value);
  if (!Load || Load->getParent() != MI.getParent() || !Load->isSimple() ||
      !Store.isSimple() || !MRI.hasOneNonDBGUse(Value) || !Ty.isScalar())
    return false;
  unsigned Bytes = Ty.getSizeInBytes();
  uint64_t Word = std::min(Bytes, 4u);
  uint64_t Part = std::min(Load->getAlign(), Store.getAlign()).value();
  if ((Bytes != 2 && Bytes != 4 && Bytes != 8) ||
      Load->getMemSize() != Bytes || Store.getMemSize() != Bytes ||
      Load->getAlign().value() >= Word || Store.getAlign().value() >= Word)
    return false;

  Build = [=, &MI](MachineIRBuilder &B) {
    MachineFunction &MF = B.getMF();
    auto &Store = cast<GStore>(MI);
    LLT PartTy = LLT::scalar(Part * 8);
    // All parts are read where the value was: the places may overlap.
    SmallVector<Register, 8> Parts;
    B.setInstrAndDebugLoc(*Load);
    for (unsigned Offset = 0; Offset < Bytes; Offset += Part)
      Parts.push_back(
          B.buildLoad(PartTy, buildAddress(B, Load->getPointerReg(), Offset),
                      *MF.getMachineMemOperand(&Load->getMMO(), Offset, PartTy))
              .getReg(0));
    B.setInstrAndDebugLoc(MI);
    for (auto [Index, Reg] : enumerate(Parts))
      B.buildStore(Reg, buildAddress(B, Store.getPointerReg(), Index * Part),
                   *MF.getMachineMemOperand(&Store.getMMO(), Index * Part,
                                            PartTy));
  };
  return true;
}

bool NPUCombines::matchUnalignedConstant(MachineInstr &MI, const MachineRegisterInfo &MRI,
                                         BuildFnTy &Build) {
  auto &Store = cast<GStore>(MI);
  auto Constant = getIConstantVRegVal(Store.getValueReg(), MRI);
  if (!Constant || Store.isAtomic())
    return false;
  unsigned Bits = Constant->getBitWidth(), Part = Store.getAlign().value() * 8;
  if ((Bits != 16 && Bits != 32 && Bits != 64) || Store.getMemSizeInBits() != Bits ||
      Part >= std::min(Bits, 32u))
    return false;
  // The halves of a word may take more than the word and a shift.
  auto CostOfParts = [&](unsigned Size) {
    unsigned Cost = 0;
    for (unsigned Offset = 0; Offset < Bits; Offset += Size)
      if (APInt Value = Constant->extractBits(Size, Offset); !Value.isZero())
        Cost += NPUMatInt::generateInstSeq(Value.getSExtValue()).size();
    return Cost;
  };
  if (Part == 16 && CostOfParts(16) > CostOfParts(32) + Bits / 32)
    return false;

  Build = [=, &MI](MachineIRBuilder &B) {
    auto &Store = cast<GStore>(MI);
    LLT PartTy = LLT::scalar(Part);
    SmallDenseMap<int64_t, Register> Registers;
    for (unsigned Offset = 0; Offset < Bits; Offset += Part) {
      APInt Value = Constant->extractBits(Part, Offset);
      Register &Reg = Registers[Value.getSExtValue()];
      if (!Reg)
        Reg = B.buildConstant(PartTy, Value).getReg(0);
      MachineMemOperand *MMO =
          B.getMF().getMachineMemOperand(&Store.getMMO(), Offset / 8, PartTy);
      B.buildStore(Reg, buildAddress(B, Store.getPointerReg(), Offset / 8), *MMO);
    }
  };
  return true;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

bool NPUCombines::matchLoadExtension(const MachineInstr &MI,
                                     const MachineRegisterInfo &MRI,
                                     unsigned &Opcode) {
  const auto &Load = cast<GLoad>(MI);
  uint64_t Bits = Load.getMemSizeInBits().getValue();
  Register Dst = Load.getDstReg();
  if (!MRI.getType(Dst).isScalar() ||
      Bits >= MRI.getType(Dst).getSizeInBits())
    return false;
  bool IsSigned = false;
  for (const MachineInstr &User : MRI.use_nodbg_instructions(Dst)) {
    if (User.getOpcode() == G_SEXT_INREG &&
        uint64_t(User.getOperand(2).getImm()) == Bits) {
      IsSigned = true;
    } else if (User.getOpcode() == G_AND) {
      auto Mask = getIConstantVRegVal(User.getOperand(2).getReg(), MRI);
      if (Mask && Mask->isMask(Bits)) {
        IsSigned = false;
        break;
      }
    }
  }
  Opcode = IsSigned ? G_SEXTLOAD : G_ZEXTLOAD;
  return true;
}

void NPUCombines::applyLoadExtension(MachineInstr &MI,
                                     GISelChangeObserver &Observer,
                                     const TargetInstrInfo &TII,
                                     unsigned Opcode) {
  Observer.changingInstr(MI);
  MI.setDesc(TII.get(Opcode));
  Observer.changedInstr(MI);
}

//===----------------------------------------------------------------------===//
// Comparisons and the sign
//===----------------------------------------------------------------------===//

static bool isConstant(Register Reg, const MachineRegisterInfo &MRI,
                       int64_t Value) {
  return getIConstantVRegSExtVal(Reg, MRI) == Value;
}

// Whether a comparison's result is only a number to its users, not a condition.
static bool isOnlyNumber(Register Reg, const MachineRegisterInfo &MRI) {
  return all_of(MRI.use_nodbg_instructions(Reg), [&](const MachineInstr &User) {
    return User.getOpcode() != G_BRCOND &&
           (User.getOpcode() != G_SELECT || User.getOperand(1).getReg() != Reg);
  });
}

bool NPUCombines::matchComparison(MachineInstr &MI,
                                  const MachineRegisterInfo &MRI,
                                  BuildFnTy &Build) {
  const auto &Cmp = cast<GICmp>(MI);
  Register Dst = Cmp.getReg(0), LHS = Cmp.getLHSReg();
  auto Constant = getIConstantVRegSExtVal(Cmp.getRHSReg(), MRI);
  if (!Constant || MRI.getType(LHS) != s32)
    return false;
  CmpInst::Predicate Pred = Cmp.getCond();

  // x < 0 as a number is the sign bit.
  if (Pred == CmpInst::ICMP_SLT && *Constant == 0 && isOnlyNumber(Dst, MRI)) {
    Build = [=](MachineIRBuilder &B) {
      B.buildLShr(Dst, LHS, B.buildConstant(s32, 31));
    };
    return true;
  }

  // x > c is x >= c + 1, and x <= c is x < c + 1: one form for a condition and
  // its opposite lets them share the constant. Zero needs none.
  int32_t Value = *Constant;
  bool IsSigned = CmpInst::isSigned(Pred);
  bool IsGreater =
      Pred == CmpInst::ICMP_SGT || Pred == CmpInst::ICMP_UGT;
  bool IsLessOrEqual =
      Pred == CmpInst::ICMP_SLE || Pred == CmpInst::ICMP_ULE;
  if ((!IsGreater && !IsLessOrEqual) || Value == 0 ||
      Value == (IsSigned ? INT32_MAX : -1))
    return false;
  int32_t Next = Value + 1;
  if (NPUMatInt::generateInstSeq(Next).size() >
      NPUMatInt::generateInstSeq(Value).size())
    return false;
  CmpInst::Predicate NewPred =
      IsGreater ? (IsSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                : (IsSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT);
  Build = [=](MachineIRBuilder &B) {
    B.buildICmp(NewPred, Dst, LHS, B.buildConstant(s32, Next));
  };
  return true;
}

bool NPUCombines::matchSignBit(MachineInstr &MI,
                               const MachineRegisterInfo &MRI,
                               BuildFnTy &Build) {
  Register Dst = MI.getOperand(0).getReg(), Src;
  unsigned Opcode = MI.getOpcode();
  if (MRI.getType(Dst) != s32)
    return false;

  // 0 - (x >>> 31) is x >> 31.
  if (Opcode == G_SUB) {
    Register Bit = MI.getOperand(2).getReg();
    if (!isConstant(MI.getOperand(1).getReg(), MRI, 0) ||
        !mi_match(Bit, MRI, m_GLShr(m_Reg(Src), m_SpecificICst(31))))
      return false;
    Build = [=](MachineIRBuilder &B) {
      B.buildAShr(Dst, Src, B.buildConstant(s32, 31));
    };
    return true;
  }

  assert((Opcode == G_LSHR || Opcode == G_ASHR) && "no shift to the right");
  if (!isConstant(MI.getOperand(2).getReg(), MRI, 31))
    return false;
  const MachineInstr *Def = MRI.getVRegDef(MI.getOperand(1).getReg());
  // The sign of x >> n is that of x.
  if (Def->getOpcode() == G_ASHR) {
    Src = Def->getOperand(1).getReg();
    Build = [=](MachineIRBuilder &B) {
      B.buildInstr(Opcode, {Dst}, {Src, B.buildConstant(s32, 31)});
    };
    return true;
  }
  // That of an extended value is a bit further down.
  if (Def->getOpcode() == G_SEXT_INREG &&
      MRI.hasOneNonDBGUse(Def->getOperand(0).getReg())) {
    Src = Def->getOperand(1).getReg();
    int64_t Distance = 32 - Def->getOperand(2).getImm();
    Build = [=](MachineIRBuilder &B) {
      auto Top = B.buildShl(s32, Src, B.buildConstant(s32, Distance));
      B.buildInstr(Opcode, {Dst}, {Top, B.buildConstant(s32, 31)});
    };
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Selects
//===----------------------------------------------------------------------===//

// Changed is Plain with one added, subtracted or set: the condition is that one.
static bool matchStep(Register Dst, Register Cond, Register Changed,
                      Register Plain, bool IsInverted,
                      const MachineRegisterInfo &MRI, BuildFnTy &Build) {
  const MachineInstr *Step = MRI.getVRegDef(Changed);
  unsigned Opcode = Step->getOpcode();
  if ((Opcode != G_ADD && Opcode != G_OR && Opcode != G_XOR &&
       Opcode != G_PTR_ADD) ||
      Step->getOperand(1).getReg() != Plain || !MRI.hasOneNonDBGUse(Changed))
    return false;
  auto Amount = getIConstantVRegSExtVal(Step->getOperand(2).getReg(), MRI);
  bool IsMinus = Opcode == G_ADD && Amount == -1;
  if (Amount != 1 && !IsMinus)
    return false;

  const auto *Cmp = dyn_cast<GICmp>(MRI.getVRegDef(Cond));
  if (IsInverted && (!Cmp || !MRI.hasOneNonDBGUse(Cond)))
    return false;
  Build = [=](MachineIRBuilder &B) {
    Register Number = Cond;
    if (IsInverted)
      Number = B.buildICmp(CmpInst::getInversePredicate(Cmp->getCond()), s32,
                           Cmp->getLHSReg(), Cmp->getRHSReg())
                   .getReg(0);
    B.buildInstr(IsMinus ? unsigned(G_SUB) : Opcode, {Dst}, {Plain, Number});
  };
  return true;
}

bool NPUCombines::matchSelect(MachineInstr &MI, const MachineRegisterInfo &MRI,
                              GISelValueTracking *VT, BuildFnTy &Build) {
  const auto &Select = cast<GSelect>(MI);
  Register Dst = Select.getReg(0), Cond = Select.getCondReg();
  Register True = Select.getTrueReg(), False = Select.getFalseReg();
  auto IsBit = [&](Register Reg) {
    return VT && MRI.getType(Reg) == s32 &&
           VT->getKnownBits(Reg).countMaxActiveBits() <= 1;
  };

  CmpInst::Predicate Pred;
  Register LHS, RHS;
  if (mi_match(Cond, MRI, m_GICmp(m_Pred(Pred), m_Reg(LHS), m_Reg(RHS))) &&
      isConstant(RHS, MRI, 0)) {
    // A bit is a condition by itself.
    if (ICmpInst::isEquality(Pred) && IsBit(LHS)) {
      bool IsSwapped = Pred == CmpInst::ICMP_EQ;
      Build = [=](MachineIRBuilder &B) {
        B.buildSelect(Dst, LHS, IsSwapped ? False : True,
                      IsSwapped ? True : False);
      };
      return true;
    }
    // x < 0 ? y : 0 is (x >> 31) & y.
    Register Kept;
    if (Pred == CmpInst::ICMP_SLT && isConstant(False, MRI, 0))
      Kept = True;
    else if (Pred == CmpInst::ICMP_SGE && isConstant(True, MRI, 0))
      Kept = False;
    if (Kept && MRI.getType(Dst) == s32 && MRI.getType(LHS) == s32) {
      Build = [=](MachineIRBuilder &B) {
        B.buildAnd(Dst, B.buildAShr(s32, LHS, B.buildConstant(s32, 31)), Kept);
      };
      return true;
    }
  }

  return IsBit(Cond) && (matchStep(Dst, Cond, True, False, false, MRI, Build) ||
                         matchStep(Dst, Cond, False, True, true, MRI, Build));
}
