// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulation as semihosting and a debugger see it.

#include "simulation.h"

#include "gdb_server.h"
#include "isa.h"

#include <cstring>

namespace npu::rtl {

SimulationResult Simulation::debug(GdbServer &server) {
  const auto end = server.serve(*this);
  resumeCore();
  if (!end) // detached
    return runToEnd();
  if (result_)
    return *result_;
  return {Outcome::Exited, end->status, end->report}; // gdb ended it
}

// --- The halted core ---

// What the debug port offers needs a core that is halted, and costs some cycles: for the halt and
// for fetching again from where it goes on.
void Simulation::haltCore() {
  if (machine_->halted())
    return;
  resumePc_ = machine_->pc();
  machine_->halt();
  takeVectorResults();
}

void Simulation::resumeCore() {
  if (!resumePc_)
    return;
  machine_->resume(*resumePc_, codeChanged_);
  resumePc_.reset();
  codeChanged_ = false;
}

uint32_t Simulation::pc() { return resumePc_.value_or(machine_->pc()); }

void Simulation::setPc(uint32_t pc) {
  haltCore();
  if (lockstep_)
    lockstep_->hostResumed(*resumePc_, pc);
  resumePc_ = pc;
}

uint32_t Simulation::readRegister(unsigned number) {
  if (machine_->cycles() < vectorUntil_) // one of them may be for an integer register
    haltCore();
  return registers_[number];
}

void Simulation::writeRegister(unsigned number, uint32_t value) {
  if (number == 0)
    return;
  haltCore();
  machine_->writeRegister(number, value);
  registers_[number] = value;
  if (lockstep_)
    lockstep_->hostWroteRegister(number, value);
}

uint32_t Simulation::readCsr(unsigned number) {
  haltCore();
  return machine_->readCsr(number);
}

void Simulation::writeCsr(unsigned number, uint32_t value) {
  haltCore();
  machine_->writeCsr(number, value);
  if (lockstep_)
    lockstep_->hostWroteCsr(number, value);
}

VectorValue Simulation::readVector(unsigned number) {
  haltCore(); // also waits for results on their way
  return vectors_[number];
}

void Simulation::writeVector(unsigned number, const VectorValue &value) {
  haltCore();
  machine_->writeVector(number, value);
  vectors_[number] = value;
  if (lockstep_)
    lockstep_->model().setVectorReg(number, value);
}

bool Simulation::readMemory(uint32_t address, void *out, size_t bytes) {
  return machine_->readMemory(address, out, bytes);
}

bool Simulation::writeMemory(uint32_t address, const void *in, size_t bytes) {
  if (resumePc_ || !machine_->halted()) { // the debugger, not semihosting: it may be code
    haltCore();
    codeChanged_ = true;
  }
  return machine_->writeMemory(address, in, bytes) &&
         (!lockstep_ || lockstep_->hostWroteMemory(address, in, bytes));
}

uint64_t Simulation::cycles() { return machine_->cycles(); }

// --- Execution ---

void Simulation::setBreakpoint(uint32_t pc, bool present) {
  if (present)
    breakpoints_.insert(pc);
  else
    breakpoints_.erase(pc);
}

DebugStop Simulation::stopFor(SimulationResult &&result) {
  result_ = finish(std::move(result));
  DebugStop stop;
  stop.kind = result_->outcome == Outcome::Exited ? DebugStop::Kind::Ended
                                                  : DebugStop::Kind::Failed;
  stop.status = result_->exitStatus();
  stop.report = result_->report;
  if (result_->outcome == Outcome::Trap && trapping_) {
    stop.pc = trapping_->pc;
    if (trapping_->kind == RetireEvent::Kind::Trap)
      stop.cause = trapping_->cause;
  }
  return stop;
}

// A cycle, and what it gives the debugger to report.
std::optional<DebugStop> Simulation::debugTick() {
  if (auto result = tick())
    return stopFor(std::move(*result));
  if (!happened_)
    return {};
  if (happened_->kind != RetireEvent::Kind::Trap ||
      happened_->cause == static_cast<uint32_t>(Cause::Ecall))
    return {};
  const RetireEvent trap = *happened_;
  DebugStop stop = settle();
  if (stop.kind == DebugStop::Kind::None && machine_->fetchable(machine_->pc()))
    stop = {.kind = DebugStop::Kind::Trap, .cause = trap.cause};
  while (stop.kind == DebugStop::Kind::None) // on to the fault that shows that there is no handler
    if (auto result = tick())
      stop = stopFor(std::move(*result));
  happened_ = trap;
  return stop;
}

DebugStop Simulation::step(std::optional<RetireEvent> &event) {
  constexpr unsigned kSlice = 5'000; // cycles: some milliseconds
  event.reset();
  resumeCore();
  for (unsigned i = 0; i < kSlice; ++i) {
    auto stop = debugTick();
    event = happened_;
    if (stop)
      return *stop;
    if (event)
      return settle();
  }
  return {};
}

DebugStop Simulation::run() {
  constexpr unsigned kSlice = 5'000;
  resumeCore();
  bool isNew = true; // the instruction that arrives or has arrived
  for (unsigned i = 0; i < kSlice; ++i) {
    if (isNew && machine_->atInstruction()) {
      isNew = false;
      if (breakpoints_.contains(machine_->pc()))
        return {.kind = DebugStop::Kind::Breakpoint};
    }
    if (auto stop = debugTick())
      return *stop;
    isNew |= happened_.has_value();
  }
  return {};
}

DebugStop Simulation::settle() {
  while (!resumePc_ && !machine_->atInstruction())
    if (auto result = tick())
      return stopFor(std::move(*result));
  return {};
}

} // namespace npu::rtl
