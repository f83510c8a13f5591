// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPU.td - the NPU target ----------------------------*- tablegen -*-===//

include "llvm/Target/Target.td"

//===----------------------------------------------------------------------===//
// Registers, scheduling, calling convention, instructions
//===----------------------------------------------------------------------===//

include "NPURegisterInfo.td"
include "NPUSchedule.td"
include "NPUCallingConv.td"
include "NPUInstrInfo.td"
include "NPURegisterBanks.td"

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

// RV32IM and Xnpu always come together: features choose what the tools do, not
// what the machine has.
def FeatureRelax : SubtargetFeature<"relax", "EnableLinkerRelax", "true",
                                    "let the linker shorten calls">;

foreach I = 1...31 in
  def FeatureReserveX#I
      : SubtargetFeature<"reserve-x"#I, "UserReservedRegisters[NPU::X"#I#"]",
                         "true", "leave x"#I#" to the program">;

def : ProcessorModel<"generic", NPUSchedModel, [FeatureRelax]>;
def : ProcessorModel<"npu", NPUSchedModel, [FeatureRelax]>;

def NPUInstrInfo : InstrInfo {
  let guessInstructionProperties = 0;
}
defm : RemapAllTargetPseudoPointerOperands<GPR>;

def NPUAsmParser : AsmParser {
  let ShouldEmitMatchRegisterAltName = 1;
  let AllowDuplicateRegisterNames = 1;
}

def NPUAsmWriter : AsmWriter {
  int PassSubtarget = 1;
}

def NPU : Target {
  let InstructionSet = NPUInstrInfo;
  let AssemblyParsers = [NPUAsmParser];
  let AssemblyWriters = [NPUAsmWriter];
  let AllowRegisterRenaming = 1;
}
