// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMCTargetDesc.h - the NPU's MC components -------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUMCTARGETDESC_H
#define LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUMCTARGETDESC_H

#include <cstdint>
#include <memory>

namespace llvm {

class MCAsmBackend;
class MCCodeEmitter;
class MCContext;
class MCInstrInfo;
class MCObjectTargetWriter;
class MCObjectWriter;
class MCRegisterInfo;
class MCStreamer;
class MCSubtargetInfo;
class MCTargetOptions;
class Target;
class Triple;

MCCodeEmitter *createNPUMCCodeEmitter(const MCInstrInfo &MCII, MCContext &Ctx);

MCAsmBackend *createNPUAsmBackend(const Target &T, const MCSubtargetInfo &STI,
                                  const MCRegisterInfo &MRI,
                                  const MCTargetOptions &Options);

std::unique_ptr<MCObjectTargetWriter> createNPUELFObjectWriter(uint8_t OSABI);

MCStreamer *createNPUELFStreamer(const Triple &TT, MCContext &Ctx,
                                 std::unique_ptr<MCAsmBackend> &&MAB,
                                 std::unique_ptr<MCObjectWriter> &&OW,
                                 std::unique_ptr<MCCodeEmitter> &&CE);

} // namespace llvm

#define GET_REGINFO_ENUM
#include "NPUGenRegisterInfo.inc"

#define GET_INSTRINFO_ENUM
#define GET_INSTRINFO_MC_HELPER_DECLS
#include "NPUGenInstrInfo.inc"

#define GET_SUBTARGETINFO_ENUM
#include "NPUGenSubtargetInfo.inc"

#endif
