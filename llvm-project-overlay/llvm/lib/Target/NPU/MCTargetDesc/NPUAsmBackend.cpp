// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUAsmBackend.cpp - fixups, branch relaxation, padding ------------===//

#include "NPUBaseInfo.h"
#include "NPUFixupKinds.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/MC/MCValue.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
class NPUAsmBackend : public MCAsmBackend {
  uint8_t OSABI;

public:
  explicit NPUAsmBackend(uint8_t OSABI)
      : MCAsmBackend(llvm::endianness::little), OSABI(OSABI) {}

  std::unique_ptr<MCObjectTargetWriter>
  createObjectTargetWriter() const override {
    return createNPUELFObjectWriter(OSABI);
  }

  std::optional<MCFixupKind> getFixupKind(StringRef Name) const override;
  MCFixupKindInfo getFixupKindInfo(MCFixupKind Kind) const override;
  std::optional<bool> evaluateFixup(const MCFragment &F, MCFixup &Fixup,
                                    MCValue &Target, uint64_t &Value) override;
  void applyFixup(const MCFragment &F, const MCFixup &Fixup,
                  const MCValue &Target, uint8_t *Data, uint64_t Value,
                  bool IsResolved) override;

  bool mayNeedRelaxation(unsigned Opcode, ArrayRef<MCOperand> Operands,
                         const MCSubtargetInfo &STI) const override;
  bool fixupNeedsRelaxationAdvanced(const MCFragment &F, const MCFixup &Fixup,
                                    const MCValue &Target, uint64_t Value,
                                    bool Resolved) const override;
  void relaxInstruction(MCInst &Inst,
                        const MCSubtargetInfo &STI) const override;

  bool relaxAlign(MCFragment &F, unsigned &Size) override;
  bool relaxDwarfLineAddr(MCFragment &F) const override;
  bool relaxDwarfCFA(MCFragment &F) const override;
  std::pair<bool, bool> relaxLEB128(MCFragment &F,
                                    int64_t &Value) const override;

  bool writeNopData(raw_ostream &OS, uint64_t Count,
                    const MCSubtargetInfo *STI) const override;

private:
  bool recordDifference(const MCFragment &F, const MCFixup &Fixup,
                        const MCValue &Target);
  uint64_t adjustFixupValue(const MCFixup &Fixup, uint64_t Value) const;
};
} // namespace

//===----------------------------------------------------------------------===//
// Fixups
//===----------------------------------------------------------------------===//

std::optional<MCFixupKind> NPUAsmBackend::getFixupKind(StringRef Name) const {
  unsigned Type = StringSwitch<unsigned>(Name)
#define ELF_RELOC(NAME, ID) .Case(#NAME, ID)
#include "llvm/BinaryFormat/ELFRelocs/RISCV.def"
#undef ELF_RELOC
                      .Case("BFD_RELOC_NONE", ELF::R_RISCV_NONE)
                      .Case("BFD_RELOC_32", ELF::R_RISCV_32)
                      .Case("BFD_RELOC_64", ELF::R_RISCV_64)
                      .Default(~0u);
  if (Type == ~0u)
    return std::nullopt;
  return FirstLiteralRelocationKind + Type;
}

MCFixupKindInfo NPUAsmBackend::getFixupKindInfo(MCFixupKind Kind) const {
  // In the order of the enumerators. Split immediates span the whole word.
  static const MCFixupKindInfo Infos[] = {
      {"fixup_npu_hi20", 12, 20, 0},
      {"fixup_npu_lo12_i", 20, 12, 0},
      {"fixup_npu_lo12_s", 0, 32, 0},
      {"fixup_npu_12_i", 20, 12, 0},
      {"fixup_npu_pcrel_hi20", 12, 20, 0},
      {"fixup_npu_pcrel_lo12_i", 20, 12, 0},
      {"fixup_npu_pcrel_lo12_s", 0, 32, 0},
      {"fixup_npu_jal", 12, 20, 0},
      {"fixup_npu_branch", 0, 32, 0},
      {"fixup_npu_call_plt", 0, 64, 0},
  };
  static_assert(std::size(Infos) == NPU::NumTargetFixupKinds,
                "one entry for each fixup kind");

  if (mc::isRelocation(Kind))
    return {};
  if (Kind < FirstTargetFixupKind)
    return MCAsmBackend::getFixupKindInfo(Kind);
  return Infos[Kind - FirstTargetFixupKind];
}

