// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPULegalizerVector.cpp - legalization of vector operations --------===//
//
// What the rules in NPULegalizerInfo.cpp leave to code: conversions between vectors
// of the same number of lanes, which share a register layout (NPUVectorTypes.h), and
// the movement of elements, for which instructions have intrinsics.
//
//===----------------------------------------------------------------------===//

#include "NPULegalizerInfo.h"
#include "NPUVectorTypes.h"
#include "llvm/CodeGen/GlobalISel/GenericMachineInstrs.h"
#include "llvm/CodeGen/GlobalISel/LegalizerHelper.h"
#include "llvm/CodeGen/GlobalISel/MIPatternMatch.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/GlobalISel/Utils.h"
#include "llvm/CodeGen/MachineConstantPool.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsNPU.h"

using namespace llvm;
using namespace TargetOpcode;
using namespace MIPatternMatch;

static const LLT p0 = LLT::pointer(0, 32);
static const LLT s32 = LLT::scalar(32);
static const LLT v64s8 = LLT::fixed_vector(64, 8);

// Into a new register of the type, or into the one given: a copy behind it would hide
// it from the patterns.
static Register buildIntrinsic(MachineIRBuilder &B, Intrinsic::ID ID,
                               const DstOp &Result,
                               ArrayRef<Register> Operands) {
  MachineRegisterInfo &MRI = *B.getMRI();
  Register Dst = Result.getDstOpKind() == DstOp::DstType::Ty_Reg
                     ? Result.getReg()
                     : MRI.createGenericVirtualRegister(Result.getLLTTy(MRI));
  auto MIB = B.buildIntrinsic(ID, ArrayRef<Register>(Dst));
  for (Register Reg : Operands)
    MIB.addUse(Reg);
  return MIB.getReg(0);
}

// An intrinsic of bytes, halfwords and words.
struct ByWidth {
  Intrinsic::ID B, H, W;
  Intrinsic::ID of(LLT Ty) const {
    unsigned Bits = Ty.getScalarSizeInBits();
    return Bits == 8 ? B : Bits == 16 ? H : W;
  }
};
#define BY_WIDTH(NAME)                                                         \
  ByWidth {                                                                    \
    Intrinsic::npu_v_##NAME##_b, Intrinsic::npu_v_##NAME##_h,                  \
        Intrinsic::npu_v_##NAME##_w                                            \
  }

// The register that holds a vector of the same lanes.
static Register buildFull(MachineIRBuilder &B, Register Reg) {
  LLT Ty = B.getMRI()->getType(Reg);
  return NPUVector::isFull(Ty)
             ? Reg
             : B.buildAnyExt(NPUVector::getType(Ty.getNumElements()), Reg)
                   .getReg(0);
}

static Register buildWord(MachineIRBuilder &B, Register Reg) {
  return B.getMRI()->getType(Reg) == s32 ? Reg
                                         : B.buildAnyExt(s32, Reg).getReg(0);
}

// A part of a register is extended as it is taken out.
static std::optional<Intrinsic::ID> getExtensionOfPart(Register Part, bool IsSigned,
                                                       Register &Whole,
                                                       const MachineRegisterInfo &MRI) {
  const auto *Unmerge = getOpcodeDef<GUnmerge>(Part, MRI);
  if (!Unmerge || !NPUVector::isFull(MRI.getType(Unmerge->getSourceReg())) ||
      !MRI.getType(Part).isVector())
    return std::nullopt;
  static constexpr Intrinsic::ID Quarters[2][4] = {
      {Intrinsic::npu_v_zxq0_b, Intrinsic::npu_v_zxq1_b, Intrinsic::npu_v_zxq2_b,
       Intrinsic::npu_v_zxq3_b},
      {Intrinsic::npu_v_sxq0_b, Intrinsic::npu_v_sxq1_b, Intrinsic::npu_v_sxq2_b,
       Intrinsic::npu_v_sxq3_b}};
  static constexpr Intrinsic::ID Halves[2][2][2] = {
      {{Intrinsic::npu_v_zxlo_h, Intrinsic::npu_v_zxhi_h},
       {Intrinsic::npu_v_zxlo_b, Intrinsic::npu_v_zxhi_b}},
      {{Intrinsic::npu_v_sxlo_h, Intrinsic::npu_v_sxhi_h},
       {Intrinsic::npu_v_sxlo_b, Intrinsic::npu_v_sxhi_b}}};
  Whole = Unmerge->getSourceReg();
  bool IsBytes = MRI.getType(Whole).getNumElements() == 64;
  Register Taken = getDefIgnoringCopies(Part, MRI) == Unmerge
                       ? getSrcRegIgnoringCopies(Part, MRI)
                       : Register();
  for (unsigned I = 0, E = Unmerge->getNumDefs(); I < E; ++I)
    if (Unmerge->getReg(I) == Taken)
      return E == 4 ? Quarters[IsSigned][I] : Halves[IsSigned][IsBytes][I];
  return std::nullopt;
}

