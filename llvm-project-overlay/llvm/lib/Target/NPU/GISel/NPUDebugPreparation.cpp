// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUDebugPreparation.cpp - what the IR translator leaves for -g -----===//
//
// The IR translator describes a parameter by the virtual register that its
// argument register is copied to, and so only from where that copy ends up. A
// debugger that stops at the entry of the function wants it there, and the
// entry value of an argument can be named only while it is in its register:
// this pass describes such parameters by the argument register as well, at the
// top of the function.
//
// Nor does it say that a variable is the address of a stack object, or is a parameter on the
// stack: this pass does.
//
// A variable in memory is described there at first, and by each value that is
// loaded from it or will be stored to it. Those values are soon gone from their
// registers, and the variable is still in memory: this pass says so.
//
// It also splits the operands of FAKE_USE, which keep variables alive at -Og,
// into registers: the legalizer does not look at them.
//
//===----------------------------------------------------------------------===//

#include "NPU.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/GlobalISel/GenericMachineInstrs.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/GlobalISel/Utils.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

#define DEBUG_TYPE "npu-debug-preparation"

namespace {
class NPUDebugPreparation : public MachineFunctionPass {
public:
  static char ID;
  NPUDebugPreparation() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NPU Debug Preparation";
  }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NPUDebugPreparation::ID = 0;

INITIALIZE_PASS(NPUDebugPreparation, DEBUG_TYPE,
                "NPU Debug Preparation", false, false)

// The argument register whose low bits Reg holds, if it does.
static MCRegister getArgumentRegister(Register Reg,
                                      const MachineRegisterInfo &MRI,
                                      const MachineBasicBlock &Entry) {
  while (Reg.isVirtual()) {
    const MachineInstr *Def = MRI.getVRegDef(Reg);
    if (!Def || Def->getParent() != &Entry)
      return MCRegister();
    switch (Def->getOpcode()) {
    case TargetOpcode::COPY:
    case TargetOpcode::G_TRUNC:
    case TargetOpcode::G_INTTOPTR:
    case TargetOpcode::G_ASSERT_SEXT:
    case TargetOpcode::G_ASSERT_ZEXT:
      Reg = Def->getOperand(1).getReg();
      break;
    default:
      return MCRegister();
    }
  }
  return Entry.isLiveIn(Reg) ? Reg.asMCReg() : MCRegister();
}

static bool describeArguments(MachineFunction &MF) {
  if (!MF.getFunction().getSubprogram())
    return false;
  MachineBasicBlock &Entry = MF.front();
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const MCInstrDesc &DbgValue =
      MF.getSubtarget().getInstrInfo()->get(TargetOpcode::DBG_VALUE);

  // The first value that a parameter has is the one at the entry.
  SmallPtrSet<const DILocalVariable *, 8> Seen;
  MachineBasicBlock::iterator Top = Entry.begin();
  bool Changed = false;
  for (MachineInstr &MI : Entry) {
    if (!MI.isDebugValue() || MI.getDebugLoc()->getInlinedAt() ||
        !MI.getDebugVariable()->isParameter() ||
        !Seen.insert(MI.getDebugVariable()).second)
      continue;
    if (!MI.isNonListDebugValue() || !MI.getDebugOperand(0).isReg() ||
        MI.getDebugExpression()->isFragment())
      continue;
    MCRegister Argument =
        getArgumentRegister(MI.getDebugOperand(0).getReg(), MRI, Entry);
    if (!Argument)
      continue;
    BuildMI(Entry, Top, MI.getDebugLoc(), DbgValue,
            MI.isIndirectDebugValue(), Argument, MI.getDebugVariable(),
            MI.getDebugExpression());
    Changed = true;
  }
  return Changed;
}

// The number of bytes from the start of a stack object to where Reg points.
static std::optional<std::pair<int, int64_t>>
getStackAddress(Register Reg, const MachineRegisterInfo &MRI) {
  int64_t Offset = 0;
  const MachineInstr *Def = getDefIgnoringCopies(Reg, MRI);
  while (Def && Def->getOpcode() == TargetOpcode::G_PTR_ADD) {
    auto Distance = getIConstantVRegSExtVal(Def->getOperand(2).getReg(), MRI);
    if (!Distance)
      return std::nullopt;
    Offset += *Distance;
    Def = getDefIgnoringCopies(Def->getOperand(1).getReg(), MRI);
  }
  if (!Def || Def->getOpcode() != TargetOpcode::G_FRAME_INDEX)
    return std::nullopt;
  return std::pair(Def->getOperand(1).getIndex(), Offset);
}

// Addresses of stack objects and parameters on the stack are where they are as long as the
// function runs; the registers that they are in are not.
static bool describeStack(MachineFunction &MF) {
  if (!MF.getFunction().getSubprogram())
    return false;
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const MachineFrameInfo &MFI = MF.getFrameInfo();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      const DIExpression *Expression =
          MI.isNonListDebugValue() ? MI.getDebugExpression() : nullptr;
      if (!Expression || MI.isIndirectDebugValue() || !MI.getDebugOperand(0).isReg() ||
          !MI.getDebugOperand(0).getReg().isVirtual())
        continue;
      Register Value = MI.getDebugOperand(0).getReg();
      if (auto Address = getStackAddress(Value, MRI)) {
        if (Expression->getNumElements() != 0 && !Expression->isImplicit())
          continue;
        if (Address->second)
          MI.getDebugExpressionOp().setMetadata(DIExpression::prepend(
              Expression, DIExpression::StackValue, Address->second));
        MI.getDebugOperand(0).ChangeToFrameIndex(Address->first);
        Changed = true;
        continue;
      }
      const MachineInstr *Def = getDefIgnoringCopies(Value, MRI);
      if (!Def || Def->getOpcode() != TargetOpcode::G_LOAD ||
          Expression->getNumElements() != 0)
        continue;
      auto Place = getStackAddress(Def->getOperand(1).getReg(), MRI);
      if (!Place || Place->second || !MFI.isFixedObjectIndex(Place->first) ||
          !MFI.isImmutableObjectIndex(Place->first))
        continue;
      MI.getDebugOperand(0).ChangeToFrameIndex(Place->first);
      MI.getDebugOffset().ChangeToImmediate(0);
      Changed = true;
    }
  return Changed;
}