// The bits of an S-format immediate in the instruction word.
static uint64_t scatterS(uint64_t Imm) {
  return (Imm >> 5 & 0x7f) << 25 | (Imm & 0x1f) << 7;
}

uint64_t NPUAsmBackend::adjustFixupValue(const MCFixup &Fixup,
                                         uint64_t Value) const {
  auto CheckTarget = [&](bool Fits) {
    if (!Fits)
      getContext().reportError(Fixup.getLoc(), "fixup value out of range");
    else if (Value & 1)
      getContext().reportError(Fixup.getLoc(),
                               "branch or jump target is not even");
  };

  auto CheckData = [&](unsigned Bits) {
    if (!isUIntN(Bits, Value) && !isIntN(Bits, Value))
      getContext().reportError(Fixup.getLoc(), "value " +
                                                   Twine(int64_t(Value)) +
                                                   " does not fit in " +
                                                   Twine(Bits) + " bits");
    return Value;
  };

  switch (Fixup.getKind()) {
  default:
    return Value;
  case FK_Data_1:
    return CheckData(8);
  case FK_Data_2:
    return CheckData(16);
  case FK_Data_4:
    return CheckData(32);
  case NPU::fixup_npu_hi20:
  case NPU::fixup_npu_pcrel_hi20:
    return NPU::getHi20(Value) & 0xfffff;
  case NPU::fixup_npu_lo12_i:
  case NPU::fixup_npu_pcrel_lo12_i:
    return Value & 0xfff;
  case NPU::fixup_npu_12_i:
    if (!isInt<12>(Value))
      getContext().reportError(Fixup.getLoc(),
                               "value does not fit a signed 12-bit immediate");
    return Value & 0xfff;
  case NPU::fixup_npu_lo12_s:
  case NPU::fixup_npu_pcrel_lo12_s:
    return scatterS(Value);
  case NPU::fixup_npu_jal:
    CheckTarget(isInt<21>(Value));
    return (Value >> 20 & 1) << 19 | (Value >> 1 & 0x3ff) << 9 |
           (Value >> 11 & 1) << 8 | (Value >> 12 & 0xff);
  case NPU::fixup_npu_branch:
    CheckTarget(isInt<13>(Value));
    return (Value >> 12 & 1) << 31 | (Value >> 5 & 0x3f) << 25 |
           (Value >> 1 & 0xf) << 8 | (Value >> 11 & 1) << 7;
  case NPU::fixup_npu_call_plt:
    // auipc in the low word, jalr in the high one.
    return uint64_t(NPU::getHi20(Value) & 0xfffff) << 12 |
           (Value & 0xfff) << 52;
  }
}

// The %pcrel_hi fixup at the label that a %pcrel_lo names.
static const MCFixup *findPCRelHi(const MCExpr &LowExpr, const MCFragment *&F) {
  MCValue Label;
  const auto *Low = dyn_cast<MCSpecifierExpr>(&LowExpr);
  if (!Low || !Low->getSubExpr()->evaluateAsRelocatable(Label, nullptr) ||
      !Label.getAddSym() || Label.getConstant())
    return nullptr;
  F = Label.getAddSym()->getFragment();
  if (!F)
    return nullptr;
  uint64_t Offset = Label.getAddSym()->getOffset();
  // A label at the end of a fragment belongs to the next one.
  if (Offset == F->getContents().size()) {
    F = F->getNext();
    Offset = 0;
  }
  if (!F)
    return nullptr;
  for (const MCFixup &Fixup : F->getFixups())
    if (Fixup.getOffset() == Offset &&
        (Fixup.getKind() == NPU::fixup_npu_pcrel_hi20 ||
         Fixup.getKind() == ELF::R_RISCV_GOT_HI20))
      return &Fixup;
  return nullptr;
}

// Whether code that the linker may shorten lies between a place in this fragment
// and a symbol of the same section. Such code is the last of its fragment.
static bool isAcrossRelaxableCode(const MCFragment &F, const MCSymbol *Symbol) {
  if (!F.getParent()->isLinkerRelaxable() || !Symbol || !Symbol->isInSection())
    return false;
  const MCFragment *First = &F, *Last = Symbol->getFragment();
  bool IsAtEnd = Symbol->getOffset() == Last->getSize();
  if (First->getLayoutOrder() > Last->getLayoutOrder()) {
    std::swap(First, Last);
    if (IsAtEnd)
      First = First->getNext();
    IsAtEnd = false;
  }
  for (; First && First != Last; First = First->getNext())
    if (First->isLinkerRelaxable())
      return true;
  return !First || (IsAtEnd && Last->isLinkerRelaxable());
}