static bool legalizeExtension(MachineInstr &MI, MachineIRBuilder &B) {
  auto [Dst, DstTy, Src, SrcTy] = MI.getFirst2RegLLTs();
  unsigned Bits = SrcTy.getScalarSizeInBits();
  LLT FullTy = NPUVector::getType(DstTy.getNumElements());
  Register Whole;
  if (DstTy == FullTy && MI.getOpcode() != G_ANYEXT)
    if (auto ID = getExtensionOfPart(Src, MI.getOpcode() == G_SEXT, Whole,
                                     *B.getMRI())) {
      buildIntrinsic(B, *ID, Dst, {Whole});
      MI.eraseFromParent();
      return true;
    }
  Register Value = buildFull(B, Src);
  // A mask is all ones already.
  if (MI.getOpcode() == G_SEXT && Bits != 1)
    Value = B.buildSExtInReg(FullTy, Value, Bits).getReg(0);
  else if (MI.getOpcode() == G_ZEXT)
    Value = B.buildAnd(FullTy, Value,
                       B.buildConstant(FullTy, maskTrailingOnes<uint32_t>(Bits)))
                .getReg(0);
  if (DstTy == FullTy)
    B.buildCopy(Dst, Value);
  else
    B.buildTrunc(Dst, Value);
  MI.eraseFromParent();
  return true;
}

static bool legalizeSelect(MachineInstr &MI, MachineIRBuilder &B) {
  auto [Dst, DstTy, Cond, CondTy] = MI.getFirst2RegLLTs();
  Register Mask;
  if (CondTy.isVector()) {
    Mask = buildFull(B, Cond);
  } else {
    auto Ones = B.buildSExtInReg(s32, buildWord(B, Cond), 1);
    Mask = buildIntrinsic(B, BY_WIDTH(bcast).of(DstTy), DstTy, {Ones.getReg(0)});
  }
  B.buildSelect(Dst, Mask, MI.getOperand(2), MI.getOperand(3));
  MI.eraseFromParent();
  return true;
}

// A vector constant lies in memory.
static Register buildConstantVector(MachineIRBuilder &B, const DstOp &Result,
                                    ArrayRef<uint64_t> Elements) {
  MachineFunction &MF = B.getMF();
  LLT Ty = Result.getLLTTy(*B.getMRI());
  LLVMContext &Ctx = MF.getFunction().getContext();
  unsigned Bits = Ty.getScalarSizeInBits();
  Constant *C;
  auto Convert = [&](auto Zero) {
    SmallVector<decltype(Zero), 64> Values(Elements.begin(), Elements.end());
    return ConstantDataVector::get(Ctx, Values);
  };
  C = Bits == 8    ? Convert(uint8_t(0))
      : Bits == 16 ? Convert(uint16_t(0))
                   : Convert(uint32_t(0));
  Align Alignment(16);
  unsigned Index = MF.getConstantPool()->getConstantPoolIndex(C, Alignment);
  auto Address = B.buildConstantPool(p0, Index);
  return B
      .buildLoad(Result, Address,
                 *MF.getMachineMemOperand(
                     MachinePointerInfo::getConstantPool(MF),
                     MachineMemOperand::MOLoad | MachineMemOperand::MOInvariant |
                         MachineMemOperand::MODereferenceable,
                     Ty, Alignment))
      .getReg(0);
}

static bool legalizeBuildVector(MachineInstr &MI, MachineIRBuilder &B) {
  MachineRegisterInfo &MRI = *B.getMRI();
  Register Dst = MI.getOperand(0).getReg();
  LLT Ty = MRI.getType(Dst);
  SmallVector<Register, 64> Sources;
  for (const MachineOperand &MO : drop_begin(MI.operands()))
    Sources.push_back(MO.getReg());
  if (NPUVector::isMask(Ty)) {
    LLT FullTy = NPUVector::getType(Ty.getNumElements());
    DenseMap<Register, Register> Extended;
    for (Register &Source : Sources) {
      Register &E = Extended[Source];
      if (!E)
        E = B.buildSExt(FullTy.getElementType(), Source).getReg(0);
      Source = E;
    }
    B.buildTrunc(Dst, B.buildBuildVector(FullTy, Sources));
    MI.eraseFromParent();
    return true;
  }

  // Equal constants are one source; what is undefined may be what the others are.
  DenseMap<int64_t, Register> ConstantSources;
  SmallDenseMap<Register, unsigned> LanesOf;
  SmallVector<uint64_t, 64> Constants;
  Register Common;
  unsigned Defined = 0, Variable = 0;
  for (Register &Source : Sources) {
    Constants.push_back(0);
    if (getOpcodeDef(G_IMPLICIT_DEF, Source, MRI)) {
      Source = Register();
      continue;
    }
    ++Defined;
    if (auto Constant = getIConstantVRegValWithLookThrough(Source, MRI)) {
      Constants.back() = Constant->Value.getSExtValue();
      Source = ConstantSources.try_emplace(Constants.back(), Source).first->second;
    } else {
      ++Variable;
    }
    if (++LanesOf[Source] > (Common ? LanesOf[Common] : 0))
      Common = Source;
  }

  if (!Common) {
    B.buildUndef(Dst);
    MI.eraseFromParent();
    return true;
  }
  // One instruction for most lanes, and one for each of the others.
  bool FromMemory = Variable < Defined - LanesOf[Common];
  auto IsDone = [&](Register Source) {
    return !Source.isValid() ||
           (FromMemory ? getIConstantVRegValWithLookThrough(Source, MRI).has_value()
                       : Source == Common);
  };
  bool IsWhole = all_of(Sources, IsDone);
  DstOp First = IsWhole ? DstOp(Dst) : DstOp(Ty);
  Register Result =
      FromMemory ? buildConstantVector(B, First, Constants)
                 : buildIntrinsic(B, BY_WIDTH(bcast).of(Ty), First, {buildWord(B, Common)});
  if (!IsWhole) {
    for (auto [I, Source] : enumerate(Sources))
      if (!IsDone(Source))
        Result = buildIntrinsic(B, BY_WIDTH(insert).of(Ty), Ty,
                                {Result, buildWord(B, Source),
                                 B.buildConstant(s32, I).getReg(0)});
    B.buildCopy(Dst, Result);
  }
  MI.eraseFromParent();
  return true;
}

