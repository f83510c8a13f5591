// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUVectorTail.cpp - the last, partial iteration of vector loops ---===//
//
// The loop vectorizer folds the tail into the loop: every iteration computes a mask of
// the lanes that are left, and all accesses are masked. Only the last iteration needs
// that. This pass splits the loop
//
//   do { mask = active.lane.mask(i, n); body(mask); i += VF; } while (i != roundup(n));
//
// into one of full vectors and at most one masked iteration:
//
//   for (; i != rounddown(n); i += VF) body(all lanes);
//   if (i != n) body(active.lane.mask(i, n));
//
// Pointers and indices that the code behind the loop wants are elements of vectors of all
// their values in the last iteration. They are computed from the first one instead.
//
//===----------------------------------------------------------------------===//

#include "NPUVectorTail.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace PatternMatch;

namespace {

// A loop of one block whose tail is folded.
struct FoldedLoop {
  BasicBlock *Preheader, *Body, *Exit;
  PHINode *Index;
  Value *Next;  // the index of the next iteration
  Value *Count; // the number of lanes that are active over all iterations
  unsigned Lanes;
  SmallVector<IntrinsicInst *, 2> Masks;
};

} // namespace

// Whether the loop's end is the count, rounded up to whole vectors.
static bool isRoundedUp(Value *End, Value *Count, unsigned Lanes,
                        ScalarEvolution &SE) {
  if (End->getType() != Count->getType())
    return false;
  const APInt *EndValue, *CountValue;
  if (match(Count, m_APInt(CountValue)))
    return match(End, m_APInt(EndValue)) && !CountValue->isZero() &&
           (*CountValue + (Lanes - 1)).udiv(Lanes) * Lanes == *EndValue;
  Value *Sum;
  APInt Mask = -APInt(Count->getType()->getIntegerBitWidth(), Lanes);
  return match(End, m_And(m_Value(Sum), m_SpecificInt(Mask))) &&
         SE.getMinusSCEV(SE.getSCEV(Sum), SE.getSCEV(Count)) ==
             SE.getConstant(Count->getType(), Lanes - 1);
}

static std::optional<FoldedLoop> matchFoldedLoop(Loop &L, ScalarEvolution &SE) {
  FoldedLoop F;
  F.Preheader = L.getLoopPreheader();
  F.Body = L.getHeader();
  F.Exit = L.getUniqueExitBlock();
  if (L.getNumBlocks() != 1 || !F.Preheader || !F.Exit ||
      !isa<BranchInst>(F.Preheader->getTerminator()) || L.getExitingBlock() != F.Body)
    return std::nullopt;

  Value *End;
  CmpPredicate Predicate;
  BasicBlock *IfTrue, *IfFalse;
  if (!match(F.Body->getTerminator(),
             m_Br(m_ICmp(Predicate, m_Value(F.Next), m_Value(End)),
                  m_BasicBlock(IfTrue), m_BasicBlock(IfFalse))) ||
      Predicate != CmpInst::ICMP_EQ || IfTrue != F.Exit || !L.isLoopInvariant(End))
    return std::nullopt;

  F.Lanes = 0;
  for (Instruction &I : *F.Body) {
    auto *Mask = dyn_cast<IntrinsicInst>(&I);
    if (!Mask || Mask->getIntrinsicID() != Intrinsic::get_active_lane_mask)
      continue;
    auto *Index = dyn_cast<PHINode>(Mask->getArgOperand(0));
    auto *Ty = dyn_cast<FixedVectorType>(Mask->getType());
    if (!Index || !Ty || Index->getParent() != F.Body)
      return std::nullopt;
    if (F.Masks.empty()) {
      F.Index = Index;
      F.Count = Mask->getArgOperand(1);
      F.Lanes = Ty->getNumElements();
    }
    if (F.Index != Index || F.Count != Mask->getArgOperand(1) ||
        F.Lanes != Ty->getNumElements())
      return std::nullopt;
    F.Masks.push_back(Mask);
  }
  if (F.Masks.empty() || !isPowerOf2_32(F.Lanes) || !L.isLoopInvariant(F.Count) ||
      !match(F.Index->getIncomingValueForBlock(F.Preheader), m_ZeroInt()) ||
      F.Index->getIncomingValueForBlock(F.Body) != F.Next ||
      !match(F.Next, m_Add(m_Specific(F.Index), m_SpecificInt(F.Lanes))) ||
      !isRoundedUp(End, F.Count, F.Lanes, SE))
    return std::nullopt;
  return F;
}

