// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPURegisterInfo.td - NPU register file -------------*- tablegen -*-===//
//
// The 32 integer registers of the scalar core and the 32 of the vector unit. The
// MAC array, the accumulators and the DMA channels have no registers an allocator
// could hand out: programs name them through operands of the Xnpu instructions.
//
//===----------------------------------------------------------------------===//

let Namespace = "NPU" in {
def ABIRegAltName : RegAltNameIndex;

class NPUReg<bits<5> Enc, string Name, list<string> Alt, bit Constant = 0>
    : Register<Name, Alt>, DwarfRegNum<[!cast<int>(Enc)]> {
  let HWEncoding{4-0} = Enc;
  let RegAltNameIndices = [ABIRegAltName];
  let isConstant = Constant;
}

def X0 : NPUReg<0, "x0", ["zero"], 1>;
def X1 : NPUReg<1, "x1", ["ra"]>;
def X2 : NPUReg<2, "x2", ["sp"]>;
def X3 : NPUReg<3, "x3", ["gp"]>;
def X4 : NPUReg<4, "x4", ["tp"]>;
def X5 : NPUReg<5, "x5", ["t0"]>;
def X6 : NPUReg<6, "x6", ["t1"]>;
def X7 : NPUReg<7, "x7", ["t2"]>;
def X8 : NPUReg<8, "x8", ["s0", "fp"]>;
def X9 : NPUReg<9, "x9", ["s1"]>;
foreach I = 0...7 in
  def X#!add(I, 10) : NPUReg<!add(I, 10), "x"#!add(I, 10), ["a"#I]>;
foreach I = 2...11 in
  def X#!add(I, 16) : NPUReg<!add(I, 16), "x"#!add(I, 16), ["s"#I]>;
foreach I = 3...6 in
  def X#!add(I, 25) : NPUReg<!add(I, 25), "x"#!add(I, 25), ["t"#I]>;

foreach I = 0...31 in
  def V#I : Register<"v"#I, ["v"#I]>, DwarfRegNum<[!add(I, 96)]> {
    let HWEncoding{4-0} = I;
    let RegAltNameIndices = [ABIRegAltName];
  }
}

class NPUGPRClass<dag Regs> : RegisterClass<"NPU", [i32], 32, Regs>;

// Arguments first: they are free at the start of most live ranges. Saved
// registers cost a spill in the prologue and follow; what is never allocated
// comes last.
def GPR : NPUGPRClass<(add (sequence "X%u", 10, 17), (sequence "X%u", 5, 7),
                           (sequence "X%u", 28, 31), (sequence "X%u", 8, 9),
                           (sequence "X%u", 18, 27), (sequence "X%u", 0, 4))>;

// Everything a result may be written to.
def GPRNoX0 : NPUGPRClass<(sub GPR, X0)>;

// Targets of an indirect tail call: not callee-saved, so they survive the
// epilogue, and not the alternate link register x5, which would pop the return
// address stack of a predicting core.
def GPRTC : NPUGPRClass<(add (sequence "X%u", 10, 17), (sequence "X%u", 6, 7),
                             (sequence "X%u", 28, 31))>;

// The registers that compressed instructions name (inline assembly constraint cr).
def GPRC : NPUGPRClass<(add (sequence "X%u", 10, 15), (sequence "X%u", 8, 9))>;

// Every address that is a multiple of four is as good as any other, so vectors
// ask for no more than what the stack has.
def VR : RegisterClass<"NPU", [v64i8, v32i16, v16i32], 128,
                       (add (sequence "V%u", 8, 31), (sequence "V%u", 0, 7))>;