static Register buildExtract(MachineIRBuilder &B, Register Vector,
                             Register Index) {
  Register Full = buildFull(B, Vector);
  return buildIntrinsic(B, BY_WIDTH(extract).of(B.getMRI()->getType(Full)), s32,
                        {Full, Index});
}

static void buildTruncOrCopy(MachineIRBuilder &B, Register Dst, Register Src) {
  if (B.getMRI()->getType(Dst) == B.getMRI()->getType(Src))
    B.buildCopy(Dst, Src);
  else
    B.buildTrunc(Dst, Src);
}

static bool legalizeUnmerge(MachineInstr &MI, MachineIRBuilder &B) {
  auto &Unmerge = cast<GUnmerge>(MI);
  Register Source = Unmerge.getSourceReg();
  LLT PartTy = B.getMRI()->getType(Unmerge.getReg(0));
  if (PartTy.isVector()) {
    // The parts of the register, which has wider elements.
    Register Full = buildFull(B, Source);
    auto Parts = B.buildUnmerge(
        PartTy.changeElementSize(B.getMRI()->getType(Full).getScalarSizeInBits()), Full);
    for (unsigned I = 0; I < Unmerge.getNumDefs(); ++I)
      B.buildTrunc(Unmerge.getReg(I), Parts.getReg(I));
    MI.eraseFromParent();
    return true;
  }
  // The parts need not be as wide as the elements: casts disappear into what takes a vector apart.
  LLT Ty = B.getMRI()->getType(Source);
  unsigned NumParts = Unmerge.getNumDefs();
  if (NPUVector::isFull(Ty) && NPUVector::isLaneCount(NumParts)) {
    Ty = NPUVector::getType(NumParts);
    if (Ty != B.getMRI()->getType(Source))
      Source = B.buildBitcast(Ty, Source).getReg(0);
  }
  const bool IsElement = PartTy == Ty.getElementType();
  SmallVector<Register, 64> Elements;
  for (unsigned I = 0; I < Ty.getNumElements(); ++I) {
    Elements.push_back(IsElement ? Unmerge.getReg(I)
                                 : B.getMRI()->createGenericVirtualRegister(Ty.getElementType()));
    buildTruncOrCopy(B, Elements.back(),
                     buildExtract(B, Source, B.buildConstant(s32, I).getReg(0)));
  }
  if (!IsElement) {
    const unsigned PerPart = std::max<unsigned>(Elements.size() / NumParts, 1);
    const unsigned PerElement = std::max<unsigned>(NumParts / Elements.size(), 1);
    for (unsigned I = 0; I < NumParts; ++I) {
      if (PerElement == 1) {
        B.buildMergeLikeInstr(Unmerge.getReg(I),
                              ArrayRef(Elements).slice(I * PerPart, PerPart));
      } else if (I % PerElement == 0) {
        SmallVector<Register, 4> Parts;
        for (unsigned Part = 0; Part < PerElement; ++Part)
          Parts.push_back(Unmerge.getReg(I + Part));
        B.buildUnmerge(Parts, Elements[I / PerElement]);
      }
    }
  }
  MI.eraseFromParent();
  return true;
}