// What the unroller shall do with the loop of full vectors: its iterations are short
// beside the branch, so a few of them at a time.
static MDNode *getUnrollHint(const FoldedLoop &F) {
  unsigned Size = count_if(*F.Body, [](const Instruction &I) {
    return !isa<PHINode, GetElementPtrInst>(I) && !I.isTerminator();
  });
  unsigned Count = Size <= 12 ? 4 : Size <= 30 ? 2 : 1;
  MDNode *Old = F.Body->getTerminator()->getMetadata(LLVMContext::MD_loop);
  if (Old && GetUnrollMetadata(Old, "llvm.loop.unroll.disable"))
    Count = 1;
  LLVMContext &Context = F.Body->getContext();
  auto Hint = [&](StringRef Name, unsigned Value) {
    return MDNode::get(Context, {MDString::get(Context, Name),
                                 ConstantAsMetadata::get(ConstantInt::get(
                                     Type::getInt32Ty(Context), Value))});
  };
  MDNode *ID = MDNode::getDistinct(
      Context, {nullptr, Hint("llvm.loop.isvectorized", 1),
                Hint("llvm.loop.unroll.count", Count)});
  ID->replaceOperandWith(0, ID);
  return ID;
}

static void splitTail(FoldedLoop &F) {
  LLVMContext &Context = F.Body->getContext();
  Function *Fn = F.Body->getParent();
  MDNode *Hint = getUnrollHint(F);
  auto *Check = BasicBlock::Create(Context, F.Body->getName() + ".full.end", Fn, F.Exit);
  ValueToValueMapTy Map;
  BasicBlock *Tail = CloneBasicBlock(F.Body, Map, ".tail", Fn);
  Tail->moveBefore(F.Exit);

  // The end of the full vectors; there may be none.
  IRBuilder<> Builder(F.Preheader->getTerminator());
  Type *IndexTy = F.Index->getType();
  Value *FullEnd = Builder.CreateAnd(
      F.Count, ConstantInt::getSigned(IndexTy, -int64_t(F.Lanes)), "full.end");
  Value *IsShort = Builder.CreateICmpEQ(FullEnd, ConstantInt::get(IndexTy, 0));
  Builder.CreateCondBr(IsShort, Check, F.Body);
  F.Preheader->getTerminator()->eraseFromParent();

  auto *Branch = cast<BranchInst>(F.Body->getTerminator());
  Builder.SetInsertPoint(Branch);
  Branch->setCondition(Builder.CreateICmpEQ(F.Next, FullEnd));
  Branch->setSuccessor(0, Check);
  Branch->setMetadata(LLVMContext::MD_loop, Hint);

  // What the tail starts with, and what is left when there is none.
  Builder.SetInsertPoint(Check);
  DenseMap<Value *, PHINode *> Merged;
  auto Merge = [&](Value *First, Value *Last) {
    PHINode *Phi = Builder.CreatePHI(Last->getType(), 2);
    Phi->addIncoming(First, F.Preheader);
    Phi->addIncoming(Last, F.Body);
    return Phi;
  };
  for (PHINode &Phi : F.Body->phis()) {
    Value *Last = Phi.getIncomingValueForBlock(F.Body);
    PHINode *Start = Merge(Phi.getIncomingValueForBlock(F.Preheader), Last);
    Merged[Last] = Start;
    auto *Copy = cast<PHINode>(Map[&Phi]);
    Copy->replaceAllUsesWith(Start);
    Copy->eraseFromParent();
    Map[&Phi] = Start;
  }
  for (Instruction &I : *Tail) {
    RemapFlags Flags = RF_IgnoreMissingLocals | RF_NoModuleLevelChanges;
    RemapInstruction(&I, Map, Flags);
    RemapDbgRecordRange(Fn->getParent(), I.getDbgRecordRange(), Map, Flags);
  }

  for (PHINode &Phi : F.Exit->phis()) {
    Value *FromFull = Phi.getIncomingValueForBlock(F.Body), *FromTail = FromFull;
    if (auto *I = dyn_cast<Instruction>(FromFull); I && I->getParent() == F.Body) {
      PHINode *&Last = Merged[I];
      // Without full vectors there is a tail, and nobody asks.
      if (!Last)
        Last = Merge(PoisonValue::get(I->getType()), I);
      FromFull = Last;
      FromTail = Map[I];
    }
    Phi.removeIncomingValue(F.Body, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(FromFull, Check);
    Phi.addIncoming(FromTail, Tail);
  }
  Value *IsDone = Builder.CreateICmpEQ(FullEnd, F.Count);
  Builder.CreateCondBr(IsDone, F.Exit, Tail);

  Tail->getTerminator()->eraseFromParent();
  Builder.SetInsertPoint(Tail);
  Builder.CreateBr(F.Exit);

  // The tail has its own copies.
  for (IntrinsicInst *Mask : F.Masks)
    Mask->replaceAllUsesWith(ConstantInt::getTrue(Mask->getType()));
}

// What a value is in the loop that it comes from.
static Value *skipExitPhi(Value *V) {
  auto *Phi = dyn_cast<PHINode>(V);
  return Phi && Phi->getNumIncomingValues() == 1 ? Phi->getIncomingValue(0) : V;
}

// The number of lanes that are active in the last iteration follows from the count.
static void replaceLaneCount(const FoldedLoop &F) {
  for (Instruction &I : make_early_inc_range(*F.Exit)) {
    auto *Lanes = dyn_cast<IntrinsicInst>(&I);
    Value *Mask;
    if (!Lanes || Lanes->getIntrinsicID() != Intrinsic::experimental_cttz_elts ||
        !match(skipExitPhi(Lanes->getArgOperand(0)), m_Not(m_Value(Mask))) ||
        !is_contained(F.Masks, skipExitPhi(Mask)))
      continue;
    IRBuilder<> Builder(Lanes);
    Value *Active = Builder.CreateSub(F.Count, F.Index, "active");
    Lanes->replaceAllUsesWith(Builder.CreateZExtOrTrunc(Active, Lanes->getType()));
    Lanes->eraseFromParent();
  }
}

// The elements of a vector that is put together of scalars.
static bool collectElements(Value *V, SmallVectorImpl<Value *> &Elements) {
  unsigned Missing = Elements.size();
  Value *Rest, *Element;
  uint64_t Lane;
  for (; Missing; V = Rest) {
    if (!match(skipExitPhi(V), m_InsertElt(m_Value(Rest), m_Value(Element), m_ConstantInt(Lane))) ||
        Lane >= Elements.size())
      return false;
    if (!Elements[Lane]) {
      Elements[Lane] = Element;
      --Missing;
    }
  }
  return true;
}

// An element, chosen at run time, of a vector whose elements lie at equal distances.
static Value *computeElement(ExtractElementInst &Extract, ScalarEvolution &SE) {
  auto *Ty = cast<VectorType>(Extract.getVectorOperandType());
  if (Ty->getElementCount().isScalable() || isa<Constant>(Extract.getIndexOperand()) ||
      !SE.isSCEVable(Extract.getType()))
    return nullptr;
  SmallVector<Value *, 64> Elements(Ty->getElementCount().getFixedValue());
  if (Elements.size() < 2 || !collectElements(Extract.getVectorOperand(), Elements))
    return nullptr;
  const SCEV *First = SE.getSCEV(Elements[0]);
  auto *Step = dyn_cast<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(Elements[1]), First));
  if (!Step)
    return nullptr;
  for (auto [Lane, Element] : enumerate(Elements))
    if (SE.getMinusSCEV(SE.getSCEV(Element), First) !=
        SE.getMulExpr(Step, SE.getConstant(Step->getType(), Lane)))
      return nullptr;
  IRBuilder<> Builder(&Extract);
  Value *Lane = Builder.CreateZExtOrTrunc(Extract.getIndexOperand(), Step->getType());
  Value *Distance = Builder.CreateMul(Lane, Step->getValue());
  return Extract.getType()->isPointerTy() ? Builder.CreatePtrAdd(Elements[0], Distance)
                                          : Builder.CreateAdd(Elements[0], Distance);
}

