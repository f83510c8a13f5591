// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMCCodeEmitter.cpp - MCInst to bytes ----------------------------===//

#include "NPUBaseInfo.h"
#include "NPUFixupKinds.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstBuilder.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/EndianStream.h"

using namespace llvm;

namespace {
class NPUMCCodeEmitter : public MCCodeEmitter {
  const MCInstrInfo &MCII;
  MCContext &Ctx;

public:
  NPUMCCodeEmitter(const MCInstrInfo &MCII, MCContext &Ctx)
      : MCII(MCII), Ctx(Ctx) {}

  void encodeInstruction(const MCInst &MI, SmallVectorImpl<char> &CB,
                         SmallVectorImpl<MCFixup> &Fixups,
                         const MCSubtargetInfo &STI) const override;

private:
  void emit(const MCInst &MI, SmallVectorImpl<char> &CB,
            SmallVectorImpl<MCFixup> &Fixups, const MCSubtargetInfo &STI) const;
  void emitCall(MCRegister Link, MCRegister Scratch,
                const MCExpr *Callee, SmallVectorImpl<char> &CB,
                SmallVectorImpl<MCFixup> &Fixups,
                const MCSubtargetInfo &STI) const;
  void emitLongBranch(const MCInst &MI, unsigned Inverted,
                      SmallVectorImpl<char> &CB,
                      SmallVectorImpl<MCFixup> &Fixups,
                      const MCSubtargetInfo &STI) const;

  // Generated.
  uint64_t getBinaryCodeForInstr(const MCInst &MI,
                                 SmallVectorImpl<MCFixup> &Fixups,
                                 const MCSubtargetInfo &STI) const;

  // Called by the generated code.
  uint64_t getMachineOpValue(const MCInst &MI, const MCOperand &MO,
                             SmallVectorImpl<MCFixup> &Fixups,
                             const MCSubtargetInfo &STI) const;
  uint64_t getImmOpValue(const MCInst &MI, unsigned OpNo,
                         SmallVectorImpl<MCFixup> &Fixups,
                         const MCSubtargetInfo &STI) const;
  uint64_t getImmOpValueAsr1(const MCInst &MI, unsigned OpNo,
                             SmallVectorImpl<MCFixup> &Fixups,
                             const MCSubtargetInfo &STI) const;
};
} // namespace

void NPUMCCodeEmitter::emit(const MCInst &MI, SmallVectorImpl<char> &CB,
                            SmallVectorImpl<MCFixup> &Fixups,
                            const MCSubtargetInfo &STI) const {
  uint32_t Bits = getBinaryCodeForInstr(MI, Fixups, STI);
  support::endian::write(CB, Bits, llvm::endianness::little);
}

// auipc Scratch, 0; jalr Link, 0(Scratch), with one fixup for the pair. The
// linker makes it a single jal where that reaches.
void NPUMCCodeEmitter::emitCall(MCRegister Link,
                                MCRegister Scratch, const MCExpr *Callee,
                                SmallVectorImpl<char> &CB,
                                SmallVectorImpl<MCFixup> &Fixups,
                                const MCSubtargetInfo &STI) const {
  Fixups.push_back(MCFixup::create(0, Callee, NPU::fixup_npu_call_plt,
                                   /*PCRel=*/true));
  if (STI.hasFeature(NPU::FeatureRelax))
    Fixups.back().setLinkerRelaxable();
  emit(MCInstBuilder(NPU::AUIPC).addReg(Scratch).addImm(0), CB, Fixups, STI);
  emit(MCInstBuilder(NPU::JALR).addReg(Link).addReg(Scratch).addImm(0), CB,
       Fixups, STI);
}

// The inverted branch jumps over a jal.
void NPUMCCodeEmitter::emitLongBranch(const MCInst &MI, unsigned Inverted,
                                      SmallVectorImpl<char> &CB,
                                      SmallVectorImpl<MCFixup> &Fixups,
                                      const MCSubtargetInfo &STI) const {
  emit(MCInstBuilder(Inverted)
           .addOperand(MI.getOperand(0))
           .addOperand(MI.getOperand(1))
           .addImm(8),
       CB, Fixups, STI);
  size_t FirstOfJump = Fixups.size();
  emit(MCInstBuilder(NPU::JAL).addReg(NPU::X0).addOperand(MI.getOperand(2)), CB,
       Fixups, STI);
  for (MCFixup &Fixup : MutableArrayRef(Fixups).drop_front(FirstOfJump))
    Fixup.setOffset(4);
}

