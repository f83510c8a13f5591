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

def NPUSchedModel : SchedMachineModel {
  let IssueWidth = 1;
  let MicroOpBufferSize = 0; // in order
  let LoadLatency = 2;
  let MispredictPenalty = 2; // bubbles of a taken branch or jump
  let PostRAScheduler = 1;
  let CompleteModel = 1;
}

let SchedModel = NPUSchedModel in {
// The pipeline, one instruction at a time.
def NPUIssue : ProcResource<1> { let BufferSize = 0; }
// The divider works on one instruction and holds up the pipeline meanwhile.
def NPUDivider : ProcResource<1> { let BufferSize = 0; }

class NPUWriteRes<SchedWrite write, int latency>
    : WriteRes<write, [NPUIssue]> {
  let Latency = latency;
}
def : InstRW<[WriteIALU], (instrs COPY)>;
def : NPUWriteRes<WriteIALU, 1>;
def : NPUWriteRes<WriteIMul, 2>;
def : NPUWriteRes<WriteLoad, 2>;
def : NPUWriteRes<WriteStore, 1>;
def : NPUWriteRes<WriteJmp, 1>;
def : NPUWriteRes<WriteJal, 1>;
def : NPUWriteRes<WriteJalr, 1>;
def : NPUWriteRes<WriteCSR, 1>;
def : NPUWriteRes<WriteNpuIssue, 1>;
def : WriteRes<WriteIDiv, [NPUIssue, NPUDivider]> {
  let Latency = 34;
  let ReleaseAtCycles = [34, 34];
}
}
