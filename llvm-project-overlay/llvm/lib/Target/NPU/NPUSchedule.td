// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUSchedule.td - scheduling classes and model ------*- tablegen -*-===//

def WriteIALU : SchedWrite;
def WriteIMul : SchedWrite;
def WriteIDiv : SchedWrite;
def WriteLoad : SchedWrite;
def WriteStore : SchedWrite;
def WriteJmp : SchedWrite;
def WriteJal : SchedWrite;
def WriteJalr : SchedWrite;
def WriteCSR : SchedWrite;
def WriteNpuIssue : SchedWrite;

def NPUSchedModel : SchedMachineModel {
  let CompleteModel = 0;
}
