// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUAsmParser.cpp - assembly text to MCInst ------------------------===//
//
// The syntax is that of the RISC-V assembly manual.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NPUBaseInfo.h"
#include "MCTargetDesc/NPUMatInt.h"
#include "MCTargetDesc/NPUTargetStreamer.h"
#include "NPUOperand.h"
#include "TargetInfo/NPUTargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstBuilder.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/RISCVAttributes.h"

using namespace llvm;

namespace {
class NPUAsmParser : public MCTargetAsmParser {
  // .option pic makes la load from the GOT; push and pop save it.
  bool IsPic = false;
  // What .option push saves: IsPic and the subtarget's features.
  SmallVector<std::pair<bool, FeatureBitset>, 4> OptionStack;

  SMLoc getLoc() const { return getParser().getTok().getLoc(); }
  NPUTargetStreamer &getTargetStreamer() {
    return static_cast<NPUTargetStreamer &>(
        *getParser().getStreamer().getTargetStreamer());
  }

  // Generated.
#define GET_ASSEMBLER_HEADER
#include "NPUGenAsmMatcher.inc"

  bool parseRegister(MCRegister &Reg, SMLoc &StartLoc, SMLoc &EndLoc) override;
  ParseStatus tryParseRegister(MCRegister &Reg, SMLoc &StartLoc,
                               SMLoc &EndLoc) override;
  bool parseInstruction(ParseInstructionInfo &Info, StringRef Name,
                        SMLoc NameLoc, OperandVector &Operands) override;
  ParseStatus parseDirective(AsmToken DirectiveID) override;
  bool matchAndEmitInstruction(SMLoc IDLoc, unsigned &Opcode,
                               OperandVector &Operands, MCStreamer &Out,
                               uint64_t &ErrorInfo,
                               bool MatchingInlineAsm) override;

  // Operands.
  bool parseOperand(OperandVector &Operands, StringRef Mnemonic);
  ParseStatus parseRegisterOperand(OperandVector &Operands);
  bool isRegisterInParentheses();
  bool parseRegisterInParentheses(OperandVector &Operands);
  bool parseImmediate(OperandVector &Operands);
  bool parseSpecifier(const MCExpr *&Result);
  ParseStatus parseCallSymbol(OperandVector &Operands);
  ParseStatus parseTPRelAddSymbol(OperandVector &Operands);
  ParseStatus parseFenceArg(OperandVector &Operands);
  ParseStatus parseCSRSystemRegister(OperandVector &Operands);

  // Directives.
  bool parseDirectiveOption();
  bool parseOptionArch();
  bool parseArch(StringRef Arch, SMLoc Loc, std::string &Normalized);
  bool parseDirectiveAttribute();
  bool parseDirectiveInsn(SMLoc Loc);

  // Pseudo instructions.
  bool emitOrExpand(MCInst &Inst, const OperandVector &Operands, SMLoc Loc,
                    MCStreamer &Out);
  void emit(MCInst Inst, SMLoc Loc, MCStreamer &Out);
  void emitLoadImmediate(MCRegister Rd, int32_t Value, SMLoc Loc,
                         MCStreamer &Out);
  const MCExpr *emitPCRelHigh(MCRegister Rd, const MCExpr *Symbol,
                              NPU::Specifier High, SMLoc Loc, MCStreamer &Out);

  bool reportRange(uint64_t ErrorInfo, const OperandVector &Operands,
                   SMLoc IDLoc, const Twine &Expected);

public:
  enum NPUMatchResultTy : unsigned {
    Match_Dummy = FIRST_TARGET_MATCH_RESULT_TY,
#define GET_OPERAND_DIAGNOSTIC_TYPES
#include "NPUGenAsmMatcher.inc"
  };

  NPUAsmParser(const MCSubtargetInfo &STI, MCAsmParser &Parser,
               const MCInstrInfo &MII, const MCTargetOptions &Options)
      : MCTargetAsmParser(Options, STI, MII) {
    MCAsmParserExtension::Initialize(Parser);
    Parser.addAliasForDirective(".half", ".2byte");
    Parser.addAliasForDirective(".hword", ".2byte");
    Parser.addAliasForDirective(".word", ".4byte");
    Parser.addAliasForDirective(".dword", ".8byte");
    setAvailableFeatures(ComputeAvailableFeatures(STI.getFeatureBits()));
  }
};
} // namespace