static bool computeElements(Function &Fn, ScalarEvolution &SE) {
  SmallVector<ExtractElementInst *, 4> Extracts;
  for (Instruction &I : instructions(Fn))
    if (auto *Extract = dyn_cast<ExtractElementInst>(&I))
      Extracts.push_back(Extract);
  bool Changed = false;
  for (ExtractElementInst *Extract : Extracts)
    if (Value *Element = computeElement(*Extract, SE)) {
      Extract->replaceAllUsesWith(Element);
      RecursivelyDeleteTriviallyDeadInstructions(Extract);
      Changed = true;
    }
  return Changed;
}

PreservedAnalyses NPUVectorTailPass::run(Function &Fn, FunctionAnalysisManager &AM) {
  // The loop as it is takes less code.
  if (Fn.hasOptSize())
    return PreservedAnalyses::all();
  auto &LI = AM.getResult<LoopAnalysis>(Fn);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(Fn);
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(Fn);
  bool Changed = computeElements(Fn, SE);
  SmallVector<FoldedLoop, 4> Loops;
  for (Loop *L : LI.getLoopsInPreorder())
    if (auto Folded = matchFoldedLoop(*L, SE)) {
      replaceLaneCount(*Folded);
      formLCSSA(*L, DT, &LI, &SE);
      Loops.push_back(std::move(*Folded));
    }
  for (FoldedLoop &Folded : Loops)
    splitTail(Folded);
  return Loops.empty() && !Changed ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
