// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUScheduler.h - scheduling that keeps variables' values -*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_NPUSCHEDULER_H
#define LLVM_LIB_TARGET_NPU_NPUSCHEDULER_H

namespace llvm {

struct MachineSchedContext;
class ScheduleDAGInstrs;

// Before and after register allocation.
ScheduleDAGInstrs *createNPUScheduler(MachineSchedContext *C);
ScheduleDAGInstrs *createNPUPostScheduler(MachineSchedContext *C);

} // namespace llvm

#endif
