// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUVectorIdioms.cpp - instructions that take several operations ---===//
//
// Partial reductions of products become dot products, gathers from tables of 256 bytes
// lookups, rounded divisions by powers of two shifts; averages and the like no longer
// widen their operands. Runs behind the vectorizer, whose costs promise some of these,
// and once more in front of instruction selection, for which no partial reduction may be
// left and masks must be what they are in registers.
//
//===----------------------------------------------------------------------===//

#include "NPUVectorIdioms.h"
#include "NPU.h"
#include "NPUDoublingProducts.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNPU.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace PatternMatch;

#define DEBUG_TYPE "npu-vector-idioms"

static constexpr unsigned TableBytes = 256;

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

namespace {
// A vector of whole registers before it was extended.
struct Extended {
  Value *Narrow;
  bool IsSigned;
};
} // namespace

static std::optional<Extended> matchExtended(Value *V) {
  Value *Narrow;
  if (match(V, m_SExt(m_Value(Narrow))))
    return Extended{Narrow, true};
  if (match(V, m_ZExt(m_Value(Narrow))))
    return Extended{Narrow, false};
  return std::nullopt;
}

// The vector with zeros where the mask is false. A masked load gives zeros by itself.
static Value *applyMask(Value *Mask, Value *V, IRBuilderBase &Builder) {
  auto *Load = dyn_cast<IntrinsicInst>(V);
  Constant *Zero = Constant::getNullValue(V->getType());
  if (Load && Load->getIntrinsicID() == Intrinsic::masked_load &&
      Load->getArgOperand(1) == Mask) {
    if (match(Load->getArgOperand(2), m_Undef()))
      Load->setArgOperand(2, Zero);
    if (Load->getArgOperand(2) == Zero)
      return V;
  }
  return Builder.CreateSelect(Mask, V, Zero);
}

// Sum + the products of neighbours, or + the neighbours themselves.
static Value *buildDot(IntrinsicInst &Reduce, IRBuilderBase &Builder) {
  Value *Sum = Reduce.getArgOperand(0), *Input = Reduce.getArgOperand(1);
  Value *Mask = nullptr;
  match(Input, m_Select(m_Value(Mask), m_Value(Input), m_Zero()));
  Value *A, *B = nullptr;
  if (!match(Input, m_Mul(m_Value(A), m_Value(B))))
    A = Input;
  auto X = matchExtended(A);
  if (!X)
    return nullptr;
  auto *Ty = cast<FixedVectorType>(X->Narrow->getType());
  bool IsBytes = Ty->getScalarSizeInBits() == 8;
  if (Ty->getPrimitiveSizeInBits() != 512 ||
      !(IsBytes || Ty->getScalarSizeInBits() == 16) ||
      Sum->getType() != FixedVectorType::get(Builder.getInt32Ty(), 16))
    return nullptr;

  std::optional<Extended> Y = B ? matchExtended(B) : std::nullopt;
  if (Y && Y->Narrow->getType() != Ty)
    return nullptr;
  if (!Y) {
    // A constant factor that fits, or one.
    const APInt *Factor;
    APInt One(32, 1);
    if (!B)
      Factor = &One;
    else if (!match(B, m_APInt(Factor)))
      return nullptr;
    unsigned Bits = Ty->getScalarSizeInBits();
    bool IsSigned = Factor->isSignedIntN(Bits);
    if (!IsSigned && !Factor->isIntN(Bits))
      return nullptr;
    // Signed by unsigned factors change places; both signed where it may be.
    Y = Extended{ConstantInt::get(Ty, Factor->trunc(Bits)), IsSigned};
    if (!X->IsSigned && IsSigned && Factor->isIntN(Bits - 1))
      Y->IsSigned = false;
  }
  if (Mask)
    X->Narrow = applyMask(Mask, X->Narrow, Builder);
  if (X->IsSigned && !Y->IsSigned)
    std::swap(*X, *Y);
  Intrinsic::ID ID =
      X->IsSigned
          ? IsBytes ? Intrinsic::npu_v_dot_b : Intrinsic::npu_v_dot_h
      : Y->IsSigned ? IsBytes ? Intrinsic::npu_v_dotus_b : Intrinsic::npu_v_dotus_h
      : IsBytes     ? Intrinsic::npu_v_dotu_b
                    : Intrinsic::npu_v_dotu_h;
  return Builder.CreateIntrinsic(ID, {Sum, X->Narrow, Y->Narrow});
}

