// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoXnpuMac.td - matrix unit ---------------*- tablegen -*-===//
//
// funct3 2 of custom-0.
//
//===----------------------------------------------------------------------===//

class MatrixOp<bits<7> funct7, dag ins, string mnemonic, string operands>
    : NPUInstR<funct7, 0b010, OPC_CUSTOM_0, (outs GPR:$rd), ins, mnemonic,
               operands>, Sched<[WriteNpuIssue]>;

let Extension = "XnpuMac", hasSideEffects = 1, mayLoad = 1, mayStore = 1 in {
def MAC_LDW : MatrixOp<0b0000000, (ins GPR:$rs1, GPR:$rs2), "mac.ldw",
                       "$rd, $rs1, $rs2"> {
  let Semantics = "issue: R = x[rs2][5:0]; S[k][n] = k < R ? weight n of row k at x[rs1] : 0; x[rd] = ticket";
  let Description = "Loads up to 16 rows of int8 weights, or 32 of int4, from TCM into the shadow registers of the array. rs2 holds R and int4.";
}
def MAC_RUN : MatrixOp<0b0000001, (ins GPR:$rs1, GPR:$rs2), "mac.run",
                       "$rd, $rs1, $rs2"> {
  let Semantics = "issue: for each pixel p: ACC[row + p][n] = (acc ? ACC[row + p][n] : 0) + sum(a[k] * W[k][n]); x[rd] = ticket";
  let Description = "Streams up to 256 activation vectors, gathered from TCM as the window CSRs say, through the array into the accumulators. rs2 holds row, count, K, first, acc and swap.";
}
def MAC_DW : MatrixOp<0b0000100, (ins GPR:$rs1, GPR:$rs2), "mac.dw",
                      "$rd, $rs1, $rs2"> {
  let Semantics = "issue: for each pixel p: ACC[row + p][n] = (acc ? ACC[row + p][n] : 0) + sum(tap r[n] * W[r][n]); x[rd] = ticket";
  let Description = "Depthwise: streams windows of up to 16 taps of 16 channels each from TCM; array row r holds the weights of tap r. rs2 holds row, count, kw, kh, acc and swap.";
}
def MAC_LDQ : MatrixOp<0b0000010, (ins GPR:$rs1), "mac.ldq", "$rd, $rs1"> {
  let rs2 = 0;
  let Semantics = "issue: B, M, H = table at x[rs1]; x[rd] = ticket";
  let Description = "Loads the quantization table of 16 channels from TCM: bias, multiplier and shift, 144 bytes.";
}
def MAC_DRAIN : MatrixOp<0b0000011, (ins GPR:$rs1, GPR:$rs2), "mac.drain",
                         "$rd, $rs1, $rs2"> {
  let Semantics = "issue: for each pixel p: mem[x[rs1] + offset(p) ...] = raw ? ACC[row + p] : requantize(ACC[row + p]); x[rd] = ticket";
  let Description = "Requantizes accumulator rows to int8 and stores them to TCM, or stores them unchanged as int32. rs2 holds row, count, N and raw.";
}
}
