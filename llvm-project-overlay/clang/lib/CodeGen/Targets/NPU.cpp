// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calling convention: RISC-V psABI, ilp32 (integer registers only).

#include "ABIInfoImpl.h"
#include "TargetInfo.h"

using namespace clang;
using namespace clang::CodeGen;

namespace {

class NPUABIInfo : public DefaultABIInfo {
  static constexpr unsigned XLen = 32;

  /// How a value of the type travels in up to two registers, or in the stack slots that
  /// take their place; anything wider is passed by reference.
  ABIArgInfo classify(QualType Ty, bool IsNamed) const;
  bool isVectorRegister(QualType Ty) const;

public:
  NPUABIInfo(CodeGenTypes &CGT) : DefaultABIInfo(CGT) {}

  void computeInfo(CGFunctionInfo &FI) const override;
  RValue EmitVAArg(CodeGenFunction &CGF, Address VAListAddr, QualType Ty,
                   AggValueSlot Slot) const override;
};

class NPUTargetCodeGenInfo : public TargetCodeGenInfo {
public:
  NPUTargetCodeGenInfo(CodeGenTypes &CGT)
      : TargetCodeGenInfo(std::make_unique<NPUABIInfo>(CGT)) {}

  void setTargetAttributes(const Decl *D, llvm::GlobalValue *GV,
                           CodeGenModule &CGM) const override;
};

} // end anonymous namespace

bool NPUABIInfo::isVectorRegister(QualType Ty) const {
  const auto *VT = Ty->getAs<VectorType>();
  return VT && VT->getElementType()->isIntegerType() &&
         getContext().getTypeSize(Ty) == 512 &&
         getContext().getTypeSize(VT->getElementType()) <= XLen;
}

ABIArgInfo NPUABIInfo::classify(QualType Ty, bool IsNamed) const {
  Ty = useFirstFieldIfTransparentUnion(Ty);
  ASTContext &Context = getContext();

  // A C++ object with a non-trivial copy constructor or destructor lives in memory.
  if (CGCXXABI::RecordArgABI RAA = getRecordArgABI(Ty, getCXXABI()))
    return getNaturalAlignIndirect(
        Ty, getDataLayout().getAllocaAddrSpace(),
        /*ByVal=*/RAA == CGCXXABI::RAA_DirectInMemory);

  // An empty record has no size in C (as an extension); in C++ it is passed like a byte.
  uint64_t Size = Context.getTypeSize(Ty);
  if (Size == 0)
    return ABIArgInfo::getIgnore();

  // A vector register. Variadic arguments have none.
  if (isVectorRegister(Ty) && IsNamed)
    return ABIArgInfo::getDirect();

  if (Size > 2 * XLen)
    return getNaturalAlignIndirect(Ty, getDataLayout().getAllocaAddrSpace(),
                                   /*ByVal=*/false);

  if (!isAggregateTypeForABI(Ty) && !Ty->isVectorType()) {
    if (const auto *ED = Ty->getAsEnumDecl())
      Ty = ED->getIntegerType();
    // Narrow integers are widened by their own signedness.
    if (Ty->isIntegralOrEnumerationType() && Size < XLen)
      return ABIArgInfo::getExtend(Ty);
    // So is _BitInt of one or two registers, which callees rely on.
    if (Ty->isBitIntType())
      return ABIArgInfo::getExtend(Ty);
    return ABIArgInfo::getDirect();
  }

  // An aggregate is copied word by word. One that is aligned to two words keeps that
  // alignment, which variadic arguments and stack slots respect.
  if (Size <= XLen)
    return ABIArgInfo::getDirect(llvm::IntegerType::get(getVMContext(), XLen));
  if (Context.getTypeAlign(Ty) == 2 * XLen)
    return ABIArgInfo::getDirect(
        llvm::IntegerType::get(getVMContext(), 2 * XLen));
  return ABIArgInfo::getDirect(llvm::ArrayType::get(
      llvm::IntegerType::get(getVMContext(), XLen), 2));
}

void NPUABIInfo::computeInfo(CGFunctionInfo &FI) const {
  QualType RetTy = FI.getReturnType();
  // A result is returned in the registers that pass a first argument of its type, and
  // otherwise through a hidden pointer.
  if (!getCXXABI().classifyReturnType(FI))
    FI.getReturnInfo() =
        RetTy->isVoidType() ? ABIArgInfo::getIgnore() : classify(RetTy, /*IsNamed=*/true);
  unsigned Named = FI.getNumRequiredArgs();
  for (auto [Index, Arg] : llvm::enumerate(FI.arguments()))
    Arg.info = classify(Arg.type, Index < Named);
}

RValue NPUABIInfo::EmitVAArg(CodeGenFunction &CGF, Address VAListAddr,
                             QualType Ty, AggValueSlot Slot) const {
  TypeInfoChars Info = getContext().getTypeInfoInChars(Ty);
  if (Info.Width.isZero())
    return Slot.asRValue();

  CharUnits SlotSize = CharUnits::fromQuantity(XLen / 8);
  return emitVoidPtrVAArg(CGF, VAListAddr, Ty,
                          /*IsIndirect=*/Info.Width > 2 * SlotSize, Info,
                          SlotSize, /*AllowHigherAlign=*/true, Slot);
}

void NPUTargetCodeGenInfo::setTargetAttributes(const Decl *D,
                                               llvm::GlobalValue *GV,
                                               CodeGenModule &CGM) const {
  const auto *FD = dyn_cast_or_null<FunctionDecl>(D);
  if (!FD || !FD->hasAttr<RISCVInterruptAttr>())
    return;
  // The core has machine mode alone, whatever mode the attribute names.
  cast<llvm::Function>(GV)->addFnAttr("interrupt", "machine");
}

std::unique_ptr<TargetCodeGenInfo>
CodeGen::createNPUTargetCodeGenInfo(CodeGenModule &CGM) {
  return std::make_unique<NPUTargetCodeGenInfo>(CGM.getTypes());
}
