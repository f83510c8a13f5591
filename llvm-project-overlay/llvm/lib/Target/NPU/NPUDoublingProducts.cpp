// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUDoublingProducts.cpp - fixed-point products for the vectorizer -===//
//
// Quantized networks multiply by factors in [-1, 1) with 31 fractional bits: twice the
// product of two words, rounded to its upper half. C code computes it in 64 bits:
//
//   (a * b + (a * b >= 0 ? 1 << 30 : 1 - (1 << 30))) / (1LL << 31)    truncating, or
//   (a * b + (1 << 30)) >> 31                                         which is the same,
//
// and may let the only product that does not fit, -1 * -1, saturate. Vectors have no
// elements of 64 bits, but v.dmulh does it all. In front of the loop vectorizer the pass
// replaces these by calls of a function that says what it is on vectors; behind it,
// NPUVectorIdioms replaces the calls, those on vectors by the instruction.
//
//===----------------------------------------------------------------------===//

#include "NPUDoublingProducts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace PatternMatch;

static constexpr StringLiteral ScalarName = "__npu_dmulh";
static constexpr StringLiteral VectorName = "__npu_dmulh_v16";
static constexpr unsigned Lanes = 16;

static FunctionCallee getDoublingProduct(Module &M, StringRef Name, Type *Ty) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, Ty, Ty, Ty);
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setSpeculatable();
  return Callee;
}

// The range of V while X is in the range given; V is arithmetic on X and constants.
static std::optional<ConstantRange> getRange(Value *V, Value *X, const ConstantRange &Range,
                                             unsigned Depth = 8) {
  if (V == X)
    return Range;
  const APInt *C;
  if (match(V, m_APInt(C)))
    return ConstantRange(*C);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 0)
    return std::nullopt;
  if (isa<SExtInst, ZExtInst>(I)) {
    auto Source = getRange(I->getOperand(0), X, Range, Depth - 1);
    if (!Source)
      return std::nullopt;
    return Source->castOp(cast<CastInst>(I)->getOpcode(),
                          I->getType()->getScalarSizeInBits());
  }
  auto *Op = dyn_cast<BinaryOperator>(I);
  if (!Op)
    return std::nullopt;
  auto Left = getRange(Op->getOperand(0), X, Range, Depth - 1);
  auto Right = getRange(Op->getOperand(1), X, Range, Depth - 1);
  if (!Left || !Right)
    return std::nullopt;
  unsigned Wrap = 0;
  if (auto *Flags = dyn_cast<OverflowingBinaryOperator>(Op))
    Wrap = (Flags->hasNoSignedWrap() ? OverflowingBinaryOperator::NoSignedWrap : 0) |
           (Flags->hasNoUnsignedWrap() ? OverflowingBinaryOperator::NoUnsignedWrap : 0);
  return Left->overflowingBinaryOp(Op->getOpcode(), *Right, Wrap);
}

// Whether the condition tells products that are not negative from those that are not
// positive.
static bool isSignTest(Value *Condition, Value *Product) {
  CmpPredicate Predicate;
  Value *X;
  const APInt *Bound;
  if (!match(Condition, m_ICmp(Predicate, m_Value(X), m_APInt(Bound))))
    return false;
  auto IfTrue = getRange(Product, X, ConstantRange::makeExactICmpRegion(Predicate, *Bound));
  auto IfFalse = getRange(
      Product, X,
      ConstantRange::makeExactICmpRegion(CmpInst::getInversePredicate(Predicate), *Bound));
  return IfTrue && IfFalse && IfTrue->getSignedMin().isNonNegative() &&
         !IfFalse->getSignedMax().isStrictlyPositive();
}

namespace {
struct DoublingProduct {
  WeakTrackingVH A, B; // may be products themselves
  Value *Narrow;       // the low word of the quotient
};
} // namespace

static Value *getWord(Value *V, IRBuilderBase &Builder) {
  Value *Word;
  const APInt *C;
  if (match(V, m_APInt(C)))
    return C->isSignedIntN(32) ? Builder.getInt32(C->getSExtValue()) : nullptr;
  if (match(V, m_SExt(m_Value(Word))) && Word->getType()->getIntegerBitWidth() <= 32)
    return Word;
  return nullptr;
}

static std::optional<DoublingProduct> matchProduct(Value *V, IRBuilderBase &Builder) {
  Value *Product, *Condition, *Left, *Right;
  const int64_t Half = int64_t(1) << 30;
  bool Truncates =
      match(V, m_Trunc(m_SDiv(m_c_Add(m_Value(Product, m_Mul(m_Value(Left), m_Value(Right))),
                                      m_Select(m_Value(Condition), m_SpecificInt(Half),
                                               m_SpecificInt(1 - Half))),
                              m_SpecificInt(Half << 1))));
  if (Truncates) {
    if (!isSignTest(Condition, Product))
      return std::nullopt;
  } else if (!match(V, m_Trunc(m_Shr(m_c_Add(m_Value(Product, m_Mul(m_Value(Left),
                                                                    m_Value(Right))),
                                             m_SpecificInt(Half)),
                                     m_SpecificInt(31))))) {
    return std::nullopt;
  }
  if (!V->getType()->isIntegerTy(32) || !Product->getType()->isIntegerTy(64))
    return std::nullopt;
  Value *A = getWord(Left, Builder), *B = getWord(Right, Builder);
  if (!A || !B)
    return std::nullopt;
  return DoublingProduct{A, B, V};
}

