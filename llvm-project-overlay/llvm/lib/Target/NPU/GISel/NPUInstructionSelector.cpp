// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstructionSelector.cpp - generic to machine instructions ------===//
//
// Patterns in NPUGISel.td select arithmetic and comparisons. Selected here is what
// looks around before it decides: addresses, branches, selects, constants.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NPUBaseInfo.h"
#include "MCTargetDesc/NPUMatInt.h"
#include "NPU.h"
#include "NPURegisterBankInfo.h"
#include "NPUSubtarget.h"
#include "NPUTargetMachine.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/GlobalISel/GIMatchTableExecutorImpl.h"
#include "llvm/CodeGen/GlobalISel/GISelValueTracking.h"
#include "llvm/CodeGen/GlobalISel/GenericMachineInstrs.h"
#include "llvm/CodeGen/GlobalISel/InstructionSelector.h"
#include "llvm/CodeGen/GlobalISel/MIPatternMatch.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/IR/IntrinsicsNPU.h"

#define DEBUG_TYPE "npu-isel"

using namespace llvm;
using namespace MIPatternMatch;
using namespace TargetOpcode;

#define GET_GLOBALISEL_PREDICATE_BITSET
#include "NPUGenGlobalISel.inc"
#undef GET_GLOBALISEL_PREDICATE_BITSET

namespace {

// Intrinsics of the vector unit that patterns do not describe.
namespace VectorIntrinsics {
using namespace NPU;
struct VectorIntrinsic {
  unsigned ID, Opcode;
};
#define GET_VecIntrinsics_IMPL
#include "NPUGenISelTables.inc"
} // namespace VectorIntrinsics

class NPUInstructionSelector : public InstructionSelector {
  const NPUInstrInfo &TII;
  const NPURegisterInfo &TRI;
  const NPURegisterBankInfo &RBI;
  MachineRegisterInfo *MRI = nullptr;

public:
  NPUInstructionSelector(const NPUTargetMachine &TM, const NPUSubtarget &STI,
                         const NPURegisterBankInfo &RBI);

  void setupMF(MachineFunction &MF, GISelValueTracking *VT,
               CodeGenCoverage *CoverageInfo, ProfileSummaryInfo *PSI,
               BlockFrequencyInfo *BFI) override;
  bool select(MachineInstr &MI) override;
  static const char *getName() { return DEBUG_TYPE; }

private:
  bool selectImpl(MachineInstr &MI, CodeGenCoverage &CoverageInfo) const;

  // Base register or frame index plus a displacement.
  struct Address {
    MachineOperand Base;
    MachineOperand Displacement;
  };
  Address foldAddress(MachineIRBuilder &B, Register Reg) const;
  std::optional<Address> foldSymbol(MachineIRBuilder &B, const MachineInstr &Def,
                                    int64_t Offset) const;
  bool canFoldAllUses(const MachineInstr &Def) const;
  bool staysAlive(const MachineInstr &Sum, const MachineBasicBlock &MBB) const;

  // The branch that is taken when a condition is true.
  struct Condition {
    unsigned Branch;
    Register LHS, RHS;
  };
  Condition foldCondition(Register Reg) const;
  std::optional<Condition> foldBitTest(MachineIRBuilder &B, Register Reg) const;

  bool constrain(MachineInstr &MI) const {
    return constrainSelectedInstRegOperands(MI, TII, TRI, RBI);
  }
  // A vector of whatever type fills a vector register.
  bool constrainToBank(Register Reg) const {
    if (Reg.isPhysical() || MRI->getRegClassOrNull(Reg))
      return true;
    return RBI.constrainGenericRegister(
        Reg,
        MRI->getType(Reg).isVector() ? NPU::VRRegClass : NPU::GPRRegClass, *MRI);
  }

  bool selectConstant(MachineInstr &MI) const;
  bool selectMask(MachineInstr &MI) const;
  bool selectMultiple(MachineInstr &MI) const;
  bool selectLoadStore(MachineInstr &MI) const;
  bool selectFrameIndex(MachineInstr &MI) const;
  bool selectFrameOffset(MachineInstr &MI) const;
  bool selectSymbol(MachineInstr &MI) const;
  bool selectThreadLocal(MachineInstr &MI) const;
  bool selectBranch(MachineInstr &MI) const;
  bool selectIndirectBranch(MachineInstr &MI) const;
  bool selectSelect(MachineInstr &MI) const;
  bool selectFence(MachineInstr &MI) const;
  bool selectTrap(MachineInstr &MI) const;
  bool selectIntrinsic(MachineInstr &MI) const;
  bool replaceByCopy(MachineInstr &MI) const;

  bool selectVector(MachineInstr &MI) const;
  bool selectVectorLoadStore(MachineInstr &MI) const;
  bool selectVectorCompare(MachineInstr &MI) const;
  bool selectVectorParts(MachineInstr &MI) const;
  bool selectVectorIntrinsic(MachineInstr &MI) const;
  Register getBroadcastScalar(Register Reg) const;

  // Renderers that the patterns name.
  void renderImmPlus1(MachineInstrBuilder &MIB, const MachineInstr &MI,
                      int OpIdx) const;
  void renderNegImm(MachineInstrBuilder &MIB, const MachineInstr &MI,
                    int OpIdx) const;
  void renderLargeHalf(MachineInstrBuilder &MIB, const MachineInstr &MI,
                       int OpIdx) const;
  void renderSmallHalf(MachineInstrBuilder &MIB, const MachineInstr &MI,
                       int OpIdx) const;

#define GET_GLOBALISEL_PREDICATES_DECL
#include "NPUGenGlobalISel.inc"
#undef GET_GLOBALISEL_PREDICATES_DECL
#define GET_GLOBALISEL_TEMPORARIES_DECL
#include "NPUGenGlobalISel.inc"
#undef GET_GLOBALISEL_TEMPORARIES_DECL
};

} // namespace

#define GET_GLOBALISEL_IMPL
#include "NPUGenGlobalISel.inc"
#undef GET_GLOBALISEL_IMPL

NPUInstructionSelector::NPUInstructionSelector(const NPUTargetMachine &TM,
                                               const NPUSubtarget &STI,
                                               const NPURegisterBankInfo &RBI)
    : TII(*STI.getInstrInfo()), TRI(*STI.getRegisterInfo()), RBI(RBI),
