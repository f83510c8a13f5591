// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUELFStreamer.cpp - objects with mapping symbols -----------------===//
//
// The psABI marks where instructions ($x) and data ($d) begin in a section of code,
// so that a disassembler takes neither for the other.
//
//===----------------------------------------------------------------------===//

#include "NPUMCTargetDesc.h"
#include "NPUTargetStreamer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFStreamer.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace {
class NPUELFStreamer : public MCELFStreamer {
  enum Content { Unknown, Instructions, Data };
  // What came last, by section and subsection.
  DenseMap<std::pair<const MCSection *, uint32_t>, Content> Last;

  void mark(Content Kind) {
    const auto *Section =
        static_cast<const MCSectionELF *>(getCurrentSectionOnly());
    if (!Section || !(Section->getFlags() & ELF::SHF_EXECINSTR))
      return;
    Content &Current = Last[{Section, getCurrentSection().second}];
    if (Current == Kind)
      return;
    Current = Kind;
    auto *Symbol = static_cast<MCSymbolELF *>(
        getContext().createLocalSymbol(Kind == Data ? "$d" : "$x"));
    emitLabel(Symbol);
    Symbol->setType(ELF::STT_NOTYPE);
    Symbol->setBinding(ELF::STB_LOCAL);
  }

public:
  using MCELFStreamer::MCELFStreamer;

  void reset() override {
    Last.clear();
    MCELFStreamer::reset();
  }
  void emitInstruction(const MCInst &Inst, const MCSubtargetInfo &STI) override {
    mark(Instructions);
    MCELFStreamer::emitInstruction(Inst, STI);
  }
  void emitBytes(StringRef Bytes) override {
    mark(Data);
    MCELFStreamer::emitBytes(Bytes);
  }
  // An instruction whose encoding the program states.
  void emitInstructionWord(uint32_t Word) {
    mark(Instructions);
    char Bytes[4];
    support::endian::write32le(Bytes, Word);
    MCELFStreamer::emitBytes(StringRef(Bytes, sizeof Bytes));
  }
  void emitFill(const MCExpr &NumBytes, uint64_t Value, SMLoc Loc) override {
    mark(Data);
    MCELFStreamer::emitFill(NumBytes, Value, Loc);
  }
  void emitValueImpl(const MCExpr *Value, unsigned Size, SMLoc Loc) override {
    mark(Data);
    MCELFStreamer::emitValueImpl(Value, Size, Loc);
  }
};
} // namespace

void NPUTargetELFStreamer::emitInstructionWord(uint32_t Word) {
  static_cast<NPUELFStreamer &>(Streamer).emitInstructionWord(Word);
}

MCStreamer *llvm::createNPUELFStreamer(const Triple &, MCContext &Ctx,
                                       std::unique_ptr<MCAsmBackend> &&MAB,
                                       std::unique_ptr<MCObjectWriter> &&OW,
                                       std::unique_ptr<MCCodeEmitter> &&CE) {
  return new NPUELFStreamer(Ctx, std::move(MAB), std::move(OW), std::move(CE));
}
