// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUOperand.h - a parsed operand -------------------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_ASMPARSER_NPUOPERAND_H
#define LLVM_LIB_TARGET_NPU_ASMPARSER_NPUOPERAND_H

#include "MCTargetDesc/NPUBaseInfo.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCParser/MCParsedAsmOperand.h"
#include "llvm/MC/MCValue.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace llvm {

// The predicates answer for the operand classes of NPUInstrInfo.td.
class NPUOperand : public MCParsedAsmOperand {
  enum class KindTy {
    Token,
    Register,
    // an expression, possibly constant
    Immediate,
    // what a custom parser has checked: a callee or %tprel_add symbol, a set of
    // fence, a CSR number
    Symbol,
    Fence,
    SysReg,
  };

  KindTy Kind;
  SMLoc StartLoc, EndLoc;
  StringRef Token;
  MCRegister Reg;
  const MCExpr *Value = nullptr;

  bool constant(int64_t &Result) const {
    return Kind == KindTy::Immediate && Value->evaluateAsAbsolute(Result);
  }

  // A number may be written as the 32-bit pattern that it has in a register.
  static int64_t asSigned(int64_t Number) {
    return isUInt<32>(Number) ? SignExtend64<32>(Number) : Number;
  }

  uint16_t specifier() const {
    const auto *Expr = dyn_cast_or_null<MCSpecifierExpr>(Value);
    return Expr ? Expr->getSpecifier() : uint16_t(NPU::S_None);
  }

  // symbol + addend
  bool isSymbolic() const {
    MCValue Result;
    return Kind == KindTy::Immediate && !isa<MCSpecifierExpr>(Value) &&
           Value->evaluateAsRelocatable(Result, nullptr) &&
           Result.getAddSym() && !Result.getSubSym();
  }

  // A number of which only the layout decides, such as label - label.
  bool isDifference() const {
    MCValue Result;
    return Kind == KindTy::Immediate && isa<MCBinaryExpr>(Value) &&
           Value->evaluateAsRelocatable(Result, nullptr) && Result.getSubSym();
  }

  bool isLowPart() const {
    return Kind == KindTy::Immediate &&
           (specifier() == NPU::S_LO || specifier() == NPU::S_PCREL_LO ||
            specifier() == NPU::S_TPREL_LO);
  }

  template <unsigned Bits> bool isUImm() const {
    int64_t Number;
    return constant(Number) && isUInt<Bits>(Number);
  }

  template <unsigned Bits> bool isTarget() const {
    int64_t Number;
    if (constant(Number))
      return isShiftedInt<Bits - 1, 1>(asSigned(Number));
    return isSymbolic();
  }

public:
  NPUOperand(KindTy Kind, SMLoc Start, SMLoc End)
      : Kind(Kind), StartLoc(Start), EndLoc(End) {}

  static std::unique_ptr<NPUOperand> createToken(StringRef Token, SMLoc Loc) {
    auto Op = std::make_unique<NPUOperand>(KindTy::Token, Loc, Loc);
    Op->Token = Token;
    return Op;
  }
  static std::unique_ptr<NPUOperand> createReg(MCRegister Reg, SMLoc Start,
                                               SMLoc End) {
    auto Op = std::make_unique<NPUOperand>(KindTy::Register, Start, End);
    Op->Reg = Reg;
    return Op;
  }
  static std::unique_ptr<NPUOperand> createImm(const MCExpr *Value, SMLoc Start,
                                               SMLoc End) {
    return createExpr(KindTy::Immediate, Value, Start, End);
  }
  static std::unique_ptr<NPUOperand> createSymbol(const MCExpr *Value,
                                                  SMLoc Start, SMLoc End) {
    return createExpr(KindTy::Symbol, Value, Start, End);
  }
  static std::unique_ptr<NPUOperand> createFence(unsigned Set, MCContext &Ctx,
                                                 SMLoc Start, SMLoc End) {
    return createExpr(KindTy::Fence, MCConstantExpr::create(Set, Ctx), Start,
                      End);
  }
  static std::unique_ptr<NPUOperand>
  createSysReg(unsigned Number, MCContext &Ctx, SMLoc Start, SMLoc End) {
    return createExpr(KindTy::SysReg, MCConstantExpr::create(Number, Ctx),
                      Start, End);
  }

