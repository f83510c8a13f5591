// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUVectorIdioms.h - instructions that take several operations -----===//

#ifndef LLVM_LIB_TARGET_NPU_NPUVECTORIDIOMS_H
#define LLVM_LIB_TARGET_NPU_NPUVECTORIDIOMS_H

#include "llvm/IR/PassManager.h"

namespace llvm {

class DataLayout;
class Value;

// Replaces vector code by the instruction that does the same.
class NPUVectorIdiomsPass : public PassInfoMixin<NPUVectorIdiomsPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
};

namespace NPUVector {

// A byte of a table whose 256 bytes may all be read: they start Offset bytes behind
// Table. A signed index counts from the middle.
struct TableEntry {
  Value *Table;
  int Offset;
  Value *Index; // a byte, or one for each lane
  bool IsSigned;
};
std::optional<TableEntry> matchTableEntry(Value *Pointer, const DataLayout &DL);

} // namespace NPUVector
} // namespace llvm

#endif
