// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetInfo.h - NPU target registration ---------------*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_TARGETINFO_NPUTARGETINFO_H
#define LLVM_LIB_TARGET_NPU_TARGETINFO_NPUTARGETINFO_H

namespace llvm {

class Target;

Target &getTheNPUTarget();

} // namespace llvm

#endif
