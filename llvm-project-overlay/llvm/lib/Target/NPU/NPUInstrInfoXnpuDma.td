// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoXnpuDma.td - DMA channels --------------*- tablegen -*-===//

let Extension = "XnpuDma", hasSideEffects = 1, mayLoad = 1, mayStore = 1 in
def DMA_START : NPUInst<(outs GPR:$rd), (ins GPR:$rs1, uimm1:$ch), "dma.start",
                        "$rd, $rs1, $ch", FormatR>, Sched<[WriteNpuIssue]> {
  bits<5> rs1;
  bits<5> rd;
  bits<1> ch;
  let Inst{31-25} = 0b0000000;
  // The channel sits in the rs2 field; values above 1 are illegal.
  let Inst{24-21} = 0;
  let Inst{20} = ch;
  let Inst{19-15} = rs1;
  let Inst{14-12} = 0b001;
  let Inst{11-7} = rd;
  let Inst{6-0} = OPC_CUSTOM_0.Value;
  let Semantics = "issue to DMA[ch]: descriptor chain at x[rs1]; x[rd] = ticket";
  let Description = "Starts the descriptor chain at the TCM address in rs1 on channel 0 or 1 and returns its ticket.";
}
