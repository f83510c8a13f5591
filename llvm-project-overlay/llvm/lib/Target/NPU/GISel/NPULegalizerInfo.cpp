// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPULegalizerInfo.cpp - which operations the machine has -----------===//
//
// Registers hold words, pointers and vectors of 512 bits. Narrower integers are
// widened, wider ones split, and floating point becomes library calls on bit
// patterns. Vectors of 16, 32 or 64 lanes fill a register (NPUVectorTypes.h), longer
// ones several; all others are taken apart.
//
//===----------------------------------------------------------------------===//

#include "NPULegalizerInfo.h"
#include "NPUVectorTypes.h"
#include "MCTargetDesc/NPUBaseInfo.h"
#include "NPUMachineFunctionInfo.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/GlobalISel/GISelValueTracking.h"
#include "llvm/CodeGen/GlobalISel/GenericMachineInstrs.h"
#include "llvm/CodeGen/GlobalISel/LegalizerHelper.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/MachineConstantPool.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineJumpTableInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNPU.h"

using namespace llvm;
using namespace LegalityPredicates;
using namespace TargetOpcode;

static const LLT p0 = LLT::pointer(0, 32);
static const LLT s8 = LLT::scalar(8);
static const LLT s16 = LLT::scalar(16);
static const LLT s32 = LLT::scalar(32);
static const LLT s64 = LLT::scalar(64);
static const LLT s128 = LLT::scalar(128);
static const LLT v64s8 = LLT::fixed_vector(64, 8);
static const LLT v32s16 = LLT::fixed_vector(32, 16);
static const LLT v16s32 = LLT::fixed_vector(16, 32);
static const LLT v32s8 = LLT::fixed_vector(32, 8);
static const LLT v16s16 = LLT::fixed_vector(16, 16);
static const LLT v16s8 = LLT::fixed_vector(16, 8);

static LegalityPredicate isFullVector(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    return NPUVector::isFull(Query.Types[Index]);
  };
}
static LegalityPredicate isNarrowVector(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    return NPUVector::isNarrow(Query.Types[Index]);
  };
}
// One whose elements take less memory than in a register; a mask is not stored so.
static bool isNarrowInMemory(const LegalityQuery &Query) {
  return NPUVector::isNarrow(Query.Types[0]) &&
         Query.Types[0].getScalarSizeInBits() != 1;
}
static LegalityPredicate isRegisterVector(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    return NPUVector::isFull(Query.Types[Index]) ||
           NPUVector::isNarrow(Query.Types[Index]);
  };
}
static LegalityPredicate isLongVector(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    return NPUVector::isLong(Query.Types[Index]);
  };
}
// One whose elements memory holds without gaps between them, where no address is.
static LegalityPredicate isPackedInMemory(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    LLT Ty = Query.Types[Index];
    return Ty.isFixedVector() && Ty.getScalarSizeInBits() % 8 != 0;
  };
}
static LegalityPredicate isWiderThanDoubleWord(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    return Query.Types[Index].isScalar() && Query.Types[Index].getSizeInBits() > 64;
  };
}
// The elements that lanes like those of the type have in a register.
static LegalizeMutation toFullElements(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    return std::make_pair(
        Index, NPUVector::getType(Query.Types[Index].getNumElements()));
  };
}
static LegalizeMutation toHalf(unsigned Index) {
  return [=](const LegalityQuery &Query) {
    return std::make_pair(Index, LLT::scalar(Query.Types[Index].getSizeInBits() / 2));
  };
}
// The part of a vector in one register, for the type at To whose lanes follow.
static LegalizeMutation toPart(unsigned To, unsigned Index) {
  return [=](const LegalityQuery &Query) {
    unsigned Lanes = NPUVector::getPart(Query.Types[Index]).getNumElements();
    return std::make_pair(
        To, LLT::fixed_vector(Lanes, Query.Types[To].getElementType()));
  };
}
// Brings a vector to the form it has in registers.
static LegalizeRuleSet &fitVector(LegalizeRuleSet &Rules, unsigned Index = 0) {
  return Rules.widenScalarIf(isNarrowVector(Index), toFullElements(Index))
      .fewerElementsIf(isLongVector(Index), toPart(Index, Index));
}