// Of a vector of several registers each stays what it is; others go through memory, whose bytes tell what the
// elements of another width are.
static bool legalizeBitcast(LegalizerHelper &Helper, MachineInstr &MI) {
  MachineIRBuilder &B = Helper.MIRBuilder;
  auto [Dst, DstTy, Src, SrcTy] = MI.getFirst2RegLLTs();
  if (NPUVector::isLong(DstTy) && NPUVector::isLong(SrcTy)) {
    auto PartOf = [](LLT Ty) {
      return NPUVector::getType(NPUVector::RegisterBits / Ty.getScalarSizeInBits());
    };
    auto Parts = B.buildUnmerge(PartOf(SrcTy), Src);
    SmallVector<Register, 8> Casts;
    for (unsigned I = 0, E = Parts->getNumOperands() - 1; I < E; ++I)
      Casts.push_back(B.buildBitcast(PartOf(DstTy), Parts.getReg(I)).getReg(0));
    B.buildConcatVectors(Dst, Casts);
  } else {
    Helper.createStackStoreLoad(Dst, Src);
  }
  MI.eraseFromParent();
  return true;
}

// Parts whose elements are narrower than those of the whole's register.
static bool legalizeConcat(MachineInstr &MI, MachineIRBuilder &B) {
  MachineRegisterInfo &MRI = *B.getMRI();
  Register Dst = MI.getOperand(0).getReg();
  LLT FullTy = NPUVector::getType(MRI.getType(Dst).getNumElements());
  SmallVector<Register, 4> Parts;
  for (const MachineOperand &MO : drop_begin(MI.operands()))
    Parts.push_back(B.buildAnyExt(MRI.getType(MO.getReg()).changeElementSize(
                                      FullTy.getScalarSizeInBits()),
                                  MO.getReg())
                        .getReg(0));
  B.buildTrunc(Dst, B.buildConcatVectors(FullTy, Parts));
  MI.eraseFromParent();
  return true;
}

// Any two sources: bytes are looked up by number.
static bool legalizeShuffle(MachineInstr &MI, MachineIRBuilder &B) {
  Register Dst = MI.getOperand(0).getReg();
  LLT Ty = B.getMRI()->getType(Dst);
  ArrayRef<int> Mask = MI.getOperand(3).getShuffleMask();
  unsigned Lanes = Ty.getNumElements(), Bytes = Ty.getScalarSizeInBits() / 8;
  Register A = MI.getOperand(1).getReg(), C = MI.getOperand(2).getReg();
  if (!NPUVector::isFull(Ty)) {
    LLT FullTy = NPUVector::getType(Lanes);
    B.buildTrunc(Dst, B.buildShuffleVector(FullTy, buildFull(B, A), buildFull(B, C), Mask));
    MI.eraseFromParent();
    return true;
  }

  const int *First = find_if(Mask, [](int M) { return M >= 0; });
  if (First != Mask.end() &&
      all_of(Mask, [&](int M) { return M < 0 || M == *First; })) {
    Register Source = unsigned(*First) < Lanes ? A : C, Element;
    int64_t Lane = *First % Lanes;
    // What was put there only for this need not go through a vector.
    if (!mi_match(Source, *B.getMRI(),
                  m_GInsertVecElt(m_Reg(), m_Reg(Element), m_SpecificICst(Lane))))
      Element = buildExtract(B, Source, B.buildConstant(s32, Lane).getReg(0));
    buildIntrinsic(B, BY_WIDTH(bcast).of(Ty), Dst, {buildWord(B, Element)});
    MI.eraseFromParent();
    return true;
  }

  SmallVector<uint64_t, 64> Index;
  bool UsesSecond = false;
  for (int M : Mask) {
    UsesSecond |= M >= int(Lanes);
    for (unsigned Byte = 0; Byte < Bytes; ++Byte)
      Index.push_back(M < 0 ? Byte : M * Bytes + Byte);
  }
  auto AsBytes = [&](Register Reg) {
    return Ty == v64s8 ? Reg : B.buildBitcast(v64s8, Reg).getReg(0);
  };
  Register IndexReg = buildConstantVector(B, v64s8, Index);
  Register Result =
      buildIntrinsic(B, Intrinsic::npu_v_perm, v64s8, {IndexReg, AsBytes(A)});
  if (UsesSecond)
    Result = buildIntrinsic(
        B, Intrinsic::npu_v_lut1, v64s8,
        {Result, IndexReg, AsBytes(C)});
  if (Ty == v64s8)
    B.buildCopy(Dst, Result);
  else
    B.buildBitcast(Dst, Result);
  MI.eraseFromParent();
  return true;
}

static bool legalizeReduction(MachineInstr &MI, MachineIRBuilder &B) {
  static constexpr std::pair<unsigned, ByWidth> Kinds[] = {
      {G_VECREDUCE_ADD, BY_WIDTH(redsum)},
      {G_VECREDUCE_AND, BY_WIDTH(redand)},
      {G_VECREDUCE_OR, BY_WIDTH(redor)},
      {G_VECREDUCE_XOR, BY_WIDTH(redxor)},
      {G_VECREDUCE_SMAX, BY_WIDTH(redmax)},
      {G_VECREDUCE_SMIN, BY_WIDTH(redmin)},
      {G_VECREDUCE_UMAX, BY_WIDTH(redmaxu)},
      {G_VECREDUCE_UMIN, BY_WIDTH(redminu)}};
  Register Source = MI.getOperand(1).getReg();
  unsigned Wanted = MI.getOpcode();
  if (NPUVector::isMask(B.getMRI()->getType(Source))) {
    // True is -1, or the highest unsigned value.
    Source = buildFull(B, Source);
    if (Wanted == G_VECREDUCE_ADD)
      Wanted = G_VECREDUCE_XOR;
  }
  for (auto [Opcode, IDs] : Kinds)
    if (Wanted == Opcode)
      buildTruncOrCopy(B, MI.getOperand(0).getReg(),
                       buildIntrinsic(B, IDs.of(B.getMRI()->getType(Source)), s32,
                                      {Source}));
  MI.eraseFromParent();
  return true;
}

