// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUScheduler.cpp - scheduling that keeps variables' values --------===//
//
// The generic schedulers put each DBG_VALUE back behind the instruction that it
// followed. When the definition of the value moves past that one, or the next
// definition of the register before it, the variable would have a location that does
// not hold its value. These schedulers let the DBG_VALUE follow.
//
//===----------------------------------------------------------------------===//

#include "NPUScheduler.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineScheduler.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace {

// The DBG_VALUEs of a region, with the definitions of their registers before and
// behind them.
class DebugValues {
  struct Entry {
    MachineInstr *DebugValue;
    SmallVector<MachineInstr *, 2> Before, Behind;
  };
  SmallVector<Entry, 4> Entries;

  static bool describeSameVariable(const MachineInstr &A, const MachineInstr &B) {
    return A.getDebugVariable() == B.getDebugVariable() &&
           A.getDebugLoc()->getInlinedAt() == B.getDebugLoc()->getInlinedAt();
  }
  static void
  move(MachineInstr &DebugValue, MachineBasicBlock::iterator From,
       MachineBasicBlock::iterator To, MachineBasicBlock::iterator Place);

public:
  DebugValues(MachineBasicBlock::iterator Begin, MachineBasicBlock::iterator End,
              const TargetRegisterInfo &TRI);
  void restore(MachineBasicBlock::iterator &Begin,
               MachineBasicBlock::iterator End);
};

template <typename Base> class Scheduler : public Base {
public:
  using Base::Base;
  void schedule() override {
    if (!this->MF.getFunction().getSubprogram())
      return Base::schedule();
    DebugValues Values(this->RegionBegin, this->RegionEnd, *this->TRI);
    Base::schedule();
    Values.restore(this->RegionBegin, this->RegionEnd);
  }
};

} // namespace

DebugValues::DebugValues(MachineBasicBlock::iterator Begin,
                         MachineBasicBlock::iterator End,
                         const TargetRegisterInfo &TRI) {
  // By virtual register or, behind the virtual ones' numbers, register unit.
  auto ForEachKey = [&](Register Reg, auto Do) {
    if (Reg.isVirtual())
      return Do(Reg.id());
    if (Reg.isPhysical())
      for (MCRegUnit Unit : TRI.regunits(Reg))
        Do(static_cast<unsigned>(Unit));
  };
  DenseMap<unsigned, MachineInstr *> Last;
  DenseMap<unsigned, SmallVector<unsigned, 2>> Users;
  for (MachineInstr &MI : make_range(Begin, End)) {
    if (MI.isDebugValue()) {
      Entry &New = Entries.emplace_back(Entry{&MI, {}, {}});
      for (const MachineOperand &MO : MI.debug_operands())
        if (MO.isReg())
          ForEachKey(MO.getReg(), [&](unsigned Key) {
            if (MachineInstr *Definition = Last.lookup(Key))
              New.Before.push_back(Definition);
            Users[Key].push_back(Entries.size() - 1);
          });
      continue;
    }
    if (MI.isDebugInstr())
      continue;
    for (const MachineOperand &MO : MI.all_defs())
      ForEachKey(MO.getReg(), [&](unsigned Key) {
        Last[Key] = &MI;
        auto It = Users.find(Key);
        if (It == Users.end())
          return;
        for (unsigned User : It->second)
          Entries[User].Behind.push_back(&MI);
        Users.erase(It);
      });
  }
}

// Nothing is left of a DBG_VALUE that would change places with another of its
// variable.
void DebugValues::move(MachineInstr &DebugValue, MachineBasicBlock::iterator From,
                       MachineBasicBlock::iterator To,
                       MachineBasicBlock::iterator Place) {
  for (const MachineInstr &MI : make_range(From, To))
    if (&MI != &DebugValue && MI.isDebugValue() &&
        describeSameVariable(MI, DebugValue))
      return DebugValue.setDebugValueUndef();
  MachineBasicBlock &MBB = *DebugValue.getParent();
  MBB.splice(Place, &MBB, DebugValue.getIterator());
}

void DebugValues::restore(MachineBasicBlock::iterator &Begin,
                          MachineBasicBlock::iterator End) {
  DenseMap<const MachineInstr *, unsigned> Position;
  for (MachineInstr &MI : make_range(Begin, End))
    Position[&MI] = Position.size();
  // Several that move behind one definition keep their order.
  DenseMap<const MachineInstr *, MachineInstr *> Placed;
  for (Entry &E : Entries) {
    MachineInstr &DebugValue = *E.DebugValue;
    auto Here = Position.find(&DebugValue);
    if (Here == Position.end())
      continue;
    MachineInstr *Definition = nullptr, *Next = nullptr;
    for (MachineInstr *MI : E.Before)
      if (Position.lookup(MI) >
          (Definition ? Position.lookup(Definition) : Here->second))
        Definition = MI;
    for (MachineInstr *MI : E.Behind)
      if (Position.contains(MI) &&
          Position.lookup(MI) < (Next ? Position.lookup(Next) : Here->second))
        Next = MI;
    if (!Definition && !Next)
      continue;
    if (Begin == DebugValue.getIterator())
      ++Begin;
    if (Definition) {
      MachineInstr *&Before = Placed[Definition];
      auto Place = std::next((Before ? Before : Definition)->getIterator());
      move(DebugValue, std::next(DebugValue.getIterator()), Place, Place);
      if (std::prev(Place) == DebugValue.getIterator())
        Before = &DebugValue;
    } else {
      if (Begin == Next->getIterator())
        Begin = DebugValue.getIterator();
      move(DebugValue, Next->getIterator(), DebugValue.getIterator(),
           Next->getIterator());
    }
  }
}

ScheduleDAGInstrs *llvm::createNPUScheduler(MachineSchedContext *C) {
  auto *DAG = new Scheduler<ScheduleDAGMILive>(
      C, std::make_unique<GenericScheduler>(C));
  DAG->addMutation(createCopyConstrainDAGMutation(DAG->TII, DAG->TRI));
  return DAG;
}

ScheduleDAGInstrs *llvm::createNPUPostScheduler(MachineSchedContext *C) {
  return new Scheduler<ScheduleDAGMI>(
      C, std::make_unique<PostGenericScheduler>(C), /*RemoveKillFlags=*/true);
}
