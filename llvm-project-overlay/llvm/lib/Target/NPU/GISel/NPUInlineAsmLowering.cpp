// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInlineAsmLowering.cpp - inline assembly operands ---------------===//

#include "NPUInlineAsmLowering.h"
#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "NPUISelLowering.h"
#include "NPURegisterInfo.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/LowLevelTypeUtils.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

NPUInlineAsmLowering::NPUInlineAsmLowering(const NPUTargetLowering &TLI)
    : InlineAsmLowering(&TLI) {}

//===----------------------------------------------------------------------===//
// Constants and symbols
//===----------------------------------------------------------------------===//

// A symbol, possibly with a constant offset.
static std::optional<MachineOperand> lowerSymbol(const Value *Val,
                                                 const DataLayout &DL) {
  if (const auto *BA = dyn_cast<BlockAddress>(Val))
    return MachineOperand::CreateBA(const_cast<BlockAddress *>(BA),
                                    /*Offset=*/0);
  // A symbol may have been made an integer.
  while (Operator::getOpcode(Val) == Instruction::PtrToInt)
    Val = cast<Operator>(Val)->getOperand(0);
  if (!Val->getType()->isPointerTy())
    return std::nullopt;
  APInt Offset(DL.getIndexTypeSizeInBits(Val->getType()), 0);
  const Value *Base = Val->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  const auto *GV = dyn_cast<GlobalValue>(Base);
  if (!GV)
    return std::nullopt;
  return MachineOperand::CreateGA(GV, Offset.getSExtValue());
}

static std::optional<int64_t> getInteger(const Value *Val) {
  if (isa<ConstantPointerNull>(Val))
    return 0;
  const auto *CI = dyn_cast<ConstantInt>(Val);
  if (!CI || CI->getBitWidth() > 64)
    return std::nullopt;
  return CI->getBitWidth() == 1 ? CI->getZExtValue() : CI->getSExtValue();
}

// What a constraint other than a register or memory accepts, for messages.
static const char *getExpectation(StringRef Code) {
  return StringSwitch<const char *>(Code)
      .Case("I", "an integer constant from -2048 to 2047")
      .Case("J", "the constant 0")
      .Case("K", "an integer constant from 0 to 31")
      .Case("n", "an integer constant")
      .Cases({"s", "S"}, "the address of a symbol")
      .Default("a constant");
}

static std::optional<MachineOperand>
lowerConstant(const Value *Val, StringRef Code, const DataLayout &DL) {
  if (Code.size() != 1)
    return std::nullopt;
  char Letter = Code[0];
  bool TakesSymbol = StringRef("isSX").contains(Letter);
  bool TakesInteger = StringRef("inIJKX").contains(Letter);
  if (TakesSymbol)
    if (auto Symbol = lowerSymbol(Val, DL))
      return Symbol;
  auto Integer = getInteger(Val);
  if (!TakesInteger || !Integer)
    return std::nullopt;
  if ((Letter == 'I' && !isInt<12>(*Integer)) ||
      (Letter == 'J' && *Integer != 0) ||
      (Letter == 'K' && !isUInt<5>(*Integer)))
    return std::nullopt;
  return MachineOperand::CreateImm(*Integer);
}

//===----------------------------------------------------------------------===//
// One statement
//===----------------------------------------------------------------------===//

namespace {

struct AsmOperand : TargetLowering::AsmOperandInfo {
  llvm::Type *Ty = nullptr; // of the value, or of what the address points to
  SmallVector<Register, 2> Regs;
  unsigned FlagIndex = 0; // among the instruction's operands

  explicit AsmOperand(const TargetLowering::AsmOperandInfo &Info)
      : AsmOperandInfo(Info) {}

  bool isRegister() const {
    return ConstraintType == TargetLowering::C_Register ||
           ConstraintType == TargetLowering::C_RegisterClass;
  }
  bool isConstant() const {
    return ConstraintType == TargetLowering::C_Immediate ||
           ConstraintType == TargetLowering::C_Other;
  }
  bool isMemory() const {
    return ConstraintType == TargetLowering::C_Memory ||
           ConstraintType == TargetLowering::C_Address;
  }
};

class AsmStatement {
  using GetVRegs = function_ref<ArrayRef<Register>(const Value &)>;