// Whether all users of a narrow vector extend it to the register in the same way: the
// extension, or nothing.
static std::optional<unsigned> getExtensionOfUsers(Register Reg,
                                                   const MachineRegisterInfo &MRI) {
  LLT FullTy = NPUVector::getType(MRI.getType(Reg).getNumElements());
  std::optional<unsigned> Extension;
  for (const MachineInstr &User : MRI.use_nodbg_instructions(Reg)) {
    unsigned Opcode = User.getOpcode();
    if ((Opcode != G_SEXT && Opcode != G_ZEXT) ||
        MRI.getType(User.getOperand(0).getReg()) != FullTy ||
        Extension.value_or(Opcode) != Opcode)
      return std::nullopt;
    Extension = Opcode;
  }
  return Extension;
}

// Replaces the users, which extend, by the extended value.
static void replaceExtensions(Register Reg, Register Extended, MachineIRBuilder &B) {
  MachineRegisterInfo &MRI = *B.getMRI();
  for (MachineInstr &User : make_early_inc_range(MRI.use_nodbg_instructions(Reg))) {
    B.setInstrAndDebugLoc(User);
    B.buildCopy(User.getOperand(0).getReg(), Extended);
    User.eraseFromParent();
  }
}

// A load of narrow elements widens them, by sign or zero where all uses want that.
static bool legalizeNarrowLoad(MachineInstr &MI, MachineIRBuilder &B) {
  auto &Load = cast<GLoad>(MI);
  Register Dst = Load.getDstReg();
  LLT FullTy = NPUVector::getType(B.getMRI()->getType(Dst).getNumElements());
  if (auto Extension = getExtensionOfUsers(Dst, *B.getMRI()))
    replaceExtensions(Dst,
                      B.buildLoadInstr(*Extension == G_SEXT ? G_SEXTLOAD : G_ZEXTLOAD,
                                       FullTy, Load.getPointerReg(), Load.getMMO())
                          .getReg(0),
                      B);
  else
    B.buildTrunc(Dst, B.buildLoad(FullTy, Load.getPointerReg(), Load.getMMO()));
  MI.eraseFromParent();
  return true;
}

// A word of an element, and where it begins among the bits of the vector in memory.
struct PackedPiece {
  unsigned Start, Width;
};

static SmallVector<PackedPiece, 4> getPackedPieces(unsigned Element, unsigned Bits) {
  SmallVector<PackedPiece, 4> Pieces;
  for (unsigned Done = 0; Done < Bits; Done += 32)
    Pieces.push_back({Element * Bits + Done, std::min(32u, Bits - Done)});
  return Pieces;
}