void NPUMCCodeEmitter::encodeInstruction(const MCInst &MI,
                                         SmallVectorImpl<char> &CB,
                                         SmallVectorImpl<MCFixup> &Fixups,
                                         const MCSubtargetInfo &STI) const {
  switch (MI.getOpcode()) {
  case NPU::PseudoCALL:
    return emitCall(NPU::X1, NPU::X1, MI.getOperand(0).getExpr(), CB,
                    Fixups, STI);
  case NPU::PseudoCALLReg:
    return emitCall(MI.getOperand(0).getReg(), MI.getOperand(0).getReg(),
                    MI.getOperand(1).getExpr(), CB, Fixups, STI);
  case NPU::PseudoTAIL:
    return emitCall(NPU::X0, NPU::X6, MI.getOperand(0).getExpr(), CB,
                    Fixups, STI);
  case NPU::PseudoJump:
    return emitCall(NPU::X0, MI.getOperand(0).getReg(),
                    MI.getOperand(1).getExpr(), CB, Fixups, STI);
  case NPU::PseudoAddTPRel:
    Fixups.push_back(MCFixup::create(0, MI.getOperand(3).getExpr(),
                                     ELF::R_RISCV_TPREL_ADD));
    return emit(MCInstBuilder(NPU::ADD)
                    .addOperand(MI.getOperand(0))
                    .addOperand(MI.getOperand(1))
                    .addOperand(MI.getOperand(2)),
                CB, Fixups, STI);
  case NPU::PseudoLongBEQ:
    return emitLongBranch(MI, NPU::BNE, CB, Fixups, STI);
  case NPU::PseudoLongBNE:
    return emitLongBranch(MI, NPU::BEQ, CB, Fixups, STI);
  case NPU::PseudoLongBLT:
    return emitLongBranch(MI, NPU::BGE, CB, Fixups, STI);
  case NPU::PseudoLongBGE:
    return emitLongBranch(MI, NPU::BLT, CB, Fixups, STI);
  case NPU::PseudoLongBLTU:
    return emitLongBranch(MI, NPU::BGEU, CB, Fixups, STI);
  case NPU::PseudoLongBGEU:
    return emitLongBranch(MI, NPU::BLTU, CB, Fixups, STI);
  default:
    return emit(MI, CB, Fixups, STI);
  }
}

uint64_t NPUMCCodeEmitter::getMachineOpValue(const MCInst &MI,
                                             const MCOperand &MO,
                                             SmallVectorImpl<MCFixup> &Fixups,
                                             const MCSubtargetInfo &STI) const {
  if (MO.isReg())
    return Ctx.getRegisterInfo()->getEncodingValue(MO.getReg());
  if (MO.isImm())
    return MO.getImm();
  llvm_unreachable("operand needs an encoder method of its own");
}

// The fixup for an expression in an instruction of the given format.
static MCFixupKind getFixupKindFor(const MCExpr *Expr, unsigned Format) {
  bool IsStore = Format == NPUII::FormatS;
  if (const auto *Modified = dyn_cast<MCSpecifierExpr>(Expr)) {
    switch (Modified->getSpecifier()) {
    case NPU::S_HI:
      return NPU::fixup_npu_hi20;
    case NPU::S_LO:
      return IsStore ? NPU::fixup_npu_lo12_s : NPU::fixup_npu_lo12_i;
    case NPU::S_PCREL_HI:
      return NPU::fixup_npu_pcrel_hi20;
    case NPU::S_PCREL_LO:
      return IsStore ? NPU::fixup_npu_pcrel_lo12_s
                     : NPU::fixup_npu_pcrel_lo12_i;
    case NPU::S_GOT_PCREL_HI:
      return ELF::R_RISCV_GOT_HI20;
    case NPU::S_TPREL_HI:
      return ELF::R_RISCV_TPREL_HI20;
    case NPU::S_TPREL_LO:
      return IsStore ? ELF::R_RISCV_TPREL_LO12_S : ELF::R_RISCV_TPREL_LO12_I;
    }
    llvm_unreachable("specifier that is no instruction operand");
  }
  switch (Format) {
  case NPUII::FormatJ:
    return NPU::fixup_npu_jal;
  case NPUII::FormatB:
    return NPU::fixup_npu_branch;
  case NPUII::FormatI:
    return NPU::fixup_npu_12_i;
  }
  llvm_unreachable("expression in a format that holds none");
}

static bool isPCRelative(MCFixupKind Kind) {
  switch (Kind) {
  case NPU::fixup_npu_pcrel_hi20:
  case NPU::fixup_npu_jal:
  case NPU::fixup_npu_branch:
  case NPU::fixup_npu_call_plt:
  case ELF::R_RISCV_GOT_HI20:
    return true;
  default:
    return false;
  }
}

uint64_t NPUMCCodeEmitter::getImmOpValue(const MCInst &MI, unsigned OpNo,
                                         SmallVectorImpl<MCFixup> &Fixups,
                                         const MCSubtargetInfo &) const {
  const MCOperand &MO = MI.getOperand(OpNo);
  if (MO.isImm())
    return MO.getImm();
  unsigned Format = NPUII::getFormat(MCII.get(MI.getOpcode()).TSFlags);
  MCFixupKind Kind = getFixupKindFor(MO.getExpr(), Format);
  Fixups.push_back(
      MCFixup::create(0, MO.getExpr(), Kind, isPCRelative(Kind)));
  return 0;
}

// Branch and jump offsets are encoded without their lowest bit.
uint64_t
NPUMCCodeEmitter::getImmOpValueAsr1(const MCInst &MI, unsigned OpNo,
                                    SmallVectorImpl<MCFixup> &Fixups,
                                    const MCSubtargetInfo &STI) const {
  const MCOperand &MO = MI.getOperand(OpNo);
  return MO.isImm() ? MO.getImm() >> 1 : getImmOpValue(MI, OpNo, Fixups, STI);
}

#include "NPUGenMCCodeEmitter.inc"

MCCodeEmitter *llvm::createNPUMCCodeEmitter(const MCInstrInfo &MCII,
                                            MCContext &Ctx) {
  return new NPUMCCodeEmitter(MCII, Ctx);
}