NPULegalizerInfo::NPULegalizerInfo(const NPUSubtarget &STI) {
  //===--------------------------------------------------------------------===//
  // Integer arithmetic
  //===--------------------------------------------------------------------===//

  fitVector(getActionDefinitionsBuilder({G_ADD, G_SUB, G_AND, G_OR, G_XOR})
                .legalFor({s32, v64s8, v32s16, v16s32}))
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .clampScalar(0, s32, s32);

  fitVector(getActionDefinitionsBuilder(G_MUL)
                .legalFor({s32, v64s8, v32s16, v16s32}))
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .customFor({s64})
      .clampScalar(0, s32, s32);

  fitVector(fitVector(getActionDefinitionsBuilder({G_SHL, G_ASHR, G_LSHR})
                          .legalFor({{s32, s32},
                                     {v64s8, v64s8},
                                     {v32s16, v32s16},
                                     {v16s32, v16s32}}),
                      1))
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .clampScalar(1, s32, s32)
      .customFor({{s64, s32}})
      .clampScalar(0, s32, s32);

  getActionDefinitionsBuilder({G_SDIV, G_UDIV, G_SREM, G_UREM})
      .legalFor({s32})
      .libcallFor({s64})
      .scalarize(0)
      .customIf([](const LegalityQuery &Query) {
        // Those that lowering a funnel shift makes; all others are expanded in IR.
        return Query.Opcode == G_UREM && isWiderThanDoubleWord(0)(Query);
      })
      .widenScalarToNextPow2(0)
      .clampScalar(0, s32, s64);

  getActionDefinitionsBuilder({G_SMULH, G_UMULH})
      .legalFor({s32, v64s8, v32s16, v16s32})
      .fewerElementsIf(isLongVector(0), toPart(0, 0))
      .lowerIf(isNarrowVector(0)) // the whole product fits
      .scalarize(0)
      .lower();

  // Split before lowered: lowering copies the whole result, and a copy of more
  // than a word would stay.
  getActionDefinitionsBuilder({G_UADDO, G_USUBO, G_UADDE, G_USUBE, G_SADDO,
                               G_SSUBO, G_SADDE, G_SSUBE})
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .clampScalar(0, s32, s32)
      .lower();
  getActionDefinitionsBuilder({G_SMULO, G_UMULO})
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .minScalar(0, s32)
      .lower();

  fitVector(getActionDefinitionsBuilder({G_UADDSAT, G_SADDSAT, G_USUBSAT,
                                         G_SSUBSAT, G_ABS, G_UMAX, G_UMIN,
                                         G_SMAX, G_SMIN})
                .legalFor({v64s8, v32s16, v16s32}))
      .scalarize(0)
      .lower();
  getActionDefinitionsBuilder({G_ABDS, G_ABDU, G_UAVGCEIL, G_SAVGCEIL})
      .legalFor({v64s8, v32s16, v16s32})
      .scalarize(0)
      .lower();
  getActionDefinitionsBuilder(
      {G_SSHLSAT, G_USHLSAT, G_SDIVREM, G_UDIVREM, G_FSHL, G_FSHR, G_ROTR,
       G_ROTL, G_SCMP, G_UCMP, G_SMULFIX, G_UMULFIX, G_SBFX, G_UBFX,
       G_TRUNC_SSAT_S, G_TRUNC_SSAT_U, G_TRUNC_USAT_U, G_UAVGFLOOR,
       G_SAVGFLOOR})
      .lowerIf([](const LegalityQuery &Query) {
        // Vectors have the shifts.
        return is_contained({G_FSHL, G_FSHR, G_ROTR, G_ROTL}, Query.Opcode) &&
               (NPUVector::isFull(Query.Types[0]) || NPUVector::isNarrow(Query.Types[0]) ||
                NPUVector::isLong(Query.Types[0]));
      })
      .scalarize(0)
      .lower();

  getActionDefinitionsBuilder({G_BSWAP, G_BITREVERSE})
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .maxScalar(0, s32)
      .lower();
  getActionDefinitionsBuilder(
      {G_CTLZ, G_CTTZ, G_CTLZ_ZERO_UNDEF, G_CTTZ_ZERO_UNDEF})
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .widenScalarToNextPow2(1)
      .narrowScalarIf(isWiderThanDoubleWord(1), toHalf(1))
      .clampScalar(0, s32, s32)
      .scalarSameSizeAs(1, 0)
      .custom();
  getActionDefinitionsBuilder(G_CTPOP)
      .scalarize(0)
      .widenScalarToNextPow2(0, /*MinSize=*/8)
      .widenScalarToNextPow2(1)
      .narrowScalarIf(isWiderThanDoubleWord(1), toHalf(1))
      .clampScalar(0, s8, s32)
      .scalarSameSizeAs(1, 0)
      .lower();

  //===--------------------------------------------------------------------===//
  // Conversions, constants, comparisons
  //===--------------------------------------------------------------------===//

  // Artifacts of widening and splitting: they meet and cancel.
  // Between vectors of the same lanes a change of type leaves the register alone.
  getActionDefinitionsBuilder({G_ZEXT, G_SEXT, G_ANYEXT})
      .legalIf([](const LegalityQuery &Query) {
        return Query.Opcode == G_ANYEXT && NPUVector::isFull(Query.Types[0]) &&
               NPUVector::isNarrow(Query.Types[1]);
      })
      .customIf([](const LegalityQuery &Query) {
        return NPUVector::isNarrow(Query.Types[1]) &&
               !NPUVector::isLong(Query.Types[0]) &&
               Query.Types[0].getScalarSizeInBits() <= 32;
      })
      .fewerElementsIf(isLongVector(0), toPart(0, 0))
      .scalarize(0)
      .maxScalar(0, s32);
  getActionDefinitionsBuilder(G_TRUNC)
      .legalIf([](const LegalityQuery &Query) {
        return NPUVector::isNarrow(Query.Types[0]) &&
               (NPUVector::isFull(Query.Types[1]) ||
                NPUVector::isNarrow(Query.Types[1]));
      })
      .fewerElementsIf(isLongVector(1), toPart(0, 1))
      .scalarize(0)
      .alwaysLegal();
  getActionDefinitionsBuilder(G_SEXT_INREG)
      .customFor({s32})
      .lowerFor({v64s8, v32s16, v16s32})
      .scalarize(0)
      .widenScalarToNextMultipleOf(0, 32)
      .clampScalar(0, s32, s32)
      .lower();

  for (unsigned Opcode : {G_MERGE_VALUES, G_UNMERGE_VALUES}) {
    unsigned Big = Opcode == G_MERGE_VALUES ? 0 : 1;
    unsigned Little = 1 - Big;
    getActionDefinitionsBuilder(Opcode)
        .legalIf([=](const LegalityQuery &Query) {
          return NPUVector::isFull(Query.Types[Big]) &&
                 NPUVector::isNarrow(Query.Types[Little]);
        })
        .customIf([=](const LegalityQuery &Query) {
          LLT Whole = Query.Types[Big], Part = Query.Types[Little];
          return Query.Opcode == G_UNMERGE_VALUES &&
                 (NPUVector::isNarrow(Whole) ||
                  (NPUVector::isFull(Whole) && Part.isScalar())) &&
                 (Part.isScalar() || NPUVector::isNarrow(Part));
        })
        .widenScalarToNextPow2(Little, 32)
        .widenScalarToNextPow2(Big, 32)
        .clampScalar(Little, s32, s32)
        .clampScalar(Big, s32, s32);
  }
  getActionDefinitionsBuilder({G_EXTRACT, G_INSERT}).lower();
  getActionDefinitionsBuilder(G_BITCAST)
      .legalIf(all(isFullVector(0), isFullVector(1)))
      .customIf([](const LegalityQuery &Query) {
        LLT Dst = Query.Types[0], Src = Query.Types[1];
        return Dst.isVector() && Src.isVector() &&
               Dst.getScalarSizeInBits() != Src.getScalarSizeInBits() &&
               Dst.getScalarSizeInBits() % 8 == 0 && Src.getScalarSizeInBits() % 8 == 0;
      })
      // Through memory: elements that lie there without gaps, unless a scalar is easily put
      // together from them; and three bytes.
      .customIf([](const LegalityQuery &Query) {
        auto IsEasy = [](LLT Ty) {
          return Ty.isScalar() && isPowerOf2_32(Ty.getSizeInBits());
        };
        LLT Dst = Query.Types[0], Src = Query.Types[1];
        return (isPackedInMemory(0)(Query) && !IsEasy(Src)) ||
               (isPackedInMemory(1)(Query) && !IsEasy(Dst)) ||
               (Src.isVector() && Dst == LLT::scalar(24));
      })
      .lower();

  getActionDefinitionsBuilder(G_CONSTANT)
      .legalFor({s32, p0})
      .widenScalarToNextPow2(0)
      .clampScalar(0, s32, s32);
  fitVector(getActionDefinitionsBuilder(
                {G_IMPLICIT_DEF, G_FREEZE, G_CONSTANT_FOLD_BARRIER, G_PHI})
                .legalFor({s32, p0, v64s8, v32s16, v16s32}))
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .clampScalar(0, s32, s32);

  getActionDefinitionsBuilder(G_ICMP)
      .legalFor({{s32, s32},
                 {s32, p0},
                 {v64s8, v64s8},
                 {v32s16, v32s16},
                 {v16s32, v16s32}})
      .widenScalarIf(isNarrowVector(1), toFullElements(1))
      .fewerElementsIf(isLongVector(1), toPart(0, 1))
      .widenScalarIf(all(isFullVector(1), isNarrowVector(0)), toFullElements(0))
      .scalarize(0)
      .widenScalarToNextPow2(1)
      .clampScalar(0, s32, s32)
      .customFor({{s32, s64}})
      .clampScalar(1, s32, s32);
  getActionDefinitionsBuilder(G_SELECT)
      .legalFor({{s32, s32},
                 {p0, s32},
                 {v64s8, v64s8},
                 {v32s16, v32s16},
                 {v16s32, v16s32}})
      .widenScalarIf(isNarrowVector(0), toFullElements(0))
      .fewerElementsIf(isLongVector(0), toPart(0, 0))
      .customIf(isFullVector(0))
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .clampScalar(0, s32, s32)
      .clampScalar(1, s32, s32);

  //===--------------------------------------------------------------------===//
  // Addresses and memory
  //===--------------------------------------------------------------------===//

  getActionDefinitionsBuilder({G_PTR_ADD, G_PTRMASK})
      .legalFor({{p0, s32}})
      .scalarize(0)
      .clampScalar(1, s32, s32);
  getActionDefinitionsBuilder(G_PTRTOINT)
      .legalFor({{s32, p0}})
      .scalarize(0)
      .clampScalar(0, s32, s32);
  getActionDefinitionsBuilder(G_INTTOPTR)
      .legalFor({{p0, s32}})
      .scalarize(0)
      .clampScalar(1, s32, s32);
  getActionDefinitionsBuilder(G_ADDRSPACE_CAST).lower();
  getActionDefinitionsBuilder({G_GLOBAL_VALUE, G_FRAME_INDEX, G_JUMP_TABLE,
                               G_CONSTANT_POOL, G_BLOCK_ADDR})
      .legalFor({p0});

  // Splitting the result does not work while more than a word is read.
  auto extendsWords = [](const LegalityQuery &Query) {
    unsigned Size = Query.MMODescrs[0].MemoryTy.getSizeInBits();
    return Query.Types[0].isScalar() && Size > 32 && isPowerOf2_32(Size) &&
           Size < Query.Types[0].getSizeInBits();
  };
  getActionDefinitionsBuilder(G_LOAD)
      .legalForTypesWithMemDesc({{s32, p0, s8, 8},
                                 {s32, p0, s16, 16},
                                 {s32, p0, s32, 32},
                                 {p0, p0, p0, 32},
                                 {v64s8, p0, v64s8, 8},
                                 {v32s16, p0, v32s16, 8},
                                 {v16s32, p0, v16s32, 8},
                                 {v32s16, p0, v32s8, 8},
                                 {v16s32, p0, v16s8, 8},
                                 {v16s32, p0, v16s16, 8}})
      .customIf(isPackedInMemory(0))
      .customIf(isNarrowInMemory)
      .fewerElementsIf(isLongVector(0), toPart(0, 0))
      .widenScalarToNextPow2(0, /*MinSize=*/32)
      .scalarize(0)
      .lowerIfMemSizeNotByteSizePow2()
      .customIf(extendsWords) // the last part of a load of, say, 192 bits
      .clampScalar(0, s32, s32)
      .lower();
  getActionDefinitionsBuilder({G_SEXTLOAD, G_ZEXTLOAD})
      .legalForTypesWithMemDesc({{s32, p0, s8, 8},
                                 {s32, p0, s16, 16},
                                 {v32s16, p0, v32s8, 8},
                                 {v16s32, p0, v16s8, 8},
                                 {v16s32, p0, v16s16, 8}})
      .widenScalarToNextPow2(0)
      .customIf(extendsWords)
      .clampScalar(0, s32, s32)
      .lower();
  getActionDefinitionsBuilder(G_STORE)
      .legalForTypesWithMemDesc({{s32, p0, s8, 8},
                                 {s32, p0, s16, 16},
                                 {s32, p0, s32, 32},
                                 {p0, p0, p0, 32},
                                 {v64s8, p0, v64s8, 8},
                                 {v32s16, p0, v32s16, 8},
                                 {v16s32, p0, v16s32, 8},
                                 {v32s16, p0, v32s8, 8},
                                 {v16s32, p0, v16s8, 8},
                                 {v16s32, p0, v16s16, 8}})
      .customIf(isPackedInMemory(0))
      .customIf(isNarrowInMemory)
      .fewerElementsIf(isLongVector(0), toPart(0, 0))
      .scalarize(0)
      .clampScalar(0, s32, s32)
      .lowerIfMemSizeNotByteSizePow2()
      .customIf([](const LegalityQuery &Query) {
        const auto &Memory = Query.MMODescrs[0];
        return (Query.Types[0] == s32 || Query.Types[0] == p0) &&
               Memory.AlignInBits < Memory.MemoryTy.getSizeInBits();
      })
      .lower();

  getActionDefinitionsBuilder({G_MEMCPY, G_MEMMOVE, G_MEMSET}).libcall();
  getActionDefinitionsBuilder(G_MEMCPY_INLINE).lower();
  getActionDefinitionsBuilder({G_DYN_STACKALLOC, G_STACKSAVE, G_STACKRESTORE})
      .lower();
  getActionDefinitionsBuilder(G_VASTART).customFor({p0});
  getActionDefinitionsBuilder(G_VAARG).lower();
  // Read-modify-write operations are expanded in IR; these two carry an order.
  getActionDefinitionsBuilder({G_FENCE, G_PREFETCH}).alwaysLegal();

  //===--------------------------------------------------------------------===//
  // Control flow and the machine
  //===--------------------------------------------------------------------===//

  getActionDefinitionsBuilder(G_BRCOND).legalFor({s32}).minScalar(0, s32);
  getActionDefinitionsBuilder(G_BRINDIRECT).legalFor({p0});
  getActionDefinitionsBuilder(G_BRJT).customFor({{p0, s32}}).clampScalar(1, s32,
                                                                         s32);
  getActionDefinitionsBuilder({G_TRAP, G_DEBUGTRAP, G_UBSANTRAP}).alwaysLegal();
  getActionDefinitionsBuilder(G_READ_REGISTER).custom();
  getActionDefinitionsBuilder(G_WRITE_REGISTER).lower();
  getActionDefinitionsBuilder({G_READCYCLECOUNTER, G_READSTEADYCOUNTER})
      .customFor({s64});

  //===--------------------------------------------------------------------===//
  // Floating point
  //===--------------------------------------------------------------------===//

  getActionDefinitionsBuilder(G_FCONSTANT).custom();
  getActionDefinitionsBuilder({G_FNEG, G_FABS, G_FCOPYSIGN})
      .scalarize(0)
      .lower();
  getActionDefinitionsBuilder(G_IS_FPCLASS).scalarize(0).lower();
  getActionDefinitionsBuilder(
      {G_FADD, G_FSUB, G_FMUL, G_FDIV, G_FMA, G_FREM, G_FSQRT, G_FMINNUM,
       G_FMAXNUM, G_FMINIMUMNUM, G_FMAXIMUMNUM, G_FCEIL, G_FFLOOR, G_FRINT,
       G_FNEARBYINT, G_INTRINSIC_TRUNC, G_INTRINSIC_ROUND,
       G_INTRINSIC_ROUNDEVEN, G_FCOS, G_FSIN, G_FTAN, G_FACOS, G_FASIN, G_FATAN,
       G_FATAN2, G_FCOSH, G_FSINH, G_FTANH, G_FPOW, G_FLOG, G_FLOG2, G_FLOG10,
       G_FEXP, G_FEXP2, G_FEXP10})
      .libcallFor({s32, s64, s128})
      .scalarize(0)
      .minScalar(0, s32);
  getActionDefinitionsBuilder(G_FMODF).libcallFor({s32, s64, s128});
  getActionDefinitionsBuilder({G_FMAD, G_FMINNUM_IEEE, G_FMAXNUM_IEEE,
                               G_FMINIMUM, G_FMAXIMUM})
      .scalarize(0)
      .lower();
  // The library always rounds to nearest.
  getActionDefinitionsBuilder({G_GET_ROUNDING, G_SET_ROUNDING}).custom();
  getActionDefinitionsBuilder(G_FCANONICALIZE)
      .customFor({s32, s64, s128})
      .scalarize(0)
      .minScalar(0, s32);
  getActionDefinitionsBuilder(G_FFREXP)
      .customFor({{s32, s32}, {s64, s32}, {s128, s32}})
      .scalarize(0)
      .minScalar(0, s32)
      .clampScalar(1, s32, s32);
  getActionDefinitionsBuilder({G_FPOWI, G_FLDEXP})
      .libcallFor({{s32, s32}, {s64, s32}, {s128, s32}})
      .scalarize(0)
      .minScalar(0, s32)
      .clampScalar(1, s32, s32);
  getActionDefinitionsBuilder(
      {G_LROUND, G_LLROUND, G_INTRINSIC_LRINT, G_INTRINSIC_LLRINT})
      .libcallFor({{s32, s32}, {s32, s64}, {s32, s128},
                   {s64, s32}, {s64, s64}, {s64, s128}})
      .scalarize(0)
      .minScalar(1, s32);
  getActionDefinitionsBuilder(G_FCMP)
      .libcallFor({{s32, s32}, {s32, s64}, {s32, s128}})
      .scalarize(0)
      .minScalar(1, s32)
      .clampScalar(0, s32, s32);
  getActionDefinitionsBuilder(G_FPEXT)
      .libcallFor({{s32, s16}, {s64, s16}, {s128, s16},
                   {s64, s32}, {s128, s32}, {s128, s64}})
      .scalarize(0);
  getActionDefinitionsBuilder(G_FPTRUNC)
      .libcallFor({{s16, s32}, {s16, s64}, {s16, s128},
                   {s32, s64}, {s32, s128}, {s64, s128}})
      .scalarize(0);
  getActionDefinitionsBuilder({G_FPTOSI, G_FPTOUI})
      .libcallFor({{s32, s32}, {s32, s64}, {s32, s128},
                   {s64, s32}, {s64, s64}, {s64, s128}})
      .scalarize(0)
      .widenScalarToNextPow2(0)
      .minScalar(0, s32)
      .minScalar(1, s32)
      .customIf(isWiderThanDoubleWord(0));
  getActionDefinitionsBuilder({G_FPTOSI_SAT, G_FPTOUI_SAT})
      .scalarize(0)
      .lower();
  getActionDefinitionsBuilder({G_SITOFP, G_UITOFP})
      .libcallFor({{s32, s32}, {s64, s32}, {s128, s32},
                   {s32, s64}, {s64, s64}, {s128, s64}})
      .scalarize(0)
      .widenScalarToNextPow2(1)
      .minScalar(1, s32)
      .minScalar(0, s32)
      .customFor({{s32, s128}, {s64, s128}, {s128, s128}});

  //===--------------------------------------------------------------------===//
  // Elements of vectors
  //===--------------------------------------------------------------------===//

  getActionDefinitionsBuilder(G_BUILD_VECTOR)
      .customIf([](const LegalityQuery &Query) {
        return NPUVector::isMask(Query.Types[0]);
      })
      .widenScalarIf(isNarrowVector(0), toFullElements(0))
      .customIf(isFullVector(0))
      .lower();
  getActionDefinitionsBuilder(G_SHUFFLE_VECTOR)
      .customIf([](const LegalityQuery &Query) {
        return (NPUVector::isFull(Query.Types[0]) ||
                NPUVector::isNarrow(Query.Types[0])) &&
               Query.Types[0] == Query.Types[1];
      })
      .lower();
  getActionDefinitionsBuilder(G_INSERT_VECTOR_ELT)
      .customIf(isRegisterVector(0))
      .customIf(isPackedInMemory(0))
      .lower();
  getActionDefinitionsBuilder(G_EXTRACT_VECTOR_ELT)
      .customIf(isRegisterVector(1))
      .customIf(isPackedInMemory(1))
      .lower();
  getActionDefinitionsBuilder(G_CONCAT_VECTORS)
      .legalIf(all(isFullVector(0), isNarrowVector(1)))
      .customIf(all(isNarrowVector(0), isNarrowVector(1)))
      .lower();
  getActionDefinitionsBuilder({G_BUILD_VECTOR_TRUNC, G_EXTRACT_SUBVECTOR,
                               G_INSERT_SUBVECTOR, G_SPLAT_VECTOR,
                               G_VECTOR_COMPRESS})
      .lower();
  getActionDefinitionsBuilder({G_VECREDUCE_ADD, G_VECREDUCE_AND, G_VECREDUCE_OR,
                               G_VECREDUCE_XOR, G_VECREDUCE_SMAX,
                               G_VECREDUCE_SMIN, G_VECREDUCE_UMAX,
                               G_VECREDUCE_UMIN})
      .customIf([](const LegalityQuery &Query) {
        return NPUVector::isFull(Query.Types[1]) || NPUVector::isMask(Query.Types[1]);
      })
      .fewerElementsIf(isLongVector(1), toPart(1, 1))
      .scalarize(1)
      .lower();
  getActionDefinitionsBuilder(G_VECREDUCE_MUL).scalarize(1).lower();

  getLegacyLegalizerInfo().computeTables();
  verify(*STI.getInstrInfo());
}