#define GET_GLOBALISEL_PREDICATES_INIT
#include "NPUGenGlobalISel.inc"
#undef GET_GLOBALISEL_PREDICATES_INIT
#define GET_GLOBALISEL_TEMPORARIES_INIT
#include "NPUGenGlobalISel.inc"
#undef GET_GLOBALISEL_TEMPORARIES_INIT
{
}

// From here on a pointer is a word like any other, so that one set of patterns
// does for both.
void NPUInstructionSelector::setupMF(MachineFunction &MF, GISelValueTracking *VT,
                                     CodeGenCoverage *CoverageInfo,
                                     ProfileSummaryInfo *PSI,
                                     BlockFrequencyInfo *BFI) {
  InstructionSelector::setupMF(MF, VT, CoverageInfo, PSI, BFI);
  MRI = &MF.getRegInfo();

  for (unsigned I = 0, E = MRI->getNumVirtRegs(); I != E; ++I) {
    Register Reg = Register::index2VirtReg(I);
    if (MRI->getType(Reg).isPointer())
      MRI->setType(Reg, LLT::scalar(32));
  }
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      switch (MI.getOpcode()) {
      case G_PTR_ADD:
        MI.setDesc(TII.get(G_ADD));
        MI.setFlags(0);
        break;
      case G_PTRMASK:
        MI.setDesc(TII.get(G_AND));
        break;
      case G_PTRTOINT:
      case G_INTTOPTR:
        MI.setDesc(TII.get(COPY));
        break;
      }
}

bool NPUInstructionSelector::select(MachineInstr &MI) {
  unsigned Opcode = MI.getOpcode();

  if (!MI.isPreISelOpcode() || Opcode == G_PHI) {
    if (MI.isCopy())
      return constrainToBank(MI.getOperand(0).getReg()) &&
             constrainToBank(MI.getOperand(1).getReg());
    if (Opcode == PHI || Opcode == G_PHI) {
      MI.setDesc(TII.get(PHI));
      return constrainToBank(MI.getOperand(0).getReg());
    }
    return true;
  }

  if (any_of(MI.operands(), [&](const MachineOperand &MO) {
        return MO.isReg() && MO.getReg().isVirtual() &&
               MRI->getType(MO.getReg()).isVector();
      }))
    return selectVector(MI);

  switch (Opcode) {
  case G_CONSTANT:
    return selectConstant(MI);
  case G_LOAD:
  case G_SEXTLOAD:
  case G_ZEXTLOAD:
  case G_STORE:
    return selectLoadStore(MI);
  case G_FRAME_INDEX:
    return selectFrameIndex(MI);
  case G_GLOBAL_VALUE:
  case G_JUMP_TABLE:
  case G_CONSTANT_POOL:
  case G_BLOCK_ADDR:
    return selectSymbol(MI);
  case G_ADD:
    return selectFrameOffset(MI) || selectImpl(MI, *CoverageInfo);
  case G_AND:
    return selectMask(MI) || selectImpl(MI, *CoverageInfo);
  case G_MUL:
    return selectMultiple(MI) || selectImpl(MI, *CoverageInfo);
  case G_BRCOND:
    return selectBranch(MI);
  case G_BRINDIRECT:
    return selectIndirectBranch(MI);
  case G_SELECT:
    return selectSelect(MI);
  case G_FENCE:
    return selectFence(MI);
  case G_PREFETCH:
    // There is no data cache.
    MI.eraseFromParent();
    return true;
  case G_TRAP:
  case G_UBSANTRAP:
  case G_DEBUGTRAP:
    return selectTrap(MI);
  case G_INTRINSIC:
  case G_INTRINSIC_W_SIDE_EFFECTS:
    return selectIntrinsic(MI);
  case G_ANYEXT:
  case G_TRUNC:
  case G_FREEZE:
  case G_CONSTANT_FOLD_BARRIER:
  case G_ASSERT_ZEXT:
  case G_ASSERT_SEXT:
  case G_ASSERT_ALIGN:
    return replaceByCopy(MI);
  case G_IMPLICIT_DEF:
    MI.setDesc(TII.get(IMPLICIT_DEF));
    return constrainToBank(MI.getOperand(0).getReg());
  }
  return selectImpl(MI, *CoverageInfo);
}

