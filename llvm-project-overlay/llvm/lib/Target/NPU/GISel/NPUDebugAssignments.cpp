// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUDebugAssignments.cpp - variables in memory, for -g -------------===//
//
// With assignment tracking, stores are linked to the variables that they assign, and an
// analysis tells from that where each variable is: in memory, or still a value that is to be
// stored. SelectionDAG asks the analysis. The IR translator does not know of it, so this pass
// puts the answers into the IR: a declaration for a variable that has one place in its whole
// scope, a value record for every other change of place.
//
//===----------------------------------------------------------------------===//

#include "NPU.h"
#include "llvm/CodeGen/AssignmentTrackingAnalysis.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/InitializePasses.h"

using namespace llvm;

#define DEBUG_TYPE "npu-debug-assignments"

namespace {
class NPUDebugAssignments : public FunctionPass {
public:
  static char ID;
  NPUDebugAssignments() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NPU Debug Assignments"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<AssignmentTrackingAnalysis>();
    // Debug records alone change. (The IR translator requires the stack protector,
    // which must not run again: it would guard each frame twice.)
    AU.setPreservesAll();
  }
  bool runOnFunction(Function &F) override;
};
} // namespace

char NPUDebugAssignments::ID = 0;

INITIALIZE_PASS_BEGIN(NPUDebugAssignments, DEBUG_TYPE, "NPU Debug Assignments", false, false)
INITIALIZE_PASS_DEPENDENCY(AssignmentTrackingAnalysis)
INITIALIZE_PASS_END(NPUDebugAssignments, DEBUG_TYPE, "NPU Debug Assignments", false, false)

static void insertRecord(const FunctionVarLocs &Places, const VarLocInfo &Place,
                         DbgVariableRecord::LocationType Type, Instruction &Before) {
  auto *Record = new DbgVariableRecord(Place.Values.getRawLocation(),
                                       Places.getDILocalVariable(&Place), Place.Expr,
                                       Place.DL.get(), Type);
  if (Place.Values.isKillLocation(Place.Expr))
    Record->setKillLocation();
  Before.getParent()->insertDbgRecordBefore(Record, Before.getIterator());
}

bool NPUDebugAssignments::runOnFunction(Function &F) {
  if (!F.getSubprogram() || !isAssignmentTrackingEnabled(*F.getParent()))
    return false;
  const FunctionVarLocs &Places = *getAnalysis<AssignmentTrackingAnalysis>().getResults();
  // What a pointer leads to that is not a stack object's: a parameter's or of an array of
  // variable size, whose address there is only from here on.
  SmallDenseSet<DebugVariable, 4> Declared;
  for (Instruction &I : instructions(F)) {
    for (DbgVariableRecord &Record :
         make_early_inc_range(filterDbgVars(I.getDbgRecordRange()))) {
      const auto *Object = dyn_cast_or_null<AllocaInst>(Record.getVariableLocationOp(0));
      if (Record.isDbgDeclare() && !(Object && Object->isStaticAlloca()))
        Declared.insert(DebugVariable(&Record));
      else
        Record.eraseFromParent();
    }
    for (const VarLocInfo &Place : make_range(Places.locs_begin(&I), Places.locs_end(&I)))
      insertRecord(Places, Place, DbgVariableRecord::LocationType::Value, I);
  }
  // Behind the objects, wherever hoisted constants are: their order in the frame, which
  // is that of their first mention, must not depend on these.
  Instruction *First = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &I : F.getEntryBlock())
    if (isa<AllocaInst>(I))
      First = I.getNextNode();
  for (const VarLocInfo &Place :
       make_range(Places.single_locs_begin(), Places.single_locs_end()))
    if (!Declared.contains(Places.getVariable(Place.VariableID)))
      insertRecord(Places, Place, DbgVariableRecord::LocationType::Declare, *First);
  return true;
}

FunctionPass *llvm::createNPUDebugAssignments() { return new NPUDebugAssignments(); }