using Variable = std::pair<const DILocalVariable *, const DILocation *>;

static Variable getVariable(const MachineInstr &DebugValue) {
  return {DebugValue.getDebugVariable(),
          DebugValue.getDebugLoc()->getInlinedAt()};
}

// The stack object that a load or store accesses from its start.
static std::optional<int> getStackObject(const MachineInstr &MI,
                                         const MachineRegisterInfo &MRI) {
  const auto *Access = dyn_cast<GLoadStore>(&MI);
  if (!Access)
    return std::nullopt;
  const MachineInstr *Address =
      getOpcodeDef(TargetOpcode::G_FRAME_INDEX, Access->getPointerReg(), MRI);
  if (!Address)
    return std::nullopt;
  return Address->getOperand(1).getIndex();
}

static bool describeMemory(MachineFunction &MF) {
  if (!MF.getFunction().getSubprogram())
    return false;
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const MCInstrDesc &DbgValue =
      MF.getSubtarget().getInstrInfo()->get(TargetOpcode::DBG_VALUE);

  // Whole variables and the objects that hold them, one each.
  DenseMap<Variable, std::optional<int>> Objects;
  DenseSet<int> Described;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      if (!MI.isNonListDebugValue() || !MI.getDebugOperand(0).isFI() ||
          !MI.isIndirectDebugValue() ||
          MI.getDebugExpression()->getNumElements() != 0)
        continue;
      int FI = MI.getDebugOperand(0).getIndex();
      auto [It, IsNew] = Objects.try_emplace(getVariable(MI), FI);
      if (!IsNew && It->second != FI)
        It->second.reset();
      Described.insert(FI);
    }
  if (Objects.empty())
    return false;

  bool Changed = false;
  for (MachineBasicBlock &MBB : MF) {
    // What a register has been loaded with, and which variable it will be stored to.
    DenseMap<Register, int> Loaded;
    DenseMap<int, std::pair<Register, MachineInstr *>> Values;
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (MI.isNonListDebugValue()) {
        std::optional<int> FI = Objects.lookup(getVariable(MI));
        if (!FI)
          continue;
        Values.erase(*FI);
        if (!MI.getDebugOperand(0).isReg() || MI.isIndirectDebugValue() ||
            MI.getDebugExpression()->getNumElements() != 0)
          continue;
        Register Value = MI.getDebugOperand(0).getReg();
        auto It = Loaded.find(Value);
        if (It == Loaded.end() || It->second != *FI) {
          Values[*FI] = {Value, &MI};
          continue;
        }
        MI.getDebugOperand(0).ChangeToFrameIndex(*FI);
        MI.getDebugOffset().ChangeToImmediate(0);
        Changed = true;
        continue;
      }
      if (MI.isCall())
        Loaded.clear();
      std::optional<int> FI = getStackObject(MI, MRI);
      if (MI.mayStore() && !FI)
        Loaded.clear();
      if (!FI || !Described.contains(*FI))
        continue;
      if (isa<GLoad>(MI)) {
        Loaded[MI.getOperand(0).getReg()] = *FI;
        continue;
      }
      Loaded.clear();
      auto It = Values.find(*FI);
      if (It == Values.end() || !isa<GStore>(MI) ||
          It->second.first != cast<GStore>(MI).getValueReg())
        continue;
      const MachineInstr &Earlier = *It->second.second;
      BuildMI(MBB, std::next(MI.getIterator()), Earlier.getDebugLoc(), DbgValue)
          .addFrameIndex(*FI)
          .addImm(0)
          .addMetadata(Earlier.getDebugVariable())
          .addMetadata(Earlier.getDebugExpression());
      Values.erase(It);
      Changed = true;
    }
  }
  return Changed;
}