// Whether no product is -1 * -1.
static bool neverSaturates(const DoublingProduct &P) {
  auto IsNotLowest = [](const Value *V) {
    const APInt *C;
    return match(V, m_APInt(C)) ? !C->isMinSignedValue()
                                : V->getType()->getIntegerBitWidth() < 32;
  };
  return cast<TruncInst>(P.Narrow)->hasNoSignedWrap() || IsNotLowest(P.A) ||
         IsNotLowest(P.B);
}

// V as it is, or with the result of -1 * -1 replaced by the highest word.
static std::optional<DoublingProduct> matchSaturated(Instruction &V,
                                                     IRBuilderBase &Builder) {
  if (auto P = matchProduct(&V, Builder))
    return neverSaturates(*P) ? P : std::nullopt;
  Value *Condition, *Narrow, *X, *Y;
  CmpPredicate First, Second;
  const APInt Lowest = APInt::getSignedMinValue(32);
  if (!match(&V, m_Select(m_Value(Condition), m_SpecificInt(INT32_MAX), m_Value(Narrow))) ||
      !match(Condition, m_LogicalAnd(m_ICmp(First, m_Value(X), m_SpecificInt(Lowest)),
                                     m_ICmp(Second, m_Value(Y), m_SpecificInt(Lowest)))) ||
      First != ICmpInst::ICMP_EQ || Second != ICmpInst::ICMP_EQ)
    return std::nullopt;
  auto P = matchProduct(Narrow, Builder);
  if (!P || !((P->A == X && P->B == Y) || (P->A == Y && P->B == X)))
    return std::nullopt;
  return P;
}

PreservedAnalyses NPUDoublingProductsPass::run(Function &F, FunctionAnalysisManager &AM) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  SmallVector<std::pair<WeakTrackingVH, DoublingProduct>, 4> Found;
  IRBuilder<> Builder(F.getContext());
  for (Instruction &I : instructions(F))
    if (isa<TruncInst, SelectInst>(I) && LI.getLoopFor(I.getParent()))
      if (auto P = matchSaturated(I, Builder))
        Found.emplace_back(&I, *P);
  if (Found.empty())
    return PreservedAnalyses::all();

  Module &M = *F.getParent();
  Type *WordTy = Type::getInt32Ty(F.getContext());
  FunctionCallee Scalar = getDoublingProduct(M, ScalarName, WordTy);
  getDoublingProduct(M, VectorName, FixedVectorType::get(WordTy, Lanes));
  for (auto &[Handle, P] : Found) {
    auto *I = cast<Instruction>(Handle);
    Builder.SetInsertPoint(I);
    CallInst *Call = Builder.CreateCall(Scalar, {Builder.CreateSExt(P.A, WordTy),
                                                 Builder.CreateSExt(P.B, WordTy)});
    Call->addFnAttr(Attribute::get(
        F.getContext(), "vector-function-abi-variant",
        ("_ZGV_LLVM_N" + Twine(Lanes) + "vv_" + ScalarName + "(" + VectorName + ")").str()));
    I->replaceAllUsesWith(Call);
    RecursivelyDeleteTriviallyDeadInstructions(I);
  }
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

Value *NPUVector::expandDoublingProduct(CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || (Callee->getName() != VectorName && Callee->getName() != ScalarName))
    return nullptr;
  IRBuilder<> Builder(&Call);
  Value *A = Call.getArgOperand(0), *B = Call.getArgOperand(1);
  if (Callee->getName() == VectorName)
    return Builder.CreateIntrinsic(Intrinsic::npu_v_dmulh_w, {A, B});
  Type *WideTy = Builder.getInt64Ty();
  Value *Product = Builder.CreateNSWMul(Builder.CreateSExt(A, WideTy),
                                        Builder.CreateSExt(B, WideTy));
  Value *Sum = Builder.CreateNSWAdd(Product, Builder.getInt64(1 << 30));
  Value *Result = Builder.CreateTrunc(Builder.CreateAShr(Sum, 31), Builder.getInt32Ty());
  // Only one product is that high; a factor that is not the lowest word excludes it.
  Constant *Lowest = Builder.getInt32(INT32_MIN);
  if ((isa<Constant>(A) && A != Lowest) || (isa<Constant>(B) && B != Lowest))
    return Result;
  Value *IsLowest = Builder.CreateAnd(Builder.CreateICmpEQ(A, Lowest),
                                      Builder.CreateICmpEQ(B, Lowest));
  return Builder.CreateSelect(IsLowest, Builder.getInt32(INT32_MAX), Result);
}