// A %pcrel_lo takes its value from the auipc that its label marks, and is
// resolved exactly when that one is.
std::optional<bool> NPUAsmBackend::evaluateFixup(const MCFragment &,
                                                 MCFixup &Fixup, MCValue &,
                                                 uint64_t &Value) {
  if (Fixup.getKind() != NPU::fixup_npu_pcrel_lo12_i &&
      Fixup.getKind() != NPU::fixup_npu_pcrel_lo12_s)
    return std::nullopt;

  const MCFragment *HighFragment = nullptr;
  const MCFixup *High = findPCRelHi(*Fixup.getValue(), HighFragment);
  if (!High) {
    getContext().reportError(Fixup.getLoc(),
                             "the label in %pcrel_lo does not mark an auipc "
                             "with %pcrel_hi or %got_pcrel_hi");
    return true;
  }
  MCValue HighTarget;
  // An expression that cannot be evaluated is reported at the auipc.
  if (!High->getValue()->evaluateAsRelocatable(HighTarget, Asm))
    return true;
  const MCSymbol *Symbol = HighTarget.getAddSym();
  if (High->getKind() != NPU::fixup_npu_pcrel_hi20 || !Symbol ||
      Symbol->isUndefined() || Symbol->isAbsolute() ||
      !Asm->getWriter().isSymbolRefDifferenceFullyResolvedImpl(
          *Symbol, *HighFragment, /*InSet=*/false, /*IsPCRel=*/true) ||
      isAcrossRelaxableCode(*HighFragment, Symbol))
    return false;
  Value = Asm->getSymbolOffset(*Symbol) + HighTarget.getConstant() -
          (Asm->getFragmentOffset(*HighFragment) + High->getOffset());
  return true;
}

// A difference of symbols that the layout does not resolve becomes a pair of
// relocations that add and subtract. A 4-byte distance from the place itself
// is the business of the generic code, which has a single relocation for it.
bool NPUAsmBackend::recordDifference(const MCFragment &F, const MCFixup &Fixup,
                                     const MCValue &Target) {
  const MCSymbol *Sub = Target.getSubSym();
  if (!Sub)
    return false;
  bool IsFromHere = Sub->isInSection() && &Sub->getSection() == F.getParent();
  MCFixupKind Add, Subtract;
  switch (Fixup.getKind()) {
  case FK_Data_1:
    Add = ELF::R_RISCV_ADD8, Subtract = ELF::R_RISCV_SUB8;
    break;
  case FK_Data_2:
    Add = ELF::R_RISCV_ADD16, Subtract = ELF::R_RISCV_SUB16;
    break;
  case FK_Data_4:
    if (IsFromHere)
      return false;
    Add = ELF::R_RISCV_ADD32, Subtract = ELF::R_RISCV_SUB32;
    break;
  case FK_Data_8:
    Add = ELF::R_RISCV_ADD64, Subtract = ELF::R_RISCV_SUB64;
    break;
  case FK_Data_leb128:
    Add = ELF::R_RISCV_SET_ULEB128, Subtract = ELF::R_RISCV_SUB_ULEB128;
    break;
  default:
    return false;
  }
  uint64_t Ignored;
  Asm->getWriter().recordRelocation(
      F, MCFixup::create(Fixup.getOffset(), nullptr, Add),
      MCValue::get(Target.getAddSym(), nullptr, Target.getConstant()), Ignored);
  Asm->getWriter().recordRelocation(
      F, MCFixup::create(Fixup.getOffset(), nullptr, Subtract),
      MCValue::get(Sub), Ignored);
  return true;
}

