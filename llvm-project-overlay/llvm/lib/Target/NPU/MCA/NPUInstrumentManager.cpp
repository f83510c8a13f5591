// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrumentManager.cpp - what llvm-mca cannot see ---------------===//
//
// The cost of a conditional branch depends on whether it is taken, which the
// instruction does not say. A branch to a label in front of it, or with a
// negative offset, counts as taken; any other falls through. The comments
//
//   # LLVM-MCA-NPU-BRANCH taken
//   # LLVM-MCA-NPU-BRANCH not-taken
//   # LLVM-MCA-NPU-BRANCH static
//
// settle it for the branches behind them; the last one returns to the rule.
//
//===----------------------------------------------------------------------===//

#include "NPUMCA.h"
#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "TargetInfo/NPUTargetInfo.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/Compiler.h"

using namespace llvm;
using namespace llvm::mca;

namespace {

// From a comment, and from the branch itself.
constexpr StringLiteral BranchKind = "NPU-BRANCH";
constexpr StringLiteral StaticKind = "NPU-BRANCH-STATIC";
constexpr StringLiteral Taken = "taken";
constexpr StringLiteral NotTaken = "not-taken";
constexpr StringLiteral Static = "static";

class NPUInstrumentManager : public InstrumentManager {
public:
  using InstrumentManager::InstrumentManager;

  bool supportsInstrumentType(StringRef Type) const override {
    return Type == BranchKind || Type == StaticKind ||
           InstrumentManager::supportsInstrumentType(Type);
  }

  UniqueInstrument createInstrument(StringRef Desc, StringRef Data) override {
    if (Desc == BranchKind) {
      Data = Data.trim();
      if (Data != Taken && Data != NotTaken && Data != Static)
        return nullptr;
      return std::make_unique<Instrument>(BranchKind, Data);
    }
    return InstrumentManager::createInstrument(Desc, Data);
  }

  SmallVector<UniqueInstrument> createInstruments(const MCInst &Inst) override;

  // Gives each instruction a descriptor of its own. Otherwise all instances of
  // an opcode share that of the first one, which lacks the operands that are
  // x0 there.
  bool canCustomize(ArrayRef<Instrument *>) const override { return true; }

  unsigned getSchedClassID(const MCInstrInfo &MCII, const MCInst &MCI,
                           const SmallVector<Instrument *> &IVec) const override;
};

} // namespace

// A label that is known while the branch is being parsed stands before it.
static bool isBackward(const MCOperand &Target) {
  if (Target.isImm())
    return Target.getImm() < 0;
  const auto *Expr = Target.getExpr();
  if (const auto *Specified = dyn_cast<MCSpecifierExpr>(Expr))
    Expr = Specified->getSubExpr();
  const auto *Ref = dyn_cast<MCSymbolRefExpr>(Expr);
  return Ref && Ref->getSymbol().isDefined();
}

SmallVector<UniqueInstrument>
NPUInstrumentManager::createInstruments(const MCInst &Inst) {
  SmallVector<UniqueInstrument> Instruments;
  if (MCII.get(Inst.getOpcode()).isConditionalBranch()) {
    const MCOperand &Target = Inst.getOperand(Inst.getNumOperands() - 1);
    Instruments.push_back(std::make_unique<Instrument>(
        StaticKind, isBackward(Target) ? Taken : NotTaken));
  }
  return Instruments;
}

// A taken branch holds the pipeline as a jump does.
unsigned NPUInstrumentManager::getSchedClassID(
    const MCInstrInfo &MCII, const MCInst &MCI,
    const SmallVector<Instrument *> &IVec) const {
  const MCInstrDesc &Desc = MCII.get(MCI.getOpcode());
  if (!Desc.isConditionalBranch())
    return Desc.getSchedClass();
  StringRef Told = Static, Guessed = NotTaken;
  for (const Instrument *I : IVec) {
    if (I->getDesc() == BranchKind)
      Told = I->getData();
    else if (I->getDesc() == StaticKind)
      Guessed = I->getData();
  }
  return (Told == Static ? Guessed : Told) == Taken
             ? MCII.get(NPU::JAL).getSchedClass()
             : Desc.getSchedClass();
}

InstrumentManager *
llvm::createNPUInstrumentManager(const MCSubtargetInfo &STI,
                                 const MCInstrInfo &MCII) {
  return new NPUInstrumentManager(STI, MCII);
}

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void LLVMInitializeNPUTargetMCA() {
  TargetRegistry::RegisterCustomBehaviour(getTheNPUTarget(),
                                          createNPUCustomBehaviour);
  TargetRegistry::RegisterInstrumentManager(getTheNPUTarget(),
                                            createNPUInstrumentManager);
}
