// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUSchedule.td - scheduling classes and model ------*- tablegen -*-===//
//
// The core issues one instruction a cycle, in order. Latencies are those of the
// manual's timing chapter; a latency of one means that the next instruction can
// use the result without a bubble.
//
//===----------------------------------------------------------------------===//

def WriteIALU : SchedWrite;
def WriteIMul : SchedWrite;
def WriteIDiv : SchedWrite;
def WriteLoad : SchedWrite;
def WriteStore : SchedWrite;
def WriteJmp : SchedWrite;      // conditional branches
def WriteJal : SchedWrite;
def WriteJalr : SchedWrite;
def WriteCSR : SchedWrite;
def WriteNpuIssue : SchedWrite; // hands an operation to a unit and its queue
def WriteVAlu : SchedWrite;
def WriteVMul : SchedWrite;
def WriteVRequant : SchedWrite;
def WriteVPerm : SchedWrite;
def WriteVReduce : SchedWrite;  // vector to scalar register
def WriteVLoad : SchedWrite;
def WriteVStore : SchedWrite;
def WriteVStrided : SchedWrite; // one lane a cycle
def ReadVAcc : SchedRead;       // what a multiplication adds to

def NPUSchedModel : SchedMachineModel {
  let IssueWidth = 1;
  let MicroOpBufferSize = 0; // in order
  let LoadLatency = 2;
  let MispredictPenalty = 2; // bubbles of a taken branch or jump
  let PostRAScheduler = 1;
  let CompleteModel = 1;
}

let SchedModel = NPUSchedModel in {
// The pipeline: one instruction starts in a cycle, and one that takes longer
// holds it up. Results may come out of order: a load or a product does not
// hold up what is behind it and does not need it.
def NPUIssue : ProcResource<1> { let BufferSize = 0; }

class NPUWriteRes<SchedWrite write, int latency, int cycles = 1>
    : WriteRes<write, [NPUIssue]> {
  let Latency = latency;
  let ReleaseAtCycles = [cycles];
  let RetireOOO = 1;
}
// The target of a jump starts behind the bubbles.
class NPUJumpRes<SchedWrite write>
    : NPUWriteRes<write, 1, !add(1, NPUSchedModel.MispredictPenalty)>;

def : InstRW<[WriteIALU], (instrs COPY)>;
def : NPUWriteRes<WriteIALU, 1>;
def : NPUWriteRes<WriteIMul, 2>;
def : NPUWriteRes<WriteIDiv, 34, 34>;
def : NPUWriteRes<WriteLoad, 2>;
def : NPUWriteRes<WriteStore, 1>;
def : NPUWriteRes<WriteJmp, 1>; // not taken; llvm-mca sees the others as jumps
def : NPUJumpRes<WriteJal>;
def : NPUJumpRes<WriteJalr>;
def : NPUWriteRes<WriteCSR, 1>;
def : NPUWriteRes<WriteNpuIssue, 1>;
def : NPUWriteRes<WriteVAlu, 1>;
def : NPUWriteRes<WriteVMul, 3>;
def : NPUWriteRes<WriteVRequant, 4>;
def : NPUWriteRes<WriteVPerm, 2>;
def : NPUWriteRes<WriteVReduce, 4>;
def : NPUWriteRes<WriteVLoad, 3>;
def : NPUWriteRes<WriteVStore, 1>;
// Sums stay in the multiplier: the next one can start in the next cycle.
def : ReadAdvance<ReadVAcc, 2, [WriteVMul]>;
// One lane after the other; the last one of a load arrives as a load does. All
// lanes, since how many there are stands in a register.
def : NPUWriteRes<WriteVStrided, !add(64, 2), 64>;
foreach lanes = [32, 16] in
def NPUStrided#lanes : SchedWriteRes<[NPUIssue]> {
  let Latency = !add(lanes, 2);
  let ReleaseAtCycles = [lanes];
  let RetireOOO = 1;
}
def : InstRW<[NPUStrided32], (instregex "^V_(LDS|STS)_H$")>;
def : InstRW<[NPUStrided16], (instregex "^V_(LDS|STS)_W$")>;
}
