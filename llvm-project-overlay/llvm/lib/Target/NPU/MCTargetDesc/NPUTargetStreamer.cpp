// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetStreamer.cpp - directives and object attributes ----------===//

#include "NPUTargetStreamer.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCELFStreamer.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/RISCVAttributes.h"

using namespace llvm;

void NPUTargetAsmStreamer::emitDirectiveOption(StringRef Option) {
  OS << "\t.option\t" << Option << '\n';
}

void NPUTargetAsmStreamer::emitInstructionWord(uint32_t Word) {
  OS << "\t.insn\t" << format_hex(Word, 10) << '\n';
}

void NPUTargetAsmStreamer::emitAttribute(unsigned Tag, unsigned Value) {
  OS << "\t.attribute\t" << Tag << ", " << Value << '\n';
}

void NPUTargetAsmStreamer::emitTextAttribute(unsigned Tag, StringRef Value) {
  OS << "\t.attribute\t" << Tag << ", \"" << Value << "\"\n";
}

NPUTargetELFStreamer::NPUTargetELFStreamer(MCStreamer &S)
    : NPUTargetStreamer(S) {}

MCELFStreamer &NPUTargetELFStreamer::getStreamer() {
  return static_cast<MCELFStreamer &>(Streamer);
}

void NPUTargetELFStreamer::emitAttribute(unsigned Tag, unsigned Value) {
  getStreamer().setAttributeItem(Tag, Value, /*OverwriteExisting=*/true);
}

void NPUTargetELFStreamer::emitTextAttribute(unsigned Tag, StringRef Value) {
  getStreamer().setAttributeItem(Tag, Value, /*OverwriteExisting=*/true);
}

void NPUTargetELFStreamer::finish() {
  MCELFStreamer &S = getStreamer();
  // The psABI's soft-float calling convention and base ISA have the value 0.
  S.getWriter().setELFHeaderEFlags(S.getWriter().getELFHeaderEFlags() |
                                   ELF::EF_RISCV_XNPU);
  S.setAttributeItem(RISCVAttrs::STACK_ALIGN, NPU::StackAlign,
                     /*OverwriteExisting=*/false);
  S.setAttributeItem(RISCVAttrs::ARCH, NPU::ArchString,
                     /*OverwriteExisting=*/false);
  S.emitAttributesSection("riscv", ".riscv.attributes",
                          ELF::SHT_RISCV_ATTRIBUTES, AttributeSection);
}