bool NPUInstructionSelector::replaceByCopy(MachineInstr &MI) const {
  while (MI.getNumOperands() > 2)
    MI.removeOperand(MI.getNumOperands() - 1);
  MI.setDesc(TII.get(COPY));
  return constrainToBank(MI.getOperand(0).getReg()) &&
         constrainToBank(MI.getOperand(1).getReg());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool NPUInstructionSelector::selectConstant(MachineInstr &MI) const {
  int32_t Value = MI.getOperand(1).getCImm()->getSExtValue();
  Register Dst = MI.getOperand(0).getReg();
  MachineIRBuilder B(MI);
  MachineInstrBuilder New;
  if (Value == 0) {
    New = B.buildCopy(Dst, Register(NPU::X0));
    MI.eraseFromParent();
    return constrainToBank(Dst);
  }
  NPUMatInt::InstSeq Seq = NPUMatInt::generateInstSeq(Value);
  if (Seq.size() > 1)
    New = B.buildInstr(NPU::PseudoMovImm, {Dst}, {}).addImm(Value);
  else if (Seq[0].Opcode == NPU::LUI)
    New = B.buildInstr(NPU::LUI, {Dst}, {}).addImm(Seq[0].Imm);
  else
    New = B.buildInstr(NPU::ADDI, {Dst}, {Register(NPU::X0)}).addImm(Value);
  MI.eraseFromParent();
  return constrain(*New);
}

// A mask of low or high bits that ANDI cannot hold: a shift there and back, unless
// so many operations share the mask that a register for it pays.
bool NPUInstructionSelector::selectMask(MachineInstr &MI) const {
  Register MaskReg = MI.getOperand(2).getReg();
  auto Constant = getIConstantVRegSExtVal(MaskReg, *MRI);
  if (!Constant || isInt<12>(*Constant) ||
      !hasNItemsOrLess(MRI->use_nodbg_begin(MaskReg), MRI->use_nodbg_end(), 2))
    return false;
  uint32_t Mask = *Constant;
  // Bits that are zero anyway may be set in the mask, if ANDI holds it then.
  int32_t Wide = Mask;
  if (VT)
    Wide |= VT->getKnownBits(MI.getOperand(1).getReg()).Zero.getZExtValue();
  if (isInt<12>(Wide)) {
    MachineIRBuilder B(MI);
    auto And = B.buildInstr(NPU::ANDI, {MI.getOperand(0)}, {MI.getOperand(1)})
                   .addImm(Wide);
    MI.eraseFromParent();
    return constrain(*And);
  }
  unsigned There, Back, Amount;
  if (isMask_32(Mask)) {
    There = NPU::SLLI, Back = NPU::SRLI, Amount = llvm::countl_zero(Mask);
  } else if (isMask_32(~Mask)) {
    There = NPU::SRLI, Back = NPU::SLLI, Amount = llvm::countr_zero(Mask);
  } else {
    return false;
  }
  MachineIRBuilder B(MI);
  Register Shifted = MRI->createVirtualRegister(&NPU::GPRRegClass);
  auto First = B.buildInstr(There, {Shifted}, {MI.getOperand(1)}).addImm(Amount);
  auto Second = B.buildInstr(Back, {MI.getOperand(0)}, {Shifted}).addImm(Amount);
  MI.eraseFromParent();
  return constrain(*First) && constrain(*Second);
}

// A factor next to a power of two: a shift and a sum are as fast as a
// multiplication and need no register for the factor.
bool NPUInstructionSelector::selectMultiple(MachineInstr &MI) const {
  auto Constant = getIConstantVRegSExtVal(MI.getOperand(2).getReg(), *MRI);
  if (!Constant)
    return false;
  uint32_t Factor = *Constant;
  Register Src = MI.getOperand(1).getReg();
  if (*Constant == -1) {
    MI.setDesc(TII.get(NPU::SUB));
    MI.getOperand(1).setReg(NPU::X0);
    MI.getOperand(2).setReg(Src);
    return constrain(MI);
  }
  Register Shifted = MRI->createVirtualRegister(&NPU::GPRRegClass);
  MachineIRBuilder B(MI);
  auto Build = [&](uint32_t Power, unsigned Opcode, Register LHS,
                   Register RHS) {
    auto Shift = B.buildInstr(NPU::SLLI, {Shifted}, {Src}).addImm(Log2_32(Power));
    auto Sum = B.buildInstr(Opcode, {MI.getOperand(0)}, {LHS, RHS});
    MI.eraseFromParent();
    return constrain(*Shift) && constrain(*Sum);
  };
  if (isPowerOf2_32(Factor - 1)) // x + 2^n x
    return Build(Factor - 1, NPU::ADD, Shifted, Src);
  if (isPowerOf2_32(Factor + 1)) // 2^n x - x
    return Build(Factor + 1, NPU::SUB, Shifted, Src);
  if (isPowerOf2_32(1 - Factor)) // x - 2^n x
    return Build(1 - Factor, NPU::SUB, Src, Shifted);
  return false;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static bool isSymbol(unsigned Opcode) {
  return Opcode == G_GLOBAL_VALUE || Opcode == G_CONSTANT_POOL ||
         Opcode == G_JUMP_TABLE || Opcode == G_BLOCK_ADDR;
}

// The operand that names what Def takes the address of, Offset bytes in.
static MachineOperand getSymbolOperand(const MachineInstr &Def, int64_t Offset,
                                       unsigned Flags) {
  MachineOperand MO = Def.getOperand(1);
  if (MO.isJTI()) {
    assert(Offset == 0 && "offset into a jump table");
    return MachineOperand::CreateJTI(MO.getIndex(), Flags);
  }
  MO.setOffset(MO.getOffset() + Offset);
  MO.setTargetFlags(Flags);
  return MO;
}

static bool isThreadLocal(const MachineInstr &Def) {
  return Def.getOperand(1).isGlobal() &&
         Def.getOperand(1).getGlobal()->isThreadLocal();
}

// Whether every use of a symbol's address is the base of a load or store, at an
// offset that never carries into the upper part of the address. Then each access
// takes %lo itself and they share the LUI.
bool NPUInstructionSelector::canFoldAllUses(const MachineInstr &Def) const {
  const MachineOperand &Symbol = Def.getOperand(1);
  uint64_t Reach = 1;
  if (Symbol.isGlobal())
    if (const auto *GO =
            dyn_cast_or_null<GlobalObject>(Symbol.getGlobal()->getAliaseeObject()))
      if (Symbol.getOffset() == 0)
        Reach = std::min<uint64_t>(
            2048, GO->getPointerAlignment(GO->getDataLayout()).value());

  auto IsAccess = [](const MachineInstr &User, Register Reg) {
    return isa<GLoadStore>(User) && User.getOperand(1).getReg() == Reg &&
           User.getOperand(0).getReg() != Reg;
  };
  SmallSet<int64_t, 4> Offsets;
  Register Reg = Def.getOperand(0).getReg();
  for (const MachineInstr &User : MRI->use_nodbg_instructions(Reg)) {
    if (IsAccess(User, Reg)) {
      Offsets.insert(0);
      continue;
    }
    if (User.getOpcode() != G_ADD || User.getOperand(1).getReg() != Reg)
      return false;
    auto Offset = getIConstantVRegSExtVal(User.getOperand(2).getReg(), *MRI);
    if (!Offset)
      return false;
    Register Sum = User.getOperand(0).getReg();
    for (const MachineInstr &SumUser : MRI->use_nodbg_instructions(Sum))
      if (!IsAccess(SumUser, Sum))
        return false;
    Offsets.insert(*Offset);
  }
  return Offsets.size() <= 1 ||
         all_of(Offsets, [&](int64_t Offset) {
           return Offset >= 0 && uint64_t(Offset) < Reach;
         });
}

std::optional<NPUInstructionSelector::Address>
NPUInstructionSelector::foldSymbol(MachineIRBuilder &B, const MachineInstr &Def,
                                   int64_t Offset) const {
  if (isThreadLocal(Def) || !canFoldAllUses(Def) ||
      (Def.getOpcode() == G_JUMP_TABLE && Offset != 0))
    return std::nullopt;

  // With a single offset its upper part goes along, whatever it is.
  bool IsSmall = Offset >= 0 && Offset < 2048 && Def.getOperand(1).isGlobal();
  if (IsSmall)
    if (const auto *GO = dyn_cast_or_null<GlobalObject>(
            Def.getOperand(1).getGlobal()->getAliaseeObject()))
      IsSmall = Def.getOperand(1).getOffset() == 0 &&
                uint64_t(Offset) <
                    GO->getPointerAlignment(GO->getDataLayout()).value();
  int64_t UpperOffset = IsSmall ? 0 : Offset;

  Register Hi = MRI->createVirtualRegister(&NPU::GPRRegClass);
  B.buildInstr(NPU::LUI, {Hi}, {})
      .add(getSymbolOperand(Def, UpperOffset, NPUII::MO_HI));
  return Address{MachineOperand::CreateReg(Hi, /*isDef=*/false),
                 getSymbolOperand(Def, Offset, NPUII::MO_LO)};
}

// Whether a sum of another block is there anyway, for something else than an
// address: the next value of a pointer that runs through a loop. To fold it would
// only keep its base alive, too.
bool NPUInstructionSelector::staysAlive(const MachineInstr &Sum,
                                        const MachineBasicBlock &MBB) const {
  Register Reg = Sum.getOperand(0).getReg();
  return Sum.getParent() != &MBB &&
         any_of(MRI->use_nodbg_instructions(Reg), [&](const MachineInstr &User) {
           return !isa<GLoadStore>(User) || User.getOperand(1).getReg() != Reg;
         });
}

NPUInstructionSelector::Address
NPUInstructionSelector::foldAddress(MachineIRBuilder &B, Register Reg) const {
  const MachineInstr *Def = getDefIgnoringCopies(Reg, *MRI);
  int64_t Offset = 0;
  Register Base = Reg;

  // base + constant
  Register Sum, Addend;
  if (Def->getOpcode() == G_ADD) {
    Sum = Def->getOperand(1).getReg();
    Addend = Def->getOperand(2).getReg();
    if (auto Constant = getIConstantVRegSExtVal(Addend, *MRI)) {
      const MachineInstr *SumDef = getDefIgnoringCopies(Sum, *MRI);
      if (isSymbol(SumDef->getOpcode()))
        if (auto Folded = foldSymbol(B, *SumDef, *Constant))
          return *Folded;
      if (isInt<12>(*Constant) && !staysAlive(*Def, B.getMBB())) {
        Offset = *Constant;
        Base = Sum;
        Def = SumDef;
      }
    }
  } else if (isSymbol(Def->getOpcode())) {
    if (auto Folded = foldSymbol(B, *Def, 0))
      return *Folded;
  } else if (Def->getOpcode() == G_CONSTANT) {
    // An absolute address, such as that of a device register.
    int32_t Value = Def->getOperand(1).getCImm()->getSExtValue();
    Register Hi = NPU::X0;
    if (!isInt<12>(Value)) {
      Hi = MRI->createVirtualRegister(&NPU::GPRRegClass);
      B.buildInstr(NPU::LUI, {Hi}, {}).addImm(NPU::getHi20(Value) & 0xfffff);
    }
    return {MachineOperand::CreateReg(Hi, /*isDef=*/false),
            MachineOperand::CreateImm(NPU::getLo12(Value))};
  }

  if (Def->getOpcode() == G_FRAME_INDEX)
    return {MachineOperand::CreateFI(Def->getOperand(1).getIndex()),
            MachineOperand::CreateImm(Offset)};
  return {MachineOperand::CreateReg(Base, /*isDef=*/false),
          MachineOperand::CreateImm(Offset)};
}

bool NPUInstructionSelector::selectLoadStore(MachineInstr &MI) const {
  const auto &Access = cast<GLoadStore>(MI);
  bool IsSigned = MI.getOpcode() == G_SEXTLOAD;
  unsigned Opcode;
  switch (Access.getMemSize().getValue()) {
  case 1:
    Opcode = MI.mayStore() ? NPU::SB : IsSigned ? NPU::LB : NPU::LBU;
    break;
  case 2:
    Opcode = MI.mayStore() ? NPU::SH : IsSigned ? NPU::LH : NPU::LHU;
    break;
  case 4:
    Opcode = MI.mayStore() ? NPU::SW : NPU::LW;
    break;
  default:
    return false;
  }

  MachineIRBuilder B(MI);
  Address Addr = foldAddress(B, Access.getPointerReg());
  MachineInstrBuilder New = B.buildInstr(Opcode);
  Register Value = MI.getOperand(0).getReg();
  if (MI.mayStore()) {
    // A stored zero comes from x0.
    if (auto Constant = getIConstantVRegSExtVal(Value, *MRI);
        Constant && *Constant == 0)
      Value = NPU::X0;
    New.addUse(Value);
  } else {
    New.addDef(Value);
  }
  New.add(Addr.Base).add(Addr.Displacement).cloneMemRefs(MI);
  MI.eraseFromParent();
  return constrain(*New);
}

bool NPUInstructionSelector::selectFrameIndex(MachineInstr &MI) const {
  MI.setDesc(TII.get(NPU::ADDI));
  MI.addOperand(MachineOperand::CreateImm(0));
  return constrain(MI);
}

// The address of a place inside an object on the stack.
bool NPUInstructionSelector::selectFrameOffset(MachineInstr &MI) const {
  const MachineInstr *Base =
      getDefIgnoringCopies(MI.getOperand(1).getReg(), *MRI);
  auto Offset = getIConstantVRegSExtVal(MI.getOperand(2).getReg(), *MRI);
  if (Base->getOpcode() != G_FRAME_INDEX || !Offset || !isInt<12>(*Offset))
    return false;
  MachineIRBuilder B(MI);
  auto New = B.buildInstr(NPU::ADDI, {MI.getOperand(0)}, {})
                 .addFrameIndex(Base->getOperand(1).getIndex())
                 .addImm(*Offset);
  MI.eraseFromParent();
  return constrain(*New);
}

bool NPUInstructionSelector::selectSymbol(MachineInstr &MI) const {
  if (isThreadLocal(MI))
    return selectThreadLocal(MI);
  MachineIRBuilder B(MI);
  auto New = B.buildInstr(NPU::PseudoMovAddr, {MI.getOperand(0)}, {})
                 .add(getSymbolOperand(MI, 0, NPUII::MO_HI))
                 .add(getSymbolOperand(MI, 0, NPUII::MO_LO));
  MI.eraseFromParent();
  return constrain(*New);
}

// Local-exec: the offset from tp is known when the program is linked.
bool NPUInstructionSelector::selectThreadLocal(MachineInstr &MI) const {
  MachineIRBuilder B(MI);
  Register Hi = MRI->createVirtualRegister(&NPU::GPRRegClass);
  Register Sum = MRI->createVirtualRegister(&NPU::GPRRegClass);
  B.buildInstr(NPU::LUI, {Hi}, {})
      .add(getSymbolOperand(MI, 0, NPUII::MO_TPREL_HI));
  B.buildInstr(NPU::PseudoAddTPRel, {Sum}, {Hi, Register(NPU::X4)})
      .add(getSymbolOperand(MI, 0, NPUII::MO_TPREL_ADD));
  auto New = B.buildInstr(NPU::ADDI, {MI.getOperand(0)}, {Sum})
                 .add(getSymbolOperand(MI, 0, NPUII::MO_TPREL_LO));
  MI.eraseFromParent();
  return constrain(*New);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

bool NPUInstructionSelector::selectVector(MachineInstr &MI) const {
  switch (MI.getOpcode()) {
  case G_LOAD:
  case G_SEXTLOAD:
  case G_ZEXTLOAD:
  case G_STORE:
    return selectVectorLoadStore(MI);
  case G_ICMP:
    return selectVectorCompare(MI);
  case G_SELECT: {
    // The mask stands where the result will.
    MachineIRBuilder B(MI);
    auto New = B.buildInstr(NPU::V_SEL, {MI.getOperand(0)},
                            {MI.getOperand(1), MI.getOperand(2), MI.getOperand(3)});
    MI.eraseFromParent();
    return constrain(*New);
  }
  case G_UNMERGE_VALUES:
  case G_CONCAT_VECTORS:
    return selectVectorParts(MI);
  case G_INTRINSIC:
  case G_INTRINSIC_W_SIDE_EFFECTS:
    return selectVectorIntrinsic(MI);
  case G_ANYEXT:
  case G_TRUNC:
  case G_BITCAST:
  case G_FREEZE:
  case G_CONSTANT_FOLD_BARRIER:
    return replaceByCopy(MI);
  case G_IMPLICIT_DEF:
    MI.setDesc(TII.get(IMPLICIT_DEF));
    return constrainToBank(MI.getOperand(0).getReg());
  default:
    return selectImpl(MI, *CoverageInfo);
  }
}

// The scalar that is in every element of a vector, if there is one.
Register NPUInstructionSelector::getBroadcastScalar(Register Reg) const {
  const auto *Def = dyn_cast<GIntrinsic>(getDefIgnoringCopies(Reg, *MRI));
  if (!Def)
    return Register();
  switch (Def->getIntrinsicID()) {
  case Intrinsic::npu_v_bcast_b:
  case Intrinsic::npu_v_bcast_h:
  case Intrinsic::npu_v_bcast_w:
    return Def->getOperand(2).getReg();
  default:
    return Register();
  }
}

bool NPUInstructionSelector::selectVectorLoadStore(MachineInstr &MI) const {
  const auto &Access = cast<GLoadStore>(MI);
  Register Value = MI.getOperand(0).getReg();
  LLT Ty = MRI->getType(Value);
  unsigned Size = Access.getMemSize().getValue();
  MachineIRBuilder B(MI);
  MachineInstrBuilder New;
  if (Size == 64) {
    Address Addr = foldAddress(B, Access.getPointerReg());
    New = B.buildInstr(MI.mayStore() ? NPU::V_ST : NPU::V_LD);
    MI.mayStore() ? New.addUse(Value) : New.addDef(Value);
    New.add(Addr.Base).add(Addr.Displacement);
  } else {
    // Elements that are narrower in memory: all lanes.
    unsigned Bytes = Size / Ty.getNumElements();
    bool IsZero = MI.getOpcode() == G_ZEXTLOAD;
    unsigned Opcode;
    if (Ty.getNumElements() == 32)
      Opcode = MI.mayStore() ? NPU::V_STL_HB
               : IsZero      ? NPU::V_LDL_BHU
                             : NPU::V_LDL_BH;
    else if (Bytes == 1)
      Opcode = MI.mayStore() ? NPU::V_STL_WB
               : IsZero      ? NPU::V_LDL_BWU
                             : NPU::V_LDL_BW;
    else
      Opcode = MI.mayStore() ? NPU::V_STL_WH
               : IsZero      ? NPU::V_LDL_HWU
                             : NPU::V_LDL_HW;
    New = B.buildInstr(Opcode);
    MI.mayStore() ? New.addUse(Value) : New.addDef(Value);
    New.addUse(Access.getPointerReg()).addUse(NPU::X0);
  }
  New.cloneMemRefs(MI);
  MI.eraseFromParent();
  return constrain(*New);
}

bool NPUInstructionSelector::selectVectorCompare(MachineInstr &MI) const {
  struct Compare {
    CmpInst::Predicate Predicate;
    // By width. There is no form between vectors where the operands can change places.
    unsigned Vectors[3], Scalar[3];
  };
  static constexpr Compare Compares[] = {
      {CmpInst::ICMP_EQ, {NPU::V_SEQ_B, NPU::V_SEQ_H, NPU::V_SEQ_W},
       {NPU::V_SEQ_B_X, NPU::V_SEQ_H_X, NPU::V_SEQ_W_X}},
      {CmpInst::ICMP_NE, {NPU::V_SNE_B, NPU::V_SNE_H, NPU::V_SNE_W},
       {NPU::V_SNE_B_X, NPU::V_SNE_H_X, NPU::V_SNE_W_X}},
      {CmpInst::ICMP_SLT, {NPU::V_SLT_B, NPU::V_SLT_H, NPU::V_SLT_W},
       {NPU::V_SLT_B_X, NPU::V_SLT_H_X, NPU::V_SLT_W_X}},
      {CmpInst::ICMP_ULT, {NPU::V_SLTU_B, NPU::V_SLTU_H, NPU::V_SLTU_W},
       {NPU::V_SLTU_B_X, NPU::V_SLTU_H_X, NPU::V_SLTU_W_X}},
      {CmpInst::ICMP_SLE, {NPU::V_SLE_B, NPU::V_SLE_H, NPU::V_SLE_W},
       {NPU::V_SLE_B_X, NPU::V_SLE_H_X, NPU::V_SLE_W_X}},
      {CmpInst::ICMP_ULE, {NPU::V_SLEU_B, NPU::V_SLEU_H, NPU::V_SLEU_W},
       {NPU::V_SLEU_B_X, NPU::V_SLEU_H_X, NPU::V_SLEU_W_X}},
      {CmpInst::ICMP_SGT, {},
       {NPU::V_SGT_B_X, NPU::V_SGT_H_X, NPU::V_SGT_W_X}},
      {CmpInst::ICMP_UGT, {},
       {NPU::V_SGTU_B_X, NPU::V_SGTU_H_X, NPU::V_SGTU_W_X}},
      {CmpInst::ICMP_SGE, {},
       {NPU::V_SGE_B_X, NPU::V_SGE_H_X, NPU::V_SGE_W_X}},
      {CmpInst::ICMP_UGE, {},
       {NPU::V_SGEU_B_X, NPU::V_SGEU_H_X, NPU::V_SGEU_W_X}}};
  auto Find = [&](CmpInst::Predicate P) -> const Compare & {
    return *find_if(Compares, [&](const Compare &C) { return C.Predicate == P; });
  };
  auto Predicate = CmpInst::Predicate(MI.getOperand(1).getPredicate());
  Register LHS = MI.getOperand(2).getReg(), RHS = MI.getOperand(3).getReg();
  if (getBroadcastScalar(LHS) && !getBroadcastScalar(RHS)) {
    std::swap(LHS, RHS);
    Predicate = CmpInst::getSwappedPredicate(Predicate);
  }
  Register Scalar = getBroadcastScalar(RHS);
  if (!Scalar && !Find(Predicate).Vectors[0]) {
    std::swap(LHS, RHS);
    Predicate = CmpInst::getSwappedPredicate(Predicate);
  }
  unsigned Width = Log2_32(MRI->getType(LHS).getScalarSizeInBits() / 8);
  const Compare &C = Find(Predicate);
  unsigned Opcode = Scalar ? C.Scalar[Width] : C.Vectors[Width];
  MachineIRBuilder B(MI);
  auto New = B.buildInstr(Opcode, {MI.getOperand(0)},
                          {LHS, Scalar ? Scalar : RHS});
  MI.eraseFromParent();
  return constrain(*New);
}

// Parts of a register with fewer lanes, whose elements are wider in registers of
// their own.
bool NPUInstructionSelector::selectVectorParts(MachineInstr &MI) const {
  MachineIRBuilder B(MI);
  bool Ok = true;
  if (MI.getOpcode() == G_UNMERGE_VALUES) {
    unsigned Parts = MI.getNumOperands() - 1;
    Register Source = MI.getOperand(Parts).getReg();
    bool IsBytes = MRI->getType(Source).getNumElements() == 64;
    // By sign: what is a mask stays one.
    static constexpr unsigned Quarters[] = {NPU::V_SXQ0_B, NPU::V_SXQ1_B,
                                            NPU::V_SXQ2_B, NPU::V_SXQ3_B};
    static constexpr unsigned Halves[2][2] = {
        {NPU::V_SXLO_H, NPU::V_SXHI_H}, {NPU::V_SXLO_B, NPU::V_SXHI_B}};
    for (unsigned I = 0; I < Parts; ++I)
      Ok &= constrain(*B.buildInstr(Parts == 4 ? Quarters[I] : Halves[IsBytes][I],
                                    {MI.getOperand(I)}, {Source}));
  } else {
    SmallVector<Register, 4> Sources;
    for (const MachineOperand &MO : drop_begin(MI.operands()))
      Sources.push_back(MO.getReg());
    auto Pack = [&](unsigned Opcode, DstOp Dst, unsigned I) {
      auto New = B.buildInstr(Opcode, {Dst}, {Sources[I], Sources[I + 1]});
      Ok &= constrain(*New);
      return New.getReg(0);
    };
    if (Sources.size() == 4) {
      Register Low = Pack(NPU::V_PACK_H, &NPU::VRRegClass, 0);
      Register High = Pack(NPU::V_PACK_H, &NPU::VRRegClass, 2);
      Sources = {Low, High};
    }
    bool IsBytes =
        MRI->getType(MI.getOperand(0).getReg()).getNumElements() == 64;
    Pack(IsBytes ? NPU::V_PACK_B : NPU::V_PACK_H, MI.getOperand(0).getReg(), 0);
  }
  MI.eraseFromParent();
  return Ok;
}

bool NPUInstructionSelector::selectVectorIntrinsic(MachineInstr &MI) const {
  unsigned ID = cast<GIntrinsic>(MI).getIntrinsicID();
  const auto *Entry = VectorIntrinsics::lookupVectorIntrinsic(ID);
  if (!Entry)
    return selectImpl(MI, *CoverageInfo);
  unsigned Opcode = Entry->Opcode;
  unsigned Defs = MI.getNumExplicitDefs();
  SmallVector<Register, 4> Operands;
  for (unsigned I = 0, E = MI.getNumExplicitOperands(); I < E; ++I)
    if (I != Defs) // the number of the intrinsic
      Operands.push_back(MI.getOperand(I).getReg());
  if (ID == Intrinsic::npu_v_rq) {
    Register Multiplier = getBroadcastScalar(Operands[2]);
    Register Shift = getBroadcastScalar(Operands[3]);
    if (Multiplier && Shift) {
      Opcode = NPU::V_RQ_X;
      Operands[2] = Multiplier;
      Operands[3] = Shift;
    }
  }
  MachineIRBuilder B(MI);
  auto New = B.buildInstr(Opcode);
  for (auto [Index, Reg] : enumerate(Operands))
    Index < Defs ? New.addDef(Reg) : New.addUse(Reg);
  New.cloneMemRefs(MI);
  MI.eraseFromParent();
  return constrain(*New);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

NPUInstructionSelector::Condition
NPUInstructionSelector::foldCondition(Register Reg) const {
  auto UseX0ForZero = [&](Register R) {
    auto Value = getIConstantVRegSExtVal(R, *MRI);
    return Value && *Value == 0 ? Register(NPU::X0) : R;
  };

  CmpInst::Predicate Pred;
  Register LHS, RHS;
  if (!mi_match(Reg, *MRI, m_GICmp(m_Pred(Pred), m_Reg(LHS), m_Reg(RHS))))
    return {NPU::BNE, Reg, NPU::X0};

  // Comparisons with 1 and -1 that are comparisons with 0.
  if (auto Constant = getIConstantVRegSExtVal(RHS, *MRI)) {
    if (*Constant == 1 && Pred == CmpInst::ICMP_SLT)
      return {NPU::BGE, NPU::X0, LHS};
    if (*Constant == 1 && Pred == CmpInst::ICMP_SGE)
      return {NPU::BLT, NPU::X0, LHS};
    if (*Constant == 1 && Pred == CmpInst::ICMP_ULT)
      return {NPU::BEQ, LHS, NPU::X0};
    if (*Constant == 1 && Pred == CmpInst::ICMP_UGE)
      return {NPU::BNE, LHS, NPU::X0};
    if (*Constant == -1 && Pred == CmpInst::ICMP_SGT)
      return {NPU::BGE, LHS, NPU::X0};
    if (*Constant == -1 && Pred == CmpInst::ICMP_SLE)
      return {NPU::BLT, LHS, NPU::X0};
  }

  LHS = UseX0ForZero(LHS);
  RHS = UseX0ForZero(RHS);
  switch (Pred) {
  case CmpInst::ICMP_EQ:
    return {NPU::BEQ, LHS, RHS};
  case CmpInst::ICMP_NE:
    return {NPU::BNE, LHS, RHS};
  case CmpInst::ICMP_SLT:
    return {NPU::BLT, LHS, RHS};
  case CmpInst::ICMP_SGE:
    return {NPU::BGE, LHS, RHS};
  case CmpInst::ICMP_SGT:
    return {NPU::BLT, RHS, LHS};
  case CmpInst::ICMP_SLE:
    return {NPU::BGE, RHS, LHS};
  case CmpInst::ICMP_ULT:
    return {NPU::BLTU, LHS, RHS};
  case CmpInst::ICMP_UGE:
    return {NPU::BGEU, LHS, RHS};
  case CmpInst::ICMP_UGT:
    return {NPU::BLTU, RHS, LHS};
  case CmpInst::ICMP_ULE:
    return {NPU::BGEU, RHS, LHS};
  default:
    llvm_unreachable("not an integer comparison");
  }
}

// Whether one bit, which ANDI does not reach, is set or not: shifted to the sign,
// it needs no register for a mask.
std::optional<NPUInstructionSelector::Condition>
NPUInstructionSelector::foldBitTest(MachineIRBuilder &B, Register Reg) const {
  CmpInst::Predicate Pred;
  Register Masked, Value;
  int64_t Mask;
  if (!mi_match(Reg, *MRI,
                m_GICmp(m_Pred(Pred), m_Reg(Masked), m_SpecificICst(0))) ||
      !ICmpInst::isEquality(Pred) || !MRI->hasOneNonDBGUse(Masked) ||
      !mi_match(Masked, *MRI, m_GAnd(m_Reg(Value), m_ICst(Mask))) ||
      isInt<12>(Mask) || !isPowerOf2_32(uint32_t(Mask)))
    return std::nullopt;
  Register Sign = Value;
  if (unsigned Distance = llvm::countl_zero(uint32_t(Mask))) {
    Sign = MRI->createVirtualRegister(&NPU::GPRRegClass);
    constrain(*B.buildInstr(NPU::SLLI, {Sign}, {Value}).addImm(Distance));
  }
  return Condition{Pred == CmpInst::ICMP_NE ? unsigned(NPU::BLT) : NPU::BGE,
                   Sign, NPU::X0};
}

bool NPUInstructionSelector::selectBranch(MachineInstr &MI) const {
  MachineIRBuilder B(MI);
  std::optional<Condition> BitTest = foldBitTest(B, MI.getOperand(0).getReg());
  Condition Cond =
      BitTest ? *BitTest : foldCondition(MI.getOperand(0).getReg());
  auto New = B.buildInstr(Cond.Branch, {}, {Cond.LHS, Cond.RHS})
                 .addMBB(MI.getOperand(1).getMBB());
  MI.eraseFromParent();
  return constrain(*New);
}

bool NPUInstructionSelector::selectIndirectBranch(MachineInstr &MI) const {
  MI.setDesc(TII.get(NPU::PseudoBRIND));
  MI.addOperand(MachineOperand::CreateImm(0));
  return constrain(MI);
}

// Whether a comparison's result is one instruction away.
static bool isCheapCondition(Register Reg, const MachineRegisterInfo &MRI) {
  CmpInst::Predicate Pred;
  if (!mi_match(Reg, MRI, m_GICmp(m_Pred(Pred), m_Reg(), m_Reg())))
    return true;
  return Pred == CmpInst::ICMP_SLT || Pred == CmpInst::ICMP_ULT ||
         Pred == CmpInst::ICMP_SGT || Pred == CmpInst::ICMP_UGT;
}

bool NPUInstructionSelector::selectSelect(MachineInstr &MI) const {
  const auto &Select = cast<GSelect>(MI);
  MachineIRBuilder B(MI);

  // c ? x : 0 is x & -c, and c ? 0 : x is x & (c - 1).
  auto IsZero = [&](Register Reg) {
    return getIConstantVRegSExtVal(Reg, *MRI) == 0;
  };
  bool FalseIsZero = IsZero(Select.getFalseReg());
  if ((FalseIsZero || IsZero(Select.getTrueReg())) &&
      isCheapCondition(Select.getCondReg(), *MRI)) {
    Register Mask = MRI->createVirtualRegister(&NPU::GPRRegClass);
    auto MakeMask =
        FalseIsZero
            ? B.buildInstr(NPU::SUB, {Mask}, {Register(NPU::X0), Select.getCondReg()})
            : B.buildInstr(NPU::ADDI, {Mask}, {Select.getCondReg()}).addImm(-1);
    Register Kept = FalseIsZero ? Select.getTrueReg() : Select.getFalseReg();
    auto Constant = getIConstantVRegSExtVal(Kept, *MRI);
    auto Apply = Constant && isInt<12>(*Constant)
                     ? B.buildInstr(NPU::ANDI, {Select.getReg(0)}, {Mask})
                           .addImm(*Constant)
                     : B.buildInstr(NPU::AND, {Select.getReg(0)}, {Kept, Mask});
    MI.eraseFromParent();
    return constrain(*MakeMask) && constrain(*Apply);
  }

  Condition Cond = foldCondition(Select.getCondReg());
  auto New = B.buildInstr(NPU::PseudoSelect, {Select.getReg(0)},
                          {Cond.LHS, Cond.RHS})
                 .addImm(Cond.Branch)
                 .addUse(Select.getTrueReg())
                 .addUse(Select.getFalseReg());
  MI.eraseFromParent();
  return constrain(*New);
}

//===----------------------------------------------------------------------===//
// Ordering, traps, intrinsics
//===----------------------------------------------------------------------===//

bool NPUInstructionSelector::selectFence(MachineInstr &MI) const {
  auto Ordering = AtomicOrdering(MI.getOperand(0).getImm());
  auto Scope = SyncScope::ID(MI.getOperand(1).getImm());
  MachineIRBuilder B(MI);
  using namespace NPUFenceField;
  if (Scope == SyncScope::SingleThread) {
    // Against a handler on the same hart: only the compiler has to keep order.
    B.buildInstr(MEMBARRIER);
  } else {
    auto [Pred, Succ] = [&]() -> std::pair<int64_t, int64_t> {
      switch (Ordering) {
      case AtomicOrdering::Acquire:
        return {R, R | W};
      case AtomicOrdering::Release:
        return {R | W, W};
      default:
        return {R | W, R | W};
      }
    }();
    B.buildInstr(NPU::FENCE).addImm(Pred).addImm(Succ);
  }
  MI.eraseFromParent();
  return true;
}

bool NPUInstructionSelector::selectTrap(MachineInstr &MI) const {
  MachineIRBuilder B(MI);
  if (MI.getOpcode() == G_DEBUGTRAP)
    B.buildInstr(NPU::EBREAK);
  else
    // unimp: a write to a read-only CSR.
    B.buildInstr(NPU::CSRRW, {Register(NPU::X0)}, {})
        .addImm(NPUSysReg::lookupSysRegByName("cycle")->Encoding)
        .addUse(NPU::X0);
  MI.eraseFromParent();
  return true;
}

bool NPUInstructionSelector::selectIntrinsic(MachineInstr &MI) const {
  MachineIRBuilder B(MI);
  MachineInstrBuilder New;
  auto Reg = [&](unsigned Index) { return MI.getOperand(Index).getReg(); };
  auto Imm = [&](unsigned Index) { return MI.getOperand(Index).getImm(); };
  // Operands: results, the intrinsic's number, arguments.
  auto Unary = [&](unsigned Opcode) {
    New = B.buildInstr(Opcode, {Reg(0)}, {Reg(2)});
  };
  auto Binary = [&](unsigned Opcode) {
    New = B.buildInstr(Opcode, {Reg(0)}, {Reg(2), Reg(3)});
  };
  switch (cast<GIntrinsic>(MI).getIntrinsicID()) {
  case Intrinsic::npu_mac_ldw:
    Binary(NPU::MAC_LDW);
    break;
  case Intrinsic::npu_mac_run:
    Binary(NPU::MAC_RUN);
    break;
  case Intrinsic::npu_mac_dw:
    Binary(NPU::MAC_DW);
    break;
  case Intrinsic::npu_mac_drain:
    Binary(NPU::MAC_DRAIN);
    break;
  case Intrinsic::npu_mac_ldq:
    Unary(NPU::MAC_LDQ);
    break;
  case Intrinsic::npu_dma_start:
    New = B.buildInstr(NPU::DMA_START, {Reg(0)}, {Reg(2)}).addImm(Imm(3));
    break;
  case Intrinsic::npu_wait:
    New = B.buildInstr(NPU::NPU_WAIT, {}, {Reg(1)});
    break;
  case Intrinsic::npu_poll:
    Unary(NPU::NPU_POLL);
    break;
  case Intrinsic::npu_fence:
    New = B.buildInstr(NPU::NPU_FENCE).addImm(Imm(1));
    break;
  case Intrinsic::npu_csr_read:
    New = B.buildInstr(NPU::CSRRS, {Reg(0)}, {}).addImm(Imm(2)).addUse(NPU::X0);
    break;
  case Intrinsic::npu_csr_write: {
    auto Value = getIConstantVRegSExtVal(Reg(2), *MRI);
    if (Value && isUInt<5>(*Value))
      New = B.buildInstr(NPU::CSRRWI, {Register(NPU::X0)}, {})
                .addImm(Imm(1))
                .addImm(*Value);
    else
      New = B.buildInstr(NPU::CSRRW, {Register(NPU::X0)}, {})
                .addImm(Imm(1))
                .addUse(Reg(2));
    break;
  }
  default:
    return selectImpl(MI, *CoverageInfo);
  }
  New.cloneMemRefs(MI);
  MI.eraseFromParent();
  return constrain(*New);
}

//===----------------------------------------------------------------------===//
// Renderers
//===----------------------------------------------------------------------===//

static int64_t getConstant(const MachineInstr &MI) {
  return MI.getOperand(1).getCImm()->getSExtValue();
}

void NPUInstructionSelector::renderImmPlus1(MachineInstrBuilder &MIB,
                                            const MachineInstr &MI,
                                            int) const {
  MIB.addImm(getConstant(MI) + 1);
}

void NPUInstructionSelector::renderNegImm(MachineInstrBuilder &MIB,
                                          const MachineInstr &MI, int) const {
  MIB.addImm(-getConstant(MI));
}

// A sum that takes two ADDI: as much as fits, then the rest.
void NPUInstructionSelector::renderLargeHalf(MachineInstrBuilder &MIB,
                                             const MachineInstr &MI,
                                             int) const {
  MIB.addImm(getConstant(MI) < 0 ? -2048 : 2047);
}

void NPUInstructionSelector::renderSmallHalf(MachineInstrBuilder &MIB,
                                             const MachineInstr &MI,
                                             int) const {
  int64_t Value = getConstant(MI);
  MIB.addImm(Value < 0 ? Value + 2048 : Value - 2047);
}

InstructionSelector *
llvm::createNPUInstructionSelector(const NPUTargetMachine &TM,
                                   const NPUSubtarget &STI,
                                   const NPURegisterBankInfo &RBI) {
  return new NPUInstructionSelector(TM, STI, RBI);
}
