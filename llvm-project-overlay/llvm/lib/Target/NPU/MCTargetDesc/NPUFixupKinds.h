// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUFixupKinds.h - fixups of NPU instructions ------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUFIXUPKINDS_H
#define LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUFIXUPKINDS_H

#include "llvm/MC/MCFixup.h"

namespace llvm::NPU {

// Fixups the assembler can resolve itself. What only the linker can resolve
// (GOT, TLS) uses the relocation type as its kind.
enum Fixups {
  // %hi in lui
  fixup_npu_hi20 = FirstTargetFixupKind,
  // %lo in the I and the S format
  fixup_npu_lo12_i,
  fixup_npu_lo12_s,
  // a plain expression in the I format, known once the layout is
  fixup_npu_12_i,
  // %pcrel_hi in auipc
  fixup_npu_pcrel_hi20,
  // %pcrel_lo, whose expression is the label of the matching auipc
  fixup_npu_pcrel_lo12_i,
  fixup_npu_pcrel_lo12_s,
  // the target of jal
  fixup_npu_jal,
  // the target of a conditional branch
  fixup_npu_branch,
  // an auipc and jalr pair
  fixup_npu_call_plt,

  fixup_npu_invalid,
  NumTargetFixupKinds = fixup_npu_invalid - FirstTargetFixupKind
};

} // namespace llvm::NPU

#endif