//===----------------------------------------------------------------------===//
// Custom operations
//===----------------------------------------------------------------------===//

// Stores of as many bytes as the address is known to be a multiple of. Each takes the low
// bits of a register, so that the bits above them need no care.
static bool legalizeUnalignedStore(MachineInstr &MI, MachineIRBuilder &B) {
  auto &Store = cast<GStore>(MI);
  Register Value = Store.getValueReg(), Address = Store.getPointerReg();
  if (B.getMRI()->getType(Value).isPointer())
    Value = B.buildPtrToInt(s32, Value).getReg(0);
  unsigned Bytes = Store.getMemSize().getValue(), Part = Store.getAlign().value();
  for (unsigned Offset = 0; Offset < Bytes; Offset += Part) {
    MachineMemOperand *MMO =
        B.getMF().getMachineMemOperand(&Store.getMMO(), Offset, LLT::scalar(Part * 8));
    if (!Offset)
      B.buildStore(Value, Address, *MMO);
    else
      B.buildStore(B.buildLShr(s32, Value, B.buildConstant(s32, Offset * 8)),
                   B.buildObjectPtrOffset(p0, Address, B.buildConstant(s32, Offset)), *MMO);
  }
  MI.eraseFromParent();
  return true;
}

bool NPULegalizerInfo::legalizeCustom(LegalizerHelper &Helper, MachineInstr &MI,
                                      LostDebugLocObserver &LocObserver) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  if (any_of(MI.operands(), [&](const MachineOperand &MO) {
        return MO.isReg() && B.getMRI()->getType(MO.getReg()).isVector();
      }))
    return legalizeVector(Helper, MI);
  switch (MI.getOpcode()) {
  case G_UREM:
    return legalizeWideRemainder(MI, B);
  case G_FPTOSI:
  case G_FPTOUI:
    return legalizeWideFPToInt(MI, B);
  case G_SITOFP:
  case G_UITOFP:
    return legalizeWideIntToFP(MI, B);
  case G_FFREXP:
    return legalizeFrexp(MI, B, LocObserver);
  case G_FCANONICALIZE: {
    Register Src = MI.getOperand(1).getReg();
    B.buildFMul(MI.getOperand(0), Src,
                B.buildFConstant(B.getMRI()->getType(Src), 1.0));
    MI.eraseFromParent();
    return true;
  }
  case G_GET_ROUNDING:
    B.buildConstant(MI.getOperand(0), 1);
    MI.eraseFromParent();
    return true;
  case G_SET_ROUNDING:
    MI.eraseFromParent();
    return true;
  case G_READ_REGISTER:
    return legalizeReadRegister(Helper, MI);
  case G_BRJT:
    return legalizeJumpTable(MI, B);
  case G_STORE:
    return legalizeUnalignedStore(MI, B);
  case G_VASTART:
    return legalizeVAStart(MI, B);
  case G_MUL:
    return legalizeWideMultiply(Helper, MI);
  case G_SHL:
  case G_LSHR:
  case G_ASHR:
    return legalizeWideShift(Helper, MI);
  case G_ICMP:
    return legalizeWideCompare(Helper, MI);
  case G_CTTZ:
  case G_CTTZ_ZERO_UNDEF:
  case G_CTLZ:
  case G_CTLZ_ZERO_UNDEF:
    return legalizeCountZeros(MI, B);
  case G_LOAD:
  case G_SEXTLOAD:
  case G_ZEXTLOAD: {
    const auto &Load = cast<GAnyLoad>(MI);
    auto Value = B.buildLoad(LLT::scalar(Load.getMemSizeInBits().getValue()),
                             Load.getPointerReg(), Load.getMMO());
    if (MI.getOpcode() == G_SEXTLOAD)
      B.buildSExt(Load.getDstReg(), Value);
    else if (MI.getOpcode() == G_LOAD)
      B.buildAnyExt(Load.getDstReg(), Value);
    else
      B.buildZExt(Load.getDstReg(), Value);
    MI.eraseFromParent();
    return true;
  }
  case G_SEXT_INREG:
    // A bit: 0 - (x & 1).
    if (MI.getOperand(2).getImm() == 1) {
      B.buildSub(MI.getOperand(0), B.buildConstant(s32, 0),
                 B.buildAnd(s32, MI.getOperand(1), B.buildConstant(s32, 1)));
      MI.eraseFromParent();
      return true;
    }
    // Two shifts, unless a sign-extending load takes it: bytes and halfwords
    // stay until then.
    if (MI.getOperand(2).getImm() == 8 || MI.getOperand(2).getImm() == 16)
      return true;
    return Helper.lower(MI, 0, LLT()) == LegalizerHelper::Legalized;
  case G_FCONSTANT: {
    // The bit pattern, as an integer.
    APInt Bits = MI.getOperand(1).getFPImm()->getValueAPF().bitcastToAPInt();
    B.buildConstant(MI.getOperand(0), Bits);
    MI.eraseFromParent();
    return true;
  }
  case G_READCYCLECOUNTER:
  case G_READSTEADYCOUNTER: {
    bool IsCycle = MI.getOpcode() == G_READCYCLECOUNTER;
    auto Lookup = [](StringRef Name) -> int64_t {
      return NPUSysReg::lookupSysRegByName(Name)->Encoding;
    };
    auto Read = B.buildInstr(NPU::PseudoReadCounter, {s32, s32}, {})
                    .addImm(Lookup(IsCycle ? "cycle" : "time"))
                    .addImm(Lookup(IsCycle ? "cycleh" : "timeh"));
    B.buildMergeLikeInstr(MI.getOperand(0),
                          {Read.getReg(0), Read.getReg(1)});
    MachineRegisterInfo &MRI = *B.getMRI();
    MRI.setRegClass(Read.getReg(0), &NPU::GPRRegClass);
    MRI.setRegClass(Read.getReg(1), &NPU::GPRRegClass);
    MI.eraseFromParent();
    return true;
  }
  }
  llvm_unreachable("operation without a custom legalization");
}

