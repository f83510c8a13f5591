// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPULegalizerWide.cpp - legalization beyond double words -----------===//
//
// Operations for which the run-time library of a 32-bit machine has no functions of
// 128 bits: remainders and conversions from and to floating point.
//
//===----------------------------------------------------------------------===//

#include "NPULegalizerInfo.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/GlobalISel/Utils.h"

using namespace llvm;
using namespace TargetOpcode;

static const LLT s1 = LLT::scalar(1);
static const LLT s32 = LLT::scalar(32);
static const LLT s64 = LLT::scalar(64);
static const LLT s128 = LLT::scalar(128);

// The remainder by a small constant, word by word from the top: each step has that of
// the words so far. It is the distance of a funnel shift modulo the width.
bool NPULegalizerInfo::legalizeWideRemainder(MachineInstr &MI,
                                             MachineIRBuilder &B) const {
  auto [Dst, Dividend, Divisor] = MI.getFirst3Regs();
  LLT Ty = B.getMRI()->getType(Dst);
  auto Constant = getIConstantVRegValWithLookThrough(Divisor, *B.getMRI());
  if (!Constant || Constant->Value.isZero() || Constant->Value.getActiveBits() > 15)
    return false;
  uint32_t Modulus = Constant->Value.getZExtValue();

  LLT WholeWords = LLT::scalar(alignTo(Ty.getSizeInBits(), 32));
  auto Words = B.buildUnmerge(s32, B.buildZExtOrTrunc(WholeWords, Dividend));
  auto Modulo = B.buildConstant(s32, Modulus);
  auto Radix = B.buildConstant(s32, (uint64_t(1) << 32) % Modulus);
  Register Rest;
  for (unsigned I = WholeWords.getSizeInBits() / 32; I-- > 0;) {
    Register Word = B.buildURem(s32, Words.getReg(I), Modulo).getReg(0);
    Rest = !Rest ? Word
                 : B.buildURem(s32, B.buildAdd(s32, B.buildMul(s32, Rest, Radix), Word),
                               Modulo)
                       .getReg(0);
  }
  B.buildZExt(Dst, Rest);
  MI.eraseFromParent();
  return true;
}

// The significand, shifted to where the exponent says. What does not fit is undefined.
bool NPULegalizerInfo::legalizeWideFPToInt(MachineInstr &MI,
                                           MachineIRBuilder &B) const {
  auto [Dst, DstTy, Src, SrcTy] = MI.getFirst2RegLLTs();
  const unsigned Bits = SrcTy.getSizeInBits();
  const fltSemantics &Semantics = getFltSemanticForLLT(SrcTy);
  const unsigned Fraction = APFloat::semanticsPrecision(Semantics) - 1;
  const int Bias = APFloat::semanticsMaxExponent(Semantics);

  auto Exponent = B.buildAnd(
      s32, B.buildZExtOrTrunc(s32, B.buildLShr(SrcTy, Src, B.buildConstant(s32, Fraction))),
      B.buildConstant(s32, 2 * Bias + 1));
  auto Significand = B.buildOr(
      SrcTy,
      B.buildAnd(SrcTy, Src, B.buildConstant(SrcTy, APInt::getLowBitsSet(Bits, Fraction))),
      B.buildConstant(SrcTy, APInt::getOneBitSet(Bits, Fraction)));
  auto Left = B.buildSub(s32, Exponent, B.buildConstant(s32, Bias + Fraction));
  auto Right = B.buildSub(s32, B.buildConstant(s32, Bias + Fraction), Exponent);
  auto Large = B.buildShl(DstTy, B.buildZExtOrTrunc(DstTy, Significand), Left);
  auto Small = B.buildZExtOrTrunc(DstTy, B.buildLShr(SrcTy, Significand, Right));
  auto Zero = B.buildConstant(s32, 0);
  auto IsLarge = B.buildICmp(CmpInst::ICMP_SGE, s1, Left, Zero);
  auto IsFraction =
      B.buildICmp(CmpInst::ICMP_ULT, s1, Exponent, B.buildConstant(s32, Bias));
  auto Value = B.buildSelect(
      DstTy, IsLarge, Large,
      B.buildSelect(DstTy, IsFraction, B.buildConstant(DstTy, 0), Small));
  if (MI.getOpcode() == G_FPTOUI) {
    B.buildCopy(Dst, Value);
  } else {
    auto Sign = B.buildSExtOrTrunc(
        DstTy, B.buildAShr(SrcTy, Src, B.buildConstant(s32, Bits - 1)));
    B.buildSub(Dst, B.buildXor(DstTy, Value, Sign), Sign);
  }
  MI.eraseFromParent();
  return true;
}

// A magnitude of more than a double word is brought into one, in whose lowest bit stays
// whether anything was lost, so that the library rounds right; the exponent makes up
// for it. Quadruple precision holds each half exactly, and their sum is rounded once.
bool NPULegalizerInfo::legalizeWideIntToFP(MachineInstr &MI,
                                           MachineIRBuilder &B) const {
  auto [Dst, DstTy, Src, SrcTy] = MI.getFirst2RegLLTs();
  const unsigned Bits = DstTy.getSizeInBits();
  const unsigned Fraction =
      APFloat::semanticsPrecision(getFltSemanticForLLT(DstTy)) - 1;
  const bool IsSigned = MI.getOpcode() == G_SITOFP;

  Register Sign, Magnitude = Src;
  if (IsSigned) {
    Sign = B.buildAShr(s128, Src, B.buildConstant(s32, 127)).getReg(0);
    Magnitude = B.buildSub(s128, B.buildXor(s128, Src, Sign), Sign).getReg(0);
  }
  auto Halves = B.buildUnmerge(s64, Magnitude);
  Register High = Halves.getReg(1), Result;
  if (DstTy == s128) {
    auto Upper = B.buildAdd(s128, B.buildUITOFP(s128, High),
                            B.buildConstant(s128, APInt(128, 64).shl(Fraction)));
    auto Zero = B.buildConstant(s128, 0);
    auto IsZero = B.buildICmp(CmpInst::ICMP_EQ, s1, High, B.buildConstant(s64, 0));
    Result = B.buildFAdd(s128, B.buildSelect(s128, IsZero, Zero, Upper),
                         B.buildUITOFP(s128, Halves.getReg(0)))
                 .getReg(0);
  } else {
    auto Shift = B.buildSub(s32, B.buildConstant(s32, 64), B.buildCTLZ(s32, High));
    auto Top = B.buildTrunc(s64, B.buildLShr(s128, Magnitude, Shift));
    auto IsInexact =
        B.buildICmp(CmpInst::ICMP_NE, s1,
                    B.buildShl(s128, B.buildZExt(s128, Top), Shift), Magnitude);
    auto Rounded =
        B.buildUITOFP(DstTy, B.buildOr(s64, Top, B.buildZExt(s64, IsInexact)));
    Result = B.buildAdd(DstTy, Rounded,
                        B.buildShl(DstTy, B.buildZExtOrTrunc(DstTy, Shift),
                                   B.buildConstant(s32, Fraction)))
                 .getReg(0);
  }
  if (IsSigned)
    Result = B.buildOr(DstTy, Result,
                       B.buildAnd(DstTy, B.buildSExtOrTrunc(DstTy, Sign),
                                  B.buildConstant(DstTy, APInt::getSignMask(Bits))))
                 .getReg(0);
  B.buildCopy(Dst, Result);
  MI.eraseFromParent();
  return true;
}