  const TargetLowering &TLI;
  MachineIRBuilder &B;
  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const TargetRegisterInfo &TRI;
  const DataLayout &DL;
  const CallBase &Call;
  GetVRegs VRegs;
  MachineInstrBuilder Inst;
  SmallVector<AsmOperand, 8> Operands;
  SmallSet<MCRegister, 16> Taken; // by name or by an even-odd pair

public:
  AsmStatement(const TargetLowering &TLI, MachineIRBuilder &B,
               const CallBase &Call, GetVRegs VRegs)
      : TLI(TLI), B(B), MF(B.getMF()), MRI(*B.getMRI()),
        TRI(*MF.getSubtarget().getRegisterInfo()), DL(MF.getDataLayout()),
        Call(Call), VRegs(VRegs) {}

  bool lower();
  void copyResultsAtLabel(const CallBase &LandingPad);

private:
  bool parse();
  bool fail(const Twine &Message);

  void chooseConstraint(AsmOperand &Op) const;
  bool assignRegisters(AsmOperand &Op);
  MCRegister takePair(StringRef Code);

  bool addOutput(AsmOperand &Op);
  bool addMatchingInput(AsmOperand &Op);
  bool addInput(AsmOperand &Op);
  bool addMemory(const AsmOperand &Op);
  void addClobber(const AsmOperand &Op);
  void addFlag(AsmOperand &Op, InlineAsm::Flag Flag);
  void addLabel(const BasicBlock &Target);

  bool splitValue(const AsmOperand &Op, unsigned Count,
                  SmallVectorImpl<Register> &Parts);
  void joinValue(Register Result, ArrayRef<Register> Parts);
  void copyResults(ArrayRef<Register> Results);
  unsigned getExtraInfo() const;
};

} // namespace