// A distance that is known to be less than a word needs no case distinction.
bool NPULegalizerInfo::legalizeWideShift(LegalizerHelper &Helper,
                                         MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  Register Distance = MI.getOperand(2).getReg();
  GISelValueTracking *VT = Helper.getValueTracking();
  if (!VT || getIConstantVRegSExtVal(Distance, *B.getMRI()) ||
      VT->getKnownBits(Distance).getMaxValue().uge(32))
    return Helper.narrowScalar(MI, 0, s32) == LegalizerHelper::Legalized;

  // What leaves one word and enters the other moves by 32 - n in two steps,
  // because n may be 0.
  unsigned Opcode = MI.getOpcode();
  bool IsLeft = Opcode == G_SHL;
  auto Words = B.buildUnmerge(s32, MI.getOperand(1));
  Register Near = Words.getReg(IsLeft ? 1 : 0);
  Register Far = Words.getReg(IsLeft ? 0 : 1);
  auto One = B.buildConstant(s32, 1);
  auto Rest = B.buildXor(s32, Distance, B.buildConstant(s32, 31));
  unsigned Back = IsLeft ? G_LSHR : G_SHL;
  auto Crossing = B.buildInstr(
      Back, {s32}, {B.buildInstr(Back, {s32}, {Far, One}), Rest});
  auto NewNear =
      B.buildOr(s32, B.buildInstr(IsLeft ? G_SHL : G_LSHR, {s32}, {Near, Distance}),
                Crossing);
  auto NewFar = B.buildInstr(Opcode, {s32}, {Far, Distance});
  Register Low = (IsLeft ? NewFar : NewNear).getReg(0);
  Register High = (IsLeft ? NewNear : NewFar).getReg(0);
  B.buildMergeLikeInstr(MI.getOperand(0), {Low, High});
  MI.eraseFromParent();
  return true;
}