void NPUAsmBackend::applyFixup(const MCFragment &F, const MCFixup &Fixup,
                               const MCValue &Target, uint8_t *Data,
                               uint64_t Value, bool IsResolved) {
  if (!IsResolved || Fixup.isLinkerRelaxable() ||
      (Fixup.isPCRel() && isAcrossRelaxableCode(F, Target.getAddSym()))) {
    uint64_t Ignored = Value;
    if (!recordDifference(F, Fixup, Target))
      Asm->getWriter().recordRelocation(F, Fixup, Target, Ignored);
    if (Fixup.isLinkerRelaxable())
      Asm->getWriter().recordRelocation(
          F, MCFixup::create(Fixup.getOffset(), nullptr, ELF::R_RISCV_RELAX),
          MCValue::get(nullptr), Ignored);
  }
  // A value that only the linker may change is written all the same: a
  // disassembler shows it.
  if (!IsResolved)
    return;
  if (mc::isRelocation(Fixup.getKind()))
    return;
  Value = adjustFixupValue(Fixup, Value);
  MCFixupKindInfo Info = getFixupKindInfo(Fixup.getKind());
  Value <<= Info.TargetOffset;
  unsigned NumBytes = divideCeil(Info.TargetOffset + Info.TargetSize, 8);
  assert(Fixup.getOffset() + NumBytes <= F.getSize() &&
         "fixup beyond its fragment");
  for (unsigned I = 0; I != NumBytes; ++I)
    Data[I] |= uint8_t(Value >> (8 * I));
}

//===----------------------------------------------------------------------===//
// Branch relaxation
//===----------------------------------------------------------------------===//

// The long form of a conditional branch, or 0.
static unsigned getLongBranch(unsigned Opcode) {
  switch (Opcode) {
  case NPU::BEQ:
    return NPU::PseudoLongBEQ;
  case NPU::BNE:
    return NPU::PseudoLongBNE;
  case NPU::BLT:
    return NPU::PseudoLongBLT;
  case NPU::BGE:
    return NPU::PseudoLongBGE;
  case NPU::BLTU:
    return NPU::PseudoLongBLTU;
  case NPU::BGEU:
    return NPU::PseudoLongBGEU;
  default:
    return 0;
  }
}

bool NPUAsmBackend::mayNeedRelaxation(unsigned Opcode, ArrayRef<MCOperand>,
                                      const MCSubtargetInfo &) const {
  return getLongBranch(Opcode) != 0;
}

// A target outside the section may end up anywhere.
bool NPUAsmBackend::fixupNeedsRelaxationAdvanced(const MCFragment &,
                                                 const MCFixup &Fixup,
                                                 const MCValue &,
                                                 uint64_t Value,
                                                 bool Resolved) const {
  return !Resolved ||
         (Fixup.getKind() == NPU::fixup_npu_branch && !isInt<13>(Value));
}

void NPUAsmBackend::relaxInstruction(MCInst &Inst,
                                     const MCSubtargetInfo &) const {
  Inst.setOpcode(getLongBranch(Inst.getOpcode()));
}

//===----------------------------------------------------------------------===//
// What depends on the size of code that the linker shortens
//===----------------------------------------------------------------------===//

// Where code comes before that may shrink, the padding is as large as it can get
// and the linker takes away what is too much.
bool NPUAsmBackend::relaxAlign(MCFragment &F, unsigned &Size) {
  constexpr unsigned InstSize = 4;
  if (F.getLayoutOrder() <= F.getParent()->firstLinkerRelaxable() ||
      F.getAlignment() <= InstSize)
    return false;
  Size = F.getAlignment().value() - InstSize;
  F.setVarFixups({MCFixup::create(0, MCConstantExpr::create(Size, getContext()),
                                  FirstLiteralRelocationKind +
                                      ELF::R_RISCV_ALIGN)});
  F.setLinkerRelaxable();
  return true;
}

