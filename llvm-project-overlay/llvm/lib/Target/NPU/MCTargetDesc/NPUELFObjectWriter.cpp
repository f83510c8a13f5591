// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUELFObjectWriter.cpp - fixups to ELF relocations ----------------===//
//
// The relocation types are those of the RISC-V psABI.
//
//===----------------------------------------------------------------------===//

#include "NPUFixupKinds.h"
#include "NPUMCTargetDesc.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/MC/MCValue.h"

using namespace llvm;

namespace {
class NPUELFObjectWriter : public MCELFObjectTargetWriter {
public:
  explicit NPUELFObjectWriter(uint8_t OSABI)
      : MCELFObjectTargetWriter(/*Is64Bit=*/false, OSABI, ELF::EM_RISCV,
                                /*HasRelocationAddend=*/true) {}

  unsigned getRelocType(const MCFixup &Fixup, const MCValue &Target,
                        bool IsPCRel) const override;
  bool needsRelocateWithSymbol(const MCValue &, unsigned Type) const override;
};
} // namespace

static unsigned getPCRelDataType(MCFixupKind Kind) {
  return Kind == FK_Data_4 ? ELF::R_RISCV_32_PCREL : ELF::R_RISCV_NONE;
}

static unsigned getInstructionOrDataType(MCFixupKind Kind) {
  switch (Kind) {
  case FK_Data_4:
    return ELF::R_RISCV_32;
  case FK_Data_8:
    return ELF::R_RISCV_64;
  case NPU::fixup_npu_hi20:
    return ELF::R_RISCV_HI20;
  case NPU::fixup_npu_lo12_i:
    return ELF::R_RISCV_LO12_I;
  case NPU::fixup_npu_lo12_s:
    return ELF::R_RISCV_LO12_S;
  case NPU::fixup_npu_pcrel_hi20:
    return ELF::R_RISCV_PCREL_HI20;
  case NPU::fixup_npu_pcrel_lo12_i:
    return ELF::R_RISCV_PCREL_LO12_I;
  case NPU::fixup_npu_pcrel_lo12_s:
    return ELF::R_RISCV_PCREL_LO12_S;
  case NPU::fixup_npu_jal:
    return ELF::R_RISCV_JAL;
  case NPU::fixup_npu_branch:
    return ELF::R_RISCV_BRANCH;
  case NPU::fixup_npu_call_plt:
    return ELF::R_RISCV_CALL_PLT;
  default:
    return ELF::R_RISCV_NONE;
  }
}

unsigned NPUELFObjectWriter::getRelocType(const MCFixup &Fixup,
                                          const MCValue &Target,
                                          bool IsPCRel) const {
  MCFixupKind Kind = Fixup.getKind();
  if (mc::isRelocation(Kind)) {
    switch (Kind) {
    case ELF::R_RISCV_TPREL_HI20:
    case ELF::R_RISCV_TPREL_LO12_I:
    case ELF::R_RISCV_TPREL_LO12_S:
    case ELF::R_RISCV_TPREL_ADD:
      if (auto *Symbol = static_cast<const MCSymbolELF *>(Target.getAddSym()))
        const_cast<MCSymbolELF *>(Symbol)->setType(ELF::STT_TLS);
    }
    return Kind;
  }
  if (Kind == FK_NONE)
    return ELF::R_RISCV_NONE;

  bool IsPCRelData = IsPCRel && Kind < FirstTargetFixupKind;
  unsigned Type =
      IsPCRelData ? getPCRelDataType(Kind) : getInstructionOrDataType(Kind);
  if (Type == ELF::R_RISCV_NONE)
    reportError(Fixup.getLoc(),
                IsPCRelData
                    ? "only 4-byte data can hold a distance to a symbol of "
                      "another section"
                    : "no relocation can hold this expression here");
  return Type;
}

// A %pcrel_lo relocation names the label of its auipc; the others may be
// expressed against the section.
// An offset from the start of a section would not follow code that the linker
// shortens.
bool NPUELFObjectWriter::needsRelocateWithSymbol(const MCValue &Target,
                                                 unsigned Type) const {
  const MCSymbol *Symbol = Target.getAddSym();
  return Type == ELF::R_RISCV_PCREL_LO12_I ||
         Type == ELF::R_RISCV_PCREL_LO12_S || Type == ELF::R_RISCV_GOT_HI20 ||
         (Symbol && Symbol->isInSection() &&
          Symbol->getSection().isLinkerRelaxable());
}

std::unique_ptr<MCObjectTargetWriter>
llvm::createNPUELFObjectWriter(uint8_t OSABI) {
  return std::make_unique<NPUELFObjectWriter>(OSABI);
}
