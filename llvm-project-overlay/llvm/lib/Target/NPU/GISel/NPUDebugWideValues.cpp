// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUDebugWideValues.cpp - variables of several registers, for -g ----===//
//
// The legalizer splits a value of 64 or 128 bits into words and forgets it; what describes a
// variable by it then describes nothing. In front of the legalizer this pass describes such a
// variable by words of its own, one fragment each, and keeps the words with a use; behind it
// they are the legalizer's words, and the pass removes the uses. Only values that something
// else uses get them, so that the code is the same without -g.
//
//===----------------------------------------------------------------------===//

#include "NPU.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

// The second operand of the uses that this pass makes; no others have one.
static constexpr int64_t OwnUse = 1;
static constexpr unsigned WordBits = 32;

namespace {
class NPUDebugWideValues : public MachineFunctionPass {
  const bool IsLegal;

public:
  static char ID;
  explicit NPUDebugWideValues(bool IsLegal = false)
      : MachineFunctionPass(ID), IsLegal(IsLegal) {}

  StringRef getPassName() const override { return "NPU Debug Wide Values"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NPUDebugWideValues::ID = 0;

INITIALIZE_PASS(NPUDebugWideValues, "npu-debug-wide-values", "NPU Debug Wide Values", false,
                false)

// Describes the variable by the words, or leaves it as it is.
static bool describeWords(MachineInstr &MI, ArrayRef<Register> Words) {
  SmallVector<const DIExpression *, 4> Fragments;
  for (unsigned I = 0; I != Words.size(); ++I) {
    auto Fragment = DIExpression::createFragmentExpression(MI.getDebugExpression(),
                                                           I * WordBits, WordBits);
    if (!Fragment)
      return false;
    Fragments.push_back(*Fragment);
  }
  const MCInstrDesc &DbgValue =
      MI.getMF()->getSubtarget().getInstrInfo()->get(TargetOpcode::DBG_VALUE);
  for (auto [Word, Fragment] : zip(Words, Fragments))
    BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), DbgValue, /*IsIndirect=*/false, Word,
            MI.getDebugVariable(), Fragment);
  return true;
}

static bool splitValues(MachineFunction &MF) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  SmallVector<MachineInstr *, 16> Wide;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB) {
      if (!MI.isNonListDebugValue() || MI.isIndirectDebugValue() ||
          !MI.getDebugOperand(0).isReg() || !MI.getDebugOperand(0).getReg().isVirtual())
        continue;
      Register Value = MI.getDebugOperand(0).getReg();
      LLT Ty = MRI.getType(Value);
      // As wide as what is described.
      auto Size = MI.getDebugVariable()->getSizeInBits();
      if (auto Fragment = MI.getDebugExpression()->getFragmentInfo())
        Size = Fragment->SizeInBits;
      if (Ty.isScalar() && (Ty.getSizeInBits() == 64 || Ty.getSizeInBits() == 128) &&
          Size == Ty.getSizeInBits().getFixedValue() && MRI.hasOneDef(Value) &&
          !MRI.getVRegDef(Value)->isTerminator() && !MRI.use_nodbg_empty(Value))
        Wide.push_back(&MI);
    }

  DenseMap<Register, SmallVector<Register, 4>> WordsOf;
  for (MachineInstr *MI : Wide) {
    Register Value = MI->getDebugOperand(0).getReg();
    SmallVector<Register, 4> &Words = WordsOf[Value];
    if (Words.empty()) {
      MachineInstr &Def = *MRI.getVRegDef(Value);
      MachineBasicBlock &MBB = *Def.getParent();
      MachineIRBuilder B(MBB, Def.isPHI() || Def.getOpcode() == TargetOpcode::G_PHI
                                  ? MBB.getFirstNonPHI()
                                  : std::next(Def.getIterator()));
      auto Split = B.buildUnmerge(LLT::scalar(WordBits), Value);
      for (unsigned I = 0, E = Split->getNumDefs(); I != E; ++I) {
        Words.push_back(Split.getReg(I));
        B.buildInstr(TargetOpcode::FAKE_USE).addUse(Split.getReg(I)).addImm(OwnUse);
      }
    }
    if (describeWords(*MI, Words))
      MI->eraseFromParent();
  }
  return !Wide.empty();
}

static bool removeUses(MachineFunction &MF) {
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB))
      if (MI.getOpcode() == TargetOpcode::FAKE_USE && MI.getNumOperands() == 2 &&
          MI.getOperand(1).isImm()) {
        MI.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

bool NPUDebugWideValues::runOnMachineFunction(MachineFunction &MF) {
  if (!MF.getFunction().getSubprogram())
    return false;
  return IsLegal ? removeUses(MF) : splitValues(MF);
}

FunctionPass *llvm::createNPUDebugWideValues(bool IsLegal) {
  return new NPUDebugWideValues(IsLegal);
}