// Elements that are no whole bytes lie in memory without gaps: they go to and from its
// words by shifts.
static bool legalizePackedAccess(MachineInstr &MI, MachineIRBuilder &B) {
  auto &Access = cast<GLoadStore>(MI);
  Register Value = Access.getReg(0);
  LLT Ty = B.getMRI()->getType(Value), ElementTy = Ty.getElementType();
  const unsigned Bits = ElementTy.getSizeInBits(), Lanes = Ty.getNumElements();
  const unsigned Bytes = divideCeil(Bits * Lanes, 8);
  const LLT Whole = LLT::scalar(alignTo(Bits, 32));
  auto Shift = [&](unsigned Opcode, Register Word, unsigned Distance) {
    return Distance ? B.buildInstr(Opcode, {s32}, {Word, B.buildConstant(s32, Distance)})
                          .getReg(0)
                    : Word;
  };
  auto ForEachWord = [&](auto Action) {
    for (unsigned Offset = 0; Offset < Bytes; Offset += 4)
      Action(Offset / 4,
             B.buildObjectPtrOffset(p0, Access.getPointerReg(), B.buildConstant(s32, Offset))
                 .getReg(0),
             *B.getMF().getMachineMemOperand(
                 &Access.getMMO(), Offset, LLT::scalar(8 * std::min(4u, Bytes - Offset))));
  };

  SmallVector<Register, 16> Words(divideCeil(Bytes, 4));
  if (isa<GStore>(MI)) {
    auto Elements = B.buildUnmerge(ElementTy, Value);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      Register Element = B.buildZExt(Whole, Elements.getReg(Lane)).getReg(0);
      SmallVector<Register, 4> Parts;
      if (Whole == s32)
        Parts.push_back(Element);
      else
        for (const MachineOperand &Part : B.buildUnmerge(s32, Element)->defs())
          Parts.push_back(Part.getReg());
      for (auto [Piece, Part] : zip(getPackedPieces(Lane, Bits), Parts)) {
        auto Add = [&](Register &Word, Register Shifted) {
          Word = Word ? B.buildOr(s32, Word, Shifted).getReg(0) : Shifted;
        };
        const unsigned First = Piece.Start / 32, At = Piece.Start % 32;
        Add(Words[First], Shift(G_SHL, Part, At));
        if (At + Piece.Width > 32)
          Add(Words[First + 1], Shift(G_LSHR, Part, 32 - At));
      }
    }
    ForEachWord([&](unsigned I, Register Address, MachineMemOperand &MMO) {
      B.buildStore(Words[I], Address, MMO);
    });
  } else {
    ForEachWord([&](unsigned I, Register Address, MachineMemOperand &MMO) {
      Words[I] = B.buildLoad(s32, Address, MMO).getReg(0);
    });
    SmallVector<Register, 64> Elements;
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      SmallVector<Register, 4> Parts;
      for (PackedPiece Piece : getPackedPieces(Lane, Bits)) {
        const unsigned First = Piece.Start / 32, At = Piece.Start % 32;
        Register Part = Shift(G_LSHR, Words[First], At);
        if (At + Piece.Width > 32)
          Part = B.buildOr(s32, Part, Shift(G_SHL, Words[First + 1], 32 - At)).getReg(0);
        Parts.push_back(Part);
      }
      Register Element =
          Parts.size() == 1 ? Parts[0] : B.buildMergeLikeInstr(Whole, Parts).getReg(0);
      Elements.push_back(B.buildTrunc(ElementTy, Element).getReg(0));
    }
    B.buildBuildVector(Value, Elements);
  }
  MI.eraseFromParent();
  return true;
}

// Elements that memory, by which a variable lane is found, has no addresses for.
static bool legalizePackedElement(MachineInstr &MI, MachineIRBuilder &B) {
  const bool IsInsert = MI.getOpcode() == G_INSERT_VECTOR_ELT;
  Register Dst = MI.getOperand(0).getReg(), Vector = MI.getOperand(1).getReg();
  LLT Ty = B.getMRI()->getType(Vector);
  LLT WideTy = Ty.changeElementSize(
      std::max<unsigned>(8, llvm::bit_ceil(Ty.getScalarSizeInBits())));
  LLT ElementTy = WideTy.getElementType();
  auto Wide = B.buildAnyExt(WideTy, Vector);
  if (IsInsert)
    B.buildTrunc(Dst, B.buildInsertVectorElement(
                          WideTy, Wide, B.buildAnyExtOrTrunc(ElementTy, MI.getOperand(2)),
                          MI.getOperand(3)));
  else
    B.buildTrunc(Dst, B.buildExtractVectorElement(ElementTy, Wide, MI.getOperand(2)));
  MI.eraseFromParent();
  return true;
}

bool NPULegalizerInfo::legalizeVector(LegalizerHelper &Helper,
                                      MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  MachineRegisterInfo &MRI = *B.getMRI();
  LLT Ty = MRI.getType(MI.getOperand(0).getReg());
  if (isa<GLoadStore>(MI) && Ty.getScalarSizeInBits() % 8 != 0)
    return legalizePackedAccess(MI, B);
  if (is_contained({G_INSERT_VECTOR_ELT, G_EXTRACT_VECTOR_ELT}, MI.getOpcode()) &&
      !NPUVector::isFull(MRI.getType(MI.getOperand(1).getReg())) &&
      !NPUVector::isNarrow(MRI.getType(MI.getOperand(1).getReg())))
    return legalizePackedElement(MI, B);
  switch (MI.getOpcode()) {
  case G_SEXT:
  case G_ZEXT:
  case G_ANYEXT:
    return legalizeExtension(MI, B);
  case G_SELECT:
    return legalizeSelect(MI, B);
  case G_BUILD_VECTOR:
    return legalizeBuildVector(MI, B);
  case G_UNMERGE_VALUES:
    return legalizeUnmerge(MI, B);
  case G_CONCAT_VECTORS:
    return legalizeConcat(MI, B);
  case G_SHUFFLE_VECTOR:
    return legalizeShuffle(MI, B);
  case G_LOAD:
    return legalizeNarrowLoad(MI, B);
  case G_STORE:
    // The store takes the low bits.
    Helper.Observer.changingInstr(MI);
    MI.getOperand(0).setReg(buildFull(B, MI.getOperand(0).getReg()));
    Helper.Observer.changedInstr(MI);
    return true;
  case G_BITCAST:
    return legalizeBitcast(Helper, MI);
  case G_EXTRACT_VECTOR_ELT:
    buildTruncOrCopy(B, MI.getOperand(0).getReg(),
                     buildExtract(B, MI.getOperand(1).getReg(),
                                  MI.getOperand(2).getReg()));
    MI.eraseFromParent();
    return true;
  case G_INSERT_VECTOR_ELT: {
    Register Dst = MI.getOperand(0).getReg(), Element = MI.getOperand(2).getReg();
    LLT FullTy = NPUVector::getType(MRI.getType(Dst).getNumElements());
    // Clang hands over an element of a vector of bool in a wider integer.
    if (NPUVector::isMask(MRI.getType(Dst)))
      Element =
          B.buildSExt(s32, B.buildAnyExtOrTrunc(LLT::scalar(1), Element)).getReg(0);
    else
      Element = buildWord(B, Element);
    buildTruncOrCopy(B, Dst,
                     buildIntrinsic(B, BY_WIDTH(insert).of(FullTy), FullTy,
                                    {buildFull(B, MI.getOperand(1).getReg()), Element,
                                     MI.getOperand(3).getReg()}));
    MI.eraseFromParent();
    return true;
  }
  case G_VECREDUCE_ADD:
  case G_VECREDUCE_AND:
  case G_VECREDUCE_OR:
  case G_VECREDUCE_XOR:
  case G_VECREDUCE_SMAX:
  case G_VECREDUCE_SMIN:
  case G_VECREDUCE_UMAX:
  case G_VECREDUCE_UMIN:
    return legalizeReduction(MI, B);
  }
  llvm_unreachable("operation without a custom legalization");
}

