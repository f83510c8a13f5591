// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMCA.h - what llvm-mca adds to the scheduling model ----*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCA_NPUMCA_H
#define LLVM_LIB_TARGET_NPU_MCA_NPUMCA_H

namespace llvm {

class MCInstrInfo;
class MCSubtargetInfo;

namespace mca {
class CustomBehaviour;
class InstrumentManager;
class SourceMgr;
} // namespace mca

mca::CustomBehaviour *createNPUCustomBehaviour(const MCSubtargetInfo &STI,
                                               const mca::SourceMgr &SrcMgr,
                                               const MCInstrInfo &MCII);
mca::InstrumentManager *createNPUInstrumentManager(const MCSubtargetInfo &STI,
                                                   const MCInstrInfo &MCII);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NPU_MCA_NPUMCA_H