// The product of two extended words is a MUL and a MULH.
bool NPULegalizerInfo::legalizeWideMultiply(LegalizerHelper &Helper,
                                            MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  Register LHS = MI.getOperand(1).getReg(), RHS = MI.getOperand(2).getReg();
  unsigned High = 0;
  if (GISelValueTracking *VT = Helper.getValueTracking()) {
    auto IsSigned = [&](Register R) { return VT->computeNumSignBits(R) > 32; };
    auto IsUnsigned = [&](Register R) {
      return VT->getKnownBits(R).countMinLeadingZeros() >= 32;
    };
    if (IsSigned(LHS) && IsSigned(RHS))
      High = G_SMULH;
    else if (IsUnsigned(LHS) && IsUnsigned(RHS))
      High = G_UMULH;
  }
  if (!High)
    return Helper.narrowScalar(MI, 0, s32) == LegalizerHelper::Legalized;

  Register Lo1 = B.buildUnmerge(s32, LHS).getReg(0);
  Register Lo2 = B.buildUnmerge(s32, RHS).getReg(0);
  auto Low = B.buildMul(s32, Lo1, Lo2);
  auto Upper = B.buildInstr(High, {s32}, {Lo1, Lo2});
  B.buildMergeLikeInstr(MI.getOperand(0), {Low.getReg(0), Upper.getReg(0)});
  MI.eraseFromParent();
  return true;
}

