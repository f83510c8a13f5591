// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUMCAsmInfo.h - assembly language properties -----------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUMCASMINFO_H
#define LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUMCASMINFO_H

#include "llvm/MC/MCAsmInfoELF.h"

namespace llvm {

class MCTargetOptions;
class Triple;

class NPUMCAsmInfo : public MCAsmInfoELF {
public:
  NPUMCAsmInfo(const Triple &TT, const MCTargetOptions &Options);

  void printSpecifierExpr(raw_ostream &OS,
                          const MCSpecifierExpr &Expr) const override;
};

} // namespace llvm

#endif
