// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMCTargetDesc.cpp - the NPU's MC components ---------------------===//

#include "NPUMCTargetDesc.h"
#include "NPUBaseInfo.h"
#include "NPUInstPrinter.h"
#include "NPUMCAsmInfo.h"
#include "NPUTargetStreamer.h"
#include "TargetInfo/NPUTargetInfo.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCELFStreamer.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;

#define GET_INSTRINFO_MC_DESC
#define ENABLE_INSTR_PREDICATE_VERIFIER
#include "NPUGenInstrInfo.inc"

#define GET_SUBTARGETINFO_MC_DESC
#include "NPUGenSubtargetInfo.inc"

#define GET_REGINFO_MC_DESC
#include "NPUGenRegisterInfo.inc"

namespace llvm::NPUSysReg {
#define GET_SysRegsList_IMPL
#include "NPUGenSearchableTables.inc"
} // namespace llvm::NPUSysReg

static MCInstrInfo *createNPUMCInstrInfo() {
  auto *Info = new MCInstrInfo();
  InitNPUMCInstrInfo(Info);
  return Info;
}

static MCRegisterInfo *createNPUMCRegisterInfo(const Triple &) {
  auto *Info = new MCRegisterInfo();
  InitNPUMCRegisterInfo(Info, /*RA=*/NPU::X1);
  return Info;
}

static MCAsmInfo *createNPUMCAsmInfo(const MCRegisterInfo &MRI,
                                     const Triple &TT,
                                     const MCTargetOptions &Options) {
  auto *MAI = new NPUMCAsmInfo(TT, Options);
  // On entry to a function the stack pointer is the canonical frame address.
  unsigned SP = MRI.getDwarfRegNum(NPU::X2, /*isEH=*/true);
  MAI->addInitialFrameState(MCCFIInstruction::cfiDefCfa(nullptr, SP, 0));
  return MAI;
}

static MCSubtargetInfo *createNPUMCSubtargetInfo(const Triple &TT,
                                                 StringRef CPU, StringRef FS) {
  if (CPU.empty())
    CPU = "generic";
  return createNPUMCSubtargetInfoImpl(TT, CPU, /*TuneCPU=*/CPU, FS);
}

static MCInstPrinter *createNPUMCInstPrinter(const Triple &, unsigned Variant,
                                             const MCAsmInfo &MAI,
                                             const MCInstrInfo &MII,
                                             const MCRegisterInfo &MRI) {
  return Variant == 0 ? new NPUInstPrinter(MAI, MII, MRI) : nullptr;
}

static MCTargetStreamer *
createNPUObjectTargetStreamer(MCStreamer &S, const MCSubtargetInfo &) {
  return new NPUTargetELFStreamer(S);
}

static MCTargetStreamer *createNPUAsmTargetStreamer(MCStreamer &S,
                                                    formatted_raw_ostream &OS,
                                                    MCInstPrinter *) {
  return new NPUTargetAsmStreamer(S, OS);
}

static MCTargetStreamer *createNPUNullTargetStreamer(MCStreamer &S) {
  return new NPUTargetStreamer(S);
}

namespace {
// Follows lui, auipc and addi so that the targets of call sequences and of
// accesses to symbols can be shown.
class NPUMCInstrAnalysis : public MCInstrAnalysis {
  std::optional<uint32_t> Known[32];

  std::optional<uint32_t> &known(MCRegister Reg) {
    return Known[Reg.id() - NPU::X0];
  }
  std::optional<uint32_t> get(MCRegister Reg) const {
    return Reg == NPU::X0 ? 0 : Known[Reg.id() - NPU::X0];
  }

public:
  explicit NPUMCInstrAnalysis(const MCInstrInfo *Info)
      : MCInstrAnalysis(Info) {}

  void resetState() override {
    for (auto &Value : Known)
      Value.reset();
  }

  void updateState(const MCInst &Inst, uint64_t Addr) override {
    // What follows a jump or a call is reached from elsewhere.
    if (isTerminator(Inst) || isCall(Inst))
      return resetState();
    const MCInstrDesc &Desc = Info->get(Inst.getOpcode());
    if (Desc.getNumDefs() == 0 || !Inst.getOperand(0).isReg() ||
        !NPUMCRegisterClasses[NPU::GPRRegClassID].contains(
            Inst.getOperand(0).getReg()))
      return;
    // The source may be the destination: look before forgetting.
    std::optional<uint32_t> Value;
    switch (Inst.getOpcode()) {
    case NPU::LUI:
      Value = uint32_t(Inst.getOperand(1).getImm()) << 12;
      break;
    case NPU::AUIPC:
      Value = Addr + (uint32_t(Inst.getOperand(1).getImm()) << 12);
      break;
    case NPU::ADDI:
      if (std::optional<uint32_t> Base = get(Inst.getOperand(1).getReg()))
        Value = *Base + Inst.getOperand(2).getImm();
      break;
    }
    known(Inst.getOperand(0).getReg()) = Value;
  }