// The sign of a double word is in its upper half.
bool NPULegalizerInfo::legalizeWideCompare(LegalizerHelper &Helper,
                                           MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  const auto &Compare = cast<GICmp>(MI);
  auto Constant = getIConstantVRegSExtVal(Compare.getRHSReg(), *B.getMRI());
  CmpInst::Predicate Pred = Compare.getCond();
  bool IsNegative = (Pred == CmpInst::ICMP_SLT && Constant == 0) ||
                    (Pred == CmpInst::ICMP_SLE && Constant == -1);
  bool IsNonNegative = (Pred == CmpInst::ICMP_SGE && Constant == 0) ||
                       (Pred == CmpInst::ICMP_SGT && Constant == -1);
  if (!IsNegative && !IsNonNegative)
    return Helper.narrowScalar(MI, 1, s32) == LegalizerHelper::Legalized;

  auto Halves = B.buildUnmerge(s32, Compare.getLHSReg());
  B.buildICmp(IsNegative ? CmpInst::ICMP_SLT : CmpInst::ICMP_SGE,
              Compare.getReg(0), Halves.getReg(1), B.buildConstant(s32, 0));
  MI.eraseFromParent();
  return true;
}

// A single bit times a de Bruijn number has a different pattern in its upper five
// bits for each position of the bit: they index a table of the results.
bool NPULegalizerInfo::legalizeCountZeros(MachineInstr &MI,
                                          MachineIRBuilder &B) const {
  bool IsLeading =
      MI.getOpcode() == G_CTLZ || MI.getOpcode() == G_CTLZ_ZERO_UNDEF;
  bool ZeroIsDefined = MI.getOpcode() == G_CTLZ || MI.getOpcode() == G_CTTZ;
  Register Src = MI.getOperand(1).getReg();

  // Trailing zeros: isolate the lowest bit. Leading zeros: fill everything below
  // the highest one; all ones below bit n work like the bit itself.
  constexpr uint32_t TrailingFactor = 0x077cb531, LeadingFactor = 0x07c4acdd;
  uint8_t Table[32];
  for (unsigned Bit = 0; Bit != 32; ++Bit)
    if (IsLeading)
      Table[(LeadingFactor * uint32_t(maskTrailingOnes<uint32_t>(Bit + 1))) >>
            27] = 31 - Bit;
    else
      Table[(TrailingFactor << Bit) >> 27] = Bit;

  Register Key;
  if (IsLeading) {
    Key = Src;
    for (unsigned Shift = 1; Shift != 32; Shift *= 2)
      Key = B.buildOr(s32, Key,
                      B.buildLShr(s32, Key, B.buildConstant(s32, Shift)))
                .getReg(0);
  } else {
    Key = B.buildAnd(s32, Src, B.buildSub(s32, B.buildConstant(s32, 0), Src))
              .getReg(0);
  }
  auto Product = B.buildMul(
      s32, Key, B.buildConstant(s32, IsLeading ? LeadingFactor : TrailingFactor));
  auto Index = B.buildLShr(s32, Product, B.buildConstant(s32, 27));

  MachineFunction &MF = B.getMF();
  auto *TableValue = ConstantDataArray::get(MF.getFunction().getContext(),
                                            ArrayRef(Table));
  auto Base = B.buildConstantPool(
      p0, MF.getConstantPool()->getConstantPoolIndex(TableValue, Align(1)));
  auto Entry = B.buildPtrAdd(p0, Base, Index);
  MachineMemOperand *MMO = MF.getMachineMemOperand(
      MachinePointerInfo::getConstantPool(MF),
      MachineMemOperand::MOLoad | MachineMemOperand::MOInvariant |
          MachineMemOperand::MODereferenceable,
      s8, Align(1));
  if (!ZeroIsDefined) {
    B.buildLoadInstr(G_ZEXTLOAD, MI.getOperand(0), Entry, *MMO);
    MI.eraseFromParent();
    return true;
  }
  // Zero finds the entry at 0, which holds 31 or 0.
  auto Count = B.buildLoadInstr(G_ZEXTLOAD, s32, Entry, *MMO);
  auto IsZero =
      B.buildICmp(CmpInst::ICMP_EQ, s32, Src, B.buildConstant(s32, 0));
  if (IsLeading)
    B.buildAdd(MI.getOperand(0), Count, IsZero);
  else
    B.buildOr(MI.getOperand(0), Count,
              B.buildShl(s32, IsZero, B.buildConstant(s32, 5)));
  MI.eraseFromParent();
  return true;
}