//===----------------------------------------------------------------------===//
// Intrinsics of masked loops
//===----------------------------------------------------------------------===//

bool NPULegalizerInfo::legalizeLaneMask(LegalizerHelper &Helper,
                                        MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  Register Dst = MI.getOperand(0).getReg();
  LLT Ty = B.getMRI()->getType(Dst);
  Register Index = MI.getOperand(2).getReg(), Count = MI.getOperand(3).getReg();
  LLT IndexTy = B.getMRI()->getType(Index);
  if (IndexTy.getSizeInBits() < 32) {
    IndexTy = s32;
    Index = B.buildZExt(s32, Index).getReg(0);
    Count = B.buildZExt(s32, Count).getReg(0);
  }
  if (!Ty.isVector() || !NPUVector::isLaneCount(Ty.getNumElements())) {
    // Lane by lane; index plus lane must not wrap.
    auto Left = B.buildInstr(G_USUBSAT, {IndexTy}, {Count, Index});
    SmallVector<Register, 8> Lanes;
    const unsigned NumLanes = Ty.isVector() ? Ty.getNumElements() : 1;
    for (unsigned Lane = 0; Lane < NumLanes; ++Lane)
      Lanes.push_back(B.buildICmp(CmpInst::ICMP_UGT, LLT::scalar(1), Left,
                                  B.buildConstant(IndexTy, Lane))
                          .getReg(0));
    if (Ty.isVector())
      B.buildBuildVector(Dst, Lanes);
    else
      B.buildCopy(Dst, Lanes[0]);
    MI.eraseFromParent();
    return true;
  }
  if (IndexTy.getSizeInBits() > 32) {
    // What is left for this iteration, as far as it matters, is a word.
    auto Left = B.buildSelect(IndexTy, B.buildICmp(CmpInst::ICMP_ULT, LLT::scalar(1), Index, Count),
                              B.buildSub(IndexTy, Count, Index), B.buildConstant(IndexTy, 0));
    Left = B.buildUMin(IndexTy, Left, B.buildConstant(IndexTy, Ty.getNumElements()));
    Index = B.buildConstant(s32, 0).getReg(0);
    Count = B.buildTrunc(s32, Left).getReg(0);
  }
  Register Mask = buildIntrinsic(
      B, BY_WIDTH(lanes).of(NPUVector::getType(Ty.getNumElements())),
      NPUVector::getType(Ty.getNumElements()), {Index, Count});
  buildTruncOrCopy(B, Dst, Mask);
  MI.eraseFromParent();
  return true;
}

// The first lane that is set, or their number: the least of the set lanes' numbers.
bool NPULegalizerInfo::legalizeFirstLane(LegalizerHelper &Helper,
                                         MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  Register Mask = MI.getOperand(2).getReg();
  LLT Ty = B.getMRI()->getType(Mask);
  if (!Ty.isVector() || !NPUVector::isLaneCount(Ty.getNumElements()))
    return false;
  LLT Full = NPUVector::getType(Ty.getNumElements());
  auto Lanes =
      B.buildSelect(Full, buildFull(B, Mask),
                    buildIntrinsic(B, BY_WIDTH(id).of(Full), Full, {}),
                    B.buildConstant(Full, Ty.getNumElements()));
  Register First =
      buildIntrinsic(B, BY_WIDTH(redminu).of(Full), s32, {Lanes.getReg(0)});
  B.buildZExtOrTrunc(MI.getOperand(0).getReg(), First);
  MI.eraseFromParent();
  return true;
}

