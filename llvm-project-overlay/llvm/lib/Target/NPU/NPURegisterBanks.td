// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPURegisterBanks.td - GlobalISel register banks ----*- tablegen -*-===//

// Every scalar that a program computes lives in an integer register: floating-point
// numbers are bit patterns that library functions work on.
def GPRBRegBank : RegisterBank<"GPRB", [GPR]>;
def VRBRegBank : RegisterBank<"VRB", [VR]>;
