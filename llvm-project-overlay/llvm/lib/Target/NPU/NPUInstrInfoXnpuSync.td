// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoXnpuSync.td - tickets and fences -------*- tablegen -*-===//

let Extension = "XnpuSync", hasSideEffects = 1, mayLoad = 1, mayStore = 1 in {
def NPU_WAIT : NPUInstR<0b0000000, 0b000, OPC_CUSTOM_0, (outs), (ins GPR:$rs1),
                        "npu.wait", "$rs1">, Sched<[WriteNpuIssue]> {
  let rd = 0;
  let rs2 = 0;
  let Semantics = "wait until complete(x[rs1])";
  let Description = "Waits until the operation with the ticket in rs1 is complete. A ticket not issued yet waits for the operations issued so far; a ticket of unit 3 is complete at once.";
}
def NPU_POLL : NPUInstR<0b0000001, 0b000, OPC_CUSTOM_0, (outs GPR:$rd),
                        (ins GPR:$rs1), "npu.poll", "$rd, $rs1">,
               Sched<[WriteNpuIssue]> {
  let rs2 = 0;
  let Semantics = "x[rd] = complete(x[rs1]) ? 1 : 0";
  let Description = "Tells without waiting whether npu.wait on the same ticket would retire now.";
}
def NPU_FENCE : NPUInst<(outs), (ins uimm5:$mask), "npu.fence", "$mask",
                        FormatR>, Sched<[WriteNpuIssue]> {
  bits<5> mask;
  let Inst{31-25} = 0b0000010;
  let Inst{24-20} = mask;
  let Inst{19-15} = 0;
  let Inst{14-12} = 0b000;
  let Inst{11-7} = 0;
  let Inst{6-0} = OPC_CUSTOM_0.Value;
  let Semantics = "for each unit u with mask[u]: wait until all its operations are complete";
  let Description = "Waits for every operation issued to the units in the mask: bit 0 DMA channel 0, bit 1 DMA channel 1, bit 2 matrix unit. Bits 3 and 4 are ignored.";
}
}
