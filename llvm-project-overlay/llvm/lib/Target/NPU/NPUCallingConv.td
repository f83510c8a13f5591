// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCallingConv.td - psABI ilp32 --------------------*- tablegen -*-===//
//
// The integer calling convention of the RISC-V psABI. Arguments wider than two
// registers and byval aggregates are references to a copy: call lowering turns
// them into pointers before they get here (NPUCallLowering.cpp). What is left is
// words, or the two halves of a double word.
//
//===----------------------------------------------------------------------===//

// A variadic double word takes an aligned pair of registers; where none is left
// it lies in memory, and a last single register stays unused.
class CCIfVariadicPair<CCAction A>
    : CCIf<"ArgFlags.isVarArg() && ArgFlags.isSplit() && "
           "ArgFlags.getNonZeroOrigAlign() >= Align(8)", A>;

// A double word that lies entirely in memory is aligned to its size.
class CCIfSplitPair<CCAction A>
    : CCIf<"ArgFlags.isSplit() && ArgFlags.getNonZeroOrigAlign() >= Align(8)", A>;

def CC_NPU : CallingConv<[
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfVariadicPair<CCIfType<[i32],
      CCAssignToRegWithShadow<[X10, X12, X14, X16], [X10, X11, X13, X15]>>>,
  CCIfVariadicPair<CCIfType<[i32], CCAssignToStackWithShadow<4, 8, [X17]>>>,
  CCIfNest<CCAssignToReg<[X7]>>,
  CCIfType<[i32], CCAssignToReg<[X10, X11, X12, X13, X14, X15, X16, X17]>>,
  CCIfType<[v64i8, v32i16, v16i32],
           CCAssignToReg<[V8, V9, V10, V11, V12, V13, V14, V15]>>,
  CCIfSplitPair<CCIfType<[i32], CCAssignToStack<4, 8>>>,
  CCIfType<[i32], CCAssignToStack<4, 4>>
]>;

def RetCC_NPU : CallingConv<[
  CCIfType<[i1, i8, i16], CCPromoteToType<i32>>,
  CCIfType<[i32], CCAssignToReg<[X10, X11]>>,
  CCIfType<[v64i8, v32i16, v16i32], CCAssignToReg<[V8, V9, V10, V11]>>
]>;

def CSR_NPU : CalleeSavedRegs<(add X1, X8, X9, (sequence "X%u", 18, 27))>;

// An interrupt handler returns with every register as it was.
def CSR_Interrupt : CalleeSavedRegs<(add X1, (sequence "X%u", 5, 31),
                                         (sequence "V%u", 0, 31))>;

def CSR_NoRegs : CalleeSavedRegs<(add)>;
