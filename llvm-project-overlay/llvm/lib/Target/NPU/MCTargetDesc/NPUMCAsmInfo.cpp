// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMCAsmInfo.cpp - assembly language properties -------------------===//

#include "NPUMCAsmInfo.h"
#include "NPUBaseInfo.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

NPUMCAsmInfo::NPUMCAsmInfo(const Triple &, const MCTargetOptions &) {
  CodePointerSize = CalleeSaveStackSlotSize = 4;
  MaxInstLength = 8;
  CommentString = "#";
  AlignmentIsInBytes = false;
  SupportsDebugInformation = true;
  ExceptionsType = ExceptionHandling::DwarfCFI;
  UseAtForSpecifier = false;
  Data16bitsDirective = "\t.half\t";
  Data32bitsDirective = "\t.word\t";
}

namespace {
struct SpecifierName {
  NPU::Specifier Specifier;
  StringLiteral Name;
};
} // namespace

static constexpr SpecifierName SpecifierNames[] = {
    {NPU::S_HI, "hi"},
    {NPU::S_LO, "lo"},
    {NPU::S_PCREL_HI, "pcrel_hi"},
    {NPU::S_PCREL_LO, "pcrel_lo"},
    {NPU::S_GOT_PCREL_HI, "got_pcrel_hi"},
    {NPU::S_TPREL_HI, "tprel_hi"},
    {NPU::S_TPREL_LO, "tprel_lo"},
    {NPU::S_TPREL_ADD, "tprel_add"},
};

StringRef NPU::getSpecifierName(uint16_t S) {
  for (const SpecifierName &Entry : SpecifierNames)
    if (Entry.Specifier == S)
      return Entry.Name;
  return "";
}

NPU::Specifier NPU::parseSpecifierName(StringRef Name) {
  for (const SpecifierName &Entry : SpecifierNames)
    if (Entry.Name == Name)
      return Entry.Specifier;
  return S_None;
}

void NPUMCAsmInfo::printSpecifierExpr(raw_ostream &OS,
                                      const MCSpecifierExpr &Expr) const {
  StringRef Name = NPU::getSpecifierName(Expr.getSpecifier());
  if (!Name.empty())
    OS << '%' << Name << '(';
  printExpr(OS, *Expr.getSubExpr());
  if (!Name.empty())
    OS << ')';
}