// The library's function stores the exponent where its second argument points.
bool NPULegalizerInfo::legalizeFrexp(MachineInstr &MI, MachineIRBuilder &B,
                                     LostDebugLocObserver &LocObserver) const {
  MachineFunction &MF = B.getMF();
  LLVMContext &Context = MF.getFunction().getContext();
  Register Src = MI.getOperand(2).getReg();
  unsigned Size = B.getMRI()->getType(Src).getSizeInBits();
  const char *Name = Size == 32 ? "frexpf" : Size == 64 ? "frexp" : "frexpl";
  Type *Ty = Size == 32   ? Type::getFloatTy(Context)
             : Size == 64 ? Type::getDoubleTy(Context)
                          : Type::getFP128Ty(Context);

  int FI = MF.getFrameInfo().CreateStackObject(4, Align(4), /*isSpillSlot=*/false);
  auto Exponent = B.buildFrameIndex(p0, FI);
  if (createLibcall(B, Name, {MI.getOperand(0).getReg(), Ty, 0},
                    {{Src, Ty, 0},
                     {Exponent.getReg(0), PointerType::get(Context, 0), 1}},
                    CallingConv::C, LocObserver) != LegalizerHelper::Legalized)
    return false;
  B.buildLoad(MI.getOperand(1), Exponent,
              MachinePointerInfo::getFixedStack(MF, FI), Align(4));
  MI.eraseFromParent();
  return true;
}

// Stores of the widest kind that the address allows.
bool NPULegalizerInfo::legalizeMemsetInline(LegalizerHelper &Helper,
                                            MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  Register Dst = MI.getOperand(1).getReg();
  uint64_t Size =
      getIConstantVRegVal(MI.getOperand(3).getReg(), *B.getMRI())->getZExtValue();
  auto Flags = MI.getOperand(4).getImm() ? MachineMemOperand::MOVolatile
                                         : MachineMemOperand::MONone;
  uint64_t Alignment = 1;
  if (GISelValueTracking *VT = Helper.getValueTracking())
    Alignment = uint64_t(1)
                << std::min(2u, VT->getKnownBits(Dst).countMinTrailingZeros());

  auto Word = B.buildMul(s32, B.buildZExt(s32, MI.getOperand(2)),
                         B.buildConstant(s32, 0x01010101));
  for (uint64_t Offset = 0, Step; Offset != Size; Offset += Step) {
    Step = llvm::bit_floor(
        std::min({Size - Offset, uint64_t(4), MinAlign(Alignment, Offset)}));
    B.buildStore(Word, B.buildPtrAdd(p0, Dst, B.buildConstant(s32, Offset)),
                 *B.getMF().getMachineMemOperand(
                     MachinePointerInfo(), MachineMemOperand::MOStore | Flags,
                     LLT::scalar(8 * Step), Align(Step)));
  }
  MI.eraseFromParent();
  return true;
}

// Entries are absolute addresses of blocks.
bool NPULegalizerInfo::legalizeJumpTable(MachineInstr &MI,
                                         MachineIRBuilder &B) const {
  MachineFunction &MF = B.getMF();
  assert(MF.getJumpTableInfo()->getEntryKind() ==
             MachineJumpTableInfo::EK_BlockAddress &&
         "jump tables are absolute in static code");
  auto Offset = B.buildShl(s32, MI.getOperand(2), B.buildConstant(s32, 2));
  auto Entry = B.buildPtrAdd(p0, MI.getOperand(0), Offset);
  auto Target = B.buildLoad(
      p0, Entry,
      *MF.getMachineMemOperand(MachinePointerInfo::getJumpTable(MF),
                               MachineMemOperand::MOLoad |
                                   MachineMemOperand::MOInvariant |
                                   MachineMemOperand::MODereferenceable,
                               p0, Align(4)));
  B.buildBrIndirect(Target.getReg(0));
  MI.eraseFromParent();
  return true;
}

// A va_list is a pointer to the next argument.
bool NPULegalizerInfo::legalizeVAStart(MachineInstr &MI,
                                       MachineIRBuilder &B) const {
  const auto *FuncInfo = B.getMF().getInfo<NPUMachineFunctionInfo>();
  auto First = B.buildFrameIndex(p0, FuncInfo->getVarArgsFrameIndex());
  B.buildStore(First, MI.getOperand(0), *MI.memoperands()[0]);
  MI.eraseFromParent();
  return true;
}