  bool evaluateBranch(const MCInst &Inst, uint64_t Addr, uint64_t Size,
                      uint64_t &Target) const override {
    switch (NPUII::getFormat(Info->get(Inst.getOpcode()).TSFlags)) {
    case NPUII::FormatB:
      Target = uint32_t(Addr + Inst.getOperand(2).getImm());
      return true;
    case NPUII::FormatJ:
      Target = uint32_t(Addr + Inst.getOperand(1).getImm());
      return true;
    }
    if (Inst.getOpcode() != NPU::JALR)
      return false;
    std::optional<uint32_t> Base = get(Inst.getOperand(1).getReg());
    if (!Base)
      return false;
    Target = uint32_t(*Base + Inst.getOperand(2).getImm()) & ~1u;
    return true;
  }

  std::optional<uint64_t>
  evaluateMemoryOperandAddress(const MCInst &Inst, const MCSubtargetInfo *STI,
                               uint64_t Addr, uint64_t Size) const override {
    const MCInstrDesc &Desc = Info->get(Inst.getOpcode());
    bool IsAccess = Desc.mayLoad() != Desc.mayStore();
    if (!IsAccess || !Inst.getOperand(2).isImm())
      return std::nullopt;
    if (std::optional<uint32_t> Base = get(Inst.getOperand(1).getReg()))
      return uint32_t(*Base + Inst.getOperand(2).getImm());
    return std::nullopt;
  }

  // jal and jalr are calls only when they keep the return address.
  bool isCall(const MCInst &Inst) const override {
    return MCInstrAnalysis::isCall(Inst) && !discardsLink(Inst);
  }
  bool isTerminator(const MCInst &Inst) const override {
    return MCInstrAnalysis::isTerminator(Inst) || discardsLink(Inst);
  }
  bool isBranch(const MCInst &Inst) const override {
    return MCInstrAnalysis::isBranch(Inst) || discardsLink(Inst);
  }
  bool isUnconditionalBranch(const MCInst &Inst) const override {
    return MCInstrAnalysis::isUnconditionalBranch(Inst) ||
           (Inst.getOpcode() == NPU::JAL && discardsLink(Inst));
  }
  bool isIndirectBranch(const MCInst &Inst) const override {
    return MCInstrAnalysis::isIndirectBranch(Inst) ||
           (Inst.getOpcode() == NPU::JALR && discardsLink(Inst) &&
            !isReturn(Inst));
  }
  bool isReturn(const MCInst &Inst) const override {
    return MCInstrAnalysis::isReturn(Inst) ||
           (Inst.getOpcode() == NPU::JALR && discardsLink(Inst) &&
            Inst.getOperand(1).getReg() == NPU::X1);
  }

private:
  static bool discardsLink(const MCInst &Inst) {
    return (Inst.getOpcode() == NPU::JAL || Inst.getOpcode() == NPU::JALR) &&
           Inst.getOperand(0).getReg() == NPU::X0;
  }
};
} // namespace

static MCInstrAnalysis *createNPUInstrAnalysis(const MCInstrInfo *Info) {
  return new NPUMCInstrAnalysis(Info);
}

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void LLVMInitializeNPUTargetMC() {
  Target &T = getTheNPUTarget();
  TargetRegistry::RegisterMCAsmInfo(T, createNPUMCAsmInfo);
  TargetRegistry::RegisterMCInstrInfo(T, createNPUMCInstrInfo);
  TargetRegistry::RegisterMCRegInfo(T, createNPUMCRegisterInfo);
  TargetRegistry::RegisterMCSubtargetInfo(T, createNPUMCSubtargetInfo);
  TargetRegistry::RegisterMCAsmBackend(T, createNPUAsmBackend);
  TargetRegistry::RegisterMCCodeEmitter(T, createNPUMCCodeEmitter);
  TargetRegistry::RegisterMCInstPrinter(T, createNPUMCInstPrinter);
  TargetRegistry::RegisterMCInstrAnalysis(T, createNPUInstrAnalysis);
  TargetRegistry::RegisterELFStreamer(T, createNPUELFStreamer);
  TargetRegistry::RegisterObjectTargetStreamer(T,
                                               createNPUObjectTargetStreamer);
  TargetRegistry::RegisterAsmTargetStreamer(T, createNPUAsmTargetStreamer);
  TargetRegistry::RegisterNullTargetStreamer(T, createNPUNullTargetStreamer);
}