  StringRef getToken() const { return Token; }
  MCRegister getReg() const override { return Reg; }
  SMLoc getStartLoc() const override { return StartLoc; }
  SMLoc getEndLoc() const override { return EndLoc; }

  bool isToken() const override { return Kind == KindTy::Token; }
  bool isReg() const override { return Kind == KindTy::Register; }
  bool isImm() const override { return Kind == KindTy::Immediate; }
  bool isMem() const override { return false; }

  bool isUImm1() const { return isUImm<1>(); }
  bool isUImm3() const { return isUImm<3>(); }
  bool isUImm5() const { return isUImm<5>(); }
  bool isUImm7() const { return isUImm<7>(); }
  bool isSImm12() const {
    int64_t Number;
    if (constant(Number))
      return isInt<12>(asSigned(Number));
    return isLowPart() || isDifference();
  }
  bool isSImm13Lsb0() const { return isTarget<13>(); }
  bool isSImm21Lsb0() const { return isTarget<21>(); }
  bool isUImm20LUI() const {
    return isUImm<20>() ||
           (isImm() && (specifier() == NPU::S_HI ||
                        specifier() == NPU::S_TPREL_HI));
  }
  bool isUImm20AUIPC() const {
    return isUImm<20>() ||
           (isImm() && (specifier() == NPU::S_PCREL_HI ||
                        specifier() == NPU::S_GOT_PCREL_HI));
  }
  bool isImmXLenLI() const {
    int64_t Number;
    if (constant(Number))
      return isInt<32>(Number) || isUInt<32>(Number);
    return isLowPart();
  }
  bool isBareSymbol() const { return isSymbolic(); }
  bool isCallSymbol() const {
    return Kind == KindTy::Symbol && specifier() == NPU::S_CALL_PLT;
  }
  bool isTPRelAddSymbol() const {
    return Kind == KindTy::Symbol && specifier() == NPU::S_TPREL_ADD;
  }
  bool isFenceArg() const { return Kind == KindTy::Fence; }
  bool isCSRSystemRegister() const { return Kind == KindTy::SysReg; }

  void addRegOperands(MCInst &Inst, unsigned) const {
    Inst.addOperand(MCOperand::createReg(Reg));
  }
  void addImmOperands(MCInst &Inst, unsigned) const {
    int64_t Number;
    if (!isa<MCSpecifierExpr>(Value) && Value->evaluateAsAbsolute(Number))
      Inst.addOperand(MCOperand::createImm(Number));
    else
      Inst.addOperand(MCOperand::createExpr(Value));
  }
  void addSImmOperands(MCInst &Inst, unsigned) const {
    int64_t Number;
    if (constant(Number))
      Inst.addOperand(MCOperand::createImm(asSigned(Number)));
    else
      Inst.addOperand(MCOperand::createExpr(Value));
  }

  void print(raw_ostream &OS, const MCAsmInfo &MAI) const override {
    switch (Kind) {
    case KindTy::Token:
      OS << '\'' << Token << '\'';
      return;
    case KindTy::Register:
      OS << "<register x" << Reg.id() - NPU::X0 << '>';
      return;
    default:
      MAI.printExpr(OS, *Value);
    }
  }

private:
  static std::unique_ptr<NPUOperand> createExpr(KindTy Kind,
                                                const MCExpr *Value,
                                                SMLoc Start, SMLoc End) {
    auto Op = std::make_unique<NPUOperand>(Kind, Start, End);
    Op->Value = Value;
    return Op;
  }
};

} // namespace llvm

#endif