// A step of the line table whose distance only the linker knows: a fixed-size
// operand with relocations takes the place of the special opcodes.
bool NPUAsmBackend::relaxDwarfLineAddr(MCFragment &F) const {
  const MCExpr &Distance = F.getDwarfAddrDelta();
  int64_t Value;
  if (Distance.evaluateAsAbsolute(Value, *Asm))
    return false;
  if (!Distance.evaluateKnownAbsolute(Value, *Asm))
    llvm_unreachable("distance between sections in a line table");

  SmallVector<char, 16> Data;
  raw_svector_ostream OS(Data);
  constexpr int64_t EndSequence = INT64_MAX;
  if (F.getDwarfLineDelta() != EndSequence) {
    OS << char(dwarf::DW_LNS_advance_line);
    encodeSLEB128(F.getDwarfLineDelta(), OS);
  }

  // The operand has 16 bits; beyond that the address is set anew. Before linker
  // relaxation the distance is at its largest.
  MCFixup Fixup;
  if (isUInt<16>(Value)) {
    OS << char(dwarf::DW_LNS_fixed_advance_pc);
    Fixup = MCFixup::create(OS.tell(), &Distance, FK_Data_2);
    OS.write_zeros(2);
  } else {
    OS << char(dwarf::DW_LNS_extended_op) << char(5)
       << char(dwarf::DW_LNE_set_address);
    Fixup = MCFixup::create(OS.tell(), cast<MCBinaryExpr>(Distance).getLHS(),
                            FK_Data_4);
    OS.write_zeros(4);
  }

  if (F.getDwarfLineDelta() == EndSequence)
    OS << char(dwarf::DW_LNS_extended_op) << char(1)
       << char(dwarf::DW_LNE_end_sequence);
  else
    OS << char(dwarf::DW_LNS_copy);
  F.setVarContents(Data);
  F.setVarFixups({Fixup});
  return true;
}

// The same for a step of call frame information, with the operand of the size
// that the distance needs now.
bool NPUAsmBackend::relaxDwarfCFA(MCFragment &F) const {
  const auto &Distance = F.getDwarfAddrDelta();
  int64_t Value;
  if (Distance.evaluateAsAbsolute(Value, *Asm))
    return false;
  if (!Distance.evaluateKnownAbsolute(Value, *Asm))
    llvm_unreachable("distance between sections in call frame information");
  if (Value == 0) {
    F.clearVarContents();
    F.clearVarFixups();
    return true;
  }

  struct Advance {
    uint64_t Max;
    uint8_t Opcode;
    unsigned Bytes; // of the operand; none: it is part of the opcode
    unsigned Set, Subtract;
  };
  static constexpr Advance Advances[] = {
      {0x3f, dwarf::DW_CFA_advance_loc, 0, ELF::R_RISCV_SET6,
       ELF::R_RISCV_SUB6},
      {0xff, dwarf::DW_CFA_advance_loc1, 1, ELF::R_RISCV_SET8,
       ELF::R_RISCV_SUB8},
      {0xffff, dwarf::DW_CFA_advance_loc2, 2, ELF::R_RISCV_SET16,
       ELF::R_RISCV_SUB16},
      {0xffffffff, dwarf::DW_CFA_advance_loc4, 4, ELF::R_RISCV_SET32,
       ELF::R_RISCV_SUB32},
  };
  const Advance *Step = find_if(
      Advances, [&](const Advance &A) { return uint64_t(Value) <= A.Max; });
  SmallVector<char, 8> Data(1 + Step->Bytes, 0);
  Data[0] = Step->Opcode;
  unsigned Offset = Step->Bytes ? 1 : 0;
  const auto &Difference = cast<MCBinaryExpr>(Distance);
  F.setVarContents(Data);
  F.setVarFixups(
      {MCFixup::create(Offset, Difference.getLHS(),
                       FirstLiteralRelocationKind + Step->Set),
       MCFixup::create(Offset, Difference.getRHS(),
                       FirstLiteralRelocationKind + Step->Subtract)});
  return true;
}

// The bytes of an unsigned distance are reserved for its value now.
std::pair<bool, bool> NPUAsmBackend::relaxLEB128(MCFragment &F,
                                                 int64_t &Value) const {
  if (F.isLEBSigned())
    return {false, false};
  const MCExpr &Distance = F.getLEBValue();
  F.setVarFixups({MCFixup::create(0, &Distance, FK_Data_leb128)});
  return {Distance.evaluateKnownAbsolute(Value, *Asm), false};
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

bool NPUAsmBackend::writeNopData(raw_ostream &OS, uint64_t Count,
                                 const MCSubtargetInfo *) const {
  // Code that follows data which is not a multiple of four bytes.
  OS.write_zeros(Count % 4);
  for (uint64_t I = 0; I != Count / 4; ++I)
    support::endian::write<uint32_t>(OS, 0x00000013, Endian); // addi x0, x0, 0
  return true;
}

MCAsmBackend *llvm::createNPUAsmBackend(const Target &,
                                        const MCSubtargetInfo &STI,
                                        const MCRegisterInfo &,
                                        const MCTargetOptions &) {
  return new NPUAsmBackend(
      MCELFObjectTargetWriter::getOSABI(STI.getTargetTriple().getOS()));
}