#define GET_REGISTER_MATCHER
#define GET_MATCHER_IMPLEMENTATION
#define GET_MNEMONIC_SPELL_CHECKER
#include "NPUGenAsmMatcher.inc"

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// By architectural or ABI name; none if the name is not a register.
static MCRegister matchRegister(StringRef Name) {
  MCRegister Reg = MatchRegisterName(Name);
  return Reg ? Reg : MatchRegisterAltName(Name);
}

ParseStatus NPUAsmParser::tryParseRegister(MCRegister &Reg, SMLoc &StartLoc,
                                           SMLoc &EndLoc) {
  const AsmToken &Tok = getTok();
  StartLoc = Tok.getLoc();
  EndLoc = Tok.getEndLoc();
  Reg = Tok.is(AsmToken::Identifier) ? matchRegister(Tok.getIdentifier())
                                     : MCRegister();
  if (!Reg)
    return ParseStatus::NoMatch;
  Lex();
  return ParseStatus::Success;
}

bool NPUAsmParser::parseRegister(MCRegister &Reg, SMLoc &StartLoc,
                                 SMLoc &EndLoc) {
  if (!tryParseRegister(Reg, StartLoc, EndLoc).isSuccess())
    return Error(StartLoc, "invalid register name");
  return false;
}

ParseStatus NPUAsmParser::parseRegisterOperand(OperandVector &Operands) {
  MCRegister Reg;
  SMLoc Start, End;
  ParseStatus Status = tryParseRegister(Reg, Start, End);
  if (Status.isSuccess())
    Operands.push_back(NPUOperand::createReg(Reg, Start, End));
  return Status;
}

// At "(reg)", as opposed to an expression in parentheses.
bool NPUAsmParser::isRegisterInParentheses() {
  if (getTok().isNot(AsmToken::LParen))
    return false;
  AsmToken Next[2];
  return getLexer().peekTokens(Next) == 2 &&
         Next[0].is(AsmToken::Identifier) && Next[1].is(AsmToken::RParen) &&
         matchRegister(Next[0].getIdentifier());
}

bool NPUAsmParser::parseRegisterInParentheses(OperandVector &Operands) {
  Operands.push_back(NPUOperand::createToken("(", getLoc()));
  Lex();
  if (!parseRegisterOperand(Operands).isSuccess())
    return Error(getLoc(), "expected a register");
  Operands.push_back(NPUOperand::createToken(")", getLoc()));
  return getParser().parseToken(AsmToken::RParen, "expected ')'");
}

// %specifier(expression), positioned at the '%'.
bool NPUAsmParser::parseSpecifier(const MCExpr *&Result) {
  SMLoc Loc = getLoc();
  Lex();
  if (getTok().isNot(AsmToken::Identifier))
    return Error(getLoc(), "expected the name of a relocation specifier");
  StringRef Name = getTok().getIdentifier();
  NPU::Specifier Specifier = NPU::parseSpecifierName(Name);
  if (Specifier == NPU::S_None)
    return Error(getLoc(), "unknown relocation specifier '%" + Name + "'");
  Lex();
  const MCExpr *Inner;
  SMLoc End;
  if (getParser().parseToken(AsmToken::LParen, "expected '('") ||
      getParser().parseParenExpression(Inner, End))
    return true;
  Result = MCSpecifierExpr::create(Inner, Specifier, getContext(), Loc);
  return false;
}

bool NPUAsmParser::parseImmediate(OperandVector &Operands) {
  SMLoc Start = getLoc();
  const MCExpr *Value;
  if (getTok().is(AsmToken::Percent) ? parseSpecifier(Value)
                                     : getParser().parseExpression(Value))
    return true;
  Operands.push_back(NPUOperand::createImm(Value, Start, getLoc()));
  return false;
}

// The callee of call and tail, the target of jump. A register before a comma is
// the first operand of the two-operand form of call.
ParseStatus NPUAsmParser::parseCallSymbol(OperandVector &Operands) {
  SMLoc Start = getLoc();
  if (getTok().isNot(AsmToken::Identifier) &&
      getTok().isNot(AsmToken::String))
    return ParseStatus::NoMatch;
  if (getTok().is(AsmToken::Identifier) &&
      matchRegister(getTok().getIdentifier()) &&
      getLexer().peekTok().is(AsmToken::Comma))
    return ParseStatus::NoMatch;

  const MCExpr *Value;
  if (getParser().parseExpression(Value))
    return ParseStatus::Failure;
  // symbol@plt says what every call says.
  if (getParser().parseOptionalToken(AsmToken::At)) {
    if (getTok().isNot(AsmToken::Identifier) ||
        getTok().getIdentifier() != "plt")
      return Error(getLoc(), "expected 'plt'");
    Lex();
  }
  Value = MCSpecifierExpr::create(Value, NPU::S_CALL_PLT, getContext(), Start);
  Operands.push_back(NPUOperand::createSymbol(Value, Start, getLoc()));
  return ParseStatus::Success;
}

