// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUVectorTypes.h - how vectors lie in registers ---------*- C++ -*-===//
//
// A vector fills a register: the number of its lanes decides how wide an element is
// there, 8 bits for 64 lanes, 16 for 32, 32 for 16. Narrower elements lie in the low
// bits of these, a mask as all zeros or all ones.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NPU_GISEL_NPUVECTORTYPES_H
#define LLVM_LIB_TARGET_NPU_GISEL_NPUVECTORTYPES_H

#include "llvm/CodeGenTypes/LowLevelType.h"

namespace llvm {
namespace NPUVector {

constexpr unsigned RegisterBits = 512;

// Whether vectors of so many lanes live in vector registers.
inline bool isLaneCount(unsigned Lanes) {
  return Lanes == 16 || Lanes == 32 || Lanes == 64;
}

inline bool isElementSize(unsigned Bits) {
  return Bits == 8 || Bits == 16 || Bits == 32;
}

inline LLT getType(unsigned Lanes) {
  return LLT::fixed_vector(Lanes, RegisterBits / Lanes);
}

// A vector that is a register as it stands.
inline bool isFull(LLT Ty) {
  return Ty.isFixedVector() && !Ty.getElementType().isPointer() &&
         isLaneCount(Ty.getNumElements()) && Ty == getType(Ty.getNumElements());
}

// A vector whose elements lie in wider ones.
inline bool isNarrow(LLT Ty) {
  if (!Ty.isFixedVector() || Ty.getElementType().isPointer() ||
      !isLaneCount(Ty.getNumElements()))
    return false;
  unsigned Bits = Ty.getScalarSizeInBits();
  return Bits < RegisterBits / Ty.getNumElements() &&
         (Bits == 1 || isElementSize(Bits));
}

inline bool isMask(LLT Ty) {
  return isNarrow(Ty) && Ty.getScalarSizeInBits() == 1;
}

// A vector of several registers.
inline bool isLong(LLT Ty) {
  return Ty.isFixedVector() && !Ty.getElementType().isPointer() &&
         isPowerOf2_32(Ty.getNumElements()) &&
         isElementSize(Ty.getScalarSizeInBits()) &&
         Ty.getSizeInBits() > RegisterBits;
}

// The register-sized part of a long vector.
inline LLT getPart(LLT Ty) {
  return LLT::fixed_vector(RegisterBits / Ty.getScalarSizeInBits(),
                           Ty.getScalarSizeInBits());
}

} // namespace NPUVector
} // namespace llvm

#endif