static bool splitFakeUses(MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const LLT S32 = LLT::scalar(32);
  MachineIRBuilder B(MF);
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB)) {
      if (MI.getOpcode() != TargetOpcode::FAKE_USE)
        continue;
      // An aggregate has an operand for each of its members, an empty one none.
      auto IsOdd = [&](const MachineOperand &MO) {
        return MO.isReg() && MO.getReg().isVirtual() &&
               MRI.getType(MO.getReg()).isScalar() &&
               MRI.getType(MO.getReg()) != S32;
      };
      if (MI.getNumOperands() != 0 && none_of(MI.operands(), IsOdd))
        continue;
      B.setInstrAndDebugLoc(MI);
      for (const MachineOperand &MO : MI.operands()) {
        if (!MO.isReg())
          continue;
        Register Value = MO.getReg();
        if (!IsOdd(MO)) {
          B.buildInstr(TargetOpcode::FAKE_USE).addUse(Value);
          continue;
        }
        LLT Ty = MRI.getType(Value);
        LLT Wide = LLT::scalar(alignTo(Ty.getSizeInBits(), 32));
        if (Wide != Ty)
          Value = B.buildAnyExt(Wide, Value).getReg(0);
        if (Wide == S32) {
          B.buildInstr(TargetOpcode::FAKE_USE).addUse(Value);
          continue;
        }
        auto Parts = B.buildUnmerge(S32, Value);
        for (unsigned I = 0, E = Parts->getNumDefs(); I != E; ++I)
          B.buildInstr(TargetOpcode::FAKE_USE).addUse(Parts.getReg(I));
      }
      MI.eraseFromParent();
      Changed = true;
    }
  return Changed;
}

bool NPUDebugPreparation::runOnMachineFunction(MachineFunction &MF) {
  bool Changed = describeArguments(MF);
  Changed |= describeStack(MF);
  Changed |= describeMemory(MF);
  return splitFakeUses(MF) || Changed;
}

FunctionPass *llvm::createNPUDebugPreparation() {
  return new NPUDebugPreparation();
}