// Sum + each part of the input that is as long as the sum.
static Value *buildPartialSum(IntrinsicInst &Reduce, IRBuilderBase &Builder) {
  Value *Sum = Reduce.getArgOperand(0), *Input = Reduce.getArgOperand(1);
  int Lanes = cast<FixedVectorType>(Sum->getType())->getNumElements();
  int InputLanes = cast<FixedVectorType>(Input->getType())->getNumElements();
  SmallVector<int, 16> Part(Lanes);
  for (int First = 0; First < InputLanes; First += Lanes) {
    std::iota(Part.begin(), Part.end(), First);
    Sum = Builder.CreateAdd(Sum, Builder.CreateShuffleVector(Input, Part));
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

std::optional<NPUVector::TableEntry> NPUVector::matchTableEntry(Value *Pointer,
                                                                const DataLayout &DL) {
  auto *GEP = dyn_cast<GetElementPtrInst>(Pointer);
  // A constant part of the index may come last.
  int Constant = 0;
  const APInt *Step;
  if (GEP && GEP->getNumIndices() == 1 && GEP->getResultElementType()->isIntegerTy(8) &&
      match(GEP->getOperand(1), m_APInt(Step)) && Step->abs().ult(1 << 20)) {
    Constant = Step->getSExtValue();
    GEP = dyn_cast<GetElementPtrInst>(GEP->getPointerOperand());
  }
  if (!GEP || GEP->getNumIndices() > 2 || GEP->getPointerOperand()->getType()->isVectorTy())
    return std::nullopt;
  // &Table[Index], with the table as bytes or as an array of them.
  Type *ElementTy = GEP->getResultElementType();
  if (!ElementTy->isIntegerTy(8) ||
      (GEP->getNumIndices() == 2 && !match(GEP->getOperand(1), m_Zero())))
    return std::nullopt;
  TableEntry Entry{GEP->getPointerOperand(), Constant, nullptr, true};
  Value *Index = GEP->getOperand(GEP->getNumIndices());
  if (match(Index, m_SExt(m_Value(Entry.Index))))
    Entry.Offset -= 128;
  else if (match(Index, m_ZExt(m_Value(Entry.Index))))
    Entry.IsSigned = false;
  else if (!match(Index, m_Add(m_SExt(m_Value(Entry.Index)), m_SpecificInt(128))))
    return std::nullopt;
  if (!Entry.Index->getType()->isIntOrIntVectorTy(8))
    return std::nullopt;

  APInt Offset(DL.getIndexTypeSizeInBits(Entry.Table->getType()), Entry.Offset,
               /*isSigned=*/true);
  const Value *Base = Entry.Table->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  bool CanBeNull, CanBeFreed;
  uint64_t Bytes = Base->getPointerDereferenceableBytes(DL, CanBeNull, CanBeFreed);
  if (CanBeNull || Offset.isNegative() || Offset.getZExtValue() + TableBytes > Bytes)
    return std::nullopt;
  return Entry;
}

static Value *buildLookup(IntrinsicInst &Gather, IRBuilderBase &Builder) {
  Type *BytesTy = FixedVectorType::get(Builder.getInt8Ty(), 64);
  if (Gather.getType() != BytesTy)
    return nullptr;
  auto Entry = NPUVector::matchTableEntry(Gather.getArgOperand(0),
                                          Gather.getDataLayout());
  if (!Entry || Entry->Index->getType() != BytesTy)
    return nullptr;
  Value *Index = Entry->Index;
  if (Entry->IsSigned)
    Index = Builder.CreateXor(Index, ConstantInt::get(BytesTy, 128));
  auto Quarter = [&](unsigned Q) {
    Value *Address = Builder.CreateInBoundsGEP(
        Builder.getInt8Ty(), Entry->Table,
        ConstantInt::getSigned(Builder.getInt32Ty(), Entry->Offset + 64 * int(Q)));
    LoadInst *Load = Builder.CreateAlignedLoad(BytesTy, Address, Align(1));
    Load->setAAMetadata(Gather.getAAMetadata());
    return Load;
  };
  // The lanes that the mask leaves out read from the table, too.
  Value *Result =
      Builder.CreateIntrinsic(Intrinsic::npu_v_perm, {Index, Quarter(0)});
  static constexpr Intrinsic::ID Lookups[] = {
      Intrinsic::npu_v_lut1, Intrinsic::npu_v_lut2, Intrinsic::npu_v_lut3};
  for (unsigned Q = 1; Q < 4; ++Q)
    Result = Builder.CreateIntrinsic(Lookups[Q - 1], {Result, Index, Quarter(Q)});
  Value *Others = Gather.getArgOperand(2);
  if (!match(Others, m_Undef()))
    Result = Builder.CreateSelect(Gather.getArgOperand(1), Result, Others);
  return Result;
}

//===----------------------------------------------------------------------===//
// Rounding shifts
//===----------------------------------------------------------------------===//

// x / 2^n, rounded half away from zero: (x >> n) + ((x & mask) > (mask >> 1) + (x < 0)).
static Value *buildRoundingShift(Instruction &I, IRBuilderBase &Builder) {
  auto *Ty = dyn_cast<FixedVectorType>(I.getType());
  if (!Ty || Ty->getPrimitiveSizeInBits() != 512)
    return nullptr;
  unsigned Bits = Ty->getScalarSizeInBits();
  Value *X;
  const APInt *Amount, *Mask, *Half;
  CmpPredicate Predicate;
  if (!match(&I, m_c_Add(m_AShr(m_Value(X), m_APInt(Amount)),
                         m_ZExt(m_ICmp(Predicate, m_And(m_Deferred(X), m_APInt(Mask)),
                                       m_c_Add(m_LShr(m_Deferred(X), m_SpecificInt(Bits - 1)),
                                               m_APInt(Half)))))) ||
      (Predicate != ICmpInst::ICMP_UGT && Predicate != ICmpInst::ICMP_SGT) ||
      !Amount->ult(Bits - 1) || Amount->isZero() ||
      *Mask != APInt::getLowBitsSet(Bits, Amount->getZExtValue()) ||
      *Half != Mask->lshr(1))
    return nullptr;
  Intrinsic::ID ID = Bits == 8    ? Intrinsic::npu_v_rdpot_b
                     : Bits == 16 ? Intrinsic::npu_v_rdpot_h
                                  : Intrinsic::npu_v_rdpot_w;
  return Builder.CreateIntrinsic(ID, {X, ConstantInt::get(Ty, *Amount)});
}

//===----------------------------------------------------------------------===//
// Arithmetic in wider elements
//===----------------------------------------------------------------------===//

// The two vectors of type Ty whose extensions, and One if wanted, V sums up.
static bool matchSum(Value *V, Type *Ty, bool WithOne, Extended (&Operands)[2]) {
  SmallVector<Value *, 3> Terms{V};
  for (unsigned I = 0; I < Terms.size() && Terms.size() <= 3;) {
    Value *X, *Y;
    if (match(Terms[I], m_Add(m_Value(X), m_Value(Y)))) {
      Terms[I] = X;
      Terms.push_back(Y);
    } else {
      ++I;
    }
  }
  unsigned Found = 0;
  bool HasOne = false;
  for (Value *Term : Terms) {
    auto E = matchExtended(Term);
    if (E && E->Narrow->getType() == Ty && Found < 2)
      Operands[Found++] = *E;
    else if (WithOne && !HasOne && match(Term, m_One()))
      HasOne = true;
    else
      return false;
  }
  return Found == 2 && HasOne == WithOne &&
         Operands[0].IsSigned == Operands[1].IsSigned;
}

// The larger element less the smaller one: x < y ? y - x : x - y.
static Value *buildDifference(Instruction &I, IRBuilderBase &Builder) {
  auto *Ty = dyn_cast<FixedVectorType>(I.getType());
  CmpPredicate Predicate;
  Value *X, *Y, *A, *B;
  if (!Ty || Ty->getPrimitiveSizeInBits() != 512 ||
      !match(&I, m_Select(m_ICmp(Predicate, m_Value(X), m_Value(Y)),
                          m_Sub(m_Value(A), m_Value(B)),
                          m_Sub(m_Deferred(B), m_Deferred(A)))) ||
      !CmpInst::isRelational(Predicate))
    return nullptr;
  bool IsSigned = CmpInst::isSigned(Predicate);
  CmpInst::Predicate P = CmpInst::getNonStrictPredicate(Predicate);
  if (A == X && B == Y)
    P = CmpInst::getSwappedPredicate(P);
  else if (A != Y || B != X)
    return nullptr;
  if (P != CmpInst::ICMP_SLE && P != CmpInst::ICMP_ULE)
    return nullptr;
  static constexpr Intrinsic::ID IDs[2][3] = {
      {Intrinsic::npu_v_absdu_b, Intrinsic::npu_v_absdu_h, Intrinsic::npu_v_absdu_w},
      {Intrinsic::npu_v_absd_b, Intrinsic::npu_v_absd_h, Intrinsic::npu_v_absd_w}};
  unsigned Width = Log2_32(Ty->getScalarSizeInBits() / 8);
  return Width < 3 ? Builder.CreateIntrinsic(IDs[IsSigned][Width], {X, Y}) : nullptr;
}

// Averages, absolute differences and saturated sums, whose intermediate values C code
// widens: here the root is the truncation.
static Value *buildNarrow(Instruction &I, IRBuilderBase &Builder) {
  auto *Ty = dyn_cast<FixedVectorType>(I.getType());
  if (!Ty || Ty->getPrimitiveSizeInBits() != 512 || Ty->getScalarSizeInBits() > 16)
    return nullptr;
  bool IsBytes = Ty->getScalarSizeInBits() == 8;
  Value *Wide = I.getOperand(0), *V;
  Extended X[2];
  if (match(Wide, m_Shr(m_Value(V), m_One())) && matchSum(V, Ty, /*WithOne=*/true, X)) {
    // Of unsigned elements the sum is not negative, of signed ones either shift will do
    // for the bits that are left.
    Intrinsic::ID ID = X[0].IsSigned
                           ? IsBytes ? Intrinsic::npu_v_avg_b : Intrinsic::npu_v_avg_h
                       : IsBytes ? Intrinsic::npu_v_avgu_b
                                 : Intrinsic::npu_v_avgu_h;
    return Builder.CreateIntrinsic(ID, {X[0].Narrow, X[1].Narrow});
  }
  Value *A, *B;
  if (match(Wide, m_Intrinsic<Intrinsic::abs>(m_Sub(m_Value(A), m_Value(B)), m_Value()))) {
    auto EA = matchExtended(A), EB = matchExtended(B);
    if (EA && EB && EA->IsSigned == EB->IsSigned && EA->Narrow->getType() == Ty &&
        EB->Narrow->getType() == Ty) {
      Intrinsic::ID ID = EA->IsSigned
                             ? IsBytes ? Intrinsic::npu_v_absd_b : Intrinsic::npu_v_absd_h
                         : IsBytes ? Intrinsic::npu_v_absdu_b
                                   : Intrinsic::npu_v_absdu_h;
      return Builder.CreateIntrinsic(ID, {EA->Narrow, EB->Narrow});
    }
  }
  APInt Highest = APInt::getLowBitsSet(Wide->getType()->getScalarSizeInBits(),
                                       Ty->getScalarSizeInBits());
  if (match(Wide, m_c_UMin(m_Value(V), m_SpecificInt(Highest))) &&
      matchSum(V, Ty, /*WithOne=*/false, X) && !X[0].IsSigned)
    return Builder.CreateBinaryIntrinsic(Intrinsic::uadd_sat, X[0].Narrow, X[1].Narrow);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static bool isMask(const Type *Ty) {
  const auto *VecTy = dyn_cast<FixedVectorType>(Ty);
  return VecTy && VecTy->getElementType()->isIntegerTy(1) &&
         is_contained({16u, 32u, 64u}, VecTy->getNumElements());
}

// A mask is all ones or all zeros in each element of a register: nothing may look at
// single bits of it, nor take them from elsewhere.
static Value *rewriteMask(Instruction &I, IRBuilderBase &Builder) {
  Value *V;
  if (isMask(I.getType()) && match(&I, m_Trunc(m_Value(V))))
    return Builder.CreateIsNotNull(
        Builder.CreateAnd(V, ConstantInt::get(V->getType(), 1)));
  // Any, none, all of the lanes.
  CmpPredicate Predicate;
  if (match(&I, m_ICmp(Predicate, m_BitCast(m_Value(V)), m_Zero())) &&
      ICmpInst::isEquality(Predicate) && isMask(V->getType())) {
    Value *Any = Builder.CreateOrReduce(V);
    return Predicate == ICmpInst::ICMP_NE ? Any : Builder.CreateNot(Any);
  }
  if (match(&I, m_ICmp(Predicate, m_BitCast(m_Value(V)), m_AllOnes())) &&
      ICmpInst::isEquality(Predicate) && isMask(V->getType())) {
    Value *All = Builder.CreateAndReduce(V);
    return Predicate == ICmpInst::ICMP_EQ ? All : Builder.CreateNot(All);
  }
  // In memory it is a number.
  auto NumberOf = [&](Type *Ty) {
    return Builder.getIntNTy(cast<FixedVectorType>(Ty)->getNumElements());
  };
  if (auto *Store = dyn_cast<StoreInst>(&I);
      Store && isMask(Store->getValueOperand()->getType()))
    Store->setOperand(0, Builder.CreateBitCast(Store->getValueOperand(),
                                               NumberOf(Store->getValueOperand()->getType())));
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && isMask(Load->getType())) {
    LoadInst *Number = Builder.CreateAlignedLoad(
        NumberOf(Load->getType()), Load->getPointerOperand(), Load->getAlign(),
        Load->isVolatile());
    return Builder.CreateBitCast(Number, Load->getType());
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static bool replaceIdioms(Function &F, bool IsLast) {
  SmallVector<WeakTrackingVH, 8> Candidates;
  for (Instruction &I : instructions(F))
    if (isa<CallInst>(I) ||
        (I.getType()->isVectorTy() &&
         (I.getOpcode() == Instruction::Add || isa<TruncInst, SelectInst>(I))))
      Candidates.push_back(&I);
  bool Changed = false;
  if (IsLast)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      IRBuilder<> Builder(&I);
      if (Value *New = rewriteMask(I, Builder)) {
        I.replaceAllUsesWith(New);
        I.eraseFromParent();
        Changed = true;
      }
    }
  for (const WeakTrackingVH &Handle : Candidates) {
    auto *I = cast_or_null<Instruction>(Handle);
    if (!I)
      continue;
    IRBuilder<> Builder(I);
    Value *New = nullptr;
    if (auto *II = dyn_cast<IntrinsicInst>(I)) {
      if (II->getIntrinsicID() == Intrinsic::masked_gather)
        New = buildLookup(*II, Builder);
      else if (II->getIntrinsicID() == Intrinsic::vector_partial_reduce_add &&
               !(New = buildDot(*II, Builder)) && IsLast)
        New = buildPartialSum(*II, Builder);
    } else if (auto *Call = dyn_cast<CallInst>(I)) {
      New = NPUVector::expandDoublingProduct(*Call);
    } else {
      New = isa<TruncInst>(I)    ? buildNarrow(*I, Builder)
            : isa<SelectInst>(I) ? buildDifference(*I, Builder)
                                 : buildRoundingShift(*I, Builder);
    }
    if (!New)
      continue;
    I->replaceAllUsesWith(New);
    RecursivelyDeleteTriviallyDeadInstructions(I);
    Changed = true;
  }
  return Changed;
}

PreservedAnalyses NPUVectorIdiomsPass::run(Function &F, FunctionAnalysisManager &) {
  if (!replaceIdioms(F, /*IsLast=*/false))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

namespace {
class NPUVectorIdioms : public FunctionPass {
public:
  static char ID;
  NPUVectorIdioms() : FunctionPass(ID) {}
  bool runOnFunction(Function &F) override { return replaceIdioms(F, /*IsLast=*/true); }
  void getAnalysisUsage(AnalysisUsage &AU) const override { AU.setPreservesCFG(); }
  StringRef getPassName() const override { return "NPU vector idioms"; }
};
} // namespace

char NPUVectorIdioms::ID = 0;
INITIALIZE_PASS(NPUVectorIdioms, DEBUG_TYPE, "NPU vector idioms", false, false)

FunctionPass *llvm::createNPUVectorIdioms() { return new NPUVectorIdioms(); }
