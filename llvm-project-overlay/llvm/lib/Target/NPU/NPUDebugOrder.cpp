// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUDebugOrder.cpp - variables behind the values they have ---------===//
//
// The scheduler moves the definition of a value past the DBG_VALUE that says which
// variable has it; register allocation would take the variable's location away. This
// pass lets such a DBG_VALUE follow the definition.
//
//===----------------------------------------------------------------------===//

#include "NPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/InitializePasses.h"

using namespace llvm;

#define DEBUG_TYPE "npu-debug-order"

namespace {
class NPUDebugOrder : public MachineFunctionPass {
public:
  static char ID;
  NPUDebugOrder() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NPU Debug Order"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NPUDebugOrder::ID = 0;

INITIALIZE_PASS_BEGIN(NPUDebugOrder, DEBUG_TYPE, "NPU Debug Order", false, false)
INITIALIZE_PASS_DEPENDENCY(LiveIntervalsWrapperPass)
INITIALIZE_PASS_END(NPUDebugOrder, DEBUG_TYPE, "NPU Debug Order", false, false)

// Whether the registers that a DBG_VALUE names are all defined at an index, or will
// be later. A register with several definitions may have been meant as it was before.
static bool isWaiting(const MachineInstr &DebugValue, SlotIndex Index,
                      const LiveIntervals &LIS) {
  bool Waits = false;
  for (const MachineOperand &MO : DebugValue.debug_operands()) {
    if (!MO.isReg() || !MO.getReg().isVirtual())
      continue;
    if (!LIS.hasInterval(MO.getReg()))
      return false;
    const LiveInterval &Interval = LIS.getInterval(MO.getReg());
    if (Interval.liveAt(Index))
      continue;
    if (Interval.getNumValNums() != 1 ||
        Interval.getValNumInfo(0)->def < Index)
      return false;
    Waits = true;
  }
  return Waits;
}

static bool orderBlock(MachineBasicBlock &MBB, const LiveIntervals &LIS) {
  SmallVector<MachineInstr *, 4> Waiting;
  SlotIndex Index = LIS.getMBBStartIdx(&MBB);
  bool Changed = false;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    if (MI.isDebugValue()) {
      // The variable changes before it would have got the value that is waited for.
      erase_if(Waiting, [&](MachineInstr *Earlier) {
        if (Earlier->getDebugVariable() != MI.getDebugVariable() ||
            Earlier->getDebugLoc()->getInlinedAt() !=
                MI.getDebugLoc()->getInlinedAt())
          return false;
        Earlier->setDebugValueUndef();
        return true;
      });
      if (isWaiting(MI, Index, LIS))
        Waiting.push_back(&MI);
      continue;
    }
    if (MI.isDebugInstr())
      continue;
    Index = LIS.getInstructionIndex(MI).getRegSlot();
    MachineBasicBlock::iterator Behind = std::next(MI.getIterator());
    erase_if(Waiting, [&](MachineInstr *DebugValue) {
      if (isWaiting(*DebugValue, Index, LIS))
        return false;
      MBB.splice(Behind, &MBB, DebugValue->getIterator());
      return Changed = true;
    });
  }
  return Changed;
}

bool NPUDebugOrder::runOnMachineFunction(MachineFunction &MF) {
  if (!MF.getFunction().getSubprogram())
    return false;
  const LiveIntervals &LIS = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    Changed |= orderBlock(MBB, LIS);
  return Changed;
}

FunctionPass *llvm::createNPUDebugOrder() { return new NPUDebugOrder(); }
