// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCustomBehaviour.cpp - hazards that the model does not state ----===//
//
// A scalar instruction does not overtake an older one whose result for the same
// register is late: it waits until that has one cycle left. Only the results that
// vector instructions give to scalar registers are late enough; those follow each
// other in order and do not wait.
//
//===----------------------------------------------------------------------===//

#include "NPUMCA.h"
#include "MCTargetDesc/NPUMCTargetDesc.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MCA/CustomBehaviour.h"

using namespace llvm;
using namespace llvm::mca;

namespace {

class NPUCustomBehaviour : public CustomBehaviour {
public:
  using CustomBehaviour::CustomBehaviour;

  unsigned checkCustomHazard(ArrayRef<InstRef> IssuedInst,
                             const InstRef &IR) override;
};

} // namespace

unsigned NPUCustomBehaviour::checkCustomHazard(ArrayRef<InstRef> IssuedInst,
                                               const InstRef &IR) {
  const MCRegisterClass &GPR = NPUMCRegisterClasses[NPU::GPRRegClassID];
  const Instruction &Inst = *IR.getInstruction();
  int Wait = 0;
  for (const InstRef &Issued : IssuedInst) {
    const Instruction &Older = *Issued.getInstruction();
    if (Older.getDesc().SchedClassID == Inst.getDesc().SchedClassID)
      continue;
    for (const WriteState &Late : Older.getDefs())
      for (const WriteState &Write : Inst.getDefs())
        if (Late.getRegisterID() == Write.getRegisterID() &&
            GPR.contains(Late.getRegisterID()))
          Wait = std::max(Wait, Late.getCyclesLeft() - 1);
  }
  return Wait;
}

CustomBehaviour *llvm::createNPUCustomBehaviour(const MCSubtargetInfo &STI,
                                                const SourceMgr &SrcMgr,
                                                const MCInstrInfo &MCII) {
  return new NPUCustomBehaviour(STI, SrcMgr, MCII);
}