// Compilation goes on after the message, with anything for the results.
bool AsmStatement::fail(const Twine &Message) {
  Call.getContext().diagnose(DiagnosticInfoInlineAsm(Call, Message));
  return false;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

// Of several alternatives: a constant where the value is one, then the most
// general.
void AsmStatement::chooseConstraint(AsmOperand &Op) const {
  Op.ConstraintCode = Op.Codes.front();
  Op.ConstraintType = TLI.getConstraintType(Op.ConstraintCode);
  if (Op.Codes.size() > 1)
    for (const auto &[Code, Type] : TLI.getConstraintPreferences(Op)) {
      Op.ConstraintCode = Code;
      Op.ConstraintType = Type;
      if (!Op.isConstant() || (Op.Type == InlineAsm::isInput && !Op.isIndirect &&
                               lowerConstant(Op.CallOperandVal, Code, DL)))
        break;
    }
  if (Op.ConstraintCode != "X" || !Op.CallOperandVal || Op.isIndirect ||
      lowerConstant(Op.CallOperandVal, "X", DL))
    return;
  bool IsVector = Op.CallOperandVal->getType()->isVectorTy() &&
                  DL.getTypeSizeInBits(Op.CallOperandVal->getType()) == 512;
  Op.ConstraintCode = IsVector ? "vr" : "r";
  Op.ConstraintType = TLI.getConstraintType(Op.ConstraintCode);
}

bool AsmStatement::parse() {
  unsigned ArgNo = 0, ResNo = 0;
  for (const auto &Info : TLI.ParseConstraints(DL, &TRI, Call)) {
    AsmOperand &Op = Operands.emplace_back(Info);
    if (Op.hasArg()) {
      Op.Ty = Op.isIndirect ? Call.getParamElementType(ArgNo)
                            : Call.getArgOperand(ArgNo)->getType();
      ++ArgNo;
    } else if (Op.Type == InlineAsm::isOutput) {
      auto *STy = dyn_cast<StructType>(Call.getType());
      Op.Ty = STy ? STy->getElementType(ResNo) : Call.getType();
      ++ResNo;
    }
    chooseConstraint(Op);
  }
  return !Operands.empty() ||
         cast<InlineAsm>(Call.getCalledOperand())->getConstraintString().empty();
}

// The even one of two neighbouring registers that neither another operand nor the
// program has.
MCRegister AsmStatement::takePair(StringRef Code) {
  for (const AsmOperand &Op : Operands)
    if (StringRef(Op.ConstraintCode).starts_with("{"))
      Taken.insert(TLI.getRegForInlineAsmConstraint(&TRI, Op.ConstraintCode,
                                                    MVT::i32)
                       .first);
  // Not s0 and s1: the former may be the frame pointer.
  static constexpr MCPhysReg Even[] = {NPU::X10, NPU::X12, NPU::X14, NPU::X16,
                                       NPU::X28, NPU::X30, NPU::X6,  NPU::X18,
                                       NPU::X20, NPU::X22, NPU::X24, NPU::X26};
  for (MCRegister Reg : ArrayRef(Even).take_front(Code == "cR" ? 3 : 12)) {
    MCRegister Odd = Reg.id() + 1;
    if (any_of(ArrayRef({Reg, Odd}), [&](MCRegister R) {
          return Taken.contains(R) ||
                 MF.getSubtarget().isRegisterReservedByUser(R);
        }))
      continue;
    Taken.insert(Reg);
    Taken.insert(Odd);
    return Reg;
  }
  return MCRegister();
}

// A value that is wider than a register takes several: any of the class, or those
// that follow the named one.
bool AsmStatement::assignRegisters(AsmOperand &Op) {
  MVT VT = Op.Ty && Op.Ty->isVectorTy() ? Op.ConstraintVT : MVT(MVT::i32);
  auto [First, RC] =
      TLI.getRegForInlineAsmConstraint(&TRI, Op.ConstraintCode, VT);
  if (Op.ConstraintCode == "R" || Op.ConstraintCode == "cR") {
    First = takePair(Op.ConstraintCode);
    RC = First ? &NPU::GPRRegClass : nullptr;
  }
  if (!RC)
    return false;
  unsigned Count = 1;
  if (Op.Ty) {
    if (!Op.Ty->isSingleValueType())
      return false;
    unsigned Size = DL.getTypeSizeInBits(Op.Ty).getFixedValue();
    unsigned RegSize = TRI.getRegSizeInBits(*RC);
    if (Op.Ty->isVectorTy() && Size != RegSize)
      return false;
    Count = divideCeil(Size, RegSize);
  }
  for (unsigned I = 0; I != Count; ++I) {
    Register Reg = First ? Register(First + I) : MRI.createVirtualRegister(RC);
    if (First && !RC->contains(Reg))
      return false;
    Op.Regs.push_back(Reg);
  }
  return true;
}

unsigned AsmStatement::getExtraInfo() const {
  const auto *IA = cast<InlineAsm>(Call.getCalledOperand());
  unsigned Flags = IA->getDialect() * InlineAsm::Extra_AsmDialect;
  if (IA->hasSideEffects())
    Flags |= InlineAsm::Extra_HasSideEffects;
  if (IA->isAlignStack())
    Flags |= InlineAsm::Extra_IsAlignStack;
  if (IA->canThrow())
    Flags |= InlineAsm::Extra_MayUnwind;
  if (Call.isConvergent())
    Flags |= InlineAsm::Extra_IsConvergent;
  // A constant may be an address that the text accesses.
  for (const AsmOperand &Op : Operands) {
    if (!Op.isMemory() && Op.ConstraintType != TargetLowering::C_Other)
      continue;
    if (Op.Type != InlineAsm::isOutput)
      Flags |= InlineAsm::Extra_MayLoad;
    if (Op.Type == InlineAsm::isOutput || Op.Type == InlineAsm::isClobber)
      Flags |= InlineAsm::Extra_MayStore;
  }
  return Flags;
}

//===----------------------------------------------------------------------===//
// Values in registers
//===----------------------------------------------------------------------===//

// Count registers, the lowest word first.
bool AsmStatement::splitValue(const AsmOperand &Op, unsigned Count,
                              SmallVectorImpl<Register> &Parts) {
  ArrayRef<Register> Value = VRegs(*Op.CallOperandVal);
  if (Value.size() != 1)
    return false;
  LLT Ty = MRI.getType(Value[0]), Word = LLT::scalar(32);
  unsigned Size = Ty.getSizeInBits();
  if (Count == 1 && (Size == 32 || Ty.isVector())) {
    Parts.push_back(Value[0]);
    return true;
  }
  if (!Ty.isScalar() || Size > 32 * Count)
    return false;
  Register Whole = Value[0];
  if (Size < 32 * Count)
    Whole = B.buildAnyExt(LLT::scalar(32 * Count), Whole).getReg(0);
  if (Count == 1) {
    Parts.push_back(Whole);
    return true;
  }
  auto Unmerge = B.buildUnmerge(Word, Whole);
  for (unsigned I = 0; I != Count; ++I)
    Parts.push_back(Unmerge.getReg(I));
  return true;
}

void AsmStatement::joinValue(Register Result, ArrayRef<Register> Parts) {
  LLT Ty = MRI.getType(Result);
  unsigned Size = Ty.getSizeInBits();
  if (Parts.size() == 1 && Size >= 32) {
    B.buildCopy(Result, Parts[0]);
    return;
  }
  SmallVector<Register, 2> Words;
  for (Register Part : Parts)
    Words.push_back(B.buildCopy(LLT::scalar(32), Part).getReg(0));
  if (Size == 32 * Words.size())
    B.buildMergeLikeInstr(Result, Words);
  else
    B.buildTrunc(Result,
                 Words.size() == 1
                     ? Words[0]
                     : B.buildMergeLikeInstr(LLT::scalar(32 * Words.size()),
                                             Words)
                           .getReg(0));
}

// The output operands' registers to the results; an indirect one to its address.
void AsmStatement::copyResults(ArrayRef<Register> Results) {
  for (const AsmOperand &Op : Operands) {
    if (Op.Type != InlineAsm::isOutput || !Op.isRegister())
      continue;
    if (!Op.isIndirect) {
      joinValue(Results.front(), Op.Regs);
      Results = Results.drop_front();
      continue;
    }
    Register Value =
        MRI.createGenericVirtualRegister(getLLTForType(*Op.Ty, DL));
    joinValue(Value, Op.Regs);
    B.buildStore(Value, VRegs(*Op.CallOperandVal)[0],
                 MachinePointerInfo(Op.CallOperandVal), DL.getABITypeAlign(Op.Ty));
  }
}

//===----------------------------------------------------------------------===//
// Operands of the instruction
//===----------------------------------------------------------------------===//

void AsmStatement::addFlag(AsmOperand &Op, InlineAsm::Flag Flag) {
  // Later passes find the class of virtual registers there.
  if (!Op.Regs.empty() && Op.Regs[0].isVirtual())
    Flag.setRegClass(MRI.getRegClass(Op.Regs[0])->getID());
  Op.FlagIndex = Inst->getNumOperands();
  Inst.addImm(Flag);
}

bool AsmStatement::addOutput(AsmOperand &Op) {
  if (!Op.isRegister() || !assignRegisters(Op))
    return fail("no register can hold the output operand of constraint '" +
                Op.ConstraintCode + "'");
  addFlag(Op, InlineAsm::Flag(Op.isEarlyClobber
                                  ? InlineAsm::Kind::RegDefEarlyClobber
                                  : InlineAsm::Kind::RegDef,
                              Op.Regs.size()));
  for (Register Reg : Op.Regs)
    Inst.addReg(Reg, RegState::Define | getImplRegState(Reg.isPhysical()) |
                         (Op.isEarlyClobber ? RegState::EarlyClobber : 0));
  return true;
}

bool AsmStatement::addMatchingInput(AsmOperand &Op) {
  unsigned DefNo = Op.getMatchedOperand();
  const AsmOperand &Def = Operands[DefNo];
  if (!Def.isRegister()) {
    if (!Def.isMemory() || !Op.isIndirect)
      return fail("an input can only match an output in a register");
    // The same place, and so the same address.
    InlineAsm::Flag Flag(InlineAsm::Kind::Mem, 1);
    Flag.setMatchingOp(DefNo);
    Op.FlagIndex = Inst->getNumOperands();
    Inst.addImm(Flag);
    Inst.addReg(Inst->getOperand(Def.FlagIndex + 1).getReg());
    return true;
  }
  SmallVector<Register, 2> Parts;
  if (Op.isIndirect || !splitValue(Op, Def.Regs.size(), Parts))
    return fail("an input is too wide for the output that it matches");
  InlineAsm::Flag Flag(InlineAsm::Kind::RegUse, Parts.size());
  Flag.setMatchingOp(DefNo);
  Op.FlagIndex = Inst->getNumOperands();
  Inst.addImm(Flag);
  for (const auto &[Index, Part] : enumerate(Parts)) {
    Register Reg = Def.Regs[Index];
    Register In = MRI.createVirtualRegister(
        Reg.isVirtual() ? MRI.getRegClass(Reg) : TRI.getMinimalPhysRegClass(Reg));
    B.buildCopy(In, Part);
    Inst.addReg(In);
    Inst->tieOperands(Def.FlagIndex + 1 + Index, Inst->getNumOperands() - 1);
  }
  return true;
}

bool AsmStatement::addMemory(const AsmOperand &Op) {
  auto Constraint = TLI.getInlineAsmMemConstraint(Op.ConstraintCode);
  if (Constraint == InlineAsm::ConstraintCode::Unknown)
    return fail("unknown memory constraint '" + Op.ConstraintCode + "'");
  ArrayRef<Register> Regs = VRegs(*Op.CallOperandVal);
  if (Regs.size() != 1)
    return fail("operand of constraint '" + Op.ConstraintCode +
                "' is not a single value");
  Register Address = Regs[0];
  if (!Op.isIndirect && Op.ConstraintType == TargetLowering::C_Memory) {
    // A value: to a place of its own.
    int FI = MF.getFrameInfo().CreateStackObject(
        DL.getTypeStoreSize(Op.Ty), DL.getPrefTypeAlign(Op.Ty),
        /*isSpillSlot=*/false);
    Address = B.buildFrameIndex(LLT::pointer(0, 32), FI).getReg(0);
    B.buildStore(Regs[0], Address, MachinePointerInfo::getFixedStack(MF, FI),
                 DL.getPrefTypeAlign(Op.Ty));
  }
  InlineAsm::Flag Flag(InlineAsm::Kind::Mem, 1);
  Flag.setMemConstraint(Constraint);
  Inst.addImm(Flag);
  // A register class for the base, as for any other register of the asm.
  Register Base = MRI.createVirtualRegister(TRI.getPointerRegClass());
  B.buildCopy(Base, Address);
  Inst.addReg(Base);
  return true;
}

// A label is printed as the name of the block, which so far is the first one that
// was made for the IR's block.
void AsmStatement::addLabel(const BasicBlock &Target) {
  Inst.addImm(InlineAsm::Flag(InlineAsm::Kind::Imm, 1));
  for (MachineBasicBlock &MBB : MF)
    if (MBB.getBasicBlock() == &Target) {
      Inst.addMBB(&MBB);
      return;
    }
  llvm_unreachable("block without a machine block");
}

bool AsmStatement::addInput(AsmOperand &Op) {
  if (Op.isMatchingInputConstraint())
    return addMatchingInput(Op);
  if (Op.isMemory())
    return addMemory(Op);
  if (Op.isIndirect)
    return fail("operand of constraint '" + Op.ConstraintCode +
                "' cannot be taken from memory");
  if (Op.isConstant()) {
    auto MO = lowerConstant(Op.CallOperandVal, Op.ConstraintCode, DL);
    if (!MO)
      return fail("operand of constraint '" + Op.ConstraintCode + "' must be " +
                  getExpectation(Op.ConstraintCode));
    Inst.addImm(InlineAsm::Flag(InlineAsm::Kind::Imm, 1));
    Inst.add(*MO);
    return true;
  }
  SmallVector<Register, 2> Parts;
  if (!Op.isRegister() || !assignRegisters(Op) ||
      !splitValue(Op, Op.Regs.size(), Parts))
    return fail("no register can hold the input operand of constraint '" +
                Op.ConstraintCode + "'");
  for (const auto &[Reg, Part] : zip_equal(Op.Regs, Parts))
    B.buildCopy(Reg, Part);
  addFlag(Op, InlineAsm::Flag(InlineAsm::Kind::RegUse, Op.Regs.size()));
  for (Register Reg : Op.Regs)
    Inst.addReg(Reg);
  return true;
}

// Clobbers without a register, such as memory, are in the flags of the instruction.
void AsmStatement::addClobber(const AsmOperand &Op) {
  MCRegister Reg =
      TLI.getRegForInlineAsmConstraint(&TRI, Op.ConstraintCode, MVT::Other).first;
  if (!Reg)
    return;
  Inst.addImm(InlineAsm::Flag(InlineAsm::Kind::Clobber, 1));
  Inst.addReg(Reg, RegState::ImplicitDefine | RegState::EarlyClobber);
}

bool AsmStatement::lower() {
  if (!parse())
    return fail("malformed constraints of inline assembly");

  // Inserted when the instructions that compute its operands are.
  const auto *IA = cast<InlineAsm>(Call.getCalledOperand());
  Inst = B.buildInstrNoInsert(isa<CallBrInst>(Call)
                                  ? TargetOpcode::INLINEASM_BR
                                  : TargetOpcode::INLINEASM)
             .addExternalSymbol(IA->getAsmString().data())
             .addImm(getExtraInfo());
  for (AsmOperand &Op : Operands) {
    switch (Op.Type) {
    case InlineAsm::isOutput:
      if (Op.isMemory() ? !addMemory(Op) : !addOutput(Op))
        return false;
      break;
    case InlineAsm::isInput:
      if (!addInput(Op))
        return false;
      break;
    case InlineAsm::isLabel:
      addLabel(*cast<BasicBlock>(Op.CallOperandVal));
      break;
    case InlineAsm::isClobber:
      addClobber(Op);
      break;
    }
  }
  if (const MDNode *SrcLoc = Call.getMetadata("srcloc"))
    Inst.addMetadata(SrcLoc);
  B.insertInstr(Inst);

  copyResults(VRegs(Call));
  return true;
}

// Control came from the asm goto, whose operands have their registers by now.
void AsmStatement::copyResultsAtLabel(const CallBase &LandingPad) {
  const MachineInstr *Goto = nullptr;
  for (const MachineBasicBlock *Pred : B.getMBB().predecessors())
    for (const MachineInstr &MI : *Pred)
      if (MI.getOpcode() == TargetOpcode::INLINEASM_BR)
        Goto = &MI;
  ArrayRef<Register> Results = VRegs(LandingPad);
  if (!Goto || !parse()) {
    // It was wrong, and reported.
    for (Register Result : Results)
      B.buildUndef(Result);
    return;
  }
  unsigned Index = InlineAsm::MIOp_FirstOperand;
  for (AsmOperand &Op : Operands) {
    if (Op.Type != InlineAsm::isOutput)
      break;
    unsigned Count =
        InlineAsm::Flag(Goto->getOperand(Index).getImm()).getNumOperandRegisters();
    for (unsigned I = 0; I != Count && Op.isRegister(); ++I) {
      Register Reg = Goto->getOperand(Index + 1 + I).getReg();
      Op.Regs.push_back(Reg);
      if (Reg.isPhysical())
        B.getMBB().addLiveIn(Reg);
    }
    Index += 1 + Count;
  }
  copyResults(Results);
}

bool NPUInlineAsmLowering::lowerInlineAsm(
    MachineIRBuilder &B, const CallBase &Call,
    std::function<ArrayRef<Register>(const Value &Val)> GetOrCreateVRegs) const {
  if (!Call.isInlineAsm()) {
    const auto &Goto = cast<CallBase>(*Call.getArgOperand(0));
    AsmStatement(*getTLI(), B, Goto, GetOrCreateVRegs).copyResultsAtLabel(Call);
    return true;
  }
  if (!AsmStatement(*getTLI(), B, Call, GetOrCreateVRegs).lower())
    for (Register Result : GetOrCreateVRegs(Call))
      B.buildUndef(Result);
  return true;
}
