// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The NPU as Clang sees it: types, macros, registers, inline assembly constraints.

#ifndef LLVM_CLANG_LIB_BASIC_TARGETS_NPU_H
#define LLVM_CLANG_LIB_BASIC_TARGETS_NPU_H

#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/Support/Compiler.h"
#include "llvm/TargetParser/Triple.h"

namespace clang {
namespace targets {

class LLVM_LIBRARY_VISIBILITY NPUTargetInfo : public TargetInfo {
public:
  NPUTargetInfo(const llvm::Triple &Triple, const TargetOptions &Opts);

  StringRef getABI() const override { return "ilp32"; }
  bool setABI(const std::string &Name) override { return Name == "ilp32"; }

  bool isValidCPUName(StringRef Name) const override { return Name == "npu"; }
  void fillValidCPUList(SmallVectorImpl<StringRef> &Values) const override {
    Values.push_back("npu");
  }
  bool setCPU(const std::string &Name) override { return isValidCPUName(Name); }
  bool hasFeature(StringRef Feature) const override;
  // Of __attribute__((target("..."))).
  bool isValidFeatureName(StringRef Name) const override;

  void getTargetDefines(const LangOptions &Opts,
                        MacroBuilder &Builder) const override;
  llvm::SmallVector<Builtin::InfosShard> getTargetBuiltins() const override;
  BuiltinVaListKind getBuiltinVaListKind() const override {
    return VoidPtrBuiltinVaList;
  }

  ArrayRef<const char *> getGCCRegNames() const override;
  ArrayRef<GCCRegAlias> getGCCRegAliases() const override;
  bool validateAsmConstraint(const char *&Name,
                             ConstraintInfo &Info) const override;
  bool validateGlobalRegisterVariable(StringRef RegName, unsigned RegSize,
                                      bool &HasSizeMismatch) const override;
  std::string convertConstraint(const char *&Constraint) const override;
  std::string_view getClobbers() const override { return ""; }
  bool isSPRegName(StringRef RegName) const override {
    return RegName == "sp" || RegName == "x2";
  }

  // a0 and a1 carry the exception object and selector.
  int getEHDataRegisterNumber(unsigned RegNo) const override {
    return RegNo < 2 ? 10 + RegNo : -1;
  }
  // A half is one in IR, too; the back end calls the library.
  bool useFP16ConversionIntrinsics() const override { return false; }
  bool hasBitIntType() const override { return true; }
};

} // namespace targets
} // namespace clang

#endif // LLVM_CLANG_LIB_BASIC_TARGETS_NPU_H