// The frame pointer of the Depth-th caller: each frame record holds the one of
// the frame before at -8, and the return address at -4.
Register NPULegalizerInfo::buildFrameAddress(MachineIRBuilder &B,
                                             unsigned Depth) const {
  B.getMF().getFrameInfo().setFrameAddressIsTaken(true);
  Register Frame =
      B.buildCopy(p0, Register(NPUFrameLowering::FramePointer)).getReg(0);
  for (; Depth; --Depth) {
    auto Slot = B.buildPtrAdd(p0, Frame, B.buildConstant(s32, -8));
    Frame = B.buildLoad(p0, Slot, MachinePointerInfo(), Align(4)).getReg(0);
  }
  return Frame;
}

// A global variable in a register. Without a definition in the function that register
// would count as constant; but a call may change it.
bool NPULegalizerInfo::legalizeReadRegister(LegalizerHelper &Helper,
                                            MachineInstr &MI) const {
  MachineFunction &MF = *MI.getMF();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const auto *Name =
      cast<MDString>(cast<MDNode>(MI.getOperand(1).getMetadata())->getOperand(0));
  Register Reg = NPURegisterInfo::findByName(Name->getString());
  if (Reg && MRI.def_empty(Reg))
    for (MachineBasicBlock &MBB : MF)
      for (MachineInstr &Call : MBB)
        if (Call.isCall() && !Call.isReturn() && MRI.def_empty(Reg))
          Call.addOperand(MF, MachineOperand::CreateReg(Reg, /*isDef=*/true,
                                                        /*isImp=*/true));
  return Helper.lowerReadWriteRegister(MI) == LegalizerHelper::Legalized;
}

bool NPULegalizerInfo::legalizeReturnAddress(MachineInstr &MI,
                                             MachineIRBuilder &B) const {
  MachineFunction &MF = B.getMF();
  unsigned Depth = MI.getOperand(2).getImm();
  MF.getFrameInfo().setReturnAddressIsTaken(true);
  Register Dst = MI.getOperand(0).getReg();
  if (Depth) {
    auto Slot = B.buildPtrAdd(p0, buildFrameAddress(B, Depth),
                              B.buildConstant(s32, -4));
    B.buildLoad(Dst, Slot, MachinePointerInfo(), Align(4));
  } else {
    Register LiveIn = getFunctionLiveInPhysReg(
        MF, *MF.getSubtarget().getInstrInfo(), NPU::X1, NPU::GPRRegClass,
        MI.getDebugLoc(), p0);
    B.buildCopy(Dst, LiveIn);
  }
  MI.eraseFromParent();
  return true;
}

bool NPULegalizerInfo::legalizeIntrinsic(LegalizerHelper &Helper,
                                         MachineInstr &MI) const {
  MachineIRBuilder &B = Helper.MIRBuilder;
  Intrinsic::ID ID = cast<GIntrinsic>(MI).getIntrinsicID();
  // A length or a mask decides how much memory an access takes.
  if (MI.hasOneMemOperand())
    MI.setMemRefs(B.getMF(), B.getMF().getMachineMemOperand(
                                 *MI.memoperands_begin(), 0,
                                 LocationSize::beforeOrAfterPointer()));
  // Those of the vector unit are on full registers and words.
  if (Intrinsic::getBaseName(ID).starts_with("llvm.xnpu.v."))
    return true;
  switch (ID) {
  case Intrinsic::frameaddress:
    B.buildCopy(MI.getOperand(0), buildFrameAddress(B, MI.getOperand(2).getImm()));
    MI.eraseFromParent();
    return true;
  case Intrinsic::returnaddress:
    return legalizeReturnAddress(MI, B);
  case Intrinsic::threadlocal_address:
    // The selector sees that the symbol is thread local.
    B.buildCopy(MI.getOperand(0), MI.getOperand(2));
    MI.eraseFromParent();
    return true;
  case Intrinsic::memset_inline:
    return legalizeMemsetInline(Helper, MI);
  case Intrinsic::eh_dwarf_cfa: {
    // The stack pointer at entry.
    MachineFunction &MF = B.getMF();
    B.buildPtrAdd(MI.getOperand(0),
                  B.buildFrameIndex(p0, MF.getFrameInfo().CreateFixedObject(
                                            4, 0, /*IsImmutable=*/true)),
                  MI.getOperand(2));
    MI.eraseFromParent();
    return true;
  }
  case Intrinsic::eh_unwind_init:
    // Every saved register has to be in the frame.
    B.getMF().setCallsUnwindInit(true);
    MI.eraseFromParent();
    return true;
  case Intrinsic::eh_return_i32: {
    const Function &F = B.getMF().getFunction();
    F.getContext().diagnose(DiagnosticInfoUnsupported(
        F, "__builtin_eh_return is not supported", MI.getDebugLoc()));
    MI.eraseFromParent();
    return true;
  }
  case Intrinsic::clear_cache:
    // The instruction cache follows memory at a fence.i, whatever the range.
    B.buildInstr(NPU::FENCE_I);
    MI.eraseFromParent();
    return true;
  case Intrinsic::thread_pointer:
    B.buildCopy(MI.getOperand(0), Register(NPU::X4));
    MI.eraseFromParent();
    return true;
  case Intrinsic::vacopy: {
    MachineFunction &MF = B.getMF();
    MachinePointerInfo MPO;
    auto List = B.buildLoad(p0, MI.getOperand(2),
                            *MF.getMachineMemOperand(
                                MPO, MachineMemOperand::MOLoad, p0, Align(4)));
    B.buildStore(List, MI.getOperand(1),
                 *MF.getMachineMemOperand(MPO, MachineMemOperand::MOStore, p0,
                                          Align(4)));
    MI.eraseFromParent();
    return true;
  }
  case Intrinsic::get_active_lane_mask:
    return legalizeLaneMask(Helper, MI);
  case Intrinsic::experimental_cttz_elts:
    return legalizeFirstLane(Helper, MI);
  case Intrinsic::masked_load:
    return legalizeMaskedLoad(Helper, MI);
  case Intrinsic::masked_store:
    return legalizeMaskedStore(Helper, MI);
  // An instruction each, on words and vectors.
  case Intrinsic::npu_mac_ldw:
  case Intrinsic::npu_mac_run:
  case Intrinsic::npu_mac_dw:
  case Intrinsic::npu_mac_ldq:
  case Intrinsic::npu_mac_drain:
  case Intrinsic::npu_dma_start:
  case Intrinsic::npu_wait:
  case Intrinsic::npu_poll:
  case Intrinsic::npu_fence:
  case Intrinsic::npu_csr_read:
  case Intrinsic::npu_csr_write:
    return true;
  default:
    return false;
  }
}