ParseStatus NPUAsmParser::parseTPRelAddSymbol(OperandVector &Operands) {
  if (getTok().isNot(AsmToken::Percent))
    return ParseStatus::NoMatch;
  SMLoc Start = getLoc();
  const MCExpr *Value;
  if (parseSpecifier(Value))
    return ParseStatus::Failure;
  if (cast<MCSpecifierExpr>(Value)->getSpecifier() != NPU::S_TPREL_ADD)
    return Error(Start, "expected %tprel_add(symbol)");
  Operands.push_back(NPUOperand::createSymbol(Value, Start, getLoc()));
  return ParseStatus::Success;
}

ParseStatus NPUAsmParser::parseFenceArg(OperandVector &Operands) {
  static constexpr StringLiteral Message =
      "expected letters of 'iorw' in this order, or 0";
  const AsmToken Tok = getTok();
  unsigned Set = 0;
  if (Tok.is(AsmToken::Integer)) {
    if (Tok.getIntVal() != 0)
      return Error(Tok.getLoc(), Message);
  } else if (Tok.is(AsmToken::Identifier)) {
    // Each letter stands for a lower bit than the one before.
    unsigned Last = 2 * NPUFenceField::I;
    for (char Letter : Tok.getIdentifier()) {
      unsigned Bit = Letter == 'i'   ? NPUFenceField::I
                     : Letter == 'o' ? NPUFenceField::O
                     : Letter == 'r' ? NPUFenceField::R
                     : Letter == 'w' ? NPUFenceField::W
                                     : Last;
      if (Bit >= Last)
        return Error(Tok.getLoc(), Message);
      Set |= Bit;
      Last = Bit;
    }
  } else {
    return Error(Tok.getLoc(), Message);
  }
  Lex();
  Operands.push_back(
      NPUOperand::createFence(Set, getContext(), Tok.getLoc(), getLoc()));
  return ParseStatus::Success;
}

ParseStatus NPUAsmParser::parseCSRSystemRegister(OperandVector &Operands) {
  SMLoc Start = getLoc();
  int64_t Number;
  const NPUSysReg::SysReg *Reg = nullptr;
  const AsmToken Tok = getTok();
  if (Tok.is(AsmToken::Identifier))
    Reg = NPUSysReg::lookupSysRegByName(Tok.getIdentifier());
  if (Reg) {
    Lex();
    Number = Reg->Encoding;
  } else {
    const MCExpr *Value;
    if (getParser().parseExpression(Value))
      return ParseStatus::Failure;
    if (!Value->evaluateAsAbsolute(Number)) {
      if (Tok.is(AsmToken::Identifier))
        return Error(Start, "unknown CSR name '" + Tok.getIdentifier() + "'");
      return Error(Start, "expected the name or number of a CSR");
    }
    if (!isUInt<12>(Number))
      return Error(Start, "CSR number must be in the range [0, 4095]");
  }
  Operands.push_back(
      NPUOperand::createSysReg(Number, getContext(), Start, getLoc()));
  return ParseStatus::Success;
}

bool NPUAsmParser::parseOperand(OperandVector &Operands, StringRef Mnemonic) {
  ParseStatus Status = MatchOperandParserImpl(Operands, Mnemonic,
                                              /*ParseForAllFeatures=*/true);
  if (Status.isNoMatch())
    Status = parseRegisterOperand(Operands);
  if (!Status.isNoMatch())
    return Status.isFailure();

  if (isRegisterInParentheses())
    return parseRegisterInParentheses(Operands);
  if (parseImmediate(Operands))
    return true;
  if (getTok().is(AsmToken::LParen))
    return parseRegisterInParentheses(Operands);
  return false;
}