// The masked access for a vector in memory, by lanes and bytes of an element.
static Intrinsic::ID getMaskedLoad(LLT Ty, bool IsZero) {
  unsigned Bytes = Ty.getScalarSizeInBits() / 8;
  switch (Ty.getNumElements()) {
  case 64:
    return Intrinsic::npu_v_ldm_b;
  case 32:
    return Bytes == 2 ? Intrinsic::npu_v_ldm_h
           : IsZero   ? Intrinsic::npu_v_ldm_bhu
                      : Intrinsic::npu_v_ldm_bh;
  default:
    return Bytes == 4   ? Intrinsic::npu_v_ldm_w
           : Bytes == 2 ? IsZero ? Intrinsic::npu_v_ldm_hwu : Intrinsic::npu_v_ldm_hw
           : IsZero     ? Intrinsic::npu_v_ldm_bwu
                        : Intrinsic::npu_v_ldm_bw;
  }
}
static Intrinsic::ID getMaskedStore(LLT Ty) {
  unsigned Bytes = Ty.getScalarSizeInBits() / 8;
  switch (Ty.getNumElements()) {
  case 64:
    return Intrinsic::npu_v_stm_b;
  case 32:
    return Bytes == 2 ? Intrinsic::npu_v_stm_h : Intrinsic::npu_v_stm_hb;
  default:
    return Bytes == 4   ? Intrinsic::npu_v_stm_w
           : Bytes == 2 ? Intrinsic::npu_v_stm_wh
                        : Intrinsic::npu_v_stm_wb;
  }
}

static bool isMaskable(LLT Ty) {
  return NPUVector::isFull(Ty) ||
         (NPUVector::isNarrow(Ty) && Ty.getScalarSizeInBits() != 1);
}

// A vector of zeros, legalized or not.
static bool isZeroVector(Register Reg, const MachineRegisterInfo &MRI) {
  const MachineInstr *Def = getDefIgnoringCopies(Reg, MRI);
  while (Def->getOpcode() == G_TRUNC || Def->getOpcode() == G_ANYEXT)
    Def = getDefIgnoringCopies(Def->getOperand(1).getReg(), MRI);
  auto IsZero = [&](const MachineOperand &MO) {
    auto Element = getAnyConstantVRegValWithLookThrough(
        MO.getReg(), MRI, /*LookThroughInstrs=*/true, /*LookThroughAnyExt=*/true);
    return Element && Element->Value.isZero();
  };
  if (Def->getOpcode() == G_BUILD_VECTOR)
    return all_of(drop_begin(Def->operands()), IsZero);
  const auto *Bcast = dyn_cast<GIntrinsic>(Def);
  return Bcast &&
         is_contained({Intrinsic::npu_v_bcast_b, Intrinsic::npu_v_bcast_h,
                       Intrinsic::npu_v_bcast_w},
                      Bcast->getIntrinsicID()) &&
         IsZero(Bcast->getOperand(2));
}

// Operands: result, number, pointer, mask, what the other lanes get.
bool NPULegalizerInfo::legalizeMaskedLoad(LegalizerHelper &Helper,
                                          MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  MachineRegisterInfo &MRI = *B.getMRI();
  Register Dst = MI.getOperand(0).getReg(), Others = MI.getOperand(4).getReg();
  LLT Ty = MRI.getType(Dst);
  if (!isMaskable(Ty))
    return false;
  LLT FullTy = NPUVector::getType(Ty.getNumElements());
  Register Mask = buildFull(B, MI.getOperand(3).getReg());
  // The instruction gives zero.
  bool WantsOthers = !getOpcodeDef(G_IMPLICIT_DEF, Others, MRI) &&
                     !isZeroVector(Others, MRI);
  auto Extension = WantsOthers ? std::nullopt : getExtensionOfUsers(Dst, MRI);
  auto Load = B.buildIntrinsic(
      getMaskedLoad(Ty, Extension.value_or(G_ZEXT) == G_ZEXT), {FullTy});
  Load.addUse(MI.getOperand(2).getReg()).addUse(Mask).cloneMemRefs(MI);
  Register Result = Load.getReg(0);
  if (Extension && Ty != FullTy) {
    replaceExtensions(Dst, Result, B);
  } else {
    if (WantsOthers)
      Result = B.buildSelect(FullTy, Mask, Result, buildFull(B, Others)).getReg(0);
    buildTruncOrCopy(B, Dst, Result);
  }
  MI.eraseFromParent();
  return true;
}

// Operands: number, value, pointer, mask.
bool NPULegalizerInfo::legalizeMaskedStore(LegalizerHelper &Helper,
                                           MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  Register Value = MI.getOperand(1).getReg();
  LLT Ty = B.getMRI()->getType(Value);
  if (!isMaskable(Ty))
    return false;
  Register Full = buildFull(B, Value), Mask = buildFull(B, MI.getOperand(3).getReg());
  B.buildIntrinsic(getMaskedStore(Ty), ArrayRef<Register>())
      .addUse(Full)
      .addUse(MI.getOperand(2).getReg())
      .addUse(Mask)
      .cloneMemRefs(MI);
  MI.eraseFromParent();
  return true;
}