bool NPUAsmParser::parseInstruction(ParseInstructionInfo &, StringRef Name,
                                    SMLoc NameLoc, OperandVector &Operands) {
  Operands.push_back(NPUOperand::createToken(Name, NameLoc));
  if (getParser().parseOptionalToken(AsmToken::EndOfStatement))
    return false;
  do {
    if (parseOperand(Operands, Name))
      return true;
  } while (getParser().parseOptionalToken(AsmToken::Comma));
  return getParser().parseToken(AsmToken::EndOfStatement,
                                "unexpected token after the operands");
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

ParseStatus NPUAsmParser::parseDirective(AsmToken DirectiveID) {
  StringRef Name = DirectiveID.getString();
  if (Name == ".option")
    return parseDirectiveOption();
  if (Name == ".attribute")
    return parseDirectiveAttribute();
  if (Name == ".insn")
    return parseDirectiveInsn(DirectiveID.getLoc());
  return ParseStatus::NoMatch;
}

bool NPUAsmParser::parseDirectiveOption() {
  SMLoc Loc = getLoc();
  StringRef Option;
  if (getParser().parseIdentifier(Option))
    return Error(Loc, "expected the name of an option");
  if (Option == "arch")
    return parseOptionArch();

  if (Option == "push") {
    OptionStack.emplace_back(IsPic, getSTI().getFeatureBits());
  } else if (Option == "pop") {
    if (OptionStack.empty())
      return Error(Loc, ".option pop without .option push");
    FeatureBitset Features;
    std::tie(IsPic, Features) = OptionStack.pop_back_val();
    copySTI().setFeatureBits(Features);
  } else if (Option == "pic" || Option == "nopic") {
    IsPic = Option == "pic";
  } else if (Option == "rvc") {
    return Error(Loc, "the NPU does not execute compressed instructions");
  } else if (Option == "relax") {
    copySTI().SetFeatureBitsTransitively({NPU::FeatureRelax});
  } else if (Option == "norelax") {
    copySTI().ClearFeatureBitsTransitively({NPU::FeatureRelax});
  } else if (Option != "norvc") {
    return Error(Loc, "unknown option '" + Option +
                          "': expected push, pop, arch, pic, nopic, rvc, "
                          "norvc, relax or norelax");
  }
  getTargetStreamer().emitDirectiveOption(Option);
  return getParser().parseEOL();
}

// The extensions that the machine executes, with the versions that the arch
// attribute names.
namespace {
struct SupportedExtension {
  StringLiteral Name;
  StringLiteral Version;
};
} // namespace
static constexpr SupportedExtension SupportedExtensions[] = {
    {"i", "2p1"},        {"m", "2p0"},           {"zicntr", "2p0"},
    {"zicsr", "2p0"},    {"zifencei", "2p0"},    {"zihintpause", "2p0"},
    {"zmmul", "1p0"},    {"xnpu", "1p0"},
};

static const SupportedExtension *findExtension(StringRef Name) {
  const auto *It = find_if(SupportedExtensions, [&](const auto &Extension) {
    return Extension.Name == Name;
  });
  return It == std::end(SupportedExtensions) ? nullptr : It;
}

// An extension name without its version, such as m2p0 or zicsr.
static StringRef withoutVersion(StringRef Extension) {
  StringRef Name = Extension.rtrim("0123456789");
  if (Name.size() == Extension.size() || !Name.ends_with("p"))
    return Name;
  StringRef Major = Name.drop_back();
  StringRef Stem = Major.rtrim("0123456789");
  return Stem.size() == Major.size() ? Name : Stem;
}

// The leading extension of the rest of an ISA string. Single letters may follow
// each other; longer names end at '_'.
static StringRef takeExtension(StringRef Rest) {
  if (StringRef("zsx").contains(Rest.front()))
    return Rest.take_until([](char C) { return C == '_'; });
  size_t Length = 1 + Rest.drop_front().take_while(isDigit).size();
  StringRef Minor = Rest.substr(Length);
  if (Length > 1 && Minor.consume_front("p"))
    Length += 1 + Minor.take_while(isDigit).size();
  return Rest.take_front(Length);
}

// Checks an ISA string and adds the versions it leaves out. One that allows
// instructions which the NPU lacks is refused here instead of trapping at run
// time.
bool NPUAsmParser::parseArch(StringRef Arch, SMLoc Loc,
                             std::string &Normalized) {
  StringRef Rest = Arch;
  if (!Rest.consume_front("rv32") || Rest.empty())
    return Error(Loc, "the NPU executes rv32im_zicsr_zifencei_xnpu, not '" +
                          Arch + "'");
  Normalized = "rv32";
  while (!Rest.empty()) {
    if (Rest.consume_front("_"))
      continue;
    StringRef Text = takeExtension(Rest);
    Rest = Rest.drop_front(Text.size());
    StringRef Name = withoutVersion(Text);
    const SupportedExtension *Extension = findExtension(Name);
    if (!Extension)
      return Error(Loc, "the NPU lacks extension '" + Name + "'");
    if (Normalized != "rv32")
      Normalized += '_';
    Normalized += Text == Name ? (Name + Extension->Version).str() : Text.str();
  }
  return false;
}

// .option arch, rv32im or a list of +extension and -extension.
bool NPUAsmParser::parseOptionArch() {
  if (getParser().parseComma())
    return true;
  SMLoc Loc = getLoc();
  StringRef Text = getParser().parseStringToEndOfStatement().rtrim();
  std::string Normalized;
  if (Text.starts_with("+") || Text.starts_with("-")) {
    for (StringRef Item : split(Text, ',')) {
      Item = Item.trim();
      bool Adds = Item.consume_front("+");
      if (!Adds && !Item.consume_front("-"))
        return Error(Loc, "expected +extension or -extension");
      if (Adds && !findExtension(withoutVersion(Item)))
        return Error(Loc, "the NPU lacks extension '" + withoutVersion(Item) +
                              "'");
    }
  } else if (parseArch(Text, Loc, Normalized)) {
    return true;
  }
  return getParser().parseEOL();
}

bool NPUAsmParser::parseDirectiveAttribute() {
  SMLoc Loc = getLoc();
  int64_t Tag;
  if (getTok().is(AsmToken::Identifier)) {
    StringRef Name = getTok().getIdentifier();
    std::optional<unsigned> Known = ELFAttrs::attrTypeFromString(
        Name, RISCVAttrs::getRISCVAttributeTags());
    if (!Known)
      return Error(Loc, "unknown attribute '" + Name + "'");
    Tag = *Known;
    Lex();
  } else if (getParser().parseAbsoluteExpression(Tag)) {
    return true;
  }
  if (getParser().parseComma())
    return true;

  // Tags with an odd number take a string, as everywhere in the psABI.
  SMLoc ValueLoc = getLoc();
  if (Tag % 2 == 0) {
    int64_t Value;
    if (getParser().parseAbsoluteExpression(Value))
      return Error(ValueLoc, "expected a number");
    getTargetStreamer().emitAttribute(Tag, Value);
  } else {
    if (getTok().isNot(AsmToken::String))
      return Error(ValueLoc, "expected a string");
    std::string Value = getTok().getStringContents().str();
    if (Tag == RISCVAttrs::ARCH &&
        parseArch(getTok().getStringContents(), ValueLoc, Value))
      return true;
    getTargetStreamer().emitTextAttribute(Tag, Value);
    Lex();
  }
  return getParser().parseEOL();
}

// .insn FORMAT fields...   or   .insn WORD   or   .insn 4, WORD
bool NPUAsmParser::parseDirectiveInsn(SMLoc Loc) {
  SMLoc FormatLoc = getLoc();
  if (getTok().isNot(AsmToken::Identifier)) {
    int64_t Word;
    if (getParser().parseAbsoluteExpression(Word))
      return true;
    if (getParser().parseOptionalToken(AsmToken::Comma)) {
      if (Word != 4)
        return Error(FormatLoc, "instructions of the NPU have 4 bytes");
      FormatLoc = getLoc();
      if (getParser().parseAbsoluteExpression(Word))
        return true;
    }
    if (!isUInt<32>(Word) || (Word & 3) != 3)
      return Error(FormatLoc,
                   "an instruction word has 32 bits and ends in the bits 11");
    getTargetStreamer().emitInstructionWord(Word);
    return getParser().parseEOL();
  }

  StringRef Format = getTok().getIdentifier();
  if (Format == "sb")
    Format = "b";
  else if (Format == "uj")
    Format = "j";
  static constexpr StringLiteral Names[] = {".insn_r", ".insn_i", ".insn_s",
                                            ".insn_b", ".insn_u", ".insn_j"};
  const auto *Name = find_if(Names, [&](StringRef N) {
    return N.drop_front(strlen(".insn_")) == Format;
  });
  if (Name == std::end(Names))
    return Error(FormatLoc, "unknown instruction format '" + Format +
                                "': expected r, i, s, b, sb, u, j or uj");
  Lex();
  ParseInstructionInfo Info;
  SmallVector<std::unique_ptr<MCParsedAsmOperand>, 8> Operands;
  unsigned Opcode;
  uint64_t ErrorInfo;
  return parseInstruction(Info, *Name, FormatLoc, Operands) ||
         matchAndEmitInstruction(Loc, Opcode, Operands,
                                 getParser().getStreamer(), ErrorInfo,
                                 /*MatchingInlineAsm=*/false);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

static SMLoc locOf(uint64_t ErrorInfo, const OperandVector &Operands,
                   SMLoc IDLoc) {
  if (ErrorInfo >= Operands.size())
    return IDLoc;
  SMLoc Loc = Operands[ErrorInfo]->getStartLoc();
  return Loc.isValid() ? Loc : IDLoc;
}

bool NPUAsmParser::reportRange(uint64_t ErrorInfo,
                               const OperandVector &Operands, SMLoc IDLoc,
                               const Twine &Expected) {
  if (ErrorInfo >= Operands.size())
    return Error(IDLoc, "too few operands for instruction");
  return Error(locOf(ErrorInfo, Operands, IDLoc), "operand must be " + Expected);
}

bool NPUAsmParser::matchAndEmitInstruction(SMLoc IDLoc, unsigned &Opcode,
                                           OperandVector &Operands,
                                           MCStreamer &Out,
                                           uint64_t &ErrorInfo,
                                           bool MatchingInlineAsm) {
  MCInst Inst;
  auto Range = [&](const Twine &Expected) {
    return reportRange(ErrorInfo, Operands, IDLoc, Expected);
  };
  switch (
      MatchInstructionImpl(Operands, Inst, ErrorInfo, MatchingInlineAsm)) {
  case Match_Success:
    Opcode = Inst.getOpcode();
    return emitOrExpand(Inst, Operands, IDLoc, Out);
  case Match_MnemonicFail: {
    StringRef Name = static_cast<NPUOperand &>(*Operands[0]).getToken();
    return Error(IDLoc, "unrecognized instruction mnemonic" +
                            NPUMnemonicSpellCheck(
                                Name, ComputeAvailableFeatures(
                                          getSTI().getFeatureBits()),
                                0));
  }
  case Match_InvalidUImm1:
    return Range("an integer in the range [0, 1]");
  case Match_InvalidUImm3:
    return Range("an integer in the range [0, 7]");
  case Match_InvalidUImm5:
    return Range("an integer in the range [0, 31]");
  case Match_InvalidUImm7:
    return Range("an integer in the range [0, 127]");
  case Match_InvalidSImm12:
    return Range("an expression with %lo, %pcrel_lo or %tprel_lo, or an "
                 "integer in the range [-2048, 2047]");
  case Match_InvalidSImm13Lsb0:
    return Range("a label or an even integer in the range [-4096, 4094]");
  case Match_InvalidSImm21Lsb0:
    return Range(
        "a label or an even integer in the range [-1048576, 1048574]");
  case Match_InvalidUImm20LUI:
    return Range("an expression with %hi or %tprel_hi, or an integer in the "
                 "range [0, 1048575]");
  case Match_InvalidUImm20AUIPC:
    return Range("an expression with %pcrel_hi or %got_pcrel_hi, or an integer "
                 "in the range [0, 1048575]");
  case Match_InvalidImmXLenLI:
    return Range("an expression with %lo, %pcrel_lo or %tprel_lo, or an "
                 "integer that 32 bits can hold");
  default:
    if (ErrorInfo >= Operands.size())
      return Error(IDLoc, "too few operands for instruction");
    return Error(locOf(ErrorInfo, Operands, IDLoc),
                 "invalid operand for instruction");
  }
}

//===----------------------------------------------------------------------===//
// Pseudo instructions
//===----------------------------------------------------------------------===//

void NPUAsmParser::emit(MCInst Inst, SMLoc Loc, MCStreamer &Out) {
  Inst.setLoc(Loc);
  Out.emitInstruction(Inst, getSTI());
}

void NPUAsmParser::emitLoadImmediate(MCRegister Rd, int32_t Value, SMLoc Loc,
                                     MCStreamer &Out) {
  MCRegister Source = NPU::X0;
  for (const NPUMatInt::Inst &Step : NPUMatInt::generateInstSeq(Value)) {
    MCInstBuilder Builder = MCInstBuilder(Step.Opcode).addReg(Rd);
    if (Step.Opcode != NPU::LUI)
      Builder.addReg(Source);
    emit(Builder.addImm(Step.Imm), Loc, Out);
    Source = Rd;
  }
}

// Emits a label and auipc Rd with the upper part of the symbol's distance;
// returns the expression of the lower part.
const MCExpr *NPUAsmParser::emitPCRelHigh(MCRegister Rd, const MCExpr *Symbol,
                                          NPU::Specifier High, SMLoc Loc,
                                          MCStreamer &Out) {
  MCSymbol *Label = getContext().createNamedTempSymbol("pcrel_hi");
  Out.emitLabel(Label);
  emit(MCInstBuilder(NPU::AUIPC)
           .addReg(Rd)
           .addExpr(MCSpecifierExpr::create(Symbol, High, getContext(), Loc)),
       Loc, Out);
  return MCSpecifierExpr::create(Label, NPU::S_PCREL_LO, getContext(), Loc);
}

// The instruction that a pseudo load or store of a symbol ends in, or 0.
static unsigned getSymbolAccess(unsigned Opcode) {
  switch (Opcode) {
  case NPU::PseudoLB:
    return NPU::LB;
  case NPU::PseudoLH:
    return NPU::LH;
  case NPU::PseudoLW:
    return NPU::LW;
  case NPU::PseudoLBU:
    return NPU::LBU;
  case NPU::PseudoLHU:
    return NPU::LHU;
  case NPU::PseudoSB:
    return NPU::SB;
  case NPU::PseudoSH:
    return NPU::SH;
  case NPU::PseudoSW:
    return NPU::SW;
  default:
    return 0;
  }
}

bool NPUAsmParser::emitOrExpand(MCInst &Inst, const OperandVector &Operands,
                                SMLoc Loc, MCStreamer &Out) {
  auto Reg = [&](unsigned I) { return Inst.getOperand(I).getReg(); };
  switch (Inst.getOpcode()) {
  case NPU::PseudoLI:
    if (Inst.getOperand(1).isImm())
      emitLoadImmediate(Reg(0), Inst.getOperand(1).getImm(), Loc, Out);
    else
      emit(MCInstBuilder(NPU::ADDI)
               .addReg(Reg(0))
               .addReg(NPU::X0)
               .addOperand(Inst.getOperand(1)),
           Loc, Out);
    return false;
  case NPU::PseudoLA:
  case NPU::PseudoLLA:
  case NPU::PseudoLGA: {
    bool UseGot = Inst.getOpcode() == NPU::PseudoLGA ||
                  (Inst.getOpcode() == NPU::PseudoLA && IsPic);
    const MCExpr *Low =
        emitPCRelHigh(Reg(0), Inst.getOperand(1).getExpr(),
                      UseGot ? NPU::S_GOT_PCREL_HI : NPU::S_PCREL_HI, Loc, Out);
    emit(MCInstBuilder(UseGot ? NPU::LW : NPU::ADDI)
             .addReg(Reg(0))
             .addReg(Reg(0))
             .addExpr(Low),
         Loc, Out);
    return false;
  }
  case NPU::PseudoAddTPRel:
    if (Reg(2) != NPU::X4)
      return Error(Operands[3]->getStartLoc(),
                   "%tprel_add is for an add of the thread pointer tp");
    break;
  }

  if (unsigned Access = getSymbolAccess(Inst.getOpcode())) {
    // Loads: rd, symbol. Stores: scratch, rs2, symbol.
    bool IsStore = MII.get(Access).mayStore();
    MCRegister Base = Reg(0);
    MCRegister Data = IsStore ? Reg(1) : Base;
    if (Base == NPU::X0)
      return Error(Loc, "the address needs a register other than x0");
    const MCExpr *Low = emitPCRelHigh(
        Base, Inst.getOperand(IsStore ? 2 : 1).getExpr(), NPU::S_PCREL_HI, Loc,
        Out);
    emit(MCInstBuilder(Access).addReg(Data).addReg(Base).addExpr(Low), Loc,
         Out);
    return false;
  }
  emit(Inst, Loc, Out);
  return false;
}

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void LLVMInitializeNPUAsmParser() {
  RegisterMCAsmParser<NPUAsmParser> X(getTheNPUTarget());
}
